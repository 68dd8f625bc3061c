"""Hands of cards: large for their owner, small below the board if they are open."""

from collections.abc import Sequence
from functools import cache

from PIL import Image

from engines.game import Seat
from engines.ribbon.pieces.components import COLOURS, LETTERS, Card, left_side, right_side
from engines.ribbon.view import RibbonView
from engines.ribbon.words import captions
from render.core.canvas import Anchor, Canvas, Point, Sprite
from render.ribbon import cloth, middle
from render.ribbon.colours import (
    CARD_HEIGHT,
    CARD_WIDTH,
    LABEL,
    LETTER_AT,
    SMALL,
    RibbonCanvas,
    RibbonTheme,
    ribbon_at,
)
from render.ribbon.ring import MIDDLE, SIZE

STRIP_HEIGHT = 258
STRIP_CARD = 150
STRIP_GAP = 10
STRIP_INSET = 14
BEAD, BEAD_AT = 18, 22
"""The radius of a disc behind a letter; the distance of every second one from the left edge."""
INSIDE_WIDTH, INSIDE_CARD = 436, 180
"""The width of a hand in the middle of the circle, and of one of its cards at most."""
LARGE_CARD = 280
LARGE_WIDTH = 1400
"""The most width of a hand; the cards of a large one are smaller."""
LARGE_GAP = 172
"""From one card to the next: room for the words at both edges, beside the cards."""
SIDE = 30
"""The size of the words at the edges."""
LARGE_TOP = 88
MARGIN = 44
LEFT: Anchor = "left"
RIGHT: Anchor = "right"


def strip(canvas: RibbonCanvas, view: RibbonView, names: Sequence[str], top: float) -> None:
    """Draw all open hands in one row, the one in use framed. Then the cards set aside."""
    theme, groups = canvas.theme, captions.groups(view)
    widths = [len(cards) * (STRIP_CARD + STRIP_GAP) - STRIP_GAP + 2 * STRIP_INSET for cards in groups]
    pen = (SIZE - sum(widths) - STRIP_INSET * (len(widths) - 1)) / 2
    for hand, (cards, width) in enumerate(zip(groups, widths, strict=True)):
        end, bottom = pen + width, top + STRIP_HEIGHT - 18
        in_use = view.hand_in_use == hand and not view.over
        border = 4 if in_use else 1.5
        canvas.box((pen, top, end, bottom), theme.highlight if in_use else theme.line, radius=14)
        inner = (pen + border, top + border, end - border, bottom - border)
        canvas.box(inner, theme.glow if in_use else theme.card, radius=14 - border)
        x, y = pen + 18, top + 27
        if view.mode != "solo":
            canvas.emblem(hand, (x + 11, y), 11, theme.ink)
            x += 32
        note = "in use" if in_use else "next" if view.next_hand == hand and not view.over else ""
        room = end - x - 30
        if note:
            room -= canvas.write((end - 18, y), note, SMALL, theme.muted, weight=600, anchor="right")
        canvas.write((x, y), captions.hand_name(view, names, hand), SMALL, theme.ink, weight=700, width=room)
        for index, card in enumerate(cards):
            corner = (pen + STRIP_INSET + index * (STRIP_CARD + STRIP_GAP), top + 50)
            shown = hand < len(view.shown) and card in view.shown[hand]
            _place(canvas, card, corner, STRIP_CARD, shown=shown)
        pen += width + STRIP_INSET


