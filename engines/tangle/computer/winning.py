"""Search for a win in this turn: by the placement, by its follow-ups, by cards.

It follows what comes closest to a condition first. It never counts on a card from the pile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from itertools import islice
from random import Random
from typing import Any

from engines.game import Game, Seat
from engines.tangle import moves
from engines.tangle.computer.judging import TrialFactory
from engines.tangle.decisions import Casting, Pushing
from engines.tangle.legal.conditions import counts_of, lacking
from engines.tangle.moves import Move
from engines.tangle.view import TangleView

NEAR = 6
"""The search skips a turn that lacks more for its best condition."""

ONE_PLACEMENT = 2
"""The most that a single placement usually adds to a condition."""

_MOVES = 1000
"""Most moves to try."""


def winning_move(
    view: TangleView,
    seat: Seat,
    rng: Random,
    rules: Game[Any, Any, Any, Any, Any, Any],
    trials: TrialFactory,
    near: int = NEAR,
) -> Move | None:
    """Find the first move of a way to win this turn.

    None if there is none or the search ends.
    """
    line = winning_line(view, seat, rng, rules, trials, near)
    return line[0] if line else None


def winning_line(
    view: TangleView,
    seat: Seat,
    rng: Random,
    rules: Game[Any, Any, Any, Any, Any, Any],
    trials: TrialFactory,
    near: int = NEAR,
    most: int = _MOVES,
) -> tuple[Move, ...]:
    """Find all moves of a way to win this turn.

    Empty if there is none or the search ends.
    """
    world = rules.sample_state(view, rng)
    lacks = _lacks(world, seat, trials)
    if lacks > near or view.seat != seat:
        return ()
    waiting: list[tuple[int, int, Any, tuple[Move, ...]]] = [(lacks, 0, world, ())]
    tried = 0
    while waiting:
        lacks, _, state, done = heappop(waiting)
        for move in _promising_moves(rules.moves(state, seat), state, lacks):
            tried += 1
            if tried > most:
                return ()
            after: Any = rules.copy(state)
            rules.play(after, seat, move)
            if after.outcome is not None and after.outcome.places[seat] == 1:
                return (*done, move)
            if after.outcome is None and after.turn == state.turn and seat in rules.prompts(after):
                heappush(waiting, (_lacks(after, seat, trials), tried, after, (*done, move)))
    return ()


def _promising_moves(legal: Iterable[Move], state: Any, lacks: int) -> Iterator[Move]:
    """Yield the moves that may lead to a win this turn.

    Trackers don't count for a condition. After the last card, only the round limit helps who lacks something.
    """
    decision, is_last_round = state.decision, state.round == state.options.round_limit
    is_hopeless = lacks > 0 and not is_last_round
    if isinstance(decision, Pushing):
        yield from islice(legal, 0 if is_hopeless else 1)
        return
    for move in legal:
        stops_casting = isinstance(decision, Casting) and isinstance(move, moves.TangleDone)
        if not isinstance(move, moves.TakePile | moves.ChangeUpkeep) and not (is_hopeless and stops_casting):
            yield move


def _lacks(state: Any, seat: Seat, trials: TrialFactory) -> int:
    """Return a seat's shortfall on the best of its conditions."""
    have = counts_of(trials.at(state).context(seat))
    return min(lacking(condition, have) for condition in state.conditions[seat])
