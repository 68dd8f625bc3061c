"""The circle of twelve cards: flat cloth bent round the middle, and what lies at the junctions.

Angles are in degrees clockwise from the top, where place 12 lies. Everything here is drawn once for
each place and kept.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache

from PIL import Image, ImageDraw, ImageFilter

from engines.ribbon.cards import COLOURS, LETTERS, PLACES, Card, Colour, Level, left
from render.canvas import Canvas, Point, Sprite, bounds, coverage, on_circle, ring_points
from render.palette import CARD, HIGHLIGHT, INK, PAPER, Rgb, mix
from render.ribbon import cloth, seams
from render.ribbon.cloth import CARD_HEIGHT, CARD_WIDTH, FINE, LABEL, LANES, LIFT
from render.ribbon.shades import BACK, BACK_INK, BACK_LINE

SIZE = 1080
MIDDLE: Point = (SIZE / 2, SIZE / 2)
RIM = 486
BADGES = 513
SHARE = 360 / PLACES
GAP = 1.5
"""The free angle between two cards."""
UNIT = (SHARE - GAP) / CARD_WIDTH
"""The angle that one unit of flat cloth is bent to."""
LETTER_AT = 48
"""How far from a card's left edge the letter of each ribbon stands."""
CELL = 32
BENT_FINE = 2


def middle_of(place: int) -> float:
    """The angle at which a place lies."""
    return place % PLACES * SHARE


def junction_at(junction: int) -> float:
    """The angle at which a place meets the next."""
    return middle_of(junction) + SHARE / 2


def spot(place: int, along: float, down: float) -> Point:
    """Where a point of a flat card comes to lie, `along` from its left edge and `down` from its top."""
    return on_circle(MIDDLE, RIM - down, middle_of(place) + (along - CARD_WIDTH / 2) * UNIT)


def bend(flat: Image.Image, turn: float, top: float = 0) -> tuple[Image.Image, tuple[int, int]]:
    """Flat cloth bent round the middle of the circle, and where its left upper corner goes.

    Args:
        flat: `FINE` times as large as on the board.
        turn: the angle at which the middle of its width comes to lie.
        top: how far below the rim its upper edge lies.
    """
    half = flat.width / FINE / 2 * UNIT
    outer, inner = RIM - top, RIM - top - flat.height / FINE
    outline = ring_points(MIDDLE, inner, outer, turn - half, turn + half)
    x0, y0, x1, y1 = bounds(outline)
    columns, rows = ((end - start) * BENT_FINE for start, end in ((x0, x1), (y0, y1)))

    def source(column: int, row: int) -> tuple[float, float]:
        x, y = x0 + column / BENT_FINE - MIDDLE[0], y0 + row / BENT_FINE - MIDDLE[1]
        off = (math.degrees(math.atan2(x, -y)) - turn + 180) % 360 - 180
        return (off / UNIT) * FINE + flat.width / 2, (outer - math.hypot(x, y)) * FINE

    mesh = []
    for row in range(0, rows, CELL):
        for column in range(0, columns, CELL):
            right, bottom = min(column + CELL, columns), min(row + CELL, rows)
            quad = (
                *source(column, row),
                *source(column, bottom),
                *source(right, bottom),
                *source(right, row),
            )
            mesh.append(((column, row, right, bottom), quad))
    bent = flat.transform((columns, rows), Image.Transform.MESH, mesh, Image.Resampling.BICUBIC)
    return bent.reduce(BENT_FINE), (x0, y0)


def _sprite(bent: Image.Image, at: tuple[int, int]) -> Sprite:
    return Sprite(bent.convert("RGB"), bent.getchannel("A"), at)


