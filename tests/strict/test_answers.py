"""The strict Discord checks answers to presses, commands and forms."""

import aiohttp
import pytest

from tests.strict.client import (
    PICTURE,
    Client,
    Reply,
    attachment_url,
    button,
    gallery,
    menu,
    page,
    picture,
    row,
    text,
)
from tests.strict.conftest import Strict
from tests.strict.errors import NOT_ATTACHED, Json
from tests.strict.messages import send
from tests.strict.people import InteractionAnswer, SeenMessage
from tests.strict.world import (
    COMPONENTS_V2,
    DM,
    EPHEMERAL,
    FORUM,
    LOADING,
    PUBLIC_THREAD,
    STAGE,
    VOICE,
    Message,
    StrictChannel,
)

COMMAND: Json = {
    "name": "play",
    "description": "Play",
    "integration_types": [0, 1],
    "options": [
        {"name": "now", "description": "Now", "type": 1, "options": []},
        {"name": "later", "description": "Later", "type": 1, "options": [
            {"name": "day", "description": "When", "type": 4, "required": True},
            {"name": "game", "description": "What", "type": 3, "autocomplete": True},
        ]},
    ],
}  # fmt: skip


async def press_picture(strict: Strict, client: Client) -> tuple[Message, InteractionAnswer]:
    """Send a message with a picture and a button, which Ann presses."""
    body, files = picture(row(button()))
    number = (await client.post(f"/channels/{strict.channel.id}/messages", body, files)).id
    message = strict.channel.messages[number]
    return message, strict["Ann"].begin_click(message, "Press")


async def send_answer(
    client: Client,
    answer: InteractionAnswer,
    kind: int,
    data: Json | None = None,
    files: tuple[tuple[str, bytes], ...] = (),
) -> Reply:
    one = answer.interaction
    path = f"/interactions/{one.id}/{one.token}/callback?with_response=1"
    return await client.post(path, {"type": kind, "data": data or {}}, files)


def webhook(strict: Strict, answer: InteractionAnswer) -> str:
    return f"/webhooks/{strict.world.application_id}/{answer.interaction.token}"


async def test_an_answer_is_taken_once(strict: Strict, client: Client) -> None:
    _, answer = await press_picture(strict, client)

    first = await send_answer(client, answer, 4, page(text("Hi")))
    second = await send_answer(client, answer, 4, page(text("Hi")))

    assert (first.status, second.refusal) == (200, (400, 40060))
    assert first.body["interaction"]["response_message_id"] == str(answer.message.id)
    assert first.body["resource"]["message"]["id"] == str(answer.message.id)
    assert len(strict.channel.public) == 2


async def test_after_three_seconds_an_interaction_is_unknown(strict: Strict, client: Client) -> None:
    _, answer = await press_picture(strict, client)

    strict.world.pass_time(3.1)

    assert (await send_answer(client, answer, 6)).refusal == (404, 10062)


async def test_an_unknown_interaction_is_refused(client: Client) -> None:
    assert (await client.post("/interactions/7/nobody/callback", {"type": 6})).refusal == (404, 10062)


async def test_after_15_minutes_an_answer_can_not_be_edited(strict: Strict, client: Client) -> None:
    _, answer = await press_picture(strict, client)
    await send_answer(client, answer, 4, page(text("Hi")))
    original = f"{webhook(strict, answer)}/messages/@original"
    assert (await client.patch(original, page(text("Ho")))).status == 200

    strict.world.pass_time(901)

    for reply in (await client.patch(original, page(text("Ho"))), await client.get(original)):
        assert reply.refusal == (401, 50027)


async def test_nothing_follows_before_the_first_answer(strict: Strict, client: Client) -> None:
    _, answer = await press_picture(strict, client)

    assert (await client.post(webhook(strict, answer), page(text("Hi")))).refusal == (404, 10015)


async def test_thinking_shows_a_new_message_that_the_first_follow_up_fills(
    strict: Strict, client: Client
) -> None:
    message, answer = await press_picture(strict, client)
    await send_answer(client, answer, 5, {"flags": EPHEMERAL})
    assert answer.message is not message
    assert answer.message.flags == EPHEMERAL | LOADING
    assert not answer.is_there

    filled = await client.post(webhook(strict, answer), page(text("Done")))

    assert filled.id == answer.message.id
    assert answer.is_there
    assert answer.is_private


async def test_later_keeps_the_message_that_was_pressed(strict: Strict, client: Client) -> None:
    message, answer = await press_picture(strict, client)

    await send_answer(client, answer, 6)

    assert answer.message is message
    assert len(message.files) == 1
    body, files = picture(text("Now"))
    assert (await client.patch(f"{webhook(strict, answer)}/messages/@original", body, files)).id == message.id


