"""The regions, Tangles, deeds and options of Tanglewood, and checks of ``tanglewood.toml``.

Nothing elsewhere depends on what the reconstructed components say, only on their shapes: whoever owns
the printed game can replace them in the data file, and everything else follows.

A benefit is one deed; an effect is a short list of them, carried out in order, each as far as it is
possible. The ones marked as a choice ask the seat, all others are automatic.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from engines.components import CannotLeaveOut, Data, KnownComponents, load_components

Source = Literal["circle", "supply"]
Way = Literal["in", "out", "both"]
Spread = Literal["apart", "together"]
Availability = Literal["any", "adjacent"]


class DeedKind(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """A kind of deed, identified by its ``kind``."""


class RaiseDrawLevel(DeedKind, frozen=True, tag="draw_level"):
    """The Draw level rises by n, never above its last value."""

    n: int


class RaisePlaceLevel(DeedKind, frozen=True, tag="place_level"):
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


Benefit = RaiseDrawLevel | RaisePlaceLevel | Markers | Ballots | Votes | FoxTileDeed | PlantDeed | NudgeDeed
Deed = Benefit | Reinforce | Refill | Evict | StandingBallots | LeadBallots | PlaceAdjacentDeed | Shift


Region = str
"""The letter of a region, A to I."""

TangleId = str
"""The name of a Tangle card: S1 to S9 the Starters, T01 to T45 the Regular ones."""

Faction = Literal["rabbit", "bear", "fox"]
FoxTileKey = str
EffectKey = str


class SetUp(msgspec.Struct, frozen=True):
    """Everybody's start; `neutral_seats` is the number of seats that a neutral colour joins."""

    votes: int
    circle: int
    region_markers: int
    neutral_seats: int
    neutral_markers: int
    ballots: int


class Circle(msgspec.Struct, frozen=True):
    """The limit of a circle: with `draw_ban` markers in it, no Draw action."""

    draw_ban: int


class TanglewoodScoring(msgspec.Struct, frozen=True):
    """The numbers of ballots played and kept at a scoring."""

    ballots_played: int
    ballot_markers: int
    ballots_kept: int


class BoardSize(msgspec.Struct, frozen=True):
    """The layout of the regions."""

    columns: int
    rows: int


class RegionFacts(msgspec.Struct, frozen=True):
    """A region: its position, and the votes for its 1st, 2nd and 3rd standing."""

    key: Region
    name: str
    row: int
    column: int
    votes: tuple[int, ...]


class Mat(msgspec.Struct, frozen=True):
    """The values of the two tracks of a player mat, by level from 0 upward."""

    draw: tuple[int, ...]
    place: tuple[int, ...]


class Track(msgspec.Struct, frozen=True):
    """A faction track; ``steps[s - 1]`` is the benefit of step s."""

    key: Faction
    name: str
    steps: tuple[Benefit, ...]


class FoxTile(msgspec.Struct, frozen=True):
    """A tile for a slot of the Fox track."""

    key: FoxTileKey
    name: str
    benefit: Benefit


class PerRegion(msgspec.Struct, frozen=True):
    """The number of Secret Ballots of each region."""

    per_region: int


class Reserve(msgspec.Struct, frozen=True):
    """The number of Tangles set aside until the draw deck has run out."""

    reserve: int


class LengthFacts(msgspec.Struct, frozen=True):
    """One length of the game: Tangles in the draw deck, and the least and most of them above the Poll."""

    key: str
    draw_deck: int
    poll_cards_above: tuple[int, int]


class TangleEffect(msgspec.Struct, frozen=True):
    """The effect of a Tangle: `short` is a name of at most 10 characters, `text` one line for a player."""

    name: str
    short: str
    text: str
    steps: tuple[Deed, ...]


class TanglewoodTangle(msgspec.Struct, frozen=True):
    """A Tangle card: its effect, and the track that it steps; several tracks leave the choice."""

    id: TangleId
    effect: EffectKey
    tracks: tuple[Faction, ...]

    @property
    def wild(self) -> bool:
        """True if the player chooses the track."""
        return len(self.tracks) > 1


