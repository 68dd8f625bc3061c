"""Previews moves from a view: for the panel, the pictures and the computer player."""

from collections.abc import Iterator
from typing import Literal

import msgspec

from engines.game import GAME_OVER, NOT_YOUR_TURN, IllegalMove, Seat
from engines.tesla.computer.evaluation import PlacementEffect, effect_of, evaluate_placement
from engines.tesla.legal.actions import Act, act
from engines.tesla.legal.moves import marks, own_markers, spots, turns_at
from engines.tesla.legal.position import (
    TeslaPosition,
    count_turn,
    is_exhausted,
    position_of,
    view_of_position,
)
from engines.tesla.moves import Discard, Event, Mark, Move, Replace, Replay, TeslaEndTurn, TeslaPlace
from engines.tesla.pieces.board import Cell, CircuitId, TeslaBoard
from engines.tesla.pieces.circuits import Survey, pieces_at, survey
from engines.tesla.pieces.components import Face, Lie, Segment
from engines.tesla.view import TeslaView

Group = Literal["closes", "lengthens", "joins", "cuts", "other"]
"""The main effect of a placement for the seat that makes it.

It closes a ring, it lengthens a circuit that the seat owns then, it joins other circuits, it cuts or takes
away from somebody's circuit, or none of these.
"""


class Fit(msgspec.Struct, frozen=True):
    """A legal placement and its effects.

    Attributes:
        move: the placement; `lie` is the tile's lie.
        group: its main effect.
        gains: the change of each seat's score.
        evaluation: its value to the seat that makes it; a larger number is better.
    """

    move: TeslaPlace | Replace
    lie: Lie
    group: Group
    gains: tuple[int, ...]
    evaluation: float


class MovePreview(msgspec.Struct, frozen=True):
    """The result of a move: the position before the draw, as its seat would see it, and the events."""

    view: TeslaView
    events: tuple[Event, ...]


class Site(msgspec.Struct, frozen=True):
    """A circuit that the seat to act may mark now, or take a marker from.

    Attributes:
        circuit: its number; the board has its length and value.
        spots: the places for a marker, each a cell and a segment; none on another seat's circuit.
        mine: the cells of the seat's own markers on it, all takeable while none was used.
    """

    circuit: CircuitId
    spots: tuple[tuple[Cell, Segment], ...]
    mine: tuple[Cell, ...]


def fits(view: TeslaView, face: Face) -> list[Fit]:
    """List the legal placements of a face. Rules: Placing tiles."""
    position = position_of(view)
    if position.phase != "tiles":
        return []
    board, entries = position.board, []
    for spot in spots(board):
        pieces = pieces_at(board, spot.cell)
        for turn, lie in turns_at(board, spot, face, pieces):
            placement = survey(board, spot.cell, lie, pieces)
            move = spot.move(face, turn)
            effect = effect_of(position, placement)
            gains = effect.gains
            if any(gains):
                trial = position_of(view)
                trial.hands[trial.seat] = [move.tile]
                act(trial, move)
                gains = tuple(after - before for after, before in zip(trial.scores, view.scores, strict=True))
            group = _group(position, placement, effect)
            entries.append(Fit(move, placement.lie, group, gains, evaluate_placement(position, effect)))
    return sorted(entries, key=lambda fit: -fit.evaluation)


def open_cells(view: TeslaView, face: Face) -> set[Cell]:
    """Return the empty cells in which a face fits."""
    board = view.board
    return {spot.cell for spot in spots(board) if spot.old is None and turns_at(board, spot, face)}


def _group(position: TeslaPosition, placement: Survey, effect: PlacementEffect) -> Group:
    if any(join.pays for join in placement.joins):
        return "closes"
    if any(_lengthens_own(position, placement, effect)):
        return "lengthens"
    if any(len(join.circuits) > 1 for join in placement.joins):
        return "joins"
    return "cuts" if any(_cuts_short(position.board, placement)) else "other"


def _lengthens_own(position: TeslaPosition, placement: Survey, effect: PlacementEffect) -> Iterator[bool]:
    """Yield for each own circuit of the placement True if it gets longer."""
    board, seat = position.board, position.seat
    for join, decided in zip(placement.joins, effect.verdicts, strict=True):
        if decided is not None and decided.owner == seat:
            own = [number for number in join.circuits if board.owner(number) == seat]
            yield join.length > max(board.circuits[number].length for number in own)


def _cuts_short(board: TeslaBoard, placement: Survey) -> Iterator[bool]:
    """Yield True for each marked circuit that is shortened or split."""
    for number in placement.lifted:
        circuit, parts = board.circuits[number], placement.parts(number)
        if circuit.markers:
            yield len(parts) > 1 or parts[0].length < circuit.length


def move_preview(view: TeslaView, move: Act) -> MovePreview:
    """Preview a move of the viewer without its draw. Raises IllegalMove as `Game.play` does."""
    if view.over:
        raise IllegalMove(GAME_OVER)
    if view.viewer != view.seat:
        raise IllegalMove(NOT_YOUR_TURN)
    position = position_of(view)
    events = act(position, move)
    known = tuple(
        None if hand is None else tuple(position.hands[seat]) for seat, hand in enumerate(view.hands)
    )
    held = tuple(
        0 if seat in position.out else view.held[seat] if hand is None else len(hand)
        for seat, hand in enumerate(known)
    )
    after = view_of_position(position, viewer=view.viewer, held=held, hands=known, bag=view.bag)
    return MovePreview(after, tuple(events))


def gains_of(view: TeslaView, seat: Seat, move: Move) -> list[int] | None:
    """Return each score's change by a legal move. None if it lays no tile and uses no marker."""
    if isinstance(move, Discard | TeslaEndTurn):
        return None
    after = move_preview(view, move).view.scores
    return [now - before for now, before in zip(after, view.scores, strict=True)]


def sites(view: TeslaView) -> list[Site]:
    """Return the circuits with a marker move for the seat to act. Its own, then free ones, by value."""
    position, board = position_of(view), view.board
    replaying = position.phase == "replay"
    if not replaying and not (position.phase == "tiles" and position.may_mark):
        return []
    free: dict[CircuitId, list[tuple[Cell, Segment]]] = {}
    for move in marks(position, Mark):
        number = board.circuit_at(move.cell, move.segment)
        free.setdefault(number, []).append((move.cell, move.segment))
    mine: dict[CircuitId, list[Cell]] = {}
    for cell in () if replaying else own_markers(position):
        mine.setdefault(board.circuit_of_marker(cell), []).append(cell)

    def rank(number: CircuitId) -> tuple[bool, int, int]:
        return board.owner(number) != position.seat, -board.circuits[number].value, number

    return [
        Site(number, tuple(free.get(number, ())), tuple(mine.get(number, ())))
        for number in sorted({*free, *mine}, key=rank)
    ]


def can_mark(view: TeslaView) -> bool:
    position = position_of(view)
    if position.phase != "tiles" or not position.may_mark:
        return False
    return any(True for _ in own_markers(position)) or bool(marks(position, Mark))


def would_end_idle(view: TeslaView) -> bool:
    """Return True if ending the turn now would exhaust the game. Rules: Winning and dropping out."""
    if view.phase not in ("tiles", "end"):
        return False
    position = position_of(view)
    count_turn(position)
    return is_exhausted(position)


def would_ruin(view: TeslaView, move: Mark | Replay) -> bool:
    """Return True if a legal use of a marker would put its own seat out. Rules: Markers."""
    return view.seat in move_preview(view, move).view.out
