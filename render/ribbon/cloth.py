"""Woven ribbons on cards: silk, folds, fringes and bridges.

A low ribbon passes under the cords that run down a card like the warp of a loom, a high one over them.

A ribbon that changes sides swings one edge round the other, as cloth does when it is turned over.
"""

import math
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from engines.ribbon.pieces.components import COLOURS, COMPONENTS, FACES, Card, Colour, Crossing, Level
from render.core.theme import ramp
from render.ribbon.colours import (
    CARD_HEIGHT,
    CARD_WIDTH,
    CORDS,
    CORDS_END,
    CORNER_RADIUS,
    FINE,
    FOLD,
    GAP,
    HALF,
    LANE_OFFSET,
    LANES,
    REACH,
    TWIST,
    RibbonTheme,
    Silk,
)

SELVEDGE = 2
"""The dark edge of a ribbon, in fine pixels."""
CENTRE_LINE = 0.028
"""Half the pale line along the light side, as a share of the ribbon's width."""
PLAIN = 128
"""The brightness along a ribbon that changes nothing."""
FALLS: dict[Level, tuple[float, float, float]] = {0: (0.6, 0.7, 0.35), 1: (2.6, 1.8, 0.5)}
"""The drop, softness and strength of a side's shadow: a low side is close to the card."""
SOFT = 6
"""The reach of a shadow beyond the tip of a side that has turned over."""


class ClothPiece(NamedTuple):
    """Cloth on a card: its colours, its shape, its shadow, and its left end."""

    image: Image.Image
    shape: Image.Image
    shadow: Image.Image
    left: int = 0


class Strip(NamedTuple):
    """A ribbon on its way over a card: its parts under the cords, and over them."""

    under: ClothPiece | None
    over: ClothPiece | None


def lay(theme: RibbonTheme, image: Image.Image, piece: ClothPiece, top: int) -> None:
    """Lay a piece with its shadow on a card, in fine pixels. Cut off at the card's edge."""
    left, (width, height) = piece.left, piece.shape.size
    image.paste(theme.shadow, (left, top, left + width, top + height), piece.shadow)
    image.paste(piece.image, (left, top), piece.shape)


@cache
def strip(theme: RibbonTheme, colour: Colour, crossing: Crossing) -> Strip:
    sides = COMPONENTS.crossings[crossing]
    if sides.left != sides.right:
        return Strip(_turning(theme, colour, crossing, 0), _turning(theme, colour, crossing, 1))
    side, size = sides.left, (CARD_WIDTH * FINE, 2 * REACH * FINE)
    image, shape = Image.new("RGB", size), Image.new("L", size)
    _put(image, shape, straight(theme, colour, side, _over_card(side)), 0, side)
    whole = _cast(image, shape, side)
    return Strip(None, whole) if side else Strip(whole, None)


def _put(image: Image.Image, shape: Image.Image, flat: Image.Image, left: int, side: Level) -> None:
    """Put a straight piece into a strip, at that side's height."""
    top = upper_edge(side)
    image.paste(flat, (left, top))
    shape.paste(255, (left, top, left + flat.width, top + flat.height))


def upper_edge(side: Level) -> int:
    """Return a ribbon's upper edge in a strip, in fine pixels."""
    return (REACH - HALF - (LANE_OFFSET if side else -LANE_OFFSET)) * FINE


def straight(theme: RibbonTheme, colour: Colour, side: Level, lights: Sequence[float]) -> Image.Image:
    """Draw a straight piece without a shadow. `lights` are the brightness along its length."""
    size = (len(lights), 2 * HALF * FINE)
    sheen = ImageChops.add(_sheen_across(side).resize(size), _row(lights).resize(size), 1, -PLAIN)
    shades = _shades(theme.dyes[colour].light if side else theme.dyes[colour].dark)
    return Image.merge("RGB", [sheen.point(band) for band in shades])


def even(length: float) -> list[float]:
    """Return the lights of a flat piece of that length in units."""
    return [PLAIN] * round(length * FINE)


def cast(theme: RibbonTheme, ribbon: Image.Image, side: Level) -> Image.Image:
    """Merge a ribbon with the shadow of its side."""
    ground = Image.new("RGBA", ribbon.size, theme.shadow)
    ground.putalpha(shadow(ribbon.getchannel("A"), *FALLS[side]))
    return Image.alpha_composite(ground, ribbon)


