"""The moves of Tanglewood, and the events that follow, one line each.

Lists within a move are sorted: workers by region or by colour (seats first, the neutral colour last),
ballots by letter. Only the sorted form is accepted, so that each choice is there once.

Drawing a ballot shows its owner something new, turning up a Tangle everybody: undo stops there.
"""

from typing import ClassVar, Literal

import msgspec

from engines import game
from engines.game import Outcome, Seat
from engines.tanglewood.pieces.board import Colour, Counts, Hop
from engines.tanglewood.pieces.components import Benefit, Faction, Region, Source, TangleId


class TanglewoodDraw(msgspec.Struct, frozen=True, tag="draw"):
    """Take markers from the supply into the circle and, if allowed, a step on a faction track."""

    step: Faction | None = None


class TanglewoodPlace(msgspec.Struct, frozen=True, tag="place"):
    """Place markers from the circle in a region and carry out its Tangle."""

    region: Region
    count: int


class TanglewoodStep(msgspec.Struct, frozen=True, tag="step"):
    """The track that a wild Tangle steps."""

    track: Faction


class TanglewoodPlant(msgspec.Struct, frozen=True, tag="plant"):
    """Put one own marker from the supply into any region."""

    region: Region


class TanglewoodNudge(msgspec.Struct, frozen=True, tag="nudge"):
    """Move one worker of any colour into an adjacent region."""

    region: Region
    colour: Colour
    to: Region


class PlacedWorker(msgspec.Struct, frozen=True):
    """A worker of a colour in a region."""

    region: Region
    colour: Colour


class Gather(msgspec.Struct, frozen=True, tag="gather"):
    """Bring these workers here; sorted by region."""

    workers: tuple[PlacedWorker, ...]


class SentWorker(msgspec.Struct, frozen=True):
    """A worker of a colour, and its destination."""

    colour: Colour
    to: Region


class Scatter(msgspec.Struct, frozen=True, tag="scatter"):
    """Send these workers away from here; sorted by `to`."""

    workers: tuple[SentWorker, ...]


class Crossing(msgspec.Struct, frozen=True):
    """A worker of a colour that comes in or goes out."""

    way: Literal["in", "out"]
    colour: Colour


class MoveAdjacent(msgspec.Struct, frozen=True, tag="move_adjacent"):
    """Move these workers between here and an adjacent region; ``in`` before ``out``, then by colour."""

    region: Region
    workers: tuple[Crossing, ...]


class TanglewoodPlaceAdjacent(msgspec.Struct, frozen=True, tag="place_adjacent"):
    """Put one own marker into a region adjacent to here."""

    region: Region


class Export(msgspec.Struct, frozen=True, tag="export"):
    """Move workers of these colours from here into one other region."""

    to: Region
    colours: tuple[Colour, ...]


class PlayBallots(msgspec.Struct, frozen=True, tag="play_ballots"):
    """The ballots to play at a scoring, in secret."""

    regions: tuple[Region, ...]


class KeepBallots(msgspec.Struct, frozen=True, tag="keep_ballots"):
    """The ballots to keep after the mid-game scoring, in secret; the others are discarded."""

    regions: tuple[Region, ...]


Move = (
    TanglewoodDraw
    | TanglewoodPlace
    | TanglewoodStep
    | TanglewoodPlant
    | TanglewoodNudge
    | Gather
    | Scatter
    | MoveAdjacent
    | TanglewoodPlaceAdjacent
    | Export
    | PlayBallots
    | KeepBallots
)


class Drew(game.Event, frozen=True, tag="drew"):
    """A seat took markers from its supply into its circle by the Draw action."""

    seat: Seat
    markers: int


class TanglewoodPlaced(game.Event, frozen=True, tag="placed"):
    """A seat placed markers in a region, whose Tangle it carries out now."""

    seat: Seat
    region: Region
    count: int
    tangle: TangleId


class Stepped(game.Event, frozen=True, tag="stepped"):
    """A seat went up a track; `benefit` is that of the step, a Fox tile's own for a tile."""

    seat: Seat
    track: Faction
    step: int
    benefit: Benefit


class StoodAtEnd(game.Event, frozen=True, tag="stood_at_end"):
    """A seat was at the end of the track: it draws a ballot instead of a step."""

    seat: Seat
    track: Faction


class DrawLevelRose(game.Event, frozen=True, tag="draw_level_rose"):
    """A seat draws that many markers from now on; `lost` if its level was the last one already."""

    seat: Seat
    value: int
    lost: bool = False


class PlaceLevelRose(game.Event, frozen=True, tag="place_level_rose"):
    """A seat may place that many markers from now on; `lost` if its level was the last one already."""

    seat: Seat
    value: int
    lost: bool = False


class GainedMarkers(game.Event, frozen=True, tag="gained_markers"):
    """Markers came from the seat's supply into its circle."""

    seat: Seat
    markers: int


class GainedVotes(game.Event, frozen=True, tag="gained_votes"):
    """A seat gained votes."""

    seat: Seat
    votes: int


class DrewBallots(game.Event, frozen=True, kw_only=True, tag="drew_ballots"):
    """A seat drew ballots, as many as there were."""

    is_sure: ClassVar[bool] = True
    seat: Seat
    number: int
    reveals: bool = True


