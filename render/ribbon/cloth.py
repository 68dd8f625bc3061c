"""Flat cards: their faces woven from cords and ribbons, their backs, and the junctions of two.

A low ribbon passes under the cords that run down a card like the warp of a loom, a high one over them.
"""

from functools import cache, lru_cache

from PIL import Image, ImageDraw

from engines.ribbon.pieces.components import COLOURS, FACES, Card, Colour, Level
from render.ribbon import silk
from render.ribbon.colours import RibbonTheme
from render.ribbon.measures import (
    CARD_HEIGHT,
    CARD_WIDTH,
    CORDS,
    CORDS_END,
    CORNER_RADIUS,
    FINE,
    GAP,
    HALF,
    LANES,
    REACH,
)

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
        (LANES[colour] - REACH, silk.strip(theme, colour, FACES[card].crossing(colour))) for colour in COLOURS
    ]
    for top, strip in strips:
        if strip.under is not None:
            silk.lay(theme, image, strip.under, top * FINE)
    for cord in CORDS:
        silk.lay(theme, image, _cord(theme)._replace(left=cord * FINE - _cord(theme).shape.width // 2), 0)
    for top, strip in strips:
        if strip.over is not None:
            silk.lay(theme, image, strip.over, top * FINE)
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
    """Return the mask of a card, with its round corners."""
    mask = Image.new("L", SIZE)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, SIZE[0] - 1, SIZE[1] - 1), CORNER_RADIUS * FINE, 255)
    return mask


@cache
def _cord(theme: RibbonTheme) -> silk.ClothPiece:
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
    return silk.ClothPiece(image.convert("RGB"), covered, silk.shadow(covered, 0.6, 0.9, 0.5))


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
    piece = silk.straight(theme, colour, side, silk.even(GAP + 2 * OVERLAP))
    ribbon = Image.new("RGBA", (piece.width, 2 * REACH * FINE))
    ribbon.paste(piece, (0, silk.upper_edge(side)))
    return silk.cast(theme, ribbon, side)


@cache
def fray(theme: RibbonTheme, colour: Colour, before: Level, after: Level) -> Image.Image:
    """Draw both cards' edges with the ribbon torn off."""
    torn = TEAR * FINE
    image = Image.new("RGBA", (2 * torn + round(GAP * FINE), 2 * REACH * FINE))
    top, bottom = (LANES["orange"] - REACH) * FINE, (LANES["orange"] + REACH) * FINE
    image.paste(blank(theme).crop((SIZE[0] - torn, top, SIZE[0], bottom)), (0, 0))
    image.paste(blank(theme).crop((0, top, torn, bottom)), (image.width - torn, 0))
    image.alpha_composite(silk.cast(theme, _tear_end(theme, colour, before, image.size), before))
    mirrored = _tear_end(theme, colour, after, image.size).transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    image.alpha_composite(silk.cast(theme, mirrored, after))
    return image


def _tear_end(theme: RibbonTheme, colour: Colour, side: Level, size: tuple[int, int]) -> Image.Image:
    """Draw a torn end that comes in from the left."""
    image = Image.new("RGBA", size)
    pen = ImageDraw.Draw(image)
    dye = theme.dyes[colour].light if side else theme.dyes[colour].dark
    top, pitch = silk.upper_edge(side), 2 * HALF * FINE / len(FRINGE)
    for index, reach in enumerate(FRINGE):
        y, end = top + (index + 0.5) * pitch, reach * FINE
        sway = (index - (len(FRINGE) - 1) / 2) * 0.9
        points = [(0.0, y), (end * 0.5, y + sway * 0.4), (end, y + sway * 2.2)]
        shade = (dye.body, dye.shadow, dye.shine)[index % 3]
        pen.line(points, fill=shade, width=round(pitch * 0.72), joint="curve")
    image.paste(silk.straight(theme, colour, side, silk.even(3)), (0, top))
    return image
