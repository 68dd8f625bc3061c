"""The agenda of a turn: carries out decisions, and whatever follows automatically. Rules: A turn."""

from itertools import islice

import msgspec

from engines.tangle import decisions, moves
from engines.tangle.decisions import Decision
from engines.tangle.events import Event
from engines.tangle.legal.cards import roots_at_home
from engines.tangle.legal.check import price_of, rule_of
from engines.tangle.legal.moves import legal
from engines.tangle.moves import Move
from engines.tangle.pieces.amounts import NOTHING, Amount
from engines.tangle.pieces.ongoing_effects import powers
from engines.tangle.truth import card_effects, upkeep
from engines.tangle.truth.carry_out import bedew, do
from engines.tangle.truth.ending import end_turn
from engines.tangle.truth.state import TangleState, context_for


def carry_out(state: TangleState, decision: Decision, move: Move, price: Amount) -> list[Event]:
    """Carry out a legal move on the top decision, at a price."""
    rest = None if isinstance(move, moves.TangleDone) else rule_of(decision).rest(decision, move)
    state.agenda.pop()
    if rest is not None:
        state.agenda.append(rest)
    events = do(state, decision, move, price)
    if rest is None:
        events += _after_closing(state, decision, is_declined=isinstance(move, moves.TangleDone))
    return events


def settle(state: TangleState) -> list[Event]:
    """Go on until somebody has something to decide. Rules: A turn."""
    events: list[Event] = []
    while state.phase == "play":
        step = next_automatic(state)
        if step is None:
            break
        events += step
    return events


def next_automatic(state: TangleState) -> list[Event] | None:
    """Do the next automatic thing; None if a decision is due."""
    decision = state.decision
    if decision is None:
        return end_turn(state)
    if state.extra and _may_be_put_off(decision):
        state.extra -= 1
        state.agenda.append(decisions.Placing(extra=True))
        return []
    match decision:
        case decisions.Upkeep(items=items):
            return None if any(items) else upkeep.close(state)
        case decisions.Placing():
            return None
        case decisions.Casting() if _may_cast(state, decision):
            return None
        case decisions.Casting():
            return carry_out(state, decision, moves.TangleDone(), NOTHING)
        case decisions.RunningCard():
            return _run(state, decision)
        case decisions.Pushing(0) | decisions.Lowering(0) | decisions.DrawingCards(0):
            state.agenda.pop()
            return []
        case _:
            return _play_only_move(state, decision)


def _may_cast(state: TangleState, decision: decisions.Casting) -> bool:
    """Return True if the seat is asked, even without means. That is its secret. Rules: Casting."""
    context = context_for(state, state.seat)
    return bool(context.hand) and decision.cast < roots_at_home(context)


def _run(state: TangleState, decision: decisions.RunningCard) -> list[Event]:
    """Run the next piece of a cast card."""
    if not decision.ops:
        state.agenda.pop()
        return []
    state.agenda[-1] = decisions.RunningCard(decision.ops[1:], decision.card)
    return card_effects.run(state, decision.ops[0], decision.card)


def _may_be_put_off(decision: Decision) -> bool:
    """Return True if an extra placement goes before it."""
    if isinstance(decision, decisions.Placing):
        return not decision.extra
    return isinstance(decision, decisions.Casting)


def _play_only_move(state: TangleState, decision: Decision) -> list[Event] | None:
    """Make the only legal move, or drop a decision without one. None if there is a choice."""
    context = context_for(state, state.seat)
    first = list(islice(legal(context, decision), 2))
    if len(first) > 1:
        return None
    if first:
        return carry_out(state, decision, first[0], price_of(context, decision, first[0]))
    state.agenda.pop()
    return []


def _after_closing(state: TangleState, decision: Decision, *, is_declined: bool) -> list[Event]:
    """Do what follows the end of a decision."""
    match decision:
        case decisions.Placing(paid=paid) if is_declined and isinstance(state.decision, decisions.Placing):
            # Upkeep can be changed until the first placement, and there has been none.
            state.agenda[-1] = msgspec.structs.replace(state.decision, paid=paid)
        case decisions.Casting():
            count = max(0, state.changes - powers(state.players[state.seat].front).slow)
            state.agenda.append(decisions.Pushing(min(count, sum(state.trackers))))
        case decisions.Growing(contained=True):
            return bedew(state)
        case _:
            pass
    return []
