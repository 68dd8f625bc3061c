"""Silk ribbons on flat cards: the material that every picture of this game is cut from.

Everything here is drawn `FINE` times as large as on the board and then bent or reduced. A card is
`CARD_WIDTH` by `CARD_HEIGHT` units, upright, with the rim of the circle at its top; four cords run
down it like the warp of a loom. A ribbon passes under the cords where it is low and over them where
it is high, and where it changes sides it turns over, one edge swinging round the other.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from engines.ribbon.cards import COLOURS, FACES, Card, Colour, Crossing, Level
from render.palette import CARD, HIGHLIGHT, LINE, ramp
from render.ribbon.shades import BACK, BACK_LINE, BRASS, CORD, CORD_SHADE, DYES, Silk

FINE = 3
CARD_WIDTH = 200
CARD_HEIGHT = 232
LANES = (36, 100, 164)
LABEL = 211
LETTER_AT = 64
"""How far from a card's left edge the letter of each ribbon stands."""
HALF = 14
"""Half the width of a ribbon."""
LIFT = 12
"""How far the middle of a ribbon lies from the middle of its lane, outwards when high."""
REACH = 34
"""Half the height of a strip: the ribbon and its shadow."""
CORDS = (47, 153)
TWIST = (74, 126)
"""Where a ribbon begins to turn over and where it has turned."""
FOLD = 6
"""How far the tips of a ribbon's two sides reach past each other where it turns over."""
CORNER = 9
OUTSIDE = 5
"""How far the outline of a changed card sticks out."""

Quad = tuple[float, ...]


def smooth(share: float) -> float:
    """From 0 to 1 without a corner at either end."""
    share = min(1.0, max(0.0, share))
    return share * share * (3 - 2 * share)


def _row(values: list[float]) -> Image.Image:
    image = Image.new("L", (len(values), 1))
    image.putdata([round(min(255.0, max(0.0, value))) for value in values])
    return image


def _across(side: Level) -> list[float]:
    """The brightness of a ribbon from its outer to its inner edge, before it is bent."""
    count = 2 * HALF * FINE
    values = []
    for row in range(count):
        share = (row + 0.5) / count
        if side:
            value = 150 + 46 * math.exp(-(((share - 0.3) / 0.2) ** 2)) - 46 * smooth((share - 0.55) / 0.45)
            if abs(share - 0.5) < 0.028:
                value = 252
        else:
            value = 158 + 34 * math.exp(-(((share - 0.34) / 0.24) ** 2)) - 50 * smooth((share - 0.5) / 0.5)
        rim = min(row, count - 1 - row)
        if rim < 4:
            value = 0 if rim < 3 else value * 0.5
        elif rim < 7 and side:
            value += 18
        values.append(value)
    return values


def _along(side: Level, turning: int, length: int) -> list[float]:
    """How much brighter or darker a ribbon is at each step of its length; 128 changes nothing.

    `turning` is 0 for a ribbon that stays on its side, -1 for one that comes out of its turn on this
    side and 1 for one that goes into it.
    """
    values = []
    for column in range(length):
        at = column / FINE
        nearest = min(abs(at - cord) for cord in CORDS)
        value = 128.0 + (
            24 * math.exp(-((nearest / 7) ** 2)) if side else -52 * math.exp(-((nearest / 6) ** 2))
        )
        if turning:
            share = (at - TWIST[0]) / (TWIST[1] - TWIST[0])
            away = abs(share - 0.5) * 2
            if 0 < share < 1:
                value += 55 * math.exp(-(((away - 0.6) / 0.22) ** 2)) - 90 * math.exp(-((away / 0.32) ** 2))
        values.append(value)
    return values


def _dyed(light: Image.Image, silk: Silk) -> Image.Image:
    shades = ramp(silk.stops, 256)
    bands = [light.point([shade[channel] for shade in shades]) for channel in range(3)]
    return Image.merge("RGB", bands)


def silk(colour: Colour, side: Level, turning: int = 0, length: int = CARD_WIDTH) -> Image.Image:
    """A straight piece of ribbon, `length` units long, without shadow."""
    size = (length * FINE, 2 * HALF * FINE)
    across = _row(_across(side)).transpose(Image.Transpose.ROTATE_270).resize(size)
    if length == CARD_WIDTH:
        along = _row(_along(side, turning, size[0])).resize(size)
        across = ImageChops.add(across, along, 1, -128)
    return _dyed(across, DYES[colour].light if side else DYES[colour].dark)


