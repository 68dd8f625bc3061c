"""The strength of computers that suits somebody, from games as they are stored."""

import pytest

from db.records import ComputerGameRow
from engines.game import Strength
from tables.clocks.pace import MINUTE
from tables.core.table import Occupant, Phase
from tables.standings.ratings import SUGGESTED_FROM, next_strength
from tests.conftest import EITHER_DATABASE
from tests.tables.house import ADMIN, ANN, BO, GUILD, House, user
from tests.tables.standings.games import RIBBON, begin_game, lose_game

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
def test_wins_lead_to_the_next_step_and_losses_to_the_one_before(
    games: list[ComputerGameRow], suited: str
) -> None:
    assert next_strength(games) is Strength(suited)


async def test_a_first_game_is_suited_by_easy_computers(house: House) -> None:
    assert await suggestion(house) is Strength.EASY


async def test_games_with_people_alone_suggest_medium_computers(house: House) -> None:
    await lose_game(house, ANN, BO)

    assert await suggestion(house) is Strength.MEDIUM


async def test_only_games_against_computers_alone_that_somebody_finished_count(house: House) -> None:
    places = [await play_computer(house, ANN), await play_computer(house, ANN)]
    left = await begin_game(house, ANN, computers=1)
    await house.play.resign(left.id, user(ANN))
    await lose_game(house, BO, ANN)
    await house.parlour.standings.finish(GUILD)

    games = await house.store.standings.games_with_computers(GUILD, user(ANN), RIBBON, SUGGESTED_FROM)

    assert games == [ComputerGameRow(place, 2, "medium") for place in reversed(places)]
    assert await suggestion(house) is next_strength(games)
    assert await suggestion(house, BO) is Strength.MEDIUM


async def test_a_computer_that_plays_on_for_a_person_does_not_count(house: House) -> None:
    table = await begin_game(house, ANN, BO)
    seat = table.seat_of(user(BO))
    assert seat is not None
    await house.hand_over(table.id, seat, ADMIN, Strength.EASY)
    await play_out(house, table.id, ANN)

    assert await suggestion(house) is Strength.MEDIUM
    assert await house.store.standings.games_with_computers(GUILD, user(ANN), RIBBON, SUGGESTED_FROM) == []


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
