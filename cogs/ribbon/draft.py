"""A seat's draft in its panel before it ends its turn, and the moves that carry it out."""

import msgspec

from cogs.ui.press import number_of
from engines.ribbon import moves
from engines.ribbon.pieces import board as circles
from engines.ribbon.pieces.components import Card
from engines.ribbon.preview import TurnDraft, is_won, preview_turn
from engines.ribbon.view import RibbonView


class RibbonDraft(msgspec.Struct, frozen=True):
    """A seat's choices so far, in any order: a swap, a card to put down, a card to take.

    Cards are named, not places, so that an exchange follows its card when a swap is added later.
    """

    swap: int | None = None
    put: Card | None = None
    take: Card | None = None


def exchange_of(view: RibbonView, draft: RibbonDraft) -> tuple[int, Card] | None:
    """Return a draft's exchange, at its card's place after the swap."""
    if draft.put is None or draft.take is None:
        return None
    circle = view.circle if draft.swap is None else circles.swap_cards(view.circle, draft.swap)
    if draft.take not in circle:
        return None
    return circle.index(draft.take) + 1, draft.put


def preview(view: RibbonView, draft: RibbonDraft) -> RibbonView:
    return preview_turn(view, draft.swap, exchange_of(view, draft))


def steps(view: RibbonView, draft: RibbonDraft) -> list[moves.Move]:
    """Return a draft's moves; one that wins at once is last."""
    return draft_moves(view, TurnDraft(draft.swap, exchange_of(view, draft)))


def write_draft(draft: TurnDraft) -> str:
    """Write a draft for a button.

    >>> write_draft(TurnDraft(8, (3, "K"))), read_draft("8/3K")
    ('8/3K', TurnDraft(swap=8, exchange=(3, 'K')))
    """
    place, card = draft.exchange or ("", "")
    return f"{draft.swap or ''}/{place}{card}"


def read_draft(text: str) -> TurnDraft:
    """Read a draft that `write_draft` wrote.

    >>> read_draft("8/"), read_draft("/12K")
    (TurnDraft(swap=8, exchange=None), TurnDraft(swap=None, exchange=(12, 'K')))
    """
    swap, _, exchange = text.partition("/")
    return TurnDraft(
        number_of(swap) if swap else None, (number_of(exchange[:-1]), exchange[-1:]) if exchange else None
    )


def draft_moves(view: RibbonView, draft: TurnDraft) -> list[moves.Move]:
    """Return a draft's moves and the turn's end. A move that wins at once is the last."""
    made: list[moves.Move] = []
    if draft.swap is not None:
        made.append(moves.RibbonSwap(draft.swap))
        if is_won(preview_turn(view, draft.swap)):
            return made
    if draft.exchange is not None:
        made.append(moves.Exchange(*draft.exchange))
        if is_won(preview_turn(view, draft.swap, draft.exchange)):
            return made
    return [*made, moves.RibbonEndTurn()]
