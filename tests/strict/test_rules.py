"""The rules of the strict Discord: each is a list of requests with their answers, and of what then holds."""

import tomllib
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import aiohttp
import pytest

from tests.strict.api import world
from tests.strict.api.errors import NOT_ATTACHED, Json
from tests.strict.api.messages import LARGEST_FILE
from tests.strict.client import (
    PICTURE,
    Client,
    attachment_url,
    box,
    button,
    gallery,
    menu,
    page,
    picture,
    row,
    text,
)
from tests.strict.conftest import Strict
from tests.strict.people import SeenMessage
from tests.strict.steps import (
    EDIT,
    HI,
    HO,
    INVALID,
    ONCE,
    OPEN,
    ORIGINAL,
    POST,
    SECRET,
    Ask,
    Stage,
    Step,
    get_through,
    is_sent_again,
    keep,
    media_of,
    respond,
)

RULES: dict[str, list[Step]] = {
    # Messages and files
    "shown files are no attachments, and media items name them": [
        Ask(POST, 200, *picture()),
        lambda s: s.reply.body["attachments"] == [],
        lambda s: media_of(s)["url"].startswith(f"https://cdn.discordapp.com/attachments/{s.channel.id}/"),
        lambda s: (
            media_of(s)["id"]
            == media_of(s)["attachment_id"]
            == str(next(iter(s.channel.messages[s.reply.id].files)))
        ),
        lambda s: (media_of(s)["content_type"], media_of(s)["width"]) == ("image/png", 4),
    ],
    "a file named by id and filename is kept": [
        Ask(EDIT, 200, keep(filename="board.png")),
        lambda s: media_of(s)["attachment_id"] == s.names["picture"],
        lambda s: [str(number) for number in s.message.files] == [s.names["picture"]],
    ],
    "a file named by id alone isn't found": [
        Ask(EDIT, {"components.0.items.0.media.url": NOT_ATTACHED}, keep())
    ],
    "a file may be uploaded again": [
        Ask(EDIT, 200, *picture()),
        lambda s: len(s.message.files) == 1 and s.names["picture"] not in map(str, s.message.files),
    ],
    "an edit that changes no component keeps the files": [
        Ask(EDIT, 200, {"allowed_mentions": {"parse": []}}),
        lambda s: len(s.message.files) == 1,
    ],
    "dropping a file that is still shown is a surprise": [
        Ask(EDIT, None, {"attachments": []}),
        lambda s: len(s.world.surprises) == 1,
    ],
    "components forbid content and embeds": [
        Ask(request, INVALID, {**body, **legacy})
        for legacy in ({"content": "Hi"}, {"embeds": [{"title": "Hi"}]})
        for request, body in ((POST, HI), (EDIT, {}))
    ],
    "the components flag can't be removed": [
        Ask(
            EDIT,
            {"flags": "MESSAGE_COMPONENTS_V2_FLAG_REMOVED"},
            {"flags": 0, "components": [], "content": "Hi"},
        )
    ],
    "an edit can't make a message ephemeral": [
        Ask(EDIT, 200, SECRET),
        lambda s: not s.message.flags & world.EPHEMERAL,
    ],
    "text of too many bytes makes Discord fail": [
        Ask(POST, 500, page(text("⏳" * 3400))),
        Ask(POST, 200, page(text("⏳" * 3200))),
        lambda s: len(s.world.surprises) == 1,
    ],
    "a file has 10 MiB at most": [
        Ask(POST, 200, picture()[0], [("board.png", PICTURE + bytes(LARGEST_FILE - len(PICTURE)))]),
        Ask(POST, (413, 40005), picture()[0], [("board.png", PICTURE + bytes(LARGEST_FILE))]),
    ],
    "a nonce returns the message of the last minutes": [
        *[Ask(POST, 200, ONCE)] * 2,
        lambda s: not is_sent_again(s),
        lambda s: s.world.pass_time(600),
        Ask(POST, 200, ONCE),
        is_sent_again,
    ],
    "a message without an enforced nonce doubles": [*[Ask(POST, 200, HI)] * 2, is_sent_again],
    "the nonce of a deleted message is free": [
        Ask(POST, 200, ONCE),
        Ask("DELETE /{channel}/messages/{id}", 204),
        Ask(POST, 200, ONCE),
        lambda s: s.replies[0].id != s.reply.id,
    ],
    "a nonce has 25 characters at most": [
        Ask(POST, {"nonce": "NONCE_TYPE_TOO_LONG"}, {**ONCE, "nonce": "n" * 26})
    ],
    # Places
    "a thread's name has 1 to 100 characters": [
        Ask(OPEN, {"name": "BASE_TYPE_BAD_LENGTH"}, {"name": name}) for name in ("", "x" * 101)
    ],
    # Answers
    "after three seconds an interaction is unknown": [
        lambda s: s.world.pass_time(3.1),
        respond(6, (404, 10062)),
    ],
    "after 15 minutes an answer can't be edited": [
        respond(4, 200, HI),
        Ask(ORIGINAL, 200, HO),
        lambda s: s.world.pass_time(901),
        Ask(ORIGINAL, (401, 50027), HO),
    ],
    "thinking shows a new message that the first follow-up fills": [
        respond(5, 200, {"flags": world.EPHEMERAL}),
        lambda s: (
            s.answer.message is not s.message and s.answer.message.flags == world.EPHEMERAL | world.LOADING
        ),
        lambda s: not s.answer.is_there,
        Ask("POST /{webhook}", 200, HI),
        lambda s: s.reply.id == s.answer.message.id and s.answer.is_there and s.answer.is_private,
    ],
    "later keeps the message that was pressed": [
        respond(6, 200),
        lambda s: s.answer.message is s.message and len(s.message.files) == 1,
        Ask(ORIGINAL, 200, *picture(text("Now"))),
        lambda s: s.reply.id == s.message.id,
    ],
    "an update keeps a file by id and filename": [
        respond(7, 200, keep(filename="board.png")),
        lambda s: SeenMessage(s.message).pictures == ["board.png"],
    ],
    # What got through although its answer failed
    "a message that got through stands once by its nonce": [
        get_through("/messages"),
        Ask(POST, 502, ONCE),
        Ask(POST, 200, ONCE),
        lambda s: len(s.channel.public) == 2,
    ],
}
LONG = "x" * 101
TOO_MUCH: dict[str, list[Json]] = {
    "41 components": [box(*[text("x")] * 40)],
    "4,001 characters": [text("x" * 2001), text("x" * 2000)],
    "a custom id of 101": [row(button(LONG))],
    "a custom id twice": [row(button("a")), row(menu("x", custom_id="a"))],
    "a label of 81": [row(button(label="x" * 81))],
    "an empty option label": [row(menu(""))],
    "an option label of 101": [row(menu(LONG))],
    "an empty option description": [
        row({**menu(), "options": [{"label": "x", "value": "1", "description": ""}]})
    ],
    "an option description of 101": [
        row({**menu(), "options": [{"label": "x", "value": "1", "description": LONG}]})
    ],
    "a placeholder of 151": [row(menu("a", placeholder="x" * 151))],
    "an alt text of 1,025": [gallery("board.png", description="x" * 1025)],
}
RULES |= {f"{what} are refused" if what[0].isdigit() else f"{what} is refused": [
    Ask(POST, INVALID, page(*parts, attachments=[attachment_url()]), [("board.png", PICTURE)]),
    lambda s: next(iter(s.reply.fields)).startswith("components") and len(s.channel.messages) == 1,
] for what, parts in TOO_MUCH.items()}  # fmt: skip


