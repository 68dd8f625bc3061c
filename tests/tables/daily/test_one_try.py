"""One try a day: no erasure, midnight or clock gives a second one, and none takes a result away."""

import pytest
from msgspec.structs import replace

from db.records import DailyPlayRow, DailyPostRow
from db.subjects.daily import COUNTED, FOR_ONESELF
from tables.clocks.pace import add_days, begins, ends
from tables.core.history import EntryKind
from tables.daily.plays import SEAT, PlayCourse, finish_play, place_plays
from tests.db.rows import everything
from tests.tables.daily.test_plays import TODAY, play_to_the_end
from tests.tables.house import ANN, BO, CHANNEL, GUILD, House, user

pytestmark = pytest.mark.slow
DATABASES = ["sqlite", "postgresql"]


@pytest.fixture(autouse=True)
def noon(house: House) -> None:
    house.clock.now = begins(TODAY) + 12 * 3600


async def find_counted_play(house: House, who: int) -> DailyPlayRow | None:
    return await house.store.daily.play_of(who, TODAY, "ribbon", COUNTED)


async def test_an_erased_person_has_no_second_try_that_day(house: House) -> None:
    await play_to_the_end(house, ANN, "ribbon", seed=3)
    await house.parlour.eraser.erase(user(ANN))

    again = await house.parlour.daily.open(ANN, TODAY, "ribbon")

    assert again.day == TODAY
    assert await find_counted_play(house, user(ANN)) is None
    assert await house.store.daily.play_of(user(ANN), TODAY, "ribbon", FOR_ONESELF) is not None
    await play_to_the_end(house, ANN, "ribbon", seed=4)
    assert await house.store.daily.plays_ended(TODAY, 0.0) == []


async def test_a_try_at_another_game_or_day_or_of_another_person_counts(house: House) -> None:
    await play_to_the_end(house, ANN, "ribbon", seed=3)
    await house.parlour.eraser.erase(user(ANN))

    await house.parlour.daily.open(ANN, TODAY, "tangram")
    await house.parlour.daily.open(BO, TODAY, "ribbon")
    house.clock.now += 86_400
    await house.parlour.daily.open(ANN, add_days(TODAY, 1), "ribbon")

    assert await house.store.daily.play_of(user(ANN), TODAY, "tangram", COUNTED) is not None
    assert await find_counted_play(house, user(BO)) is not None
    assert await house.store.daily.play_of(user(ANN), add_days(TODAY, 1), "ribbon", COUNTED) is not None


async def test_a_saved_try_names_nobody_and_goes_with_its_day(house: House, database: str) -> None:
    await play_to_the_end(house, ANN, "ribbon", seed=3)
    await house.parlour.eraser.erase(user(ANN))
    kept = await everything(database)
    assert len(kept["daily_tries"]) == 1
    assert str(user(ANN)) not in str(kept["daily_tries"])

    house.clock.now += 86_400
    await house.parlour.eraser.forget_old()

    left = await everything(database)
    assert left["daily_tries"] == []
    assert not any("salt of tries" in str(row) for row in left["facts"])


async def test_the_persons_own_last_move_decides_whether_it_was_in_time(house: House) -> None:
    table = await play_to_the_end(house, ANN, "ribbon", seed=3)
    play = await find_counted_play(house, user(ANN))
    assert play is not None
    turns = await house.parlour.record.turns(table)
    trace = await house.store.entry_headers(table.id)
    own = max(row.version for row in trace if row.seat == SEAT and row.kind == EntryKind.MOVE)
    midnight = ends(TODAY)

    def told(own_at: float, others_at: float) -> DailyPlayRow:
        rows = [replace(row, at=own_at if row.version <= own else others_at) for row in trace]
        tallies = [None] * len(turns)
        begun = replace(play, ended_at=None, counts=False)
        return finish_play(begun, table, PlayCourse(rows, turns, tallies), view)

    view = await house.parlour.record.view(table, turns[-1].version, None)
    assert told(midnight - 1, midnight + 5).counts
    assert not told(midnight + 1, midnight + 5).counts


async def test_a_clock_that_is_set_back_opens_no_closed_day(house: House) -> None:
    post = await house.store.daily.claim_post(DailyPostRow(GUILD, TODAY, "ribbon", CHANNEL, 5))
    await play_to_the_end(house, BO, "ribbon", seed=7)
    house.clock.now += 86_400
    finishers = place_plays(await house.store.daily.finishers(GUILD, TODAY, "ribbon"))
    await house.parlour.daily.close(post, finishers)

    house.clock.now -= 86_400
    await house.parlour.daily.open(ANN, TODAY, "ribbon")

    assert await find_counted_play(house, user(ANN)) is None
    assert await house.store.daily.open_posts() == []
    again = await house.store.daily.claim_post(DailyPostRow(GUILD, TODAY, "ribbon", CHANNEL))
    assert again.closed_at is not None
