"""The small figures that signs and pictures are made of: animals, acorns, ballots, glades, arrows."""

import math
from collections.abc import Sequence

from engines.tanglewood.pieces.components import Faction
from render.core.canvas import Point, bow, crown_points
from render.core.theme import Rgb, contrast, mix
from render.tanglewood.colours import TanglewoodSketch


def pawn(
    sketch: TanglewoodSketch, centre: Point, high: float, fill: Rgb, edge: Rgb | None = None, width: float = 0
) -> None:
    """Draw a worker: a small upright animal with ears. `high` is in pixels."""
    x, y = centre
    width = width or max(1.2, 0.07 * high)
    body = [
        *bow((x - 0.31 * high, y + 0.48 * high), (x - 0.27 * high, y - 0.02 * high), (x, y - 0.06 * high)),
        *bow((x, y - 0.06 * high), (x + 0.27 * high, y - 0.02 * high), (x + 0.31 * high, y + 0.48 * high)),
    ]
    discs = (
        ((x - 0.16 * high, y - 0.41 * high), 0.085 * high),
        ((x + 0.16 * high, y - 0.41 * high), 0.085 * high),
        ((x, y - 0.22 * high), 0.215 * high),
    )
    edge = edge or max((sketch.theme.ink, sketch.theme.black), key=lambda shade: contrast(shade, fill))
    for grow, colour in ((width, edge), (0.0, fill)):
        sketch.polygon(body, colour, colour, max(0.5, 2 * grow))
        for middle, radius in discs:
            sketch.disc(middle, radius + grow, colour)


def acorn(sketch: TanglewoodSketch, centre: Point, high: float) -> None:
    """Draw an acorn: a vote of the forest."""
    theme = sketch.theme
    x, y = centre
    line = max(1.0, 0.05 * high)
    sketch.line([(x, y - 0.3 * high), (x + 0.06 * high, y - 0.48 * high)], theme.bark, 0.1 * high)
    left, right = (x - 0.3 * high, y - 0.08 * high), (x + 0.3 * high, y - 0.08 * high)
    tip = (x, y + 0.5 * high)
    nut = [
        *bow(left, (x - 0.34 * high, y + 0.36 * high), tip),
        *bow(tip, (x + 0.34 * high, y + 0.36 * high), right),
    ]
    sketch.polygon(nut, theme.nut, theme.bark, line)
    gleam = bow(
        (x - 0.15 * high, y + 0.02 * high),
        (x - 0.18 * high, y + 0.2 * high),
        (x - 0.08 * high, y + 0.3 * high),
    )
    sketch.line(gleam, theme.nut_light, 0.08 * high)
    cup = [
        *bow((x - 0.38 * high, y - 0.06 * high), (x - 0.34 * high, y - 0.36 * high), (x, y - 0.36 * high)),
        *bow((x, y - 0.36 * high), (x + 0.34 * high, y - 0.36 * high), (x + 0.38 * high, y - 0.06 * high)),
    ]
    sketch.polygon(cup, theme.trunk, theme.bark, line)


def ballot(sketch: TanglewoodSketch, centre: Point, wide: float, lean: float = 0) -> None:
    """Draw a Secret Ballot: a sealed letter, turned by `lean` degrees."""
    theme = sketch.theme
    angle = math.radians(lean)
    turn_x, turn_y = math.cos(angle), math.sin(angle)

    def spot(x: float, y: float) -> Point:
        x, y = x * wide, y * wide
        return centre[0] + x * turn_x - y * turn_y, centre[1] + x * turn_y + y * turn_x

    line = max(1.2, 0.045 * wide)
    sheet = [spot(-0.5, -0.34), spot(0.5, -0.34), spot(0.5, 0.34), spot(-0.5, 0.34)]
    sketch.polygon(sheet, theme.white, theme.black, line)
    sketch.line([spot(-0.5, -0.34), spot(0, 0.06), spot(0.5, -0.34)], theme.black, line)
    sketch.disc(spot(0, 0.07), 0.14 * wide, theme.seal, mix(theme.seal, theme.black, 0.5), 0.03 * wide)


