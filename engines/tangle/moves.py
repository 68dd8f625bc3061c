"""The moves of Tangle. Amounts are [W, E, N, M]; areas, spaces and cards go by their codes.

`by` distributes steps over the tracks [lakes, growth, cards]; `slot` is a place of the row from 0.
"""

from typing import Literal

import msgspec

from engines.game import Seat
from engines.tangle.pieces.components import Amount, AreaCode, CardId, Resource, Seed, SpaceCode

Steps3 = tuple[int, int, int]


class PayRest(msgspec.Struct, frozen=True, gc=False, tag="pay_rest"):
    """Upkeep: pay for all that is left."""


class DropRest(msgspec.Struct, frozen=True, gc=False, tag="drop_rest"):
    """Upkeep: lose all that is left."""


class Pay(msgspec.Struct, frozen=True, gc=False, tag="pay"):
    """Upkeep: keep one item, an area or a card."""

    item: str


class Drop(msgspec.Struct, frozen=True, gc=False, tag="drop"):
    """Upkeep: lose one item, an area or a card."""

    item: str


class ChangeUpkeep(msgspec.Struct, frozen=True, gc=False, tag="change_upkeep"):
    """Take back what was paid automatically for upkeep, and decide on it again."""


class TanglePlace(msgspec.Struct, frozen=True, gc=False, tag="place"):
    """Move a root from a space or an own tree to a space or another own tree."""

    start: str
    to: str


class PayToll(msgspec.Struct, frozen=True, gc=False, tag="toll"):
    """Pay an opponent for its roots below."""

    to: Seat
    pay: Amount


class Cast(msgspec.Struct, frozen=True, gc=False, tag="cast"):
    """Cast an enchantment of the hand."""

    card: CardId


class Steps(msgspec.Struct, frozen=True, gc=False, tag="steps"):
    """Distribute the steps of this turn's changes over the tracks."""

    by: Steps3


class Earth(msgspec.Struct, frozen=True, gc=False, tag="earth"):
    """Lay clean earth."""

    area: AreaCode


class Lake(msgspec.Struct, frozen=True, gc=False, tag="lake"):
    """Lay a lake."""

    area: AreaCode


class Meadow(msgspec.Struct, frozen=True, gc=False, tag="meadow"):
    """Lay a meadow."""

    area: AreaCode


class TanglePlant(msgspec.Struct, frozen=True, gc=False, tag="plant"):
    """Plant a seed of your own."""

    seed: Seed
    area: AreaCode


class Grow(msgspec.Struct, frozen=True, gc=False, tag="grow"):
    """Grow a seed or a sapling."""

    area: AreaCode


class TakeRow(msgspec.Struct, frozen=True, gc=False, tag="row"):
    """Take a card of the row."""

    slot: int


class TakePile(msgspec.Struct, frozen=True, gc=False, tag="pile"):
    """Take the top card of the pile."""


class Sprout(msgspec.Struct, frozen=True, gc=False, tag="sprout"):
    """Lay a sapling beside a tree."""

    area: AreaCode


class Hedge(msgspec.Struct, frozen=True, gc=False, tag="hedge"):
    """Put a bush seed of the supply beside a bush."""

    area: AreaCode


class Trade(msgspec.Struct, frozen=True, gc=False, tag="trade"):
    """Change 1 mana into 1 of another resource."""

    resource: Resource


class Buy(msgspec.Struct, frozen=True, gc=False, tag="buy"):
    """Buy a seed for mana."""

    seed: Seed


class TangleSwap(msgspec.Struct, frozen=True, gc=False, tag="swap"):
    """Swap two own tiles; `a` comes before `b` in the data file."""

    a: AreaCode
    b: AreaCode


class Offer(msgspec.Struct, frozen=True, gc=False, tag="offer"):
    """Sacrifice a tile: earth for a resource, a bush for a card of the hand or the discards."""

    area: AreaCode
    resource: Resource | None = None
    source: Literal["hand", "discard"] | None = None
    card: CardId | None = None


class Takeover(msgspec.Struct, frozen=True, gc=False, tag="takeover"):
    """Replace an opponent's empty clean earth with your own; `pay` goes to the opponent."""

    area: AreaCode
    pay: Amount | None = None


class Choose(msgspec.Struct, frozen=True, gc=False, tag="choose"):
    """Choose which resources to gain."""

    gain: Amount


class Drain(msgspec.Struct, frozen=True, gc=False, tag="drain"):
    """Take cubes from an opponent's meadow or bush."""

    area: AreaCode


class Recall(msgspec.Struct, frozen=True, gc=False, tag="recall"):
    """Bring a root from a space home to a tree."""

    start: SpaceCode
    to: AreaCode


class Lower(msgspec.Struct, frozen=True, gc=False, tag="lower"):
    """Move trackers down."""

    by: Steps3


class TangleDone(msgspec.Struct, frozen=True, gc=False, tag="done"):
    """Close the decision."""


Move = (
    PayRest
    | DropRest
    | Pay
    | Drop
    | ChangeUpkeep
    | TanglePlace
    | PayToll
    | Cast
    | Steps
    | Earth
    | Lake
    | Meadow
    | TanglePlant
    | Grow
    | TakeRow
    | TakePile
    | Sprout
    | Hedge
    | Trade
    | Buy
    | TangleSwap
    | Offer
    | Takeover
    | Choose
    | Drain
    | Recall
    | Lower
    | TangleDone
)
