import json

import pytest
from msgspec.structs import replace

from db.records import ComputerGameRow, ResultRow
from engines.game import Strength
from engines.ribbon.pieces.components import RibbonOptions
from tables.clocks.pace import HOUR, MINUTE, NONE
from tables.core.table import Occupant, Phase, Table, Terms
from tables.standings import ratings
from tests.conftest import EITHER_DATABASE
from tests.tables.house import ADMIN, ANN, BO, CHANNEL, CY, GUILD, House, user

DATABASES = EITHER_DATABASE


def play(strength: str, place: int, seats: int = 2) -> ComputerGameRow:
    return ComputerGameRow(place, seats, strength)


@pytest.mark.parametrize(
    ("games", "suited"),
    [
        ([play("easy", 1)], "easy"),
        ([play("easy", 1)] * 2, "casual"),
        ([play("casual", 1), play("easy", 1), play("easy", 1)], "casual"),
        ([play("medium", 2)] * 2, "casual"),
        ([play("medium", 1), play("medium", 2)], "medium"),
        ([play("strong", 1)] * 5, "strong"),
        ([play("easy", 2)] * 5, "easy"),
        ([play("casual", 1, 4), play("casual", 2, 4)], "medium"),
        ([play("casual", 3, 4), play("casual", 4, 4)], "easy"),
    ],
)
def test_wins_lead_to_the_next_step_losses_one_back(games: list[ComputerGameRow], suited: str) -> None:
    assert ratings.next_strength(games) is Strength(suited)


async def test_a_first_game_is_suited_by_easy_computers_and_people_suggest_medium(house: House) -> None:
    assert await suggestion(house) is Strength.EASY

    await lose_game(house, ANN, BO)

    assert await suggestion(house) is Strength.MEDIUM


async def test_only_games_against_computers_alone_that_somebody_finished_count(house: House) -> None:
    places = [await play_computer(house, ANN), await play_computer(house, ANN)]
    left = await begin_game(house, ANN, computers=1)
    await house.play.resign(left.id, user(ANN))
    await lose_game(house, BO, ANN)
    await house.parlour.standings.finish(GUILD)

    games = await house.store.standings.games_with_computers(GUILD, user(ANN), RIBBON, ratings.SUGGESTED_FROM)

    assert games == [ComputerGameRow(place, 2, "medium") for place in reversed(places)]
    assert await suggestion(house) is ratings.next_strength(games)
    assert await suggestion(house, BO) is Strength.MEDIUM


async def test_a_computer_that_plays_on_for_a_person_does_not_count(house: House) -> None:
    table = await begin_game(house, ANN, BO)
    seat = table.seat_of(user(BO))
    assert seat is not None
    await house.hand_over(table.id, seat, ADMIN, Strength.EASY)
    await play_out(house, table.id, ANN)

    assert await suggestion(house) is Strength.MEDIUM
    assert (
        await house.store.standings.games_with_computers(GUILD, user(ANN), RIBBON, ratings.SUGGESTED_FROM)
        == []
    )


async def suggestion(house: House, who: Occupant = ANN) -> Strength:
    await house.parlour.standings.finish(GUILD)
    return await house.parlour.standings.suggest_strength(GUILD, user(who), RIBBON)


async def play_computer(house: House, who: Occupant) -> int:
    """Play the first possible moves to the end; return the place."""
    table = await begin_game(house, who, computers=1)
    return await play_out(house, table.id, who)


async def play_out(house: House, table_id: int, who: Occupant) -> int:
    """Play a game's first possible moves to the end; return the place."""
    table = await house.parlour.table(table_id)
    while table.phase is Phase.PLAY:
        house.clock.now += MINUTE
        (move, *_) = await house.play.moves(table.id, user(who))
        await house.play.move(table.id, user(who), [move])
        await house.settle()
        table = await house.parlour.table(table.id)
    assert table.outcome is not None
    place = table.outcome.places[0]
    assert place is not None
    return place


RIBBON = "ribbon"


