"""The circle of twelve cards: flat cloth bent round the middle, and what lies at the junctions.

Angles are in degrees clockwise from the top, where place 12 lies. Bending is the costly part, so it
is done for the first quarter of the circle only; the other places are the same pieces turned. What
has been made is kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from functools import cache

from PIL import Image, ImageFilter

from engines.ribbon.components import COLOURS, LETTERS, PLACES, Card, Colour, Level, left
from render.canvas import Canvas, Point, Sprite, bounds, on_circle, ring_points
from render.palette import INK, PAPER, Rgb, mix
from render.ribbon import cloth
from render.ribbon.colours import BACK, BACK_INK, BRASS, HOOP, PALETTE
from render.ribbon.measures import (
    CARD_HEIGHT,
    CARD_WIDTH,
    FINE,
    GAP,
    LABEL,
    LANES,
    LETTER_AT,
    REACH,
    ribbon_at,
)

SIZE = 1080
MIDDLE: Point = (SIZE / 2, SIZE / 2)
RIM = 486
BADGES = 513
SHARE = 360 / PLACES
UNIT = SHARE / (CARD_WIDTH + GAP)
"""The angle that one unit of flat cloth is bent to."""
QUARTER = PLACES // 4
TURNS = (None, Image.Transpose.ROTATE_270, Image.Transpose.ROTATE_180, Image.Transpose.ROTATE_90)
HOOP_RADIUS = 247
CELL = 40
PADDING = 2
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
    flat = _padded(flat)
    top -= PADDING
    half = flat.width / FINE / 2 * UNIT
    outer, inner = RIM - top, RIM - top - flat.height / FINE
    x0, y0, x1, y1 = bounds(ring_points(MIDDLE, inner, outer, turn - half, turn + half))
    columns, rows = (x1 - x0) * BENT_FINE, (y1 - y0) * BENT_FINE

    def source(column: int, row: int) -> tuple[float, float]:
        x, y = x0 + column / BENT_FINE - MIDDLE[0], y0 + row / BENT_FINE - MIDDLE[1]
        off = (math.degrees(math.atan2(x, -y)) - turn + 180) % 360 - 180
        return off / UNIT * FINE + flat.width / 2, (outer - math.hypot(x, y)) * FINE

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
    bent = flat.transform((columns, rows), Image.Transform.MESH, mesh, Image.Resampling.BILINEAR)
    return bent.reduce(BENT_FINE), (x0, y0)


def _padded(flat: Image.Image) -> Image.Image:
    """The same cloth with a clear border, so that its edges come out smooth."""
    border = PADDING * FINE
    padded = Image.new("RGBA", (flat.width + 2 * border, flat.height + 2 * border))
    padded.paste(flat, (border, border))
    return padded


def _turned(sprite: Sprite, quarters: int) -> Sprite:
    """A piece carried on clockwise round the middle by quarters of the circle."""
    (x, y), turn = sprite.at, TURNS[quarters]
    if turn is None:
        return sprite
    width, height = sprite.mask.size
    at = {
        1: (SIZE - y - height, x),
        2: (SIZE - x - width, SIZE - y - height),
        3: (y, SIZE - x - width),
    }[quarters]
    return Sprite(sprite.image.transpose(turn), sprite.mask.transpose(turn), at)


@cache
def _bent(make: Callable[..., Image.Image], args: tuple[Hashable, ...], turn: float, top: float) -> Sprite:
    bent, at = bend(make(*args), turn, top)
    return Sprite(bent.convert("RGB"), bent.getchannel("A"), at)


def _at_place(place: int, make: Callable[..., Image.Image], *args: Hashable, top: float = 0) -> Sprite:
    """What `make` draws flat, bent to lie at a place."""
    quarters, first = divmod(place % PLACES, QUARTER)
    return _turned(_bent(make, args, middle_of(first), top), quarters)


def _at_junction(junction: int, make: Callable[..., Image.Image], colour: Colour, *sides: Level) -> Sprite:
    """What `make` draws flat of a ribbon, bent to lie at a junction in the ribbon's lane."""
    quarters, first = divmod(junction % PLACES, QUARTER)
    return _turned(_bent(make, (colour, *sides), junction_at(first), LANES[colour] - REACH), quarters)


