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
    thumbnail,
)
from tests.strict.conftest import Strict
from tests.strict.people import SeenMessage
from tests.strict.steps import (
    EDIT,
    HI,
    HO,
    INVALID,
    ONCE,
    ONE,
    OPEN,
    OPTION,
    ORIGINAL,
    POST,
    PUT,
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
    # Limits
}
LONG = "x" * 101
TOO_MUCH: dict[str, list[Json]] = {
    "41 components": [box(*[text("x")] * 40)],
    "4,001 characters": [text("x" * 2001), text("x" * 2000)],
    "an empty text": [text("")],
    "a custom id of 101": [row(button(LONG))],
    "an empty custom id": [row(button(""))],
    "a custom id twice": [row(button("a")), row(menu("x", custom_id="a"))],
    "a label of 81": [row(button(label="x" * 81))],
    "a button without a label": [row(button(label=""))],
    "an empty option label": [row(menu(""))],
    "an option label of 101": [row(menu(LONG))],
    "an empty option description": [
        row({**menu(), "options": [{"label": "x", "value": "1", "description": ""}]})
    ],
    "an option description of 101": [
        row({**menu(), "options": [{"label": "x", "value": "1", "description": LONG}]})
    ],
    "a value twice": [row({**menu(), "options": [{"label": "x", "value": "1"}] * 2})],
    "no options": [row(menu())],
    "26 options": [row(menu(*"abcdefghijklmnopqrstuvwxyz"))],
    "more to choose than there are": [row(menu("a", "b", max_values=3))],
    "least above most": [row(menu("a", "b", min_values=2, max_values=1))],
    "a placeholder of 151": [row(menu("a", placeholder="x" * 151))],
    "six buttons in a row": [row(*[button(str(number)) for number in range(6)])],
    "a menu beside a button": [row(menu("a"), button())],
    "an empty row": [row()],
    "an emoji that isn't there": [row(button(emoji={"id": "7", "name": "seat"}))],
    "an emoji of letters": [row(button(emoji={"name": "seat"}))],
    "an alt text of 1,025": [gallery("board.png", description="x" * 1025)],
    "no pictures": [gallery()],
    "eleven pictures": [gallery(*["board.png"] * 11)],
    "a picture of another name": [gallery("card.png")],
    "a row in a section": [{"type": 9, "components": [row(button())], "accessory": thumbnail("board.png")}],
    "a section without an accessory": [{"type": 9, "components": [text("x")]}],
    "a box in a box": [box(box(text("x")))],
    "a component id twice": [{**text("x"), "id": 5}, {**text("x"), "id": 5}],
}
BAD_COMMANDS: dict[str, Json] = {
    "a name with a capital": {"name": "Play"},
    "a name of 33": {"name": "x" * 33},
    "no description": {"description": ""},
    "a description of 101": {"description": LONG},
    "26 command options": {"options": [{**OPTION, "name": f"day{number}"} for number in range(26)]},
    "26 choices": {"options": [{**OPTION, "choices": [{"name": "a", "value": "a"}] * 26}]},
    "an empty choice": {"options": [{**OPTION, "choices": [{"name": "", "value": "a"}]}]},
    "a description in a menu": {"type": 2, "name": "Play with them"},
    "8,001 characters": {"options": [
        {**OPTION, "name": f"d{o}", "choices": [{"name": "x" * 99, "value": "y" * 99}] * 25} for o in range(2)
    ]},
}  # fmt: skip
RULES |= {f"{what} are refused" if what[0].isdigit() else f"{what} is refused": [
    Ask(POST, INVALID, page(*parts, attachments=[attachment_url()]), [("board.png", PICTURE)]),
    lambda s: next(iter(s.reply.fields)).startswith("components") and len(s.channel.messages) == 1,
] for what, parts in TOO_MUCH.items()}  # fmt: skip
RULES |= {
    f"a command with {what} is refused": [Ask(PUT, INVALID, [{**ONE, **more}])]
    for what, more in BAD_COMMANDS.items()
}
MENUS: list[Json] = [{"type": 3, "name": f"Read It {number}"} for number in range(16)]
RULES["a 16th menu of a kind is refused"] = [Ask(PUT, INVALID, MENUS), Ask(PUT, 200, MENUS[:15])]


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
