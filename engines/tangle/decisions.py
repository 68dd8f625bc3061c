"""The decisions that wait on the agenda of a turn; the top one says what is to be decided now.

`left` is how many more are allowed, None for any number. `free` means that nothing is paid.
"""

from __future__ import annotations

from typing import assert_never

import msgspec

from engines.game import Seat
from engines.tangle.pieces.card_language import (
    AnyOp,
    Asking,
    DrainTiles,
    DrawCards,
    FreeEarth,
    FreeGrowth,
    FreeLake,
    FreeMeadow,
    GainAny,
    LowerTrackers,
    RecallRoot,
    SwapTiles,
    TakeoverFree,
    TrackName,
)
from engines.tangle.pieces.components import AreaCode, CardId, SpaceCode


class Upkeep(msgspec.Struct, frozen=True, gc=False, tag="upkeep"):
    """The upkeep of a track: for each seat the items still to pay or drop, and how many are free."""

    track: TrackName
    items: tuple[tuple[str, ...], ...]
    free: tuple[int, ...]


class Placing(msgspec.Struct, frozen=True, gc=False, tag="place"):
    """A placement; with `sleeper` that of a root that slept on this space, which may be declined."""

    sleeper: SpaceCode | None = None
    extra: bool = False


class Toll(msgspec.Struct, frozen=True, gc=False, tag="toll"):
    """Who is still to be paid for roots below, in ascending order, and how much."""

    due: tuple[tuple[Seat, int], ...]


class Casting(msgspec.Struct, frozen=True, gc=False, tag="cast"):
    """The casting of enchantments; `cast` have been cast in it."""

    cast: int = 0


class Pushing(msgspec.Struct, frozen=True, gc=False, tag="steps"):
    """The steps of the turn's changes are shared out over the tracks."""

    count: int


class Earths(msgspec.Struct, frozen=True, gc=False, tag="earth"):
    """Clean earth is laid; `laid` so many in this action."""

    left: int | None = None
    free: bool = False
    laid: int = 0


class Lakes(msgspec.Struct, frozen=True, gc=False, tag="lake"):
    """Lakes are laid."""

    left: int = 1


class Meadows(msgspec.Struct, frozen=True, gc=False, tag="meadow"):
    """Meadows are laid; a spreading only on the areas in `only`, for less."""

    left: int | None = None
    free: bool = False
    laid: int = 0
    only: tuple[AreaCode, ...] | None = None


class Planting(msgspec.Struct, frozen=True, gc=False, tag="plant"):
    """Seeds are planted."""


class Growing(msgspec.Struct, frozen=True, gc=False, tag="grow"):
    """Seeds and saplings grow; those in `grown` have grown in this action.

    `contained` marks the growth after which every own bush gets a cube.
    """

    left: int | None = None
    free: bool = False
    grown: tuple[AreaCode, ...] = ()
    contained: bool = False


class Drawing(msgspec.Struct, frozen=True, gc=False, tag="draw"):
    """Cards are drawn, one after the other."""

    left: int


class Sprouting(msgspec.Struct, frozen=True, gc=False, tag="sprout"):
    """Saplings are laid beside trees."""


class Hedging(msgspec.Struct, frozen=True, gc=False, tag="hedge"):
    """Bush seeds are put beside bushes."""


class Transforming(msgspec.Struct, frozen=True, gc=False, tag="mana"):
    """Mana is changed into other things."""


class Swapping(msgspec.Struct, frozen=True, gc=False, tag="swap"):
    """Own tiles are swapped: `left` more swaps, `areas` are in it already, `most` may be."""

    left: int
    most: int
    areas: tuple[AreaCode, ...] = ()


class Diverse(msgspec.Struct, frozen=True, gc=False, tag="diverse"):
    """At most one clean earth, one meadow and one growth; those named are still open."""

    earth: bool = True
    meadow: bool = True
    grow: bool = True


class Sacrificing(msgspec.Struct, frozen=True, gc=False, tag="sacrifice"):
    """Own tiles are offered."""


class TakingOver(msgspec.Struct, frozen=True, gc=False, tag="takeover"):
    """Opponents' empty clean earth is taken over."""

    left: int | None = None
    free: bool = False


class GainingAny(msgspec.Struct, frozen=True, gc=False, tag="gain_any"):
    """Choose this many resources of any types."""

    count: int


class Draining(msgspec.Struct, frozen=True, gc=False, tag="drain"):
    """Cubes are taken from opponents' tiles, at most `most` at a time."""

    left: int
    most: int


class Recalling(msgspec.Struct, frozen=True, gc=False, tag="recall"):
    """Roots are brought home."""

    left: int


class Lowering(msgspec.Struct, frozen=True, gc=False, tag="lower"):
    """Trackers are moved down so many steps in all."""

    count: int


class Running(msgspec.Struct, frozen=True, gc=False, tag="ops"):
    """What a card that was cast still does, one piece after the other; it asks nothing itself."""

    ops: tuple[AnyOp, ...]
    card: CardId


Decision = (
    Upkeep
    | Placing
    | Toll
    | Casting
    | Pushing
    | Earths
    | Lakes
    | Meadows
    | Planting
    | Growing
    | Drawing
    | Sprouting
    | Hedging
    | Transforming
    | Swapping
    | Diverse
    | Sacrificing
    | TakingOver
    | GainingAny
    | Draining
    | Recalling
    | Lowering
    | Running
)


def asked_by(op: Asking) -> Decision:
    """The decision that a piece of a card asks for. Rules: Enchantments."""
    match op:
        case FreeEarth(count):
            return Earths(count, free=True)
        case FreeMeadow(count):
            return Meadows(count, free=True)
        case FreeLake(count):
            return Lakes(count)
        case FreeGrowth(count):
            return Growing(count, free=True)
        case DrawCards(count):
            return Drawing(count)
        case GainAny(count):
            return GainingAny(count)
        case DrainTiles(tiles, most):
            return Draining(tiles, most)
        case TakeoverFree(count):
            return TakingOver(count, free=True)
        case SwapTiles(tiles):
            return Swapping(tiles - 1, tiles)
        case RecallRoot(count):
            return Recalling(count)
        case LowerTrackers(count):
            return Lowering(count)
        case _:
            assert_never(op)
