import asyncio
import json
import logging
import zlib
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import discord
import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType
from discord.http import HTTPClient, Route

from tests.strict.api.errors import NOT_ATTACHED, Json
from tests.strict.api.messages import send
from tests.strict.api.world import DM, FORUM, PUBLIC_THREAD, STAGE, VOICE, StrictChannel
from tests.strict.conftest import Strict
from tests.strict.process import TOKEN
from tests.strict.steps import COMMAND, HI, HO, INVALID, SHOW

WITHIN = 5.0


class GatewaySocket:
    """A connection to the gateway, compressed as discord.py asks for it."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self._socket = socket
        self._zlib = zlib.decompressobj()
        self.code: int | None = None

    async def send(self, op: int, data: Any) -> None:
        await self._socket.send_str(json.dumps({"op": op, "d": data}))

    async def send_text(self, text: str) -> None:
        await self._socket.send_str(text)

    async def next(self) -> Json:
        """Return the next message; there is none after `code` is set."""
        async with asyncio.timeout(WITHIN):
            received = await self._socket.receive()
        if received.type is WSMsgType.BINARY:
            payload: Json = json.loads(self._zlib.decompress(received.data))
            return payload
        self.code = self._socket.close_code
        return {}

    async def event(self, name: str) -> Json:
        while (payload := await self.next()).get("t") != name:
            assert payload, f"closed with {self.code}, and there was no {name}"
        return payload

    async def wait_for_close(self) -> int | None:
        while await self.next():
            pass
        return self.code

    async def hears_nothing(self) -> None:
        """Check that there is nothing before the answer to a heartbeat."""
        await self.send(1, None)
        assert (await self.next())["op"] == 11

    async def silence(self) -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await self._socket.receive()


Connect = Callable[[], Coroutine[Any, Any, GatewaySocket]]


@pytest.fixture
async def connect(strict: Strict) -> AsyncIterator[Connect]:
    async with ClientSession() as session:

        async def connected() -> GatewaySocket:
            url = f"{strict.server.gateway.address}?v=10&encoding=json&compress=zlib-stream"
            socket = GatewaySocket(await session.ws_connect(url))
            assert (await socket.next())["op"] == 10
            return socket

        yield connected


async def identify(socket: GatewaySocket, **more: Any) -> Json:
    """Log in. Return what READY says."""
    await socket.send(2, {"token": TOKEN, "intents": 1, **more})
    data: Json = (await socket.event("READY"))["d"]
    return data


async def resume(socket: GatewaySocket, ready: Json, seq: int) -> None:
    await socket.send(6, {"token": TOKEN, "session_id": ready["session_id"], "seq": seq})


async def test_a_login_tells_of_the_servers(strict: Strict, connect: Connect) -> None:
    socket = await connect()

    ready = await identify(socket, shard=[0, 1])

    assert ready["guilds"] == [{"id": str(strict.guild.id), "unavailable": True}]
    created = (await socket.event("GUILD_CREATE"))["d"]
    assert [one["name"] for one in created["channels"]] == ["games"]
    assert [one["user"]["username"] for one in created["members"]] == ["tangle"]
    assert strict.world.sessions_left == 999


async def test_a_heartbeat_is_acknowledged(connect: Connect) -> None:
    socket = await connect()

    await socket.send(1, None)

    assert (await socket.next())["op"] == 11


@pytest.mark.parametrize(
    ("more", "code"),
    [({"token": "other"}, 4004), ({"shard": [1, 1]}, 4010), ({"intents": 1 << 15}, 4014)],
    ids=["token", "shard", "intents"],
)
async def test_a_bad_login_is_closed(connect: Connect, more: Json, code: int) -> None:
    socket = await connect()

    await socket.send(2, {"token": TOKEN, "intents": 1, **more})

    assert await socket.wait_for_close() == code


async def test_nonsense_is_closed(connect: Connect) -> None:
    for text, code in (("nonsense", 4002), ('{"op": 3, "d": {}}', 4003)):
        socket = await connect()
        await socket.send_text(text)
        assert await socket.wait_for_close() == code
    for op, code in ((2, 4005), (99, 4001)):
        socket = await connect()
        await identify(socket)
        await socket.send(op, {"token": TOKEN, "intents": 1})
        assert await socket.wait_for_close() == code


async def test_no_login_is_left_at_zero(strict: Strict, connect: Connect) -> None:
    strict.world.exhaust_sessions(60.0)
    socket = await connect()

    await socket.send(2, {"token": TOKEN, "intents": 1})

    assert await socket.wait_for_close() == 4004
    assert strict.world.surprises
    strict.world.pass_time(61.0)
    await identify(await connect())


async def test_two_logins_at_once_are_too_many(strict: Strict, connect: Connect) -> None:
    strict.server.gateway.login_every = 5.0
    await identify(await connect())
    second = await connect()

    await second.send(2, {"token": TOKEN, "intents": 1})

    assert await second.next() == {"op": 9, "d": False, "s": None, "t": None}
    strict.world.pass_time(5.1)
    await identify(second)


async def test_a_shard_hears_of_its_servers_alone(strict: Strict, connect: Connect) -> None:
    own = (strict.guild.id >> 22) % 2
    mine, other = await connect(), await connect()
    await identify(mine, shard=[own, 2])
    assert (await identify(other, shard=[1 - own, 2]))["guilds"] == []

    strict.owner.notify_change(strict.channel)

    await mine.event("CHANNEL_UPDATE")
    await other.hears_nothing()


async def test_messages_need_their_intent(strict: Strict, connect: Connect) -> None:
    without, with_them = await connect(), await connect()
    await identify(without)
    await identify(with_them, intents=1 | 1 << 9)
    await without.event("GUILD_CREATE")

    send(strict.world, strict.channel, {"content": "Hi"})

    await with_them.event("MESSAGE_CREATE")
    await without.hears_nothing()


async def test_a_resumed_session_hears_what_it_missed(strict: Strict, connect: Connect) -> None:
    socket = await connect()
    ready = await identify(socket)
    seq = (await socket.event("GUILD_CREATE"))["s"]
    await strict.server.gateway.close(4000)
    assert await socket.wait_for_close() == 4000

    strict.owner.notify_change(strict.channel)
    again = await connect()
    await resume(again, ready, seq)

    assert (await again.next())["t"] == "CHANNEL_UPDATE"
    assert (await again.next())["t"] == "RESUMED"
    assert (strict.server.gateway.identifies, strict.server.gateway.resumes) == (1, 1)


@pytest.mark.parametrize("code", [4007, 4009])
async def test_some_codes_end_the_session(strict: Strict, connect: Connect, code: int) -> None:
    socket = await connect()
    ready = await identify(socket)
    await strict.server.gateway.close(code)
    assert await socket.wait_for_close() == code

    again = await connect()
    await resume(again, ready, 1)

    assert await again.next() == {"op": 9, "d": False, "s": None, "t": None}


@pytest.mark.parametrize("code", [4000, 4001, 4002, 4003, 4004, 4005, 4008])
async def test_a_test_may_close_with_any_code(strict: Strict, connect: Connect, code: int) -> None:
    socket = await connect()
    await identify(socket)

    await strict.server.gateway.close(code)

    assert await socket.wait_for_close() == code


async def test_a_test_may_invalidate_sessions(strict: Strict, connect: Connect) -> None:
    socket = await connect()
    await identify(socket)
    await socket.event("GUILD_CREATE")

    strict.server.gateway.invalidate(resumable=True)
    strict.server.gateway.ask_to_reconnect()
    strict.server.gateway.invalidate(resumable=False)

    entries = [await socket.next() for _ in range(3)]
    assert [(one["op"], one["d"]) for one in entries] == [(9, True), (7, None), (9, False)]
    assert strict.server.gateway.sessions == {}


async def test_a_zombie_says_nothing(strict: Strict, connect: Connect) -> None:
    socket = await connect()
    await identify(socket)
    await socket.event("GUILD_CREATE")
    strict.server.gateway.is_zombie = True

    await socket.send(1, None)
    strict.owner.notify_change(strict.channel)

    await socket.silence()


async def test_a_cut_connection_has_no_code(strict: Strict, connect: Connect) -> None:
    socket = await connect()
    await identify(socket)

    strict.server.gateway.cut_off()

    assert await socket.wait_for_close() in (None, 1006)


# Where commands come from


def place_of(strict: Strict, kind: str) -> StrictChannel:
    """Return a place in which commands can be used."""
    world, guild, ann = strict.world, strict.guild, strict["Ann"]
    match kind:
        case "bot DM":
            return world.dm(ann.id)
        case "group DM":
            group = StrictChannel(world.snowflake(), DM, recipients=(ann.id, strict["Bo"].id))
            world.channels[group.id] = group
            return group
        case "thread":
            return world.add_thread(strict.channel, "t", PUBLIC_THREAD, ann.id)
        case "forum post":
            return world.add_thread(world.add_channel(guild, "f", FORUM), "p", PUBLIC_THREAD, ann.id)
        case "voice" | "stage":
            return world.add_channel(guild, "v", VOICE if kind == "voice" else STAGE)
    foreign = world.add_guild("Elsewhere", has_bot=False)
    world.add_member(foreign, ann.user)
    return world.add_channel(foreign, "games")


@pytest.mark.parametrize(
    ("kind", "context", "owner"),
    [("bot DM", 1, "0"), ("group DM", 2, "Ann"), ("server without the bot", 0, "Ann")]
    + [(kind, 0, "Parlour") for kind in ("thread", "forum post", "voice", "stage")],
)
def test_commands_come_from_everywhere(strict: Strict, kind: str, context: int, owner: str) -> None:
    heard: list[Json] = []
    strict.world.listeners.append(lambda event, data, _: heard.append(data) if "INTER" in event else None)
    strict.world.commands[1] = COMMAND
    strict["Ann"].has_installed = owner == "Ann"

    strict["Ann"].begin_slash(place_of(strict, kind), "play now")

    numbers = {"Ann": str(strict["Ann"].id), "Parlour": str(strict.guild.id), "0": "0"}
    owners = {"1" if owner == "Ann" else "0": numbers[owner]}
    assert (heard[0]["context"], heard[0]["authorizing_integration_owners"]) == (context, owners)
    assert ("user" in heard[0]) is (context > 0)
    assert int(heard[0]["app_permissions"]) > 0 or owner == "Ann"


@pytest.mark.parametrize(
    ("limits", "kind"),
    [
        ({"contexts": [0]}, "bot DM"),
        ({"contexts": [1]}, "thread"),
        ({"integration_types": [0]}, "server without the bot"),
        ({"default_member_permissions": "32"}, "thread"),
    ],
)
def test_discord_offers_a_command_only_where_it_may_be_used(strict: Strict, limits: Json, kind: str) -> None:
    strict["Ann"].has_installed = True

    strict.world.commands[1] = {**COMMAND, "integration_types": [0], **limits}

    assert not strict["Ann"].can_use(place_of(strict, kind), strict.world.commands[1])


# What discord.py makes of it


@pytest.fixture
async def http(strict: Strict, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[HTTPClient]:
    """Yield discord.py's own client, logged in, which repeats requests without a pause."""
    sleep = asyncio.sleep
    monkeypatch.setattr("discord.http.asyncio.sleep", lambda seconds: sleep(min(seconds, 0.1)))
    monkeypatch.setattr(Route, "BASE", f"{strict.server.address}api/v10")
    made = HTTPClient(asyncio.get_running_loop(), max_ratelimit_timeout=30.0)
    await made.static_login(TOKEN)
    yield made
    await made.close()


