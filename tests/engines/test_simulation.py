"""Games that computers play by themselves, and what many of them say together."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import msgspec
import pytest

from engines.game import IllegalSetup, Outcome, Strength
from engines.registry import SLUGS, game
from engines.simulation import SimulatedGame, SimulationPlan, names_of, settle_options, simulate_game
from engines.statistics import figures
from engines.tesla.moves import Discard

RIBBON = SimulationPlan("ribbon", b'{"mode":"versus"}', (Strength.EASY, Strength.EASY))


def one(
    number: int, places: tuple[int | None, ...], *used: dict[str, int], how: str = "won"
) -> SimulatedGame:
    return SimulatedGame(number, (0, 1), Outcome(how, places), 10 + number, 20, used)


@pytest.mark.parametrize("slug", [pytest.param(slug, marks=pytest.mark.slow) for slug in SLUGS])
def test_computers_play_every_game_to_its_end(slug: str) -> None:
    seats = game(slug).seats_for(game(slug).Options())[0]

    result = simulate_game(SimulationPlan(slug, b"{}", (Strength.EASY,) * seats), "a seed", 0)

    assert len(result.outcome.places) == len(result.used) == seats
    assert result.decisions == sum(
        number for used in result.used for name, number in used.items() if " · " not in name
    )


@pytest.mark.slow
def test_a_game_is_the_same_in_every_process() -> None:
    here = [simulate_game(RIBBON, "a seed", number) for number in range(3)]

    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as elsewhere:
        assert [
            elsewhere.submit(simulate_game, RIBBON, "a seed", number).result() for number in range(3)
        ] == here

    assert simulate_game(RIBBON, "another seed", 0) != here[0]
    assert here[0] != here[1]


def test_the_figures_are_those_of_the_games_in_any_order() -> None:
    games = [
        one(0, (1, 2), {"place": 3, "place · at A1": 1}, {"place": 2}),
        one(1, (2, 1), {"place": 1}, {"place": 2}, how="left"),
        one(2, (1, 1), {"place": 1}, {"place": 1, "place · at A1": 1}),
    ]

    result = figures(games)

    assert result == figures(games[::-1])
    assert result.games == 3
    assert [seat.wins for seat in result.seats] == [0.5, 0.5]
    assert result.ends == {"won": 2, "left": 1}
    assert (result.turns.least, result.turns.median, result.turns.most) == (10, 11, 12)
    by_name = {usage.name: usage for usage in result.used}
    assert next(iter(by_name)) == "place"
    assert by_name["place"].won_without is None
    assert by_name["place · at A1"].share == 2 / 6
    assert by_name["place · at A1"].won == (1 + 0.5) / 2
    assert by_name["place · at A1"].won_without == (0 + 0 + 1 + 0.5) / 4


def test_seats_are_told_from_the_one_that_decided_first_on() -> None:
    games = [one(0, (1, 2), {}, {}), msgspec.structs.replace(one(1, (2, 1), {}, {}), order=(1, 0))]

    assert [seat.wins for seat in figures(games).seats] == [1, 0]
    assert simulate_game(RIBBON, "a seed", 0).order in {(0, 1), (1, 0)}
    unlike = msgspec.structs.replace(RIBBON, strengths=(Strength.EASY, Strength.MEDIUM))
    assert {simulate_game(unlike, "a seed", number).order for number in range(4)} == {(0, 1)}


def test_a_team_that_wins_wins_in_every_seat() -> None:
    team = SimulatedGame(0, (0, 1), Outcome("clean", (1, 1), won=True), 3, 3, ({}, {}))
    lost = SimulatedGame(1, (0, 1), Outcome("tangled", (None, None), won=False), 3, 3, ({}, {}))

    assert [seat.wins for seat in figures([team, lost]).seats] == [0.5, 0.5]


def test_a_move_counts_each_thing_that_it_names_once() -> None:
    assert list(names_of(Discard(("03", "03", "14")))) == [
        "discard",
        "discard · tiles 03",
        "discard · tiles 14",
    ]


def test_options_that_there_are_not_are_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        settle_options("tesla", 2, b'{"win":55}')
    with pytest.raises(IllegalSetup, match="not 9"):
        settle_options("tangram", 9, b"{}")