def glade(sketch: TanglewoodSketch, centre: Point, wide: float, fill: Rgb | None = None) -> None:
    """Draw a region: an opening in the forest, seen from the side."""
    x, y = centre
    high = 0.46 * wide
    box = (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
    sketch.ellipse(box, fill or sketch.theme.spring, sketch.theme.moss, max(1.5, 0.045 * wide))


def ring(sketch: TanglewoodSketch, centre: Point, radius: float) -> None:
    """Draw the circle of a seat, the source of placed markers."""
    theme = sketch.theme
    line = max(1.5, 0.12 * radius)
    sketch.disc(centre, radius, theme.card, theme.ink, line)
    sketch.disc(centre, radius - 1.9 * line, None, mix(theme.ink, theme.card, 0.55), 0.5 * line)


def sack(sketch: TanglewoodSketch, centre: Point, high: float) -> None:
    """Draw the supply: a sack that never empties."""
    theme = sketch.theme
    x, y = centre
    line = max(1.2, 0.05 * high)
    bag = [
        *bow((x - 0.14 * high, y - 0.24 * high), (x - 0.62 * high, y + 0.5 * high), (x, y + 0.48 * high)),
        *bow((x, y + 0.48 * high), (x + 0.62 * high, y + 0.5 * high), (x + 0.14 * high, y - 0.24 * high)),
    ]
    sketch.polygon(bag, theme.trail, theme.bark, line)
    frill = [
        (x - 0.13 * high, y - 0.26 * high),
        (x - 0.24 * high, y - 0.5 * high),
        (x, y - 0.4 * high),
        (x + 0.24 * high, y - 0.5 * high),
        (x + 0.13 * high, y - 0.26 * high),
    ]
    sketch.polygon(frill, theme.trail, theme.bark, line)
    sketch.line([frill[0], frill[-1]], theme.seal, 2 * line)


def arrow(sketch: TanglewoodSketch, way: Sequence[Point], width: float) -> None:
    (x0, y0), (x, y) = way[-2], way[-1]
    reach = math.hypot(x - x0, y - y0) or 1.0
    ahead, aside = (x - x0) / reach, (y - y0) / reach
    long, half = 2.7 * width, 1.9 * width
    neck = (x - ahead * long, y - aside * long)
    across, along = aside * half, ahead * half
    head = [(x, y), (neck[0] - across, neck[1] + along), (neck[0] + across, neck[1] - along)]
    shaft = [point for point in way[:-1] if math.hypot(point[0] - x, point[1] - y) > long]
    sketch.line([*shaft, neck], sketch.theme.seal, width)
    sketch.polygon(head, sketch.theme.seal, sketch.theme.seal, 0.4 * width)


def crown(sketch: TanglewoodSketch, centre: Point, wide: float) -> None:
    """Draw the crown of a sole first place."""
    sketch.polygon(crown_points(centre, wide), sketch.theme.gorse, sketch.theme.black, max(1.2, 0.07 * wide))


def rabbit(sketch: TanglewoodSketch, centre: Point, high: float) -> None:
    theme = sketch.theme
    x, y = centre
    coat, line = theme.factions["rabbit"], max(1.2, 0.045 * high)
    for side in (-1, 1):
        ear = [
            *bow(
                (x + side * 0.06 * high, y), (x - side * 0.06 * high, y - 0.5 * high), _ear(x, y, side, high)
            ),
            *bow(
                _ear(x, y, side, high), (x + side * 0.4 * high, y - 0.3 * high), (x + side * 0.22 * high, y)
            ),
        ]
        sketch.polygon(ear, coat, theme.black, line)
        inner = [(x + side * 0.13 * high, y - 0.06 * high), (x + side * 0.19 * high, y - 0.36 * high)]
        sketch.line(inner, theme.clover, 0.06 * high)
    sketch.ellipse((x - 0.3 * high, y - 0.1 * high, x + 0.3 * high, y + 0.48 * high), coat, theme.black, line)
    for side in (-1, 1):
        sketch.disc((x + side * 0.12 * high, y + 0.13 * high), 0.045 * high, theme.black)
        sketch.disc((x + side * 0.075 * high, y + 0.33 * high), 0.09 * high, theme.white)
    sketch.disc((x, y + 0.26 * high), 0.05 * high, theme.clover)


def _ear(x: float, y: float, side: int, high: float) -> Point:
    return x + side * 0.22 * high, y - 0.52 * high


def bear(sketch: TanglewoodSketch, centre: Point, high: float) -> None:
    theme = sketch.theme
    x, y = centre
    coat, line = theme.factions["bear"], max(1.2, 0.045 * high)
    for side in (-1, 1):
        ear = (x + side * 0.33 * high, y - 0.28 * high)
        sketch.disc(ear, 0.16 * high, coat, theme.black, line)
        sketch.disc(ear, 0.075 * high, theme.trail)
    sketch.ellipse(
        (x - 0.44 * high, y - 0.36 * high, x + 0.44 * high, y + 0.44 * high), coat, theme.black, line
    )
    sketch.ellipse((x - 0.2 * high, y + 0.02 * high, x + 0.2 * high, y + 0.34 * high), theme.trail_light)
    sketch.ellipse((x - 0.09 * high, y + 0.05 * high, x + 0.09 * high, y + 0.16 * high), theme.black)
    for side in (-1, 1):
        sketch.disc((x + side * 0.17 * high, y - 0.08 * high), 0.05 * high, theme.white)


def fox(sketch: TanglewoodSketch, centre: Point, high: float) -> None:
    theme = sketch.theme
    x, y = centre
    coat, line = theme.factions["fox"], max(1.2, 0.045 * high)
    tip = (x, y + 0.46 * high)
    head = [
        tip,
        (x - 0.48 * high, y - 0.02 * high),
        (x - 0.42 * high, y - 0.48 * high),
        (x - 0.16 * high, y - 0.24 * high),
        (x + 0.16 * high, y - 0.24 * high),
        (x + 0.42 * high, y - 0.48 * high),
        (x + 0.48 * high, y - 0.02 * high),
    ]
    sketch.polygon(head, coat, theme.black, line)
    for side in (-1, 1):
        cheek = [tip, (x + side * 0.42 * high, y + 0.02 * high), (x + side * 0.16 * high, y + 0.1 * high)]
        sketch.polygon(cheek, theme.white)
        sketch.disc((x + side * 0.16 * high, y - 0.02 * high), 0.05 * high, theme.black)
    sketch.line([*head, tip], theme.black, line)
    sketch.disc((x, y + 0.4 * high), 0.07 * high, theme.black)


HEADS = {"rabbit": rabbit, "bear": bear, "fox": fox}


def head(sketch: TanglewoodSketch, faction: Faction, centre: Point, high: float) -> None:
    HEADS[faction](sketch, centre, high)
