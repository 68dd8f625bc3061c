"""Look-ahead of the strong computer player, and its search for a win in this turn.

The look-ahead plans several ways to play the turn to the end, samples the hidden tiles several times, and
plays each turn out in each of these worlds, with a few turns of everybody after it.

The search looks for a win by marker or by ring, with all tiles of the hand. It tries everything for one tile;
for more of them it follows the ways that lead furthest.
"""

from collections.abc import Hashable, Iterator
from functools import partial
from operator import attrgetter
from random import Random
from typing import Any, NamedTuple

from engines.analysis.search import Playout, Ranked, rank_candidates
from engines.game import AnyGame, Seat, Thinking
from engines.tesla.computer import planning
from engines.tesla.computer.evaluation import DECIDED, Evaluation
from engines.tesla.legal.actions import act
from engines.tesla.legal.moves import own_markers, spot_at, turns_at
from engines.tesla.legal.position import TeslaPosition, position_of
from engines.tesla.moves import EndReplay, Move, Replace, Take, TeslaPlace
from engines.tesla.pieces.board import Cell, beyond
from engines.tesla.pieces.circuits import joins_at, pieces_at, verdict
from engines.tesla.pieces.components import COMMON, Face
from engines.tesla.view import TeslaView


class TeslaDepth(NamedTuple):
    """The limits of a look-ahead.

    Attributes:
        widths: the number of placements to follow for each tile of its own turn.
        narrow: the same for the turns that are played out.
        turns: the number of its own turns to compare.
        ahead: the number of turns to play out after each.
        budget: roughly the number of positions to evaluate in total.
    """

    widths: tuple[int, ...] = (8, 4, 1, 1)
    narrow: tuple[int, ...] = (2, 1)
    turns: int = 5
    ahead: int = 2
    budget: int = 120


STRONG = TeslaDepth()
DEPTHS = {Thinking.USUAL: STRONG, Thinking.QUICK: TeslaDepth(widths=(6, 3, 1), turns=4, budget=60)}


def choose(view: TeslaView, rng: Random, rules: AnyGame, depth: TeslaDepth = STRONG) -> Move:
    """Choose the first move of the turn that did best. Rules: Computer players."""
    best = turns(view, rng, rules, depth)[0].candidate
    return best.moves[0] if best.moves else planning.idle_move(position_of(view))


def turns(
    view: TeslaView, rng: Random, rules: AnyGame, depth: TeslaDepth = STRONG
) -> list[Ranked[planning.TurnPlan]]:
    position, planner = position_of(view), planning.Planner(has_free=True)
    evaluation = Evaluation(position)
    every = sorted(planner.plans(position, evaluation, depth.widths), key=lambda plan: -plan.value)
    pairs = planning.drop_useless(position, every)[: depth.turns]
    if pairs[0].value > DECIDED / 2 or len(pairs) == 1:
        return [Ranked(plan.value, plan) for plan in pairs]
    search = _Search(rules, planner, evaluation.seat, depth)
    values, worlds = [plan.value for plan in pairs], partial(rules.sample_state, view)
    return rank_candidates(pairs, worlds, search.play_out, rng, depth.budget, values)