def _cast(image: Image.Image, shape: Image.Image, side: Level, left: int = 0) -> ClothPiece:
    return ClothPiece(image, shape, shadow(shape, *FALLS[side]), left)


def shadow(shape: Image.Image, drop: float, blur: float, strength: float) -> Image.Image:
    """Draw a shape's shadow towards the middle of the circle.

    Lengths in units. It is soft, so it is computed at no more than the board's resolution.
    """
    fallen = Image.new("L", shape.size)
    fallen.paste(shape, (0, round(drop * FINE)))
    soft = fallen.reduce(FINE).filter(ImageFilter.GaussianBlur(blur)).point(lambda value: value * strength)
    return soft.resize(shape.size, Image.Resampling.BILINEAR, (0, 0, shape.width / FINE, shape.height / FINE))


def edges(crossing: Crossing, along: float) -> tuple[float, float]:
    """Return a ribbon's two edges, outwards from its lane's middle.

    The first edge is the outer one while the ribbon is low, the inner one once it is high.

    >>> edges("rise", 0), edges("rise", 200)
    ((2.0, -26.0), (-2.0, 26.0))
    """
    sides = COMPONENTS.crossings[crossing]
    turned = sides.left + (sides.right - sides.left) * _smooth((along - TWIST[0]) / (TWIST[1] - TWIST[0]))
    middle = LANE_OFFSET * (2 * turned - 1)
    half = HALF * math.cos(math.pi * turned)
    return middle + half, middle - half


