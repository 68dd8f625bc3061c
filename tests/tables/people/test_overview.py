"""A person's tables at a glance: what waits for them and for others, lobbies, what ended, what is next."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from sqlalchemy import event

from engines.game import Strength
from tables.clocks.pace import DAY, HOUR, read_pace
from tables.core.table import Occupant, ProposalKind, Table
from tests.engines.ribbon.games import NEARLY
from tests.tables.conftest import Dealt
from tests.tables.house import ANN, BO, CY, DEE, House, user


@pytest.fixture(autouse=True)
def deck(dealt: Dealt) -> None:
    """Games that are not lost at once."""
    dealt(NEARLY)


async def opened(house: House, *occupants: Occupant, pace: str = "daily") -> Table:
    """A co-op game at a pace in which the first is waited for."""
    lobby = await house.gathered(*occupants, mode="coop", first="host")
    await house.lobby.set_terms(lobby.id, user(occupants[0]), pace=read_pace(pace))
    return await house.lobby.start(lobby.id, user(occupants[0]))


async def overview(house: House, who: Occupant = ANN) -> tuple[list[int], list[int], list[int], list[int]]:
    """The numbers of somebody's tables: waiting for them, for others, lobbies, ended in the last week."""
    found = await house.parlour.overviews.of(user(who), house.clock.now - 7 * DAY)
    return (
        [standing.table.id for standing in found.mine],
        [standing.table.id for standing in found.others],
        [table.id for table in found.lobbies],
        [table.id for table in found.ended],
    )


async def next_id(house: House, beside: int = 0, who: Occupant = ANN) -> int | None:
    """The number of the table that waits for somebody most urgently, beside one."""
    turn = await house.parlour.overviews.next_turn(user(who), beside)
    return None if turn is None else turn.table_id


async def test_tables_are_told_apart(house: House) -> None:
    mine = await opened(house, ANN, BO)
    others = await opened(house, BO, ANN)
    lobby = await house.gathered(CY, ANN)
    ended = await opened(house, ANN, CY)
    await house.play.resign(ended.id, user(ANN))
    await opened(house, BO, CY)
    cancelled = await house.gathered(ANN)
    await house.lobby.cancel(cancelled.id, user(ANN))

    assert await overview(house) == ([mine.id], [others.id], [lobby.id], [ended.id])
    house.clock.now += 8 * DAY
    assert (await overview(house))[3] == []


async def test_the_most_urgent_comes_first(house: House) -> None:
    slow = await opened(house, ANN, BO, pace="weekly")
    quick = await opened(house, ANN, BO, pace="brisk")
    free = await opened(house, ANN, BO, pace="none")

    assert (await overview(house))[0] == [quick.id, free.id, slow.id]
    assert await next_id(house) == quick.id
    assert await next_id(house, quick.id) == free.id


async def test_where_one_is_late_comes_before_all(house: House) -> None:
    late = await opened(house, ANN, BO, pace="brisk")
    house.clock.now += 12 * HOUR + 1
    await house.parlour.due.look(late.id)
    live = await opened(house, ANN, BO, pace="live")

    assert (await overview(house))[0] == [late.id, live.id]
    assert await next_id(house) == late.id
    turn = await house.parlour.overviews.next_turn(user(ANN), 0)
    assert turn is not None
    assert turn.until is None


async def test_a_paused_table_and_one_where_a_computer_makes_the_turn_wait_for_nobody(house: House) -> None:
    paused = await opened(house, ANN, BO)
    for who in (ANN, BO):
        await house.parlour.proposals.propose(paused.id, user(who), ProposalKind.PAUSE)

    assert await overview(house) == ([], [paused.id], [], [])
    assert await next_id(house) is None


async def test_who_is_waited_for_nowhere_has_no_next_table(house: House) -> None:
    table = await opened(house, ANN, BO)
    await opened(house, BO, ANN)

    assert await next_id(house, table.id) is None
    assert await next_id(house, who=DEE) is None


async def test_quiet_hours_and_paces_count_in_what_is_next(house: House) -> None:
    table = await opened(house, ANN, BO)
    turn = await house.parlour.overviews.next_turn(user(ANN), 0)
    assert turn is not None
    (waited,) = await house.parlour.waited_people(table)

    assert turn.until == waited.until
    assert (turn.slug, turn.version) == ("ribbon", table.version)


class Counted:
    """Counts the statements that a store reads by."""

    def __init__(self, house: House) -> None:
        self.number = 0
        engine = house.store._reader.connections.engine
        event.listen(engine, "before_cursor_execute", self._count)

    def _count(self, *_args: object) -> None:
        self.number += 1


async def test_however_many_tables_there_are_it_takes_a_few_queries(house: House) -> None:
    for number in range(6):
        table = await opened(house, ANN, replace(BO, user_id=200 + number))
        if number % 2:
            await house.lobby.add_computer((await house.gathered(ANN)).id, user(ANN), Strength.MEDIUM)
        assert table.version
    again = house.restarted()
    await again.parlour.waited_people(table)
    counted = Counted(again)

    found = await again.parlour.overviews.of(user(ANN), 0.0)

    assert len(found.mine) == 6
    assert counted.number == 4
    counted.number = 0
    assert await next_id(again) is not None
    assert counted.number == 1
