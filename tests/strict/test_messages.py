"""The strict Discord checks messages and files."""

from typing import Any

import pytest

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
from tests.strict.errors import NOT_ATTACHED, Json
from tests.strict.messages import LARGEST_FILE
from tests.strict.permissions import MENTION_EVERYONE
from tests.strict.world import COMPONENTS_V2, EPHEMERAL, Message, Overwrite

INVALID = (400, 50035)


def messages(strict: Strict) -> str:
    return f"/channels/{strict.channel.id}/messages"


async def send_picture(strict: Strict, client: Client, name: str = "board.png") -> tuple[str, Message, Json]:
    """Send a message with a picture. Return its path, the message, and the answer."""
    body, files = picture(name=name)
    reply = await client.post(messages(strict), body, files)
    return f"{messages(strict)}/{reply.id}", strict.channel.messages[reply.id], reply.body


def media_of(answer: Json) -> Json:
    result: Json = answer["components"][0]["items"][0]["media"]
    return result


async def test_files_shown_by_components_are_no_attachments(strict: Strict, client: Client) -> None:
    _, _, answer = await send_picture(strict, client)

    assert answer["attachments"] == []


async def test_a_media_item_names_its_attachment(strict: Strict, client: Client) -> None:
    _, message, answer = await send_picture(strict, client)

    media, number = media_of(answer), next(iter(message.files))
    start = f"https://cdn.discordapp.com/attachments/{strict.channel.id}/{number}/board.png?ex="
    assert media["url"].startswith(start)
    assert (media["id"], media["attachment_id"]) == (str(number), str(number))
    assert (media["content_type"], media["width"], media["height"]) == ("image/png", 4, 3)


async def test_files_of_plain_messages_are_attachments(strict: Strict, client: Client) -> None:
    reply = await client.post(messages(strict), {"content": "See"}, [("a b.png", PICTURE)])

    assert [one["filename"] for one in reply.body["attachments"]] == ["a_b.png"]


async def test_an_edit_without_attachments_drops_a_shown_file(strict: Strict, client: Client) -> None:
    path, message, _ = await send_picture(strict, client)

    assert (await client.patch(path, page(text("Over")))).status == 200
    assert message.files == {}


async def test_an_edit_can_not_show_a_file_that_it_does_not_name(strict: Strict, client: Client) -> None:
    path, message, _ = await send_picture(strict, client)

    reply = await client.patch(path, page(gallery("board.png")))

    assert reply.refusal == INVALID
    assert reply.fields == {"components.0.items.0.media.url": NOT_ATTACHED}
    assert NOT_ATTACHED in str(reply.body)
    assert len(message.files) == 1


async def test_a_file_named_by_id_and_filename_is_kept(strict: Strict, client: Client) -> None:
    path, message, answer = await send_picture(strict, client)
    kept = {"id": media_of(answer)["attachment_id"], "filename": "board.png"}

    reply = await client.patch(path, page(gallery("board.png"), text("More"), attachments=[kept]))

    assert reply.status == 200
    assert media_of(reply.body)["attachment_id"] == kept["id"]
    assert [str(number) for number in message.files] == [kept["id"]]


async def test_a_file_named_by_id_alone_is_not_found(strict: Strict, client: Client) -> None:
    path, _, answer = await send_picture(strict, client)
    kept = {"id": media_of(answer)["attachment_id"]}

    reply = await client.patch(path, page(gallery("board.png"), attachments=[kept]))

    assert list(reply.fields.values()) == [NOT_ATTACHED]


async def test_a_file_may_be_uploaded_again(strict: Strict, client: Client) -> None:
    path, message, _ = await send_picture(strict, client)
    before = set(message.files)

    body, files = picture()
    assert (await client.patch(path, body, files)).status == 200
    assert len(message.files) == 1
    assert not before & set(message.files)


async def test_an_edit_that_changes_no_component_keeps_the_files(strict: Strict, client: Client) -> None:
    path, message, _ = await send_picture(strict, client)

    assert (await client.patch(path, {"allowed_mentions": {"parse": []}})).status == 200
    assert len(message.files) == 1