def inside(canvas: RibbonCanvas, view: RibbonView, seat: Seat) -> None:
    """Draw a seat's hand and ribbon in the middle of the circle."""
    cards, colour = view.hands[seat], view.ribbons[seat]
    width = min(INSIDE_CARD, (INSIDE_WIDTH + STRIP_GAP) // max(1, len(cards)) - STRIP_GAP)
    height = round(CARD_HEIGHT * width / CARD_WIDTH)
    pen = MIDDLE[0] - (len(cards) * (width + STRIP_GAP) - STRIP_GAP) / 2
    top = MIDDLE[1] - height / 2
    canvas.write((MIDDLE[0], top - 36), "Your hand", 34, canvas.theme.ink, weight=700, anchor="middle")
    for place, card in enumerate(cards):
        _place(canvas, card, (pen + place * (width + STRIP_GAP), top), width, shown=card in view.shown[seat])
    if colour is not None:
        middle.swatch(canvas, (MIDDLE[0] - middle.SWATCH_WIDTH / 2, top + height + 40), colour)


def large(theme: RibbonTheme, view: RibbonView, hand: int, names: Sequence[str]) -> RibbonCanvas:
    """Draw one hand for its owner, both edges of each card explained."""
    cards = view.hands[hand]
    gaps = len(cards) * LARGE_GAP
    wide = min(LARGE_CARD, (LARGE_WIDTH - MARGIN - gaps) // len(cards))
    row = len(cards) * wide + gaps - LARGE_GAP
    canvas = Canvas(
        max(700, row + LARGE_GAP + MARGIN), LARGE_TOP + round(CARD_HEIGHT * wide / CARD_WIDTH) + 62, theme
    )
    _heading(canvas, view, hand, names)
    pen = (canvas.image.width - row) / 2
    for card in cards:
        _place(canvas, card, (pen, LARGE_TOP), wide, shown=card in view.shown[hand])
        if card is not None:
            # Each ribbon end's side, and the neighbour of each edge.
            scale, end = wide / CARD_WIDTH, pen + wide
            for colour in COLOURS:
                here, there = left_side(card, colour), right_side(card, colour)
                for side, x, anchor in ((here, pen - 8, RIGHT), (there, end + 8, LEFT)):
                    y = LARGE_TOP + ribbon_at(colour, side) * scale
                    word = "high" if side else "low"
                    canvas.write((x, y), word, SIDE, theme.ink, weight=600, anchor=anchor)
            below = LARGE_TOP + CARD_HEIGHT * scale + 24
            canvas.write((pen, below), "‹ before", SMALL, theme.muted)
            canvas.write((end, below), "next ›", SMALL, theme.muted, anchor="right")
        pen += wide + LARGE_GAP
    return canvas


def _heading(canvas: RibbonCanvas, view: RibbonView, hand: int, names: Sequence[str]) -> None:
    y, end = 46, float(canvas.image.width - MARGIN)
    colour = view.ribbons[hand] if view.mode == "versus" else None
    if view.shown[hand]:
        taken = canvas.write((end, y), "seen by all", SMALL, canvas.theme.muted, weight=500, anchor="right")
        middle.eye(canvas, (end - taken - 22, y), 28, canvas.theme.muted)
        end -= taken + 56
    canvas.emblem(hand, (MARGIN + 14, y), 15, canvas.theme.emblem(colour))
    start = MARGIN + 42
    room = end - start - (middle.SWATCH_WIDTH + 30 if colour else 0)
    taken = canvas.write(
        (start, y), captions.hand_name(view, names, hand), 32, canvas.theme.ink, weight=700, width=room
    )
    if colour is not None:
        middle.swatch(canvas, (start + taken + 20, y + 1), colour)


def _place(canvas: RibbonCanvas, card: Card | None, corner: Point, width: int, *, shown: bool) -> None:
    """Draw a card upright, with the eye if everybody has seen it. Its back if it's unknown."""
    sprite = card_sprite(canvas.theme, card, width)
    x, y = round(corner[0]), round(corner[1])
    canvas.paint(Sprite(sprite.image, sprite.mask, (x, y)))
    if shown:
        scale = width / CARD_WIDTH
        middle.eye(
            canvas, (x + width / 2 + 34 * scale, y + LABEL * scale), round(24 * scale), canvas.theme.ink
        )


@cache
def card_sprite(theme: RibbonTheme, card: Card | None, width: int) -> Sprite:
    scale = width / CARD_WIDTH
    size = (width, round(CARD_HEIGHT * scale))
    mask = cloth.shape().resize(size, Image.Resampling.LANCZOS)
    flat = cloth.back(theme) if card is None else cloth.face(theme, card)
    canvas = Canvas.over(flat.resize(size, Image.Resampling.LANCZOS), theme)
    if card is not None:
        at = (width / 2, LABEL * scale)
        canvas.write(at, card, max(SMALL, round(28 * scale)), theme.ink, weight=700, anchor="middle")
        for place, colour in enumerate(COLOURS):
            side = left_side(card, colour)
            # A bead keeps the letter apart from a ribbon that is thinner than the letter is high.
            at = ((LETTER_AT, BEAD_AT)[place % 2] * scale, ribbon_at(colour, side) * scale)
            dye = theme.dyes[colour]
            canvas.disc(at, BEAD, (dye.light if side else dye.dark).body)
            canvas.write(at, LETTERS[colour], SMALL, theme.letter(colour, side), weight=700, anchor="middle")
    return Sprite(canvas.image, mask, (0, 0))
