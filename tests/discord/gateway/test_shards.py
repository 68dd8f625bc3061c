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
from cogs.discord.work import COMMANDS_FACT, Rate
from cogs.posts.courier import DiscordCourier
from db.processes import Presence, ShardPlan
from db.records import OutboxRow, PostRow
from db.store import Store
from engines.workers import Workers
from host import client as starting
from host.client import ParlourBot
from tables.core.outbox import Delivery
from tests.discord.simulation import lose_answers
from tests.discord.stage import DiscordStage, pick, read_message


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


@pytest.fixture
async def place(stage: DiscordStage) -> Any:
    return await stage.open("Ann", "Bo", mode="coop", first="host")


async def test_a_game_goes_on_after_a_restart_and_is_not_posted_twice(
    stage: DiscordStage, place: Any
) -> None:
    await stage.finish_turn("Ann", place)
    before, posts = (await stage.table()).version, [post.message.id for post in stage.posts(place)]

    await stage.restart()
    await stage.env.advance_time(120)

    assert (await stage.table()).version == before
    assert [post.message.id for post in stage.posts(place)] == posts
    await stage.finish(place)
    assert (await stage.table()).phase == "over"


async def test_old_buttons_panels_and_cards_work_after_a_restart(stage: DiscordStage, place: Any) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new")
    result, panel = await stage.panel("Ann", place)

    await stage.restart()

    await pick(stage["Ann"], result.response, "flip", panel.values("flip")[2])
    assert " at 3." in stage.post(place).text
    await stage["Bo"].click(stage.card().message, label="Join")
    assert (await stage.table(2)).names == ["Ann", "Bo"]


async def test_a_post_that_was_shown_but_not_noted_is_found_again(stage: DiscordStage, place: Any) -> None:
    await stage.refresh("board", fresh=True)
    newest = stage.post(place).message.id
    store, table = stage.bot.app.parlour.store, await stage.table()
    await store.ask(1, "board", 0, table.version, True, 0.0)

    await stage.restart()

    assert stage.post(place).message.id == newest
    assert await store.outbox_of(1, 1e12) == []


async def test_posts_due_at_the_stop_are_shown_at_the_next_start(stage: DiscordStage, place: Any) -> None:
    stage.env.inject_error("POST", f"/channels/{place.id}/messages", status=500, times=1)
    await stage["Ann"].slash(place, "ribbon choose", choice="flip 5")
    assert " at 5" not in stage.post(place).text

    await stage.restart()
    await stage.env.advance_time(30)

    assert " at 5" in stage.post(place).text


async def test_a_post_that_was_found_again_keeps_the_words_of_its_picture(
    stage: DiscordStage, place: Any, bare_names: list[str]
) -> None:
    await stage.finish_turn("Ann", place)
    message = stage.post(place)
    words = message.alts
    store, table = stage.bot.app.parlour.store, await stage.table()
    await store.ask(1, "board", 0, table.version, True, 0.0)
    await stage.restart()

    await stage.finish_turn("Bo", place)

    retired = next(post for post in stage.posts(place) if post.message.id == message.message.id)
    assert not retired.buttons
    assert retired.alts == words
    assert words
    assert all(words)
    bare_names.clear()  # the words of a post that is found again were quoted when it was sent


async def test_computer_seats_go_on_after_a_restart(stage: DiscordStage) -> None:
    place = await stage.open("Ann", mode="coop", computers=1, first="host")
    parlour = stage.bot.app.parlour
    user = stage["Ann"].id
    moves = await parlour.play.moves(1, user)
    await parlour.computers.stop()
    async with stage.run_by_itself():
        await parlour.play.move(1, user, [moves[0]])
    assert (await stage.due()) == ["Ada"]

    await stage.restart()

    assert (await stage.due()) == ["Ann"] or (await stage.table()).phase == "over"
    assert any("Ada flips" in post.text for post in stage.posts(place))


async def test_commands_are_registered_only_when_they_changed(stage: DiscordStage) -> None:
    def registrations() -> int:
        return sum(r.method == "PUT" and r.path.endswith("/commands") for r in stage.env.http_requests)

    before = registrations()
    await stage.bot.app.parlour.store.save_fact(COMMANDS_FACT, "another version's")
    await stage.restart()
    assert registrations() == before + 1

    await stage.restart()
    assert registrations() == before + 1


async def test_a_panel_drafted_before_the_stop_is_there_after_it(stage: DiscordStage, place: Any) -> None:
    await stage.finish_turn("Ann", place)
    result, panel = await stage.panel("Bo", place)
    await pick(stage["Bo"], result.response, "flip", panel.values("flip")[0])
    swap = read_message(result.response).values("swap")[0]
    await pick(stage["Bo"], result.response, "swap", swap)

    await stage.restart()

    _, again = await stage.panel("Bo", place)
    assert [o["value"] for o in again.menus["swap"]["options"] if o.get("default")] == [swap]


OPTIONS: dict[str, Any] = {"mode": "versus", "first": "host", "ribbon_choice": "random"}


