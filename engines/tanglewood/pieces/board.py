"""The nine regions, the standing of colours in them, and its votes.

A colour is a seat's number, or ``neutral``. The workers of a region are counted by colour: one number for
each seat, and at three seats a last one for the neutral colour.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from engines.game import Seat
from engines.tanglewood.pieces.components import REGIONS, SETUP, Region

Colour = int | Literal["neutral"]
Counts = tuple[int, ...]
"""The workers in one region, by colour."""

NEUTRAL: Literal["neutral"] = "neutral"


class Hop(msgspec.Struct, frozen=True):
    """One worker's move from one region to another."""

    colour: Colour
    start: Region
    end: Region


def adjacent(region: Region) -> tuple[Region, ...]:
    """Return the neighbouring regions in order.

    >>> adjacent("A"), adjacent("E")
    (('B', 'D'), ('B', 'D', 'F', 'H'))
    """
    return _ADJACENT[region]


_ADJACENT = {
    one.key: tuple(
        near.key for near in REGIONS.values() if abs(near.row - one.row) + abs(near.column - one.column) == 1
    )
    for one in REGIONS.values()
}


def colours(seats: int) -> tuple[Colour, ...]:
    """Return every colour on the board, in counting order.

    >>> colours(3)
    (0, 1, 2, 'neutral')
    >>> colours(4)
    (0, 1, 2, 3)
    """
    neutral: tuple[Colour, ...] = (NEUTRAL,) if seats == SETUP.neutral_seats else ()
    return (*range(seats), *neutral)


def index(colour: Colour, counts: Sequence[int]) -> int:
    """Return the index of a colour in the counts. The neutral one is last."""
    return len(counts) - 1 if colour == NEUTRAL else colour


def standing(counts: Sequence[int], colour: Colour) -> int | None:
    """Return a colour's place in a region, from 1.

    None without a worker there. Rules: Standing. Colours that are level all take the lowest place that they
    share.

    >>> [standing((1, 4, 4, 2), seat) for seat in range(4)]
    [4, 2, 2, 3]
    >>> standing((3, 1, 0), 2) is None
    True
    """
    own = counts[index(colour, counts)]
    return sum(other >= own for other in counts) if own else None


def votes(region: Region, counts: Sequence[int], seats: int, out: Collection[Seat] = ()) -> tuple[int, ...]:
    """Return each seat's votes for its standing in a region.

    Rules: Scoring, Leaving. The neutral colour and the seats that have left count in the standing and get
    nothing.

    >>> votes("A", (4, 2, 2, 1), 4)
    (9, 2, 2, 0)
    >>> votes("A", (4, 2, 1, 5), 3)
    (5, 2, 0)
    >>> votes("A", (4, 2, 2, 1), 4, out=[0])
    (0, 2, 2, 0)
    """
    paid = REGIONS[region].votes
    places = (None if seat in out else standing(counts, seat) for seat in range(seats))
    return tuple(paid[place - 1] if place is not None and place <= len(paid) else 0 for place in places)


def more(counts: Counts, colour: Colour, number: int) -> Counts:
    """Add to the workers of one colour; a negative number removes some.

    >>> more((2, 2, 2, 2), 1, 3)
    (2, 5, 2, 2)
    """
    place = index(colour, counts)
    return (*counts[:place], counts[place] + number, *counts[place + 1 :])


def after(workers: Mapping[Region, Counts], hops: Iterable[Hop]) -> dict[Region, Counts]:
    """Return the workers after simultaneous hops; the argument is left alone."""
    moved = dict(workers)
    for hop in hops:
        moved[hop.start] = more(moved[hop.start], hop.colour, -1)
        moved[hop.end] = more(moved[hop.end], hop.colour, 1)
    return moved
