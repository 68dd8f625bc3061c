import asyncio
from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, select

from db import schema
from db.records import DailyMemberRow, DailyNoticeRow, DailyPostRow
from db.subjects.daily import FOR_ONESELF, PAST_DEALS
from engines.registry import SLUGS, game
from tables.clocks.pace import DAY, add_days, begins, ends
from tables.core.table import Occupant, Phase, Refused, Table
from tables.daily import SEAT, daily_games, game_of, level_of, order, place_plays, rules
from tests.conftest import EITHER_DATABASE
from tests.db.rows import connect, everything, points_on
from tests.tables.daily.test_plays import TODAY, play_to_the_end
from tests.tables.house import ANN, BO, CHANNEL, GUILD, House, user

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
    house.clock.now -= 2 * DAY
    await house.parlour.daily.deal(add_days(PAST, -1), "ribbon")
    house.clock.now += 2 * DAY
    for number in range(PAST_DEALS):
        await give_up(house, add_days(PAST, -(number % 2)))
    before = await house.parlour.daily.open(BO, PAST, "ribbon")

    with pytest.raises(Refused, match="20 past deals today"):
        await house.parlour.daily.open(ANN, PAST, "ribbon")

    assert before.phase is Phase.PLAY
    house.clock.now += DAY
    assert (await house.parlour.daily.open(ANN, PAST, "ribbon")).phase is Phase.PLAY


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


async def test_an_erasure_takes_tables_played_alone_and_the_next_day_their_count(
    house: House, database: str
) -> None:
    await give_up(house)
    await give_up(house, who=BO)

    await house.parlour.eraser.erase(user(ANN))

    assert await number_of(database, "tables") == 1
    assert await number_of(database, "daily_repeats") == 1
    house.clock.now += DAY
    await house.parlour.eraser.forget_old()
    assert await number_of(database, "daily_repeats") == 0


DAYS = st.integers(0, 20_000).map(lambda days: add_days("2020-01-01", days))


@given(DAYS)
def test_each_game_comes_first_once_in_as_many_days_as_there_are_games(day: str) -> None:
    first = [order(add_days(day, shift))[0] for shift in range(2 * len(daily_games()))]

    assert max(Counter(first).values()) <= 3
    assert set(first) == set(daily_games()) == set(SLUGS)
    assert all(sorted(order(add_days(day, shift))) == sorted(daily_games()) for shift in range(3))


@given(DAYS, st.sets(st.sampled_from(SLUGS), min_size=1))
def test_a_server_has_the_first_game_of_the_days_order_that_it_wants(day: str, wanted: set[str]) -> None:
    text = game_of(day, wanted)

    assert text in wanted
    assert not wanted & set(order(day)[: order(day).index(text)])


@pytest.mark.parametrize("slug", SLUGS)
def test_a_week_goes_from_easy_to_hard_through_levels_that_can_be_dealt(slug: str) -> None:
    week = [level_of(add_days("2026-11-23", shift), slug) for shift in range(7)]

    levels = rules(slug).levels
    assert [levels.index(level) for level in week] == sorted(levels.index(level) for level in week)
    assert week[0] == levels[0]
    assert week[-1] == levels[-1]
    for level in rules(slug).levels:
        options = game(slug).settle(level.seats, msgspec.convert(level.options, game(slug).Options))

        deal = game(slug).deal(level.seats, options, b"seed")
        assert game(slug).begin(level.seats, options, deal, b"seed")
    assert all(sign in rules(slug).legend for sign in "🟢🔶🟥")


@pytest.mark.databases(["sqlite", "postgresql"])
async def test_an_erased_person_is_in_no_row_others_keep_points(house: House, database: str) -> None:
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


@pytest.mark.databases(["sqlite", "postgresql"])
async def test_all_of_a_persons_plays_are_in_the_file_of_their_data(house: House) -> None:
    house.clock.now = begins(TODAY) + 3600
    await play_to_the_end(house, ANN, "ribbon", seed=3)

    file = await house.parlour.data_export.file(user(ANN))

    assert file is not None
    assert b'"daily_plays": [\n {' in file.data
    assert TODAY.encode() in file.data


@pytest.mark.databases(["sqlite", "postgresql"])
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


@pytest.fixture(autouse=True)
def noon(house: House) -> None:
    house.clock.now = begins(TODAY) + 12 * 3600


@pytest.mark.parametrize("slug", SLUGS)
async def test_a_finished_play_reveals_no_more_of_the_deal_that_day(house: House, slug: str) -> None:
    table = await play_to_the_end(house, ANN, slug, seed=1)
    record = house.parlour.record
    last = (await record.turns(table))[-1]
    seen = await house.parlour.play.perspective(table.id, user(ANN))
    during = [
        seen.view,
        await record.view(table, last.version, SEAT),
        *await record.views(table, [last], SEAT),
    ]

    with pytest.raises(Refused, match="Others are still playing this deal"):
        await record.hands(table, last.version)
    house.clock.now = ends(TODAY)
    after = await record.view(table, last.version, SEAT)

    assert all(one == during[0] for one in during)
    assert len(str(after)) > 0
    assert after != during[0]
    assert len(await record.hands(table, last.version)) == len(table.seats)
