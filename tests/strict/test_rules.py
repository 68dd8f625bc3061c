"""The rules of the strict Discord: each is a list of requests with their answers, and of what then holds."""

import aiohttp
import pytest

from tests.strict.api import permissions, world
from tests.strict.api.errors import DMS_CLOSED, NO_MUTUAL_SERVER, NOT_ATTACHED, Json
from tests.strict.api.messages import LARGEST_FILE, send
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
    COMMANDS,
    DOUBLED,
    EDIT,
    FORBIDDEN,
    FORM,
    GONE,
    HI,
    HO,
    INVALID,
    LOCKED,
    ME,
    OF_MESSAGE,
    ONCE,
    ONE,
    OPEN,
    OPTION,
    ORIGINAL,
    POST,
    PUBLIC,
    PUT,
    ROOMLESS,
    SECRET,
    SHOW,
    WRONG_PLACE,
    Ask,
    Stage,
    Step,
    add_channel,
    allow,
    cannot,
    get_through,
    is_sent_again,
    keep,
    media_of,
    pings,
    respond,
    role_pings,
    upload,
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
    "files of plain messages are attachments": [
        Ask(POST, 200, {"content": "See"}, [("a b.png", PICTURE)]),
        lambda s: [one["filename"] for one in s.reply.body["attachments"]] == ["a_b.png"],
    ],
    "an edit without attachments drops a shown file": [Ask(EDIT, 200, HI), lambda s: not s.message.files],
    "an edit can't show a file that it doesn't name": [
        Ask(EDIT, INVALID, SHOW),
        Ask(EDIT, {"components.0.items.0.media.url": NOT_ATTACHED}, SHOW),
        lambda s: len(s.message.files) == 1,
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
    "an unknown file can't be kept": [
        Ask(
            EDIT,
            {"attachments.0.id": "ATTACHMENT_NOT_FOUND"},
            page(attachments=[{"id": "7", "filename": "a"}]),
        )
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
    "plain messages take no new components": [
        Ask(POST, {"components.0.type": "UNION_TYPE_CHOICES"}, {"content": "Hi", "components": [text("Hi")]})
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
    "an empty message is refused": [Ask(POST, (400, 50006), body) for body in ({}, {"content": ""}, page())],
    "edits of old messages can be limited without a time": [
        lambda s: setattr(s.world, "refuses_old_edits", True),
        Ask(EDIT, 200, HI),
        lambda s: s.world.pass_time(3601),
        Ask(EDIT, (429, 30046), HO),
        lambda s: "Via" in s.reply.headers and "Retry-After" not in s.reply.headers,
        lambda s: "retry_after" not in s.reply.body,
    ],
    "a nonce returns the message of the last minutes": [
        *[Ask(POST, 200, ONCE)] * 2,
        lambda s: not is_sent_again(s),
        lambda s: s.world.pass_time(600),
        Ask(POST, 200, ONCE),
        is_sent_again,
    ],
    "a message without an enforced nonce doubles": [*[Ask(POST, 200, HI)] * 2, is_sent_again],
    "a message with a nonce that isn't enforced doubles": [
        *[Ask(POST, 200, page(text("x"), nonce="n1"))] * 2,
        is_sent_again,
    ],
    "the nonce of a deleted message is free": [
        Ask(POST, 200, ONCE),
        Ask("DELETE /{channel}/messages/{id}", 204),
        Ask(POST, 200, ONCE),
        lambda s: s.replies[0].id != s.reply.id,
    ],
    "a nonce has 25 characters at most": [
        Ask(POST, {"nonce": "NONCE_TYPE_TOO_LONG"}, {**ONCE, "nonce": "n" * 26})
    ],
    "nobody is pinged": pings({"parse": []}, set()),
    "one person is pinged": pings({"users": ["7"]}, {7}),
    "all people are pinged": pings({"parse": ["users"]}, {7, 8}),
    "a role is pinged if it may be mentioned": role_pings(True),
    "a role is not pinged if it may not be mentioned": role_pings(False),
    "who may mention everyone pings any role": role_pings(False, permissions.MENTION_EVERYONE),
    # Places
    "the thread of a message has its number": [
        Ask(OF_MESSAGE, 200, PUBLIC),
        lambda s: (s.reply.id, s.reply.body["type"]) == (s.message.id, world.PUBLIC_THREAD),
        Ask(OF_MESSAGE, (400, 160004), PUBLIC),
        Ask("GET /{message}", 200),
        lambda s: s.reply.body["thread"]["id"] == str(s.message.id),
    ],
    "a server limits its active threads": [
        lambda s: setattr(s.guild, "thread_limit", 1),
        Ask(OPEN, ROOMLESS, PUBLIC),
        Ask(OF_MESSAGE, ROOMLESS, PUBLIC),
        lambda s: s.strict.owner.archive(s.thread),
        Ask(OPEN, 200, PUBLIC),
        Ask("PATCH /{thread}", ROOMLESS, {"archived": False}),
    ],
    "a thread needs the permission to create it": [
        lambda s: s.deny(permissions.PUBLIC_THREADS),
        *[Ask(request, FORBIDDEN, PUBLIC) for request in (OPEN, OF_MESSAGE)],
    ],
    "a thread needs the permission to view its channel": [
        lambda s: s.deny(permissions.VIEW),
        *[Ask(request, (403, 50001), PUBLIC) for request in (OPEN, OF_MESSAGE)],
    ],
    "a locked place takes no thread": [
        lambda s: s.strict.owner.lock(s.channel),
        *[Ask(request, LOCKED, PUBLIC) for request in (OPEN, OF_MESSAGE)],
    ],
    "an announcement channel takes announcement threads alone": [
        add_channel(world.ANNOUNCEMENT),
        *[
            Ask("POST /{place}/threads", WRONG_PLACE, {**PUBLIC, "type": kind})
            for kind in (world.PUBLIC_THREAD, world.PRIVATE_THREAD)
        ],
        Ask("POST /{place}/threads", 200, {**PUBLIC, "type": world.ANNOUNCEMENT_THREAD}),
        Ask("POST /{place}/messages", 200, HI),
        Ask("POST /{place}/messages/{id}/threads", 200, {"name": "Game"}),
        lambda s: s.reply.body["type"] == world.ANNOUNCEMENT_THREAD,
    ],
    "a text channel takes no announcement thread": [
        Ask(OPEN, WRONG_PLACE, {**PUBLIC, "type": world.ANNOUNCEMENT_THREAD})
    ],
    "voice chats and forums take no such thread": [
        step
        for kind in (world.VOICE, world.FORUM)
        for step in (add_channel(kind), Ask("POST /{place}/threads", WRONG_PLACE, PUBLIC))
    ],
    "a thread's name has 1 to 100 characters": [
        Ask(OPEN, {"name": "BASE_TYPE_BAD_LENGTH"}, {**PUBLIC, "name": name}) for name in ("", "x" * 101)
    ],
    "a locked thread takes no message": [
        Ask("POST /{thread}/messages", 200, HI),
        lambda s: s.strict.owner.lock(s.thread),
        *[
            Ask("POST /{thread}/messages", FORBIDDEN, HI),
            Ask("PATCH /{thread}/messages/{first}", FORBIDDEN, HI),
            Ask("PATCH /{thread}", FORBIDDEN, {"archived": False}),
        ]
        * 2,
        lambda s: allow(s, permissions.MANAGE_THREADS),
        Ask("POST /{thread}/messages", 200, HI),
    ],
    "a locked thread that is archived stays archived": [
        lambda s: s.strict.owner.lock(s.thread),
        lambda s: s.strict.owner.archive(s.thread),
        Ask("PATCH /{thread}", FORBIDDEN, {"archived": False}),
        Ask("POST /{thread}/messages", FORBIDDEN, HI),
        Ask("GET /{thread}", 200),
        lambda s: s.reply.body["thread_metadata"]["locked"] is True,
    ],
    "a message opens an archived thread": [
        Ask("POST /{thread}/messages", 200, HI),
        lambda s: s.strict.owner.archive(s.thread),
        Ask("PATCH /{thread}/messages/{first}", (400, 50083), HI),
        Ask("POST /{thread}/messages", 200, HI),
        lambda s: not s.thread.archived,
    ],
    "a bot archives its own thread and opens any": [
        Ask("PATCH /{thread}", 200, {"archived": True}),
        Ask("PATCH /{thread}", 200, {"archived": False}),
        lambda s: setattr(s.thread, "owner_id", s.strict["Ann"].id),
        Ask("PATCH /{thread}", FORBIDDEN, {"archived": True}),
        lambda s: s.strict.owner.archive(s.thread),
        Ask("PATCH /{thread}", 200, {"archived": False}),
    ],
    "a message needs the permission to send": [lambda s: s.deny(permissions.SEND), Ask(POST, FORBIDDEN, HI)],
    "a message in a thread needs its permission": [
        lambda s: s.deny(permissions.SEND_IN_THREADS),
        Ask("POST /{thread}/messages", FORBIDDEN, HI),
    ],
    "a file needs its permission": [lambda s: s.deny(permissions.ATTACH), Ask(POST, FORBIDDEN, *picture())],
    "without its permission there is no history": [
        lambda s: s.deny(permissions.HISTORY),
        Ask("GET /{channel}/messages", 200),
        lambda s: s.reply.body == [],
        Ask("GET /{message}", FORBIDDEN),
    ],
    "history is newest first": [
        *[Ask(POST, 200, HI)] * 2,
        Ask("GET /{channel}/messages?limit=2", 200),
        lambda s: [int(one["id"]) for one in s.reply.body] == [s.replies[1].id, s.replies[0].id],
        Ask("GET /{channel}/messages?before={first}", 200),
        lambda s: [int(one["id"]) for one in s.reply.body] == [s.message.id],
    ],
    "only own messages are edited": [
        lambda s: setattr(s.message, "author_id", s.strict["Ann"].id),
        Ask(EDIT, (403, 50005), HI),
    ],
    "a DM can be closed": [
        *[Ask("POST /users/@me/channels", 200, {"recipient_id": "{ann}"})] * 2,
        lambda s: not is_sent_again(s),
        Ask("POST /channels/{id}/messages", 200, HI),
        *[
            step
            for refusal in (DMS_CLOSED, NO_MUTUAL_SERVER)
            for step in (
                lambda s, refusal=refusal: setattr(s.strict["Ann"].user, "dm_refusal", refusal),
                Ask("POST /channels/{first}/messages", refusal[:2], HI),
            )
        ],
    ],
    "what was deleted is unknown": [
        Ask("DELETE /{message}", 204),
        Ask(EDIT, GONE, HI),
        lambda s: s.strict.owner.delete(s.channel),
        Ask("GET /{channel}", (404, 10003)),
        Ask(POST, (404, 10003), HI),
        lambda s: s.strict.owner.remove_bot(s.guild),
        Ask("GET /{guild}", (403, 50001)),
        lambda s: s.world.guilds.pop(s.guild.id),
        Ask("GET /{guild}", (404, 10004)),
        Ask("GET /{guild}/threads/active", (404, 10004)),
    ],
    "members and active threads are read": [
        Ask("GET /{guild}/members/{ann}", 200),
        lambda s: s.reply.body["user"]["username"] == "ann",
        lambda s: s.names.update(eve=str(s.world.add_user("Eve").id)),
        Ask("GET /{guild}/members/{eve}", (404, 10007)),
        Ask("GET /{guild}/threads/active", 200),
        lambda s: [one["id"] for one in s.reply.body["threads"]] == [str(s.thread.id)],
    ],
    # Answers
    "an answer is taken once": [
        respond(4, 200, HI),
        lambda s: s.reply.body["interaction"]["response_message_id"] == str(s.answer.message.id),
        lambda s: s.reply.body["resource"]["message"]["id"] == str(s.answer.message.id),
        respond(4, DOUBLED, HI),
        lambda s: len(s.channel.public) == 2,
    ],
    "after three seconds an interaction is unknown": [
        lambda s: s.world.pass_time(3.1),
        respond(6, (404, 10062)),
    ],
    "an unknown interaction is refused, and doesn't count towards the limit": [
        *[Ask("POST /interactions/7/nobody/callback", (404, 10062), {"type": 6})] * 80,
        Ask(ME, 200),
    ],
    "after 15 minutes an answer can't be edited": [
        respond(4, 200, HI),
        Ask(ORIGINAL, 200, HO),
        lambda s: s.world.pass_time(901),
        *[Ask(f"{method} /{{webhook}}/messages/@original", (401, 50027), HO) for method in ("PATCH", "GET")],
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
    "an update without attachments drops the files": [respond(7, 200, HI), lambda s: not s.message.files],
    "an update can't show a file that it doesn't name": [
        respond(7, {"data.components.0.items.0.media.url": NOT_ATTACHED}, SHOW),
        lambda s: s.answer.interaction.answer is None and len(s.message.files) == 1,
    ],
    "an update keeps a file by id and filename": [
        respond(7, 200, keep(filename="board.png")),
        lambda s: SeenMessage(s.message).pictures == ["board.png"],
    ],
    "only the token reaches a private answer": [
        respond(4, 200, SECRET),
        lambda s: s.answer.message not in s.channel.public,
        lambda s: s.names.update(private=f"messages/{s.answer.message.id}"),
        Ask("GET /{channel}/{private}", GONE),
        Ask("PATCH /{channel}/{private}", GONE, {}),
        Ask("GET /{webhook}/{private}", 200),
        lambda s: cannot(lambda: s.strict["Bo"].begin_click(s.answer.message, "Press"), "don't see"),
    ],
    "a token reaches no other message": [
        Ask(POST, 200, HI),
        respond(6, 200),
        Ask("PATCH /{webhook}/messages/{first}", GONE, HO),
    ],
    "an answer to a deleted message is refused": [
        lambda s: s.strict.owner.delete_message(s.message),
        respond(7, GONE, HI),
    ],
    "a press offers no choices, and a command updates nothing": [
        respond(8, INVALID, {"choices": []}),
        lambda s: s.begin("play now"),
        respond(7, INVALID, HI),
    ],
    "a form opens, and takes as many characters as it says": [
        respond(9, {"data.title": "BASE_TYPE_BAD_LENGTH"}, {**FORM, "title": "x" * 46}),
        respond(9, 200, FORM),
        lambda s: cannot(lambda: s.strict["Ann"].submit(s.answer, note="123456").send(None), "too long"),
    ],
    "people can only do what they see": [
        lambda s: send(s.world, s.channel, page(row(button(disabled=True)), row(menu("a", "b")))),
        *[
            lambda s, label=label: cannot(lambda: s.strict["Ann"].begin_click(s.channel.public[-1], label))
            for label in ("Press", "Start")
        ],
        *[
            lambda s, name=name, options=options: cannot(lambda: s.begin(name, **options))
            for name, options in (("dance", {}), ("play later", {}), ("play now", {"day": 3}))
        ],
    ],
    # What got through although its answer failed
    "an answer that got through is refused again": [
        get_through("/callback"),
        respond(4, 502, HI),
        lambda s: "cloudflare" in s.reply.body,
        respond(4, DOUBLED, HI),
        lambda s: len(s.channel.public) == 2,
    ],
    "a message that got through stands once by its nonce": [
        get_through("/messages"),
        Ask(POST, 502, ONCE),
        Ask(POST, 200, ONCE),
        lambda s: len(s.channel.public) == 2,
    ],
    "a thread that got through is refused again": [
        get_through("/threads"),
        Ask(OF_MESSAGE, 502, PUBLIC),
        Ask(OF_MESSAGE, (400, 160004), PUBLIC),
        lambda s: s.message.id in [thread.id for thread in s.strict.threads],
    ],
    # Limits
    "another token is refused": [Ask(ME, 401, bot="other"), Ask(ME, 200)],
    "an unknown route is a surprise": [
        Ask("GET /guilds/1/webhooks", 404),
        lambda s: s.world.surprises == ["unknown route: GET /guilds/1/webhooks"],
    ],
    "too many invalid requests ban the address": [
        lambda s: setattr(s.strict.server, "most_invalid", 3),
        *[Ask(ME, 401, bot="other")] * 3,
        Ask(ME, 429),
        lambda s: "Error 1015" in s.reply.body and "Via" not in s.reply.headers,
        lambda s: s.world.pass_time(601),
        Ask(ME, 200),
    ],
    "more than 50 requests a second are refused": [
        *[Ask(ME)] * 80,
        lambda s: next(one for one in s.replies if one.status == 429).body["global"] is True,
        lambda s: any("X-RateLimit-Global" in one.headers for one in s.replies) and s.world.surprises != [],
    ],
    "commands are put and listed": [
        Ask(PUT, 200, [ONE]),
        Ask(COMMANDS, 200),
        lambda s: [one["name"] for one in s.reply.body] == ["play"],
        Ask(PUT, 200, [{**ONE, "description": "Play on"}]),
        lambda s: s.reply.body[0]["id"] == s.replies[0].body[0]["id"],
    ],
    "a day takes 200 new commands": [
        *[Ask(PUT, 200, [{**ONE, "name": f"p{day}{number}"} for number in range(100)]) for day in range(2)],
        Ask(PUT, (400, 30034), [{**ONE, "name": "one-more"}]),
        Ask(PUT, 200, [{**ONE, "name": f"p1{number}"} for number in range(100)]),
        lambda s: s.world.pass_time(86_401),
        Ask(PUT, 200, [{**ONE, "name": "one-more"}]),
    ],
    "a bulk update keeps the entry point command": [
        lambda s: s.strict.owner.turn_on_activities(),
        Ask(PUT, (400, 50240), [ONE]),
        Ask(COMMANDS, 200),
        lambda s: s.names.update(launch=s.reply.body[0]["id"]),
        Ask(
            PUT, 200, [ONE, {"id": "{launch}", "name": "launch", "description": "", "type": 4, "handler": 2}]
        ),
        lambda s: (
            [one["type"] for one in s.reply.body] == [1, 4] and s.reply.body[1]["id"] == s.names["launch"]
        ),
    ],
    "a server says whom it allows a command": [
        Ask("GET /{app}/{guild}/commands/7/permissions", (404, 10066)),
        lambda s: s.world.command_permissions.update(
            {7: [{"id": s.names["ann"], "type": 2, "permission": True}]}
        ),
        Ask("GET /{app}/{guild}/commands/7/permissions", 200),
        lambda s: len(s.reply.body["permissions"]) == 1,
    ],
    "emoji are made, listed and deleted": [
        upload("tp_seat", 200),
        Ask("DELETE /{app}/emojis/{id}", 204),
        Ask("DELETE /{app}/emojis/{first}", (404, 10014)),
        upload("tp_seat", 200),
        Ask("GET /{app}/emojis", 200),
        lambda s: [one["name"] for one in s.reply.body["items"]] == ["tp_seat"],
    ],
    "an emoji's name has 2 to 32 letters": [
        upload(name, INVALID) for name in ("x", "x" * 33, "two words", "tp-seat")
    ],
    "an emoji is a picture of 256 KiB": [
        upload("fits", 200, PICTURE + bytes(256 * 1024 - len(PICTURE))),
        upload("large", {"image": "BINARY_TYPE_MAX_SIZE"}, PICTURE + bytes(256 * 1024)),
        upload("none", {"image": "IMAGE_INVALID"}, b"no picture"),
    ],
    "an application has 2,000 emoji of different names": [
        upload("one", 200),
        upload("one", 400),
        lambda s: s.world.emojis.update(dict.fromkeys(range(1999), next(iter(s.world.emojis.values())))),
        upload("two", (400, 30008)),
    ],
    "the gateway says how many logins are left": [
        lambda s: s.world.exhaust_sessions(60.0),
        Ask("GET /gateway/bot", 200),
        lambda s: s.reply.body["session_start_limit"]["remaining"] == 0,
        lambda s: 50_000 < s.reply.body["session_start_limit"]["reset_after"] <= 60_000,
        lambda s: s.reply.body["url"].startswith("ws://127.0.0.1:"),
    ],
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
JUST_RIGHT: dict[str, list[Json]] = {
    "40 components": [box(*[text("x")] * 39)],
    "4,000 characters": [text("x" * 2000), text("x" * 2000)],
    "100, 80 and 100": [row(button("i" * 100, "l" * 80)), row(menu("o" * 100, placeholder="p" * 150))],
    "25 options": [row(menu(*"abcdefghijklmnopqrstuvwxy", min_values=0, max_values=25))],
    "an alt text of 1,024": [gallery("board.png", description="x" * 1024)],
    "a section": [{"type": 9, "components": [text("x")], "accessory": thumbnail("board.png")}],
    "a link": [row({"type": 2, "style": 5, "label": "There", "url": "https://example.com"})],
}
BAD_COMMANDS: dict[str, Json] = {
    "a name with a capital": {"name": "Play"},
    "a name of 33": {"name": "x" * 33},
    "no description": {"description": ""},
    "a description of 101": {"description": LONG},
    "26 command options": {"options": [{**OPTION, "name": f"day{number}"} for number in range(26)]},
    "an option twice": {"options": [OPTION, OPTION]},
    "what is required last": {"options": [OPTION, {**OPTION, "name": "b", "required": True}]},
    "26 choices": {"options": [{**OPTION, "choices": [{"name": "a", "value": "a"}] * 26}]},
    "an empty choice": {"options": [{**OPTION, "choices": [{"name": "", "value": "a"}]}]},
    "8,001 characters": {"options": [
        {**OPTION, "name": f"d{o}", "choices": [{"name": "x" * 99, "value": "y" * 99}] * 25} for o in range(2)
    ]},
}  # fmt: skip
RULES |= {f"{what} are refused" if what[0].isdigit() else f"{what} is refused": [
    Ask(POST, INVALID, page(*parts, attachments=[attachment_url()]), [("board.png", PICTURE)]),
    lambda s: next(iter(s.reply.fields)).startswith("components") and len(s.channel.messages) == 1,
] for what, parts in TOO_MUCH.items()}  # fmt: skip
RULES |= {
    f"{what} may be sent": [
        Ask(POST, 200, page(*parts, attachments=[attachment_url()]), [("board.png", PICTURE)])
    ]
    for what, parts in JUST_RIGHT.items()
}
RULES |= {
    f"a command with {what} is refused": [Ask(PUT, INVALID, [{**ONE, **more}])]
    for what, more in BAD_COMMANDS.items()
}


@pytest.mark.parametrize("rule", RULES)
async def test_each_rule_holds(strict: Strict, client: Client, rule: str) -> None:
    body, files = picture(row(button()))
    sent = await client.post(f"/channels/{strict.channel.id}/messages", body, files)
    message = strict.channel.messages[sent.id]
    thread = strict.world.add_thread(strict.channel, "Talk", world.PUBLIC_THREAD, strict.world.bot.id)
    stage = Stage(strict, client, message, strict["Ann"].begin_click(message, "Press"), thread)

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
