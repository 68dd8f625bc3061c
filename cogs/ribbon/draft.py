"""What a seat arranges in its panel before it ends its turn, and the moves that carry it out."""

from __future__ import annotations

import msgspec

from engines.ribbon import moves
from engines.ribbon.pieces import circle as circles
from engines.ribbon.pieces.components import COLOURS, FACES, Card
from engines.ribbon.preview import is_won, preview_turn
from engines.ribbon.view import RibbonView


class Draft(msgspec.Struct, frozen=True):
    """What a seat has picked so far, in whatever order: a swap, a card to put down, a card to take.

    Cards are named, not places, so that an exchange follows its card when a swap is added later.
    """

    swap: int | None = None
    put: Card | None = None
    take: Card | None = None


def exchange_of(view: RibbonView, draft: Draft) -> tuple[int, Card] | None:
    """The exchange that a draft holds, at the place where its card lies after the swap."""
    if draft.put is None or draft.take is None:
        return None
    circle = view.circle if draft.swap is None else circles.swap_cards(view.circle, draft.swap)
    if draft.take not in circle:
        return None
    return circle.index(draft.take) + 1, draft.put


def preview(view: RibbonView, draft: Draft) -> RibbonView:
    """The position as it would be with the draft."""
    return preview_turn(view, draft.swap, exchange_of(view, draft))


def steps(view: RibbonView, draft: Draft) -> list[moves.Move]:
    """The moves that carry a draft out and end the turn; a step that wins at once is the last."""
    made: list[moves.Move] = []
    if draft.swap is not None:
        made.append(moves.RibbonSwap(draft.swap))
        if is_won(preview_turn(view, draft.swap)):
            return made
    exchange = exchange_of(view, draft)
    if exchange is not None:
        made.append(moves.Exchange(*exchange))
        if is_won(preview(view, draft)):
            return made
    return [*made, moves.RibbonEndTurn()]


def face(card: Card) -> str:
    """A card's ribbons in words, from the rim inwards: "green rise, orange low, purple high"."""
    return ", ".join(f"{colour} {FACES[card].crossing(colour)}" for colour in COLOURS)
