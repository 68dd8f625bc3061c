"""Scripted beginners plan their turns, and play whole games."""

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from engines.game import Seat, Strength
from engines.registry import game
from engines.tangle.computer.evaluation import holdings, plans
from engines.tangle.truth.state import context_for
from engines.tanglewood.computer.ahead import standing
from engines.tanglewood.legal.deeds import workers_after
from engines.tanglewood.moves import PlayBallots
from engines.tesla.moves import Mark, Replace, Take, TeslaPlace
from tests.benchmarks.levels import BEGINNER, play_level_game
from tests.strength import beginners
from tests.strength.beginners import choose_as_beginner, forgets
from tests.strength.made_moves import MadeMove, play_moves
from tests.strength.matches import MATCHES


def play_beginners(slug: str, number: int) -> Iterator[MadeMove]:
    """Play a game between beginners; yield each move that was a choice."""

    def choose(view: Any, seat: Seat, luck: Random) -> Any:
        return choose_as_beginner(slug, view, seat, luck).move

    return play_moves(slug, number, Random(number), choose)


@pytest.mark.parametrize("slug", MATCHES)
def test_a_beginner_plays_the_same_whole_game_again(slug: str) -> None:
    match = msgspec.structs.replace(MATCHES[slug], player=Strength.EASY, against=BEGINNER)

    one, two = play_level_game(match, 1), play_level_game(match, 1)

    assert (one.ahead, len(one.own), len(one.theirs)) == (two.ahead, len(two.own), len(two.theirs))
    assert one.theirs


def test_a_turn_of_teslas_tangle_has_several_tiles_and_a_marker() -> None:
    turns: dict[int, list[Any]] = {}
    for made in play_beginners("tesla", 1):
        turns.setdefault(made.view.turn, []).append(made.move)

    tiles = [sum(isinstance(move, TeslaPlace | Replace) for move in moves) for moves in turns.values()]
    markers = [any(isinstance(move, Mark | Take) for move in moves) for moves in turns.values()]
    assert max(tiles) > 1
    assert sum(markers) > len(markers) / 4


@pytest.mark.parametrize("number", range(3))
def test_a_beginner_never_puts_itself_out_by_a_marker(number: int) -> None:
    for made in play_beginners("tesla", number):
        assert made.seat not in made.after.out


def test_ballots_of_a_beginner_who_looks_bring_the_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beginners, "FORGETS", 10_000)

    def votes_by(view: Any, move: PlayBallots) -> float:
        workers = workers_after(view.workers, view.viewer, move, None)
        return standing(msgspec.structs.replace(view, workers=workers), view.viewer)

    made = [one for one in play_beginners("tanglewood", 2) if isinstance(one.move, PlayBallots)]

    assert made
    for one in made:
        ways = game("tanglewood").moves(game("tanglewood").sample_state(one.view, Random(1)), one.seat)
        assert votes_by(one.view, one.move) == max(votes_by(one.view, way) for way in ways)


def test_a_beginner_of_tangle_comes_nearer_to_a_condition_by_round_ten() -> None:
    first: dict[Seat, float] = {}
    last: dict[Seat, float] = {}
    for made in play_beginners("tangle", 1):
        if made.view.turn > 20:
            break
        context = context_for(made.after, made.seat)
        last[made.seat] = plans(made.after.conditions[made.seat], holdings(context))[0].time
        first.setdefault(made.seat, last[made.seat])

    assert all(last[seat] < first[seat] for seat in first)


@pytest.mark.parametrize("slug", ["tesla", "tangle"])
def test_a_beginner_forgets_to_look_in_a_fourth_of_its_turns(slug: str) -> None:
    forgotten: dict[Seat, dict[int, bool]] = {0: {}, 1: {}}
    for made in play_beginners(slug, 1):
        forgotten[made.seat][made.view.turn] = forgets(slug, made.view, made.seat)

    for turns in forgotten.values():
        assert 0.15 < sum(turns.values()) / len(turns) < 0.35
