"""Look-ahead of the strong computer player, and its search for a certain win.

The look-ahead plays the best moves on in several deals. All seats play on by the immediate gain of a move.
Then it compares the seat's votes, won and expected, with those of the others.

The search looks at the last turn or the last ballots, against all ballots of others. The last player of the
last round knows all but these, and which of them can be in a hand. The search finds the worst ballots region
by region, since a region's votes depend on its own workers alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from heapq import heappop, heappush
from itertools import combinations, product
from operator import add
from random import Random
from typing import Any, NamedTuple

from engines.analysis.search import Playout, Ranked, rank_candidates
from engines.game import AnyGame, Seat, Thinking
from engines.tanglewood.computer import evaluation
from engines.tanglewood.computer.evaluation import is_last_round
from engines.tanglewood.legal.deeds import workers_after
from engines.tanglewood.legal.moves import choices
from engines.tanglewood.moves import Move, PlayBallots
from engines.tanglewood.pieces.board import Counts, more, votes
from engines.tanglewood.pieces.components import BALLOTS, REGIONS, SCORING, Region
from engines.tanglewood.view import TanglewoodView


class TanglewoodDepth(NamedTuple):
    """The limits of a look-ahead.

    Attributes:
        choices: the number of choices to compare.
        turns: the number of turns to play on, including the present one.
        budget: the choices to judge in total.
    """

    choices: int = 4
    turns: int = 4
    budget: int = 600


STRONG = TanglewoodDepth()
DEPTHS = {Thinking.USUAL: STRONG, Thinking.QUICK: STRONG}
"""Both alike: less than a round of turns costs this player most of its wins."""

_WIN_VALUE = 12.0
"""Value of a win, in votes."""

_BEST = 0.5
"""Weight of the best of the others; the rest goes to their average."""


def best(
    view: TanglewoodView, seat: Seat, rng: Random, rules: AnyGame, depth: TanglewoodDepth = STRONG
) -> list[Ranked[Move]]:
    """Compare the choices, best first; not of the ballots to keep."""
    gain = evaluation.gains(view, seat)
    worth = {move: gain(move) for move in choices(view)}
    moves = sorted(worth, key=lambda move: -worth[move])[: depth.choices]
    if len(moves) == 1:
        return [Ranked(worth[moves[0]], moves[0])]

    def played_out(world: Any, move: Move, _: Random) -> Playout:
        state: Any = rules.copy(world)
        nodes, last = 1, state.turns + depth.turns
        rules.play(state, seat, move)
        while state.outcome is None and state.turns < last:
            mover = next(iter(rules.prompts(state)))
            seen = rules.view(state, mover)
            if seen.phase == "keep":
                made: Move = evaluation.choose_kept_ballots(seen, mover)
            else:
                entries = choices(seen)
                nodes += len(entries)
                made = entries[0] if len(entries) == 1 else max(entries, key=evaluation.gains(seen, mover))
            rules.play(state, mover, made)
        return Playout(_worth(state, seat, rules), nodes)

    values = [worth[move] for move in moves]
    return rank_candidates(moves, partial(rules.sample_state, view), played_out, rng, depth.budget, values)


def _worth(state: Any, seat: Seat, rules: AnyGame) -> float:
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


_NEAR = 30
"""The search skips a turn in which the seat is further behind, in votes, before any ballot."""

_MOVES = 300
"""Most moves to try."""

_NEVER = 1000
"""More votes than anybody can get."""

Workers = Mapping[Region, Counts]
Plays = tuple[int, ...]
"""The number of ballots that each of the other seats plays."""
Paid = Mapping[Plays, tuple[int, ...]]
"""Each other seat's lead over the seat in a region, in votes, by the ballots played there."""


def winning_move(view: TanglewoodView, seat: Seat, rng: Random, rules: AnyGame) -> Move | None:
    """Find the first move of a certain win.

    None if there is none or the search ends. A shared first place counts as a win. It never counts on a
    ballot drawn on the way.
    """
    if not view.midgame_done:
        return None
    final = _Final(view, seat)
    if view.phase == "ballots":
        return next((move for move in choices(view) if final.wins_with(view.votes, view.workers, move)), None)
    if not is_last_round(view) or view.seat is None or final.lead(view.votes, view.workers) < -_NEAR:
        return None
    if any(seat not in view.out for seat in view.order[view.order.index(view.seat) + 1 :]):
        return None
    world: Any = rules.sample_state(view, rng)
    # Another hand is made too large to be played as it is, so that the vote waits for it.
    world.hands[final.others[0]] = list(REGIONS)[: SCORING.ballots_played + 1]
    return _first(world, final, rules)