async def test_accepted_moves_are_still_posted(stage: DiscordStage, monkeypatch: pytest.MonkeyPatch) -> None:
    place = await stage.open("Ann", "Bo", **OPTIONS)
    under_way, go_on = asyncio.Event(), asyncio.Event()
    show = DiscordCourier.show

    async def slowly(courier: DiscordCourier, row: OutboxRow, may_be_duplicate: bool) -> Delivery:
        under_way.set()
        await go_on.wait()
        return await show(courier, row, may_be_duplicate)

    monkeypatch.setattr(DiscordCourier, "show", slowly)
    parlour = stage.bot.app.parlour
    with stage.env.time_context():
        await parlour.refresh(1, "board", fresh=True)
        posts = len(stage.posts(place))
        await under_way.wait()
        ending = asyncio.create_task(stage.bot.close())
        await asyncio.sleep(0)
        assert not ending.done()
        go_on.set()
        await ending

    assert len(stage.posts(place)) == posts + 1
    assert await parlour.store.outbox_of(1, 1e12) == []


async def test_slow_work_is_left_to_the_next_start(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await stage.open("Ann", "Bo", **OPTIONS)
    monkeypatch.setattr(starting, "SHUTDOWN_TIMEOUT", 0.01)
    under_way = asyncio.Event()

    async def never(_courier: DiscordCourier, _row: OutboxRow, _maybe_shown: bool) -> PostRow | None:
        under_way.set()
        await asyncio.Event().wait()
        return None

    parlour = stage.bot.app.parlour
    with monkeypatch.context() as broken, stage.env.time_context():
        broken.setattr(DiscordCourier, "show", never)
        await parlour.refresh(1, "board", fresh=True)
        await under_way.wait()
        await stage.bot.close()

    assert "some posts are still unsent" in caplog.text
    assert len(await parlour.store.outbox_of(1, 1e12)) == 1
    await stage.restart()
    await stage.env.advance_time(10)
    assert await parlour.store.outbox_of(1, 1e12) == []


async def test_every_interaction_ends_and_those_at_a_stop_are_asked_to_return(stage: DiscordStage) -> None:
    place: Any = await stage.open("Ann", "Bo", **OPTIONS)

    await stage["Ann"].click(stage.post(place).message, label="Take turn")
    await stage["Cy"].click(stage.post(place).message, label="Take turn")
    await stage["Cy"].slash(place, "table show", table=99)
    help_page = await stage["Cy"].slash(place, "help")

    assert read_message(help_page.response).text
    await stage.bot.work.wait_until_idle()

    before = await stage.table()
    stage.bot.work.stopping = True

    pressed = await stage["Ann"].click(stage.post(place).message, label="Take turn")
    typed = await stage["Ann"].slash(place, "table show")

    for answer in (pressed, typed):
        assert answer.ephemeral
        assert "I'm restarting, and nothing is lost." in answer.response.content
    assert await stage.table() == before
    await stage.bot.work.wait_until_idle()


async def test_a_thread_without_a_card_is_made_from_a_message_and_only_once(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new", mode="coop", computers=1)
    stage.env.backend.delete_message(stage.channel.id, stage.card().message.id)
    lose_answers(stage.env.backend, "POST", f"/channels/{stage.channel.id}/messages")
    lose_answers(stage.env.backend, "POST", "/channels/*/messages/*/threads")

    await stage["Ann"].slash(stage.channel, "table start", table=1)
    start = [post for post in stage.posts(stage.channel) if "continues in this thread" in post.text]
    await stage.env.advance_time(10)
    stage.env.inject_error("POST", "/channels/*/messages/*/threads", status=400, code=160004, times=1)
    await stage.env.advance_time(60)

    (thread,) = stage.channel.threads
    assert [post.message.id for post in start] == [thread.id]
    assert "Take turn" in stage.post(thread).buttons


async def test_a_refused_edit_of_an_old_post_sends_nothing_again(
    stage: DiscordStage, place: Any, caplog: pytest.LogCaptureFixture
) -> None:
    before = len(stage.posts(place))
    stage.env.inject_error("PATCH", f"/channels/{place.id}/messages/*", status=429, code=30046, times=None)

    await stage.panel_flip("Ann", place)
    await stage.env.advance_time(1200)

    assert len(stage.posts(place)) == before + 1
    assert sum("an older post stays as it is" in line for line in caplog.messages) == 1
    assert await stage.bot.app.parlour.store.outbox_of(1, 1e12) == []


async def test_a_game_and_a_lobby_moved_away_from_an_unseen_channel_go_on_once(
    stage: DiscordStage, place: Any
) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new")
    lounge = stage.guild.create_text_channel("lounge")
    for unseen in (place, stage.channel):
        stage.env.inject_error("*", f"/channels/{unseen.id}*", status=403, code=50001, times=None)

    for number in (1, 2):
        await stage.admin.slash(lounge, "admin move", channel=lounge, table=number)
    for _ in range(6):
        await stage.env.advance_time(1800)

    (thread,) = lounge.threads
    assert len([post for post in stage.posts(thread) if "Take turn" in post.buttons]) == 1
    assert len([post for post in stage.posts(lounge) if "Join" in post.buttons]) == 1
    assert await stage.bot.app.parlour.store.outbox_of(1, 1e12) == []


@pytest.mark.essential
async def test_a_profile_and_a_replay_for_everybody_come_once(stage: DiscordStage, place: Any) -> None:
    await stage.finish(place)
    profile = await stage["Ann"].slash(place, "profile")
    replay = await stage["Ann"].click(stage.post(place).message, label="Replay")
    requests = len(stage.env.http_requests)

    await stage["Ann"].click(profile.response, label="Show everyone")
    await stage["Ann"].click(replay.response, label="Show it to everyone")

    sent = [one for one in stage.env.http_requests[requests:] if one.path == f"/channels/{place.id}/messages"]
    assert len(sent) == 2
    assert all((one.json or {}).get("enforce_nonce") for one in sent)
