"""A bot without discord.py, for the tests of the strict Discord itself."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from aiohttp import ClientSession, FormData

from tests.strict.api.components import BUTTON, CONTAINER, GALLERY, ROW, SELECT, TEXT
from tests.strict.api.errors import Json
from tests.strict.api.server import StrictServer
from tests.strict.api.world import COMPONENTS_V2, PNG
from tests.strict.process import TOKEN

PICTURE = PNG + b"\0\0\0\rIHDR" + (4).to_bytes(4) + (3).to_bytes(4) + b"\x08\2\0\0\0"
"""The beginning of a PNG of 4 by 3 pixels."""


@dataclass(frozen=True)
class Reply:
    """An answer of Discord."""

    status: int
    body: Any
    headers: dict[str, str]

    @property
    def code(self) -> int:
        return int(self.body["code"]) if isinstance(self.body, dict) and "code" in self.body else 0

    @property
    def refusal(self) -> tuple[int, int]:
        return self.status, self.code

    @property
    def fields(self) -> dict[str, str]:
        return dict(_codes(self.body.get("errors") or {}))

    @property
    def id(self) -> int:
        assert self.status == 200, self.body
        return int(self.body["id"])


def _codes(errors: Json, path: str = "") -> Iterator[tuple[str, str]]:
    for key, value in errors.items():
        if key == "_errors":
            yield path, value[0]["code"]
        else:
            yield from _codes(value, f"{path}.{key}".lstrip("."))


class Client:
    """Sends requests to a strict Discord."""

    def __init__(self, server: StrictServer, session: ClientSession) -> None:
        self._server = server
        self._session = session

    async def call(
        self, method: str, path: str, body: Any = None, files: Sequence[tuple[str, bytes]] = ()
    ) -> Reply:
        """Make a request, with files as a form."""
        data: Any = None if body is None else json.dumps(body)
        headers = {"Authorization": f"Bot {TOKEN}"}
        if files:
            data = FormData(quote_fields=False)
            data.add_field("payload_json", json.dumps(body))
            for number, (name, content) in enumerate(files):
                data.add_field(f"files[{number}]", BytesIO(content), filename=name, content_type="image/png")
        elif body is not None:
            headers["Content-Type"] = "application/json"
        url = f"{self._server.address}api/v10{path}"
        async with self._session.request(method, url, data=data, headers=headers) as response:
            raw = await response.read()
            parsed = json.loads(raw) if raw and response.content_type == "application/json" else raw.decode()
            return Reply(response.status, parsed, dict(response.headers))

    async def post(self, path: str, body: Any = None, files: Sequence[tuple[str, bytes]] = ()) -> Reply:
        return await self.call("POST", path, body, files)


# What messages are made of


def page(*components: Json, **more: Any) -> Json:
    return {"flags": COMPONENTS_V2, "components": list(components), **more}


def box(*components: Json) -> Json:
    return {"type": CONTAINER, "components": list(components)}


def text(content: str) -> Json:
    return {"type": TEXT, "content": content}


def gallery(*names: str, description: str | None = None) -> Json:
    items = [{"media": {"url": f"attachment://{name}"}, "description": description} for name in names]
    return {"type": GALLERY, "items": items}


def row(*components: Json) -> Json:
    return {"type": ROW, "components": list(components)}


def button(custom_id: str = "press", label: str = "Press", **more: Any) -> Json:
    return {"type": BUTTON, "style": 1, "custom_id": custom_id, "label": label, **more}


def menu(*labels: str, custom_id: str = "choose", **more: Any) -> Json:
    options = [{"label": label, "value": str(number)} for number, label in enumerate(labels)]
    return {"type": SELECT, "custom_id": custom_id, "options": options, **more}


def attachment_url(name: str = "board.png", number: int = 0) -> Json:
    """Return a request's name for a file that comes with it."""
    return {"id": number, "filename": name}


def picture(*components: Json, name: str = "board.png") -> tuple[Json, list[tuple[str, bytes]]]:
    return page(gallery(name), *components, attachments=[attachment_url(name)]), [(name, PICTURE)]