async def test_dropping_a_file_that_is_still_shown_is_a_surprise(strict: Strict, client: Client) -> None:
    path, _, _ = await send_picture(strict, client)

    await client.patch(path, {"attachments": []})

    assert len(strict.world.surprises) == 1


async def test_an_unknown_file_can_not_be_kept(strict: Strict, client: Client) -> None:
    path, _, _ = await send_picture(strict, client)

    reply = await client.patch(path, page(text("?"), attachments=[{"id": "77", "filename": "board.png"}]))

    assert reply.fields == {"attachments.0.id": "ATTACHMENT_NOT_FOUND"}


@pytest.mark.parametrize("legacy", [{"content": "Hi"}, {"embeds": [{"title": "Hi"}]}])
async def test_components_forbid_content_and_embeds(strict: Strict, client: Client, legacy: Json) -> None:
    path, _, _ = await send_picture(strict, client)

    assert (await client.post(messages(strict), page(text("Hi"), **legacy))).refusal == INVALID
    assert (await client.patch(path, legacy)).refusal == INVALID


async def test_the_components_flag_can_not_be_removed(strict: Strict, client: Client) -> None:
    path, message, _ = await send_picture(strict, client)

    reply = await client.patch(path, {"flags": 0, "components": [], "content": "Plain"})

    assert reply.fields == {"flags": "MESSAGE_COMPONENTS_V2_FLAG_REMOVED"}
    assert message.flags & COMPONENTS_V2


async def test_plain_messages_take_no_new_components(strict: Strict, client: Client) -> None:
    reply = await client.post(messages(strict), {"content": "Hi", "components": [text("Hi")]})

    assert reply.fields == {"components.0.type": "UNION_TYPE_CHOICES"}


async def test_an_edit_can_not_make_a_message_ephemeral(strict: Strict, client: Client) -> None:
    path, message, _ = await send_picture(strict, client)

    await client.patch(path, page(text("Secret"), flags=COMPONENTS_V2 | EPHEMERAL))

    assert not message.flags & EPHEMERAL