def edges(crossing: Crossing, at: float) -> tuple[float, float]:
    """Where the two edges of a ribbon lie at a distance from the card's left edge, outwards from mid-lane.

    The first edge is the outer one where the ribbon is low. Where the ribbon has turned over the
    first lies below the second.
    """
    turned = smooth((at - TWIST[0]) / (TWIST[1] - TWIST[0]))
    match crossing:
        case "low":
            turned = 0.0
        case "high":
            turned = 1.0
        case "fall":
            turned = 1.0 - turned
        case "rise":
            pass
    middle = LIFT * (2 * turned - 1)
    half = HALF * math.cos(math.pi * turned)
    return middle + half, middle - half


def _bent(flat: Image.Image, crossing: Crossing, late: float = 0) -> Image.Image:
    """A straight ribbon laid along its way over the card, turning over `late` units after the middle."""
    step, margin = 2 * FINE, 6
    height = 2 * REACH * FINE
    padded = Image.new("RGBA", (flat.width, flat.height + 2 * margin), (*flat.getpixel((0, 0)), 0))  # type: ignore[misc]
    padded.paste(flat.convert("RGBA"), (0, margin))

    def source(column: int) -> tuple[float, float]:
        one, two = edges(crossing, column / FINE - late)
        outer, inner = max(one, two), min(one, two)
        top, thick = (REACH - outer) * FINE, max(outer - inner, 0.8) * FINE
        scale = flat.height / thick
        return -top * scale + margin, (height - top) * scale + margin

    mesh = []
    for left in range(0, flat.width, step):
        right = min(left + step, flat.width)
        (top_left, bottom_left), (top_right, bottom_right) = source(left), source(right)
        quad = (left, top_left, left, bottom_left, right, bottom_right, right, top_right)
        mesh.append(((left, 0, right, height), quad))
    return padded.transform((flat.width, height), Image.Transform.MESH, mesh, Image.Resampling.BICUBIC)


def shadowed(ribbon: Image.Image, drop: float, blur: float, strength: float) -> Image.Image:
    """The same piece with the shadow that it casts towards the middle of the circle."""
    shadow = Image.new("L", ribbon.size)
    shadow.paste(ribbon.getchannel("A"), (0, round(drop * FINE)))
    shadow = shadow.filter(ImageFilter.GaussianBlur(blur * FINE)).point(lambda value: value * strength)
    ground = Image.new("RGBA", ribbon.size, (48, 38, 24, 0))
    ground.putalpha(shadow)
    return Image.alpha_composite(ground, ribbon)


def cast(ribbon: Image.Image, side: Level) -> Image.Image:
    """A ribbon with the shadow of its side: close to the card when low, well above it when high."""
    return shadowed(ribbon, 3.2, 2.6, 0.5) if side else shadowed(ribbon, 0.8, 1.1, 0.35)


@cache
def strip(colour: Colour, crossing: Crossing) -> tuple[Image.Image | None, Image.Image | None]:
    """A ribbon on its way over a card, as (what lies under the cords, what lies over them)."""
    if crossing in ("low", "high"):
        side: Level = 1 if crossing == "high" else 0
        whole = cast(_bent(silk(colour, side), crossing), side)
        return (None, whole) if side else (whole, None)
    middle = CARD_WIDTH * FINE // 2
    pieces: list[Image.Image] = []
    for side, starts_here in ((0, crossing == "rise"), (1, crossing == "fall")):
        late = FOLD if starts_here else -FOLD
        piece = _bent(silk(colour, 1 if side else 0, 1 if starts_here else -1), crossing, late)
        tip = middle + late * FINE
        hidden = (tip, 0, piece.width, piece.height) if starts_here else (0, 0, tip, piece.height)
        piece.paste((0, 0, 0, 0), hidden)
        pieces.append(cast(piece, 1 if side else 0))
    return pieces[0], pieces[1]


