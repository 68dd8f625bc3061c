"""The beginning of turns and rounds, and the end of the game."""

from engines.game import Outcome, Seat
from engines.tanglewood.events import Event, TanglewoodEnded, TanglewoodRoundBegan
from engines.tanglewood.public import TanglewoodPublic
from engines.tanglewood.truth.state import TanglewoodState


def later_in_round(state: TanglewoodPublic, seat: Seat) -> list[Seat]:
    """Return the seats that play after this one in the round."""
    return [other for other in state.order[state.order.index(seat) + 1 :] if other not in state.out]


def begin_turn(state: TanglewoodState, seat: Seat) -> None:
    """Begin a seat's turn. Rules: Your turn."""
    state.seat = seat
    state.phase = "turn"
    state.turns += 1
    state.before_turn = state.workers


def begin_round(state: TanglewoodState, *, turned: bool = False) -> Event:
    """Open the next round, reversing the turn order if `turned`. Rules. Your turn."""
    state.round += 1
    playing = [seat for seat in state.order if seat not in state.out]
    begin_turn(state, playing[0])
    return TanglewoodRoundBegan(round=state.round, order=tuple(playing), turned=turned)


def finish(state: TanglewoodState, how: str) -> Event:
    """Place seats by votes. Those who left come last, the last to leave first. Rules: The end."""
    staying = state.remaining
    places: list[int | None] = [None] * state.seats
    for seat in staying:
        places[seat] = 1 + sum(state.votes[other] > state.votes[seat] for other in staying)
    for place, seat in enumerate(reversed(state.out), start=len(staying) + 1):
        places[seat] = place
    state.phase = "over"
    state.seat = None
    state.outcome = Outcome(how, tuple(places), tuple(state.votes))
    return TanglewoodEnded(outcome=state.outcome)
