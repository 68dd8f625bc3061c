"""Standing answers to secret questions: given as late as a person would, so that nobody learns of them."""

from random import Random

import pytest

from engines.game import Strength
from engines.tanglewood.pieces.components import TanglewoodOptions
from tables.clocks.pace import DAY, HOUR
from tables.core.table import Occupant, StandingAnswer, Table
from tables.play import plans
from tables.play.plans import LONGEST_WAIT
from tests.conftest import EITHER_DATABASE
from tests.tables.house import ANN, BO, CHANNEL, CY, GUILD, House, user

pytestmark = pytest.mark.slow
DATABASES = EITHER_DATABASE


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
async def test_an_answer_waits_through_a_jump_of_the_clock_as_long_as_it_said(
    house: House, seconds: float
) -> None:
    table, waits = await wait_for_ballots(house)
    seat = table.seat_of(user(BO))

    house.clock.now += seconds
    await house.parlour.resume()
    assert seat in (await house.parlour.table(table.id)).owing

    house.clock.now += waits
    await house.parlour.due.look(table.id)
    assert seat not in (await house.parlour.table(table.id)).owing


@pytest.mark.parametrize("seconds", [2 * HOUR, 30 * DAY])
async def test_an_answer_does_not_wait_for_the_instant_of_a_clock_that_was_set_back(
    house: House, seconds: float
) -> None:
    table, _ = await wait_for_ballots(house)

    house.clock.now -= seconds
    await house.parlour.due.look(table.id)

    assert 0 < answer_of(await house.parlour.table(table.id), BO).at - house.clock.now <= LONGEST_WAIT
