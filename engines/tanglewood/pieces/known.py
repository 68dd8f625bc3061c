"""Says what is sure about the components of Tanglewood, whatever its regions and Tangles say."""

from collections import Counter
from collections.abc import Iterator, Mapping

from engines.component_check import CannotLeaveOut, Data, KnownComponents
from engines.tanglewood.pieces.components import LEAST_BELOW_POLL, TanglewoodComponents, check_components
from engines.tanglewood.pieces.effects import DrawLevel, FoxTileDeed, PlaceLevel

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
STARTERS: Mapping[str, str] = {"reinforce": "Place +1", "votes": "Score 1", "markers": "Draw 1"}
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
            yield f"Region {region.key}: it isn't on the board of {data.board.columns} by {data.board.rows}."
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
        if kinds not in [[kind] for kind in STARTERS]:
            yield f"Tangle {tangle.id}: a Starter says {', '.join(STARTERS.values())}."
    used = {tangle.effect for tangle in data.tangle}
    if len(used) != KINDS:
        yield f"tangle: the Regular Tangles have {KINDS} effects, not {len(used)}."
    for name, values, first in (("draw", data.mat.draw, 2), ("place", data.mat.place, 1)):
        if values[0] != first or sorted(values) != list(values):
            yield f"mat, {name}: it begins with {first} and never falls."
    for kind, values in ((DrawLevel, data.mat.draw), (PlaceLevel, data.mat.place)):
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
        _leave_out_region(data, name)
        return
    rest = [tangle for tangle in data["tangle"] if name not in (tangle["id"], tangle["effect"])]
    if len(rest) == len(data["tangle"]):
        raise CannotLeaveOut(f"Tanglewood can't do without {name}: each Fox tile has its slot on the track.")
    data["tangle"], data["counts"]["tangles"] = rest, len(rest)
    for length in data["length"]:
        deck = min(length["draw_deck"], len(rest) - data["deck"]["reserve"])
        above = [min(number, deck - LEAST_BELOW_POLL) for number in length["poll_cards_above"]]
        if above[0] < 1:
            raise CannotLeaveOut(f"Tanglewood can't do without {name} too: too few Tangles would be left.")
        length["draw_deck"], length["poll_cards_above"] = deck, above


def _leave_out_region(data: Data, name: str) -> None:
    """Leave out a region, the last Starter and the region's ballots."""
    if len(data["region"]) < COUNTS["regions"]:
        raise CannotLeaveOut(f"Tanglewood can't do without {name} too: one region less is the most.")
    data["region"] = [region for region in data["region"] if region["key"] != name]
    data["starter"] = data["starter"][:-1]
    left = len(data["region"])
    data["counts"].update(regions=left, starters=left, ballots=left * data["ballots"]["per_region"])


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
