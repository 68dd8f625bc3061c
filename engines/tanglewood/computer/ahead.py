"""Look-ahead of the strong computer player: plays its best moves on in several deals.

All seats play on by the immediate gain of a move. Then the search compares the seat's votes, won and
expected, with those of the others.
"""

from random import Random
from typing import Any, NamedTuple

from engines.analysis.search import Playout, Ranked, rank_candidates
from engines.game import Game, Seat, Thinking
from engines.tanglewood.computer import evaluation
from engines.tanglewood.legal.moves import choices
from engines.tanglewood.moves import Move
from engines.tanglewood.view import TanglewoodView


class TanglewoodDepth(NamedTuple):
    """The limits of a look-ahead.

    Attributes:
        choices: the number of choices to compare.
        turns: the number of turns to play on, including the present one.
        budget: the choices to judge in total.
    """

    choices: int = 8
    turns: int = 4
    budget: int = 1100


STRONG = TanglewoodDepth()
DEPTHS = {Thinking.USUAL: STRONG, Thinking.QUICK: STRONG}
"""Both alike: less than a round of turns costs this player most of its wins."""

_WIN_VALUE = 12.0
"""Value of a win, in votes."""

_BEST = 0.5
"""Weight of the best of the others; the rest goes to their average."""


def best(
    view: TanglewoodView,
    seat: Seat,
    rng: Random,
    rules: Game[Any, Any, Any, Any, Any, Any],
    depth: TanglewoodDepth = STRONG,
) -> list[Ranked[Move]]:
    """Compare the choices, best first; not of the ballots to keep."""
    gain = evaluation.gains(view, seat)
    worth = {move: gain(move) for move in choices(view)}
    moves = sorted(worth, key=lambda move: -worth[move])[: depth.choices]
    if len(moves) == 1:
        return [Ranked(worth[moves[0]], moves[0])]

    def played_out(world: Any, move: Move, _: Random) -> Playout:
        return _play_out(world, seat, move, rules, depth.turns)

    return rank_candidates(
        moves,
        lambda luck: rules.sample_state(view, luck),
        played_out,
        rng,
        depth.budget,
        [worth[move] for move in moves],
    )


def _play_out(
    world: Any, seat: Seat, move: Move, rules: Game[Any, Any, Any, Any, Any, Any], turns: int
) -> Playout:
    state: Any = rules.copy(world)
    nodes, last = 1, state.turns + turns
    rules.play(state, seat, move)
    while state.outcome is None and state.turns < last:
        mover = next(iter(rules.prompts(state)))
        view = rules.view(state, mover)
        if view.phase == "keep":
            made: Move = evaluation.choose_kept_ballots(view, mover)
        else:
            moves = choices(view)
            nodes += len(moves)
            made = moves[0] if len(moves) == 1 else max(moves, key=evaluation.gains(view, mover))
        rules.play(state, mover, made)
    return Playout(_worth(state, seat, rules), nodes)


def _worth(state: Any, seat: Seat, rules: Game[Any, Any, Any, Any, Any, Any]) -> float:
    view = rules.view(state, seat)
    stands = {one: standing(view, one) for one in range(view.seats) if one not in view.out}
    own = stands.pop(seat)
    others = list(stands.values())
    ahead = own - _BEST * max(others) - (1 - _BEST) * sum(others) / len(others)
    if view.outcome is None:
        return ahead
    return ahead + (_WIN_VALUE if view.outcome.places[seat] == 1 else -_WIN_VALUE)


def standing(view: TanglewoodView, seat: Seat) -> float:
    """Return a seat's votes, won and expected, and the value of its assets."""
    won = float(view.votes[seat])
    if view.over:
        return won
    rounds = evaluation.rounds_to_end(view)
    usable = rounds * view.most_placeable(seat) if evaluation.has_turn_left(view, seat) else 0.0
    return (
        won
        + evaluation.gauge(view, seat).expected_votes(view.workers)
        + evaluation.price_of_ballots(0, view.held[seat])
        + evaluation.price_of_markers(view.circles[seat], usable)
        + evaluation.price_of_level(0, 0, view.draw_levels[seat], view.place_levels[seat], rounds)
    )
