"""The strict Discord checks channels, threads, DMs and servers."""

import pytest

from tests.strict.client import PICTURE, Client, attachment_url, page, text
from tests.strict.conftest import Strict
from tests.strict.errors import DMS_CLOSED, NO_MUTUAL_SERVER
from tests.strict.messages import send
from tests.strict.permissions import (
    ATTACH,
    HISTORY,
    MANAGE_THREADS,
    PUBLIC_THREADS,
    SEND,
    SEND_IN_THREADS,
    VIEW,
)
from tests.strict.world import (
    ANNOUNCEMENT,
    ANNOUNCEMENT_THREAD,
    FORUM,
    PRIVATE_THREAD,
    PUBLIC_THREAD,
    VOICE,
    Message,
    Overwrite,
    StrictChannel,
)

HI = page(text("Hi"))


def deny(strict: Strict, place: StrictChannel, permission: int) -> None:
    """Take a permission from the bot in a channel."""
    place.overwrites.append(Overwrite(strict.world.bot.id, False, deny=permission))


def post_message(strict: Strict, place: StrictChannel | None = None) -> Message:
    return send(strict.world, place or strict.channel, HI)


def threads_of(place: StrictChannel, message: Message | None = None) -> str:
    of_message = "" if message is None else f"/messages/{message.id}"
    return f"/channels/{place.id}{of_message}/threads"


def public(**more: object) -> dict[str, object]:
    return {"name": "Game", "type": PUBLIC_THREAD, **more}


async def test_the_thread_of_a_message_has_its_number(strict: Strict, client: Client) -> None:
    message = post_message(strict)

    reply = await client.post(threads_of(strict.channel, message), {"name": "Game"})

    assert (reply.id, reply.body["type"]) == (message.id, PUBLIC_THREAD)
    again = await client.post(threads_of(strict.channel, message), {"name": "Game"})
    assert again.refusal == (400, 160004)
    result = await client.get(f"/channels/{strict.channel.id}/messages/{message.id}")
    assert result.body["thread"]["id"] == str(message.id)


async def test_a_server_has_room_for_so_many_active_threads(strict: Strict, client: Client) -> None:
    strict.guild.thread_limit = 1
    assert (await client.post(threads_of(strict.channel), public())).status == 200

    message = post_message(strict)
    for reply in (
        await client.post(threads_of(strict.channel), public()),
        await client.post(threads_of(strict.channel, message), {"name": "Game"}),
    ):
        assert reply.refusal == (400, 160006)
    strict.owner.archive(strict.threads[0])
    archived = strict.world.threads(strict.guild.id, archived=True)[0]
    assert (await client.post(threads_of(strict.channel), public())).status == 200
    assert (await client.patch(f"/channels/{archived.id}", {"archived": False})).refusal == (400, 160006)


@pytest.mark.parametrize(
    ("lacks", "refusal"), [(PUBLIC_THREADS, (403, 50013)), (VIEW, (403, 50001))], ids=["create", "view"]
)
async def test_a_thread_needs_permissions(
    strict: Strict, client: Client, lacks: int, refusal: tuple[int, int]
) -> None:
    message = post_message(strict)
    deny(strict, strict.channel, lacks)

    assert (await client.post(threads_of(strict.channel), public())).refusal == refusal
    reply = await client.post(threads_of(strict.channel, message), {"name": "Game"})
    assert reply.refusal == refusal


async def test_a_locked_place_takes_no_thread(strict: Strict, client: Client) -> None:
    message = post_message(strict)
    strict.owner.lock(strict.channel)

    assert (await client.post(threads_of(strict.channel), public())).refusal == (400, 160005)
    reply = await client.post(threads_of(strict.channel, message), {"name": "Game"})
    assert reply.refusal == (400, 160005)