class _Search:
    """Plays turns out in worlds."""

    def __init__(self, rules: AnyGame, planner: planning.Planner, seat: Seat, depth: TeslaDepth) -> None:
        self._rules, self._planner, self._seat, self._depth = rules, planner, seat, depth

    def play_out(self, world: Any, plan: planning.TurnPlan, _: Random) -> Playout:
        """Evaluate a turn a few turns later.

        It takes the mean of the last two turns' ends, so that no side profits from having moved last.
        """
        state: Any = self._rules.copy(world)
        looks, last = self._planner.looks, state.turn + self._depth.ahead
        self._end_turn(state, plan.moves)
        before = value = self._evaluate(state)
        while state.outcome is None and state.turn <= last:
            plans = self._planner.plans(state, Evaluation(state), self._depth.narrow)
            self._end_turn(state, max(plans, key=attrgetter("value")).moves)
            before, value = value, self._evaluate(state)
        if state.outcome is None:
            value = (before + value) / 2
        return Playout(value, self._planner.looks - looks)

    def _evaluate(self, state: Any) -> float:
        return Evaluation(state, self._seat).value(state, has_next_turn=state.seat == self._seat)

    def _end_turn(self, state: Any, moves: tuple[Move, ...]) -> None:
        seat, number = state.seat, state.turn
        for move in moves:
            self._rules.play(state, seat, move)
        while state.outcome is None and state.turn == number:
            last, most = planning.idle_move(state), 0.0
            if state.phase == "replay":
                for gain, marking in planning.marker_moves(state):
                    if gain > most:
                        last, most = marking, gain
            self._rules.play(state, seat, last)


_WIDTHS = (40, 8, 3)
"""Placements to follow with another tile: of the first tile, the second, and so on."""

_LOOKS = 80
"""Most positions that a computer searches."""

_WIRES = 3
"""The most wires a tile can have."""


class Reach(NamedTuple):
    """A placement, its immediate points, and the most that a marker could be taken for then."""

    points: int
    value: int
    move: TeslaPlace | Replace


def winning_turn(
    position: TeslaPosition, widths: tuple[int, ...] = _WIDTHS, looks: int = _LOOKS
) -> tuple[Move, ...] | None:
    """Find the moves of a winning turn.

    None if there is none or the search ends, after that many positions.
    """
    if position.phase not in ("tiles", "replay") or position.outcome is not None:
        return None
    return _Wins(looks).turn(position.copy(), (), widths, set())


def can_win_with_marker(position: TeslaPosition) -> bool:
    """Return True if taking a marker back wins at once."""
    taking = _taking(position)
    return taking is not None and taking[0] >= _points_to_win(position)


class _Wins:
    """Searches for a winning turn. It caches its findings about a cell for positions alike there."""

    def __init__(self, looks: int) -> None:
        self._known: dict[Hashable, _Look] = {}
        self._left = looks

    def turn(
        self, position: TeslaPosition, done: tuple[Move, ...], widths: tuple[int, ...], seen: set[Hashable]
    ) -> tuple[Move, ...] | None:
        """Find a winning turn, including the moves `done`. Consumes the position."""
        if position.phase == "replay":
            act(position, EndReplay())
            done = (*done, EndReplay())
        need = _points_to_win(position)
        taking = _taking(position)
        if taking is not None and taking[0] >= need:
            return (*done, Take(taking[1]))
        tiles = len(position.hands[position.seat])
        if not tiles or _most(position, min(tiles, len(widths) + 1)) < need:
            return None
        self._left -= 1
        entries = sorted(self._reaches(position), key=lambda reach: -(reach.points + reach.value))
        for reach in entries:
            if reach.points >= need or (position.may_mark and reach.points + reach.value >= need):
                won = self._try_turn(position, reach, done)
                if won is not None:
                    return won
        if tiles < 2 or not widths:
            return None
        for reach in entries[: widths[0]]:
            if self._left < 0:
                return None
            after = position.copy()
            act(after, reach.move)
            reached = planning.key(after)
            if reached not in seen and after.outcome is None and after.seat == position.seat:
                seen.add(reached)
                won = self.turn(after, (*done, reach.move), widths[1:], seen)
                if won is not None:
                    return won
        return None

    def _try_turn(
        self, position: TeslaPosition, reach: Reach, done: tuple[Move, ...]
    ) -> tuple[Move, ...] | None:
        seat, after = position.seat, position.copy()
        act(after, reach.move)
        made: tuple[Move, ...] = (*done, reach.move)
        if after.outcome is None and after.seat == seat:
            if after.phase == "replay":
                act(after, EndReplay())
                made = (*made, EndReplay())
            taking = _taking(after)
            if taking is None or taking[0] < _points_to_win(after):
                return None
            act(after, Take(taking[1]))
            made = (*made, Take(taking[1]))
        return made if after.outcome is not None and after.outcome.places[seat] == 1 else None

    def _reaches(self, position: TeslaPosition) -> Iterator[Reach]:
        """Yield the reach of each placement that touches an own circuit."""
        faces = tuple(dict.fromkeys(position.hands[position.seat]))
        for cell in _own_cells(position):
            seen = planning.sight(position.board, cell)
            look = None if seen is None else self._known.get((cell, seen))
            if look is None:
                look = _Look(position, cell)
                if seen is not None:
                    self._known[cell, seen] = look
            for face in faces:
                yield from look.reaches(face)


