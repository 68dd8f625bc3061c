"""The circuits of a board worked out from nothing but its tiles, slowly and plainly."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engines.tesla.pieces.board import Cell, End, TeslaBoard, neighbours
from engines.tesla.pieces.components import Lie, Segment, Side, Tiles, segments, shape

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
        result.append(Chain(frozenset(group), frozenset(_open(tiles, lies, group))))
    return result


def _touching(tiles: Tiles, lies: Mapping[Cell, Lie], wire: Wire) -> Iterator[Wire]:
    cell, sides = wire
    for side in sides:
        beyond = neighbours(tiles, cell)[side]
        for segment in segments(lies[beyond]) if beyond in lies else ():
            if shape(tiles).opposite(side) in segment:
                yield beyond, segment


def _open(tiles: Tiles, lies: Mapping[Cell, Lie], group: set[Wire]) -> Iterator[End]:
    for cell, sides in group:
        for side in sides:
            if neighbours(tiles, cell)[side] not in lies:
                yield End(cell, side)


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
