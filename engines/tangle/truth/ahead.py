"""The next turn of a seat, if everybody before it did nothing."""

from __future__ import annotations

from random import Random

from engines.game import Seat
from engines.tangle.truth import upkeep
from engines.tangle.truth.agenda import settle
from engines.tangle.truth.ending import begin_turn, next_seat
from engines.tangle.truth.play import play
from engines.tangle.truth.state import owing
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
