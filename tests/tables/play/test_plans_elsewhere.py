"""Two processes with one table: a plan made in one is played by the other, once, and never lost."""

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

from db.processes.shards import ChangeNotice
from engines.tanglewood.moves import TanglewoodDraw
from engines.tanglewood.pieces.components import TanglewoodOptions
from tables.core.table import Occupant, Stale, Table
from tables.play import plans
from tests.conftest import EVERY_DATABASE
from tests.tables.house import ADMIN, ANN, BO, CHANNEL, CY, GUILD, House, user

pytestmark = pytest.mark.slow
DATABASES = EVERY_DATABASE
DRAW = TanglewoodDraw()


@pytest.fixture
async def table(house: House, elsewhere: House) -> Table:
    """Start a game that both processes know: Ann first, Bo, Cy.

    The house acts for its server; no notice of what is written elsewhere reaches it.
    """
    for one, shard in ((house, 0), (elsewhere, 1)):
        one.store.shards.divide(2, {shard})
        one.store.shards.hearing = True
    options = TanglewoodOptions(first="host")
    opened = await house.lobby.create(GUILD, CHANNEL, ANN, "tanglewood", options, (BO, CY))
    started = await house.lobby.start(opened.id, user(ANN))
    await house.settle()
    return await elsewhere.parlour.table(started.id)


async def moment(house: House, table: Table, who: Occupant) -> int:
    perspective = await house.parlour.plans.perspective(table.id, user(who))
    assert perspective is not None
    return perspective.table.moment


async def send_plan(house: House, table: Table, who: Occupant) -> None:
    await house.parlour.decide(table.id, plans.add_choice, user_id=user(who), moves=[DRAW], seen=None)
    await house.parlour.decide(table.id, plans.send, user_id=user(who), seen=await moment(house, table, who))


async def kinds(house: House, table: Table, seat: int) -> list[str]:
    return [row.kind for row in await house.store.actions(table.id) if row.seat == seat]


async def both(*doing: Awaitable[Any]) -> list[Any]:
    """Do things at once; return the results and the refusals."""
    return await asyncio.gather(*doing, return_exceptions=True)


async def test_a_plan_of_another_process_is_played(house: House, elsewhere: House, table: Table) -> None:
    await send_plan(elsewhere, table, BO)

    await house.play.move(table.id, user(ANN), [DRAW])

    assert await kinds(house, table, seat=1) == ["planned", "move"]
    assert (await house.parlour.table(table.id)).owing == (2,)


async def test_a_plan_and_the_move_before_it_may_come_at_once(
    house: House, elsewhere: House, table: Table
) -> None:
    await elsewhere.parlour.decide(table.id, plans.add_choice, user_id=user(BO), moves=[DRAW], seen=None)
    seen = await moment(elsewhere, table, BO)

    moved, sent = await both(
        house.play.move(table.id, user(ANN), [DRAW]),
        elsewhere.parlour.decide(table.id, plans.send, user_id=user(BO), seen=seen),
    )

    assert not isinstance(moved, Exception)
    after = await house.restart().parlour.table(table.id)
    if isinstance(sent, Stale):
        assert after.owing == (1,)
        assert after.plan_of(1) is not None
    else:
        assert not isinstance(sent, Exception)
        assert await kinds(house, table, seat=1) == ["planned", "move"]


async def test_one_of_two_choices_at_once_is_planned(house: House, elsewhere: House, table: Table) -> None:
    seen = await moment(house, table, BO)

    results = await both(
        *(
            one.parlour.decide(table.id, plans.add_choice, user_id=user(BO), moves=[DRAW], seen=seen)
            for one in (house, elsewhere)
        )
    )

    assert sorted(type(one).__name__ for one in results) == ["ApplyResult", "Stale"]
    plan = (await house.restart().parlour.table(table.id)).plan_of(1)
    assert plan is not None
    assert len(plan.promises) == 1


async def test_plans_of_two_people_at_once_are_both_kept(
    house: House, elsewhere: House, table: Table
) -> None:
    await both(send_plan(house, table, BO), send_plan(elsewhere, table, CY))

    await house.play.move(table.id, user(ANN), [DRAW])

    after = await house.restart().parlour.table(table.id)
    assert after.owing == (0,)
    assert await kinds(house, table, seat=2) == ["planned", "move"]


async def test_a_plan_dropped_elsewhere_is_not_played(house: House, elsewhere: House, table: Table) -> None:
    await send_plan(house, table, BO)
    await elsewhere.parlour.decide(
        table.id, plans.drop, user_id=user(BO), seen=await moment(elsewhere, table, BO)
    )

    await house.play.move(table.id, user(ANN), [DRAW])

    assert await kinds(house, table, seat=1) == []
    assert (await house.parlour.table(table.id)).owing == (1,)


async def test_a_rollback_elsewhere_ends_plans(house: House, elsewhere: House, table: Table) -> None:
    await house.play.move(table.id, user(ANN), [DRAW])
    await send_plan(house, table, ANN)

    await elsewhere.play.rollback(table.id, 1, ADMIN)
    house.parlour.ownership.on_notice(ChangeNotice("other", "table", table.id, GUILD))
    await house.parlour.ownership.finish()
    await house.play.move(table.id, user(ANN), [DRAW])
    await house.play.move(table.id, user(BO), [DRAW])
    await house.play.move(table.id, user(CY), [DRAW])

    assert "planned" not in await kinds(house, table, seat=0)
    assert (await house.parlour.table(table.id)).owing == (0,)


async def test_a_plan_outlives_both_processes(house: House, elsewhere: House, table: Table) -> None:
    await send_plan(elsewhere, table, BO)
    again = house.restart()

    await again.play.move(table.id, user(ANN), [DRAW])

    assert await kinds(again, table, seat=1) == ["planned", "move"]
