"""Moves of Ribbon Tangle by name."""

from typing import assert_never

from engines.marks import with_icon
from engines.ribbon import moves
from engines.ribbon.pieces.circle import after
from engines.ribbon.view import RibbonView
from engines.ribbon.words.nouns import face_up
from engines.words import Names


def move_name(move: moves.Move, view: RibbonView, _names: Names) -> str:
    """Return a legal move's name; see `engines.words.MoveNames`."""

    def at(place: int) -> str:
        card = view.circle[place - 1]
        return "?" if card is None else face_up(card)

    match move:
        case moves.ChooseRibbon(colour):
            return f"take {with_icon(f'ribbon_{colour}', colour)}"
        case moves.ChooseHand(hand):
            return f"begin with hand {hand}"
        case moves.Flip(place):
            return f"flip {place}"
        case moves.RibbonSwap(place):
            return f"swap {place} and {after(place)}: {at(place)} and {at(after(place))}"
        case moves.Exchange(place, card):
            return f"put {face_up(card)} at {place} and take {at(place)}"
        case moves.RibbonEndTurn():
            return "end the turn"
        case moves.OfferTie():
            return "offer a tie"
        case moves.AnswerTie(accept):
            return f"say {'yes' if accept else 'no'} to the tie"
        case _:
            assert_never(move)


def unseen_name(move: moves.Move) -> str:
    """Return what a move would be without the cards in it."""
    return "exchange a card" if isinstance(move, moves.Exchange) else ""
