"""Easy and casual computers err like beginners: never without effect, never out by their own hand."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from engines.game import Seat, Strength
from engines.registry import game
from engines.ribbon.preview import can_end_safely
from engines.tangle import decisions
from engines.tangle.computer import policy
from engines.tangle.computer.winning import winning_move
from engines.tangle.legal.moves import choices as tangle_choices
from engines.tangle.truth.visibility import TangleTrial
from engines.tanglewood.computer.evaluation import is_idle
from engines.tanglewood.legal.moves import choices as tanglewood_choices
from engines.tangram.computer import PLENTY, answer, next_tile, rest_of
from engines.tangram.computer.evaluation import cover_of, rank_ways
from engines.tangram.computer.winning import endings
from engines.tangram.moves import Decline
from engines.tangram.pieces.board import ONES, squares_touched
from engines.tangram.pieces.components import LAST_ROUND
from engines.tesla.computer import ONE_TILE
from engines.tesla.computer.planning import marker_moves
from engines.tesla.computer.winning import winning_turn
from engines.tesla.legal.position import position_of
from engines.tesla.moves import Discard, Take, TeslaEndTurn
from tests.often import often
from tests.strength.made_moves import MadeMove, play_moves

pytestmark = pytest.mark.slow
GAMES = {"ribbon": often(8, 20), "tesla": often(1, 2), "tangram": 2, "tanglewood": 2, "tangle": often(1, 2)}
WEAKER = [Strength.EASY, Strength.CASUAL]
weaker = pytest.mark.parametrize("strength", WEAKER)
weaker_tesla = pytest.mark.parametrize("strength", WEAKER, ids="{}@tesla".format)
"""Likewise, with tests of the same games in one process."""


def play_games(slug: str, strength: Strength) -> Iterator[MadeMove]:
    """Play some games between equals; yield each move that was a choice."""
    rules = game(slug)

    def choose(view: Any, seat: Seat, luck: Random) -> Any:
        return rules.choose(view, seat, luck, strength)

    for number in range(GAMES[slug]):
        yield from play_moves(slug, number, Random(number + 1), choose)


@cache
def tesla_moves(strength: Strength) -> list[MadeMove]:
    """Play games of Tesla's Tangle once for several tests."""
    return [made._replace(after=made.after.copy()) for made in play_games("tesla", strength)]


@weaker
def test_ribbon_never_goes_out_where_the_turn_can_end_clean(strength: Strength) -> None:
    for made in play_games("ribbon", strength):
        if can_end_safely(made.view):
            assert made.seat not in made.after.out


@weaker_tesla
def test_tesla_never_puts_itself_out(strength: Strength) -> None:
    for made in tesla_moves(strength):
        assert made.seat not in made.after.out


@pytest.mark.parametrize("strength", [*WEAKER, Strength.MEDIUM], ids="{}@tesla".format)
def test_tesla_ends_no_turn_with_nothing_done(strength: Strength) -> None:
    for made in tesla_moves(strength):
        assert made.view.acted or not isinstance(made.move, Discard | TeslaEndTurn)


@weaker_tesla
def test_tesla_takes_back_the_marker_that_gains_most(strength: Strength) -> None:
    taken = 0
    for made in tesla_moves(strength):
        if isinstance(made.move, Take):
            pairs = marker_moves(position_of(made.view), cashes=True)
            gains = [pair for pair in pairs if isinstance(pair[1], Take)]
            gain = next(gain for gain, move in gains if move == made.move)
            taken += 1
            assert gain == max(gains, key=lambda pair: pair[0])[0]
    assert taken


@weaker_tesla
def test_tesla_takes_a_win_that_one_tile_reaches(strength: Strength) -> None:
    for made in tesla_moves(strength):
        won = winning_turn(position_of(made.view), ONE_TILE)
        assert won is None or made.move == won[0]


@weaker
def test_tanglewood_makes_no_choice_without_effect(strength: Strength) -> None:
    for made in play_games("tanglewood", strength):
        if is_idle(made.view, made.seat, made.move):
            assert all(is_idle(made.view, made.seat, move) for move in tanglewood_choices(made.view))


@weaker
@pytest.mark.usefixtures("brief_thoughts")
def test_tangle_places_no_root_for_nothing(strength: Strength) -> None:
    rules, placed = game("tangle"), 0
    for made in play_games("tangle", strength):
        if not isinstance(made.view.decision, decisions.Placing):
            continue
        placed += 1
        trial = TangleTrial.of(made.view, Random(0))
        if policy.is_idle(trial, made.seat, made.move):
            won = winning_move(made.view, made.seat, Random(0), rules, TangleTrial)
            ways = policy.placements(tangle_choices(made.view))
            assert won is not None or all(policy.is_idle(trial, made.seat, move) for move in ways)
    assert placed


@pytest.mark.parametrize("strength", [*WEAKER, Strength.MEDIUM])
def test_tangram_sets_no_tile_aside_while_there_is_plenty_of_room(strength: Strength) -> None:
    for made in play_games("tangram", strength):
        if isinstance(made.move, Decline):
            city = made.view.without(made.move.tile)
            untouched = ONES & ~squares_touched(city.built)
            assert untouched.bit_count() < PLENTY or not rank_ways(cover_of(city), made.move.tile)


def test_tangram_gets_the_most_out_of_its_very_last_tile() -> None:
    lasts = 0
    for made in play_games("tangram", Strength.EASY):
        tile = next_tile(made.view, made.seat) if made.view.phase != "side" else None
        if tile is None or made.view.round != LAST_ROUND:
            continue
        rest = rest_of(made.view, made.seat, tile)
        if len(rest) == 1:
            lasts += 1
            _, best = endings(made.view.without(tile), rest)[0]
            assert made.move == answer(tile, best)
    assert lasts
