import asyncio
from collections.abc import Awaitable
from random import Random
from typing import Any

import pytest

from db.processes import ChangeNotice
from engines.game import Strength
from engines.tanglewood.moves import TanglewoodDraw
from engines.tanglewood.pieces.components import TanglewoodOptions
from tables.clocks.pace import DAY, HOUR
from tables.core.table import Occupant, Stale, StandingAnswer, Table
from tables.play import plans
from tables.play.plans import LONGEST_WAIT
from tests.conftest import EVERY_DATABASE
from tests.tables.house import ADMIN, ANN, BO, CHANNEL, CY, GUILD, House, user

DATABASES = EVERY_DATABASE


DRAW = TanglewoodDraw()


@pytest.fixture
async def table(house: House, elsewhere: House, shard_split: None) -> Table:
    """Start a game that both processes know: Ann first, Bo, Cy.

    The house acts for its server; no notice of what is written elsewhere reaches it.
    """
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


async def test_a_plan_and_its_move_may_come_at_once(house: House, elsewhere: House, table: Table) -> None:
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


async def test_two_peoples_plans_at_once_are_both_kept(house: House, elsewhere: House, table: Table) -> None:
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


async def open_table(house: House) -> Table:
    options = TanglewoodOptions(first="host", length="short")
    opened = await house.lobby.create(GUILD, CHANNEL, ANN, "tanglewood", options, (BO, CY))
    return await house.lobby.start(opened.id, user(ANN))


async def make_move(house: House, table: Table, who: Occupant) -> Table:
    perspective = await house.play.perspective(table.id, user(who))
    move = table.game.choose(perspective.view, perspective.me, Random(1), Strength.EASY)
    await house.play.move(table.id, user(who), [move])
    return await house.parlour.table(table.id)


async def reach_ballots(house: House, table: Table) -> Table:
    """Play until Bo owes a choice of ballots."""
    while True:
        seat = table.seat_of(user(BO))
        view = (await house.play.perspective(table.id, user(BO))).view
        others = [one for one in table.owing if one != seat]
        if seat in table.owing and table.game.is_answer_secret(view, seat):
            return table
        table = await make_move(house, table, table.seats[others[0] if others else table.owing[0]])


def answer_of(table: Table, who: Occupant) -> StandingAnswer:
    return next(one for one in table.standing if one.user_id == user(who))


async def test_ballots_are_played_by_a_standing_answer_after_a_while(house: House) -> None:
    table = await open_table(house)
    await house.parlour.decide(table.id, plans.set_answer, user_id=user(BO), answer="most_votes")
    table = await reach_ballots(house, table)
    waits = answer_of(table, BO).at - house.clock.now
    owing = table.owing

    house.clock.now += LONGEST_WAIT
    await house.parlour.due.sweep()

    after = await house.parlour.table(table.id)
    assert 0 < waits <= LONGEST_WAIT
    assert after.owing != owing
    rows = await house.store.actions(table.id)
    assert user(BO) in {row.actor_id for row in rows if row.version > table.version}


async def test_who_answers_in_person_is_not_answered_for(house: House) -> None:
    table = await open_table(house)
    await house.parlour.decide(table.id, plans.set_answer, user_id=user(BO), answer="most_votes")
    table = await reach_ballots(house, table)

    table = await make_move(house, table, BO)
    made = len(await house.store.actions(table.id))
    house.clock.now += LONGEST_WAIT
    await house.parlour.due.sweep()

    assert answer_of(table, BO).at == 0.0
    assert len(await house.store.actions(table.id)) == made


async def test_nobody_else_learns_of_a_standing_answer(house: House) -> None:
    table = await reach_ballots(house, await open_table(house))
    await house.settle()
    people = [*(user(who) for who in (ANN, CY)), None]
    before = [(await house.play.perspective(table.id, who)).view for who in people]
    posts = len(house.courier.shown)

    await house.parlour.decide(table.id, plans.set_answer, user_id=user(BO), answer="most_votes")
    await house.settle()

    assert [(await house.play.perspective(table.id, who)).view for who in people] == before
    assert len(house.courier.shown) == posts
    assert (await house.parlour.table(table.id)).version == table.version
    assert answer_of(await house.parlour.table(table.id), BO).at > house.clock.now


async def wait_for_ballots(house: House) -> tuple[Table, float]:
    """Let a standing answer of Bo's wait; return its seconds."""
    await house.parlour.resume()
    table = await open_table(house)
    await house.parlour.decide(table.id, plans.set_answer, user_id=user(BO), answer="most_votes")
    table = await reach_ballots(house, table)
    return table, answer_of(table, BO).at - house.clock.now


@pytest.mark.parametrize("seconds", [2 * HOUR, 30 * DAY])
async def test_an_answer_waits_as_long_as_it_said_through_a_jump(house: House, seconds: float) -> None:
    table, waits = await wait_for_ballots(house)
    seat = table.seat_of(user(BO))

    house.clock.now += seconds
    await house.parlour.resume()
    assert seat in (await house.parlour.table(table.id)).owing

    house.clock.now += waits
    await house.parlour.due.look(table.id)
    assert seat not in (await house.parlour.table(table.id)).owing


@pytest.mark.parametrize("seconds", [2 * HOUR, 30 * DAY])
async def test_an_answer_ignores_a_clock_that_was_set_back(house: House, seconds: float) -> None:
    table, _ = await wait_for_ballots(house)

    house.clock.now -= seconds
    await house.parlour.due.look(table.id)

    assert 0 < answer_of(await house.parlour.table(table.id), BO).at - house.clock.now <= LONGEST_WAIT