async def test_discord_py_shows_which_file_is_missing(strict: Strict, http: HTTPClient) -> None:
    with pytest.raises(discord.HTTPException) as raised:
        await http.request(Route("POST", f"/channels/{strict.channel.id}/messages"), json=SHOW)

    assert (raised.value.status, raised.value.code) == INVALID
    assert "In components.0.items.0.media.url: The attachment 'board.png'" in raised.value.text
    assert NOT_ATTACHED in raised.value.text


@pytest.mark.parametrize("scope", ["user", "shared", "global"])
async def test_a_short_limit_is_waited_out(strict: Strict, http: HTTPClient, scope: str) -> None:
    strict.server.faults.limit("GET", "/users/@me", 0.05, scope=scope)

    await http.request(Route("GET", "/users/@me"))

    limited = next(one for one in strict.server.requests if one.status == 429)
    assert limited.answer["global"] is (scope == "global")


async def test_a_long_limit_a_ban_and_an_old_edit_are_raised(strict: Strict, http: HTTPClient) -> None:
    strict.server.faults.limit("GET", "/users/@me", 31.0)
    with pytest.raises(discord.RateLimited):
        await http.request(Route("GET", "/users/@me"))

    message = send(strict.world, strict.channel, HI)
    strict.world.refuses_old_edits = True
    strict.world.pass_time(3601)
    with pytest.raises(KeyError):
        await http.request(Route("PATCH", f"/channels/{strict.channel.id}/messages/{message.id}"), json=HO)

    strict.server.faults.ban()
    with pytest.raises(discord.HTTPException) as raised:
        await http.request(Route("GET", "/users/@me"))
    assert raised.value.status == 429


@pytest.mark.parametrize("status", [500, 502, 504])
async def test_discord_py_repeats_what_failed(strict: Strict, http: HTTPClient, status: int) -> None:
    strict.server.faults.add("GET", "/users/@me", status, times=2)

    await http.request(Route("GET", "/users/@me"))

    assert [one.status for one in strict.server.requests[-3:]] == [status, status, 200]


def test_a_lost_shard_is_logged_by_another_name_than_a_lost_client() -> None:
    assert {module._log.name for module in (discord.client, discord.shard)} == {
        "discord.client",
        "discord.shard",
    }
    assert logging.getLogger("discord.shard").parent is logging.getLogger("discord")
