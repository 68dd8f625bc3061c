"""The cards' texts in words: on small screens the pictures are unreadable."""

from collections import Counter
from collections.abc import Iterable, Mapping

from engines.tangle.legal.conditions import counts, lacking
from engines.tangle.pieces.card_language import CountName
from engines.tangle.pieces.components import CARDS, CONDITIONS, CardId, ConditionId
from engines.tangle.view import TangleView
from engines.tangle.words import nouns
from engines.tangle.words.previews import COUNTED
from engines.words import join_words


def condition_text(what: ConditionId) -> str:
    """Return a victory condition's demands: "**Deep Wood**: 5 trees and 1 meadow"."""
    need = CONDITIONS[what].need.items()
    return f"**{CONDITIONS[what].name}**: {join_words(f'{n} {COUNTED[kind][n > 1]}' for kind, n in need)}"


def progress_text(what: ConditionId, have: Mapping[CountName, int]) -> str:
    """Return a condition's demands with what a seat has of them.

    >>> progress_text("garden", {"trees": 3, "meadows": 2, "bushes": 0, "lakes": 3})
    '**Three of All**, 4 to go: 3 of 3 trees, 2 of 3 meadows, 0 of 3 bushes and 3 of 3 lakes'
    """
    parts = [
        f"{min(have[kind], n)} of {n} {COUNTED[kind][n > 1]}" for kind, n in CONDITIONS[what].need.items()
    ]
    left = lacking(what, have)
    return f"**{CONDITIONS[what].name}**, {f'{left} to go' if left else 'met'}: {join_words(parts)}"


def card_lines(cards: Iterable[CardId]) -> list[str]:
    """Return a line per kind of card: name, number, price, effect."""

    def line(card: CardId, number: int) -> str:
        price = nouns.amount(CARDS[card].cost)
        costs = f" ×{number} cost {price} each" if number > 1 else f" costs {price}"
        return f"**{CARDS[card].name}**{costs}. {nouns.card_text(card)}"

    return [line(card, number) for card, number in Counter(cards).items()]


def hand_text(view: TangleView) -> str | None:
    """Return the viewer's victory conditions and cards; None if a spectator."""
    if view.hand is None or view.conditions is None:
        return None
    have = counts(view.tiles, view.players[view.viewer or 0].front, view.viewer or 0)
    nearest = sorted(view.conditions, key=lambda one: lacking(one, have))
    wanted = ["__You win with one of these__", *(progress_text(one, have) for one in nearest)]
    return "\n".join([*wanted, *(["__Your cards__", *card_lines(view.hand)] if view.hand else [])])


def row_text(view: TangleView) -> str | None:
    """Return the cards of the row; None if there are none."""
    return "\n".join(["__The row__", *card_lines(view.row)]) if view.row else None
