"""Proof sheets of Ribbon Tangle: the fronts of all cards, and their back."""

from functools import partial
from typing import Any

from engines.ribbon.pieces.components import CARDS, Card
from render.core.canvas import Box, Canvas, Picture, Sprite
from render.core.emoji import ProofItem, draw_sheets
from render.ribbon.colours import CARD_HEIGHT, CARD_WIDTH, THEMES
from render.ribbon.hands import card_sprite

WIDE = 270
SIZE = WIDE, round(CARD_HEIGHT * WIDE / CARD_WIDTH)


def proofs() -> tuple[Picture, ...]:
    items = [ProofItem(f"Card {card}", partial(_card, card)) for card in CARDS]
    items.append(ProofItem("Back of all cards", partial(_card, None)))
    return tuple(draw_sheets(THEMES["light"], "cards", "Ribbon Tangle: cards", items, SIZE))


def _card(card: Card | None, canvas: Canvas[Any], box: Box) -> None:
    sprite = card_sprite(canvas.theme, card, WIDE)
    canvas.paint(Sprite(sprite.image, sprite.mask, (round(box[0]), round(box[1]))))
