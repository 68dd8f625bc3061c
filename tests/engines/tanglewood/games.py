"""Games of Tanglewood to put on file: what computer players hardly ever bring about."""

from collections.abc import Callable, Iterator
from random import Random

from engines.tanglewood import GAME
from engines.tanglewood.moves import KeepBallots, Move, TanglewoodDraw, TanglewoodPlace
from engines.tanglewood.pieces.components import TanglewoodOptions
from engines.tanglewood.truth.state import TanglewoodState
from tests.engines.cases import TableChoice
from tests.engines.golden import Script, decide_all
from tests.engines.tanglewood.arrange import SEED, deal, legal

Choice = Callable[[TanglewoodState, list[Move]], Move | None]
"""Chooses one of a seat's legal moves; None to leave the game."""


def arrange_games() -> Iterator[Script]:
    short = TanglewoodOptions(length="short")
    yield _script("left-alone", 4, TanglewoodOptions(), _leaving(1, 6, 14))
    yield _script("leaving-in-its-turn", 5, short, _leaving(9, 30))
    yield _script("reshuffled", 5, short, _hungry_for_ballots)
    yield _script("full-circles", 3, short, _hoarding)


def _script(name: str, seats: int, options: TanglewoodOptions, choice: Choice) -> Script:
    dealt = deal(above_poll=10 if options.length == "short" else 17)
    state = GAME.begin(seats, options, dealt, SEED)
    made = decide_all(GAME, state, lambda state, seat: choice(state, legal(state, seat)))
    return Script(name, TableChoice(seats, options), dealt, SEED, made)


def _leaving(*when: int) -> Choice:
    """Play anything legal; after `when` moves whoever is to move leaves."""
    rng, made = Random("leaving"), iter(range(1000))
    return lambda state, moves: None if next(made) in when else rng.choice(moves)


def _hungry_for_ballots(state: TanglewoodState, moves: list[Move]) -> Move:
    """Play whatever draws ballots, and keep none."""
    rng = Random(state.turns)
    cards = {f"T{number}" for number in range(16, 28)}
    drawing = [
        move for move in moves if isinstance(move, TanglewoodPlace) and state.tangles[move.region] in cards
    ]
    none_kept = [move for move in moves if isinstance(move, KeepBallots) and not move.regions]
    return rng.choice(drawing or none_kept or moves)


def _hoarding(state: TanglewoodState, moves: list[Move]) -> Move:
    draws = [move for move in moves if isinstance(move, TanglewoodDraw)]
    return Random(state.turns).choice(draws or moves)