@cache
def _card_mask(place: int) -> Image.Image:
    return _at_place(place, cloth.blank).mask


@cache
def face_up(card: Card, place: int) -> Sprite:
    """A card that lies face up at a place, with its letter and those of its ribbons upright."""
    bare = _at_place(place, cloth.face, card)
    canvas = Canvas.over(bare.image)

    def write(along: float, down: float, text: str, size: int, colour: Rgb) -> None:
        x, y = spot(place, along, down)
        canvas.write((x - bare.at[0], y - bare.at[1]), text, size, colour, weight=700, anchor="middle")

    write(CARD_WIDTH / 2, LABEL, card, 26, INK)
    for colour in COLOURS:
        side = left(card, colour)
        write(LETTER_AT, ribbon_at(colour, side), LETTERS[colour], 16, cloth.letter_ink(colour, side))
    return Sprite(PALETTE.apply(canvas.image), _card_mask(place), bare.at)


@cache
def face_down(place: int, text: str = "?") -> Sprite:
    """The back of a card that lies at a place; its letter stands on it once the game is over."""
    bare = _at_place(place, cloth.back)
    canvas = Canvas.over(bare.image)
    x, y = spot(place, CARD_WIDTH / 2, CARD_HEIGHT / 2)
    at = (x - bare.at[0], y - bare.at[1])
    canvas.disc(at, 36, BACK)
    canvas.disc(at, 36, BRASS, hole=34.6)
    canvas.write(at, text, 46, BACK_INK, weight=600, anchor="middle")
    return Sprite(PALETTE.apply(canvas.image), _card_mask(place), bare.at)


@cache
def bridge(junction: int, colour: Colour, side: Level) -> Sprite:
    """A ribbon that runs on from one card to the next."""
    return _at_junction(junction, cloth.bridge, colour, side)


@cache
def frayed(junction: int, colour: Colour, before: Level, after: Level) -> Sprite:
    """The two torn ends of a ribbon that is tangled at a junction."""
    return _at_junction(junction, cloth.frayed, colour, before, after)


@cache
def outline(place: int) -> Sprite:
    """The bright outline of a place that has changed."""
    return _at_place(place, cloth.outline, top=-cloth.OUTSIDE)


@cache
def table() -> Image.Image:
    """What every board begins with: the paper, the shadows of twelve cards, and an embroidery hoop."""
    canvas = Canvas(SIZE, SIZE)
    shadow = Image.new("L", (SIZE, SIZE))
    for place in range(1, PLACES + 1):
        x, y = face_down(place).at
        shadow.paste(120, (x + 1, y + 4), _card_mask(place))
    canvas.image.paste(mix(PAPER, INK, 0.75), (0, 0), shadow.filter(ImageFilter.GaussianBlur(3)))
    canvas.disc(MIDDLE, HOOP_RADIUS, HOOP[0])
    canvas.disc(MIDDLE, HOOP_RADIUS - 1.5, HOOP[1])
    canvas.disc(MIDDLE, HOOP_RADIUS - 3, HOOP[2], hole=HOOP_RADIUS - 5)
    canvas.disc(MIDDLE, HOOP_RADIUS - 9, HOOP[0])
    canvas.disc(MIDDLE, HOOP_RADIUS - 10, PAPER)
    left_, top = MIDDLE[0] - 17, MIDDLE[1] - HOOP_RADIUS + 1
    canvas.box((left_, top, left_ + 34, top + 16), HOOP[0], radius=4)
    canvas.box((left_ + 1, top + 1, left_ + 33, top + 15), HOOP[1], radius=3)
    canvas.disc((left_ + 17, top + 8), 5, HOOP[0])
    canvas.disc((left_ + 17, top + 8), 3.6, HOOP[2])
    return canvas.image
