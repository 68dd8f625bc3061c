"""The moves of Tangle, and the events that follow, one line each.

Amounts are [W, E, N, M]; areas, spaces and cards go by their codes. `by` distributes steps over the tracks
[lakes, growth, cards]; `slot` is a place of the row from 0.

Drawing a card shows somebody something new, and so does a row that is filled up: undo stops there. The end
of a turn, and upkeep that all have answered, are final.
"""

from typing import ClassVar, Literal

import msgspec

from engines import game
from engines.game import Outcome, Seat
from engines.tangle.pieces import components
from engines.tangle.pieces.board import Kind
from engines.tangle.pieces.card_language import TrackName
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


class TangleLine(game.Event, frozen=True, omit_defaults=True, gc=False):
    """Any line; its encoding omits default values."""


class RootMoved(TangleLine, frozen=True, tag="root_moved"):
    """A root moved from a space or a tree to another one."""

    seat: Seat
    start: str
    to: str


class Fed(TangleLine, frozen=True, tag="fed"):
    """A placement brought resources to spaces, and cubes to opponents' meadows and bushes."""

    spaces: tuple[tuple[SpaceCode, Resource], ...]
    tiles: tuple[AreaCode, ...]


class Harvested(TangleLine, frozen=True, tag="harvested"):
    """A seat took the cubes of its meadows and bushes."""

    seat: Seat
    areas: tuple[AreaCode, ...]
    gained: Amount


class Took(TangleLine, frozen=True, tag="took"):
    """A seat took a space's yield: its resources, or water for its trees."""

    seat: Seat
    space: SpaceCode
    gained: Amount


class TollPaid(TangleLine, frozen=True, tag="toll_paid"):
    """A seat paid an opponent for the roots below its own."""

    seat: Seat
    to: Seat
    paid: Amount


class TangleLaid(TangleLine, frozen=True, tag="laid"):
    """A seat laid a tile; `price` is the cost."""

    seat: Seat
    area: AreaCode
    kind: Kind
    price: Amount


class Grew(TangleLine, frozen=True, tag="grew"):
    """A seed or a sapling grew into this kind; `root` is True if a new root is on the tree."""

    seat: Seat
    area: AreaCode
    kind: Kind
    price: Amount
    root: bool = False


class TanglePlanted(TangleLine, frozen=True, tag="planted"):
    """A seat planted a seed, of its own or, with `hedge`, of the supply for 1 earth."""

    seat: Seat
    seed: Seed
    area: AreaCode
    hedge: bool = False


class TookSeed(TangleLine, frozen=True, tag="took_seed"):
    """A seat got seeds of the supply; `price` is the mana that it paid."""

    seat: Seat
    seed: Seed
    price: Amount


class Bedewed(TangleLine, frozen=True, tag="bedewed"):
    """Every bush of a seat got a cube."""

    seat: Seat
    areas: tuple[AreaCode, ...]


class TookCard(TangleLine, frozen=True, kw_only=True, tag="took_card"):
    """A seat took a card: a known one of the row, or with None one of the pile; `price` is the cost."""

    is_sure: ClassVar[bool] = True
    seat: Seat
    card: CardId | None
    price: Amount = components.NOTHING
    reveals: bool = True


class SawCard(TangleLine, frozen=True, kw_only=True, tag="saw_card"):
    """The card that a seat drew from the pile, for its own eyes."""

    seat: Seat
    card: CardId
    reveals: bool = True


class RowFilled(TangleLine, frozen=True, kw_only=True, tag="row_filled"):
    """This card joined the end of the row."""

    card: CardId
    reveals: bool = True


class PileShuffled(TangleLine, frozen=True, kw_only=True, tag="pile_shuffled"):
    """The number of discards that were shuffled into a new pile."""

    number: int
    reveals: bool = True


class WasCast(TangleLine, frozen=True, tag="was_cast"):
    """A seat cast an enchantment; `price` is the cost."""

    seat: Seat
    card: CardId
    price: Amount


class Gained(TangleLine, frozen=True, tag="gained"):
    """A seat gained resources and seeds [bush, tree], by a card or, with None, of its own choice."""

    seat: Seat
    card: CardId | None
    amount: Amount
    seeds: tuple[int, int] = (0, 0)


class Traded(TangleLine, frozen=True, tag="traded"):
    """A seat changed 1 mana into another resource."""

    seat: Seat
    resource: Resource


class TangleSwapped(TangleLine, frozen=True, tag="swapped"):
    """A seat swapped two of its tiles."""

    seat: Seat
    a: AreaCode
    b: AreaCode