def _turning(theme: RibbonTheme, colour: Colour, crossing: Crossing, side: Level) -> ClothPiece:
    """Return the turning part of a ribbon that shows one side."""
    begins = COMPONENTS.crossings[crossing].left == side
    late = FOLD if begins else -FOLD
    tip, soft = (CARD_WIDTH // 2 + late) * FINE, SOFT * FINE
    # The straight part and the part that turns, in columns of the whole card.
    plain = (0, (TWIST[0] + late) * FINE) if begins else ((TWIST[1] + late) * FINE, CARD_WIDTH * FINE)
    turning = (plain[1], tip) if begins else (tip, plain[0])
    left = 0 if begins else tip - soft
    size = (tip + soft if begins else CARD_WIDTH * FINE - left, 2 * REACH * FINE)
    image, shape = Image.new("RGB", size), Image.new("L", size)
    lights = [over + turn - PLAIN for over, turn in zip(_over_card(side), _through_turn(), strict=True)]
    _put(image, shape, straight(theme, colour, side, lights[slice(*plain)]), plain[0] - left, side)
    folded = _fold(straight(theme, colour, side, lights[slice(*turning)]), turning[0], crossing, late)
    image.paste(folded, (turning[0] - left, 0))
    shape.paste(folded.getchannel("A"), (turning[0] - left, 0))
    return _cast(image, shape, side, left)


def _fold(flat: Image.Image, first: int, crossing: Crossing, late: float) -> Image.Image:
    """Turn a straight ribbon over, `late` units after the middle."""
    step, margin, height = 2 * FINE, 6, 2 * REACH * FINE
    padded = Image.new("RGBA", (flat.width, flat.height + 2 * margin))
    padded.paste(flat, (0, margin))

    def source(column: int) -> tuple[float, float]:
        """Return where a column's top and bottom come from."""
        inner, outer = sorted(edges(crossing, (first + column) / FINE - late))
        top, thick = (REACH - outer) * FINE, max(outer - inner, 0.8) * FINE
        return margin - top * flat.height / thick, margin + (height - top) * flat.height / thick

    mesh = []
    for left in range(0, flat.width, step):
        right = min(left + step, flat.width)
        (top_left, bottom_left), (top_right, bottom_right) = source(left), source(right)
        quad = (left, top_left, left, bottom_left, right, bottom_right, right, top_right)
        mesh.append(((left, 0, right, height), quad))
    return padded.transform((flat.width, height), Image.Transform.MESH, mesh, Image.Resampling.BICUBIC)


@cache
def _sheen_across(side: Level) -> Image.Image:
    """Return a straight ribbon's brightness across, one pixel long."""
    count = 2 * HALF * FINE
    lights = [_sheen(side, (row + 0.5) / count, min(row, count - 1 - row)) for row in range(count)]
    return _row(lights).transpose(Image.Transpose.ROTATE_270)


def _sheen(side: Level, share: float, from_edge: int) -> float:
    if from_edge < SELVEDGE:
        return 0
    if side and abs(share - 0.5) < CENTRE_LINE:
        return 252
    if side:
        rolled = 18 if from_edge < 2 * SELVEDGE else 0
        return 150 + 46 * _bell(share - 0.3, 0.2) - 46 * _smooth((share - 0.55) / 0.45) + rolled
    return 158 + 34 * _bell(share - 0.34, 0.24) - 50 * _smooth((share - 0.5) / 0.5)


@cache
def _over_card(side: Level) -> tuple[float, ...]:
    """Return lights over a card. A high ribbon shines over a cord, a low one is in its shadow."""
    lights = []
    for column in range(CARD_WIDTH * FINE):
        nearest = min(abs(column / FINE - cord) for cord in CORDS)
        lights.append(PLAIN + (20 * _bell(nearest, 7) if side else -42 * _bell(nearest, 6)))
    return tuple(lights)


@cache
def _through_turn() -> tuple[float, ...]:
    """Return lights of a turn. A ribbon shines as it begins to turn, and is dark on its edge."""
    lights = []
    for column in range(CARD_WIDTH * FINE):
        away = abs(column / FINE - sum(TWIST) / 2) / (TWIST[1] - TWIST[0]) * 2
        lights.append(PLAIN + (55 * _bell(away - 0.6, 0.22) - 90 * _bell(away, 0.32) if away < 1 else 0))
    return tuple(lights)


def _row(values: Sequence[float]) -> Image.Image:
    row = Image.new("L", (len(values), 1))
    row.putdata([round(min(255, max(0, value))) for value in values])
    return row


@cache
def _shades(silk: Silk) -> tuple[list[int], ...]:
    """Map each brightness to each band of a ribbon's colours."""
    return tuple(list(band) for band in zip(*ramp(silk.stops, 256), strict=True))


def _bell(away: float, width: float) -> float:
    return math.exp(-((away / width) ** 2))


def _smooth(share: float) -> float:
    """Ease from 0 to 1 without a corner at either end."""
    share = min(1.0, max(0.0, share))
    return share * share * (3 - 2 * share)


OVERLAP = 5
"""The reach over either card of a ribbon that runs on."""
TEAR = 23
"""The length of ribbon torn off at a tangle, on either card."""
FRINGE = (8.0, 5.5, 10.0, 7.0, 11.5, 6.0, 9.0, 11.0, 5.0, 8.5)
"""The length of each thread at a torn end."""

SIZE = (CARD_WIDTH * FINE, CARD_HEIGHT * FINE)


@lru_cache(maxsize=4)
def face(theme: RibbonTheme, card: Card) -> Image.Image:
    """Draw a card's face with its three woven ribbons, without letters. `shape` is its mask."""
    image = blank(theme).copy()
    strips = [
        (LANES[colour] - REACH, strip(theme, colour, FACES[card].crossing(colour))) for colour in COLOURS
    ]
    for top, one in strips:
        if one.under is not None:
            lay(theme, image, one.under, top * FINE)
    for cord in CORDS:
        lay(theme, image, _cord(theme)._replace(left=cord * FINE - _cord(theme).shape.width // 2), 0)
    for top, one in strips:
        if one.over is not None:
            lay(theme, image, one.over, top * FINE)
    return image


@cache
def blank(theme: RibbonTheme) -> Image.Image:
    """Return a card before anything is on it."""
    image = Image.new("RGB", SIZE, theme.line)
    box = (0, 0, SIZE[0] - 1, SIZE[1] - 1)
    ImageDraw.Draw(image).rounded_rectangle(box, CORNER_RADIUS * FINE, theme.card, theme.line, FINE)
    return image


@cache
def shape() -> Image.Image:
    mask = Image.new("L", SIZE)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, SIZE[0] - 1, SIZE[1] - 1), CORNER_RADIUS * FINE, 255)
    return mask


@cache
def _cord(theme: RibbonTheme) -> ClothPiece:
    """Draw a cord of twisted linen down the middle of a strip."""
    half, twist, eyelet = 4, 20, 5
    x = eyelet + 3 * FINE
    image = Image.new("RGBA", (2 * x, SIZE[1]), (*theme.cord, 0))
    pen = ImageDraw.Draw(image)
    top, bottom = (end * FINE for end in CORDS_END)
    for y in (top, bottom):
        pen.ellipse((x - eyelet, y - eyelet, x + eyelet, y + eyelet), fill=theme.cord_shade)
    pen.rectangle((x - half, top, x + half, bottom), fill=theme.cord_shade)
    pen.rectangle((x - half + 1, top, x + half - 2, bottom), fill=theme.cord)
    for y in range(top, bottom - 2 * half, twist):
        pen.line((x - half + 1, y + 2 * half, x + half - 2, y), fill=theme.cord_shade, width=2)
    covered = image.getchannel("A")
    return ClothPiece(image.convert("RGB"), covered, shadow(covered, 0.6, 0.9, 0.5))


@cache
def back(theme: RibbonTheme) -> Image.Image:
    """Draw a card's back. Midnight cloth with a quilted lattice inside a brass line."""
    image = Image.new("RGB", SIZE, theme.back)
    pen = ImageDraw.Draw(image)
    width, height = SIZE
    inset, pitch, radius = 8 * FINE, 23 * FINE, 5 * FINE
    for start in range(width // 2 % pitch - 12 * pitch, width + 12 * pitch, pitch):
        for lean in (-height, height):
            pen.line((start, 0, start + lean, height), fill=theme.back_line, width=FINE)
    inner = (inset, inset, width - inset, height - inset)
    border = Image.new("L", SIZE, 255)
    ImageDraw.Draw(border).rounded_rectangle(inner, radius, fill=0)
    image.paste(theme.back, (0, 0), border)
    pen.rounded_rectangle(inner, radius, outline=theme.brass, width=FINE + 1)
    return image


@cache
def bridge(theme: RibbonTheme, colour: Colour, side: Level) -> Image.Image:
    """Draw a ribbon that runs on over the gap between two cards."""
    piece = straight(theme, colour, side, even(GAP + 2 * OVERLAP))
    ribbon = Image.new("RGBA", (piece.width, 2 * REACH * FINE))
    ribbon.paste(piece, (0, upper_edge(side)))
    return cast(theme, ribbon, side)


@cache
def fray(theme: RibbonTheme, colour: Colour, before: Level, after: Level) -> Image.Image:
    """Draw both cards' edges with the ribbon torn off."""
    torn = TEAR * FINE
    image = Image.new("RGBA", (2 * torn + round(GAP * FINE), 2 * REACH * FINE))
    top, bottom = (LANES["orange"] - REACH) * FINE, (LANES["orange"] + REACH) * FINE
    image.paste(blank(theme).crop((SIZE[0] - torn, top, SIZE[0], bottom)), (0, 0))
    image.paste(blank(theme).crop((0, top, torn, bottom)), (image.width - torn, 0))
    image.alpha_composite(cast(theme, _tear_end(theme, colour, before, image.size), before))
    mirrored = _tear_end(theme, colour, after, image.size).transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    image.alpha_composite(cast(theme, mirrored, after))
    return image


def _tear_end(theme: RibbonTheme, colour: Colour, side: Level, size: tuple[int, int]) -> Image.Image:
    """Draw a torn end that comes in from the left."""
    image = Image.new("RGBA", size)
    pen = ImageDraw.Draw(image)
    dye = theme.dyes[colour].light if side else theme.dyes[colour].dark
    top, pitch = upper_edge(side), 2 * HALF * FINE / len(FRINGE)
    for index, reach in enumerate(FRINGE):
        y, end = top + (index + 0.5) * pitch, reach * FINE
        sway = (index - (len(FRINGE) - 1) / 2) * 0.9
        points = [(0.0, y), (end * 0.5, y + sway * 0.4), (end, y + sway * 2.2)]
        shade = (dye.body, dye.shadow, dye.shine)[index % 3]
        pen.line(points, fill=shade, width=round(pitch * 0.72), joint="curve")
    image.paste(straight(theme, colour, side, even(3)), (0, top))
    return image