@lru_cache(maxsize=108)
def face_up(card: Card, place: int) -> Sprite:
    """A card that lies face up at a place, with its letter and those of its ribbons upright."""
    bent, at = bend(cloth.card(card), middle_of(place))
    canvas = Canvas.over(bent.convert("RGB"))

    def write(along: float, down: float, text: str, size: int, colour: Rgb) -> None:
        x, y = spot(place, along, down)
        canvas.write((x - at[0], y - at[1]), text, size, colour, weight=700, anchor="middle")

    write(CARD_WIDTH / 2, LABEL, card, 25, INK)
    for colour, lane in zip(COLOURS, LANES, strict=True):
        side = left(card, colour)
        ink = seams.letter_ink(colour, side)
        write(LETTER_AT, lane - (LIFT if side else -LIFT), LETTERS[colour], 16, ink)
    return Sprite(canvas.image, _card_mask(place), at)


@cache
def _card_mask(place: int) -> Image.Image:
    return bend(cloth.blank(), middle_of(place))[0].getchannel("A")


@cache
def face_down(place: int) -> Sprite:
    """The back of a card that lies at a place."""
    bent, at = bend(cloth.back(), middle_of(place))
    return Sprite(bent.convert("RGB"), _card_mask(place), at)


@lru_cache(maxsize=256)
def bridge(junction: int, colour: Colour, side: Level) -> Sprite:
    """A ribbon that runs on from one card to the next."""
    lane = LANES[COLOURS.index(colour)]
    return _sprite(*bend(seams.bridge(colour, side), junction_at(junction), lane - cloth.REACH))


@lru_cache(maxsize=256)
def frayed(junction: int, colour: Colour, before: Level, after: Level) -> Sprite:
    """The two torn ends of a ribbon that is tangled at a junction."""
    lane = LANES[COLOURS.index(colour)]
    flat = seams.frayed(colour, before, after)
    return _sprite(*bend(flat, junction_at(junction), lane - cloth.REACH))


@cache
def outline(place: int) -> tuple[Sprite, ...]:
    """The bright outline of a place that has changed: a pale line around a strong one."""
    return _frame(place, 5.5, 8, CARD), _frame(place, 4.5, 5, HIGHLIGHT)


def _frame(place: int, reach: float, thick: float, colour: Rgb) -> Sprite:
    """A line around a place whose outer edge lies `reach` outside the card."""
    rings = []
    for out in (reach, reach - thick):
        half = (SHARE - GAP) / 2 + out * UNIT
        turn = middle_of(place)
        rings.append(ring_points(MIDDLE, RIM - CARD_HEIGHT - out, RIM + out, turn - half, turn + half))
    x0, y0, x1, y1 = bounds(rings[0])

    def draw(pen: ImageDraw.ImageDraw, scale: int) -> None:
        for ring, fill in zip(rings, (255, 0), strict=True):
            pen.polygon([((x - x0) * scale, (y - y0) * scale) for x, y in ring], fill=fill)

    mask = coverage(x1 - x0, y1 - y0, draw)
    return Sprite(Image.new("RGB", mask.size, colour), mask, (x0, y0))


@cache
def table() -> Image.Image:
    """What every board begins with: the paper, the shadows of twelve cards, and the hoop."""
    canvas = Canvas(SIZE, SIZE)
    shadow = Image.new("L", (SIZE, SIZE))
    for place in range(1, PLACES + 1):
        mask = _card_mask(place)
        at = face_down(place).at
        shadow.paste(110, (at[0] + 1, at[1] + 4), mask)
    shadow = shadow.filter(ImageFilter.GaussianBlur(4))
    canvas.image.paste(mix(PAPER, INK, 0.75), (0, 0), shadow)
    return canvas.image


def write_back(canvas: Canvas, place: int, text: str) -> None:
    """What stands on the back of a card: a question mark, or its letter once the game is over."""
    at = on_circle(MIDDLE, RIM - CARD_HEIGHT / 2, middle_of(place))
    canvas.disc(at, 34, BACK)
    canvas.disc(at, 34, BACK_LINE, hole=32.5)
    canvas.write(at, text, 46, BACK_INK, weight=600, anchor="middle")
