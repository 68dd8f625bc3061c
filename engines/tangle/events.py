"""The events of Tangle, one line each.

Drawing a card shows somebody something new, and so does a row that is filled up: undo stops there. The end
of a turn, and upkeep that all have answered, are final.
"""

from typing import ClassVar

from engines import game
from engines.game import Outcome, Seat
from engines.tangle.pieces import components
from engines.tangle.pieces.board import Kind
from engines.tangle.pieces.card_language import TrackName


class TangleLine(game.Event, frozen=True, omit_defaults=True, gc=False):
    """Any line; its encoding omits default values."""


class RootMoved(TangleLine, frozen=True, tag="root_moved"):
    """A root moved from a space or a tree to another one."""

    seat: Seat
    start: str
    to: str


class Fed(TangleLine, frozen=True, tag="fed"):
    """A placement brought resources to spaces, and cubes to opponents' meadows and bushes."""

    spaces: tuple[tuple[components.SpaceCode, components.Resource], ...]
    tiles: tuple[components.AreaCode, ...]


class Harvested(TangleLine, frozen=True, tag="harvested"):
    """A seat took the cubes of its meadows and bushes."""

    seat: Seat
    areas: tuple[components.AreaCode, ...]
    gained: components.Amount


class Took(TangleLine, frozen=True, tag="took"):
    """A seat took a space's yield: its resources, or water for its trees."""

    seat: Seat
    space: components.SpaceCode
    gained: components.Amount


class TollPaid(TangleLine, frozen=True, tag="toll_paid"):
    """A seat paid an opponent for the roots below its own."""

    seat: Seat
    to: Seat
    paid: components.Amount


class TangleLaid(TangleLine, frozen=True, tag="laid"):
    """A seat laid a tile; `price` is the cost."""

    seat: Seat
    area: components.AreaCode
    kind: Kind
    price: components.Amount


class Grew(TangleLine, frozen=True, tag="grew"):
    """A seed or a sapling grew into this kind; `root` is True if a new root is on the tree."""

    seat: Seat
    area: components.AreaCode
    kind: Kind
    price: components.Amount
    root: bool = False


class TanglePlanted(TangleLine, frozen=True, tag="planted"):
    """A seat planted a seed, of its own or, with `hedge`, of the supply for 1 earth."""

    seat: Seat
    seed: components.Seed
    area: components.AreaCode
    hedge: bool = False


class TookSeed(TangleLine, frozen=True, tag="took_seed"):
    """A seat got seeds of the supply; `price` is the mana that it paid."""

    seat: Seat
    seed: components.Seed
    price: components.Amount


class Bedewed(TangleLine, frozen=True, tag="bedewed"):
    """Every bush of a seat got a cube."""

    seat: Seat
    areas: tuple[components.AreaCode, ...]


class TookCard(TangleLine, frozen=True, kw_only=True, tag="took_card"):
    """A seat took a card: a known one of the row, or with None one of the pile; `price` is the cost."""

    is_sure: ClassVar[bool] = True
    seat: Seat
    card: components.CardId | None
    price: components.Amount = components.NOTHING
    reveals: bool = True


class SawCard(TangleLine, frozen=True, kw_only=True, tag="saw_card"):
    """The card that a seat drew from the pile, for its own eyes."""

    seat: Seat
    card: components.CardId
    reveals: bool = True


class RowFilled(TangleLine, frozen=True, kw_only=True, tag="row_filled"):
    """This card joined the end of the row."""

    card: components.CardId
    reveals: bool = True


class PileShuffled(TangleLine, frozen=True, kw_only=True, tag="pile_shuffled"):
    """The number of discards that were shuffled into a new pile."""

    number: int
    reveals: bool = True


class WasCast(TangleLine, frozen=True, tag="was_cast"):
    """A seat cast an enchantment; `price` is the cost."""

    seat: Seat
    card: components.CardId
    price: components.Amount


class Gained(TangleLine, frozen=True, tag="gained"):
    """A seat gained resources and seeds [bush, tree], by a card or, with None, of its own choice."""

    seat: Seat
    card: components.CardId | None
    amount: components.Amount
    seeds: tuple[int, int] = (0, 0)


class Traded(TangleLine, frozen=True, tag="traded"):
    """A seat changed 1 mana into another resource."""

    seat: Seat
    resource: components.Resource


class TangleSwapped(TangleLine, frozen=True, tag="swapped"):
    """A seat swapped two of its tiles."""

    seat: Seat
    a: components.AreaCode
    b: components.AreaCode


class Offered(TangleLine, frozen=True, tag="offered"):
    """A seat sacrificed a tile: for a resource, for an extra placement, or to cast a card."""

    seat: Seat
    area: components.AreaCode
    kind: Kind
    resource: components.Resource | None = None
    card: components.CardId | None = None


class TileTakenOver(TangleLine, frozen=True, tag="taken_over"):
    """A seat replaced an opponent's clean earth; `paid` went to the opponent."""

    seat: Seat
    area: components.AreaCode
    loser: Seat
    paid: components.Amount


class Drained(TangleLine, frozen=True, tag="drained"):
    """A seat took cubes from an opponent's tile."""

    seat: Seat
    area: components.AreaCode
    gained: components.Amount


class Recalled(TangleLine, frozen=True, tag="recalled"):
    """A seat brought a root home from a space."""

    seat: Seat
    start: components.SpaceCode
    to: components.AreaCode


class Slept(TangleLine, frozen=True, tag="slept"):
    """A root went to sleep on its space."""

    seat: Seat
    space: components.SpaceCode


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
    paid: components.Amount


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
