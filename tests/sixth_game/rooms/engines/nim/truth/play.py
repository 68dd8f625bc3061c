"""Carrying out what is decided in Nim."""

from engines.game import IllegalMove, Outcome, Seat
from engines.nim.moves import Ended, Event, Left, Take, Taken
from engines.nim.pieces.board import takes
from engines.nim.truth.state import State


def play(state: State, seat: Seat, move: Take) -> list[Event]:
    """Check a move, then carry it out. Rules: Turn."""
    if state.outcome is not None or seat != state.seat:
        raise IllegalMove("It isn't your turn.")
    if move not in takes(state):
        raise IllegalMove("That heap has fewer stones.")
    state.heaps[move.heap - 1] -= move.stones
    state.last = move
    events: list[Event] = [Taken(seat=seat, heap=move.heap, stones=move.stones)]
    if any(state.heaps):
        _pass_on(state)
        return events
    best = [seat] if state.options.last == "wins" else [other for other in state.playing if other != seat]
    return [*events, _end(state, "last", best)]


def resign(state: State, seat: Seat) -> list[Event]:
    """Take a seat out. Rules: Leaving."""
    if state.outcome is not None or seat not in state.playing:
        raise IllegalMove("You've already left this game.")
    if seat == state.seat:
        _pass_on(state)
    state.out = [*state.out, seat]
    events: list[Event] = [Left(seat=seat)]
    if len(state.playing) == 1:
        events.append(_end(state, "left", state.playing))
    return events


def _pass_on(state: State) -> None:
    following = (number % state.seats for number in range(state.seat + 1, state.seat + state.seats))
    state.seat = next(seat for seat in following if seat not in state.out)
    state.turn += 1


def _end(state: State, how: str, best: list[Seat]) -> Ended:
    places = tuple(
        1 if seat in best else len(best) + 1 if seat in state.playing else state.seats
        for seat in range(state.seats)
    )
    state.outcome = Outcome(how, places)
    return Ended(outcome=state.outcome)
