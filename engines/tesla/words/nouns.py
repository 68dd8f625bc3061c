"""Names of Tesla's Tangle's things, with their signs."""

from engines.game import Outcome
from engines.marks import with_icon
from engines.tesla.pieces.board import Cell, Circuit
from engines.tesla.pieces.components import BALANCED, COMMON, Face, Lie, Segment, Tiles, segments, shape
from engines.tesla.view import TeslaView
from engines.words import format_points, format_total, join_words, plural

BENDS: dict[Tiles, tuple[str, ...]] = {
    "hex": ("", "sharp bend", "wide bend", "straight"),
    "square": ("", "bend", "straight"),
}
AHEAD = f"Going first is a big advantage, so the others start at {format_total(BALANCED.others_start)}"
UNEVEN = f"{AHEAD}, and the first player can't use a marker on the first turn."


def explain_end(view: TeslaView) -> str:
    """Return why the game ended; empty if it was called off."""
    match view.outcome:
        case None:
            return ""
        case Outcome(how="points"):
            return "someone reached the winning score"
        case Outcome(how="survivor"):
            return "only one player was left"
        case _ if all(view.turns[seat] >= COMMON.turns for seat in view.remaining):
            return f"everyone has had {COMMON.turns} turns"
        case _:
            return f"nobody placed a tile or used a marker for {COMMON.idle_turns} turns"


def count_points(points: int) -> str:
    """Return a score with its noun.

    >>> count_points(-1), count_points(12)
    ('−1 point', '12 points')
    """
    return f"{format_total(points)} {'point' if abs(points) == 1 else 'points'}"


def each(count: int, points: int) -> str:
    """Return the points of each of several markers.

    >>> from engines.marks import to_plain
    >>> to_plain(each(2, 22)), each(1, 22)
    (' (2 markers, 22 each)', '')
    """
    return f" ({markers(count)}, {points} each)" if count > 1 else ""


def gain(points: int) -> str:
    """Return points gained or lost, with their noun.

    >>> gain(1), gain(-6)
    ('+1 point', '−6 points')
    """
    return f"{format_points(points)} {'point' if abs(points) == 1 else 'points'}"


def markers(count: int) -> str:
    return f"{count} {with_icon('tesla_marker', 'marker' if count == 1 else 'markers')}"


def own_markers(count: int) -> str:
    """Return a player's markers, after whose: "Bo's marker", "your 2 markers"."""
    return markers(count).removeprefix("1 ")


def tile(tiles: Tiles, face: Face | Lie) -> str:
    """Return a tile by its wires: "2 sharp bends and 1 straight"."""
    sides = shape(tiles).sides
    spans = [min(two - one, sides - two + one) for one, two in segments(face)]
    counts = [(spans.count(span), bend) for span, bend in enumerate(BENDS[tiles])]
    return with_icon(
        tile_sign(tiles, face), join_words(plural(count, bend) for count, bend in counts if count)
    )


def tile_sign(tiles: Tiles, face: Face | Lie) -> str:
    """Return a tile's sign, however it is turned."""
    return f"tesla_{tiles}_{shape(tiles).faces[face].replace('-', '_')}"


def tile_by_number(tiles: Tiles, place: int, face: Face) -> str:
    return with_icon(tile_sign(tiles, face), f"Tile {place}")


def heading(tiles: Tiles, segment: Segment) -> str:
    """Return the sides that a segment joins: "left to right"."""
    return " to ".join(shape(tiles).side_names[side] for side in segment)


def length(circuit: Circuit) -> str:
    """Return a circuit's length: "length 9", or "ring of 6 counts double"."""
    return f"ring of {circuit.length} counts double" if circuit.closed else f"length {circuit.length}"


def at(cell: Cell, degrees: int) -> str:
    """Return a place and a turn: "AA49, turned 120°"."""
    return f"{cell}, turned {degrees}°" if degrees else f"{cell}, not turned"
