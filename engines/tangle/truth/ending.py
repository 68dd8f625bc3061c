"""The end of a turn and of the game. Rules: The end of a turn, Winning."""

from engines.game import Outcome, Seat
from engines.tangle.decisions import Casting, Placing
from engines.tangle.events import (
    ConditionShown,
    Event,
    MarkerCame,
    TangleEnded,
    TangleRoundBegan,
    TangleTurnEnded,
)
from engines.tangle.legal.conditions import counts, lacking, shortfall, somebody_has_won
from engines.tangle.legal.context import board_of
from engines.tangle.pieces.components import TRACKS
from engines.tangle.truth.spaces import wake
from engines.tangle.truth.state import TangleState, move_marker
from engines.tangle.truth.upkeep import open_due


def end_turn(state: TangleState) -> list[Event]:
    """Call for upkeep, check for victory, and begin the next turn."""
    ended, following = state.seat, next_seat(state, state.seat)
    events = _call_upkeep(state, ended if ended not in state.out else following)
    events.append(TangleTurnEnded(seat=ended))
    if somebody_has_won(state, state.conditions):
        return events + _show(state) + finish(state, "condition", _shortfalls(state))
    if following <= ended:
        if state.round == state.options.round_limit:
            return events + finish(state, "limit", _shortfalls(state))
        state.round += 1
        events.append(TangleRoundBegan(round=state.round))
    return events + begin_turn(state, following)


def _shortfalls(state: TangleState) -> dict[Seat, int]:
    """Return each remaining seat's shortfall on its best condition."""
    return {seat: shortfall(state, seat, state.conditions[seat]) for seat in state.remaining}


def _call_upkeep(state: TangleState, seat: Seat) -> list[Event]:
    """Send markers at home to seats whose tracker is at the top."""
    events: list[Event] = []
    trackers = list(state.trackers)
    for number, track in enumerate(TRACKS):
        if not trackers[number] and state.markers[number] is None:
            trackers[number] = board_of(state).bottom
            move_marker(state, number, seat)
            events.append(MarkerCame(track=track, seat=seat))
    lakes, growth, cards = trackers
    state.trackers = (lakes, growth, cards)
    return events


def next_seat(state: TangleState, seat: Seat) -> Seat:
    """Return the remaining seat whose turn follows that of a seat."""
    staying = state.remaining
    return next((other for other in staying if other > seat), staying[0])


def begin_turn(state: TangleState, seat: Seat) -> list[Event]:
    """Begin a seat's turn. Upkeep that is due, a sleeping root, then the placement. Rules: A turn."""
    state.seat = seat
    state.turn += 1
    state.beat += 1
    state.changes = state.reserve = state.extra = state.offered = 0
    state.agenda = [Casting(), Placing()]
    sleeper = state.players[seat].sleeper
    if sleeper is not None:
        wake(state, seat)
        state.agenda.append(Placing(sleeper))
    return open_due(state)


def _show(state: TangleState) -> list[Event]:
    """Show all fulfilled conditions."""
    for seat in state.remaining:
        have = counts(state.tiles, state.players[seat].front, seat)
        state.shown[seat] = tuple(one for one in state.conditions[seat] if not lacking(one, have))
    return [
        ConditionShown(seat=seat, condition=condition)
        for seat, shown in enumerate(state.shown)
        for condition in shown
    ]


def finish(state: TangleState, how: str, shortfalls: dict[Seat, int]) -> list[Event]:
    """Place seats by shortfall, ties share. Those who left come last, the last to leave first."""
    places: list[int | None] = [None] * state.seats
    for seat, lacks in shortfalls.items():
        places[seat] = 1 + sum(other < lacks for other in shortfalls.values())
    for place, seat in enumerate(reversed(state.out), start=len(shortfalls) + 1):
        places[seat] = place
    state.phase = "over"
    state.agenda = []
    state.reserve = state.extra = 0
    state.beat += 1
    state.outcome = Outcome(how, tuple(places))
    return [TangleEnded(outcome=state.outcome)]