class TanglewoodComponents(msgspec.Struct, frozen=True):
    """The content of ``tanglewood.toml``."""

    counts: dict[str, int | str]
    setup: SetUp
    circle: Circle
    scoring: TanglewoodScoring
    board: BoardSize
    region: tuple[RegionFacts, ...]
    mat: Mat
    track: tuple[Track, ...]
    fox_tile: tuple[FoxTile, ...]
    benefits: dict[str, str]
    ballots: PerRegion
    deck: Reserve
    length: tuple[LengthFacts, ...]
    effects: dict[EffectKey, TangleEffect]
    starter: tuple[TanglewoodTangle, ...]
    tangle: tuple[TanglewoodTangle, ...]


LEAST_BELOW_POLL = 10
"""The fewest Tangles below the Opinion Poll, so that the two scorings never come at once."""


def check_components(components: TanglewoodComponents) -> TanglewoodComponents:
    """Check that the numbers of the components agree, and return them.

    Rules: Components. Raise ValueError if something is there more or less often than the counts say, if the
    deck of a length can't be made up or leaves too few Tangles below the Opinion Poll, or if an effect asks
    for a choice that no move expresses.
    """
    counted = {
        "regions": len(components.region),
        "starters": len(components.starter),
        "tangles": len(components.tangle),
        "ballots": len(components.region) * components.ballots.per_region,
        "fox_tiles": len(components.fox_tile),
    }
    for name, number in counted.items():
        if components.counts[name] != number:
            raise ValueError(f"the game has {components.counts[name]} {name}, not {number}")
    for length in components.length:
        if length.draw_deck + components.deck.reserve > len(components.tangle):
            raise ValueError(f"there are too few Tangles for the deck and the reserve of {length.key}")
        if length.draw_deck - max(length.poll_cards_above) < LEAST_BELOW_POLL:
            raise ValueError(f"fewer than {LEAST_BELOW_POLL} Tangles lie below the Poll of {length.key}")
    for effect in components.effects.values():
        for deed in effect.steps:
            if isinstance(deed, Shift) and (deed.way, deed.spread) == ("both", "apart"):
                raise ValueError(f"{effect.name} moves workers in both directions from several regions")
    return components


COMPONENTS = check_components(load_components("tanglewood", TanglewoodComponents))
SETUP = COMPONENTS.setup
SCORING = COMPONENTS.scoring
MAT = COMPONENTS.mat
REGIONS: dict[Region, RegionFacts] = {region.key: region for region in COMPONENTS.region}
TRACKS: dict[Faction, Track] = {track.key: track for track in COMPONENTS.track}
FOX_TILES: dict[FoxTileKey, FoxTile] = {tile.key: tile for tile in COMPONENTS.fox_tile}
STARTERS: dict[TangleId, TanglewoodTangle] = {tangle.id: tangle for tangle in COMPONENTS.starter}
REGULAR_TANGLES: dict[TangleId, TanglewoodTangle] = {tangle.id: tangle for tangle in COMPONENTS.tangle}
TANGLES: dict[TangleId, TanglewoodTangle] = STARTERS | REGULAR_TANGLES
EFFECTS = COMPONENTS.effects
LENGTHS: dict[str, LengthFacts] = {length.key: length for length in COMPONENTS.length}
RESERVE = COMPONENTS.deck.reserve
BALLOTS: tuple[Region, ...] = tuple(key for key in REGIONS for _ in range(COMPONENTS.ballots.per_region))
DRAW_BAN = COMPONENTS.circle.draw_ban


def effect_of(tangle: TangleId) -> TangleEffect:
    """Return the effect of a Tangle.

    >>> effect_of("T12").name
    'Evict'
    """
    return EFFECTS[TANGLES[tangle].effect]