class _Look:
    """The effects of tiles on one cell for the seat to act."""

    def __init__(self, position: TeslaPosition, cell: Cell) -> None:
        board = self._board = position.board
        self._cell, self._seat, self._seats = cell, position.seat, position.seats
        self._spot, self._pieces = spot_at(board, cell), pieces_at(board, cell)
        self._at = {port: piece for piece in self._pieces for port in piece.ports}
        self._ports = [
            port for port, piece in self._at.items() if board.owner(piece.circuit) == position.seat
        ]
        self._found: dict[Face, tuple[Reach, ...]] = {}

    def reaches(self, face: Face) -> tuple[Reach, ...]:
        """Return the ways to lay a tile there, with the reach of each."""
        result = self._found.get(face)
        if result is None:
            turns = turns_at(self._board, self._spot, face, self._pieces)
            result = self._found[face] = tuple(self._reach(face, turn, lie) for turn, lie in turns)
        return result

    def _reach(self, face: Face, turn: int, lie: str) -> Reach:
        points = value = 0
        for join in joins_at(self._cell, lie, self._at, self._ports):
            decided = verdict(self._board.markers, join, self._seats)
            count = len(decided.kept) if decided.owner == self._seat else 0
            worth = join.length * (COMMON.closed_factor if join.closed else 1)
            if count and join.pays:
                points += count * worth
            elif count:
                value = max(value, worth)
        return Reach(points, value, self._spot.move(face, turn))


def _points_to_win(position: TeslaPosition) -> int:
    """Return the points that win. Those to the goal, or those that leave all others behind."""
    own = position.scores[position.seat]
    others = [position.scores[seat] for seat in position.remaining if seat != position.seat]
    return min(position.options.win - own, COMMON.behind + max(others, default=own) - own)


def _taking(position: TeslaPosition) -> tuple[int, Cell] | None:
    """Return the most valuable own marker with its points. None if none may be taken."""
    if position.phase != "tiles" or not position.may_mark:
        return None
    board = position.board
    pairs = [(board.circuits[board.circuit_of_marker(cell)].value, cell) for cell in own_markers(position)]
    return max(pairs, default=None)


def _most(position: TeslaPosition, tiles: int) -> int:
    """Return an upper limit for the points that many tiles can make."""
    board, seat = position.board, position.seat
    own = [circuit for number, circuit in board.circuits.items() if board.owner(number) == seat]
    if not own:
        return 0
    others = sorted((circuit.length for circuit in board.circuits.values()), reverse=True)
    longest = sum(others[: 1 + tiles * _WIRES]) + tiles * _WIRES
    return COMMON.closed_factor * longest * (1 + sum(len(circuit.markers) for circuit in own))


def _own_cells(position: TeslaPosition) -> Iterator[Cell]:
    """Yield the cells where the seat's circuits end or cross."""
    board, seat = position.board, position.seat
    own = {number for number in board.circuits if board.owner(number) == seat}
    ends = (end for number in own for end in board.circuits[number].ends)
    yield from dict.fromkeys(beyond(board.shape, end.cell, end.side) for end in ends)
    for cell, laid in board.tiles.items():
        if cell not in board.markers and not own.isdisjoint(laid.circuits):
            yield cell
