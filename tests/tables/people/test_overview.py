import pytest
from msgspec.structs import replace
from sqlalchemy import event

from engines.game import Strength
from tables.clocks.pace import DAY, HOUR, read_pace
from tables.core.table import Occupant, ProposalKind, Table
from tables.lobby import decisions as lobby_decisions
from tests.engines.ribbon.games import NEARLY
from tests.tables.conftest import Dealt
from tests.tables.house import ANN, BO, CY, DEE, House, user


@pytest.fixture(autouse=True)
def deck(deal_next: Dealt) -> None:
    """Deal games that are not lost at once."""
    deal_next(NEARLY)


async def start_co_op(house: House, *occupants: Occupant, pace: str = "daily") -> Table:
    lobby = await house.gather(*occupants, mode="coop", first="host")
    await house.lobby.set_terms(lobby.id, user(occupants[0]), pace=read_pace(pace))
    return await house.lobby.start(lobby.id, user(occupants[0]))


async def overview(house: House, who: Occupant = ANN) -> tuple[list[int], list[int], list[int], list[int]]:
    """Return somebody's tables: own moves, others' moves, lobbies, ended. Ended ones are of the last week."""
    result = await house.parlour.overviews.of(user(who), house.clock.now - 7 * DAY)
    return (
        [standing.table.id for standing in result.mine],
        [standing.table.id for standing in result.others],
        [table.id for table in result.lobbies],
        [table.id for table in result.ended],
    )


async def next_id(house: House, beside: int = 0, who: Occupant = ANN) -> int | None:
    """Return somebody's most urgent table, except `beside`."""
    turn = await house.parlour.overviews.next_turn(user(who), beside)
    return None if turn is None else turn.table_id


async def test_tables_are_told_apart(house: House) -> None:
    mine = await start_co_op(house, ANN, BO)
    others = await start_co_op(house, BO, ANN)
    lobby = await house.gather(CY, ANN)
    ended = await start_co_op(house, ANN, CY)
    await house.play.resign(ended.id, user(ANN))
    await start_co_op(house, BO, CY)
    cancelled = await house.gather(ANN)
    await house.decide(cancelled.id, lobby_decisions.cancel, user_id=user(ANN))

    assert await overview(house) == ([mine.id], [others.id], [lobby.id], [ended.id])
    house.clock.now += 8 * DAY
    assert (await overview(house))[3] == []


async def test_the_most_urgent_comes_first(house: House) -> None:
    slow = await start_co_op(house, ANN, BO, pace="weekly")
    quick = await start_co_op(house, ANN, BO, pace="brisk")
    free = await start_co_op(house, ANN, BO, pace="none")

    assert (await overview(house))[0] == [quick.id, free.id, slow.id]
    assert await next_id(house) == quick.id
    assert await next_id(house, quick.id) == free.id


async def test_where_one_is_late_comes_before_all(house: House) -> None:
    late = await start_co_op(house, ANN, BO, pace="brisk")
    house.clock.now += 12 * HOUR + 1
    await house.parlour.due.look(late.id)
    live = await start_co_op(house, ANN, BO, pace="live")

    assert (await overview(house))[0] == [late.id, live.id]
    assert await next_id(house) == late.id
    turn = await house.parlour.overviews.next_turn(user(ANN), 0)
    assert turn is not None
    assert turn.until is None


async def test_a_paused_table_and_one_where_a_computer_makes_the_turn_wait_for_nobody(house: House) -> None:
    paused = await start_co_op(house, ANN, BO)
    for who in (ANN, BO):
        await house.parlour.proposals.propose(paused.id, user(who), ProposalKind.PAUSE)

    assert await overview(house) == ([], [paused.id], [], [])
    assert await next_id(house) is None


async def test_a_person_with_no_duty_has_no_next_table(house: House) -> None:
    table = await start_co_op(house, ANN, BO)
    await start_co_op(house, BO, ANN)

    assert await next_id(house, table.id) is None
    assert await next_id(house, who=DEE) is None


async def test_quiet_hours_and_paces_count_in_what_is_next(house: House) -> None:
    table = await start_co_op(house, ANN, BO)
    turn = await house.parlour.overviews.next_turn(user(ANN), 0)
    assert turn is not None
    (waited,) = await house.parlour.waited_people(table)

    assert turn.until == waited.until
    assert (turn.slug, turn.version) == ("ribbon", table.version)


class ReadCounts:
    """Counts the statements that a store reads by."""

    def __init__(self, house: House) -> None:
        self.number = 0
        engine = house.store._reader.connections.engine
        event.listen(engine, "before_cursor_execute", self._count)

    def _count(self, *_args: object) -> None:
        self.number += 1


async def test_however_many_tables_there_are_it_takes_a_few_queries(house: House) -> None:
    for number in range(6):
        table = await start_co_op(house, ANN, replace(BO, user_id=200 + number))
        if number % 2:
            await house.lobby.add_computer((await house.gather(ANN)).id, user(ANN), Strength.MEDIUM)
        assert table.version
    again = house.restart()
    await again.parlour.waited_people(table)
    counted = ReadCounts(again)

    result = await again.parlour.overviews.of(user(ANN), 0.0)

    assert len(result.mine) == 6
    assert counted.number == 4
    counted.number = 0
    assert await next_id(again) is not None
    assert counted.number == 1
