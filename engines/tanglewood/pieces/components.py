"""The regions, tracks, Tangles and numbers of the game, read once from ``tanglewood.toml``.

Nothing elsewhere depends on what the reconstructed components say, only on their shapes: whoever owns
the printed game can replace them in the data file, and everything else follows.
"""

from typing import Literal

import msgspec

from engines.component_data import load_components
from engines.tanglewood.pieces.effects import Benefit, Deed, Shift

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

    Rules: Components.

    Raises:
        ValueError: if something is there more or less often than the counts say, if the deck of a length
            can't be made up or leaves too few Tangles below the Opinion Poll, or if an effect asks for a
            choice that no move expresses.
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
REGULARS: dict[TangleId, TanglewoodTangle] = {tangle.id: tangle for tangle in COMPONENTS.tangle}
TANGLES: dict[TangleId, TanglewoodTangle] = STARTERS | REGULARS
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
