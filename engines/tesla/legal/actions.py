"""A seat's actions up to the draw: tiles and markers, with their immediate consequences.

Every function checks first and changes the position after. Nothing here needs the bag, so a move can be
tried on a viewer's knowledge.
"""

from collections.abc import Mapping

import msgspec

from engines.game import IllegalMove
from engines.tesla import moves
from engines.tesla.legal import sentences
from engines.tesla.legal.moves import check_mark, check_placement, check_take
from engines.tesla.legal.position import TeslaPosition, change_score, note_tile, pass_turn, return_marker
from engines.tesla.pieces.board import Cell, Circuit, CircuitId
from engines.tesla.pieces.circuits import Join, lay, put_marker, verdict
from engines.tesla.pieces.components import Segment, shape

Act = moves.TeslaPlace | moves.Replace | moves.Mark | moves.Take | moves.Replay | moves.EndReplay
"""A move that needs no draw."""


def act(position: TeslaPosition, move: Act) -> list[moves.Event]:
    """Carry out a move of the seat to act. Raises IllegalMove with the position untouched."""
    replaying = position.phase == "replay"
    match move:
        case moves.Replay() if replaying:
            # Rules: Closing circuits.
            check_mark(position, move.cell, move.segment)
            position.replays -= 1
            position.phase = "replay" if position.replays else "tiles"
            return _put(position, move.cell, move.segment, replayed=True) + _go_on(position)
        case moves.EndReplay() if replaying:
            # Rules: Closing circuits.
            forfeited = position.replays
            position.replays = 0
            position.phase = "tiles"
            return [moves.ReplayEnded(position.seat, forfeited)]
        case moves.Replay() | moves.EndReplay():
            raise IllegalMove(sentences.NO_RING_MARKERS)
        case _ if replaying:
            raise IllegalMove(sentences.REPLAY_FIRST)
        case moves.TeslaPlace() | moves.Replace():
            return _place(position, move)
        case moves.Mark():
            # Rules: Markers.
            _check_unused(position)
            check_mark(position, move.cell, move.segment)
            position.phase, position.may_mark = "end", False
            return _put(position, move.cell, move.segment) + _go_on(position)
        case moves.Take():
            # Rules: Markers.
            _check_unused(position)
            check_take(position, move.cell)
            board, seat = position.board, position.seat
            position.phase, position.may_mark = "end", False
            number = board.circuit_of_marker(move.cell)
            gain = board.circuits[number].value
            return_marker(position, move.cell, gain)
            _record_action(position)
            event = moves.Taken(seat, move.cell, number, gain, position.scores[seat] + gain)
            return [event, *change_score(position, seat, gain)]


def _place(position: TeslaPosition, move: moves.TeslaPlace | moves.Replace) -> list[moves.Event]:
    """Rules: Placing tiles, Replacing tiles."""
    if position.phase != "tiles":
        raise IllegalMove(sentences.NO_TILES_AFTER_MARKER)
    placement = check_placement(position, move)
    seat, board = position.seat, position.board
    touched = {*placement.lifted, *(piece.circuit for piece in placement.pieces)}
    before = {number: board.circuits[number] for number in touched}
    events: list[moves.Event] = [moves.TeslaPlaced(seat, move.cell, placement.lie, placement.replaced)]
    for lifted in placement.lifted:
        # Rules: Replacing tiles. It cuts or shortens a circuit.
        circuit, parts = board.circuits[lifted], placement.parts(lifted)
        if len(parts) > 1 or (parts and parts[0].length < circuit.length and not parts[0].pays):
            owner, each = board.owner(lifted), tuple(part.length for part in parts)
            events.append(moves.Split(seat, lifted, circuit.length, owner, each))
    numbers = lay(board, placement, position.changes.gone)
    position.hands[seat].remove(move.tile)
    if placement.replaced is not None:
        position.discards.append(shape(board.shape).faces[placement.replaced])
    lengths = dict.fromkeys(numbers, 0) | {number: one.length for number, one in before.items()}
    replaces = placement.replaced is not None
    position.changes = note_tile(position.changes, move.cell, lengths, board, replaces=replaces)
    _record_action(position)
    for join, number in zip(placement.joins, numbers, strict=True):
        if position.outcome is None:
            events += _join(position, join, number, before)
            events += _close(position, join, number)
    return events + _go_on(position)


def _record_action(position: TeslaPosition) -> None:
    position.acted = True
    position.idle[position.seat] = 0


def _join(
    position: TeslaPosition, join: Join, number: CircuitId, before: Mapping[CircuitId, Circuit]
) -> list[moves.Event]:
    """Rules: Joining circuits."""
    joined = join.circuits
    if not (len(joined) > 1 or join.pays or any(join.length > before[one].length for one in joined)):
        return []
    decided = verdict(position.board.markers, join, position.seats)
    returned = [0] * position.seats
    for cell in decided.returned:
        returned[position.board.markers[cell].seat] += 1
        return_marker(position, cell)
    return [
        moves.Joined(
            seat=position.seat,
            circuit=number,
            length=join.length,
            closed=join.closed,
            joined=joined,
            markers=decided.markers,
            reach=decided.reach,
            owner=decided.owner,
            returned=tuple(returned),
            cells=decided.returned,
        )
    ]


def _close(position: TeslaPosition, join: Join, number: CircuitId) -> list[moves.Event]:
    """Rules: Closing circuits."""
    if not join.pays:
        return []
    circuit, owner = position.board.circuits[number], position.board.owner(number)
    for cell in circuit.markers:
        return_marker(position, cell, circuit.value)
    count = len(circuit.markers)
    events: list[moves.Event] = [
        moves.Closed(position.seat, number, circuit.length, owner, count, circuit.value)
    ]
    if owner is None:
        return events
    if owner == position.seat:
        position.replays += count
    return events + change_score(position, owner, count * circuit.value)


def _go_on(position: TeslaPosition) -> list[moves.Event]:
    """Begin the next turn if the seat is out, else the replay that it has earned."""
    if position.outcome is not None:
        return []
    if position.seat in position.out:
        return pass_turn(position)
    if position.replays:
        position.phase = "replay"
    return []


def _check_unused(position: TeslaPosition) -> None:
    if position.phase == "end":
        raise IllegalMove(sentences.MARKER_USED)
    if not position.may_mark:
        raise IllegalMove(sentences.NO_MARKER_AT_FIRST)


def _put(position: TeslaPosition, cell: Cell, segment: Segment, replayed: bool = False) -> list[moves.Event]:
    seat = position.seat
    number = put_marker(position.board, seat, cell, segment)
    position.supplies[seat] -= 1
    changes = position.changes
    position.changes = msgspec.structs.replace(changes, marked=(*changes.marked, cell))
    _record_action(position)
    cost = position.board.circuits[number].value
    score = position.scores[seat] - cost
    return [
        moves.Marked(seat, cell, segment, number, cost, score, replayed),
        *change_score(position, seat, -cost),
    ]
