"""A position in play: public facts, known hands, scores and their consequences.

The full state (`engines.tesla.truth.state.TeslaState`) is a position with the bag; a view gives one in which
only the viewer's hand is known, on which a move can be tried.
"""

from collections.abc import Mapping, Sequence
from typing import Self

import msgspec

from engines.game import Outcome, Seat
from engines.tesla.moves import Event, TeslaEliminated, TeslaEnded
from engines.tesla.pieces.board import Cell, CircuitId, TeslaBoard
from engines.tesla.pieces.circuits import lift_marker
from engines.tesla.pieces.components import COMMON, Face
from engines.tesla.view import MarkerReturn, TeslaChanges, TeslaPublic, TeslaView


class TeslaPosition(TeslaPublic, kw_only=True):
    """A position to play moves on: public facts, and the hands as far as they are known.

    Attributes:
        hands: the tiles in each hand in the order drawn, empty for a hand that isn't known.
        changes: the changes of the turn in progress; `last_changes` those of the turn before.
    """

    hands: list[list[Face]]
    changes: TeslaChanges = TeslaChanges()
    last_changes: TeslaChanges = TeslaChanges()

    def copy(self) -> Self:
        return msgspec.structs.replace(self, hands=[hand[:] for hand in self.hands], **self.public_fields())


def next_seat(position: TeslaPosition, seat: Seat) -> Seat:
    """Return the next remaining seat clockwise."""
    while True:
        seat = (seat + 1) % position.seats
        if seat not in position.out:
            return seat


def note_tile(
    changes: TeslaChanges, cell: Cell, lengths: Mapping[CircuitId, int], board: TeslaBoard, *, replaces: bool
) -> TeslaChanges:
    """Add a laid tile, with the touched circuits' earlier `lengths`."""
    others = tuple(other for other in changes.placed if other != cell)
    is_replaced = replaces and cell not in changes.placed
    return msgspec.structs.replace(
        changes,
        placed=(*others, cell),
        gone=(*changes.gone, *(number for number in lengths if number not in board.circuits)),
        replaced=(*changes.replaced, cell) if is_replaced else changes.replaced,
        lengths=tuple({**lengths, **dict(changes.lengths)}.items()),
    )


def after_clearing(changes: TeslaChanges, marker: MarkerReturn) -> TeslaChanges:
    cell = marker.cell
    left = tuple(other for other in changes.marked if other != cell)
    others = tuple(other for other in changes.taken if other != cell)
    earlier = tuple(other for other in changes.returned if other.cell != cell)
    return msgspec.structs.replace(changes, marked=left, taken=(*others, cell), returned=(*earlier, marker))


def view_of_position(
    position: TeslaPosition,
    *,
    viewer: Seat | None,
    held: tuple[int, ...],
    hands: tuple[tuple[Face, ...] | None, ...],
    bag: int,
    bag_tiles: tuple[Face, ...] | None = None,
) -> TeslaView:
    """Return a view, given the viewer's knowledge of hands and bag. The board is a copy."""
    return TeslaView(
        **position.public_fields(),
        viewer=viewer,
        held=held,
        hands=hands,
        bag=bag,
        bag_tiles=bag_tiles,
        behind=COMMON.behind,
        changes=position.changes if position.acted else position.last_changes,
    )


def position_of(view: TeslaView) -> TeslaPosition:
    """Return the viewer's position to try moves on. The hands of others are empty."""
    return TeslaPosition(
        **view.public_fields(),
        hands=[list(hand or ()) for hand in view.hands],
        changes=view.changes if view.acted else TeslaChanges(),
        last_changes=view.changes,
    )


def change_score(position: TeslaPosition, seat: Seat, points: int) -> list[Event]:
    """Add points; check for a win and for eliminations. Rules: Winning and dropping out."""
    scores = position.scores
    scores[seat] += points
    if scores[seat] >= position.options.win:
        return [finish(position, "points", winner=seat)]
    inside = position.remaining
    lead = max(scores[other] for other in inside)
    fallen = [other for other in inside if lead - scores[other] >= COMMON.behind]
    events: list[Event] = [TeslaEliminated(other, scores[other], lead - scores[other]) for other in fallen]
    return events + take_out(position, fallen) if fallen else events


def take_out(position: TeslaPosition, seats: Sequence[Seat]) -> list[Event]:
    """Eliminate seats that go out together. Rules: Winning and dropping out."""
    place = len(position.remaining) - len(seats) + 1
    for seat in seats:
        position.out.append(seat)
        position.places[seat] = place
        position.discards += position.hands[seat]
        position.hands[seat] = []
        for cell in [cell for cell, marker in position.board.markers.items() if marker.seat == seat]:
            return_marker(position, cell)
    return [finish(position, "survivor")] if len(position.remaining) == 1 else []


def return_marker(position: TeslaPosition, cell: Cell, points: int = 0) -> None:
    """Return a marker, which earns points, to its owner's supply."""
    seat = position.board.markers[cell].seat
    position.supplies[seat] += 1
    lift_marker(position.board, cell)
    position.changes = after_clearing(position.changes, MarkerReturn(cell, seat, points))


def count_turn(position: TeslaPosition) -> None:
    """Count a finished turn, as an idle one if nothing was done."""
    position.turns[position.seat] += 1
    if not position.acted:
        position.idle[position.seat] += 1


def pass_turn(position: TeslaPosition) -> list[Event]:
    """Begin the next seat's turn, unless the game is exhausted. Rules: Your turn."""
    if is_exhausted(position):
        return [finish(position, "exhausted")]
    position.seat = next_seat(position, position.seat)
    position.turn += 1
    position.phase = "tiles"
    position.replays = 0
    position.may_mark = True
    position.last_changes, position.changes = position.changes, TeslaChanges()
    position.acted = False
    position.started = position.scores[position.seat]
    return []


def is_exhausted(position: TeslaPosition) -> bool:
    """Return True if nobody makes progress any more. Rules: Winning and dropping out."""
    inside = position.remaining
    return all(position.idle[seat] >= COMMON.idle_turns for seat in inside) or all(
        position.turns[seat] >= COMMON.turns for seat in inside
    )


def finish(position: TeslaPosition, how: str, winner: Seat | None = None) -> TeslaEnded:
    """End the game: place the remaining seats by score, a winner first."""
    standings = {seat: (seat == winner, position.scores[seat]) for seat in position.remaining}
    for seat, standing in standings.items():
        position.places[seat] = 1 + sum(other > standing for other in standings.values())
    position.phase = "over"
    position.replays = 0
    position.outcome = Outcome(how, tuple(position.places), scores=tuple(position.scores))
    return TeslaEnded(position.outcome)
