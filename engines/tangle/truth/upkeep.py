"""Upkeep that is due: everybody's lists, the answers, and automatic payments. Rules: Upkeep."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from engines.game import Seat
from engines.tangle import moves
from engines.tangle.decisions import Upkeep
from engines.tangle.events import Event, UpkeepBegan, UpkeepEnded, UpkeepKept, UpkeepLost
from engines.tangle.legal.moves import legal
from engines.tangle.pieces.amounts import NOTHING, RESOURCES, Amount, size
from engines.tangle.pieces.card_language import TrackName
from engines.tangle.pieces.components import PAID_IN, TRACKS
from engines.tangle.pieces.ongoing_effects import powers
from engines.tangle.truth.state import TangleState, context_for, move_marker, owing, pay
from engines.tangle.truth.tiles import wither


def open_due(state: TangleState) -> list[Event]:
    """Queue the next upkeep due in this turn, if any."""
    for number, track in enumerate(TRACKS):
        if state.markers[number] == state.seat:
            state.agenda.append(_lists(state, track))
            return [UpkeepBegan(track=track), *settle_automatic(state)]
    return []


def _lists(state: TangleState, track: TrackName) -> Upkeep:
    """List each seat's items to pay for, and its free ones."""
    staying = state.remaining
    return Upkeep(
        track,
        tuple(context_for(state, seat).dues(track) if seat in staying else () for seat in range(state.seats)),
        tuple(powers(player.front).free.get(track, 0) for player in state.players),
    )


def answer(state: TangleState, seat: Seat, move: moves.Move, price: Amount) -> list[Event]:
    """Pay for some of a seat's items, or lose them.

    The move is legal and costs that much.
    """
    decision = _open(state)
    items = decision.items[seat]
    match move:
        case moves.Pay(item):
            return _keep(state, seat, (item,), price)
        case moves.Drop(item):
            return lose(state, seat, (item,))
        case moves.PayRest():
            return _keep(state, seat, items, price)
        case moves.DropRest():
            return lose(state, seat, items)
        case _:
            raise ValueError("that is no answer to upkeep")


def settle_automatic(state: TangleState) -> list[Event]:
    """Answer for seats without a choice.

    All items are free, or they have nothing to pay with.
    """
    events: list[Event] = []
    for seat in owing(state):
        decision = _open(state)
        items, free = decision.items[seat], decision.free[seat]
        if len(items) <= free:
            events += _keep(state, seat, items, NOTHING)
        elif not free and not state.players[seat].stash[RESOURCES.index(PAID_IN[decision.track])]:
            events += lose(state, seat, items, unasked=True)
    return events


def automatic_answer(state: TangleState, seat: Seat) -> moves.PayRest | None:
    """Return the answer that keeps everything; None if impossible."""
    if not isinstance(state.decision, Upkeep) or seat not in owing(state):
        return None
    can = any(isinstance(move, moves.PayRest) for move in legal(context_for(state, seat), state.decision))
    return moves.PayRest() if can else None


def lose(state: TangleState, seat: Seat, lost: tuple[str, ...], *, unasked: bool = False) -> list[Event]:
    """Lose items: clean earth replaces tiles, cards go to the discards."""
    decision = _strike(state, seat, lost)
    state.agenda[-1] = decision
    for item in lost:
        if decision.track == "cards":
            player = state.players[seat]
            state.players[seat] = msgspec.structs.replace(player, front=_without(player.front, [item]))
            state.discards.append(item)
        else:
            wither(state, item)
    return [UpkeepLost(seat, decision.track, lost, unasked)]


def close(state: TangleState) -> list[Event]:
    """End an upkeep.

    Send the marker home, and begin the next upkeep if one is due.
    """
    decision = state.agenda.pop()
    assert isinstance(decision, Upkeep)
    move_marker(state, TRACKS.index(decision.track), None)
    events: list[Event] = [UpkeepEnded(track=decision.track)]
    return events + open_due(state)


def _keep(state: TangleState, seat: Seat, kept: tuple[str, ...], price: Amount) -> list[Event]:
    """Keep these items; those that cost nothing use up what is free."""
    decision = _strike(state, seat, kept)
    paid = size(price)
    left = max(0, decision.free[seat] - (len(kept) - paid))
    free = tuple(left if other == seat else count for other, count in enumerate(decision.free))
    state.agenda[-1] = msgspec.structs.replace(decision, free=free)
    pay(state, seat, price)
    return [UpkeepKept(seat, decision.track, kept, paid)]


def excuse(state: TangleState, seat: Seat) -> None:
    """Release a seat that has left from upkeep. Rules: Leaving."""
    if isinstance(state.decision, Upkeep):
        state.agenda[-1] = _strike(state, seat, _open(state).items[seat])


def _strike(state: TangleState, seat: Seat, settled: tuple[str, ...]) -> Upkeep:
    """Remove items of a seat from the open upkeep."""
    decision = _open(state)
    left = _without(decision.items[seat], settled)
    items = tuple(left if other == seat else own for other, own in enumerate(decision.items))
    return msgspec.structs.replace(decision, items=items)


def _without(items: tuple[str, ...], gone: Iterable[str]) -> tuple[str, ...]:
    """Remove items, as many of equal ones as are named."""
    left = list(items)
    for item in gone:
        left.remove(item)
    return tuple(left)


def _open(state: TangleState) -> Upkeep:
    assert isinstance(state.decision, Upkeep)
    return state.decision
