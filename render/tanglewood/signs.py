"""The signs of the game: one for each deed of a Tangle or a step, for the factions, and for counted things.

A sign is drawn around its middle in a square, without words: a dark animal is your own worker, a white one
anybody's; a green opening is a region, a ring one's circle, a sack the supply, an acorn a vote, a sealed
letter a Secret Ballot.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Literal

from engines.tanglewood.pieces import components
from render.core.canvas import Point, Sketch, Sprite, bow
from render.core.theme import Rgb
from render.tanglewood.colours import TanglewoodCanvas, TanglewoodSketch, TanglewoodTheme
from render.tanglewood.figures import acorn, arrow, ballot, crown, glade, head, pawn, ring, sack

Thing = Literal["votes", "ballots", "circle", "draw", "place"]
"""The counted things of each seat."""

LEAST = 35
"""The size of the smallest letters, in pixels: just legible in a picture as wide as the map."""


def deed(
    canvas: TanglewoodCanvas,
    what: components.Deed,
    centre: Point,
    size: float,
    tiles: tuple[components.FoxTileKey, ...] = (),
) -> None:
    """Draw the sign of a deed with its amount. A tile's sign depends on `tiles` on the slots."""
    theme = canvas.theme
    if isinstance(what, components.FoxTileDeed) and what.slot <= len(tiles):
        what = components.FOX_TILES[tiles[what.slot - 1]].benefit
    canvas.paint(sign(theme, what, round(size)), centre)
    text = amount(what)
    if text:
        letters = max(LEAST, round(0.32 * size))
        radius = 0.66 * letters
        # Beside a small sign rather than on it, and never below it, where another track may be.
        x = centre[0] + max(0.33 * size, min(0.52 * size, radius + 3))
        y = centre[1] + min(0.31 * size, size / 2 - radius)
        canvas.disc((x, y), radius + 1.5, theme.card)
        canvas.disc((x, y), radius, theme.ink)
        canvas.word((x, y), text, letters, theme.card, weight=700)


def effect(canvas: TanglewoodCanvas, deeds: tuple[components.Deed, ...], centre: Point, size: float) -> None:
    """Draw the sign of a whole effect. Its deeds side by side, the later ones smaller."""
    first, *rest = deeds
    if not rest:
        deed(canvas, first, centre, size)
        return
    x, y = centre
    deed(canvas, first, (x - 0.2 * size, y - 0.14 * size), 0.72 * size)
    for index, further in enumerate(rest):
        deed(canvas, further, (x + (0.12 - 0.5 * index) * size, y + 0.25 * size), 0.5 * size)


def amount(what: components.Deed) -> str:
    """Return a deed's amount if the sign alone doesn't show it."""
    match what:
        case components.Votes(n) | components.Markers(n):
            return str(n)
        case components.Ballots(n) if n > len(_FANS):
            return str(n)
        case (
            components.RaiseDrawLevel(n)
            | components.RaisePlaceLevel(n)
            | components.PlantDeed(n)
            | components.NudgeDeed(n)
            | components.Reinforce(n)
        ) if n > 1:
            return str(n)
        case components.LeadBallots(gain):
            return str(gain)
    return ""


def faction(canvas: TanglewoodCanvas, which: components.Faction, centre: Point, size: float) -> None:
    canvas.paint(faction_sprite(canvas.theme, which, round(size)), centre)


def thing(canvas: TanglewoodCanvas, what: Thing, centre: Point, size: float) -> None:
    canvas.paint(thing_sprite(canvas.theme, what, round(size)), centre)


def worker(canvas: TanglewoodCanvas, centre: Point, high: float, colour: Rgb, edge: Rgb) -> None:
    canvas.paint(worker_sprite(canvas.theme, high, colour, edge), centre)


@lru_cache(maxsize=64)
def faction_sprite(theme: TanglewoodTheme, which: components.Faction, size: int) -> Sprite:
    sketch = _square(theme, size)
    head(sketch, which, (0, 0), 0.94 * size)
    return sketch.sprite()


@lru_cache(maxsize=64)
def worker_sprite(theme: TanglewoodTheme, high: float, colour: Rgb, edge: Rgb) -> Sprite:
    sketch = _square(theme, 1.3 * high)
    pawn(sketch, (0, 0), high, colour, edge)
    return sketch.sprite()


