"""Silk ribbons: straight pieces with their sheen, and strips that cross a card and turn over on the way.

A ribbon that changes sides swings one edge round the other, as cloth does when it is turned over.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from PIL import Image, ImageChops, ImageFilter

from engines.ribbon.components import COMPONENTS, Colour, Crossing, Level
from render.palette import ramp
from render.ribbon.colours import DYES, SHADOW, Silk
from render.ribbon.measures import CARD_WIDTH, CORDS, FINE, FOLD, HALF, LIFT, REACH, TWIST

SELVEDGE = 3
"""The dark edge of a ribbon, in fine pixels."""
CENTRE_LINE = 0.028
"""Half the pale line along the light side, as a share of the ribbon's width."""
PLAIN = 128
"""The brightness along a ribbon that changes nothing."""


class Strip(NamedTuple):
    """A ribbon on its way over a card: what of it lies under the cords, and what over them."""

    under: Image.Image | None
    over: Image.Image | None


@cache
def strip(colour: Colour, crossing: Crossing) -> Strip:
    """The ribbon of that colour where it crosses a card so."""
    sides = COMPONENTS.crossings[crossing]
    if sides.left != sides.right:
        return Strip(_turning(colour, crossing, 0), _turning(colour, crossing, 1))
    whole = cast(_laid(straight(colour, sides.left, _over_card(sides.left)), crossing), sides.left)
    return Strip(None, whole) if sides.left else Strip(whole, None)


def straight(colour: Colour, side: Level, lights: Sequence[float]) -> Image.Image:
    """A straight piece without a shadow, as long as there are `lights`: its brightness along the length."""
    size = (len(lights), 2 * HALF * FINE)
    across = _row(_sheen_across(side)).transpose(Image.Transpose.ROTATE_270).resize(size)
    sheen = ImageChops.add(across, _row(lights).resize(size), 1, -PLAIN)
    return _dyed(sheen, DYES[colour].light if side else DYES[colour].dark)


def even(length: float) -> list[float]:
    """Lights for a piece of so many units that lies flat."""
    return [PLAIN] * round(length * FINE)


def cast(ribbon: Image.Image, side: Level) -> Image.Image:
    """A ribbon with the shadow of its side: close to the card when low, well above it when high."""
    return shadowed(ribbon, 2.6, 1.8, 0.5) if side else shadowed(ribbon, 0.6, 0.7, 0.35)


def shadowed(piece: Image.Image, drop: float, blur: float, strength: float) -> Image.Image:
    """A piece with the shadow that it casts towards the middle of the circle; lengths in units."""
    shadow = Image.new("L", piece.size)
    shadow.paste(piece.getchannel("A"), (0, round(drop * FINE)))
    shadow = shadow.filter(ImageFilter.GaussianBlur(blur * FINE)).point(lambda value: value * strength)
    ground = Image.new("RGBA", piece.size, SHADOW)
    ground.putalpha(shadow)
    return Image.alpha_composite(ground, piece)


def edges(crossing: Crossing, along: float) -> tuple[float, float]:
    """Where the two edges of a ribbon lie, outwards from the middle of its lane.

    The first edge is the outer one while the ribbon is low, the inner one once it is high.

    >>> edges("rise", 0), edges("rise", 200)
    ((2.0, -26.0), (-2.0, 26.0))
    """
    sides = COMPONENTS.crossings[crossing]
    turned = sides.left + (sides.right - sides.left) * _smooth((along - TWIST[0]) / (TWIST[1] - TWIST[0]))
    middle = LIFT * (2 * turned - 1)
    half = HALF * math.cos(math.pi * turned)
    return middle + half, middle - half


