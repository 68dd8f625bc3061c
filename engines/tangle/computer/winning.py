"""Search for a win in this turn: by the placement, by its follow-ups, by cards.

It follows what comes closest to a condition first. It never counts on a card from the pile.
"""

from collections import Counter
from collections.abc import Callable, Container, Hashable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Any

import msgspec

from engines.game import Game, Seat
from engines.tangle import moves
from engines.tangle.computer.bounds import shortfall_in_reach
from engines.tangle.computer.judging import TrialFactory
from engines.tangle.decisions import Decision, Growing, Pushing
from engines.tangle.legal.conditions import Counts, counts_of, lacking_of
from engines.tangle.legal.context import Context
from engines.tangle.legal.prices import count_jumps
from engines.tangle.moves import Move, TangleDone
from engines.tangle.pieces.components import CONDITIONS, AreaCode, CardId
from engines.tangle.view import TangleView

NEAR = 6
"""The search skips a turn that lacks more for its best condition."""

ONE_PLACEMENT = 2
"""The most that a single placement usually adds to a condition."""

Estimate = Callable[[Context, Sequence[Decision], Sequence[Counts], Counts], int | None]
"""Estimates what a position with some open decisions needs, by conditions and what the seat has."""

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
    """Find the first move of a way to win this turn. None if there is none or the search ends."""
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
    estimate: Estimate = shortfall_in_reach,
) -> tuple[Move, ...]:
    """Find all moves of a way to win this turn.

    Empty if there is none or the search ends after `most` moves. It follows the lowest `estimate` of what a
    position still needs, and skips it where that is None. Unless a group
    may grow, swaps come last, and so does all but the first of the sites alike for clean earth.
    """
    world = rules.sample_state(view, rng)
    known = {*world.hands[seat], *world.row}
    needs = [CONDITIONS[condition].need for condition in world.conditions[seat]]
    have = counts_of(trials.at(world).context(seat))
    lacks = min(lacking_of(need, have) for need in needs)
    if lacks > near or view.seat != seat:
        return ()
    sites_matter = any(need.get("group", 0) > have["group"] for need in needs)
    waiting: list[tuple[bool, int, int, Any, tuple[Move, ...]]] = [(False, lacks, 0, world, ())]
    tried, order, seen = 0, count(1), {_key(world, seat)}
    while waiting:
        is_late, lacks, _, state, done = heappop(waiting)
        legal = list(rules.moves(state, seat))
        if not (is_late or sites_matter):
            typical = _typical_moves(legal, trials.at(state).context(seat))
            if len(typical) < len(legal):
                heappush(waiting, (True, lacks, next(order), state, done))
                legal = typical
        for move in _promising_moves(legal, state, lacks, known):
            tried += 1
            if tried > most:
                return ()
            after: Any = rules.copy(state)
            rules.play(after, seat, move)
            if after.outcome is not None and after.outcome.places[seat] == 1:
                return (*done, move)
            if after.outcome is not None or after.turn != state.turn or seat not in rules.prompts(after):
                continue
            reached = _key(after, seat)
            if reached in seen:
                continue
            seen.add(reached)
            context = trials.at(after).context(seat)
            left = estimate(context, after.agenda, needs, counts_of(context))
            if left is not None:
                heappush(waiting, (is_late, left, next(order), after, (*done, move)))
    return ()


def _typical_moves(legal: list[Move], context: Context) -> list[Move]:
    """Return the moves without swaps, and one site of each kind."""
    sites: dict[tuple[int, ...], Move] = {}
    typical: list[Move] = []
    for move in legal:
        if isinstance(move, moves.Earth):
            sites.setdefault(_kind_of_site(context, move.area), move)
        elif not isinstance(move, moves.TangleSwap):
            typical.append(move)
    return [*sites.values(), *typical]


def _kind_of_site(context: Context, area: AreaCode) -> tuple[int, ...]:
    """Return the price of clean earth there, and what lies beside it."""
    beside = context.board.borders[area]
    own = (context.own_of(kind) for kind in ("tree", "bush", "meadow"))
    return (count_jumps(context, area), *((beside & mask).bit_count() for mask in (context.lakes, *own)))


def _promising_moves(legal: list[Move], state: Any, lacks: int, known: Container[CardId]) -> Iterator[Move]:
    """Yield the moves that may lead to a win this turn.

    Once a condition is fulfilled, nothing else is needed. Trackers don't count for one.
    """
    if not lacks and TangleDone() in legal:
        legal = [TangleDone()]
    for move in legal[:1] if isinstance(state.decision, Pushing) else legal:
        is_unseen = isinstance(move, moves.Cast) and move.card not in known
        if not is_unseen and not isinstance(move, moves.TakePile | moves.ChangeUpkeep):
            yield move


def _key(state: Any, seat: Seat) -> Hashable:
    """Return a key that ignores the order of moves in a turn."""
    player = state.players[seat]
    return (
        tuple(map(_without_order, state.agenda)),
        frozenset(state.tiles.items()),
        frozenset(state.roots.items()),
        frozenset(state.resources.items()),
        frozenset(Counter(state.hands[seat]).items()),
        frozenset(Counter(player.front).items()),
        tuple((one.stash, one.seeds, one.tiles, one.roots, one.sleeper) for one in state.players),
        (state.seeds, tuple(state.row), tuple(state.pile), tuple(state.discards)),
        (state.trackers, state.markers, state.reserve, state.changes, state.extra, state.offered),
    )


def _without_order(decision: Decision) -> Hashable:
    if isinstance(decision, Growing):
        return msgspec.structs.replace(decision, grown=tuple(sorted(decision.grown)))
    return decision
