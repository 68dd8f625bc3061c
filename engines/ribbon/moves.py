"""The moves of Ribbon Tangle, as typed values that are JSON on the wire, in the log and in an export."""

import msgspec

from engines.ribbon.pieces.components import Card, Colour


class ChooseRibbon(msgspec.Struct, frozen=True, tag="choose_ribbon"):
    """Take a ribbon that nobody owns yet."""

    colour: Colour


class ChooseHand(msgspec.Struct, frozen=True, tag="choose_hand"):
    """Solo: choose the hand, counted from 1, for turn 1."""

    hand: int


class Flip(msgspec.Struct, frozen=True, tag="flip"):
    """Turn up the face-down card at a place.

    >>> msgspec.json.encode(Flip(4))
    b'{"type":"flip","place":4}'
    """

    place: int


class RibbonSwap(msgspec.Struct, frozen=True, tag="swap"):
    """Swap the cards at a place and the next place."""

    place: int


class Exchange(msgspec.Struct, frozen=True, tag="exchange"):
    """Put a card from the hand down at a place and take up the face-up card there."""

    place: int
    card: Card


class RibbonEndTurn(msgspec.Struct, frozen=True, tag="end_turn"):
    """End the turn, whatever follows."""


class OfferTie(msgspec.Struct, frozen=True, tag="offer_tie"):
    """Versus: ask every other remaining seat for a tie."""


class AnswerTie(msgspec.Struct, frozen=True, tag="answer_tie"):
    """Versus: say yes or no to a tie that is on offer."""

    accept: bool


Move = ChooseRibbon | ChooseHand | Flip | RibbonSwap | Exchange | RibbonEndTurn | OfferTie | AnswerTie
