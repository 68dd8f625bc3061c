"""Past deals can be played again and again, at one table each, and only some a day."""

import asyncio

import pytest
from sqlalchemy import func, select

from db import schema
from db.subjects.daily import FOR_ONESELF, PAST_DEALS
from tables.clocks.pace import DAY, add_days, begins
from tables.core.table import Occupant, Phase, Refused, Table
from tests.conftest import EITHER_DATABASE
from tests.db.rows import connect
from tests.tables.daily.test_plays import TODAY, play_to_the_end
from tests.tables.house import ANN, BO, House, user

DATABASES = EITHER_DATABASE
PAST = add_days(TODAY, -1)


@pytest.fixture(autouse=True)
async def past(house: House) -> str:
    house.clock.now = begins(PAST) + 3600
    await house.parlour.daily.deal(PAST, "ribbon")
    house.clock.now += DAY
    return PAST


async def give_up(house: House, day: str = PAST, who: Occupant = ANN) -> Table:
    table = await house.parlour.daily.open(who, day, "ribbon")
    return await house.play.resign(table.id, user(who))


async def number_of(database: str, name: str) -> int:
    async with connect(database) as connection:
        rows = await connection.execute(select(func.count()).select_from(schema.metadata.tables[name]))
        return int(rows.scalar_one())


async def test_a_past_deal_is_played_again_at_the_same_table(house: House) -> None:
    first = await give_up(house)

    again = await house.parlour.daily.open(ANN, PAST, "ribbon")

    assert (again.id, again.phase, again.deal) == (first.id, Phase.PLAY, first.deal)
    assert again.version > first.version
    assert await house.play.moves(again.id, user(ANN))


async def test_earlier_play_is_forgotten(house: House, database: str) -> None:
    await give_up(house)
    entries = await number_of(database, "actions")
    for _ in range(5):
        await give_up(house)

    assert await number_of(database, "tables") == 1
    assert await number_of(database, "actions") <= entries + 1
    assert await number_of(database, "snapshots") <= 3


async def test_a_second_play_is_the_first_once_more(house: House) -> None:
    first = await play_to_the_end(house, ANN, "ribbon", day=PAST)
    result = await house.store.daily.play_of(user(ANN), PAST, "ribbon", FOR_ONESELF)

    again = await play_to_the_end(house, ANN, "ribbon", day=PAST)

    second = await house.store.daily.play_of(user(ANN), PAST, "ribbon", FOR_ONESELF)
    assert result is not None
    assert second is not None
    assert (again.id, again.outcome) == (first.id, first.outcome)
    assert (second.said, second.moves, second.signs) == (result.said, result.moves, result.signs)
    assert second.begun_at > result.begun_at
    assert not second.counts


async def test_a_play_that_goes_on_is_gone_on_with(house: House) -> None:
    table = await house.parlour.daily.open(ANN, PAST, "ribbon")

    again = [await house.parlour.daily.open(ANN, PAST, "ribbon") for _ in range(PAST_DEALS + 1)]

    assert {one.id for one in again} == {table.id}
    assert {one.version for one in again} == {table.version}


async def test_a_person_begins_so_many_past_deals_a_day_and_no_more(house: House) -> None:
    for _ in range(PAST_DEALS):
        await give_up(house)
    before = await house.parlour.daily.open(BO, PAST, "ribbon")

    with pytest.raises(Refused, match="20 past deals today"):
        await house.parlour.daily.open(ANN, PAST, "ribbon")

    assert before.phase is Phase.PLAY
    house.clock.now += DAY
    assert (await house.parlour.daily.open(ANN, PAST, "ribbon")).phase is Phase.PLAY


async def test_other_days_count_towards_the_same_limit(house: House) -> None:
    house.clock.now -= 2 * DAY
    await house.parlour.daily.deal(add_days(PAST, -1), "ribbon")
    house.clock.now += 2 * DAY
    for number in range(PAST_DEALS):
        await give_up(house, add_days(PAST, -(number % 2)))

    with pytest.raises(Refused, match="20 past deals today"):
        await give_up(house)


async def test_two_processes_begin_a_play_again_once(house: House, elsewhere: House) -> None:
    table = await give_up(house)
    await elsewhere.parlour.table(table.id)

    both = await asyncio.gather(
        *(one.parlour.daily.open(ANN, PAST, "ribbon") for one in (house, elsewhere)), return_exceptions=True
    )

    begun = [one for one in both if isinstance(one, Table)]
    assert {one.id for one in begun} == {table.id}
    assert (await house.store.daily.play_of(user(ANN), PAST, "ribbon", FOR_ONESELF)) is not None
    assert await elsewhere.play.moves(table.id, user(ANN))


async def test_an_erasure_takes_tables_that_were_played_alone(house: House, database: str) -> None:
    await give_up(house)
    await give_up(house, who=BO)

    await house.parlour.eraser.erase(user(ANN))

    assert await number_of(database, "tables") == 1
    assert await number_of(database, "daily_repeats") == 1


async def test_the_count_is_forgotten_when_the_day_is_over(house: House, database: str) -> None:
    await give_up(house)
    house.clock.now += DAY

    await house.parlour.eraser.forget_old()

    assert await number_of(database, "daily_repeats") == 0