@lru_cache(maxsize=64)
def thing_sprite(theme: TanglewoodTheme, what: Thing, size: int) -> Sprite:
    sketch = _square(theme, size)
    match what:
        case "votes":
            acorn(sketch, (0, 0), 0.96 * size)
        case "ballots":
            ballot(sketch, (0, 0), 0.92 * size)
        case "circle":
            ring(sketch, (0, 0), 0.46 * size)
            pawn(sketch, (0, 0.01 * size), 0.46 * size, sketch.theme.black)
        case "draw":
            ring(sketch, (0.02 * size, 0.16 * size), 0.33 * size)
            pawn(sketch, (0.02 * size, 0.18 * size), 0.34 * size, sketch.theme.black)
            way = bow((-0.42 * size, -0.02 * size), (-0.34 * size, -0.5 * size), (0.03 * size, -0.08 * size))
            arrow(sketch, way, 0.075 * size)
        case "place":
            glade(sketch, (0, 0.28 * size), 0.96 * size)
            pawn(sketch, (0, 0.13 * size), 0.46 * size, sketch.theme.black)
            arrow(sketch, [(0, -0.5 * size), (0, -0.14 * size)], 0.085 * size)
    return sketch.sprite()


@lru_cache(maxsize=256)
def sign(theme: TanglewoodTheme, what: components.Deed, size: int) -> Sprite:
    """Return the sign of a deed without its amount; cached."""
    sketch = _square(theme, size)
    _PAINTERS[type(what)](sketch, size, what)
    return sketch.sprite()


def _square(theme: TanglewoodTheme, size: float) -> TanglewoodSketch:
    half = 0.56 * size + 2
    return Sketch((-half, -half, half, half), theme)


def _rises(sketch: TanglewoodSketch, size: float) -> None:
    """Draw a chevron upwards: a level rises."""
    for lift in (0.0, 0.17):
        top = -0.42 * size + lift * size
        points = [(0.22 * size, top + 0.14 * size), (0.36 * size, top), (0.5 * size, top + 0.14 * size)]
        sketch.line(points, sketch.theme.seal, 0.085 * size)


def _draw_level(sketch: TanglewoodSketch, size: float, what: components.Deed) -> None:
    ring(sketch, (-0.1 * size, 0.1 * size), 0.36 * size)
    pawn(sketch, (-0.1 * size, 0.11 * size), 0.38 * size, sketch.theme.black)
    _rises(sketch, size)


def _place_level(sketch: TanglewoodSketch, size: float, what: components.Deed) -> None:
    glade(sketch, (-0.06 * size, 0.27 * size), 0.86 * size)
    pawn(sketch, (-0.1 * size, 0.06 * size), 0.5 * size, sketch.theme.black)
    _rises(sketch, size)


def _markers(sketch: TanglewoodSketch, size: float, what: components.Deed) -> None:
    sack(sketch, (-0.27 * size, -0.16 * size), 0.5 * size)
    ring(sketch, (0.14 * size, 0.16 * size), 0.31 * size)
    way = bow((-0.12 * size, -0.34 * size), (0.2 * size, -0.46 * size), (0.16 * size, 0.02 * size))
    arrow(sketch, way, 0.07 * size)


def _refill(sketch: TanglewoodSketch, size: float, what: components.Deed) -> None:
    ring(sketch, (0, 0.08 * size), 0.42 * size)
    for x, y in ((-0.17, 0.14), (0.17, 0.14), (0, 0.24)):
        pawn(sketch, (x * size, y * size), 0.3 * size, sketch.theme.black)
    arrow(sketch, [(0, -0.52 * size), (0, -0.06 * size)], 0.085 * size)


_FANS: dict[int, tuple[tuple[float, float, float], ...]] = {
    1: ((0, 0, 0),),
    2: ((-0.14, -0.12, -14), (0.1, 0.12, 8)),
    3: ((-0.16, -0.18, -16), (0.14, -0.04, 10), (-0.04, 0.2, -4)),
}
"""The places and angles of that many ballots."""


