"""The deeds of track steps and Tangles, as data.

A benefit is one deed; an effect is a short list of them, carried out in order, each as far as it is
possible. The ones marked as a choice ask the seat, all others are automatic.
"""

from typing import Literal

import msgspec

Source = Literal["circle", "supply"]
Way = Literal["in", "out", "both"]
Spread = Literal["apart", "together"]
Availability = Literal["any", "adjacent"]


class DeedKind(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """A kind of deed, identified by its ``kind``."""


class DrawLevel(DeedKind, frozen=True, tag="draw_level"):
    """The Draw level rises by n, never above its last value."""

    n: int


class PlaceLevel(DeedKind, frozen=True, tag="place_level"):
    """The Place level rises by n, never above its last value."""

    n: int


class Markers(DeedKind, frozen=True, tag="markers"):
    """n markers come from the supply into the circle."""

    n: int


class Ballots(DeedKind, frozen=True, tag="ballots"):
    """The seat draws n Secret Ballots."""

    n: int


class Votes(DeedKind, frozen=True, tag="votes"):
    """The seat gains n votes."""

    n: int


class FoxTileDeed(DeedKind, frozen=True, tag="tile"):
    """The benefit of the Fox tile on this slot, counted from 1."""

    slot: int


class PlantDeed(DeedKind, frozen=True, tag="plant"):
    """Choice, n times: one own marker from the supply into any region."""

    n: int


class NudgeDeed(DeedKind, frozen=True, tag="nudge"):
    """Choice, n times: any one worker into a region adjacent to its own."""

    n: int


class Reinforce(DeedKind, frozen=True, tag="reinforce"):
    """n more markers go from the circle into the active region, fewer when there are fewer."""

    n: int


class Refill(DeedKind, frozen=True, tag="refill"):
    """As many markers come from the supply into the circle as the Draw level says now."""


class Evict(DeedKind, frozen=True, tag="evict"):
    """One worker of every other colour leaves the active region for its owner's circle."""


class StandingBallots(DeedKind, frozen=True, tag="standing_ballots"):
    """The seat draws ``gain[s - 1]`` ballots for standing s in the active region."""

    gain: tuple[int, ...]


class LeadBallots(DeedKind, frozen=True, tag="lead_ballots"):
    """The seat draws `gain` ballots, once, if it stands 1st in the active or an adjacent region."""

    gain: int


class PlaceAdjacentDeed(DeedKind, frozen=True, tag="place_adjacent"):
    """Choice: one own marker from the source into a region adjacent to the active one."""

    source: Source


class Shift(DeedKind, frozen=True, tag="shift"):
    """Choice: workers of any colour move between the active region and others, all at once.

    Attributes:
        workers: the number of workers, as far as that many can move at all.
        way: ``in`` to the active region, ``out`` of it, or ``both`` for each worker as the seat likes.
        spread: ``apart``: each worker from or to a region of its own; ``together``: all from or to one.
        reach: ``any`` other region, or only an ``adjacent`` one.
    """

    workers: int
    way: Way
    spread: Spread
    reach: Availability


Benefit = DrawLevel | PlaceLevel | Markers | Ballots | Votes | FoxTileDeed | PlantDeed | NudgeDeed
Deed = Benefit | Reinforce | Refill | Evict | StandingBallots | LeadBallots | PlaceAdjacentDeed | Shift
