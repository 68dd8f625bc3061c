"""The open decisions on the agenda of a turn; the top one comes next.

`left` is how many more are allowed, None if any number is. `free` means that nothing is paid.
"""

from typing import assert_never

import msgspec

from engines.game import Seat
from engines.tangle.pieces import card_language
from engines.tangle.pieces.components import Amount, AreaCode, CardId, SpaceCode


class Upkeep(msgspec.Struct, frozen=True, gc=False, tag="upkeep"):
    """The upkeep of a track: for each seat the items still to pay or drop, and how many are free.

    It is `chosen` once the seat to act has made a choice that it was asked for; `reopened` if that seat
    changes what was paid automatically.
    """

    track: card_language.TrackName
    items: tuple[tuple[str, ...], ...]
    free: tuple[int, ...]
    chosen: bool = False
    reopened: bool = False


class PaidUpkeep(msgspec.Struct, frozen=True, gc=False):
    """Automatic payments that the seat to act can still change.

    Attributes:
        due: its upkeep as it was before, the first track first.
        price: the payment for all of them.
    """

    due: tuple[Upkeep, ...]
    price: Amount


class Placing(msgspec.Struct, frozen=True, gc=False, tag="place"):
    """A placement; with `sleeper` that of a root that slept on this space, which may be declined.

    `paid` is the upkeep that can be changed before it.
    """

    sleeper: SpaceCode | None = None
    extra: bool = False
    paid: PaidUpkeep | None = None


class Toll(msgspec.Struct, frozen=True, gc=False, tag="toll"):
    """The opponents still to pay for roots below, in ascending order, and how much."""

    due: tuple[tuple[Seat, int], ...]


class Casting(msgspec.Struct, frozen=True, gc=False, tag="cast"):
    """Casting of enchantments; `cast` is the number cast in it."""

    cast: int = 0


class Pushing(msgspec.Struct, frozen=True, gc=False, tag="steps"):
    """Distribution of the turn's steps over the tracks."""

    count: int


class Earths(msgspec.Struct, frozen=True, gc=False, tag="earth"):
    """Laying of clean earth; `laid` counts those of this action."""

    left: int | None = None
    free: bool = False
    laid: int = 0


class Lakes(msgspec.Struct, frozen=True, gc=False, tag="lake"):
    """Laying of lakes."""

    left: int = 1


class Meadows(msgspec.Struct, frozen=True, gc=False, tag="meadow"):
    """Laying of meadows; a spreading only on the areas in `only`, for less."""

    left: int | None = None
    free: bool = False
    laid: int = 0
    only: tuple[AreaCode, ...] | None = None


class Planting(msgspec.Struct, frozen=True, gc=False, tag="plant"):
    """Planting of seeds."""


class Growing(msgspec.Struct, frozen=True, gc=False, tag="grow"):
    """Growth of seeds and saplings; those in `grown` have grown in this action.

    `contained` marks the growth after which every own bush gets a cube.
    """

    left: int | None = None
    free: bool = False
    grown: tuple[AreaCode, ...] = ()
    contained: bool = False


class DrawingCards(msgspec.Struct, frozen=True, gc=False, tag="draw"):
    """Drawing of cards, one after the other."""

    left: int


class Sprouting(msgspec.Struct, frozen=True, gc=False, tag="sprout"):
    """Laying of saplings beside trees."""


class Hedging(msgspec.Struct, frozen=True, gc=False, tag="hedge"):
    """Planting of bush seeds beside bushes."""


class Transforming(msgspec.Struct, frozen=True, gc=False, tag="mana"):
    """The question what to turn mana into."""


class Swapping(msgspec.Struct, frozen=True, gc=False, tag="swap"):
    """Swap of own tiles: `left` more swaps, `areas` are in it already, `most` limits them."""

    left: int
    most: int
    areas: tuple[AreaCode, ...] = ()


class Diverse(msgspec.Struct, frozen=True, gc=False, tag="diverse"):
    """At most one clean earth, one meadow and one growth; it names those still open."""

    earth: bool = True
    meadow: bool = True
    grow: bool = True


class Sacrificing(msgspec.Struct, frozen=True, gc=False, tag="sacrifice"):
    """Sacrifice of own tiles."""


class TakingOver(msgspec.Struct, frozen=True, gc=False, tag="takeover"):
    """Takeover of opponents' empty clean earth."""

    left: int | None = None
    free: bool = False


class GainingAny(msgspec.Struct, frozen=True, gc=False, tag="gain_any"):
    """Choice of that many resources of any types."""

    count: int


class Draining(msgspec.Struct, frozen=True, gc=False, tag="drain"):
    """Draining of cubes from opponents' tiles, at most `most` at a time."""

    left: int
    most: int


class Recalling(msgspec.Struct, frozen=True, gc=False, tag="recall"):
    """Recall of roots."""

    left: int


class Lowering(msgspec.Struct, frozen=True, gc=False, tag="lower"):
    """Moving trackers down by that many steps in all."""

    count: int


class RunningCard(msgspec.Struct, frozen=True, gc=False, tag="ops"):
    """The remaining pieces of a cast card, one after the other; it asks nothing itself."""

    ops: tuple[card_language.AnyOp, ...]
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
    | DrawingCards
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
    | RunningCard
)


def decision_for(op: card_language.Asking) -> Decision:
    """Return the decision that a piece of a card asks for. Rules: Enchantments."""
    match op:
        case card_language.FreeEarth(count):
            return Earths(count, free=True)
        case card_language.FreeMeadow(count):
            return Meadows(count, free=True)
        case card_language.FreeLake(count):
            return Lakes(count)
        case card_language.FreeGrowth(count):
            return Growing(count, free=True)
        case card_language.DrawCards(count):
            return DrawingCards(count)
        case card_language.GainAny(count):
            return GainingAny(count)
        case card_language.DrainTiles(tiles, most):
            return Draining(tiles, most)
        case card_language.TakeoverFree(count):
            return TakingOver(count, free=True)
        case card_language.SwapTiles(tiles):
            return Swapping(tiles - 1, tiles)
        case card_language.RecallRoot(count):
            return Recalling(count)
        case card_language.LowerTrackers(count):
            return Lowering(count)
        case _:
            assert_never(op)
