"""Tables in memory: loaded at a bounded cost, kept in a bounded number, never above the truth on disk."""

import asyncio
from collections import Counter
from typing import Any

import pytest

from db.records import TableWrite
from db.store import Store
from engines import engine as rules
from engines.engine import Engine
from engines.workers import Workers
from tables.core import repository as repository_module
from tables.core.repository import SNAPSHOT_EVERY, Repository
from tables.core.table import Refused, Stale, Table
from tables.lobby import decisions as lobby_decisions
from tests.conftest import EVERY_DATABASE
from tests.tables.house import ANN, BO, CY, House, HouseClock, user

DATABASES = EVERY_DATABASE
pytestmark = pytest.mark.usefixtures("nearly")

TRIED = "; ".join(f"flip {place}; pass" for place in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12))
"""The pairs of a co-op game that nobody loses before its end."""


class StoreCounts:
    """Counts a store's requests, and the replayed moves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls: Counter[str] = Counter()
        monkeypatch.setattr(repository_module, "play_moves", self._counting("play", rules.play))
        monkeypatch.setattr(rules, "play", self._counting("play", rules.play))
        for name in ("table", "snapshot", "actions"):
            monkeypatch.setattr(Store, name, self._counting(name, getattr(Store, name)))

    def _counting(self, name: str, call: Any) -> Any:
        def counting(*args: Any, **kwargs: Any) -> Any:
            self.calls[name] += len(args[3]) if name == "play" else 1
            return call(*args, **kwargs)

        return counting


async def test_a_snapshot_is_kept_of_the_start_and_after_every_few_steps(house: House, table: Table) -> None:
    table = await house.play_moves(table, f"flip 1; {TRIED}")

    kept = set()
    for version in range(1, table.version + 1):
        pair = await house.store.snapshot(table.id, version)
        assert pair is not None
        kept.add(pair[0])
    assert table.version > 1 + SNAPSHOT_EVERY
    assert kept == {1, 1 + SNAPSHOT_EVERY}


async def test_the_end_of_a_game_is_kept_as_a_snapshot(house: House, table: Table) -> None:
    await house.play_moves(table, "flip 1; flip 2; swap 1; exchange 2 P")

    table = await house.play_moves(table, "pass")

    assert table.outcome is not None
    kept = await house.store.snapshot(table.id, table.version)
    assert kept is not None
    assert kept[0] == table.version


async def test_loading_replays_no_more_than_a_few_moves_at_any_version_and_earlier_ones(
    house: House, monkeypatch: pytest.MonkeyPatch, table: Table
) -> None:
    await house.play_moves(table, "flip 1")
    costs = []
    for move in TRIED.split(";"):
        table = await house.play_moves(table, move)
        with monkeypatch.context() as patched:
            counted = StoreCounts(patched)
            await house.restart().play.perspective(table.id, None)
        costs.append(counted.calls["play"])

    assert max(costs) == SNAPSHOT_EVERY - 1
    assert costs[-1] < SNAPSHOT_EVERY
    repository = Repository(house.store, Engine(house.workers), house.clock)
    for version in range(1, table.version + 1):
        with monkeypatch.context() as patched:
            counted = StoreCounts(patched)
            await repository.state_at(table, version)
        assert counted.calls["play"] <= SNAPSHOT_EVERY


async def test_a_version_before_the_start_has_no_state(house: House, lobby: Table) -> None:
    lobby = await house.lobby.join(lobby.id, user(BO), "Bo")
    lobby = await house.lobby.start(lobby.id, user(ANN))
    repository = Repository(house.store, Engine(house.workers), house.clock)

    with pytest.raises(LookupError, match="no snapshot at or before version 1"):
        await repository.state_at(lobby, 1)


async def test_a_table_that_is_in_memory_is_not_loaded_again(
    house: House, monkeypatch: pytest.MonkeyPatch, table: Table
) -> None:
    again = house.restart()
    await again.parlour.table(table.id)
    counted = StoreCounts(monkeypatch)

    await again.play_moves(table, "flip 1; flip 2")

    assert counted.calls == {"play": 2}


async def test_new_entries_are_in_memory_until_the_table_is_forgotten(house: House, table: Table) -> None:
    table = await house.play_moves(table, "flip 1; flip 2; pass; flip 4; pass")
    store, since = house.parlour.store, table.version - 3
    written = await store.actions(table.id, since, table.version)

    again = [await store.action(table.id, row.version) for row in written]
    house.parlour.forget(table.id)
    read = await store.actions(table.id, since, table.version)

    assert all(one is row for one, row in zip(again, written, strict=True))
    assert read == written == (await store.actions(table.id))[since:]
    assert read[0] is not written[0]


async def test_memory_holds_no_more_tables_than_it_may(
    store: Store, workers: Workers, clock: HouseClock, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [await house.start(ANN, BO, mode="coop") for _ in range(4)]
    repository = Repository(store, Engine(workers), clock, cached=2)
    counted = StoreCounts(monkeypatch)

    for table in [*tables, tables[3], tables[2], tables[0]]:
        assert await repository.table(table.id) == table

    assert counted.calls["table"] == 5


async def test_a_table_that_fell_out_of_memory_is_as_it_was(
    store: Store, workers: Workers, clock: HouseClock, house: House, table: Table
) -> None:
    await house.parlour.keep_thread(table.id, 44)
    table = await house.play_moves(table, "flip 1")
    repository = Repository(store, Engine(workers), clock, cached=1)
    loaded = await repository.load(table.id)
    await repository.table((await house.gather(ANN)).id)

    again = await repository.load(table.id)

    assert again is not loaded
    assert again.table == table
    assert again.position == loaded.position


async def test_a_thread_that_is_settled_while_a_move_is_made_is_kept(house: House, table: Table) -> None:
    await asyncio.gather(house.move(table, ANN, "flip 1"), house.parlour.keep_thread(table.id, 44))

    assert (await house.parlour.table(table.id)).thread_id == 44
    table = await house.play_moves(table, "flip 2")
    assert table.thread_id == 44
    assert await house.restart().parlour.table(table.id) == table


async def test_the_next_wish_is_decided_on_the_other_processs_write(house: House, elsewhere: House) -> None:
    table = await house.start(ANN, BO, mode="coop")
    await elsewhere.play_moves(table, "flip 1")
    assert (await house.parlour.table(table.id)).version == table.version

    with pytest.raises(Stale):
        await house.move(table, ANN, "flip 2", seen=table.version)
    with pytest.raises(Refused, match="It's Bo's turn"):
        await house.move(table, ANN, "flip 2")

    assert (await house.parlour.table(table.id)).owing == (1,)
    await house.move(table, BO, "flip 2")
    assert await house.state(table) == await elsewhere.state(table)


async def test_lobby_and_game_hold_to_the_version_on_disk_alike(house: House, elsewhere: House) -> None:
    table = await house.gather(ANN, BO)
    await elsewhere.lobby.join(table.id, user(CY), "Cy")

    started = await house.lobby.start(table.id, user(ANN))

    assert user(CY) in started.people
    with pytest.raises(Refused, match="has already begun"):
        await elsewhere.decide(table.id, lobby_decisions.leave, user_id=user(CY))


async def test_a_table_that_is_loaded_while_it_moves_on_is_never_older_than_that(house: House) -> None:
    table = await house.start(ANN, BO, mode="coop")
    again = house.restart()

    _, steps = await asyncio.gather(again.parlour.table(table.id), again.move(table, ANN, "flip 1"))

    assert len(steps) == 1
    assert (await again.parlour.table(table.id)).version == table.version + 1


async def test_wishes_at_one_table_wait_for_each_other(house: House, lobby: Table) -> None:
    await asyncio.gather(*(house.lobby.join(lobby.id, 200 + n, f"Guest {n}") for n in range(2)))

    lobby = await house.restart().parlour.table(lobby.id)
    assert (lobby.version, len(lobby.seats)) == (2, 3)


@pytest.mark.parametrize("number", [0, -1, 77, 2**31, 2**53])
async def test_a_number_that_no_table_can_have_is_that_of_none(house: House, number: int) -> None:
    with pytest.raises(Refused, match=f"There's no table {number}"):
        await house.parlour.table(number)


async def know_table(house: House, table_id: int) -> Repository:
    """Return another process that has looked at a table."""
    repository = Repository(house.store, Engine(house.workers), house.clock)
    await repository.load(table_id)
    return repository


async def test_moves_that_another_process_has_made_are_all_that_is_played_again(
    house: House, monkeypatch: pytest.MonkeyPatch, table: Table
) -> None:
    repository = await know_table(house, table.id)
    table = await house.play_moves(table, "flip 1; flip 2; pass")

    repository.invalidate(table.id)
    with monkeypatch.context() as patched:
        counted = StoreCounts(patched)
        state = await repository.load(table.id)
        await repository.load(table.id)

    assert counted.calls == {"table": 1, "actions": 1, "play": table.version - 1}
    assert state.table == table
    assert state.position == (await (await know_table(house, table.id)).load(table.id)).position


@pytest.mark.parametrize("steps", [0, 1, SNAPSHOT_EVERY + 4])
async def test_another_processs_write_is_seen_as_it_is(house: House, steps: int, table: Table) -> None:
    table = await house.play_moves(table, "flip 1; flip 2; pass")
    repository = await know_table(house, table.id)
    await house.play.rollback(table.id, 2, 1)
    for move in TRIED.split(";")[:steps]:
        table = await house.play_moves(table, move)

    repository.invalidate(table.id)
    state = await repository.load(table.id)

    assert state.table == await house.parlour.table(table.id)
    assert state.position == (await (await know_table(house, table.id)).load(table.id)).position


async def test_a_table_that_is_doubted_while_it_is_read_is_read_again(
    house: House, monkeypatch: pytest.MonkeyPatch, table: Table
) -> None:
    repository = await know_table(house, table.id)
    read = house.store.table
    repository.invalidate(table.id)

    async def written_meanwhile(table_id: int) -> Any:
        row = await read(table_id)
        await house.play_moves(table, "flip 1")
        repository.invalidate(table_id)
        return row

    monkeypatch.setattr(house.store, "table", written_meanwhile)
    await repository.load(table.id)
    monkeypatch.undo()

    assert (await repository.load(table.id)).table.version > table.version


async def test_a_read_from_before_an_invalidation_is_not_cached(
    house: House, monkeypatch: pytest.MonkeyPatch, table: Table
) -> None:
    repository = Repository(house.store, Engine(house.workers), house.clock)
    seats = house.store.seats

    async def forgotten_meanwhile(table_id: int) -> Any:
        rows = await seats(table_id)
        await house.store.commit(TableWrite(table_id, table.version, {"thread_id": 77}, ()))
        repository.forget(table_id)
        return rows

    monkeypatch.setattr(house.store, "seats", forgotten_meanwhile)
    assert (await repository.table(table.id)).thread_id is None
    monkeypatch.undo()

    assert (await repository.table(table.id)).thread_id == 77
