"""What happens in Tangle, one line each.

Drawing a card shows somebody something new, and so does a row that is filled up: undo stops there. A
turn that has ended, and upkeep that all have answered, stand for good.
"""

from __future__ import annotations

from engines import game
from engines.game import Outcome, Seat
from engines.tangle.pieces.amounts import Amount, Resource
from engines.tangle.pieces.board import Kind
from engines.tangle.pieces.card_language import TrackName
from engines.tangle.pieces.components import AreaCode, CardId, ConditionId, Seed, SpaceCode


class Line(game.Event, frozen=True, omit_defaults=True, gc=False):
    """Any line; what is as usual is left out of its encoding."""


class RootMoved(Line, frozen=True, tag="root_moved"):
    """A root has left a space or a tree and stands on another one."""

    seat: Seat
    start: str
    to: str


class Fed(Line, frozen=True, tag="fed"):
    """A placement has brought resources to spaces, and cubes to opponents' meadows and bushes."""

    spaces: tuple[tuple[SpaceCode, Resource], ...]
    tiles: tuple[AreaCode, ...]


class Harvested(Line, frozen=True, tag="harvested"):
    """A seat has taken what lay on its meadows and bushes."""

    seat: Seat
    areas: tuple[AreaCode, ...]
    gained: Amount


class Took(Line, frozen=True, tag="took"):
    """A seat has taken what a space gives: its resources, or water for its trees."""

    seat: Seat
    space: SpaceCode
    gained: Amount


class TollPaid(Line, frozen=True, tag="toll_paid"):
    """A seat has paid an opponent for the roots below its own."""

    seat: Seat
    to: Seat
    paid: Amount


class Laid(Line, frozen=True, tag="laid"):
    """A seat has laid a tile; `price` is what it paid."""

    seat: Seat
    area: AreaCode
    kind: Kind
    price: Amount


class Grew(Line, frozen=True, tag="grew"):
    """A seed or a sapling has grown into this kind; `root` says whether a new root stands on the tree."""

    seat: Seat
    area: AreaCode
    kind: Kind
    price: Amount
    root: bool = False


class Planted(Line, frozen=True, tag="planted"):
    """A seat has planted a seed, of its own or, with `hedge`, of the supply for 1 earth."""

    seat: Seat
    seed: Seed
    area: AreaCode
    hedge: bool = False


class TookSeed(Line, frozen=True, tag="took_seed"):
    """A seat has got seeds of the supply; `price` is the mana that it paid."""

    seat: Seat
    seed: Seed
    price: Amount


class Bedewed(Line, frozen=True, tag="bedewed"):
    """Every bush of a seat has got a cube."""

    seat: Seat
    areas: tuple[AreaCode, ...]


class TookCard(Line, frozen=True, kw_only=True, tag="took_card"):
    """A seat has taken a card: a known one of the row, or with None one of the pile."""

    seat: Seat
    card: CardId | None
    reveals: bool = True


class SawCard(Line, frozen=True, kw_only=True, tag="saw_card"):
    """The card that a seat has drawn from the pile, for its own eyes."""

    seat: Seat
    card: CardId
    reveals: bool = True


class RowFilled(Line, frozen=True, kw_only=True, tag="row_filled"):
    """This card has come to the end of the row."""

    card: CardId
    reveals: bool = True


class PileShuffled(Line, frozen=True, kw_only=True, tag="pile_shuffled"):
    """The number of discards that were shuffled into a new pile."""

    number: int
    reveals: bool = True


class WasCast(Line, frozen=True, tag="was_cast"):
    """A seat has cast an enchantment; `price` is what it paid."""

    seat: Seat
    card: CardId
    price: Amount


class Gained(Line, frozen=True, tag="gained"):
    """A seat has gained resources and seeds [bush, tree], by a card or, with None, of its own choice."""

    seat: Seat
    card: CardId | None
    amount: Amount
    seeds: tuple[int, int] = (0, 0)


class Traded(Line, frozen=True, tag="traded"):
    """A seat has changed 1 mana into another resource."""

    seat: Seat
    resource: Resource


