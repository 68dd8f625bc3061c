"""The signs of Ribbon Tangle in texts, and its proof sheets.

The signs are ribbons, card faces, and hands in their ribbon's colour.
"""

from functools import partial
from typing import Any

from engines.ribbon.pieces.components import CARDS, COLOURS, Card, Colour, Level, left_side, right_side
from render.core.canvas import Box, Canvas, Picture, Sprite
from render.core.emoji import MIDDLE, Paint, ProofItem, draw_sheets, emblem, paint_sketch
from render.ribbon.colours import CARD_HEIGHT, CARD_WIDTH, THEMES, RibbonCanvas, RibbonSketch
from render.ribbon.hands import card_sprite

HANDS = 3
LIGHT = THEMES["light"]
WIDE, HIGH = 84, 100
"""A card's width and height."""
LANE, LANE_OFFSET, THICK = 31, 7, 15
"""From one ribbon to the next on a card, the lift of a high one above its lane, its width."""


def _ribbon(colour: Colour) -> Paint:
    """Return a painter of a ribbon that turns over once. Its dark side, then its light one."""

    def draw(sketch: RibbonSketch) -> None:
        dye = sketch.theme.dyes[colour]
        sketch.line([(-32, 18), (0, 0)], dye.dark.body, 38)
        sketch.line([(0, 0), (32, -18)], dye.light.body, 38)

    return paint_sketch(draw)


def _face(card: Card) -> Paint:
    """Return a painter of a card's ribbons from the rim inwards. High ones light, low ones dark."""

    def draw(sketch: RibbonSketch) -> None:
        x, y = WIDE / 2, HIGH / 2
        sketch.polygon([(-x, -y), (x, -y), (x, y), (-x, y)], sketch.theme.card, sketch.theme.ink, 6)
        for lane, colour in enumerate(COLOURS):
            y = (lane - 1) * LANE
            before, after = left_side(card, colour), right_side(card, colour)
            edge = WIDE / 2 - 5
            for side, start, end in ((before, -edge, -3), (after, 3, edge)):
                dye, height = sketch.theme.dyes[colour], _height(y, side)
                fill = dye.light.body if side else dye.dark.body
                top, bottom = height - THICK / 2, height + THICK / 2
                sketch.polygon([(start, top), (end, top), (end, bottom), (start, bottom)], fill)
            if before != after:
                ends = [(-4, _height(y, before)), (4, _height(y, after))]
                sketch.line(ends, sketch.theme.dyes[colour].plain, THICK * 0.8)

    return paint_sketch(draw)


def _height(lane: float, side: Level) -> float:
    return lane - LANE_OFFSET if side else lane + LANE_OFFSET


def _tangle(canvas: RibbonCanvas) -> None:
    canvas.disc(MIDDLE, 51, canvas.theme.ink)
    canvas.disc(MIDDLE, 48, canvas.theme.danger)
    x, y = MIDDLE
    for side in (-1, 1):
        canvas.line([(x - 24, y - 24 * side), (x + 24, y + 24 * side)], canvas.theme.card, 15)


SIGNS: dict[str, Paint] = {
    **{colour: _ribbon(colour) for colour in COLOURS},
    **{f"card_{card.lower()}": _face(card) for card in CARDS},
    "tangle": _tangle,
    **{f"hand_{hand + 1}": emblem(hand, LIGHT.ink) for hand in range(HANDS)},
    **{
        f"hand_{hand + 1}_{colour}": emblem(hand, LIGHT.dyes[colour].plain)
        for hand in range(HANDS)
        for colour in COLOURS
    },
}


CARD_WIDE = 270
CARD_SIZE = CARD_WIDE, round(CARD_HEIGHT * CARD_WIDE / CARD_WIDTH)


def proofs() -> tuple[Picture, ...]:
    items = [ProofItem(f"Card {card}", partial(_card, card)) for card in CARDS]
    items.append(ProofItem("Back of all cards", partial(_card, None)))
    return tuple(draw_sheets(THEMES["light"], "cards", "Ribbon Tangle: cards", items, CARD_SIZE))


def _card(card: Card | None, canvas: Canvas[Any], box: Box) -> None:
    sprite = card_sprite(canvas.theme, card, CARD_WIDE)
    canvas.paint(Sprite(sprite.image, sprite.mask, (round(box[0]), round(box[1]))))
