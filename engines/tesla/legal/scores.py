"""Scores, and their immediate consequences: wins, eliminations, the next turn."""

from collections.abc import Sequence

from engines.game import Outcome, Seat
from engines.tesla.events import Event, TeslaEliminated, TeslaEnded
from engines.tesla.legal.position import TeslaPosition, after_clearing, next_seat
from engines.tesla.pieces.cells import Cell
from engines.tesla.pieces.components import COMMON
from engines.tesla.pieces.placement import lift_marker
from engines.tesla.view import MarkerReturn, TeslaChanges


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
