"""Upkeep that is due: everybody's lists, the answers, and automatic payments. Rules: Upkeep."""

from collections.abc import Collection, Iterable

import msgspec

from engines.game import Seat
from engines.tangle import moves
from engines.tangle.decisions import Decision, PaidUpkeep, Placing, Upkeep
from engines.tangle.legal.context import powers
from engines.tangle.legal.moves import legal
from engines.tangle.pieces.card_language import TrackName
from engines.tangle.pieces.components import NOTHING, PAID_IN, RESOURCES, TRACKS, Amount, plus, size, unit
from engines.tangle.truth.effects import wither
from engines.tangle.truth.state import TangleState, context_for, move_marker, owing, pay

KEEP_ALL, NO_LAKES = "keep_all", "no_lakes"
STANDING = (KEEP_ALL, NO_LAKES)
"""Standing answers to upkeep: pay for everything, or for everything but lakes."""


def open_due(state: TangleState) -> list[moves.Event]:
    """Queue the next upkeep due in this turn, if any."""
    for number, track in enumerate(TRACKS):
        if state.markers[number] == state.seat:
            due = _lists(state, track, state.remaining)
            if _concerns_others(state, due) and isinstance(state.decision, Placing):
                # It forgets earlier payments: others pay after them, and would have to answer again.
                state.agenda[-1] = msgspec.structs.replace(state.decision, paid=None)
            state.agenda.append(due)
            return [moves.UpkeepBegan(track=track), *settle_automatic(state)]
    return []


def _lists(state: TangleState, track: TrackName, seats: Collection[Seat]) -> Upkeep:
    """List these seats' items to pay for, and everybody's free ones."""
    return Upkeep(
        track,
        tuple(context_for(state, seat).dues(track) if seat in seats else () for seat in range(state.seats)),
        tuple(powers(player.front).free.get(track, 0) for player in state.players),
    )


def answer(state: TangleState, seat: Seat, move: moves.Move, price: Amount) -> list[moves.Event]:
    """Pay for some of a seat's items, or lose them. The move is legal and costs that much."""
    decision = _open(state)
    items = decision.items[seat]
    if seat == state.seat and _is_own_choice(state, decision, move):
        state.agenda[-1] = msgspec.structs.replace(decision, chosen=True)
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


def settle_automatic(state: TangleState) -> list[moves.Event]:
    """Answer for seats without a choice. All items are free, or they have nothing to pay with."""
    events: list[moves.Event] = []
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
    if state.decision.reopened and seat == state.seat:
        return None
    return moves.PayRest() if _can_keep_all(state, seat, state.decision) else None


def standing_answer(state: TangleState, seat: Seat, answer: str) -> moves.PayRest | moves.DropRest | None:
    """Return a seat's standing answer to the open upkeep. None if it doesn't say, or can't be paid."""
    decision = state.decision
    if not isinstance(decision, Upkeep) or seat not in owing(state) or decision.reopened:
        return None
    if answer == NO_LAKES and decision.track == "lakes":
        # Free lakes are worth keeping, and only the seat knows which.
        return None if decision.free[seat] else moves.DropRest()
    return moves.PayRest() if answer in STANDING and _can_keep_all(state, seat, decision) else None


def _can_keep_all(state: TangleState, seat: Seat, decision: Upkeep) -> bool:
    return any(isinstance(move, moves.PayRest) for move in legal(context_for(state, seat), decision))


def _is_own_choice(state: TangleState, decision: Upkeep, move: moves.Move) -> bool:
    """Return True if the seat to act can't keep everything.

    A card that made others free counts too: without it, nobody could tell later what they cost.
    """
    if state.options.upkeep != "alone":
        return False
    spares = decision.track == "cards" and isinstance(move, moves.Drop) and powers((move.item,)).free
    return bool(spares) or not _can_keep_all(state, state.seat, decision)