async def lose_game(house: House, loser: Occupant, *others: Occupant, terms: Terms | None = None) -> Table:
    """Play a game that its loser leaves; the last one wins."""
    table = await begin_game(house, loser, *others, terms=terms)
    for occupant in (loser, *others[:-1]):
        house.clock.now += MINUTE
        table = await house.play.resign(table.id, user(occupant))
    await house.settle()
    assert table.phase is Phase.OVER
    return table


async def begin_game(
    house: House, *people: Occupant, computers: int = 0, terms: Terms | None = None
) -> Table:
    host, *others = people
    options = RibbonOptions(mode="versus", ribbon_choice="random", first="host")
    table = await house.lobby.create(
        GUILD, CHANNEL, host, RIBBON, options, tuple(others), terms=terms or Terms(NONE)
    )
    for _ in range(computers):
        await house.lobby.add_computer(table.id, user(host), Strength.MEDIUM)
    return await house.lobby.start(table.id, user(host))


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
FEW = [replace(STAYED, table_id=number) for number in range(ratings.FEWEST_GAMES)]


async def habits(house: House, who: int, viewer: int | None = None) -> ratings.Habits | None:
    return await house.parlour.standings.habits(GUILD, who, viewer)


async def test_those_who_stay_finish_their_games_and_those_who_leave_do_not_says_their_file(
    house: House,
) -> None:
    for _ in range(ratings.FEWEST_GAMES):
        await lose_game(house, ANN, BO)

    left, stayed = await habits(house, user(ANN)), await habits(house, user(BO))

    assert left is not None
    assert stayed is not None
    assert (left.finished, left.games) == (0, ratings.FEWEST_GAMES)
    assert (stayed.finished, stayed.games) == (ratings.FEWEST_GAMES, ratings.FEWEST_GAMES)
    exported = await house.parlour.data_export.file(user(ANN))
    assert exported is not None
    (kept,) = json.loads(exported.data)["habits"]
    assert (kept["server_id"], kept["games"], kept["finished"]) == (str(GUILD), ratings.FEWEST_GAMES, 0)


async def test_who_hides_is_no_leaver_and_shows_their_habits_to_themselves_alone(house: House) -> None:
    people = [user(ANN), user(BO), user(CY)]
    for _ in range(ratings.FEWEST_GAMES):
        await lose_game(house, ANN, BO)

    shown = await house.parlour.standings.count_leavers(GUILD, people, 90)
    await house.parlour.personal_settings.change(user(ANN), lambda person: replace(person, hidden=True))

    assert shown == 1
    assert await house.parlour.standings.count_leavers(GUILD, people, 90) == 0
    assert await habits(house, user(ANN)) is None
    assert await habits(house, user(ANN), user(BO)) is None
    assert await habits(house, user(ANN), user(ANN)) is not None


async def test_games_against_computers_alone_say_nothing(house: House) -> None:
    for _ in range(ratings.FEWEST_GAMES):
        table = await begin_game(house, ANN, computers=1)
        await house.play.resign(table.id, user(ANN))
    await house.settle()

    assert await habits(house, user(ANN), user(ANN)) is None


def test_few_games_say_nothing_and_the_time_to_answer_is_the_median_of_the_games() -> None:
    assert ratings.habits_of(FEW[1:], []) is None
    assert ratings.habits_of(FEW, []) == ratings.Habits(
        ratings.FEWEST_GAMES, ratings.FEWEST_GAMES, None, None
    )

    averages = [MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 400 * HOUR]
    rows = [replace(row, turns=2, seconds=2 * one) for row, one in zip(FEW, averages, strict=True)]

    known = ratings.habits_of(rows, [])

    assert known is not None
    assert known.answer == 2 * HOUR


def test_usual_hours_may_pass_midnight_and_a_few_moves_show_none() -> None:
    evenings = [hour * HOUR for hour in (22, 23, 24, 25) for _ in range(ratings.FEWEST_MOVES)]

    assert ratings.usual_hours([*evenings, 12 * HOUR]) in {(22, 25), (23, 26)}
    assert ratings.usual_hours([20 * HOUR] * (ratings.FEWEST_MOVES - 1)) is None
    assert ratings.usual_hours([20 * HOUR] * ratings.FEWEST_MOVES) == (20, 21)