class Swapped(Line, frozen=True, tag="swapped"):
    """A seat has swapped two of its tiles."""

    seat: Seat
    a: AreaCode
    b: AreaCode


class Offered(Line, frozen=True, tag="offered"):
    """A seat has sacrificed a tile: for a resource, for an extra placement, or to cast a card."""

    seat: Seat
    area: AreaCode
    kind: Kind
    resource: Resource | None = None
    card: CardId | None = None


class TakenOver(Line, frozen=True, tag="taken_over"):
    """A seat has replaced an opponent's clean earth; `paid` went to the opponent."""

    seat: Seat
    area: AreaCode
    loser: Seat
    paid: Amount


class Drained(Line, frozen=True, tag="drained"):
    """A seat has taken cubes from an opponent's tile."""

    seat: Seat
    area: AreaCode
    gained: Amount


class Recalled(Line, frozen=True, tag="recalled"):
    """A root has been brought home from a space."""

    seat: Seat
    start: SpaceCode
    to: AreaCode


class Slept(Line, frozen=True, tag="slept"):
    """A root has gone to sleep on its space."""

    seat: Seat
    space: SpaceCode


class MayPlaceAgain(Line, frozen=True, tag="may_place_again"):
    """A seat gets so many extra placements."""

    seat: Seat
    number: int


class StepsMade(Line, frozen=True, tag="steps_made"):
    """The trackers have gone up by so many steps, [lakes, growth, cards]."""

    seat: Seat
    by: tuple[int, int, int]


class Lowered(Line, frozen=True, tag="lowered"):
    """The trackers have gone down by so many steps, [lakes, growth, cards]."""

    seat: Seat
    by: tuple[int, int, int]


class MarkerCame(Line, frozen=True, kw_only=True, tag="marker_came"):
    """A tracker has reached the top: everybody pays at the start of this seat's next turn."""

    track: TrackName
    seat: Seat
    reveals: bool = True


class UpkeepBegan(Line, frozen=True, kw_only=True, tag="upkeep_began"):
    """The upkeep of a track is paid now, by all who have something to pay for."""

    track: TrackName


class UpkeepKept(Line, frozen=True, tag="upkeep_kept"):
    """A seat keeps these items: `paid` resources, the others free."""

    seat: Seat
    track: TrackName
    items: tuple[str, ...]
    paid: int


class UpkeepLost(Line, frozen=True, tag="upkeep_lost"):
    """A seat loses these items; with `unasked` because it had nothing to pay with."""

    seat: Seat
    track: TrackName
    items: tuple[str, ...]
    unasked: bool = False


class UpkeepEnded(Line, frozen=True, kw_only=True, tag="upkeep_ended"):
    """All have paid, and the marker goes home."""

    track: TrackName
    reveals: bool = True


class TurnEnded(Line, frozen=True, kw_only=True, tag="turn_ended"):
    """A turn is over."""

    seat: Seat
    reveals: bool = True


class RoundBegan(Line, frozen=True, kw_only=True, tag="round_began"):
    """A round begins."""

    round: int
    reveals: bool = True


class ConditionShown(Line, frozen=True, kw_only=True, tag="condition_shown"):
    """A seat shows a victory condition that it has fulfilled."""

    seat: Seat
    condition: ConditionId
    reveals: bool = True


class Resigned(Line, frozen=True, kw_only=True, tag="resigned"):
    """A seat has left the game."""

    seat: Seat
    reveals: bool = True


class Ended(Line, frozen=True, kw_only=True, tag="ended"):
    """The game is over."""

    outcome: Outcome
    reveals: bool = True


Event = (
    RootMoved
    | Fed
    | Harvested
    | Took
    | TollPaid
    | Laid
    | Grew
    | Planted
    | TookSeed
    | Bedewed
    | TookCard
    | SawCard
    | RowFilled
    | PileShuffled
    | WasCast
    | Gained
    | Traded
    | Swapped
    | Offered
    | TakenOver
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
    | UpkeepEnded
    | TurnEnded
    | RoundBegan
    | ConditionShown
    | Resigned
    | Ended
)