def lose(
    state: TangleState, seat: Seat, lost: tuple[str, ...], *, unasked: bool = False
) -> list[moves.Event]:
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
    return [moves.UpkeepLost(seat, decision.track, lost, unasked)]


def close(state: TangleState) -> list[moves.Event]:
    """End an upkeep. Send the marker home, and begin the next upkeep if one is due."""
    decision = state.agenda.pop()
    assert isinstance(decision, Upkeep)
    number = TRACKS.index(decision.track)
    if decision.reopened and state.markers[number] is None:
        return _reopen_next(state)
    move_marker(state, number, None)
    events: list[moves.Event] = [moves.UpkeepEnded(track=decision.track)]
    if decision.reopened:
        return events + _reopen_next(state)
    _remember(state, decision)
    return events + open_due(state)


def reopen(state: TangleState, decision: Decision) -> list[moves.Event]:
    """Ask the seat to act about its paid upkeep again. Rules: Upkeep."""
    assert isinstance(decision, Placing)
    assert decision.paid is not None
    due = reversed(decision.paid.due)
    state.agenda += [msgspec.structs.replace(one, reopened=True) for one in due]
    return [moves.UpkeepTakenBack(state.seat, decision.paid.price)]


def _reopen_next(state: TangleState) -> list[moves.Event]:
    """Go on to the next reopened track. Its lists may be longer, without the shelter of a dropped lake."""
    following = state.decision
    if not isinstance(following, Upkeep):
        return []
    # A card that a later track took was still there when this one was paid.
    lists = _lists(state, following.track, state.remaining)
    due = msgspec.structs.replace(lists, free=following.free, reopened=True)
    state.agenda[-1] = due
    if not any(due.items):
        return []
    # Others owe something only now: the marker comes back, and the change is final.
    final = _concerns_others(state, due)
    if final:
        move_marker(state, TRACKS.index(due.track), state.seat)
    return [moves.UpkeepBegan(track=due.track, reveals=final), *settle_automatic(state)]


def _remember(state: TangleState, closed: Upkeep) -> None:
    """Remember what was paid automatically, until the placement.

    Without a choice of its own, the seat has paid for whatever it still has. With one, forget all of it.
    """
    placing = state.decision
    if not isinstance(placing, Placing) or state.options.upkeep != "alone":
        return
    context, paid = context_for(state, state.seat), placing.paid
    items, free = context.dues(closed.track), context.powers.free.get(closed.track, 0)
    price = unit(PAID_IN[closed.track], max(0, len(items) - free))
    if closed.chosen or (paid is None and price == NOTHING):
        paid = None
    else:
        due = _lists(state, closed.track, (state.seat,))
        earlier = PaidUpkeep((), NOTHING) if paid is None else paid
        paid = PaidUpkeep((*earlier.due, due), plus(earlier.price, price))
    state.agenda[-1] = msgspec.structs.replace(placing, paid=paid)


def _concerns_others(state: TangleState, due: Upkeep) -> bool:
    """Return True if a seat that isn't to act owes something."""
    return any(items for seat, items in enumerate(due.items) if seat != state.seat)


def _keep(state: TangleState, seat: Seat, kept: tuple[str, ...], price: Amount) -> list[moves.Event]:
    """Keep these items; those that cost nothing use up what is free."""
    decision = _strike(state, seat, kept)
    paid = size(price)
    left = max(0, decision.free[seat] - (len(kept) - paid))
    free = tuple(left if other == seat else count for other, count in enumerate(decision.free))
    state.agenda[-1] = msgspec.structs.replace(decision, free=free)
    pay(state, seat, price)
    return [moves.UpkeepKept(seat, decision.track, kept, paid)]


def excuse(state: TangleState, seat: Seat) -> None:
    """Release a seat that has left from upkeep. Rules: Leaving."""
    if isinstance(state.decision, Upkeep):
        state.agenda[-1] = _strike(state, seat, _open(state).items[seat])


def _strike(state: TangleState, seat: Seat, settled: tuple[str, ...]) -> Upkeep:
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
