import json

import pytest
from msgspec.structs import replace

from db.records import ResultRow
from tables.clocks.pace import HOUR, MINUTE
from tables.standings.ratings import FEWEST_GAMES, FEWEST_MOVES, Habits, habits_of, usual_hours
from tests.tables.house import ANN, BO, CY, GUILD, House, user
from tests.tables.standings.games import begin_game, lose_game

STAYED = ResultRow(
    table_id=1,
    user_id=user(ANN),
    guild_id=GUILD,
    game="ribbon",
    kind="versus",
    options="{}",
    name="Ann",
    seats=2,
    stayed=True,
    counts=True,
    place=1,
    won=None,
    score=None,
    turns=0,
    seconds=0.0,
    ended_at=0.0,
)
FEW = [replace(STAYED, table_id=number) for number in range(FEWEST_GAMES)]


async def habits(house: House, who: int, viewer: int | None = None) -> Habits | None:
    return await house.parlour.standings.habits(GUILD, who, viewer)


@pytest.mark.slow
async def test_those_who_stay_finish_their_games_and_those_who_leave_do_not(house: House) -> None:
    for _ in range(FEWEST_GAMES):
        await lose_game(house, ANN, BO)

    left, stayed = await habits(house, user(ANN)), await habits(house, user(BO))

    assert left is not None
    assert stayed is not None
    assert (left.finished, left.games) == (0, FEWEST_GAMES)
    assert (stayed.finished, stayed.games) == (FEWEST_GAMES, FEWEST_GAMES)


@pytest.mark.slow
async def test_leavers_are_counted_unless_they_hide(house: House) -> None:
    people = [user(ANN), user(BO), user(CY)]
    for _ in range(FEWEST_GAMES):
        await lose_game(house, ANN, BO)

    shown = await house.parlour.standings.count_leavers(GUILD, people, 90)
    await house.parlour.personal_settings.change(user(ANN), lambda person: replace(person, hidden=True))

    assert shown == 1
    assert await house.parlour.standings.count_leavers(GUILD, people, 90) == 0


@pytest.mark.slow
async def test_a_persons_file_has_their_habits_in_each_server(house: House) -> None:
    for _ in range(FEWEST_GAMES):
        await lose_game(house, ANN, BO)

    exported = await house.parlour.data_export.file(user(ANN))

    assert exported is not None
    (kept,) = json.loads(exported.data)["habits"]
    assert (kept["server_id"], kept["games"], kept["finished"]) == (str(GUILD), FEWEST_GAMES, 0)


@pytest.mark.slow
async def test_games_against_computers_alone_say_nothing(house: House) -> None:
    for _ in range(FEWEST_GAMES):
        table = await begin_game(house, ANN, computers=1)
        await house.play.resign(table.id, user(ANN))
    await house.settle()

    assert await habits(house, user(ANN), user(ANN)) is None


@pytest.mark.slow
async def test_who_hides_shows_their_habits_to_themselves_alone(house: House) -> None:
    for _ in range(FEWEST_GAMES):
        await lose_game(house, ANN, BO)
    await house.parlour.personal_settings.change(user(BO), lambda person: replace(person, hidden=True))

    assert await habits(house, user(BO)) is None
    assert await habits(house, user(BO), user(ANN)) is None
    assert await habits(house, user(BO), user(BO)) is not None


def test_few_games_say_nothing() -> None:
    assert habits_of(FEW[1:], []) is None
    assert habits_of(FEW, []) == Habits(FEWEST_GAMES, FEWEST_GAMES, None, None)


def test_the_time_to_answer_is_the_median_of_the_games() -> None:
    averages = [MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 400 * HOUR]
    rows = [replace(row, turns=2, seconds=2 * one) for row, one in zip(FEW, averages, strict=True)]

    known = habits_of(rows, [])

    assert known is not None
    assert known.answer == 2 * HOUR


def test_usual_hours_may_pass_midnight() -> None:
    evenings = [hour * HOUR for hour in (22, 23, 24, 25) for _ in range(FEWEST_MOVES)]

    assert usual_hours([*evenings, 12 * HOUR]) in {(22, 25), (23, 26)}


def test_a_few_moves_show_no_usual_hours() -> None:
    assert usual_hours([20 * HOUR] * (FEWEST_MOVES - 1)) is None
    assert usual_hours([20 * HOUR] * FEWEST_MOVES) == (20, 21)