def _ballots(sketch: TanglewoodSketch, size: float, what: components.Deed) -> None:
    count = min(what.n, max(_FANS)) if isinstance(what, components.Ballots) else 1
    wide = {1: 0.9, 2: 0.68, 3: 0.58}[count] * size
    for x, y, lean in _FANS[count]:
        ballot(sketch, (x * size, y * size), wide, lean)


def _tile(sketch: TanglewoodSketch, size: float, what: components.Deed) -> None:
    edge = 0.42 * size
    corners = [(-edge, -edge), (edge, -edge), (edge, edge), (-edge, edge)]
    sketch.polygon(corners, sketch.theme.trail_light, sketch.theme.ink, 0.05 * size)
    head(sketch, "fox", (0, 0), 0.6 * size)


def _plant(sketch: TanglewoodSketch, size: float, what: components.Deed) -> None:
    theme = sketch.theme
    glade(sketch, (0, 0.28 * size), 0.9 * size)
    pawn(sketch, (-0.06 * size, 0.08 * size), 0.5 * size, theme.black)
    sketch.disc((0.3 * size, -0.26 * size), 0.19 * size, theme.gorse, theme.ink, 0.035 * size)
    sketch.disc((0.38 * size, -0.32 * size), 0.15 * size, theme.card, theme.ink, 0.03 * size)
    sketch.disc((-0.32 * size, -0.36 * size), 0.045 * size, theme.gorse)
    sketch.disc((0.0, -0.42 * size), 0.035 * size, theme.gorse)


def _nudge(sketch: TanglewoodSketch, size: float, what: components.Deed) -> None:
    for x in (-0.27, 0.27):
        glade(sketch, (x * size, 0.28 * size), 0.5 * size)
    pawn(sketch, (-0.27 * size, 0.12 * size), 0.42 * size, sketch.theme.white)
    way = bow((-0.22 * size, -0.2 * size), (0.24 * size, -0.52 * size), (0.28 * size, 0.18 * size))
    arrow(sketch, way, 0.075 * size)


def _reinforce(sketch: TanglewoodSketch, size: float, what: components.Deed) -> None:
    glade(sketch, (0, 0.28 * size), 0.96 * size)
    pawn(sketch, (-0.2 * size, 0.11 * size), 0.44 * size, sketch.theme.black)
    pawn(sketch, (0.17 * size, 0.14 * size), 0.44 * size, sketch.theme.black)
    arrow(sketch, [(0.17 * size, -0.5 * size), (0.17 * size, -0.14 * size)], 0.085 * size)
    for points in (((-0.31, -0.34), (-0.09, -0.34)), ((-0.2, -0.45), (-0.2, -0.23))):
        sketch.line([(x * size, y * size) for x, y in points], sketch.theme.seal, 0.085 * size)


def _evict(sketch: TanglewoodSketch, size: float, what: components.Deed) -> None:
    glade(sketch, (0, 0.26 * size), 0.7 * size)
    pawn(sketch, (0, 0.06 * size), 0.52 * size, sketch.theme.black)
    for side in (-1, 1):
        pawn(sketch, (side * 0.38 * size, -0.08 * size), 0.34 * size, sketch.theme.white)
        way = bow(
            (side * 0.14 * size, -0.3 * size),
            (side * 0.36 * size, -0.54 * size),
            (side * 0.5 * size, -0.28 * size),
        )
        arrow(sketch, way, 0.06 * size)


def _standing(sketch: TanglewoodSketch, size: float, what: components.Deed) -> None:
    theme = sketch.theme
    for left, top, colour in (
        (-0.48, 0.2, theme.trail_light),
        (-0.16, 0.04, theme.gorse),
        (0.16, 0.3, theme.trail_light),
    ):
        box = [(left, top), (left + 0.32, top), (left + 0.32, 0.48), (left, 0.48)]
        sketch.polygon([(x * size, y * size) for x, y in box], colour, theme.ink, 0.04 * size)
    pawn(sketch, (0, -0.16 * size), 0.36 * size, theme.black)
    ballot(sketch, (0.29 * size, -0.28 * size), 0.36 * size, 10)
    ballot(sketch, (-0.3 * size, -0.28 * size), 0.36 * size, -10)


