"""The board for a number of seats: spaces with their actions, areas, and their neighbours; tiles.

Sets of areas are bit masks over the areas in play, in the order of the data file, so that bordering, groups
and distances are a few operations on whole numbers.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal

import msgspec

from engines.game import Seat
from engines.tangle.pieces import components

Mask = int
"""A set of areas: bit n is the area number n of the board."""

Exchange = tuple[tuple[components.SpaceCode, components.Alternative], ...]
Kind = Literal["earth", "bush", "meadow", "lake", "sapling", "tree"]
Stack = Literal["earth", "meadow", "lake", "sapling"]
"""The four sorts of two-sided tiles: earth and bush are one, sapling and tree are one."""

BEARS: dict[Kind, components.Resource] = {"meadow": "N", "bush": "E"}
"""The resource that gathers on a tile when roots land beside it."""

STACKS: tuple[Stack, ...] = ("earth", "meadow", "lake", "sapling")
STACK_OF: dict[Kind, Stack] = {
    "earth": "earth",
    "bush": "earth",
    "meadow": "meadow",
    "lake": "lake",
    "sapling": "sapling",
    "tree": "sapling",
}


class TangleTile(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A tile on an area.

    Attributes:
        owner: its seat.
        kind: its visible side.
        seed: the seed on clean earth.
        cubes: on a meadow nourishment, on a bush earth.
        roots: the number of the owner's roots on a tree.
    """

    owner: Seat
    kind: Kind
    seed: components.Seed | None = None
    cubes: int = 0
    roots: int = 0


class TangleBoard(msgspec.Struct, frozen=True, eq=False):
    """The spaces and areas of one table, with their geometry.

    Attributes:
        bottom: the start of the trackers, in steps below the top.
        spaces: every space in play with its action; an empty one has none.
        usable: the spaces that a root may be placed on.
        feeds: for each space the resource spaces that a placement on it brings 1 resource to.
        start: for each resource space its resources at first and after each refill.
        areas: the areas in play, in the order of their bits; `all` is the mask of them.
        bit: the mask of each area alone.
        borders: for each area the mask of those across its edges.
        discs: for each area the masks of the areas up to each distance from it, itself first.
        beside: for each space the areas that border it.
        beside_mask: the same as masks.
        corners: for each area the number of spaces in play that it touches.
    """

    bottom: int
    spaces: dict[components.SpaceCode, components.Action]
    usable: tuple[components.SpaceCode, ...]
    feeds: dict[components.SpaceCode, tuple[tuple[components.SpaceCode, components.Resource], ...]]
    start: dict[components.SpaceCode, components.Amount]
    areas: tuple[components.AreaCode, ...]
    all: Mask
    bit: dict[components.AreaCode, Mask]
    borders: dict[components.AreaCode, Mask]
    discs: dict[components.AreaCode, tuple[Mask, ...]]
    beside: dict[components.SpaceCode, tuple[components.AreaCode, ...]]
    beside_mask: dict[components.SpaceCode, Mask]
    corners: dict[components.AreaCode, int]

    def mask(self, areas: Iterable[components.AreaCode]) -> Mask:
        number = 0
        for area in areas:
            number |= self.bit[area]
        return number

    def among(self, mask: Mask) -> Iterator[components.AreaCode]:
        """Yield the areas of a mask, in the order of the board."""
        areas = self.areas
        while mask:
            lowest = mask & -mask
            yield areas[lowest.bit_length() - 1]
            mask ^= lowest

    def around(self, mask: Mask) -> Mask:
        """Return all areas that border one of these."""
        number = 0
        for area in self.among(mask):
            number |= self.borders[area]
        return number

    def distance(self, area: components.AreaCode, mask: Mask) -> int:
        """Return the steps from an area to the nearest of a non-empty mask. Rules: The board."""
        for steps, disc in enumerate(self.discs[area]):
            if disc & mask:
                return steps
        raise ValueError("nothing to measure the distance to")

    def within(self, steps: int, mask: Mask) -> Mask:
        number = 0
        for area in self.among(mask):
            discs = self.discs[area]
            number |= discs[min(steps, len(discs) - 1)]
        return number

    def largest_group(self, mask: Mask) -> int:
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
def board(seats: int, exchange: Exchange = (), centre: components.Alternative | None = None) -> TangleBoard:
    """Build the board for that many seats, with exchanged spaces and centre. Rules: The board."""
    actions: dict[components.SpaceCode, components.Action] = {
        code: facts.action for code, facts in components.SPACES.items() if facts.section <= seats
    }
    actions.update(exchange)
    if centre is not None:
        actions[components.CENTRE] = centre
    areas = tuple(code for code, facts in components.AREAS.items() if facts.section <= seats)
    bit = {code: 1 << number for number, code in enumerate(areas)}
    borders = {code: sum(bit.get(other, 0) for other in components.AREAS[code].borders) for code in areas}
    beside = {
        space: tuple(area for area in areas if space in components.AREAS[area].spaces) for space in actions
    }
    springs = [code for code, action in actions.items() if action == "resource"]
    return TangleBoard(
        bottom=seats + components.EXTRA_STEPS,
        spaces=actions,
        usable=tuple(code for code, action in actions.items() if action),
        feeds={
            code: tuple(
                (to, components.SPACES[to].arrows[code])
                for to in springs
                if code in components.SPACES[to].arrows
            )
            for code in actions
        },
        start={code: components.amount(components.SPACES[code].start) for code in springs},
        areas=areas,
        all=(1 << len(areas)) - 1,
        bit=bit,
        borders=borders,
        discs={code: _discs(bit[code], areas, borders) for code in areas},
        beside=beside,
        beside_mask={space: sum(bit[area] for area in near) for space, near in beside.items()},
        corners={code: sum(space in actions for space in components.AREAS[code].spaces) for code in areas},
    )


def _discs(
    start: Mask, areas: tuple[components.AreaCode, ...], borders: dict[components.AreaCode, Mask]
) -> tuple[Mask, ...]:
    discs, edge = [start], start
    while edge:
        reached = discs[-1]
        for number, code in enumerate(areas):
            if edge >> number & 1:
                reached |= borders[code]
        edge = reached & ~discs[-1]
        discs.append(reached)
    return tuple(discs[:-1])
