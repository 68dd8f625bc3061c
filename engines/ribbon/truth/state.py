"""The full state of one table, never shown to anybody as it is, and its set-up. Rules: Setup."""

import msgspec

from engines.game import Seat
from engines.ribbon.pieces import board as circles
from engines.ribbon.pieces import components
from engines.ribbon.view import RibbonChanges, RibbonPublic


class RibbonDeal(msgspec.Struct, frozen=True):
    """Every random outcome of a game.

    Attributes:
        deck: the eighteen cards in the order dealt, twelve for the circle first.
        first: the seat that goes first.
        colours: with dealt ribbons, all three in the order dealt from the first seat on.
        eliminated: the two cards of the hand that will be dealt out, in that order. The game learns them
            only then; if they turn out to be others, the order comes from the seed.
    """

    deck: tuple[components.Card, ...]
    first: Seat
    colours: tuple[components.Colour, ...] | None = None
    eliminated: tuple[components.Card, ...] | None = None


class RibbonPosition(msgspec.Struct, frozen=True):
    """The facts that define a repeated position: the full circle, the seat to move, all hands."""

    seat: Seat
    circle: tuple[components.Card | None, ...]
    hands: tuple[tuple[components.Card, ...], ...]


class RibbonState(RibbonPublic, kw_only=True):
    """A position with all hidden information.

    Seats, places and hands count as in `RibbonView`. Each place has its card in `circle` if it is face up,
    else in `beneath`. `voters` are the seats that still owe an answer to a tie; `draws` counts the draws
    after the set-up.
    """

    seed: bytes
    draws: int = 1
    eliminated: tuple[components.Card, ...] | None = None
    beneath: list[components.Card | None]
    hands: list[list[components.Card]]
    shown: list[list[components.Card]]
    aside: list[components.Card]
    start_hand: int | None = None
    offered: bool = False
    voters: list[Seat] = msgspec.field(default_factory=list)
    positions: list[RibbonPosition] = msgspec.field(default_factory=list)
    changes: RibbonChanges = RibbonChanges()
    last_changes: RibbonChanges = RibbonChanges()


def next_seat(state: RibbonState, seat: Seat) -> Seat:
    """Return the next remaining seat clockwise."""
    while True:
        seat = (seat + 1) % state.seats
        if seat not in state.out:
            return seat


def owing(state: RibbonState) -> tuple[Seat, ...]:
    if state.phase == "over":
        return ()
    return tuple(state.voters) if state.phase == "tie_vote" else (state.seat,)


def hand_in_use(state: RibbonState, turn: int) -> int | None:
    """Return the hand that a turn may use: the acting seat's own.

    In solo they take turns. Rules: `choose_hand`.
    """
    if state.options.mode != "solo":
        return state.seat
    return None if state.start_hand is None else (state.start_hand + turn - 1) % len(state.hands)


def may_offer(state: RibbonState) -> bool:
    """Return True if the seat to act may offer a tie. Rules: Ties."""
    if (
        state.options.mode != "versus"
        or state.phase != "arrange"
        or not state.full_at_start
        or state.swapped
        or state.exchanged
        or state.offered
    ):
        return False
    if state.begun >= components.LIMITS.repetition_offer:
        return True
    owned = [state.ribbons[seat] for seat in state.remaining]
    return not any(tangle.colour in owned for tangle in circles.tangles(state.circle))
