"""The moves of Tanglewood.

Lists within a move are sorted: workers by region or by colour (seats first, the neutral colour last),
ballots by letter. Only the sorted form is accepted, so that each choice is there once.
"""

from typing import Literal

import msgspec

from engines.tanglewood.pieces.board import Colour
from engines.tanglewood.pieces.components import Faction, Region


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