async def test_an_update_without_attachments_drops_the_files(strict: Strict, client: Client) -> None:
    message, answer = await press_picture(strict, client)

    assert (await send_answer(client, answer, 7, page(text("Over")))).status == 200
    assert message.files == {}


async def test_an_update_can_not_show_a_file_that_it_does_not_name(strict: Strict, client: Client) -> None:
    message, answer = await press_picture(strict, client)

    reply = await send_answer(client, answer, 7, page(gallery("board.png")))

    assert reply.fields == {"data.components.0.items.0.media.url": NOT_ATTACHED}
    assert answer.interaction.answer is None
    assert len(message.files) == 1


async def test_an_update_keeps_a_file_by_id_and_filename(strict: Strict, client: Client) -> None:
    message, answer = await press_picture(strict, client)
    kept = [{"id": str(next(iter(message.files))), "filename": "board.png"}]

    assert (await send_answer(client, answer, 7, page(gallery("board.png"), attachments=kept))).status == 200
    assert SeenMessage(message).pictures == ["board.png"]


async def test_an_update_may_bring_files(strict: Strict, client: Client) -> None:
    message, answer = await press_picture(strict, client)
    body = page(gallery("card.png"), attachments=[attachment_url("card.png")])

    assert (await send_answer(client, answer, 7, body, (("card.png", PICTURE),))).status == 200
    assert SeenMessage(message).pictures == ["card.png"]


async def test_only_the_token_reaches_a_private_answer(strict: Strict, client: Client) -> None:
    _, answer = await press_picture(strict, client)
    await send_answer(client, answer, 4, page(row(button()), flags=COMPONENTS_V2 | EPHEMERAL))
    path = f"messages/{answer.message.id}"

    assert answer.message not in strict.channel.public
    assert (await client.get(f"/channels/{strict.channel.id}/{path}")).refusal == (404, 10008)
    assert (await client.patch(f"/channels/{strict.channel.id}/{path}", {})).refusal == (404, 10008)
    assert (await client.get(f"{webhook(strict, answer)}/{path}")).id == answer.message.id
    with pytest.raises(AssertionError, match="don't see"):
        strict["Bo"].begin_click(answer.message, "Press")


async def test_a_token_reaches_no_other_message(strict: Strict, client: Client) -> None:
    other, _ = await press_picture(strict, client)
    _, answer = await press_picture(strict, client)
    await send_answer(client, answer, 6)

    path = f"{webhook(strict, answer)}/messages/{other.id}"
    assert (await client.patch(path, page(text("?")))).refusal == (404, 10008)


async def test_an_answer_to_a_deleted_message_is_refused(strict: Strict, client: Client) -> None:
    message, answer = await press_picture(strict, client)

    strict.owner.delete_message(message)

    assert (await send_answer(client, answer, 7, page(text("?")))).refusal == (404, 10008)


async def test_each_kind_of_interaction_has_its_answers(strict: Strict, client: Client) -> None:
    _, answer = await press_picture(strict, client)
    assert (await send_answer(client, answer, 8, {"choices": []})).refusal == (400, 50035)
    strict.world.commands[1] = {**COMMAND, "id": "1"}
    command = strict["Ann"].begin_slash(strict.channel, "play now")
    assert (await send_answer(client, command, 7, page(text("?")))).refusal == (400, 50035)


async def test_a_form_opens_and_is_sent(strict: Strict, client: Client) -> None:
    _, answer = await press_picture(strict, client)
    field = {"type": 4, "custom_id": "note", "style": 1, "max_length": 5, "required": True}
    form = {"title": "Note", "custom_id": "f", "components": [{"type": 18, "label": "L", "component": field}]}
    refused = await send_answer(client, answer, 9, {**form, "title": "x" * 46})
    await send_answer(client, answer, 9, form)

    assert refused.fields == {"data.title": "BASE_TYPE_BAD_LENGTH"}
    with pytest.raises(AssertionError, match="too long"):
        await strict["Ann"].submit(answer, note="123456")


# Where commands and presses come from


def place_of(strict: Strict, kind: str) -> StrictChannel:
    """Return a place in which commands can be used."""
    world, guild = strict.world, strict.guild
    match kind:
        case "bot DM":
            return world.dm(strict["Ann"].id)
        case "group DM":
            both = (strict["Ann"].id, strict["Bo"].id)
            group = StrictChannel(world.snowflake(), DM, recipients=both)
            world.channels[group.id] = group
            return group
        case "thread":
            return world.add_thread(strict.channel, "t", PUBLIC_THREAD, strict["Ann"].id)
        case "forum post":
            return world.add_thread(
                world.add_channel(guild, "f", FORUM), "p", PUBLIC_THREAD, strict["Ann"].id
            )
        case "voice":
            return world.add_channel(guild, "v", VOICE)
        case "stage":
            return world.add_channel(guild, "s", STAGE)
    foreign = world.add_guild("Elsewhere", has_bot=False)
    world.add_member(foreign, strict["Ann"].user)
    return world.add_channel(foreign, "games")


