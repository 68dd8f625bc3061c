"""Moves enchantments: from the pile to the row, into hands, and to the discards. Rules: Drawing cards."""

import msgspec

from engines.draws import Draws
from engines.game import Seat
from engines.tangle.events import Event, PileShuffled, RowFilled, SawCard, TookCard
from engines.tangle.pieces.amounts import NOTHING, Amount
from engines.tangle.pieces.components import NUMBERS, CardId, in_order
from engines.tangle.truth.state import TangleState


def take_row(state: TangleState, seat: Seat, slot: int, price: Amount = NOTHING) -> list[Event]:
    """Take a card of the row, and refill the row at once."""
    card = state.row.pop(slot)
    _into_hand(state, seat, card)
    events: list[Event] = [TookCard(seat=seat, card=card, price=price)]
    while len(state.row) < NUMBERS.row and (state.pile or state.discards):
        events += _refill_pile(state)
        state.row.append(state.pile.pop(0))
        events.append(RowFilled(card=state.row[-1]))
    return events


def take_pile(state: TangleState, seat: Seat, price: Amount = NOTHING) -> list[Event]:
    """Draw the top card of the pile. Do nothing if there is none at all."""
    if not state.pile and not state.discards:
        return []
    events = _refill_pile(state)
    card = state.pile.pop(0)
    _into_hand(state, seat, card)
    return [*events, TookCard(seat=seat, card=None, price=price), SawCard(seat=seat, card=card, only=seat)]


def leave_hand(state: TangleState, seat: Seat, card: CardId) -> None:
    state.hands[seat].remove(card)
    _count_hand(state, seat)


def discard_hand(state: TangleState, seat: Seat) -> None:
    """Discard a seat's whole hand. Rules: Leaving."""
    state.discards += state.hands[seat]
    state.hands[seat] = []
    _count_hand(state, seat)


def _into_hand(state: TangleState, seat: Seat, card: CardId) -> None:
    state.hands[seat] = in_order([*state.hands[seat], card])
    _count_hand(state, seat)


def _count_hand(state: TangleState, seat: Seat) -> None:
    held = len(state.hands[seat])
    state.players[seat] = msgspec.structs.replace(state.players[seat], held=held)


def _refill_pile(state: TangleState) -> list[Event]:
    """Refill an empty pile from the discards."""
    if state.pile:
        return []
    state.reshuffles += 1
    state.pile = Draws(state.seed, state.reshuffles).shuffle(state.discards)
    state.discards = []
    return [PileShuffled(number=len(state.pile))]
