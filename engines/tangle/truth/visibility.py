"""Views of a state for one viewer, states that fit a view, and trials on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from random import Random

import msgspec

from engines.game import SEED_SIZE, IllegalMove, Seat
from engines.tangle.decisions import Casting, Decision, Placing, Upkeep
from engines.tangle.legal.context import Context
from engines.tangle.legal.moves import legal, price_of
from engines.tangle.legal.prices import toll_due
from engines.tangle.moves import (
    Event,
    Fed,
    Gained,
    Harvested,
    Move,
    RowFilled,
    SawCard,
    TangleDone,
    TanglePlace,
    Took,
    TookCard,
)
from engines.tangle.pieces.components import ALL_CARDS, CONDITIONS, SPACES, ConditionId, in_order, total
from engines.tangle.preview import TanglePlacementPreview
from engines.tangle.truth import upkeep
from engines.tangle.truth.effects import place
from engines.tangle.truth.play import begin_turn, carry_out, next_automatic, next_seat, play, settle
from engines.tangle.truth.state import TangleState, context_for, owing
from engines.tangle.view import TangleView, TurnChanges


def view_of(state: TangleState, viewer: Seat | None, *, reveals: bool = True) -> TangleView:
    """Return what that seat, or with None a spectator, may know. Rules: What is known."""
    over = state.phase == "over" and reveals
    return TangleView(
        **state.public_fields(),
        viewer=viewer,
        decision=state.decision,
        agenda=tuple(state.agenda),
        owing=owing(state),
        pile=len(state.pile),
        hand=None if viewer is None else tuple(state.hands[viewer]),
        conditions=None if viewer is None else state.conditions[viewer],
        changed=state.before if state.changed == TurnChanges() else state.changed,
        hands=tuple(map(tuple, state.hands)) if over else None,
        secrets=tuple(state.conditions) if over else None,
    )


def resample_hidden(
    state: TangleState, viewer: Seat | None, rng: Random, *, reveals: bool = True
) -> TangleState:
    """Redraw the pile, the box, the seed, and others' secrets."""
    other = state.copy()
    if state.phase == "over" and reveals:
        return other
    others = [seat for seat in range(state.seats) if seat != viewer]
    cards = [card for seat in others for card in state.hands[seat]] + state.pile
    secrets = [secret for seat in others for secret in state.conditions[seat]] + list(state.box)
    rng.shuffle(cards)
    rng.shuffle(secrets)
    for seat in others:
        other.hands[seat] = in_order(_take(cards, len(state.hands[seat])))
        other.conditions[seat] = tuple(_take(secrets, len(state.conditions[seat])))
    other.pile = cards
    other.box = tuple(secrets)
    other.seed = rng.randbytes(len(state.seed))
    return other


def sample_state(view: TangleView, luck: Random) -> TangleState:
    """Sample a state that fits a seat's view. Raises ValueError for a spectator."""
    if view.viewer is None or view.hand is None or view.conditions is None:
        raise ValueError("a spectator imagines nothing")
    fronts = [card for player in view.players for card in player.front]
    cards = list((Counter(ALL_CARDS) - Counter([*view.hand, *view.row, *view.discards, *fronts])).elements())
    secrets = [condition for condition in CONDITIONS if condition not in view.conditions]
    luck.shuffle(cards)
    luck.shuffle(secrets)
    hands, conditions = [], []
    for seat, player in enumerate(view.players):
        mine = seat == view.viewer
        hands.append(list(view.hand) if mine else in_order(_take(cards, player.held)))
        conditions.append(view.conditions if mine else tuple(_take(secrets, len(view.conditions))))
    return TangleState(
        **view.public_fields(),
        seed=luck.randbytes(SEED_SIZE),
        agenda=list(view.agenda),
        pile=cards,
        hands=hands,
        conditions=conditions,
        box=tuple(secrets),
        changed=view.changed,
    )


def _take(pile: list[str], number: int) -> list[str]:
    return [pile.pop() for _ in range(number)]


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


Decide = Callable[[Context, Decision, tuple[ConditionId, ...]], Move]

_TOO_LONG = 60
"""Most decisions to think ahead in one placement."""


class TangleTrial:
    """A position to try moves on; it never changes."""

    def __init__(self, state: TangleState) -> None:
        self._state = state

    @classmethod
    def of(cls, view: TangleView, rng: Random) -> TangleTrial:
        """Sample a position from a view. Raises ValueError for the view of a spectator."""
        state = sample_state(view, rng)
        state.agenda = [] if view.decision is None else [view.decision]
        return cls(state)

    @classmethod
    def at(cls, state: TangleState) -> TangleTrial:
        return cls(state)

    def context(self, seat: Seat) -> Context:
        return context_for(self._state, seat)

    def after(self, move: Move, decide: Decide) -> tuple[Context, int]:
        """Return the context after a placement or a card. `decide` makes all decisions on the way."""
        trial = self._state.copy()
        seat, decision = trial.seat, trial.agenda[-1]
        carry_out(trial, decision, move, price_of(context_for(trial, seat), decision, move))
        trial.agenda = [Placing(), *(later for later in trial.agenda if not isinstance(later, Casting))]
        for _ in range(_TOO_LONG):
            settle(trial)
            asked, context = trial.agenda[-1], context_for(trial, seat)
            if isinstance(asked, Placing):
                return context, trial.extra + asked.extra
            chosen = decide(context, asked, trial.conditions[seat])
            carry_out(trial, asked, chosen, price_of(context, asked, chosen))
        return context_for(trial, seat), 0

    def ends(self, seat: Seat, moves: Sequence[Move], agenda: Sequence[Decision]) -> bool:
        """Return True if these moves end the acting seat's turn.

        False if the seat could cast an enchantment and pay for it, or has steps to share out.
        """
        trial, turn = self._state.copy(), self._state.turn
        if trial.seat != seat or not trial.agenda or isinstance(trial.agenda[-1], Upkeep):
            return False
        trial.agenda = list(agenda)
        for move in (*moves, None):
            if trial.turn != turn or trial.phase == "over":
                return True
            decision, context = trial.agenda[-1], context_for(trial, seat)
            if move is None and (
                not isinstance(decision, Casting) or list(legal(context, decision)) != [TangleDone()]
            ):
                return False
            made = TangleDone() if move is None else move
            carry_out(trial, decision, made, price_of(context, decision, made))
            settle(trial)
        return trial.turn != turn or trial.phase == "over"

    def without(self, seat: Seat, item: str) -> Context:
        trial = self._state.copy()
        upkeep.lose(trial, seat, (item,))
        return context_for(trial, seat)
