"""Two processes on one database: one deal, one try, one post, one count."""

import asyncio

import pytest

from db.records import DailyPostRow
from tables.clocks.pace import begins
from tests.db.rows import points_on
from tests.tables.daily.test_plays import TODAY, play_to_the_end
from tests.tables.house import ANN, BO, CHANNEL, GUILD, House, user

pytestmark = pytest.mark.slow
DATABASES = ["postgresql"]


async def test_two_processes_make_one_deal_and_open_one_try(house: House, elsewhere: House) -> None:
    house.clock.now = begins(TODAY) + 3600
    both = (house, elsewhere)

    deals = await asyncio.gather(*(one.parlour.daily.deal(TODAY, "tesla") for one in both))
    tables = await asyncio.gather(*(one.parlour.daily.open(ANN, TODAY, "tesla") for one in (*both, *both)))
    others = await asyncio.gather(*(one.parlour.daily.open(BO, TODAY, "tesla") for one in both))

    assert deals[0] == deals[1]
    assert len({table.id for table in tables}) == 1
    assert len({table.id for table in others}) == 1
    assert tables[0].deal == others[0].deal


async def test_two_processes_claim_one_post_and_note_its_points_once(house: House, elsewhere: House) -> None:
    house.clock.now = begins(TODAY) + 3600
    await play_to_the_end(house, ANN, "ribbon", seed=2)
    await house.parlour.daily.note_member(GUILD, user(ANN), member=True)
    both = (house, elsewhere)

    posts = await asyncio.gather(
        *(
            one.store.daily.claim_post(DailyPostRow(GUILD, TODAY, "ribbon", CHANNEL, number))
            for number, one in enumerate(both)
        )
    )
    finishers = await house.parlour.daily.placed_finishers(GUILD, TODAY, "ribbon")
    await asyncio.gather(*(one.parlour.daily.close(posts[0], finishers) for one in both))

    assert posts[0] == posts[1]
    assert [row.points for row in await points_on(elsewhere.store, GUILD, TODAY)] == [10]
    assert [row.points for row in await elsewhere.store.daily.standing(GUILD, TODAY, TODAY)] == [10]


async def test_a_play_that_ends_is_counted_once_by_whoever_looks(house: House, elsewhere: House) -> None:
    house.clock.now = begins(TODAY) + 3600
    table = await play_to_the_end(house, ANN, "ribbon", seed=2)
    play = await house.store.daily.play_at(table.id)

    await elsewhere.parlour.standings.sweep()
    await elsewhere.parlour.daily.settle(await elsewhere.parlour.table(table.id))

    assert await elsewhere.store.daily.play_at(table.id) == play
    assert await elsewhere.store.standings.uncounted() == []