def _lead(sketch: TanglewoodSketch, size: float, what: components.Deed) -> None:
    theme = sketch.theme
    for x, y in ((0, -0.3), (-0.32, 0), (0.32, 0), (0, 0.3)):
        sketch.disc((x * size, y * size), 0.17 * size, theme.spring, theme.moss, 0.03 * size)
    sketch.disc((0, 0), 0.2 * size, theme.leaf_light, theme.moss, 0.035 * size)
    crown(sketch, (0, 0), 0.3 * size)
    ballot(sketch, (0.32 * size, -0.32 * size), 0.36 * size, 12)


def _adjacent(sketch: TanglewoodSketch, size: float, what: components.Deed) -> None:
    glade(sketch, (-0.24 * size, 0.3 * size), 0.46 * size, sketch.theme.card)
    glade(sketch, (0.24 * size, 0.3 * size), 0.52 * size)
    if isinstance(what, components.PlaceAdjacentDeed) and what.source == "supply":
        sack(sketch, (-0.27 * size, -0.22 * size), 0.46 * size)
    else:
        ring(sketch, (-0.27 * size, -0.22 * size), 0.24 * size)
        pawn(sketch, (-0.27 * size, -0.21 * size), 0.26 * size, sketch.theme.black)
    pawn(sketch, (0.25 * size, 0.16 * size), 0.34 * size, sketch.theme.black)
    way = bow((-0.04 * size, -0.32 * size), (0.28 * size, -0.44 * size), (0.26 * size, -0.06 * size))
    arrow(sketch, way, 0.075 * size)


def _shift(sketch: TanglewoodSketch, size: float, what: components.Deed) -> None:
    assert isinstance(what, components.Shift)
    if what.spread == "apart":
        inward = what.way == "in"
        glade(sketch, (0, 0.27 * size if inward else -0.2 * size), 0.62 * size)
        for side in (-1, 1):
            outer = (side * 0.36 * size, -0.24 * size if inward else 0.25 * size)
            pawn(sketch, outer, 0.36 * size, sketch.theme.white)
            way = [(side * 0.26 * size, 0.0), (side * 0.1 * size, 0.24 * size)]
            if not inward:
                way = [(side * 0.08 * size, -0.18 * size), (side * 0.28 * size, 0.06 * size)]
            arrow(sketch, way, 0.075 * size)
    elif what.way == "both":
        for x, fill in ((-0.26, sketch.theme.spring), (0.26, sketch.theme.card)):
            glade(sketch, (x * size, 0.04 * size), 0.5 * size, fill)
            pawn(sketch, (x * size, -0.06 * size), 0.34 * size, sketch.theme.white)
        way = bow((-0.26 * size, -0.28 * size), (0, -0.56 * size), (0.28 * size, -0.26 * size))
        arrow(sketch, way, 0.07 * size)
        way = bow((0.26 * size, 0.22 * size), (0, 0.56 * size), (-0.28 * size, 0.22 * size))
        arrow(sketch, way, 0.07 * size)
    else:
        inward = what.way == "in"
        glade(sketch, (-0.25 * size, 0.3 * size), 0.5 * size, sketch.theme.spring)
        glade(sketch, (0.25 * size, 0.3 * size), 0.5 * size, sketch.theme.card)
        start = 0.25 if inward else -0.25
        for off in (-0.11, 0.11):
            pawn(sketch, ((start + off) * size, 0.14 * size), 0.36 * size, sketch.theme.white)
        way = bow((start * size, -0.16 * size), (0, -0.56 * size), (-start * size, 0.16 * size))
        arrow(sketch, way, 0.08 * size)


_PAINTERS: dict[type[components.Deed], Callable[[TanglewoodSketch, float, components.Deed], None]] = {
    components.RaiseDrawLevel: _draw_level,
    components.RaisePlaceLevel: _place_level,
    components.Markers: _markers,
    components.Ballots: _ballots,
    components.Votes: lambda sketch, size, _: acorn(sketch, (-0.04 * size, 0), 0.92 * size),
    components.FoxTileDeed: _tile,
    components.PlantDeed: _plant,
    components.NudgeDeed: _nudge,
    components.Reinforce: _reinforce,
    components.Refill: _refill,
    components.Evict: _evict,
    components.StandingBallots: _standing,
    components.LeadBallots: _lead,
    components.PlaceAdjacentDeed: _adjacent,
    components.Shift: _shift,
}
