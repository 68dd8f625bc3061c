"""Moves and resignations: every function checks first, and changes the state after. Rules: A turn."""

from collections.abc import Iterable, Iterator

from engines.game import NOT_YOUR_TURN, IllegalMove, Seat
from engines.tangle.decisions import Decision, Toll, Upkeep
from engines.tangle.events import (
    Bedewed,
    Drained,
    Event,
    Fed,
    Grew,
    Harvested,
    Offered,
    Recalled,
    RootMoved,
    TangleLaid,
    TanglePlanted,
    TangleResigned,
    TangleSwapped,
    TangleTurnEnded,
    TileTakenOver,
    UpkeepLost,
)
from engines.tangle.legal import sentences
from engines.tangle.legal.check import price_of
from engines.tangle.legal.moves import legal
from engines.tangle.moves import Move
from engines.tangle.pieces.components import AREAS, TRACKS
from engines.tangle.truth import upkeep
from engines.tangle.truth.agenda import carry_out, settle
from engines.tangle.truth.card_zones import discard_hand
from engines.tangle.truth.ending import finish, next_seat
from engines.tangle.truth.state import TangleState, context_for, move_marker, owing
from engines.tangle.view import TurnChanges


def legal_moves(state: TangleState, seat: Seat) -> Iterator[Move]:
    """Yield every legal move of a seat, once, in a stable order. None if it owes nothing."""
    if state.decision is None or seat not in owing(state):
        return iter(())
    return legal(context_for(state, seat), state.decision)


def play(state: TangleState, seat: Seat, move: Move) -> list[Event]:
    """Carry out a move and its automatic follow-ups. Raises IllegalMove with the state untouched."""
    decision, owed, turn = state.decision, owing(state), state.turn
    if decision is None or seat not in owed:
        raise IllegalMove(_no_move_owed(state, seat))
    price = price_of(context_for(state, seat), decision, move)
    if isinstance(decision, Upkeep):
        events = upkeep.answer(state, seat, move, price) + upkeep.settle_automatic(state)
    else:
        events = carry_out(state, decision, move, price)
    events += settle(state)
    _call(state, owed, turn)
    return _record_changes(state, events)


def resign(state: TangleState, seat: Seat) -> list[Event]:
    """Take a seat out of the game. Raises IllegalMove if it isn't in it. Rules: Leaving."""
    if state.phase == "over":
        raise IllegalMove(sentences.GAME_OVER)
    if seat not in state.remaining:
        raise IllegalMove(sentences.HAS_LEFT)
    owed, turn = owing(state), state.turn
    state.out.append(seat)
    discard_hand(state, seat)
    events: list[Event] = [TangleResigned(seat=seat)]
    staying = state.remaining
    if len(staying) == 1:
        return events + finish(state, "left", dict.fromkeys(staying, 0))
    upkeep.excuse(state, seat)
    _hand_on_markers(state, seat)
    if seat == state.seat:
        state.agenda = [state.agenda[-1]] if isinstance(state.decision, Upkeep) else []
        state.extra = 0
    _waive_toll(state, seat)
    events += settle(state)
    _call(state, owed, turn)
    return _record_changes(state, events)


def _call(state: TangleState, owed: tuple[Seat, ...], turn: int) -> None:
    """Start a new beat if somebody else owes in the same turn."""
    if state.turn == turn and set(owing(state)) - set(owed):
        state.beat += 1


def _no_move_owed(state: TangleState, seat: Seat) -> str:
    if state.phase == "over":
        return sentences.GAME_OVER
    if seat not in state.remaining:
        return sentences.HAS_LEFT
    return sentences.OWES_NOTHING if isinstance(state.decision, Upkeep) else NOT_YOUR_TURN


def _hand_on_markers(state: TangleState, seat: Seat) -> None:
    """Pass on the markers of a seat that has left."""
    paid_now = state.decision.track if isinstance(state.decision, Upkeep) else None
    for number, track in enumerate(TRACKS):
        if state.markers[number] == seat and track != paid_now:
            move_marker(state, number, next_seat(state, seat))


def _waive_toll(state: TangleState, seat: Seat) -> None:
    """Cancel the toll for a seat that has left."""
    agenda: list[Decision] = []
    for decision in state.agenda:
        if isinstance(decision, Toll):
            due = tuple((to, count) for to, count in decision.due if to != seat)
            state.reserve = sum(count for _, count in due)
            agenda += [Toll(due)] if due else []
        else:
            agenda.append(decision)
    state.agenda = agenda


def _record_changes(state: TangleState, events: list[Event]) -> list[Event]:
    """Record the places that the events changed, for the turn. Return the events."""
    for event in events:
        if isinstance(event, TangleTurnEnded):
            state.before, state.changed = state.changed, TurnChanges()
        else:
            places = _places(event)
            if places:
                areas = [place for place in places if place in AREAS]
                spaces = [place for place in places if place not in AREAS]
                state.changed = TurnChanges(
                    _merge_places(state.changed.areas, areas), _merge_places(state.changed.spaces, spaces)
                )
    return events


def _merge_places(places: tuple[str, ...], more: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*places, *more)))


def _places(event: Event) -> tuple[str, ...]:
    """Return the areas and spaces that an event changed.

    Resources that grow on spaces are left out: they grow with every placement.
    """
    match event:
        case RootMoved(start=start, to=to) | Recalled(start=start, to=to):
            return (start, to)
        case TangleLaid() | Grew() | TanglePlanted() | Offered() | TileTakenOver():
            return (event.area,)
        case Drained(area=area):
            return (area,)
        case Fed(tiles=areas) | Harvested(areas=areas) | Bedewed(areas=areas):
            return areas
        case TangleSwapped(a=a, b=b):
            return (a, b)
        case UpkeepLost(items=items, track=track) if track != "cards":
            return items
        case _:
            return ()