LONG = "x" * 101
TOO_MUCH: dict[str, list[Json]] = {
    "41 components": [text("x")] * 41,
    "41 components in a box": [box(*[text("x")] * 40)],
    "4,001 characters": [text("x" * 2001), text("x" * 2000)],
    "an empty text": [text("")],
    "a custom id of 101": [row(button(LONG))],
    "an empty custom id": [row(button(""))],
    "a custom id twice": [row(button("a"), button("a"))],
    "a custom id twice in two rows": [row(button("a")), row(menu("x", custom_id="a"))],
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


@pytest.mark.parametrize("what", TOO_MUCH)
async def test_too_much_is_refused(strict: Strict, client: Client, what: str) -> None:
    body = page(*TOO_MUCH[what], attachments=[attachment_url()])

    reply = await client.post(messages(strict), body, [("board.png", PICTURE)])

    assert reply.refusal == INVALID, reply.body
    assert next(iter(reply.fields)).startswith("components"), reply.body
    assert strict.channel.messages == {}


JUST_RIGHT: dict[str, list[Json]] = {
    "40 components": [box(*[text("x")] * 39)],
    "4,000 characters": [text("x" * 2000), text("x" * 2000)],
    "100, 80 and 100": [row(button("i" * 100, "l" * 80)), row(menu("o" * 100, placeholder="p" * 150))],
    "25 options": [row(menu(*"abcdefghijklmnopqrstuvwxy", min_values=0, max_values=25))],
    "an alt text of 1,024": [gallery("board.png", description="x" * 1024)],
    "a section": [{"type": 9, "components": [text("x")], "accessory": thumbnail("board.png")}],
    "a link": [row({"type": 2, "style": 5, "label": "There", "url": "https://example.com"})],
}


@pytest.mark.parametrize("what", JUST_RIGHT)
async def test_an_exact_fit_is_accepted(strict: Strict, client: Client, what: str) -> None:
    body = page(*JUST_RIGHT[what], attachments=[attachment_url()])

    reply = await client.post(messages(strict), body, [("board.png", PICTURE)])

    assert reply.status == 200, reply.body


async def test_text_of_too_many_bytes_makes_discord_fail(strict: Strict, client: Client) -> None:
    failed = await client.post(messages(strict), page(text("⏳" * 3400)))
    near = await client.post(messages(strict), page(text("⏳" * 3200)))

    assert (failed.status, near.status) == (500, 200)
    assert len(strict.world.surprises) == 1


async def test_a_file_above_10_mib_is_refused(strict: Strict, client: Client) -> None:
    fits = PICTURE + bytes(LARGEST_FILE - len(PICTURE))

    body, _ = picture()
    assert (await client.post(messages(strict), body, [("board.png", fits)])).status == 200
    assert (await client.post(messages(strict), body, [("board.png", fits + b"x")])).refusal == (413, 40005)


async def test_an_empty_message_is_refused(strict: Strict, client: Client) -> None:
    for body in ({}, {"content": ""}, page()):
        assert (await client.post(messages(strict), body)).refusal == (400, 50006)


async def test_edits_of_old_messages_can_be_limited_without_a_time(strict: Strict, client: Client) -> None:
    path, _, _ = await send_picture(strict, client)
    strict.world.refuses_old_edits = True
    assert (await client.patch(path, page(text("Now")))).status == 200

    strict.world.pass_time(3601)
    reply = await client.patch(path, page(text("Later")))

    assert reply.refusal == (429, 30046)
    assert "Via" in reply.headers
    assert "Retry-After" not in reply.headers
    assert "retry_after" not in reply.body


async def test_a_nonce_returns_the_message_of_the_last_minutes(strict: Strict, client: Client) -> None:
    body = page(text("Once"), nonce="n1", enforce_nonce=True)

    first, second = [(await client.post(messages(strict), body)).id for _ in range(2)]
    assert first == second
    strict.world.pass_time(600)
    assert (await client.post(messages(strict), body)).id != first


async def test_a_message_without_an_enforced_nonce_doubles(strict: Strict, client: Client) -> None:
    for body in (page(text("x")), page(text("x"), nonce="n1")):
        assert (await client.post(messages(strict), body)).id != (
            await client.post(messages(strict), body)
        ).id


async def test_the_nonce_of_a_deleted_message_is_free(strict: Strict, client: Client) -> None:
    body = page(text("Once"), nonce="n1", enforce_nonce=True)
    first = (await client.post(messages(strict), body)).id

    await client.call("DELETE", f"{messages(strict)}/{first}")

    assert (await client.post(messages(strict), body)).id != first


async def test_a_nonce_has_25_characters_at_most(strict: Strict, client: Client) -> None:
    reply = await client.post(messages(strict), page(text("x"), nonce="n" * 26, enforce_nonce=True))

    assert reply.fields == {"nonce": "NONCE_TYPE_TOO_LONG"}


@pytest.mark.parametrize(
    ("allowed", "pings"), [({"parse": []}, False), ({"users": ["7"]}, True), ({"parse": ["users"]}, True)]
)
async def test_only_allowed_mentions_ping(
    strict: Strict, client: Client, allowed: dict[str, Any], pings: bool
) -> None:
    reply = await client.post(messages(strict), page(text("<@7> <@8>"), allowed_mentions=allowed))

    assert (7 in strict.channel.messages[reply.id].pings) is pings


@pytest.mark.parametrize("is_mentionable", [False, True])
async def test_a_role_is_pinged_only_if_it_may_be_mentioned(
    strict: Strict, client: Client, is_mentionable: bool
) -> None:
    role = strict.world.add_role(strict.guild, "Players", 0)
    role.mentionable = is_mentionable
    body = {**page(text(f"<@&{role.id}>")), "allowed_mentions": {"roles": [str(role.id)]}}

    reply = await client.post(f"/channels/{strict.channel.id}/messages", body)

    assert strict.channel.messages[reply.id].role_pings == ({role.id} if is_mentionable else set())


async def test_who_may_mention_everyone_pings_any_role(strict: Strict, client: Client) -> None:
    role = strict.world.add_role(strict.guild, "Players", 0)
    strict.channel.overwrites.append(Overwrite(strict.world.bot.id, False, allow=MENTION_EVERYONE))
    body = {**page(text(f"<@&{role.id}>")), "allowed_mentions": {"roles": [str(role.id)]}}

    reply = await client.post(f"/channels/{strict.channel.id}/messages", body)

    assert strict.channel.messages[reply.id].role_pings == {role.id}
