"""The bot among several processes: it acts for the shards that it holds once they are connected."""

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from discord.ext.commands import AutoShardedBot
from discord.gateway import DiscordWebSocket
from discord.shard import EventItem, EventType, SessionStartLimits, Shard, ShardInfo

from cogs.discord import work
from cogs.discord.gateway import LaunchFailed, NoLoginLeft, SessionStarts
from cogs.discord.work import Rate
from db.processes import Presence, ShardPlan
from db.store import Store
from engines.workers import Workers
from host.client import ParlourBot


class Limits:
    """Discord's answers about logins: those left now, and those left at the second look."""

    def __init__(self, now: int, then: int, at_once: int, reset_after: int = 0) -> None:
        self._left = [now, then]
        self._more = {"total": 1000, "max_concurrency": at_once, "reset_after": reset_after}
        self.asked = 0

    async def __call__(self) -> SessionStartLimits:
        left = self._left[min(self.asked, 1)]
        self.asked += 1
        return SessionStartLimits(remaining=left, **self._more)


async def settled(_held: frozenset[int]) -> None:
    """Let the gateway take the shards."""


nobody: Any = None
"""Hears nothing: no connection is opened here that could be lost."""


class Held(Presence):
    """A presence whose shards are given to it."""

    def __init__(self) -> None:
        super().__init__("postgresql://nowhere/none", ShardPlan(4, None, 4), "test", nobody, settled)
        self.turns: list[int] = []

    def give(self, *shards: int) -> frozenset[int]:
        self._held = frozenset(shards)
        self._some.set()
        return self._held

    async def identify(self, bucket: int) -> None:
        self.turns.append(bucket)


class Connecting(ParlourBot):
    """A bot that records the shards that it has to connect while it runs."""

    def __init__(self, *parts: Any, **settings: Any) -> None:
        super().__init__(*parts, **settings)
        self.connecting: list[int] = []

    async def launch_shard(self, gateway: Any, shard_id: int, *, initial: bool = False) -> None:
        self.connecting.append(shard_id)


@pytest.fixture
async def holder() -> Held:
    return Held()


@pytest.fixture
async def process(store: Store, workers: Workers, holder: Held) -> AsyncIterator[Connecting]:
    """Yield a bot that shares four shards, and holds none yet."""
    store.shards.divide(4)
    bot = Connecting(store, workers, plan=ShardPlan(4, None, 4))
    bot.gateway.presence = holder
    yield bot
    await bot.gateway.close()


async def report_connected(bot: Connecting, *shards: int) -> None:
    for shard in shards:
        await bot.on_shard_ready(shard)


async def test_it_connects_its_shards_and_acts_for_connected_ones(process: Connecting, holder: Held) -> None:
    claimed = holder.give(1, 3)
    await process.gateway.begin()
    await process.gateway.connect_shards(claimed)
    assert (process.shard_count, process.shard_ids) == (4, [1, 3])
    assert process.app.parlour.store.shards.held == set()

    await report_connected(process, 3)
    assert process.app.parlour.store.shards.held == {3}
    await report_connected(process, 1)

    assert process.app.parlour.store.shards.held == {1, 3}


async def test_a_standby_begins_nothing_until_it_holds_a_shard(process: Connecting, holder: Held) -> None:
    beginning = asyncio.create_task(process.gateway.begin())
    await asyncio.sleep(0)
    assert process.gateway.is_standby
    assert not beginning.done()

    holder.give(2)
    await beginning

    assert not process.gateway.is_standby
    assert process.shard_ids == [2]


async def test_shards_received_while_running_connect_before_acting(process: Connecting, holder: Held) -> None:
    holder.give(0)
    await process.gateway.begin()
    await report_connected(process, 0)

    await process.gateway.connect_shards(holder.give(0, 2))
    await asyncio.sleep(0)
    assert process.connecting == [2]
    assert process.app.parlour.store.shards.held == {0}

    await report_connected(process, 2)
    assert process.app.parlour.store.shards.held == {0, 2}


async def test_a_cut_shard_is_out_of_reach_and_a_regained_one_in(process: Connecting, holder: Held) -> None:
    shards = process.app.parlour.store.shards
    holder.give(0, 1)
    await process.gateway.begin()
    await report_connected(process, 0, 1)

    await process.on_shard_disconnect(1)
    assert shards.held == {0, 1}
    assert shards.reachable == {0}
    await process.on_shard_resumed(1)

    assert shards.reachable == {0, 1}

    holder.give()
    process.app.parlour.ownership.lose()
    assert process.app.parlour.store.shards.held == set()

    await process.gateway.connect_shards(holder.give(0, 1))

    assert process.app.parlour.store.shards.held == {0, 1}
    assert process.connecting == []


async def test_a_shard_logs_in_at_its_turn_and_leaves_a_login(process: Connecting, holder: Held) -> None:
    process.gateway.logins = 2
    process.gateway.session_starts = SessionStarts(Limits(1000, 1000, 2), lambda: True)

    await process.before_identify_hook(3, initial=True)
    await process.before_identify_hook(2)

    assert holder.turns == [1, 0]

    process.gateway.session_starts = SessionStarts(Limits(2, 1, 2), lambda: True)
    await process.before_identify_hook(0)

    with pytest.raises(NoLoginLeft):  # another process may use up the last one at the same moment
        await process.before_identify_hook(1)


