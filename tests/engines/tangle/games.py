"""Games of Tangle to put on file: what computer players hardly ever bring about."""

from collections.abc import Callable, Iterator
from random import Random

from engines.game import Seat, Strength
from engines.tangle import GAME
from engines.tangle.decisions import Placing, Upkeep
from engines.tangle.moves import DropRest, Move, Offer, TangleDone, TanglePlace
from engines.tangle.pieces.components import TangleOptions
from engines.tangle.truth.state import TangleState
from tests.engines.cases import TableChoice
from tests.engines.golden import Script, decide_all
from tests.engines.tangle.arrange import legal

Choice = Callable[[TangleState, Seat, list[Move]], Move | None]
"""Chooses one of a seat's legal moves; None to leave the game."""


def arrange_games() -> Iterator[Script]:
    yield _script("left-alone", 4, TangleOptions(), _leaving(30, 75, 140))
    yield _script("offering", 2, TangleOptions(centre="sacrifice"), _until(120, _offering))
    yield _script("covering", 2, TangleOptions(centre="hibernate"), _until(100, _covering))
    yield _script("to-the-limit", 2, TangleOptions(round_limit=30), _idle)


def _script(name: str, seats: int, options: TangleOptions, choice: Choice) -> Script:
    seed = name.encode()
    dealt = GAME.deal(seats, options, seed)
    state = GAME.begin(seats, options, dealt, seed)
    made = decide_all(GAME, state, lambda state, seat: choice(state, seat, legal(state, seat)))
    return Script(name, TableChoice(seats, options), dealt, seed, made)


def _sensible(state: TangleState, seat: Seat) -> Move:
    return GAME.choose(GAME.view(state, seat), seat, Random(state.turn), Strength.STRONG)


def _leaving(*when: int) -> Choice:
    """Play sensibly; after `when` moves whoever is to move leaves."""
    made = iter(range(10_000))
    return lambda state, seat, moves: None if next(made) in when else _sensible(state, seat)


def _until(most: int, choice: Choice) -> Choice:
    """Play that many decisions of that kind; then somebody leaves."""
    made = iter(range(10_000))
    return lambda state, seat, moves: None if next(made) >= most else choice(state, seat, moves)


def _offering(state: TangleState, seat: Seat, moves: list[Move]) -> Move:
    """Play sensibly, with a sacrifice now and then."""
    offers = [move for move in moves if isinstance(move, Offer)]
    if offers:
        answers: list[Move] = [*offers, TangleDone()]
        return Random(len(state.tiles)).choice(answers)
    tempting = [move for move in moves if isinstance(move, TanglePlace) and move.to == "X"]
    if tempting and state.turn % 7 == 0 and isinstance(state.decision, Placing) and not state.extra:
        return tempting[0]
    return _sensible(state, seat)


def _covering(state: TangleState, seat: Seat, moves: list[Move]) -> Move:
    """Play sensibly, but put roots on others if possible, or to sleep."""
    crowded = [
        move
        for move in moves
        if isinstance(move, TanglePlace) and (len(state.roots.get(move.to, ())) > 1 or move.to == "X")
    ]
    if crowded and state.turn % 2:
        return crowded[state.turn % len(crowded)]
    return _sensible(state, seat)


def _idle(state: TangleState, seat: Seat, moves: list[Move]) -> Move:
    """Keep and cast nothing, so that nobody gets far."""
    if isinstance(state.decision, Upkeep):
        return DropRest()
    return TangleDone() if TangleDone() in moves else Random(state.turn).choice(moves)