@pytest.mark.parametrize(
    ("kind", "context", "owners"),
    [
        ("bot DM", 1, {"0": "0"}),
        ("group DM", 2, {"1": "Ann"}),
        ("thread", 0, {"0": "Parlour"}),
        ("forum post", 0, {"0": "Parlour"}),
        ("voice", 0, {"0": "Parlour"}),
        ("stage", 0, {"0": "Parlour"}),
        ("server without the bot", 0, {"1": "Ann"}),
    ],
)
async def test_commands_come_from_everywhere(strict: Strict, kind: str, context: int, owners: Json) -> None:
    heard: list[Json] = []
    strict.world.listeners.append(lambda event, data, _: heard.append(data) if "INTER" in event else None)
    strict.world.commands[1] = {**COMMAND, "id": "1"}

    strict["Ann"].has_installed = "1" in owners

    strict["Ann"].begin_slash(place_of(strict, kind), "play now")

    names = {"Ann": str(strict["Ann"].id), "Parlour": str(strict.guild.id), "0": "0"}
    assert heard[0]["context"] == context
    assert heard[0]["authorizing_integration_owners"] == {key: names[one] for key, one in owners.items()}
    assert ("user" in heard[0]) is (context > 0)
    assert int(heard[0]["app_permissions"]) > 0 or "1" in owners


async def test_people_can_only_do_what_they_see(strict: Strict, client: Client) -> None:
    strict.world.commands[1] = {**COMMAND, "id": "1"}
    ann = strict["Ann"]
    message = send(strict.world, strict.channel, page(row(button(disabled=True)), row(menu("a", "b"))))

    for command, options in (("dance", {}), ("play later", {}), ("play now", {"day": 3})):
        with pytest.raises(AssertionError):
            ann.begin_slash(strict.channel, command, **options)
    for label in ("Press", "Start"):
        with pytest.raises(AssertionError):
            ann.begin_click(message, label)


@pytest.mark.parametrize(
    ("limits", "kind"),
    [
        ({"contexts": [0]}, "bot DM"),
        ({"contexts": [1]}, "thread"),
        ({"integration_types": [0]}, "server without the bot"),
        ({"default_member_permissions": "32"}, "thread"),
    ],
)
async def test_discord_offers_a_command_only_where_it_may_be_used(
    strict: Strict, limits: Json, kind: str
) -> None:
    strict["Ann"].has_installed = True
    place = place_of(strict, kind)

    strict.world.commands[1] = {**COMMAND, "id": "1", "integration_types": [0], **limits}

    assert not strict["Ann"].can_use(place, strict.world.commands[1])


# What is repeated because nobody knew that it got through


async def test_an_answer_that_got_through_is_refused_again(strict: Strict, client: Client) -> None:
    _, answer = await press_picture(strict, client)
    strict.server.faults.add("POST", "/callback", 502, times=1, got_through=True)

    first = await send_answer(client, answer, 4, page(text("Hi")))
    second = await send_answer(client, answer, 4, page(text("Hi")))

    assert (first.status, second.refusal) == (502, (400, 40060))
    assert "cloudflare" in first.body
    assert len(strict.channel.public) == 2


async def test_a_message_that_got_through_stands_once_by_its_nonce(strict: Strict, client: Client) -> None:
    strict.server.faults.add("POST", "/messages", 502, times=1, got_through=True)
    body, path = page(text("Hi"), nonce="n", enforce_nonce=True), f"/channels/{strict.channel.id}/messages"

    statuses = [(await client.post(path, body)).status for _ in range(2)]

    assert statuses == [502, 200]
    assert len(strict.channel.public) == 1


async def test_a_cut_connection_can_have_got_through(strict: Strict, client: Client) -> None:
    strict.server.faults.add("POST", "/messages", times=1, got_through=True, cuts=True)

    with pytest.raises(aiohttp.ClientError):
        await client.post(f"/channels/{strict.channel.id}/messages", page(text("Hi")))
    assert len(strict.channel.public) == 1


async def test_a_thread_that_got_through_is_refused_again(strict: Strict, client: Client) -> None:
    message = send(strict.world, strict.channel, page(text("Hi")))
    strict.server.faults.add("POST", "/threads", 502, times=1, got_through=True)
    path = f"/channels/{strict.channel.id}/messages/{message.id}/threads"

    first, second = [await client.post(path, {"name": "Game"}) for _ in range(2)]

    assert (first.status, second.refusal) == (502, (400, 160004))
    assert [thread.id for thread in strict.threads] == [message.id]
