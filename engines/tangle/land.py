"""What lies on the board: tiles on areas, roots and resources on spaces."""

from __future__ import annotations

from typing import Literal

import msgspec

from engines.game import Seat
from engines.tangle.data import Seed

Kind = Literal["earth", "bush", "meadow", "lake", "sapling", "tree"]
Stack = Literal["earth", "meadow", "lake", "sapling"]
"""The four sorts of two-sided tiles: earth and bush are one, sapling and tree are one."""

STACKS: tuple[Stack, ...] = ("earth", "meadow", "lake", "sapling")
STACK_OF: dict[Kind, Stack] = {
    "earth": "earth",
    "bush": "earth",
    "meadow": "meadow",
    "lake": "lake",
    "sapling": "sapling",
    "tree": "sapling",
}


class Tile(msgspec.Struct, frozen=True, omit_defaults=True):
    """A tile on an area.

    Attributes:
        owner: whose it is.
        kind: what it shows.
        seed: the seed on clean earth.
        cubes: on a meadow nourishment, on a bush earth.
        roots: how many of the owner's roots stand on a tree.
    """

    owner: Seat
    kind: Kind
    seed: Seed | None = None
    cubes: int = 0
    roots: int = 0
