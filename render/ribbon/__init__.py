"""Pictures of Ribbon Tangle, its signs in texts, and its proof sheets.

The table for everybody, and the hands. The signs are ribbons, card faces, and hands in their ribbon's colour.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from engines.game import Seat
from engines.ribbon.pieces.components import CARDS, COLOURS, Card, Colour, Level, left_side, right_side
from engines.ribbon.preview import must_go
from engines.ribbon.view import RibbonView, matters
from engines.ribbon.words import captions
from render.core.canvas import Box, Canvas, Picture, Sprite, on_circle
from render.core.emoji import MIDDLE, Paint, ProofItem, draw_sheets, emblem, paint_sketch
from render.ribbon import hands, middle, ring
from render.ribbon.colours import CARD_HEIGHT, CARD_WIDTH, THEMES, RibbonCanvas, RibbonSketch, RibbonTheme
from render.ribbon.hands import card_sprite

__all__ = ["SIGNS", "THEMES", "board", "hand", "proofs", "table", "turn"]

LIGHT = THEMES["light"]


def board(view: RibbonView, names: Sequence[str], theme: RibbonTheme = LIGHT) -> Picture:
    """Draw the table as the viewer may see it. In co-op and solo with the open hands below."""
    drawn = table(view, names, theme)
    return Picture(drawn.png(), captions.describe_board(view, names), "ribbon-table.png")


def turn(view: RibbonView, names: Sequence[str], theme: RibbonTheme = LIGHT) -> Picture:
    """Draw the table with the viewer's hand in its middle."""
    if view.mode != "versus" or view.viewer is None:
        return board(view, names, theme)
    canvas = _circle(view, theme, own=view.ribbons[view.viewer])
    hands.inside(canvas, view, view.viewer)
    texts = captions.describe_hand(view, view.viewer, names), captions.describe_board(view, names)
    return Picture(canvas.png(), " ".join(texts), "ribbon-turn.png")


def table(view: RibbonView, names: Sequence[str], theme: RibbonTheme = LIGHT) -> RibbonCanvas:
    is_open = view.mode != "versus"
    canvas = _circle(view, theme, hands.STRIP_HEIGHT if is_open else 0)
    middle.draw(canvas, view, names)
    if is_open:
        hands.strip(canvas, view, names, ring.SIZE)
    return canvas


def _circle(view: RibbonView, theme: RibbonTheme, below: int = 0, own: Colour | None = None) -> RibbonCanvas:
    """Draw the circle with an empty middle, the `own` ribbon bolder."""
    canvas = Canvas.over(ring.table(theme), theme, ring.SIZE + below if below else 0)
    for place, (card, hidden) in enumerate(zip(view.circle, view.beneath, strict=True), start=1):
        if card:
            canvas.paint(ring.face_up(canvas.theme, card, place))
        else:
            ring.face_down(canvas, place, hidden or "?")
    _ribbons(canvas, view)
    if own is not None:
        hem = canvas.theme.dyes[own].hem
        for number, card in enumerate(view.circle, start=1):
            if card is not None:
                for way in ring.hems(number, own, left_side(card, own), right_side(card, own)):
                    canvas.line(way, hem, ring.HEM)
    standing = must_go(view)
    for tangle in view.tangles:
        at = middle.tangle_point(tangle)
        if matters(view, tangle) or (view.over and tangle.colour in view.ribbons):
            middle.tangle(canvas, at, tangle.colour, standing=tangle in standing)
        else:
            middle.harmless(canvas, at)
    changed = view.marked
    for number in range(1, len(view.circle) + 1):
        spot = on_circle(ring.MIDDLE, ring.BADGES, ring.middle_of(number))
        shade = canvas.theme.highlight if number in changed else canvas.theme.ink
        canvas.badge(spot, 25, str(number), shade)
    middle.arrows(canvas, view)
    return canvas


def hand(view: RibbonView, seat: Seat, names: Sequence[str], theme: RibbonTheme = LIGHT) -> Picture | None:
    """Draw a seat's hand from its own view, in solo all hands. None if the view shows no card of it."""
    if view.mode == "solo":
        canvas = Canvas(ring.SIZE, hands.STRIP_HEIGHT + 4, theme)
        hands.strip(canvas, view, names, 12)
        return Picture(
            canvas.png(palette=theme.large_palette), captions.describe_hands(view, names), "ribbon-hand.png"
        )
    if not any(view.hands[seat]):
        return None
    canvas = hands.large(theme, view, seat, names)
    return Picture(
        canvas.png(palette=theme.large_palette), captions.describe_hand(view, seat, names), "ribbon-hand.png"
    )


def _ribbons(canvas: RibbonCanvas, view: RibbonView) -> None:
    """Draw the junctions. Torn ends, over them the outlines of changed places, then whole ribbons."""
    torn, whole = [], []
    for place, card in enumerate(view.circle, start=1):
        following = view.circle[place % len(view.circle)]
        if card is None or following is None:
            continue
        for colour in COLOURS:
            here, there = right_side(card, colour), left_side(following, colour)
            if here == there:
                whole.append(ring.bridge(canvas.theme, place, colour, here))
            else:
                torn.append(ring.fray(canvas.theme, place, colour, here, there))
    for sprite in torn:
        canvas.paint(sprite)
    middle.outlines(canvas, view)
    for sprite in whole:
        canvas.paint(sprite)


HANDS = 3
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
