"""An erased person is in no row of the deal of the day, and posts that may show them are redrawn."""

import pytest

from db.records import DailyMemberRow, DailyNoticeRow, DailyPostRow
from tables.clocks.pace import begins
from tables.daily.plays import place_plays
from tests.db.rows import everything, points_on
from tests.tables.daily.test_plays import TODAY, play_to_the_end
from tests.tables.house import ANN, BO, CHANNEL, GUILD, House, user

pytestmark = pytest.mark.slow
DATABASES = ["sqlite", "postgresql"]


async def test_an_erased_person_is_in_no_row_and_others_keep_their_points(
    house: House, database: str
) -> None:
    house.clock.now = begins(TODAY) + 3600
    daily, store = house.parlour.daily, house.store.daily
    post = await store.claim_post(DailyPostRow(GUILD, TODAY, "ribbon", CHANNEL, 5))
    for one in (ANN, BO):
        await play_to_the_end(house, one, "ribbon", seed=user(one))
        await store.note_members([DailyMemberRow(GUILD, user(one), True, house.clock.now)])
        await store.ask_notices([DailyNoticeRow(user(one), TODAY, GUILD, house.clock.now)])
    await daily.open(ANN, TODAY, "tesla")
    await house.settle()
    await daily.close(post, place_plays(await store.finishers(GUILD, TODAY, "ribbon")))
    assert len(await points_on(house.store, GUILD, TODAY)) == 2

    await house.parlour.eraser.erase(user(ANN))

    left = {
        name: [str(row) for row in rows if str(user(ANN)) in str(row) or ANN.name in str(row)]
        for name, rows in (await everything(database)).items()
    }
    assert {name: rows for name, rows in left.items() if rows} == {}
    assert [row.name for row in await points_on(house.store, GUILD, TODAY)] == [BO.name]
    assert [row.day for row in await store.stale_posts()] == [TODAY]
    assert await daily.streak(user(ANN)) == 0
    assert await daily.streak(user(BO)) == 1


async def test_all_of_a_persons_plays_are_in_the_file_of_their_data(house: House) -> None:
    house.clock.now = begins(TODAY) + 3600
    await play_to_the_end(house, ANN, "ribbon", seed=3)

    file = await house.parlour.data_export.file(user(ANN))

    assert file is not None
    assert b'"daily_plays": [\n {' in file.data
    assert TODAY.encode() in file.data


async def test_a_server_that_is_erased_leaves_no_row(house: House, database: str) -> None:
    house.clock.now = begins(TODAY) + 3600
    store = house.store.daily
    post = await store.claim_post(DailyPostRow(GUILD, TODAY, "ribbon", CHANNEL, 5))
    await play_to_the_end(house, ANN, "ribbon", seed=3)
    await store.note_members([DailyMemberRow(GUILD, user(ANN), True, house.clock.now)])
    await house.parlour.daily.close(post, place_plays(await store.finishers(GUILD, TODAY, "ribbon")))

    await house.parlour.servers.compare({GUILD})
    assert await house.parlour.servers.removed_servers() == {}
    await house.store.servers.erase_rest(GUILD)

    rows = await everything(database)
    assert not rows["daily_posts"] + rows["daily_points"] + rows["daily_members"]
    assert len(rows["daily_plays"]) == 1