COUNTS: Mapping[str, int] = {
    "regions": 9,
    "starters": 9,
    "tangles": 45,
    "opinion_polls": 1,
    "ballots": 45,
    "fox_tiles": 4,
    "markers": 250,
}
PLACES, KINDS = 3, 12
STARTER_IDS = [f"S{number}" for number in range(1, 10)]
TANGLE_IDS = [f"T{number:02}" for number in range(1, 46)]
BENEFITS = (
    *("draw_level", "place_level", "markers", "markers_one", "ballots", "ballots_one"),
    *("votes", "votes_one", "plant", "nudge"),
)
"""The texts that a step can need."""
STARTER_NAMES: Mapping[str, str] = {"reinforce": "Place +1", "votes": "Score 1", "markers": "Draw 1"}
"""The effects of Starters, by the kind of their only step."""


def _errors(data: TanglewoodComponents) -> Iterator[str]:
    there = {
        "regions": len(data.region),
        "starters": len(data.starter),
        "tangles": len(data.tangle),
        "ballots": len(data.region) * data.ballots.per_region,
        "fox_tiles": len(data.fox_tile),
    }
    counts_agree = True
    for name, number in COUNTS.items():
        noun = name.replace("_", " ")
        if data.counts.get(name) != number:
            counts_agree = False
            yield f"counts, {name}: the game has {number} {noun}, not {data.counts.get(name, 'none')}."
        if there.get(name, number) != number:
            counts_agree = False
            yield f"The game has {number} {noun}; the file has {there[name]}."
    yield from _board_errors(data)
    for noun, ids, tangles in (("starter", STARTER_IDS, data.starter), ("tangle", TANGLE_IDS, data.tangle)):
        if sorted(tangle.id for tangle in tangles) != ids:
            yield f"{noun}: the ids are {ids[0]} to {ids[-1]}, each once."
    for name in BENEFITS:
        if name not in data.benefits:
            yield f"benefits: the text “{name}” is missing."
    for tangle in (*data.starter, *data.tangle):
        if tangle.effect not in data.effects:
            yield f"Tangle {tangle.id}: there's no effect “{tangle.effect}”."
        if not tangle.tracks or len(set(tangle.tracks)) < len(tangle.tracks):
            yield f"Tangle {tangle.id}: it names 1 track, or all of them, each once."
    if sorted(length.key for length in data.length) != ["full", "short"]:
        yield "length: there must be a full and a short one."
    if sorted(track.key for track in data.track) != ["bear", "fox", "rabbit"]:
        yield "track: there must be one each for rabbit, bear and fox."
    slots = [step.slot for track in data.track for step in track.steps if isinstance(step, FoxTileDeed)]
    if sorted(slots) != list(range(1, COUNTS["fox_tiles"] + 1)):
        yield f"track: the Fox tiles have the slots 1 to {COUNTS['fox_tiles']}, each once."
    if not data.mat.draw or not data.mat.place:
        yield "mat: each of its tracks needs a value."
    if counts_agree:
        try:
            check_components(data)
        except ValueError as reason:
            yield f"{str(reason)[0].upper()}{str(reason)[1:]}."


def _board_errors(data: TanglewoodComponents) -> Iterator[str]:
    squares = Counter((region.row, region.column) for region in data.region)
    for region in data.region:
        if len(region.key) != 1 or region.key not in "ABCDEFGHI":
            yield f"Region {region.key}: its key is a letter from A to I."
        if region.row not in range(data.board.rows) or region.column not in range(data.board.columns):
            yield f"Region {region.key} is outside the {data.board.columns} by {data.board.rows} board."
        elif squares[region.row, region.column] > 1:
            yield f"Region {region.key}: another one is at the same place."


