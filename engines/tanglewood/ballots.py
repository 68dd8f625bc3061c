"""Drawing Secret Ballots. Rules: Secret ballots."""

from __future__ import annotations

from engines.draws import Draws
from engines.game import IllegalDeal, Seat
from engines.tanglewood.data import Region
from engines.tanglewood.events import DrewBallots, Event, Reshuffled, SawBallots
from engines.tanglewood.state import State


def draw_ballots(state: State, seat: Seat, number: int) -> list[Event]:
    """Draw so many from the top of the deck into a hand, one at a time, fewer where there are fewer.

    Raises:
        IllegalDeal: when a reshuffle that a deal by hand laid down isn't one of the discards.
    """
    events: list[Event] = []
    drawn: list[Region] = []
    while len(drawn) < number:
        if not state.ballot_deck:
            if not discarded(state):
                break
            events.append(_reshuffle(state))
        drawn.append(state.ballot_deck.pop(0))
    state.hands[seat] = sorted([*state.hands[seat], *drawn])
    events.append(DrewBallots(seat=seat, number=len(drawn)))
    if drawn:
        events.append(SawBallots(seat=seat, regions=tuple(drawn), only=seat))
    return events


def discarded(state: State) -> list[Region]:
    """All discarded ballots, played and unplayed ones, sorted."""
    return sorted([*state.played_ballots, *(ballot for pile in state.dropped for ballot in pile)])


def _reshuffle(state: State) -> Reshuffled:
    """Shuffle the discards into a new deck, as the deal laid down or as the seed gives it."""
    pile = discarded(state)
    state.reshuffles += 1
    if state.planned:
        state.ballot_deck = list(state.planned.pop(0))
        if sorted(state.ballot_deck) != pile:
            raise IllegalDeal("A reshuffle of the deal holds other ballots than the discards.")
    else:
        state.ballot_deck = Draws(state.seed, state.reshuffles).shuffled(pile)
    state.played_ballots = []
    state.dropped = [[] for _ in range(state.seats)]
    return Reshuffled(number=len(pile))
