"""Hands of cards: large for their owner, small below the board where they lie open."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from PIL import Image

from engines.ribbon.cards import COLOURS, LETTERS, Card, left, right
from engines.ribbon.view import View
from render.canvas import Box, Canvas, Point
from render.palette import CARD, GLOW, HIGHLIGHT, INK, LINE, MUTED
from render.ribbon import cloth, marks, seams, words
from render.ribbon.cloth import CARD_HEIGHT, CARD_WIDTH, LABEL, LANES, LETTER_AT, LIFT
from render.ribbon.ring import SIZE

STRIP_HEIGHT = 258
STRIP_CARD = 150
LARGE_CARD = 280


@lru_cache(maxsize=64)
def _face(card: Card, width: int) -> Image.Image:
    """A card reduced to a width, with its ribbons' letters and its own."""
    scale = width / CARD_WIDTH
    flat = cloth.card(card).resize((width, round(CARD_HEIGHT * scale)), Image.Resampling.LANCZOS)
    canvas = Canvas.over(Image.new("RGB", flat.size, CARD))
    canvas.image.paste(flat, (0, 0), flat)
    for colour, lane in zip(COLOURS, LANES, strict=True):
        side = left(card, colour)
        at = (LETTER_AT * scale, (lane - (LIFT if side else -LIFT)) * scale)
        size = round(17 * scale)
        canvas.write(at, LETTERS[colour], size, seams.letter_ink(colour, side), weight=700, anchor="middle")
    at = (width / 2, LABEL * scale)
    canvas.write(at, card, round(28 * scale), INK, weight=700, anchor="middle")
    canvas.image.putalpha(flat.getchannel("A"))
    return canvas.image


def face(canvas: Canvas, card: Card | None, corner: Point, width: int, *, shown: bool) -> None:
    """A card upright, with the eye when everybody has seen it; its back when it is not known."""
    x, y = round(corner[0]), round(corner[1])
    scale = width / CARD_WIDTH
    if card is None:
        back = cloth.back().resize((width, round(CARD_HEIGHT * scale)), Image.Resampling.LANCZOS)
        canvas.image.paste(back, (x, y), back)
        return
    image = _face(card, width)
    canvas.image.paste(image, (x, y), image)
    if shown:
        marks.eye(canvas, (x + width / 2 + 34 * scale, y + LABEL * scale), round(24 * scale))


def strip(canvas: Canvas, view: View, names: Sequence[str], top: float) -> None:
    """All open hands in one row."""
    hands = view.hands
    gap, inset = 10, 14
    widths = [max(1, len(cards)) * (STRIP_CARD + gap) - gap + 2 * inset for cards in hands]
    pen = (SIZE - sum(widths) - 14 * (len(hands) - 1)) / 2
    for hand, (cards, width) in enumerate(zip(hands, widths, strict=True)):
        box = (pen, top, pen + width, top + STRIP_HEIGHT - 18)
        _frame(canvas, view, names, hand, box)
        for index, card in enumerate(cards):
            corner = (pen + inset + index * (STRIP_CARD + gap), top + 50)
            face(canvas, card, corner, STRIP_CARD, shown=card in view.shown[hand])
        pen += width + 14


def _frame(canvas: Canvas, view: View, names: Sequence[str], hand: int, box: Box) -> None:
    left_, top, right_, bottom = box
    in_use = view.hand_in_use == hand and not view.over
    canvas.box(box, HIGHLIGHT if in_use else LINE, radius=14)
    inset = 4 if in_use else 1.5
    inner = (left_ + inset, top + inset, right_ - inset, bottom - inset)
    canvas.box(inner, GLOW if in_use else CARD, radius=14 - inset)
    x, y = left_ + 18, top + 27
    if view.mode != "solo":
        canvas.emblem(hand, (x + 11, y), 11, INK)
        x += 32
    note = "in use" if in_use else "next" if view.next_hand == hand and not view.over else ""
    taken = canvas.write((right_ - 18, y), note, 20, MUTED, weight=600, anchor="right") if note else 0
    room = right_ - x - taken - 30
    canvas.write((x, y), words.hand_name(view, names, hand), 24, INK, weight=700, width=room)


def large(view: View, hand: int, names: Sequence[str]) -> Canvas:
    """One hand as its owner sees it, both edges of each card explained."""
    cards = view.hands[hand]
    gap, margin = 48, 44
    width = max(700, len(cards) * (LARGE_CARD + gap) - gap + 2 * margin)
    canvas = Canvas(width, 500)
    canvas.emblem(hand, (margin + 14, 46), 15, INK)
    canvas.write((margin + 42, 46), words.hand_name(view, names, hand), 32, INK, weight=700, width=300)
    pen = (width - len(cards) * (LARGE_CARD + gap) + gap) / 2
    for card in cards:
        face(canvas, card, (pen, 88), LARGE_CARD, shown=card in view.shown[hand])
        if card is not None:
            _edges(canvas, card, pen)
        canvas.write((pen, 436), "‹ place before", 18, MUTED)
        canvas.write((pen + LARGE_CARD, 436), "next place ›", 18, MUTED, anchor="right")
        pen += LARGE_CARD + gap
    return canvas


def _edges(canvas: Canvas, card: Card, pen: float) -> None:
    scale = LARGE_CARD / CARD_WIDTH
    for colour, lane in zip(COLOURS, LANES, strict=True):
        for side, x, anchor in (
            (left(card, colour), pen + 9, 0),
            (right(card, colour), pen + LARGE_CARD - 9, 1),
        ):
            y = 88 + (lane + (18 if side else -18)) * scale
            canvas.write((x, y), "high" if side else "low", 15, MUTED, anchor="right" if anchor else "left")