def _turning(colour: Colour, crossing: Crossing, side: Level) -> Image.Image:
    """The part of a ribbon that turns over on which one side is seen, as far as the tip of that side."""
    begins = COMPONENTS.crossings[crossing].left == side
    late = FOLD if begins else -FOLD
    lights = [over + turn - PLAIN for over, turn in zip(_over_card(side), _through_turn(), strict=True)]
    piece = _laid(straight(colour, side, lights), crossing, late)
    tip = (CARD_WIDTH // 2 + late) * FINE
    piece.paste((0, 0, 0, 0), (tip, 0, *piece.size) if begins else (0, 0, tip, piece.height))
    return cast(piece, side)


def _laid(flat: Image.Image, crossing: Crossing, late: float = 0) -> Image.Image:
    """A straight ribbon laid along its way over the card; it turns over `late` units after the middle."""
    step, margin, height = 2 * FINE, 6, 2 * REACH * FINE
    padded = Image.new("RGBA", (flat.width, flat.height + 2 * margin))
    padded.paste(flat, (0, margin))

    def source(column: int) -> tuple[float, float]:
        """Where in the straight ribbon the top and the bottom of a column come from."""
        inner, outer = sorted(edges(crossing, column / FINE - late))
        top, thick = (REACH - outer) * FINE, max(outer - inner, 0.8) * FINE
        return margin - top * flat.height / thick, margin + (height - top) * flat.height / thick

    mesh = []
    for left in range(0, flat.width, step):
        right = min(left + step, flat.width)
        (top_left, bottom_left), (top_right, bottom_right) = source(left), source(right)
        quad = (left, top_left, left, bottom_left, right, bottom_right, right, top_right)
        mesh.append(((left, 0, right, height), quad))
    return padded.transform((flat.width, height), Image.Transform.MESH, mesh, Image.Resampling.BICUBIC)


def _sheen_across(side: Level) -> list[float]:
    """The brightness of a straight ribbon from its outer to its inner edge."""
    count = 2 * HALF * FINE
    return [_sheen(side, (row + 0.5) / count, min(row, count - 1 - row)) for row in range(count)]


def _sheen(side: Level, share: float, from_edge: int) -> float:
    if from_edge < SELVEDGE:
        return 0
    if side and abs(share - 0.5) < CENTRE_LINE:
        return 252
    if side:
        rolled = 18 if from_edge < 2 * SELVEDGE else 0
        return 150 + 46 * _bell(share - 0.3, 0.2) - 46 * _smooth((share - 0.55) / 0.45) + rolled
    return 158 + 34 * _bell(share - 0.34, 0.24) - 50 * _smooth((share - 0.5) / 0.5)


def _over_card(side: Level) -> list[float]:
    """A high ribbon shines where it rises over a cord, a low one lies in the shadow beneath it."""
    lights = []
    for column in range(CARD_WIDTH * FINE):
        nearest = min(abs(column / FINE - cord) for cord in CORDS)
        lights.append(PLAIN + (20 * _bell(nearest, 7) if side else -42 * _bell(nearest, 6)))
    return lights


def _through_turn() -> list[float]:
    """A ribbon catches the light as it begins to turn over, and lies in shadow where it stands on edge."""
    lights = []
    for column in range(CARD_WIDTH * FINE):
        away = abs(column / FINE - sum(TWIST) / 2) / (TWIST[1] - TWIST[0]) * 2
        lights.append(PLAIN + (55 * _bell(away - 0.6, 0.22) - 90 * _bell(away, 0.32) if away < 1 else 0))
    return lights


def _row(values: Sequence[float]) -> Image.Image:
    row = Image.new("L", (len(values), 1))
    row.putdata([round(min(255, max(0, value))) for value in values])
    return row


def _dyed(sheen: Image.Image, silk: Silk) -> Image.Image:
    shades = ramp(silk.stops, 256)
    return Image.merge("RGB", [sheen.point([shade[band] for shade in shades]) for band in range(3)])


def _bell(away: float, width: float) -> float:
    """1 where `away` is 0, and little more than a third at `width`."""
    return math.exp(-((away / width) ** 2))


def _smooth(share: float) -> float:
    """From 0 to 1 without a corner at either end."""
    share = min(1.0, max(0.0, share))
    return share * share * (3 - 2 * share)