def _doubts(data: TanglewoodComponents) -> Iterator[str]:
    for region in data.region:
        if len(region.votes) != PLACES:
            yield f"Region {region.key}: {PLACES} places are paid, not {len(region.votes)}."
        if sorted(region.votes, reverse=True) != list(region.votes):
            yield f"Region {region.key}: a better place pays less than a worse one."
    for tangle in data.starter:
        steps = data.effects[tangle.effect].steps
        kinds = [str(type(step).__struct_config__.tag) for step in steps]
        if kinds not in [[kind] for kind in STARTER_NAMES]:
            yield f"Tangle {tangle.id}: a Starter's effect is {', '.join(STARTER_NAMES.values())}."
    used = {tangle.effect for tangle in data.tangle}
    if len(used) != KINDS:
        yield f"tangle: the Regular Tangles have {KINDS} effects, not {len(used)}."
    for name, values, first in (("draw", data.mat.draw, 2), ("place", data.mat.place, 1)):
        if values[0] != first or sorted(values) != list(values):
            yield f"mat, {name}: it begins with {first} and never falls."
    for kind, values in ((RaiseDrawLevel, data.mat.draw), (RaisePlaceLevel, data.mat.place)):
        raises = [step for track in data.track for step in track.steps if isinstance(step, kind)]
        if sum(step.n for step in raises) > len(values) - 1:
            yield f"mat: the tracks raise a level more often than the mat has values ({len(values)})."


def _parts(data: Data, options: Data, seats: int) -> list[str]:
    tangles = [tangle["id"] for name in ("tangle", "starter") for tangle in data[name]]
    effects = dict.fromkeys(tangle["effect"] for tangle in data["tangle"])
    tiles = [tile["key"] for tile in data["fox_tile"]]
    return [*tangles, *(region["key"] for region in data["region"]), *effects, *tiles]


def _leave_out(data: Data, options: Data, seats: int, name: str) -> None:
    if any(tangle["id"] == name for tangle in data["starter"]):
        raise CannotLeaveOut(f"Tanglewood can't do without {name}: a Starter lies in every region.")
    if any(region["key"] == name for region in data["region"]):
        # Leave out a region, the last Starter and the region's ballots.
        if len(data["region"]) < COUNTS["regions"]:
            raise CannotLeaveOut(f"You can't leave out {name} as well: only one region can go.")
        data["region"] = [region for region in data["region"] if region["key"] != name]
        data["starter"] = data["starter"][:-1]
        left = len(data["region"])
        data["counts"].update(regions=left, starters=left, ballots=left * data["ballots"]["per_region"])
        return
    rest = [tangle for tangle in data["tangle"] if name not in (tangle["id"], tangle["effect"])]
    if len(rest) == len(data["tangle"]):
        raise CannotLeaveOut(f"Tanglewood can't do without {name}: each Fox tile has its slot on the track.")
    data["tangle"], data["counts"]["tangles"] = rest, len(rest)
    for length in data["length"]:
        deck = min(length["draw_deck"], len(rest) - data["deck"]["reserve"])
        above = [min(number, deck - LEAST_BELOW_POLL) for number in length["poll_cards_above"]]
        if above[0] < 1:
            raise CannotLeaveOut(f"You can't leave out {name} as well: too few Tangles would be left.")
        length["draw_deck"], length["poll_cards_above"] = deck, above


KNOWN = KnownComponents(
    kind=TanglewoodComponents,
    labels={
        "region": lambda region: f"Region {region['key']}",
        "track": lambda track: f"Track {track['key']}",
        "fox_tile": lambda tile: f"Fox tile {tile['key']}",
        "length": lambda length: f"Length {length['key']}",
        "starter": lambda tangle: f"Tangle {tangle['id']}",
        "tangle": lambda tangle: f"Tangle {tangle['id']}",
    },
    errors=_errors,
    doubts=_doubts,
    parts=_parts,
    leave_out=_leave_out,
)


Length = Literal["full", "short"]
FoxTiles = Literal["shuffled", "fixed"]
First = Literal["random", "host"]


class TanglewoodOptions(msgspec.Struct, frozen=True):
    """The options of one table; every default is the usual game.

    `length` sets the number of Tangles in the draw deck, `fox_tiles` says if the tiles of the Fox track are
    shuffled, `first` if the first seat of the turn order is drawn or the host's.

    >>> TanglewoodOptions().length
    'full'
    """

    length: Length = "full"
    fox_tiles: FoxTiles = "shuffled"
    first: First = "random"
