"""The steps of a rule: requests of a bot with their answers, and what then holds."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.strict.api.errors import Json
from tests.strict.api.world import COMPONENTS_V2, EPHEMERAL, PUBLIC_THREAD, Message, Overwrite, StrictChannel
from tests.strict.client import Client, Reply, button, gallery, page, row, text
from tests.strict.conftest import Strict
from tests.strict.people import InteractionAnswer
from tests.strict.process import TOKEN

Expected = int | tuple[int, int] | dict[str, str] | None


@dataclass
class Stage:
    """Begins each rule: a thread, and a picture whose button Ann has pressed."""

    strict: Strict
    client: Client
    message: Message
    answer: InteractionAnswer
    thread: StrictChannel
    replies: list[Reply] = field(default_factory=list)

    def __post_init__(self) -> None:
        strict, one = self.strict, self.answer.interaction
        self.world, self.guild, self.channel = strict.world, strict.guild, strict.channel
        self.names = {
            "channel": f"channels/{self.channel.id}",
            "message": f"channels/{self.channel.id}/messages/{self.message.id}",
            "picture": str(next(iter(self.message.files))),
            "thread": f"channels/{self.thread.id}",
            "answer": f"interactions/{one.id}/{one.token}/callback?with_response=1",
            "webhook": f"webhooks/{self.world.application_id}/{one.token}",
            "app": f"applications/{self.world.application_id}",
            "guild": f"guilds/{self.guild.id}",
            "ann": str(strict["Ann"].id),
        }

    @property
    def reply(self) -> Reply:
        return self.replies[-1]

    def fill(self, text: str) -> str:
        """Fill in names; `{id}` is the last answer's, `{first}` the first's."""
        for name, value in self.names.items():
            text = text.replace(f"{{{name}}}", value)
        for name, number in (("{id}", -1), ("{first}", 0)):
            text = text.replace(name, str(self.replies[number].id)) if name in text else text
        return text

    async def ask(self, one: "Ask") -> None:
        method, path = self.fill(one.request).split(" ")
        body = None if one.body is None else json.loads(self.fill(json.dumps(one.body)))
        self.replies.append(reply := await self.client.call(method, path, body, one.files, one.bot))
        field = {int: "status", tuple: "refusal", dict: "fields"}.get(type(one.expected))
        assert field is None or getattr(reply, field) == one.expected, reply.body

    def deny(self, permission: int) -> None:
        """Take a permission from the bot in the channel."""
        self.channel.overwrites.append(Overwrite(self.world.bot.id, False, deny=permission))

    def begin(self, command: str, **options: Any) -> None:
        """Let Ann type a command, to be answered next."""
        self.world.commands[1] = COMMAND
        self.answer = self.strict["Ann"].begin_slash(self.channel, command, **options)
        self.__post_init__()


@dataclass(frozen=True)
class Ask:
    """A request, and its answer: a status, a refusal, or the fields that are refused."""

    request: str
    expected: Expected = None
    body: Any = None
    files: Sequence[tuple[str, bytes]] = ()
    bot: str = TOKEN


Step = Ask | Callable[[Stage], object]
"""A request, or what happens or holds then; it must not return False."""
INVALID, LOCKED = (400, 50035), (400, 160005)
HI, HO = page(text("Hi")), page(text("Ho"))
SECRET = page(row(button()), flags=COMPONENTS_V2 | EPHEMERAL)
PUBLIC: Json = {"name": "Game", "type": PUBLIC_THREAD}
ONE: Json = {"name": "play", "description": "Play"}
OPTION = {"name": "day", "description": "When", "type": 3}
COMMAND: Json = {**ONE, "id": "1", "integration_types": [0, 1], "options": [
    {"name": "now", "description": "Now", "type": 1, "options": []},
    {"name": "later", "description": "Later", "type": 1, "options": [
        {"name": "day", "description": "When", "type": 4, "required": True},
        {"name": "game", "description": "What", "type": 3, "autocomplete": True},
    ]},
]}  # fmt: skip
POST, OPEN = "POST /{channel}/messages", "POST /{channel}/threads"
EDIT, ORIGINAL, ME = "PATCH /{message}", "PATCH /{webhook}/messages/@original", "GET /users/@me"
PUT, COMMANDS, EMOJI = "PUT /{app}/commands", "GET /{app}/commands", "POST /{app}/emojis"
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


def allow(s: Stage, permission: int) -> None:
    s.guild.roles[s.guild.members[s.world.bot.id][0]].permissions |= permission


def pings(allowed: Json, pinged: set[int]) -> list[Step]:
    body = page(text("<@7> <@8>"), allowed_mentions=allowed)
    return [Ask(POST, 200, body), lambda s: s.channel.messages[s.reply.id].pings == pinged]


def role_pings(is_mentionable: bool, permission: int = 0) -> list[Step]:
    """Mention a role; it is pinged if it may be."""

    def add(s: Stage) -> None:
        role = s.world.add_role(s.guild, "Players", 0)
        role.mentionable = is_mentionable
        s.names["role"] = str(role.id)
        s.channel.overwrites.append(Overwrite(s.world.bot.id, False, allow=permission))

    body = page(text("<@&{role}>"), allowed_mentions={"roles": ["{role}"]})
    is_pinged = is_mentionable or bool(permission)
    return [
        add,
        Ask(POST, 200, body),
        lambda s: (
            s.channel.messages[s.reply.id].role_pings == ({int(s.names["role"])} if is_pinged else set())
        ),
    ]


def add_channel(kind: int) -> Step:
    return lambda s: s.names.update(place=f"channels/{s.world.add_channel(s.guild, 'place', kind).id}")