@cache
def _cords() -> Image.Image:
    """The warp: cords of twisted linen down the card, each through an eyelet at either end."""
    image = Image.new("RGBA", (CARD_WIDTH * FINE, CARD_HEIGHT * FINE), (*CORD, 0))
    pen = ImageDraw.Draw(image)
    top, bottom, half = 7 * FINE, (LANES[-1] + REACH - 4) * FINE, 2 * FINE
    for cord in CORDS:
        x = cord * FINE
        for y in (top, bottom):
            pen.ellipse((x - 8, y - 8, x + 8, y + 8), fill=(*CORD_SHADE, 255))
        pen.rectangle((x - half, top, x + half, bottom), fill=(*CORD_SHADE, 255))
        pen.rectangle((x - half + 2, top, x + half - 3, bottom), fill=(*CORD, 255))
        for y in range(top, bottom - 2 * half, 7 * FINE):
            pen.line((x - half + 1, y + 2 * half, x + half - 2, y), fill=(*CORD_SHADE, 255), width=3)
    return shadowed(image, 0.6, 0.9, 0.5)


@cache
def blank() -> Image.Image:
    """A card before any ribbon is on it."""
    size = (CARD_WIDTH * FINE, CARD_HEIGHT * FINE)
    image = Image.new("RGBA", size, (*LINE, 0))
    pen = ImageDraw.Draw(image)
    box = (0, 0, size[0] - 1, size[1] - 1)
    pen.rounded_rectangle(box, CORNER * FINE, fill=(*CARD, 255), outline=(*LINE, 255), width=FINE)
    return image


def lay(image: Image.Image, piece: Image.Image | None, corner: tuple[int, int]) -> None:
    """A piece laid over part of an image; what sticks out is left away."""
    if piece is not None:
        left, top = corner
        crop = (max(0, -left), max(0, -top), piece.width, piece.height)
        image.alpha_composite(piece.crop(crop), (max(0, left), max(0, top)))


@lru_cache(maxsize=4)
def card(card: Card) -> Image.Image:
    """A card's face with its three woven ribbons, without letters."""
    image = blank().copy()
    laid = [
        (strip(colour, FACES[card].crossing(colour)), (0, (lane - REACH) * FINE))
        for colour, lane in zip(COLOURS, LANES, strict=True)
    ]
    for (under, _), corner in laid:
        lay(image, under, corner)
    image.alpha_composite(_cords())
    for (_, over), corner in laid:
        lay(image, over, corner)
    image.putalpha(blank().getchannel("A"))
    return image


@cache
def back() -> Image.Image:
    """A card's back: midnight cloth with a quilted lattice inside a brass line."""
    size = (CARD_WIDTH * FINE, CARD_HEIGHT * FINE)
    image = Image.new("RGBA", size, (*BACK, 255))
    pen = ImageDraw.Draw(image)
    inset, pitch = 8 * FINE, 23 * FINE
    inner = (inset, inset, size[0] - inset, size[1] - inset)
    for start in range(size[0] // 2 % pitch - 12 * pitch, size[0] + 12 * pitch, pitch):
        for lean in (-1, 1):
            line = (start, 0, start + lean * size[1], size[1])
            pen.line(line, fill=(*BACK_LINE, 255), width=FINE)
    edge = Image.new("L", size, 255)
    ImageDraw.Draw(edge).rounded_rectangle(inner, 5 * FINE, fill=0)
    image.paste((*BACK, 255), (0, 0), edge)
    pen.rounded_rectangle(inner, 5 * FINE, outline=(*BRASS, 255), width=FINE + 1)
    return image


@cache
def outline() -> Image.Image:
    """The frame of a card that has changed: a strong line in a pale one."""
    size = ((CARD_WIDTH + 2 * OUTSIDE) * FINE, (CARD_HEIGHT + 2 * OUTSIDE) * FINE)
    image = Image.new("RGBA", size, (*CARD, 0))
    pen = ImageDraw.Draw(image)
    for inset, thick, colour in ((0.0, OUTSIDE + 3.0, CARD), (1.0, OUTSIDE + 0.5, HIGHLIGHT)):
        step, radius = inset * FINE, (CORNER + OUTSIDE - inset) * FINE
        box = (step, step, size[0] - 1 - step, size[1] - 1 - step)
        pen.rounded_rectangle(box, radius, outline=(*colour, 255), width=round(thick * FINE))
    return image
