"""Foresees from a seat's view alone: its next turn, and the sure effects of its moves."""

from collections.abc import Iterable, Sequence
from random import Random

import msgspec

from engines.game import IllegalMove, Seat
from engines.tangle.decisions import Upkeep
from engines.tangle.events import Event, Fed, Gained, Harvested, RowFilled, SawCard, Took, TookCard
from engines.tangle.legal.check import price_of
from engines.tangle.legal.toll import toll_due
from engines.tangle.moves import Move, TanglePlace
from engines.tangle.pieces.amounts import total
from engines.tangle.pieces.components import SPACES
from engines.tangle.preview import TanglePlacementPreview
from engines.tangle.truth import upkeep
from engines.tangle.truth.agenda import carry_out, next_automatic, settle
from engines.tangle.truth.ending import begin_turn, next_seat
from engines.tangle.truth.play import play
from engines.tangle.truth.spaces import place
from engines.tangle.truth.state import context_for, owing
from engines.tangle.truth.visibility import sample_state, view_of
from engines.tangle.view import TangleView


def ahead(view: TangleView, seat: Seat) -> TangleView | None:
    """Return the seat's next turn with its upkeep, from its view alone.

    None if the round limit comes first, or if others would have to pay first.
    """
    if view.phase == "over" or view.viewer != seat or seat in (*view.owing, *view.out):
        return None
    state = sample_state(view, Random(0))
    state.agenda = []
    turn = state.turn
    while turn == state.turn or state.seat != seat:
        following = next_seat(state, state.seat)
        if following <= state.seat:
            if state.round == state.options.round_limit:
                return None
            state.round += 1
        state.seat, state.turn = following, state.turn + 1
    state.turn -= 1
    begin_turn(state, seat)
    settle(state)
    while state.options.upkeep == "alone":
        answers = [(other, upkeep.automatic_answer(state, other)) for other in owing(state)]
        known = [(other, answer) for other, answer in answers if answer is not None]
        if not known:
            break
        play(state, *known[0])
    return view_of(state, seat) if owing(state) == (seat,) and state.seat == seat else None


def foresee(view: TangleView, seat: Seat, moves: Sequence[Move]) -> TangleView:
    """Return a seat's view after the sure effects of its moves.

    It ends before the turn does. Cards that it draws unseen are left out, and so are moves after an
    unaffordable one. Answers to upkeep change nothing, for others answer too.
    """
    state = sample_state(view, Random(0))
    events: list[Event] = []
    for move in moves:
        decision = state.decision
        if decision is None or isinstance(decision, Upkeep):
            break
        try:
            price = price_of(context_for(state, seat), decision, move)
        except IllegalMove:
            break
        events += carry_out(state, decision, move, price)
        while state.decision is not None and (step := next_automatic(state)) is not None:
            events += step
    after, drawn = view_of(state, seat), [event.card for event in events if isinstance(event, SawCard)]
    filled = [event.card for event in events if isinstance(event, RowFilled)]
    return msgspec.structs.replace(
        after, hand=tuple(_without(after.hand or (), drawn)), row=_without(after.row, filled)
    )


def _without(cards: Iterable[str], unseen: Sequence[str]) -> list[str]:
    left = list(cards)
    for card in unseen:
        if card in left:
            left.remove(card)
    return left


def preview_placement(view: TangleView, seat: Seat, move: TanglePlace) -> TanglePlacementPreview:
    """Preview a legal placement of the viewer, up to its first decision."""
    state = sample_state(view, Random(0))
    context, is_space = context_for(state, seat), move.to in SPACES
    toll = toll_due(context, move.to) if is_space else ()
    events = place(state, move.start, move.to)
    gifts = tuple(event for event in events if isinstance(event, Gained))
    fed = next((event for event in events if isinstance(event, Fed)), Fed((), ()))
    income = [event.gained for event in events if isinstance(event, Harvested | Took)]
    return TanglePlacementPreview(
        action=context.board.spaces[move.to] if is_space else "",
        fed=fed.spaces,
        tiles=fed.tiles,
        harvest=next((event.areas for event in events if isinstance(event, Harvested)), ()),
        gained=total([*income, *(gift.amount for gift in gifts if gift.seat == seat)]),
        gifts=gifts,
        drawn=sum(isinstance(event, TookCard) for event in events),
        toll=toll,
    )