class SawBallots(game.Event, frozen=True, kw_only=True, tag="saw_ballots"):
    """The ballots that a seat drew, for its own eyes."""

    seat: Seat
    regions: tuple[Region, ...]
    reveals: bool = True


class BallotsReshuffled(game.Event, frozen=True, kw_only=True, tag="reshuffled"):
    """The number of discarded ballots that were shuffled into a new deck."""

    is_sure: ClassVar[bool] = True
    number: int
    reveals: bool = True


class PlanUnfit(game.Event, frozen=True, kw_only=True, tag="plan_unfit"):
    """The deal's planned deck doesn't match the discards, so the seed shuffles these.

    `number` is how many discarded ballots there are.
    """

    number: int
    reveals: bool = True


class TanglewoodPlanted(game.Event, frozen=True, tag="planted"):
    """A seat put a marker from its supply into a region."""

    seat: Seat
    region: Region


class Reinforced(game.Event, frozen=True, tag="reinforced"):
    """Markers followed from the seat's circle into the active region; 0 if the circle was empty."""

    seat: Seat
    region: Region
    count: int


class PlacedAdjacent(game.Event, frozen=True, tag="placed_adjacent"):
    """A seat put a marker from its circle or supply into a region next to the active one."""

    seat: Seat
    region: Region
    source: Source


class Moved(game.Event, frozen=True, tag="moved"):
    """A seat moved workers."""

    seat: Seat
    hops: tuple[Hop, ...]


class Evicted(game.Event, frozen=True, tag="evicted"):
    """One worker of each of these colours left a region: for its owner's circle, or out of the game."""

    seat: Seat
    region: Region
    colours: tuple[Colour, ...]


class NothingHappened(game.Event, frozen=True, tag="nothing_happened"):
    """The effect of a Tangle, or the rest of it, was impossible."""

    seat: Seat
    tangle: TangleId


class TurnedUp(game.Event, frozen=True, kw_only=True, tag="turned_up"):
    """A new Tangle is on a region."""

    region: Region
    tangle: TangleId
    reveals: bool = True


class PollTurnedUp(game.Event, frozen=True, kw_only=True, tag="poll_turned_up"):
    """The Opinion Poll turned up: the forest votes after the round that follows this one."""

    round: int
    reveals: bool = True


class DeckRanOut(game.Event, frozen=True, kw_only=True, tag="deck_ran_out"):
    """The last Tangle of the draw deck was drawn: the game ends after the round after this one."""

    round: int
    reveals: bool = True


class TanglewoodRoundBegan(game.Event, frozen=True, kw_only=True, tag="round_began"):
    """A round begins, played in this order; `turned` if the order was just reversed."""

    round: int
    order: tuple[Seat, ...]
    turned: bool = False


class VoteBegan(game.Event, frozen=True, kw_only=True, tag="vote_began"):
    """A scoring begins: players choose ballots."""

    final: bool
    reveals: bool = True


class Chose(game.Event, frozen=True, kw_only=True, tag="chose"):
    """A seat chose the ballots that it plays or keeps; nobody else may know which."""

    seat: Seat
    reveals: bool = True


class BallotsShown(game.Event, frozen=True, kw_only=True, tag="ballots_shown"):
    """The ballots that each seat plays, by seat; for each ballot workers came from the supply."""

    ballots: tuple[tuple[Region, ...], ...]
    reveals: bool = True


class RegionScored(game.Event, frozen=True, kw_only=True, tag="region_scored"):
    """A region paid each seat its votes, for these workers."""

    region: Region
    counts: Counts
    votes: tuple[int, ...]


class Scored(game.Event, frozen=True, kw_only=True, tag="scored"):
    """A scoring is over: each seat's votes from it, and its votes after it."""

    final: bool
    gained: tuple[int, ...]
    votes: tuple[int, ...]


class Kept(game.Event, frozen=True, kw_only=True, tag="kept"):
    """After the mid-game scoring: how many ballots each seat discarded; it draws what it lacks then."""

    discarded: tuple[int, ...]
    reveals: bool = True


class TanglewoodResigned(game.Event, frozen=True, kw_only=True, tag="resigned"):
    """A seat left the game; its workers stay where they are."""

    seat: Seat
    reveals: bool = True


class TanglewoodEnded(game.Event, frozen=True, kw_only=True, tag="ended"):
    """The game is over."""

    outcome: Outcome
    reveals: bool = True


Event = (
    Drew
    | TanglewoodPlaced
    | Stepped
    | StoodAtEnd
    | DrawLevelRose
    | PlaceLevelRose
    | GainedMarkers
    | GainedVotes
    | DrewBallots
    | SawBallots
    | PlanUnfit
    | BallotsReshuffled
    | TanglewoodPlanted
    | Reinforced
    | PlacedAdjacent
    | Moved
    | Evicted
    | NothingHappened
    | TurnedUp
    | PollTurnedUp
    | DeckRanOut
    | TanglewoodRoundBegan
    | VoteBegan
    | Chose
    | BallotsShown
    | RegionScored
    | Scored
    | Kept
    | TanglewoodResigned
    | TanglewoodEnded
)
