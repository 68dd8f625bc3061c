import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest
from cachetools import LRUCache

from cogs.play.questions import name_moves
from db.records import DraftRow
from db.store import Store
from engines.engine import Engine
from engines.game import Strength
from tables.core.people import Notices
from tables.core.table import OPEN, Table
from tables.runtime import LONGEST_PAUSE, SLICE, Background, Cache, Together, iterate_in_slices
from tests.db.incidents import log_lines, read_only
from tests.tables.house import ANN, BO, CY, GUILD, House, user


class SlowReading:
    """A query of the database that has its answer, and hands it over when it is let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> None:
        self._query = getattr(owner, name)
        self._read, self._go = asyncio.Event(), asyncio.Event()
        monkeypatch.setattr(owner, name, self._ask)

    async def _ask(self, *args: Any, **how: Any) -> Any:
        answer = await self._query(*args, **how)
        self._read.set()
        await self._go.wait()
        return answer

    async def overtaken(self, asked: Awaitable[Any], written: Callable[[], Awaitable[Any]]) -> Any:
        """Return a slow reading with a write before its arrival."""
        asking = asyncio.ensure_future(asked)
        await self._read.wait()
        await written()
        self._go.set()
        return await asking


async def at_once(value: Any) -> Any:
    """Return the value, read without a pause."""
    return value


async def test_a_reading_that_began_before_the_key_was_invalidated_is_not_kept() -> None:
    cache: Cache[int, str] = Cache(LRUCache(10))
    go = asyncio.Event()

    async def old() -> str:
        await go.wait()
        return "old"

    first, second = asyncio.create_task(cache.read(1, old)), asyncio.create_task(cache.read(2, old))
    await asyncio.sleep(0)
    cache.invalidate(1)
    go.set()
    await first, await second

    assert (cache.get(1), cache.get(2)) == (None, "old")
    assert await cache.read(1, lambda: at_once("new")) == "new"


async def test_a_reading_from_before_does_not_make_a_later_one_forgotten() -> None:
    cache: Cache[int, str] = Cache(LRUCache(10))
    gone, come = asyncio.Event(), asyncio.Event()

    async def when(event: asyncio.Event, value: str) -> str:
        await event.wait()
        return value

    early = asyncio.create_task(cache.read(1, lambda: when(gone, "old")))
    await asyncio.sleep(0)
    cache.invalidate()
    late = asyncio.create_task(cache.read(1, lambda: when(come, "new")))
    await asyncio.sleep(0)
    gone.set()
    await early
    come.set()
    await late

    assert cache.get(1) == "new"


async def test_a_write_during_a_read_wins_and_an_unreadable_value_is_read_again() -> None:
    cache: Cache[int, str] = Cache(LRUCache(10))

    async def old() -> str:
        cache.put(1, "new")
        return "old"

    assert await cache.read(1, old) == "new"
    assert cache.get(1) == "new"

    async def broken() -> str:
        raise OSError("no database")

    with pytest.raises(OSError, match="no database"):
        await cache.read(2, broken)

    assert await cache.read(2, lambda: at_once("here")) == "here"
    assert cache.get(2) == "here"


async def test_a_block_written_during_a_read_holds(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = house.parlour.blocks
    slow = SlowReading(monkeypatch, house.store.relations, "apart_from")

    await slow.overtaken(blocks.apart_from(user(BO)), lambda: blocks.block(user(ANN), user(BO)))

    assert await blocks.apart_from(user(BO)) == {user(ANN)}
    assert not await blocks.can_meet(user(BO), [user(ANN), user(CY)])


async def test_a_setting_saved_during_a_read_wins(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    people = house.parlour.people
    person = await people.person(user(ANN))
    people.invalidate(user(ANN))
    slow = SlowReading(monkeypatch, house.store, "people")
    silent = msgspec.structs.replace(person, notices=Notices.NONE)

    result = await slow.overtaken(people.person(user(ANN)), lambda: people.save(person, silent))

    assert result == await people.person(user(ANN)) == silent


async def test_a_person_is_kept_though_another_one_was_forgotten_while_both_were_read(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = house.parlour.people
    slow = SlowReading(monkeypatch, house.store, "people")

    async def forgotten() -> None:
        people.invalidate(user(ANN))

    await slow.overtaken(people.of([user(ANN), user(BO)]), forgotten)
    monkeypatch.delattr(house.store, "people")
    asked = list[list[int]]()
    query = house.store.people

    async def counted(user_ids: list[int]) -> Any:
        asked.append(user_ids)
        return await query(user_ids)

    monkeypatch.setattr(house.store, "people", counted)
    await people.of([user(ANN), user(BO)])

    assert asked == [[user(ANN)]]


async def test_a_table_opened_while_a_list_was_being_read_is_in_the_next_list(
    house: House, monkeypatch: pytest.MonkeyPatch, lobby: Table
) -> None:
    recent = house.parlour.table_lists
    slow = SlowReading(monkeypatch, house.store, "tables_in")

    await slow.overtaken(recent.tables_in(GUILD, OPEN), lambda: house.gather(BO))

    assert len(await recent.tables_in(GUILD, OPEN)) == 2
    assert lobby.id in [table.id for table in await recent.tables_in(GUILD, OPEN)]


class CacheSketch(msgspec.Struct):
    """A draft of some move."""

    swap: int


async def test_a_draft_that_another_process_wrote_while_the_old_one_was_being_read_is_found(
    house: House, monkeypatch: pytest.MonkeyPatch, table: Table
) -> None:
    drafts = house.parlour.drafts
    drafts.save(table, 0, CacheSketch(1))
    await drafts.write()
    drafts.invalidate()
    slow = SlowReading(monkeypatch, house.store, "draft")
    newer = DraftRow(table.id, 0, table.moment, msgspec.json.encode(CacheSketch(2)).decode())

    async def elsewhere() -> None:
        await house.store.save_drafts([newer], [])
        drafts.invalidate(table.id, 0)

    await slow.overtaken(drafts.draft(table, 0, CacheSketch), elsewhere)

    assert await drafts.draft(table, 0, CacheSketch) == CacheSketch(2)


async def test_a_server_that_left_during_a_read_left(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    await house.gather(ANN)
    servers = house.parlour.servers
    servers.look_again()
    slow = SlowReading(monkeypatch, house.store.servers, "removed_servers")

    async def left() -> None:
        monkeypatch.undo()
        await servers.on_removal(GUILD)

    await slow.overtaken(servers.removed_servers(), left)

    assert list(await servers.removed_servers()) == [GUILD]


async def test_a_gap_noted_during_a_read_counts(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    downtime = house.parlour.play._repository.time.downtime
    await downtime.record_heartbeat()
    slow = SlowReading(monkeypatch, house.store.downtime, "gaps")

    async def away() -> None:
        house.clock.now += 1000.0
        await downtime.record_heartbeat()

    await slow.overtaken(downtime.gaps(), away)

    assert len(await downtime.gaps()) == 1


async def fail(reason: str) -> None:
    raise OSError(reason)


async def succeed() -> None:
    """Do nothing."""


async def test_a_failure_is_told_once_until_it_works_again(caplog: pytest.LogCaptureFixture) -> None:
    background = Background()
    for reason in ("disk full", "disk full", "no disk", "no disk"):
        assert not await background.run("sweeping", fail(reason))
    assert [record.exc_info is not None for record in caplog.records] == [True, True]

    assert await background.run("sweeping", succeed())
    assert not await background.run("sweeping", fail("no disk"))

    assert len([record for record in caplog.records if "sweeping failed" in record.getMessage()]) == 3


async def test_work_done_together_has_ended_when_the_first_error_is_raised() -> None:
    ended = asyncio.Event()

    async def go_on() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def work() -> None:
        async with Together() as together:
            together.create_task(go_on())
            together.create_task(fail("no disk"))

    with pytest.raises(OSError, match="no disk"):
        await work()

    assert ended.is_set()


async def test_a_database_that_fails_for_a_while_ends_no_sweep(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, table: Table
) -> None:
    await house.store.ask(table.id, "board", 0, table.version, True, house.clock.now)

    async def locked(*_args: object) -> None:
        raise OSError("the database is locked")

    with monkeypatch.context() as patched:
        for name in ("outbox_due", "tables_awaiting_computer"):
            patched.setattr(Store, name, locked)
        for _ in range(3):
            await house.parlour.resume()
    assert caplog.text.count("the database is locked") >= 2
    assert len(caplog.records) == 2

    await house.parlour.resume()
    await house.settle()

    assert house.courier.take_shown() == [("board", 0, True)]


async def test_a_database_that_cannot_be_written_is_told_of_once_and_computers_move_when_it_can(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    table = await house.gather(ANN, mode="coop", first="host")
    await house.lobby.add_computer(table.id, user(ANN), Strength.MEDIUM)
    await house.lobby.start(table.id, user(ANN))
    await house.settle()
    await house.parlour.computers.stop()
    table = await house.play_moves(table, "flip 1")
    await house.settle()
    again = house.restart()

    async with read_only(house.store):
        for _ in range(3):
            house.clock.now += LONGEST_PAUSE
            await again.parlour.resume()
            await again.settle()
        assert (await again.parlour.table(table.id)).version == table.version
    house.clock.now += LONGEST_PAUSE
    await again.parlour.resume()
    await again.settle()

    assert (await again.parlour.table(table.id)).version > table.version
    assert len(log_lines(caplog)) == 1


LONG = 1288
"""The most moves that a seat of Tesla's Tangle had at once."""


async def turns_of_others(work: Awaitable[Any]) -> int:
    """Count the turns of another task until some work is done."""
    working, turns = asyncio.ensure_future(work), 0
    while not working.done():
        turns += 1
        await asyncio.sleep(0)
    return turns


async def test_a_slice_loses_nothing_and_others_have_their_turn_while_a_long_list_is_named() -> None:
    assert [item async for item in iterate_in_slices(range(3 * SLICE + 1))] == list(range(3 * SLICE + 1))
    assert await turns_of_others(name_moves(range(LONG), str)) > LONG / SLICE


async def test_others_have_their_turn_while_a_long_list_of_moves_is_made(
    house: House, monkeypatch: pytest.MonkeyPatch, duel: Table
) -> None:
    mover = user(ANN) if 0 in duel.owing else user(BO)
    monkeypatch.setattr(Engine, "moves", lambda *_: iter(range(LONG)))

    assert await turns_of_others(house.play.moves(duel.id, mover)) > LONG / SLICE
    assert await house.play.moves(duel.id, mover) == list(range(LONG))