@pytest.mark.parametrize("rule", RULES)
async def test_each_rule_holds(strict: Strict, client: Client, rule: str) -> None:
    body, files = picture(row(button()))
    sent = await client.post(f"/channels/{strict.channel.id}/messages", body, files)
    message = strict.channel.messages[sent.id]
    stage = Stage(strict, client, message, strict["Ann"].begin_click(message, "Press"))

    for number, step in enumerate(RULES[rule]):
        if isinstance(step, Ask):
            await stage.ask(step)
        else:
            assert step(stage) is not False, f"step {number}: {stage.replies[-1:]}"


async def test_a_cut_connection_can_have_got_through(strict: Strict, client: Client) -> None:
    strict.server.faults.add("POST", "/messages", times=1, got_through=True, cuts=True)

    with pytest.raises(aiohttp.ClientError):
        await client.post(f"/channels/{strict.channel.id}/messages", HI)
    assert len(strict.channel.public) == 1


FACTS: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("facts.toml").read_text("utf-8"))["fact"]


def is_there(name: str) -> bool:
    """Return True for a rule and for a name of this folder."""
    try:
        return name in RULES or callable(resolve_name(f"tests.strict.{name}"))
    except (ValueError, ImportError, AttributeError):
        return False


def test_each_fact_is_told_once_and_named_by_something_that_exists() -> None:
    named = {name for fact in FACTS for name in (*fact.get("by", ()), *fact.get("flows", ()))}
    entries = [fact["says"] for fact in FACTS]

    assert [name for name in sorted(named) if not is_there(name)] == []
    assert len(entries) == len({*entries})
    for fact in FACTS:
        assert fact.get("by") or fact.get("flows"), fact
        assert set(fact) <= {"says", "by", "flows", "not"}, fact
        assert fact.get("not", "because").startswith("because"), fact
