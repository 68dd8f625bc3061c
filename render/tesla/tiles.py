"""The pieces that a board is pasted of: tiles of slate, wires, their glow and their ends, empty cells.

Each is drawn once for a size, many times too large, and kept in a limited cache.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from PIL import ImageChops

from engines.tesla.pieces.components import Segment, Side, Tiles
from render.core.canvas import Box, Point
from render.core.theme import Rgb, mix
from render.tesla import paths
from render.tesla.colours import Current, TeslaTheme

GAP = 0.035
"""Half the gap between two tiles."""
STUB = 0.05
"""The reach of a wire over the side of its tile, so that it meets the next."""
WIRE = 0.21
"""The width of a wire; its rim comes on top on either side."""
RIM = 0.05
CORE = 0.075
GLOW = 0.46
COLLAR = (0.335, 0.075)
"""The brass clamp at either end of a wire: across the wire, and along it."""
BALL = 0.135
"""The radius of the knob on an open end."""
ROUND = 0.09
"""The radius of a tile's corners."""
AROUND: Box = (-1.2, -1.2, 1.2, 1.2)
"""The box of a tile and its frame."""
SHADOWED: Box = (-1.5, -1.5, 1.5, 1.5)
"""The box of a raised tile's shadow."""
DASHES = ((0.0, 0.12), (0.26, 0.42), (0.58, 0.74), (0.88, 1.0))
"""The dashes on each side of a dashed frame."""
PITCH = {1: 0.52, 2: 0.26, 3: 0.3}
"""The distance of the dashes, the beads and the rungs of the seats after the first."""


@dataclass(frozen=True, slots=True)
class Style:
    """The style of a wire: its colours, the pattern of its seat (None if it is free), and its glow.

    `glow` is the strength of its shine, 0 to 1.
    """

    current: Current
    pattern: int | None = None
    glow: float = 0


def _plate(sheet: paths.TeslaSheet, tiles: Tiles, inset: float, colour: Rgb) -> None:
    sheet.polygon(paths.corners(tiles, GAP + ROUND + inset), ROUND, colour)


@lru_cache(maxsize=64)
def slate(theme: TeslaTheme, tiles: Tiles, unit: int, raised: bool = False) -> paths.TeslaPiece:
    """Return a tile without wires: slate with a brass line. A raised one catches more light."""
    sheet, line = paths.TeslaSheet(unit, AROUND, theme.slate_edge), max(0.022, 1.2 / unit)
    _plate(sheet, tiles, 0, theme.slate_edge)
    _plate(sheet, tiles, 0.03, mix(theme.brass, theme.slate, 0.25))
    _plate(sheet, tiles, 0.03 + line, theme.slate_raised if raised else theme.slate)
    return sheet.piece()


@lru_cache(maxsize=64)
def shadow(theme: TeslaTheme, tiles: Tiles, unit: int, raised: bool = False) -> paths.TeslaPiece:
    colour, drop, blur, strength = (
        (theme.slate_edge, 0.16, 0.12, 0.75) if raised else (theme.shadow, 0.06, 0.06, 0.55)
    )
    sheet = paths.TeslaSheet(unit, SHADOWED, colour)
    _plate(sheet, tiles, 0, colour)
    piece = sheet.whole()
    soft = piece.soft(unit * blur, strength)
    return paths.TeslaPiece(piece.image, soft, (piece.step[0], piece.step[1] + round(unit * drop))).crop()


@lru_cache(maxsize=64)
def outline(
    theme: TeslaTheme, tiles: Tiles, unit: int, dashed: bool = False, colour: Rgb | None = None
) -> paths.TeslaPiece:
    """Return the frame of a tile placed last, in a given colour.

    A strong line in a pale one; dashed for a try.
    """
    line = max(0.09, 5.5 / unit) if dashed else max(0.055, 3.5 / unit) * (1 if colour is None else 1.3)
    sheet = paths.TeslaSheet(unit, AROUND, theme.card)
    _plate(sheet, tiles, -line, theme.slate_edge if colour is None and not dashed else theme.card)
    if dashed:
        around = paths.corners(tiles, GAP + 0.1 * line)
        for one, two in zip(around, [*around[1:], around[0]], strict=True):
            for first, last in DASHES:
                sheet.line(paths.piece((one, two), first, last), 1.6 * line, theme.highlight)
    else:
        _plate(sheet, tiles, -0.6 * line if colour else -0.8 * line, colour or theme.latest)
        _plate(sheet, tiles, 1.0 * line, theme.slate_edge)
    sheet.hole(paths.corners(tiles, GAP + ROUND + 1.2 * line), ROUND)
    return sheet.piece()