def _first(world: Any, final: _Final, rules: AnyGame) -> Move | None:
    """Find the first move of a winning turn, following the biggest lead first."""
    seat, tried = final.seat, 0
    waiting: list[tuple[int, int, Any, Move | None]] = [(0, 0, world, None)]
    while waiting:
        _, _, state, first = heappop(waiting)
        for move in rules.moves(state, seat):
            tried += 1
            if tried > _MOVES:
                return None
            after: Any = rules.copy(state)
            rules.play(after, seat, move)
            begun = move if first is None else first
            if after.phase != "ballots":
                heappush(waiting, (-final.lead(after.votes, after.workers), tried, after, begun))
            elif final.can_win(after.votes, after.workers):
                return begun
    return None


class _Final:
    """A seat's knowledge of the last scoring: its own ballots, and the numbers and kinds of the others'.

    Attributes:
        others: the other seats that are still in the game.
    """

    def __init__(self, view: TanglewoodView, seat: Seat) -> None:
        self.seat = seat
        self.others = [other for other in view.remaining if other != seat]
        self._seats, self._out, self._hand = view.seats, view.out, view.hands[seat] or ()
        self._plays: Plays = tuple(min(view.held[other], SCORING.ballots_played) for other in self.others)
        self._hidden = Counter(BALLOTS) - Counter([*view.played_ballots, *view.dropped, *self._hand])
        self._known: dict[tuple[Region, Counts], Paid] = {}
        self._single: dict[tuple[Region, Counts], tuple[tuple[int, ...], ...]] = {}

    def lead(self, won: list[int], workers: Workers) -> int:
        """Return the seat's lead over the best of the others without any ballots."""
        totals = list(won)
        for region, counts in workers.items():
            for seat, paid in enumerate(votes(region, counts, self._seats, self._out)):
                totals[seat] += paid
        return totals[self.seat] - max(totals[other] for other in self.others)

    def can_win(self, won: list[int], workers: Workers) -> bool:
        """Return True if some of the seat's ballots surely win."""
        size = min(len(self._hand), SCORING.ballots_played)
        plays = dict.fromkeys(combinations(self._hand, size))
        return any(self.wins_with(won, workers, PlayBallots(regions)) for regions in plays)

    def wins_with(self, won: list[int], workers: Workers, move: Move) -> bool:
        """Return True if these ballots win whatever the others play."""
        placed = workers_after(workers, self.seat, move, None)
        ahead = [won[self.seat] - won[other] for other in self.others]
        # What one can do alone is looked at first: it is soon found, and mostly enough.
        return all(self._alone(placed, index) <= most for index, most in enumerate(ahead)) and all(
            self._together(placed, index) <= most for index, most in enumerate(ahead)
        )

    def _alone(self, workers: Workers, index: int) -> int:
        """Return the votes by which another seat can outdo this one."""
        best = [0] + [-_NEVER] * self._plays[index]
        for region, counts in workers.items():
            by = self._by_one(region, counts)[index]
            best = [max(map(add, best[number::-1], by)) for number in range(len(best))]
        return best[-1]

    def _by_one(self, region: Region, counts: Counts) -> tuple[tuple[int, ...], ...]:
        """Return each other seat's lead in a region by the number of its own ballots there."""
        result = self._single.get((region, counts))
        if result is None:
            paid, nobody = self._leads(region, counts), [0] * len(self.others)
            result = self._single[region, counts] = tuple(
                tuple(
                    paid[plays][index]
                    if (plays := (*nobody[:index], number, *nobody[index + 1 :])) in paid
                    else -_NEVER
                    for number in range(most + 1)
                )
                for index, most in enumerate(self._plays)
            )
        return result

    def _together(self, workers: Workers, index: int) -> int:
        """Return the votes by which another can win with everybody's help."""
        numbers: dict[Plays, int] = {self._plays: 0}
        for region, counts in workers.items():
            numbers = _with_region(numbers, self._leads(region, counts), index)
        return numbers[(0,) * len(self.others)]

    def _leads(self, region: Region, counts: Counts) -> Paid:
        """Return each other seat's lead in a region, by the ballots played there."""
        result = self._known.get((region, counts))
        if result is None:
            result = self._known[region, counts] = {}
            for plays in product(*(range(most + 1) for most in self._plays)):
                if sum(plays) <= self._hidden[region]:
                    placed = counts
                    for other, number in zip(self.others, plays, strict=True):
                        placed = more(placed, other, number * SCORING.ballot_markers)
                    paid = votes(region, placed, self._seats, self._out)
                    result[plays] = tuple(paid[other] - paid[self.seat] for other in self.others)
        return result


def _with_region(before: Mapping[Plays, int], paid: Paid, index: int) -> dict[Plays, int]:
    """Add a region to one seat's greatest lead."""
    numbers: dict[Plays, int] = {}
    for left, so_far in before.items():
        for plays, outdone in paid.items():
            rest = tuple(map(int.__sub__, left, plays))
            if min(rest) >= 0:
                value = so_far + outdone[index]
                if value > numbers.get(rest, value - 1):
                    numbers[rest] = value
    return numbers
