"""One request of the bot, read whole."""

import json
import re
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any

from aiohttp import web

from tests.strict.api.errors import Json, Refusal, invalid
from tests.strict.api.messages import Upload
from tests.strict.api.world import StrictWorld

NAMES = re.compile(r'\b(name|filename)="([^"]*)"')
FILE_FIELD = re.compile(r"files\[(\d+)\]")


@dataclass
class Call:
    """A request: where it goes, what it holds, and the files that come with it."""

    world: StrictWorld
    method: str
    path: str
    parts: dict[str, str]
    query: dict[str, str]
    body: Any
    uploads: list[Upload] = field(default_factory=list)

    def number(self, name: str) -> int:
        """Return a number of the path. Raises Refusal for anything else."""
        text = self.parts[name]
        if not text.isdecimal():
            raise invalid((name,), "NUMBER_TYPE_COERCE", f'Value "{text}" is not snowflake.')
        return int(text)


async def read_call(world: StrictWorld, request: web.Request) -> Call:
    """Read a request with its JSON or its form. Raises Refusal for a body that is neither."""
    body, uploads = await _read(request)
    path = request.path.removeprefix("/api/v10")
    return Call(world, request.method, path, dict(request.match_info), dict(request.query), body, uploads)


async def _read(request: web.Request) -> tuple[Any, list[Upload]]:
    kind = request.content_type
    raw = await request.read()
    if kind == "multipart/form-data":
        head = EmailMessage()
        head["Content-Type"] = request.headers["Content-Type"]
        return _read_form(raw, str(head.get_boundary()).encode())
    if not raw:
        return {}, []
    if kind != "application/json":
        raise Refusal(400, 50035, f"Unsupported content type {kind}")
    return json.loads(raw), []


def _read_form(raw: bytes, boundary: bytes) -> tuple[Json, list[Upload]]:
    """Return the JSON of a form, and its files."""
    body: Json = {}
    uploads = []
    for part in raw.split(b"--" + boundary)[1:-1]:
        head, _, data = part.removeprefix(b"\r\n").removesuffix(b"\r\n").partition(b"\r\n\r\n")
        names = dict(NAMES.findall(head.decode()))
        match = FILE_FIELD.fullmatch(names.get("name", ""))
        if names.get("name") == "payload_json":
            body = json.loads(data)
        elif match:
            uploads.append(Upload(int(match[1]), names.get("filename", "unknown"), data))
    return body, uploads
