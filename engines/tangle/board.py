"""What is in play for a number of seats: spaces with their actions, areas, and what lies beside what.

Sets of areas are bit masks over the areas in play, in the order of the data file, so that bordering,
groups and distances are a few operations on whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

import msgspec

from engines.tangle.amounts import Amount, Resource
from engines.tangle.data import AREAS, CENTRE, EXTRA_STEPS, SPACES, Action, AreaCode, SpaceCode, amount
from engines.tangle.options import Alternative

Mask = int
"""A set of areas: bit n stands for the area number n of the board."""

Exchange = tuple[tuple[SpaceCode, Alternative], ...]


class Board(msgspec.Struct, frozen=True, eq=False):
    """The board of one table. Everything that is asked about spaces and areas looks at these alone.

    Attributes:
        bottom: where the trackers start, in steps below the top.
        spaces: every space in play with its action; an empty one means that nothing can be done there.
        usable: the spaces that a root may be placed on.
        feeds: for each space the resource spaces that a placement on it brings 1 resource to.
        start: for each resource space what lies on it at first and after each refill.
        areas: the areas in play, in the order of their bits.
        bit: the mask of each area alone.
        borders: for each area the mask of those across its edges.
        rings: for each area the masks of the areas at each distance from it, itself first.
        beside: for each space the areas that border it.
        beside_mask: the same as masks.
        corners: for each area the number of spaces in play that it touches.
    """

    bottom: int
    spaces: dict[SpaceCode, Action]
    usable: tuple[SpaceCode, ...]
    feeds: dict[SpaceCode, tuple[tuple[SpaceCode, Resource], ...]]
    start: dict[SpaceCode, Amount]
    areas: tuple[AreaCode, ...]
    bit: dict[AreaCode, Mask]
    borders: dict[AreaCode, Mask]
    rings: dict[AreaCode, tuple[Mask, ...]]
    beside: dict[SpaceCode, tuple[AreaCode, ...]]
    beside_mask: dict[SpaceCode, Mask]
    corners: dict[AreaCode, int]

    def mask(self, areas: Iterable[AreaCode]) -> Mask:
        """The mask of some areas."""
        found = 0
        for area in areas:
            found |= self.bit[area]
        return found

    def among(self, mask: Mask) -> Iterator[AreaCode]:
        """The areas of a mask, in the order of the board."""
        areas = self.areas
        while mask:
            lowest = mask & -mask
            yield areas[lowest.bit_length() - 1]
            mask ^= lowest

    def around(self, mask: Mask) -> Mask:
        """All areas that border one of these."""
        found = 0
        for area in self.among(mask):
            found |= self.borders[area]
        return found

    def distance(self, area: AreaCode, mask: Mask) -> int:
        """The steps from an area to the nearest of a mask, which must not be empty. Rules: The board."""
        for steps, ring in enumerate(self.rings[area]):
            if ring & mask:
                return steps
        raise ValueError("nothing to measure the distance to")

    def largest_group(self, mask: Mask) -> int:
        """The most areas of a mask that hang together by bordering."""
        most = 0
        while mask:
            group = frontier = mask & -mask
            while frontier:
                frontier = self.around(frontier) & mask & ~group
                group |= frontier
            most = max(most, group.bit_count())
            mask &= ~group
        return most


@lru_cache(maxsize=256)
def board(seats: int, exchange: Exchange = (), centre: Alternative | None = None) -> Board:
    """The board for so many seats, with exchanged spaces and an action of the centre. Rules: The board."""
    actions = _actions(seats, exchange, centre)
    areas = tuple(code for code, facts in AREAS.items() if facts.section <= seats)
    bit = {code: 1 << number for number, code in enumerate(areas)}
    borders = {code: sum(bit.get(other, 0) for other in AREAS[code].borders) for code in areas}
    beside = {space: tuple(area for area in areas if space in AREAS[area].spaces) for space in actions}
    springs = [code for code, action in actions.items() if action == "resource"]
    return Board(
        bottom=seats + EXTRA_STEPS,
        spaces=actions,
        usable=tuple(code for code, action in actions.items() if action),
        feeds={
            code: tuple((to, SPACES[to].arrows[code]) for to in springs if code in SPACES[to].arrows)
            for code in actions
        },
        start={code: amount(SPACES[code].start) for code in springs},
        areas=areas,
        bit=bit,
        borders=borders,
        rings={code: _rings(bit[code], areas, borders) for code in areas},
        beside=beside,
        beside_mask={space: sum(bit[area] for area in near) for space, near in beside.items()},
        corners={code: sum(space in actions for space in AREAS[code].spaces) for code in areas},
    )


def _actions(seats: int, exchange: Exchange, centre: Alternative | None) -> dict[SpaceCode, Action]:
    found: dict[SpaceCode, Action] = {
        code: facts.action for code, facts in SPACES.items() if facts.section <= seats
    }
    found.update(exchange)
    if centre is not None:
        found[CENTRE] = centre
    return found


def _rings(start: Mask, areas: tuple[AreaCode, ...], borders: dict[AreaCode, Mask]) -> tuple[Mask, ...]:
    rings, seen = [start], start
    while rings[-1]:
        edge = 0
        for number, code in enumerate(areas):
            if rings[-1] >> number & 1:
                edge |= borders[code]
        rings.append(edge & ~seen)
        seen |= edge
    return tuple(rings[:-1])
