"""The steps of a rule: requests of a bot with their answers, and what then holds."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.strict.api.errors import Json
from tests.strict.api.world import COMPONENTS_V2, EPHEMERAL, Message
from tests.strict.client import Client, Reply, button, gallery, page, row, text
from tests.strict.conftest import Strict
from tests.strict.people import InteractionAnswer

Expected = int | tuple[int, int] | dict[str, str] | None


@dataclass
class Stage:
    """Begins each rule: a picture whose button Ann has pressed."""

    strict: Strict
    client: Client
    message: Message
    answer: InteractionAnswer
    replies: list[Reply] = field(default_factory=list)

    def __post_init__(self) -> None:
        strict, one = self.strict, self.answer.interaction
        self.world, self.channel = strict.world, strict.channel
        self.names = {
            "channel": f"channels/{self.channel.id}",
            "message": f"channels/{self.channel.id}/messages/{self.message.id}",
            "picture": str(next(iter(self.message.files))),
            "answer": f"interactions/{one.id}/{one.token}/callback?with_response=1",
            "webhook": f"webhooks/{self.world.application_id}/{one.token}",
        }

    @property
    def reply(self) -> Reply:
        return self.replies[-1]

    def fill(self, text: str) -> str:
        """Fill in names; `{id}` is the last answer's."""
        for name, value in self.names.items():
            text = text.replace(f"{{{name}}}", value)
        return text.replace("{id}", str(self.reply.id)) if "{id}" in text else text

    async def ask(self, one: "Ask") -> None:
        method, path = self.fill(one.request).split(" ")
        body = None if one.body is None else json.loads(self.fill(json.dumps(one.body)))
        self.replies.append(reply := await self.client.call(method, path, body, one.files))
        field = {int: "status", tuple: "refusal", dict: "fields"}.get(type(one.expected))
        assert field is None or getattr(reply, field) == one.expected, reply.body


@dataclass(frozen=True)
class Ask:
    """A request, and its answer: a status, a refusal, or the fields that are refused."""

    request: str
    expected: Expected = None
    body: Any = None
    files: Sequence[tuple[str, bytes]] = ()


Step = Ask | Callable[[Stage], object]
"""A request, or what happens or holds then; it must not return False."""
INVALID = (400, 50035)
HI, HO = page(text("Hi")), page(text("Ho"))
SECRET = page(row(button()), flags=COMPONENTS_V2 | EPHEMERAL)
POST, OPEN = "POST /{channel}/messages", "POST /{message}/threads"
EDIT, ORIGINAL = "PATCH /{message}", "PATCH /{webhook}/messages/@original"
ONCE = page(text("Hi"), nonce="n1", enforce_nonce=True)


def respond(kind: int, expected: Expected, data: Json | None = None, **more: Any) -> Ask:
    """Answer Ann's press."""
    return Ask("POST /{answer}", expected, {"type": kind, "data": data or {}}, **more)


def get_through(path: str, **more: Any) -> Step:
    """Let the next request through, though its answer says that it failed."""
    return lambda s: s.strict.server.faults.add("POST", path, 502, times=1, got_through=True, **more)


def is_sent_again(s: Stage) -> bool:
    return s.replies[-1].id != s.replies[-2].id


def keep(**more: str) -> Json:
    return page(gallery("board.png"), attachments=[{"id": "{picture}", **more}])


def media_of(s: Stage) -> Json:
    result: Json = s.reply.body["components"][0]["items"][0]["media"]
    return result
