"""The agenda of a turn: what a decision does, and what settles itself afterwards. Rules: A turn."""

from __future__ import annotations

from itertools import islice

import msgspec

from engines.tangle import effects, matters, moves, upkeep
from engines.tangle.amounts import NOTHING, Amount
from engines.tangle.deeds import bedew, do
from engines.tangle.ending import end_turn
from engines.tangle.events import Event
from engines.tangle.legal import legal
from engines.tangle.matters import Matter
from engines.tangle.moves import Move
from engines.tangle.powers import powers
from engines.tangle.quotes import quote, roots_at_home
from engines.tangle.state import State, desk

_Counted = (
    matters.Earths
    | matters.Meadows
    | matters.Growing
    | matters.Swapping
    | matters.Lakes
    | matters.Drawing
    | matters.Draining
    | matters.Recalling
    | matters.TakingOver
)
"""The matters that may be limited to so many units."""

_Endless = matters.Planting | matters.Sprouting | matters.Hedging | matters.Transforming | matters.Sacrificing
"""The matters that go on until they are declined."""


def carry_out(state: State, matter: Matter, move: Move, price: Amount) -> list[Event]:
    """What the seat to act has decided on the top matter happens; it is legal and costs so much."""
    rest = _rest(matter, move)
    state.agenda.pop()
    if rest is not None:
        state.agenda.append(rest)
    events = do(state, matter, move, price)
    if rest is None:
        events += _closed(state, matter)
    return events


def settle(state: State) -> list[Event]:
    """Go on until somebody has something to decide. Rules: A turn."""
    events: list[Event] = []
    while state.phase == "play":
        step = _by_itself(state)
        if step is None:
            break
        events += step
    return events


def _by_itself(state: State) -> list[Event] | None:
    """The next thing that happens without being asked; None when a decision is due."""
    matter = state.matter
    if matter is None:
        return end_turn(state)
    if state.extra and isinstance(matter, matters.Placing | matters.Casting) and not _is_extra(matter):
        state.extra -= 1
        state.agenda.append(matters.Placing(extra=True))
        return []
    match matter:
        case matters.Upkeep(items=items):
            return None if any(items) else upkeep.close(state)
        case matters.Placing():
            return None
        case matters.Casting() if _may_cast(state, matter):
            return None
        case matters.Casting():
            return carry_out(state, matter, moves.Done(), NOTHING)
        case matters.Running():
            return _run(state, matter)
        case matters.Pushing(0) | matters.Lowering(0) | matters.Drawing(0):
            state.agenda.pop()
            return []
        case _:
            return _alone(state, matter)


def _may_cast(state: State, matter: matters.Casting) -> bool:
    """Whether the seat is asked, even if it can pay for nothing: that is its secret. Rules: Casting."""
    looks = desk(state, state.seat)
    return bool(looks.hand) and matter.cast < roots_at_home(looks)


def _run(state: State, matter: matters.Running) -> list[Event]:
    """The next piece of a card that was cast."""
    if not matter.ops:
        state.agenda.pop()
        return []
    state.agenda[-1] = matters.Running(matter.ops[1:], matter.card)
    return effects.run(state, matter.ops[0], matter.card)


def _is_extra(matter: Matter) -> bool:
    return isinstance(matter, matters.Placing) and matter.extra


def _alone(state: State, matter: Matter) -> list[Event] | None:
    """The one legal move is made; a matter without any lapses; None when there is a choice."""
    looks = desk(state, state.seat)
    first = list(islice(legal(looks, matter), 2))
    if len(first) > 1:
        return None
    if first:
        return carry_out(state, matter, first[0], quote(looks, matter, first[0]))
    state.agenda.pop()
    return []


def _rest(matter: Matter, move: Move) -> Matter | None:
    """What stays open of a matter after a move; None when it is closed."""
    if isinstance(move, moves.Done):
        return None
    match matter, move:
        case matters.Casting(cast), _:
            return matters.Casting(cast + 1)
        case matters.Toll(due), _:
            return matters.Toll(due[1:]) if due[1:] else None
        case ((matters.Earths() | matters.Meadows()), _):
            return _one_less(msgspec.structs.replace(matter, laid=matter.laid + 1))
        case matters.Growing(grown=grown), moves.Grow(area):
            return _one_less(msgspec.structs.replace(matter, grown=(*grown, area)))
        case matters.Swapping(areas=areas), moves.Swap(a, b):
            named = tuple(sorted({*areas, a, b}))
            return _one_less(msgspec.structs.replace(matter, areas=named))
        case matters.Diverse(), _:
            kind = str(type(move).__struct_config__.tag)
            return msgspec.structs.replace(matter, **{kind: False})
        case _ if isinstance(matter, _Counted):
            return _one_less(matter)
        case _ if isinstance(matter, _Endless):
            return matter
        case _:
            return None


def _one_less(matter: _Counted) -> Matter | None:
    """The matter with one unit less to come, if it is limited."""
    if matter.left is None:
        return matter
    return msgspec.structs.replace(matter, left=matter.left - 1) if matter.left > 1 else None


def _closed(state: State, matter: Matter) -> list[Event]:
    """What follows when a matter is closed."""
    match matter:
        case matters.Casting():
            count = max(0, state.changes - powers(state.players[state.seat].front).slow)
            state.agenda.append(matters.Pushing(min(count, sum(state.trackers))))
        case matters.Growing(contained=True):
            return bedew(state)
        case _:
            pass
    return []
