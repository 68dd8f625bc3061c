"""The circuits of a board worked out from nothing but its tiles, slowly and plainly."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

from engines.game import Seat
from engines.tesla import GAME
from engines.tesla.moves import Event, Move
from engines.tesla.pieces.board import Cell, End, TeslaBoard, neighbours
from engines.tesla.pieces.components import Lie, Segment, Side, TeslaOptions, Tiles, segments, shape
from engines.tesla.truth.state import TeslaState

Wire = tuple[Cell, Segment]
"""One segment of one tile."""


class Chain(NamedTuple):
    """A circuit: its segments and its open ends, in no special order."""

    wires: frozenset[Wire]
    ends: frozenset[End]


def misfits(tiles: Tiles, lies: Mapping[Cell, Lie]) -> list[tuple[Cell, Side]]:
    """Return the sides at which a wire meets a blank side."""
    opposite = shape(tiles).opposite
    return [
        (cell, side)
        for cell, lie in lies.items()
        for side, beyond in enumerate(neighbours(tiles, cell))
        if beyond in lies and _reaches(lie, side) and not _reaches(lies[beyond], opposite(side))
    ]


def _reaches(lie: Lie, side: Side) -> bool:
    return any(side in segment for segment in segments(lie))


def chains(tiles: Tiles, lies: Mapping[Cell, Lie]) -> list[Chain]:
    """Return every circuit, those of the first tile first."""
    left = {(cell, segment): None for cell, lie in lies.items() for segment in segments(lie)}
    result = []
    while left:
        group, queue = set(), [next(iter(left))]
        while queue:
            wire = queue.pop()
            if wire in left:
                del left[wire]
                group.add(wire)
                queue += _touching(tiles, lies, wire)
        ends = {End(cell, side) for cell, sides in group for side in sides}
        result.append(
            Chain(
                frozenset(group),
                frozenset(end for end in ends if neighbours(tiles, end.cell)[end.side] not in lies),
            )
        )
    return result


def _touching(tiles: Tiles, lies: Mapping[Cell, Lie], wire: Wire) -> Iterator[Wire]:
    cell, sides = wire
    for side in sides:
        beyond = neighbours(tiles, cell)[side]
        for segment in segments(lies[beyond]) if beyond in lies else ():
            if shape(tiles).opposite(side) in segment:
                yield beyond, segment


def assert_sound(board: TeslaBoard) -> None:
    """Check that the circuits are those of its tiles and markers."""
    lies = {cell: laid.lie for cell, laid in board.tiles.items()}
    assert not misfits(board.shape, lies)
    numbers = [_number(board, chain) for chain in chains(board.shape, lies)]
    assert sorted(numbers) == sorted(board.circuits)


def _number(board: TeslaBoard, chain: Chain) -> int:
    (number,) = {board.circuit_at(cell, segment) for cell, segment in chain.wires}
    circuit = board.circuits[number]
    assert circuit.length == len(chain.wires)
    assert len(circuit.ends) == len(set(circuit.ends)) == len(chain.ends)
    assert set(circuit.ends) == chain.ends
    assert circuit.closed == (not chain.ends)
    on_it = [cell for cell, marker in board.markers.items() if (cell, marker.segment) in chain.wires]
    assert list(circuit.markers) == on_it
    owners = {board.markers[cell].seat for cell in on_it}
    assert len(owners) <= 1
    assert board.owner(number) == (owners.pop() if owners else None)
    return number


def kind(rng: Random, moves: list[Move]) -> Move:
    """Choose a move, each kind of move as likely as the others."""
    kinds: dict[str, list[Move]] = defaultdict(list)
    for move in moves:
        kinds[type(move).__name__].append(move)
    return rng.choice(kinds[rng.choice(sorted(kinds))])


def walk(
    number: int, most: int, **options: Any
) -> Iterator[tuple[TeslaState, Seat, Move | None, list[Event]]]:
    """Yield a random game's first steps. Each has the state after it, who moved, the move, and the events."""
    rng, seed = Random(number), number.to_bytes(8, "big")
    seats = 2 + number % 3
    chosen = GAME.settle(seats, TeslaOptions(**options))
    state = GAME.begin(seats, chosen, GAME.deal(seats, chosen, seed), seed)
    for _ in range(most):
        if state.phase == "over":
            return
        seat = state.seat
        move = kind(rng, list(GAME.moves(state, seat)))
        yield state, seat, move, GAME.play(state, seat, move)
