"""Queues: what fails whenever it is tried holds up nothing behind it."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import insert, select, update

from cogs.cups import CupPosts
from cogs.daily.posts import AT_ONCE, DailyPosts
from cogs.servers.notice_board import NoticeBoards
from db import schema
from db.records import AuditRow, DailyNoticeRow, OutboxRow, PostRow, ServerSettings
from engines.game import Strength
from tables.clocks.pace import DAY, HOUR
from tables.core import downtime
from tables.core.table import EVER, Phase, Refused, RematchExists, Table
from tables.people import Digest
from tables.runtime import LONGEST_PAUSE, Retries, RoundRobin, TryLater
from tables.standings.standings import StandingsService
from tables.time.due import DueTables
from tables.time.proposals import Pauses
from tests.engines.ribbon.games import NEARLY
from tests.tables.conftest import Dealt
from tests.tables.daily.four_hundred import PostWorld
from tests.tables.house import ADMIN, ANN, BO, CHANNEL, CY, GUILD, House, HouseClock, user

PATIENCE = 10.0
FAILING = 2
"""The number of tables that fail every try, and the number that one look takes at once in these tests."""


@pytest.fixture
async def three(house: House, deal_next: Dealt, monkeypatch: pytest.MonkeyPatch) -> House:
    """Return a house with three co-op games; the first two make trouble. They are numbered from 1."""
    deal_next(NEARLY)
    monkeypatch.setattr(downtime, "SHORTEST_OUTAGE", 1e9)
    for host, guest in ((ANN, BO), (BO, CY), (CY, ANN)):
        await house.start(host, guest, mode="coop", first="host")
    await house.settle()
    for limited in ("time.due", "standings.standings", "people"):
        monkeypatch.setattr(f"tables.{limited}.SWEPT", FAILING)
    monkeypatch.setattr("tables.servers.servers.PAUSED", FAILING)
    return house.restart()


def failing_first(done: list[int]) -> Any:
    """Return a method that fails for the first tables. It notes the others."""

    async def method(_self: object, table_id: int, *_: object, **__: object) -> None:
        if table_id <= FAILING:
            raise ValueError(f"table {table_id} makes trouble")
        done.append(table_id)

    return method


async def test_failing_posts_hold_up_no_other_post(three: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(row: OutboxRow) -> None:
        if row.table_id <= FAILING:
            raise TryLater("never")

    three.courier.before = fail
    monkeypatch.setattr(three.store, "outbox_due", partial(three.store.outbox_due, limit=FAILING))
    for number in (1, 2, 3):
        await three.store.ask(number, "board", 0, 9, True, three.clock() - 10 + number)

    for _ in range(2):
        await three.parlour.outbox.sweep()
        await three.settle()

    assert [row.table_id for row, _ in three.courier.shown] == [3]


async def test_failing_times_counts_and_pauses_stop_no_other(
    three: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[int] = []
    monkeypatch.setattr(DueTables, "look", failing_first(done))
    tables = schema.tables
    await three.store._execute(update(tables).values(due_at=three.clock() - 10 + tables.c.id))

    for _ in range(2):
        await three.parlour.due.sweep()

    assert done == [3]

    done.clear()
    monkeypatch.setattr(StandingsService, "count_table", failing_first(done))
    of_all = select(schema.tables.c.id, schema.tables.c.version)
    await three.store._execute(insert(schema.uncounted).from_select(["table_id", "version"], of_all))

    for _ in range(2):
        await three.parlour.standings.sweep()

    assert done == [3]

    done.clear()
    monkeypatch.setattr(Pauses, "pause", failing_first(done))
    await three.parlour.servers.on_removal((await three.parlour.table(1)).guild_id)

    await three.parlour.servers.sweep()

    assert done == [3]


async def test_digests_that_always_fail_hold_up_no_other_digest(three: House) -> None:
    for occupant in (ANN, BO, CY):
        await three.parlour.personal_settings.change(
            user(occupant), lambda known: replace(known, digest_hour=8)
        )

    async def fail(digest: Digest) -> None:
        if digest.user_id in (user(ANN), user(BO)):
            raise TryLater("never")

    three.courier.sending = fail
    three.clock.now += DAY

    for _ in range(2):
        await three.parlour.digests.sweep()
        await three.settle()

    assert [digest.user_id for digest, _ in three.courier.digests] == [user(CY)]


async def test_unreachable_people_hold_up_nobody(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    world, numbers = PostWorld(house, 1, monkeypatch), list[int]()
    notices = world.rows.notices
    for person in range(1, AT_ONCE + 2):
        notices[person] = DailyNoticeRow(person, "2026-01-01", 1, house.clock() - 100 + person)

    async def due() -> list[DailyNoticeRow]:
        rows = [row for row in notices.values() if not row.sent and row.due_at <= house.clock()]
        return sorted(rows, key=lambda row: row.due_at)

    async def sent(posts: DailyPosts, row: DailyNoticeRow) -> None:
        if row.user_id <= AT_ONCE:
            raise TryLater("never")
        numbers.append(row.user_id)
        await posts._daily.note_notice_sent(row)

    monkeypatch.setattr(house.parlour.daily, "take_due_notices", due)
    monkeypatch.setattr(DailyPosts, "_send_notice", sent)

    for _ in range(2):
        await world.posts._tell_people()

    assert numbers == [AT_ONCE + 1]
    assert min(row.due_at for row in notices.values() if not row.sent) > house.clock()


async def test_failing_boards_hold_up_no_others(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    world, shown = PostWorld(house, 3, monkeypatch), list[int]()
    boards = NoticeBoards(world.bot, world.app)

    async def show(_self: NoticeBoards, guild_id: int) -> None:
        if guild_id <= FAILING:
            raise TryLater("never")
        shown.append(guild_id)

    async def rows(of: Sequence[int] = ()) -> list[ServerSettings]:
        return [ServerSettings(number) for number in of]

    monkeypatch.setattr(NoticeBoards, "_show", show)
    monkeypatch.setattr(house.store, "boards", rows)
    monkeypatch.setattr("cogs.servers.notice_board.MOST_DUE", FAILING)
    boards._dirty |= {1, 2, 3}

    for _ in range(2):
        await boards._look()

    assert shown == [3]


async def test_a_hanging_cup_post_stops_no_other_cup(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    world = PostWorld(house, 1, monkeypatch)
    cups = CupPosts(world.bot, world.app)
    goes_on, shown = asyncio.Event(), list[int]()

    async def show(_self: CupPosts, cup_id: int) -> None:
        if cup_id == 1:
            await goes_on.wait()
        shown.append(cup_id)
        goes_on.set()

    monkeypatch.setattr(CupPosts, "_show", show)
    cups._dirty |= {1, 2}

    await asyncio.wait_for(cups._look(), PATIENCE)

    assert shown == [2, 1]


@pytest.fixture
def retries(clock: HouseClock) -> Retries[int]:
    return Retries(clock, 2)


def test_each_failure_waits_twice_as_long_as_the_one_before(retries: Retries[int], clock: HouseClock) -> None:
    waits = []
    for _ in range(12):
        retries.note_failure(1)
        waits.append(retries.seconds_left(1))

    assert waits[:3] == [5.0, 10.0, 20.0]
    assert waits[-1] == LONGEST_PAUSE
    assert not retries.is_due(1)
    clock.now += LONGEST_PAUSE
    assert retries.is_due(1)


def test_a_clock_set_back_and_a_success_end_the_wait(retries: Retries[int], clock: HouseClock) -> None:
    retries.note_failure(1)

    clock.now -= 2 * HOUR

    assert retries.is_due(1)

    retries.note_success(1, apart=60.0)

    assert (retries.failures(1), retries.is_due(1)) == (0, False)
    retries.note_success(1)
    assert retries.is_due(1)


def test_of_too_many_failures_the_oldest_is_forgotten(retries: Retries[int]) -> None:
    for key in (1, 2, 3):
        retries.note_failure(key)

    assert [retries.is_due(key) for key in (1, 2, 3)] == [True, False, False]


async def test_a_round_begins_again_after_its_end() -> None:
    rounds: RoundRobin[int, int] = RoundRobin(2, lambda number: number)

    async def read(most: int, after: int | None) -> list[int]:
        return [number for number in (1, 2, 3, 4) if after is None or number > after][:most]

    assert [list(await rounds.next_rows(read)) for _ in range(3)] == [[1, 2], [3, 4], [1, 2]]


class ParlourSketch(msgspec.Struct):
    """A draft of some move."""

    swap: int


@pytest.fixture
async def past_game(house: House) -> Table:
    table = await house.gather(ANN, BO, mode="coop")
    await house.lobby.add_computer(table.id, user(ANN), Strength.MEDIUM)
    table = await house.lobby.start(table.id, user(ANN))
    return await house.play.resign(table.id, user(BO))


async def test_tables_are_found_by_server_place_and_person(house: House, lobby: Table) -> None:
    house.clock.now += 1
    game = await house.start(BO, CY)
    await house.parlour.keep_thread(game.id, 44)
    game = await house.parlour.table(game.id)

    assert await house.parlour.tables_in(GUILD) == [game, lobby]
    assert await house.parlour.tables_in(GUILD, limit=1) == [game]
    assert await house.parlour.tables_in(GUILD, [Phase.LOBBY]) == [lobby]
    assert await house.parlour.tables_at(CHANNEL) == [lobby]
    assert await house.parlour.tables_at(44) == [game]
    assert await house.parlour.tables_of(user(CY)) == [game]


async def test_ended_games_are_found_and_a_rematch_leaves_them_so(house: House, past_game: Table) -> None:
    assert await house.parlour.tables_of(user(ANN)) == []
    assert await house.parlour.tables_of(user(ANN), EVER) == [past_game]

    state = await house.state(past_game)

    await house.parlour.lobby.rematch(past_game.id, user(ANN))

    after = await house.parlour.table(past_game.id)
    assert (after.phase, after.outcome, after.seats) == (Phase.OVER, past_game.outcome, past_game.seats)
    assert await house.state(after) == state
    assert await house.waiting(after) == await house.waiting(past_game)


async def test_a_rematch_is_a_lobby_of_the_same_whose_host_asked(house: House, past_game: Table) -> None:
    again = await house.parlour.lobby.rematch(past_game.id, user(BO))

    assert (again.phase, again.host_id, again.options) == (Phase.LOBBY, user(BO), past_game.options)
    assert sorted(again.names) == sorted(past_game.names)
    assert again.seats[0] == BO
    assert again.seed != past_game.seed
    assert (await house.lobby.start(again.id, user(BO))).phase is Phase.PLAY


async def test_there_is_one_rematch_of_a_game(house: House, past_game: Table) -> None:
    answers = await asyncio.gather(
        house.parlour.lobby.rematch(past_game.id, user(ANN)),
        house.parlour.lobby.rematch(past_game.id, user(BO)),
        return_exceptions=True,
    )

    assert [type(answer) for answer in answers] == [Table, RematchExists]
    with pytest.raises(Refused, match=f"There's already a rematch: table {past_game.id + 1}"):
        await house.restart().parlour.lobby.rematch(past_game.id, user(ANN))
    assert len(await house.parlour.tables_of(user(ANN))) == 1


async def test_only_players_of_an_ended_game_rematch(house: House, past_game: Table, duel: Table) -> None:
    with pytest.raises(Refused, match="Only people who played here"):
        await house.parlour.lobby.rematch(past_game.id, user(CY))
    with pytest.raises(Refused, match="isn't over yet"):
        await house.parlour.lobby.rematch(duel.id, user(ANN))


async def test_a_draft_is_valid_for_the_version_that_it_was_made_from(house: House, deal_next: Dealt) -> None:
    deal_next(NEARLY)
    table = await house.start(ANN, BO, mode="coop")
    table = await house.play_moves(table, "flip 1; flip 2")
    await house.parlour.save_draft(table, 1, ParlourSketch(swap=3))
    await house.parlour.save_draft(table, 1, ParlourSketch(swap=4))

    assert await house.parlour.drafts.draft(table, 1, ParlourSketch) == ParlourSketch(swap=4)
    await house.parlour.resume()
    assert await house.restart().parlour.drafts.draft(table, 1, ParlourSketch) == ParlourSketch(swap=4)
    assert await house.parlour.drafts.draft(table, 0, ParlourSketch) is None
    table = await house.play_moves(table, "swap 1")
    assert await house.parlour.drafts.draft(table, 1, ParlourSketch) is None


async def test_settings_have_defaults_and_an_admin_action_is_logged_with_its_time(house: House) -> None:
    assert await house.parlour.settings(GUILD) == ServerSettings(GUILD, None, "threads")

    await house.store.save_guild(ServerSettings(GUILD, 7, "channel"))

    assert await house.parlour.settings(GUILD) == ServerSettings(GUILD, 7, "channel")

    await house.parlour.write_down(GUILD, 7, ADMIN, "kick", person=user(ANN))

    assert await house.store.administration.audit(GUILD) == [
        AuditRow(GUILD, 7, ADMIN, "kick", '{"person":101}', house.clock.now)
    ]


async def test_something_is_shown_anew_when_asked_for(house: House, duel: Table) -> None:
    await house.parlour.refresh(duel.id, "board", fresh=True)
    await house.parlour.refresh(duel.id, "hand", user(BO))
    await house.settle()

    assert house.courier.take_shown() == [("board", 0, True), ("hand", user(BO), False)]


async def test_a_message_that_answered_a_command_counts_as_delivered(house: House, lobby: Table) -> None:
    lobby = await house.lobby.join(lobby.id, user(BO), "Bo")

    await house.parlour.note_post(lobby, "lobby", 0, channel_id=CHANNEL, message_id=77, memo="memo")

    assert await house.waiting(lobby) == []
    assert await house.store.find_last_post(lobby.id, "lobby", 0) == PostRow(
        lobby.id, "lobby", 0, CHANNEL, 77, lobby.version, "memo"
    )


async def test_a_message_that_was_redrawn_at_a_press_need_not_be_shown_again(house: House) -> None:
    table = await house.gather(ANN)
    await house.parlour.note_post(table, "lobby", 0, CHANNEL, 77)
    table = await house.lobby.join(table.id, user(BO), "Bo")

    await house.parlour.note_shown(table, "lobby", 0)

    assert await house.waiting(table) == []
    post = await house.store.find_last_post(table.id, "lobby", 0)
    assert post is not None
    assert post.message_id == 77


async def test_an_edit_shows_what_happened_since_its_drawing(house: House, lobby: Table) -> None:
    older = await house.lobby.join(lobby.id, user(BO), "Bo")
    await house.lobby.join(lobby.id, user(CY), "Cy")

    await house.parlour.note_shown(older, "lobby", 0)

    assert ("lobby", 0, False) in await house.waiting(lobby)
