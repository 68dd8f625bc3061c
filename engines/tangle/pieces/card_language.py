"""The language of the enchantments: a card is a list of pieces, hooks that last and ops that run once."""

from typing import Literal

import msgspec

EventName = Literal[
    "take",
    "home",
    "cover",
    "covered",
    "bush_seed",
    "tree_seed",
    "lore",
    "earth",
    "meadow",
    "lake",
    "sapling",
    "bush",
    "tree",
    "grow",
    "harvest",
    "cast",
]
TrackName = Literal["lakes", "growth", "cards"]
CountName = Literal["trees", "saplings", "meadows", "bushes", "lakes", "tiles", "group", "enchantments"]
Priced = Literal["earth", "meadow", "grow", "cast", "toll"]


class Gain(msgspec.Struct, frozen=True):
    """A gain: resources, `same` of the resource that was taken, blind cards, seeds of the supply."""

    W: int = 0
    E: int = 0
    N: int = 0
    M: int = 0
    same: int = 0
    cards: int = 0
    bush_seed: int = 0
    tree_seed: int = 0


class Off(msgspec.Struct, frozen=True):
    """A discount of each resource."""

    W: int = 0
    E: int = 0
    N: int = 0
    M: int = 0


class Hook(msgspec.Struct, frozen=True, tag_field="hook"):
    """A piece that works while the card is in front of its owner."""


class When(Hook, frozen=True, tag="when"):
    """A gain each time the event happens to the owner."""

    event: EventName
    gain: Gain


class Cheaper(Hook, frozen=True, tag="cheaper"):
    """A discount `off` prices of `what`, with `times` only for the first units of each action.

    For ``toll`` each opponent is paid `amount` less.
    """

    what: Priced
    off: Off = Off()
    times: int | None = None
    amount: int = 0


class Grip(Hook, frozen=True, tag="grip"):
    """A surcharge of that many resources for an opponent whose root covers one of the owner's."""

    amount: int


class Leap(Hook, frozen=True, tag="reach"):
    """A number of tiles that clean earth may jump for nothing."""

    amount: int


class FreeUpkeep(Hook, frozen=True, tag="free_upkeep"):
    """A number of a track's items that need no payment."""

    track: TrackName
    count: int


class Slow(Hook, frozen=True, tag="slow"):
    """A number of steps less on the upkeep tracks in the owner's turns."""

    amount: int


class MeadowCap(Hook, frozen=True, tag="meadow_cap"):
    """Extra room for cubes on the owner's meadows."""

    amount: int


class CountsAs(Hook, frozen=True, tag="counts_as"):
    """A bonus to a number when conditions are checked."""

    what: CountName
    amount: int


class Op(msgspec.Struct, frozen=True, tag_field="op"):
    """A piece that runs once, when the card is cast."""


class FreeEarth(Op, frozen=True, tag="earth"):
    """Up to `count` clean earth for nothing, where each would cost 1 before discounts."""

    count: int


class FreeMeadow(Op, frozen=True, tag="meadow"):
    """Up to `count` meadows for nothing."""

    count: int


class FreeLake(Op, frozen=True, tag="lake"):
    """Up to `count` lakes."""

    count: int


class FreeGrowth(Op, frozen=True, tag="grow"):
    """Up to `count` growths for nothing, each area once."""

    count: int


class DrawCards(Op, frozen=True, tag="draw"):
    """A number of draws from row or pile."""

    count: int


class GainOnce(Op, frozen=True, tag="gain"):
    """Gain, as in `Gain`."""

    W: int = 0
    E: int = 0
    N: int = 0
    M: int = 0
    cards: int = 0
    bush_seed: int = 0
    tree_seed: int = 0


class GainAny(Op, frozen=True, tag="gain_any"):
    """Exactly `count` resources of any types."""

    count: int


class ExtraPlacement(Op, frozen=True, tag="placement"):
    """A number of extra placements, begun when the card's other pieces are done."""

    count: int


class Harvest(Op, frozen=True, tag="harvest"):
    """Every own meadow and bush gives its cubes and `extra` more."""

    extra: int


class DrainTiles(Op, frozen=True, tag="drain"):
    """`tiles` times: up to `most` cubes from an opponent's meadow or bush."""

    tiles: int
    most: int


class TakeoverFree(Op, frozen=True, tag="takeover"):
    """Take over up to `count` empty clean earth tiles of opponents for nothing."""

    count: int


class SwapTiles(Op, frozen=True, tag="swap"):
    """Swap up to that many own tiles."""

    tiles: int


class RecallRoot(Op, frozen=True, tag="recall"):
    """Bring up to `count` roots from spaces home to a tree."""

    count: int


class LowerTrackers(Op, frozen=True, tag="lower"):
    """Move trackers down by that many steps in all."""

    count: int


AnyHook = When | Cheaper | Grip | Leap | FreeUpkeep | Slow | MeadowCap | CountsAs
Asking = (
    FreeEarth
    | FreeMeadow
    | FreeLake
    | FreeGrowth
    | DrawCards
    | GainAny
    | DrainTiles
    | TakeoverFree
    | SwapTiles
    | RecallRoot
    | LowerTrackers
)
"""The pieces that ask something."""

AnyOp = Asking | GainOnce | ExtraPlacement | Harvest
