"""How the strong computer player looks ahead: its best moves are played on in several deals.

All play on by what a move gains at once. Then the votes that a seat has and may expect are set against
those of the others.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from engines.game import Game, Seat, Thinking
from engines.search import Playout, Ranked, ranked
from engines.tanglewood.computer.choosing import gains, kept
from engines.tanglewood.computer.evaluation import gauge, price_of_level, price_of_markers, rounds_to_end
from engines.tanglewood.legal.moves import choices
from engines.tanglewood.moves import Move
from engines.tanglewood.view import View


class Depth(NamedTuple):
    """How far a player looks.

    Attributes:
        choices: so many of its choices are compared.
        turns: so many turns are played on, that which is on among them.
        budget: so many choices are judged in all that.
    """

    choices: int = 8
    turns: int = 4
    budget: int = 1100


STRONG = Depth()
DEPTHS = {Thinking.USUAL: STRONG, Thinking.QUICK: Depth(choices=4, turns=3, budget=275)}

_WON = 12.0
"""What it is worth, in votes, to have won."""

_BEST = 0.5
"""How much the best of the others counts; the rest of it all of them count for on average."""

_BALLOTS = (0.0, 0.9, 1.8, 2.2, 2.5, 2.7)
"""What so many ballots are worth; more of them are worth no more, for two are played at a vote."""


def best(
    view: View,
    seat: Seat,
    rng: Random,
    rules: Game[Any, Any, Any, Any, Any, Any],
    depth: Depth = STRONG,
) -> list[Ranked[Move]]:
    """The choices that were compared, the best first; not of the ballots to keep."""
    gain = gains(view, seat)
    worth = {move: gain(move) for move in choices(view)}
    found = sorted(worth, key=lambda move: -worth[move])[: depth.choices]
    if len(found) == 1:
        return [Ranked(worth[found[0]], found[0])]

    def played_out(world: Any, move: Move, _: Random) -> Playout:
        return _played_out(world, seat, move, rules, depth.turns)

    return ranked(
        found,
        lambda luck: rules.imagine(view, luck),
        played_out,
        rng,
        depth.budget,
        [worth[move] for move in found],
    )


def _played_out(
    world: Any, seat: Seat, move: Move, rules: Game[Any, Any, Any, Any, Any, Any], turns: int
) -> Playout:
    """What a choice has come to a few turns later."""
    state: Any = rules.copied(world)
    nodes, last = 1, state.turns + turns
    rules.play(state, seat, move)
    while state.outcome is None and state.turns < last:
        mover = next(iter(rules.prompts(state)))
        view = rules.view(state, mover)
        if view.phase == "keep":
            made: Move = kept(view, mover)
        else:
            found = choices(view)
            nodes += len(found)
            made = found[0] if len(found) == 1 else max(found, key=gains(view, mover))
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
    return ahead + (_WON if view.outcome.places[seat] == 1 else -_WON)


def standing(view: View, seat: Seat) -> float:
    """The votes that a seat has and may expect, and what it holds that may bring more."""
    won = float(view.votes[seat])
    if view.over:
        return won
    rounds = rounds_to_end(view)
    return (
        won
        + gauge(view, seat).expected(view.workers)
        + _BALLOTS[min(view.held[seat], len(_BALLOTS) - 1)]
        + price_of_markers(view.circles[seat], rounds * view.place_value(seat))
        + price_of_level(0, 0, view.draw_levels[seat], view.place_levels[seat], rounds)
    )