async def test_an_announcement_channel_takes_announcement_threads_alone(
    strict: Strict, client: Client
) -> None:
    news = strict.world.add_channel(strict.guild, "news", ANNOUNCEMENT)

    for kind in (PUBLIC_THREAD, PRIVATE_THREAD):
        assert (await client.post(threads_of(news), public(type=kind))).refusal == (400, 50024)
    assert (await client.post(threads_of(news), public(type=ANNOUNCEMENT_THREAD))).status == 200
    of_message = await client.post(threads_of(news, post_message(strict, news)), {"name": "Game"})
    assert of_message.body["type"] == ANNOUNCEMENT_THREAD


async def test_a_text_channel_takes_no_announcement_thread(strict: Strict, client: Client) -> None:
    reply = await client.post(threads_of(strict.channel), public(type=ANNOUNCEMENT_THREAD))

    assert reply.refusal == (400, 50024)


async def test_a_thread_without_a_type_is_private(strict: Strict, client: Client) -> None:
    assert (await client.post(threads_of(strict.channel), {"name": "Game"})).refusal == (403, 50013)


@pytest.mark.parametrize("name", ["", "x" * 101])
async def test_a_thread_name_has_1_to_100_characters(strict: Strict, client: Client, name: str) -> None:
    reply = await client.post(threads_of(strict.channel), public(name=name))

    assert reply.fields == {"name": "BASE_TYPE_BAD_LENGTH"}


async def test_voice_chats_and_forums_take_no_such_thread(strict: Strict, client: Client) -> None:
    for kind in (VOICE, FORUM):
        place = strict.world.add_channel(strict.guild, "other", kind)
        assert (await client.post(threads_of(place), public())).refusal == (400, 50024)


async def test_a_locked_thread_takes_no_message(strict: Strict, client: Client) -> None:
    thread = strict.world.add_thread(strict.channel, "Game", PUBLIC_THREAD, strict.world.bot.id)
    message = post_message(strict, thread)
    strict.owner.lock(thread)

    path = f"/channels/{thread.id}/messages"
    for _ in range(2):
        assert (await client.post(path, HI)).refusal == (403, 50013)
        assert (await client.patch(f"{path}/{message.id}", HI)).refusal == (403, 50013)
        assert (await client.patch(f"/channels/{thread.id}", {"archived": False})).refusal == (403, 50013)
    own = strict.guild.members[strict.world.bot.id][0]
    strict.guild.roles[own].permissions |= MANAGE_THREADS
    assert (await client.post(path, HI)).status == 200


async def test_a_locked_thread_that_is_archived_stays_archived(strict: Strict, client: Client) -> None:
    thread = strict.world.add_thread(strict.channel, "Game", PUBLIC_THREAD, strict.world.bot.id)
    strict.owner.lock(thread)
    strict.owner.archive(thread)

    assert (await client.patch(f"/channels/{thread.id}", {"archived": False})).refusal == (403, 50013)
    assert (await client.post(f"/channels/{thread.id}/messages", HI)).refusal == (403, 50013)
    assert (await client.get(f"/channels/{thread.id}")).body["thread_metadata"]["locked"] is True


async def test_a_message_opens_an_archived_thread(strict: Strict, client: Client) -> None:
    thread = strict.world.add_thread(strict.channel, "Game", PUBLIC_THREAD, strict.world.bot.id)
    message = post_message(strict, thread)
    strict.owner.archive(thread)

    edited = await client.patch(f"/channels/{thread.id}/messages/{message.id}", HI)
    assert edited.refusal == (400, 50083)
    assert (await client.post(f"/channels/{thread.id}/messages", HI)).status == 200
    assert not thread.archived


async def test_a_bot_archives_its_own_thread_and_opens_any(strict: Strict, client: Client) -> None:
    own, other = (
        strict.world.add_thread(strict.channel, "Game", PUBLIC_THREAD, owner)
        for owner in (strict.world.bot.id, strict["Ann"].id)
    )

    assert (await client.patch(f"/channels/{own.id}", {"archived": True})).status == 200
    assert (await client.patch(f"/channels/{other.id}", {"archived": True})).refusal == (403, 50013)
    strict.owner.archive(other)
    for thread in (own, other):
        assert (await client.patch(f"/channels/{thread.id}", {"archived": False})).status == 200