async def test_a_shard_without_a_login_opens_no_connection(process: Connecting) -> None:
    limits = Limits(0, 1000, 1, reset_after=50)
    starts = SessionStarts(limits, lambda: False)
    with pytest.raises(NoLoginLeft):
        await starts.take()

    began = asyncio.get_running_loop().time()
    await starts.wait()
    assert asyncio.get_running_loop().time() - began >= 0.9
    await starts.take()

    assert limits.asked == 2


async def test_a_shard_whose_session_is_over_waits_and_one_that_resumes_does_not(
    process: Connecting, monkeypatch: pytest.MonkeyPatch
) -> None:
    put: list[EventItem] = []
    process._reconnect = True  # as `connect` does
    socket: Any = SimpleNamespace(shard_id=1)
    shard = Shard(socket, process, put.append)
    monkeypatch.setattr(process, "get_shard", lambda _shard: ShardInfo(shard, 4))
    limits = Limits(0, 1000, 1, reset_after=50)
    process.gateway.session_starts = SessionStarts(limits, lambda: False)
    process.gateway.guard(1)

    for kind in (EventType.identify, EventType.resume):
        shard._queue_put(EventItem(kind, shard, None))
    assert [item.type for item in put] == [EventType.resume]
    await asyncio.gather(*process.gateway._launching)

    assert [item.type for item in put] == [EventType.resume, EventType.identify]


async def test_a_shard_that_cannot_be_connected_is_lost_until_it_is(
    store: Store, workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = ParlourBot(store, workers)
    bot.gateway.session_starts = SessionStarts(Limits(9, 9, 1), lambda: False)
    failures = [LaunchFailed(), LaunchFailed()]

    async def launch(_bot: Any, _gateway: Any, _shard: int, *, initial: bool = False) -> None:
        assert initial == (len(failures) == 2)
        if failures:
            assert bot.gateway.is_connected == (len(failures) == 2)
            raise failures.pop()

    monkeypatch.setattr(AutoShardedBot, "launch_shard", launch)

    await bot.launch_shard(DiscordWebSocket.DEFAULT_GATEWAY, 0, initial=True)

    assert failures == []
    assert not bot.gateway.is_connected
    await bot.on_shard_ready(0)
    assert bot.connected


async def test_one_process_has_all_servers_in_as_many_shards_as_discord_wants(
    store: Store, workers: Workers
) -> None:
    bot = ParlourBot(store, workers)

    assert bot.shard_count is None
    assert store.shards.owns(7 << 22)
    await bot.on_shard_ready(5)
    await bot.on_disconnect()
    await bot.on_shard_disconnect(5)
    assert not bot.connected
    assert store.shards.reachable == {0}

    await bot.on_shard_ready(5)  # a new login; `on_ready` doesn't fire while others are connected
    assert bot.connected


@pytest.fixture
async def discord() -> AsyncIterator[tuple[str, list[str]]]:
    asked: list[str] = []

    async def answer(request: web.Request) -> web.Response:
        asked.append(request.path)
        if request.path == "/full":
            headers = {"X-RateLimit-Global": "true", "Retry-After": "0.4"}
            return web.json_response({"retry_after": 0.4, "global": True}, status=429, headers=headers)
        return web.Response()

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}", asked
    await runner.cleanup()


async def test_a_global_refusal_holds_up_all_requests_but_answers(
    discord: tuple[str, list[str]], caplog: pytest.LogCaptureFixture
) -> None:
    address, _ = discord
    loop = asyncio.get_running_loop()
    async with aiohttp.ClientSession(trace_configs=[Rate(lambda: 1.0).trace()]) as session:
        await session.get(f"{address}/full")
        began = loop.time()

        await session.get(f"{address}/interactions/1/callback")
        assert loop.time() - began < 0.3
        await session.get(f"{address}/channels/1/messages")
        assert loop.time() - began >= 0.35

    assert "the token hit Discord's rate limit" in caplog.text


def test_a_process_takes_its_share_of_the_rate_and_less_after_a_refusal() -> None:
    holder = [1.0]
    paced = Rate(lambda: holder[0])
    assert sum(paced.wait(10.0) <= 0 for _ in range(200)) == 50

    holder[0] = 0.2
    paced = Rate(lambda: holder[0])
    assert sum(paced.wait(10.0) <= 0 for _ in range(200)) == 10

    paced = Rate(lambda: holder[0])
    paced.note_refusal(10.0, 2.0)
    waits = [paced.wait(10.0) for _ in range(3)]
    assert waits == pytest.approx([2.0, 2.0 + 1 / 5, 2.0 + 2 / 5])
    later = 12.0 + work.SLOW_FOR + 1
    assert sum(paced.wait(later) <= 0 for _ in range(200)) == 10
