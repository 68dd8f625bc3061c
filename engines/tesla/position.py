"""A position in play: what lies open, and the hands as far as they are known.

The truth of a table (`engines.tesla.truth.state.State`) is a position with the bag; a view gives one in which
only the viewer's hand is known, on which a move can be tried.
"""

from __future__ import annotations

import msgspec

from engines.game import Outcome, Seat
from engines.tesla.board import Board
from engines.tesla.cells import Cell
from engines.tesla.components import COMMON, Face
from engines.tesla.options import Options
from engines.tesla.view import Changes, Phase, View


class Position(msgspec.Struct, kw_only=True):
    """A position that moves are played on.

    The attributes are those of `View`; `hands` is empty for a hand that isn't known, and of `changes`
    and `last_changes` the first belongs to the turn in progress.
    """

    options: Options
    seats: int
    phase: Phase = "tiles"
    turn: int = 1
    seat: Seat
    replays: int = 0
    may_mark: bool = True
    acted: bool = False
    board: Board
    scores: list[int]
    started: int
    supplies: list[int]
    hands: list[list[Face]]
    discards: list[Face] = []
    out: list[Seat] = []
    places: list[int | None]
    idle: list[int]
    turns: list[int]
    changes: Changes = Changes()
    last_changes: Changes = Changes()
    outcome: Outcome | None = None


def remaining(position: Position) -> list[Seat]:
    """The seats that are still in the game, in seat order."""
    return [seat for seat in range(position.seats) if seat not in position.out]


def next_seat(position: Position, seat: Seat) -> Seat:
    """The next remaining seat clockwise."""
    while True:
        seat = (seat + 1) % position.seats
        if seat not in position.out:
            return seat


def copied(position: Position) -> Position:
    """A copy to try moves on."""
    return msgspec.structs.replace(
        position,
        board=position.board.copy(),
        scores=list(position.scores),
        supplies=list(position.supplies),
        hands=[list(hand) for hand in position.hands],
        discards=list(position.discards),
        out=list(position.out),
        places=list(position.places),
        idle=list(position.idle),
        turns=list(position.turns),
    )


def after_placing(changes: Changes, cell: Cell) -> Changes:
    """The changes with a tile laid on a cell."""
    others = tuple(other for other in changes.placed if other != cell)
    return msgspec.structs.replace(changes, placed=(*others, cell))


def after_marking(changes: Changes, cell: Cell) -> Changes:
    """The changes with a marker put on a cell."""
    return msgspec.structs.replace(changes, marked=(*changes.marked, cell))


def after_clearing(changes: Changes, cell: Cell) -> Changes:
    """The changes with a marker gone from a cell."""
    left = tuple(other for other in changes.marked if other != cell)
    others = tuple(other for other in changes.taken if other != cell)
    return msgspec.structs.replace(changes, marked=left, taken=(*others, cell))


def shown(
    position: Position,
    *,
    viewer: Seat | None,
    held: tuple[int, ...],
    hands: tuple[tuple[Face, ...] | None, ...],
    bag: int,
    bag_tiles: tuple[Face, ...] | None = None,
) -> View:
    """The view of a position, given what the viewer knows of hands and bag. The board is a copy."""
    return View(
        options=position.options,
        seats=position.seats,
        viewer=viewer,
        phase=position.phase,
        turn=position.turn,
        seat=position.seat,
        replays=position.replays,
        may_mark=position.may_mark,
        acted=position.acted,
        board=position.board.copy(),
        scores=tuple(position.scores),
        started=position.started,
        supplies=tuple(position.supplies),
        held=held,
        hands=hands,
        bag=bag,
        bag_tiles=bag_tiles,
        discards=tuple(position.discards),
        out=tuple(position.out),
        places=tuple(position.places),
        behind=COMMON.behind,
        idle=tuple(position.idle),
        turns=tuple(position.turns),
        changes=position.changes if position.acted else position.last_changes,
        outcome=position.outcome,
    )


def supposed(view: View) -> Position:
    """A position as its viewer knows it, to try moves on: the hands of others are empty."""
    return Position(
        options=view.options,
        seats=view.seats,
        phase=view.phase,
        turn=view.turn,
        seat=view.seat,
        replays=view.replays,
        may_mark=view.may_mark,
        acted=view.acted,
        board=view.board.copy(),
        scores=list(view.scores),
        started=view.started,
        supplies=list(view.supplies),
        hands=[list(hand or ()) for hand in view.hands],
        discards=list(view.discards),
        out=list(view.out),
        places=list(view.places),
        idle=list(view.idle),
        turns=list(view.turns),
        changes=view.changes if view.acted else Changes(),
        last_changes=view.changes,
        outcome=view.outcome,
    )
