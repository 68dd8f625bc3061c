"""The moves of Ribbon Tangle, and the events that follow, one line each.

Moves are typed values that are JSON on the wire, in the log and in an export. An event's `reveals` says where
undo stops. A swap and, if hands are open, an exchange may be taken back until the turn ends; everything else
either shows somebody something new or commits the seat.
"""

import msgspec

from engines import game
from engines.game import Outcome, Seat
from engines.ribbon.pieces.board import RibbonTangle
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


class RibbonFinal(game.Event, frozen=True, kw_only=True):
    """A line that undo may never cross."""

    reveals: bool = True


class RibbonChosen(RibbonFinal, frozen=True, tag="ribbon_chosen"):
    """A seat owns a ribbon from now on."""

    seat: Seat
    colour: Colour


class HandChosen(RibbonFinal, frozen=True, tag="hand_chosen"):
    """The solo player chose the hand, counted from 1, that begins."""

    hand: int


class Flipped(RibbonFinal, frozen=True, tag="flipped"):
    """A seat turned up a card.

    >>> Flipped(0, 4, "K").reveals
    True
    """

    seat: Seat
    place: int
    card: Card


class RibbonSwapped(game.Event, frozen=True, tag="swapped"):
    """A seat swapped the cards at a place and the next place."""

    seat: Seat
    place: int


class Exchanged(game.Event, frozen=True, tag="exchanged"):
    """A seat put down the card `put` at a place and took up `taken`. Reveals in versus only."""

    seat: Seat
    place: int
    put: Card
    taken: Card


class CircleFull(game.Event, frozen=True, tag="circle_full"):
    """The last card is face up."""


class RibbonTurnEnded(RibbonFinal, frozen=True, tag="turn_ended"):
    """A seat ended its turn and is not out; `tangles` are all that the circle has then."""

    seat: Seat
    tangles: tuple[RibbonTangle, ...]


class RibbonResigned(RibbonFinal, frozen=True, tag="resigned"):
    """A seat left the game."""

    seat: Seat


class RibbonEliminated(RibbonFinal, frozen=True, tag="eliminated"):
    """A seat is out because of these tangles of its ribbon at the end of its turn."""

    seat: Seat
    tangles: tuple[RibbonTangle, ...]


class CardsDealt(RibbonFinal, frozen=True, tag="cards_dealt"):
    """The hand of a seat that is out goes to the others, one card each in this order.

    >>> msgspec.json.encode(CardsDealt(0, (1, 2)))
    b'{"type":"cards_dealt","from":0,"to":[1,2],"reveals":true,"only":null}'
    """

    giver: Seat = msgspec.field(name="from")
    receivers: tuple[Seat, ...] = msgspec.field(name="to")


class CardReceived(RibbonFinal, frozen=True, tag="card_received"):
    """The card dealt to a seat; for that seat alone."""

    seat: Seat
    card: Card


class TieOffered(RibbonFinal, frozen=True, tag="tie_offered"):
    """The seat to act asks the others for a tie."""

    seat: Seat


class TieAnswered(RibbonFinal, frozen=True, tag="tie_answered"):
    """A seat answered yes or no."""

    seat: Seat
    accept: bool


class Finished(RibbonFinal, frozen=True, tag="finished"):
    """The game is over, and every card is open; `tangles` are those that a team lost by."""

    outcome: Outcome
    tangles: tuple[RibbonTangle, ...] = ()


Event = (
    RibbonChosen
    | HandChosen
    | Flipped
    | RibbonSwapped
    | Exchanged
    | CircleFull
    | RibbonTurnEnded
    | RibbonResigned
    | RibbonEliminated
    | CardsDealt
    | CardReceived
    | TieOffered
    | TieAnswered
    | Finished
)