@lru_cache(maxsize=64)
def socket(theme: TeslaTheme, tiles: Tiles, unit: int) -> paths.TeslaPiece:
    """Return an empty cell for a tile."""
    sheet = paths.TeslaSheet(unit, AROUND, theme.socket_line)
    _plate(sheet, tiles, 0, theme.socket_line)
    _plate(sheet, tiles, max(0.02, 1.3 / unit), theme.socket)
    return sheet.piece()


@lru_cache(maxsize=800)
def wire(
    theme: TeslaTheme,
    tiles: Tiles,
    segment: Segment,
    current: Current,
    pattern: int | None,
    unit: int,
    bowed: bool = False,
) -> paths.TeslaPiece:
    way = paths.path(tiles, segment, bowed)
    start, end = (paths.middle_of(tiles, side, paths.APOTHEM + STUB) for side in segment)
    whole = [start, *way, end]
    sheet = paths.TeslaSheet(unit, _room(whole, COLLAR[0]), current.rim)
    sheet.line(whole, WIRE + 2 * RIM, current.rim)
    body = WIRE if pattern is not None else WIRE * 0.8
    for share, colour in (
        (1.0, mix(current.body, current.rim, 0.35)),
        (0.82, mix(current.body, current.rim, 0.12)),
        (0.62, current.body),
        (0.42, mix(current.body, current.core, 0.25)),
    ):
        sheet.line(whole, body * share, colour)
    _pattern(sheet, way, whole, current.core, pattern)
    for side in segment:
        across, thick = COLLAR
        x, y = paths.middle_of(tiles, side, paths.APOTHEM - GAP - thick / 2 - 0.03)
        off = math.hypot(x, y) * 2
        for share, width, colour in (
            (across, thick + 0.035, theme.brass_dark),
            (across, thick, theme.brass),
            (across * 0.45, thick * 0.45, theme.brass_light),
        ):
            dx, dy = -y / off * share, x / off * share
            sheet.line([(x + dx, y + dy), (x - dx, y - dy)], width, colour)
    return sheet.piece()


def _room(points: Sequence[Point], margin: float) -> Box:
    """Return a box around points, in units."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin


def _pattern(
    sheet: paths.TeslaSheet, way: paths.Path, whole: Sequence[Point], core: Rgb, pattern: int | None
) -> None:
    """Draw the light along a wire. A thin line if free, else its seat's pattern; it meets the next."""
    if pattern is None or pattern == 0:
        sheet.line(whole, CORE * (0.6 if pattern is None else 1), core)
        return
    count = max(1, round(paths.length(way) / PITCH[pattern]))
    for number in range(count):
        middle = (number + 0.5) / count
        if pattern == 1:
            sheet.line(paths.piece(way, middle - 0.31 / count, middle + 0.31 / count), CORE * 1.25, core)
        elif pattern == 2:
            sheet.disc(paths.along(way, middle), CORE * 0.8, core)
        else:
            half = 0.035 / paths.length(way)
            sheet.line(paths.piece(way, middle - half, middle + half), WIRE * 0.86, core)


@lru_cache(maxsize=400)
def glow(
    tiles: Tiles, segment: Segment, colour: Rgb, strength: float, unit: int, bowed: bool = False
) -> paths.TeslaPiece:
    wide, plate = paths.TeslaSheet(unit, AROUND, colour), paths.TeslaSheet(unit, AROUND, colour)
    wide.line(paths.path(tiles, segment, bowed), GLOW, colour)
    _plate(plate, tiles, 0, colour)
    piece = wide.whole()
    soft = ImageChops.multiply(piece.soft(unit * 0.1, strength), plate.whole().mask)
    return paths.TeslaPiece(piece.image, soft, piece.step).crop()


@lru_cache(maxsize=400)
def knob(theme: TeslaTheme, tiles: Tiles, side: Side, current: Current, unit: int) -> paths.TeslaPiece:
    """Return the knob on a wire that ends open at a side."""
    at = paths.middle_of(tiles, side, paths.APOTHEM + BALL * 0.75)
    sheet = paths.TeslaSheet(unit, _room([at], BALL + 0.04), theme.brass_dark)
    for radius, colour in (
        (BALL + 0.03, theme.brass_dark),
        (BALL, theme.brass),
        (BALL * 0.7, current.rim),
        (BALL * 0.58, current.body),
    ):
        sheet.disc(at, radius, colour)
    sheet.disc((at[0] - BALL * 0.15, at[1] - BALL * 0.18), BALL * 0.26, current.core)
    return sheet.piece()