@pytest.mark.parametrize(
    ("lacks", "in_thread"), [(SEND, False), (SEND_IN_THREADS, True), (ATTACH, False)], ids=["s", "t", "a"]
)
async def test_a_message_needs_permissions(
    strict: Strict, client: Client, lacks: int, in_thread: bool
) -> None:
    place = strict.channel
    deny(strict, place, lacks)
    if in_thread:
        place = strict.world.add_thread(place, "Game", PUBLIC_THREAD, strict.world.bot.id)
    body = {"content": "Hi", "attachments": [attachment_url()]}

    reply = await client.post(f"/channels/{place.id}/messages", body, [("board.png", PICTURE)])

    assert reply.refusal == (403, 50013)


async def test_without_its_permission_there_is_no_history(strict: Strict, client: Client) -> None:
    message = post_message(strict)
    deny(strict, strict.channel, HISTORY)

    path = f"/channels/{strict.channel.id}/messages"
    assert (await client.get(path)).body == []
    assert (await client.get(f"{path}/{message.id}")).refusal == (403, 50013)


async def test_history_is_newest_first(strict: Strict, client: Client) -> None:
    sent = [post_message(strict).id for _ in range(3)]
    path = f"/channels/{strict.channel.id}/messages"

    assert [int(one["id"]) for one in (await client.get(f"{path}?limit=2")).body] == [sent[2], sent[1]]
    assert [int(one["id"]) for one in (await client.get(f"{path}?before={sent[1]}")).body] == [sent[0]]


async def test_only_own_messages_are_edited(strict: Strict, client: Client) -> None:
    other = send(strict.world, strict.channel, {"content": "Hi"}, author_id=strict["Ann"].id)

    reply = await client.patch(f"/channels/{strict.channel.id}/messages/{other.id}", {"content": "Ho"})

    assert reply.refusal == (403, 50005)


@pytest.mark.parametrize("refusal", [DMS_CLOSED, NO_MUTUAL_SERVER], ids=["closed", "strangers"])
async def test_a_dm_can_be_closed(strict: Strict, client: Client, refusal: tuple[int, int, str]) -> None:
    ann = strict["Ann"]
    opened = await client.post("/users/@me/channels", {"recipient_id": str(ann.id)})
    assert opened.id == (await client.post("/users/@me/channels", {"recipient_id": ann.id})).id
    assert (await client.post(f"/channels/{opened.id}/messages", HI)).status == 200

    ann.user.dm_refusal = refusal

    assert (await client.post(f"/channels/{opened.id}/messages", HI)).refusal == refusal[:2]


async def test_a_deleted_table_is_unknown(strict: Strict, client: Client) -> None:
    message = post_message(strict)
    path = f"/channels/{strict.channel.id}"
    assert (await client.call("DELETE", f"{path}/messages/{message.id}")).status == 204

    assert (await client.patch(f"{path}/messages/{message.id}", HI)).refusal == (404, 10008)
    strict.owner.delete(strict.channel)
    for reply in (await client.get(path), await client.post(f"{path}/messages", HI)):
        assert reply.refusal == (404, 10003)
    server = f"/guilds/{strict.guild.id}"
    strict.owner.remove_bot(strict.guild)
    assert (await client.get(server)).refusal == (403, 50001)
    del strict.world.guilds[strict.guild.id]
    for reply in (await client.get(server), await client.get(f"{server}/threads/active")):
        assert reply.refusal == (404, 10004)


async def test_members_and_active_threads_are_read(strict: Strict, client: Client) -> None:
    server, ann = f"/guilds/{strict.guild.id}", strict["Ann"]
    thread = strict.world.add_thread(strict.channel, "Game", PUBLIC_THREAD, strict.world.bot.id)
    stranger = strict.world.add_user("Eve")

    assert (await client.get(f"{server}/members/{ann.id}")).body["user"]["username"] == "ann"
    assert (await client.get(f"{server}/members/{stranger.id}")).refusal == (404, 10007)
    active = (await client.get(f"{server}/threads/active")).body["threads"]
    assert [one["id"] for one in active] == [str(thread.id)]