class Offered(TangleLine, frozen=True, tag="offered"):
    """A seat sacrificed a tile: for a resource, for an extra placement, or to cast a card."""

    seat: Seat
    area: AreaCode
    kind: Kind
    resource: Resource | None = None
    card: CardId | None = None


class TileTakenOver(TangleLine, frozen=True, tag="taken_over"):
    """A seat replaced an opponent's clean earth; `paid` went to the opponent."""

    seat: Seat
    area: AreaCode
    loser: Seat
    paid: Amount


class Drained(TangleLine, frozen=True, tag="drained"):
    """A seat took cubes from an opponent's tile."""

    seat: Seat
    area: AreaCode
    gained: Amount


class Recalled(TangleLine, frozen=True, tag="recalled"):
    """A seat brought a root home from a space."""

    seat: Seat
    start: SpaceCode
    to: AreaCode


class Slept(TangleLine, frozen=True, tag="slept"):
    """A root went to sleep on its space."""

    seat: Seat
    space: SpaceCode


class MayPlaceAgain(TangleLine, frozen=True, tag="may_place_again"):
    """A seat gets that many extra placements."""

    seat: Seat
    number: int


class StepsMade(TangleLine, frozen=True, tag="steps_made"):
    """The trackers went up by these steps, [lakes, growth, cards]."""

    seat: Seat
    by: tuple[int, int, int]


class Lowered(TangleLine, frozen=True, tag="lowered"):
    """The trackers went down by these steps, [lakes, growth, cards]."""

    seat: Seat
    by: tuple[int, int, int]


class MarkerCame(TangleLine, frozen=True, kw_only=True, tag="marker_came"):
    """A tracker reached the top: everybody pays at the start of this seat's next turn."""

    track: TrackName
    seat: Seat
    reveals: bool = True


class UpkeepBegan(TangleLine, frozen=True, kw_only=True, tag="upkeep_began"):
    """Upkeep of a track begins, for all who have something to pay for."""

    track: TrackName


class UpkeepKept(TangleLine, frozen=True, tag="upkeep_kept"):
    """A seat keeps these items: `paid` resources, the others free."""

    seat: Seat
    track: TrackName
    items: tuple[str, ...]
    paid: int


class UpkeepLost(TangleLine, frozen=True, tag="upkeep_lost"):
    """A seat loses these items; with `unasked` because it had nothing to pay with."""

    seat: Seat
    track: TrackName
    items: tuple[str, ...]
    unasked: bool = False


class UpkeepTakenBack(TangleLine, frozen=True, tag="upkeep_taken_back"):
    """A seat took back what was paid automatically, to decide on it again."""

    seat: Seat
    paid: Amount


class UpkeepEnded(TangleLine, frozen=True, kw_only=True, tag="upkeep_ended"):
    """All have paid, and the marker goes home."""

    track: TrackName
    reveals: bool = True


class TangleTurnEnded(TangleLine, frozen=True, kw_only=True, tag="turn_ended"):
    """A turn is over."""

    seat: Seat
    reveals: bool = True


class TangleRoundBegan(TangleLine, frozen=True, kw_only=True, tag="round_began"):
    """A round begins."""

    round: int
    reveals: bool = True


class ConditionShown(TangleLine, frozen=True, kw_only=True, tag="condition_shown"):
    """A seat shows a victory condition that it fulfilled."""

    seat: Seat
    condition: components.ConditionId
    reveals: bool = True


class TangleResigned(TangleLine, frozen=True, kw_only=True, tag="resigned"):
    """A seat left the game."""

    seat: Seat
    reveals: bool = True


class TangleEnded(TangleLine, frozen=True, kw_only=True, tag="ended"):
    """The game is over."""

    outcome: Outcome
    reveals: bool = True


Event = (
    RootMoved
    | Fed
    | Harvested
    | Took
    | TollPaid
    | TangleLaid
    | Grew
    | TanglePlanted
    | TookSeed
    | Bedewed
    | TookCard
    | SawCard
    | RowFilled
    | PileShuffled
    | WasCast
    | Gained
    | Traded
    | TangleSwapped
    | Offered
    | TileTakenOver
    | Drained
    | Recalled
    | Slept
    | MayPlaceAgain
    | StepsMade
    | Lowered
    | MarkerCame
    | UpkeepBegan
    | UpkeepKept
    | UpkeepLost
    | UpkeepTakenBack
    | UpkeepEnded
    | TangleTurnEnded
    | TangleRoundBegan
    | ConditionShown
    | TangleResigned
    | TangleEnded
)
