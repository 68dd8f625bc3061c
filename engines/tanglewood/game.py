"""Tanglewood as a game of the house: the contract, carried out by the modules beside it."""

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from engines.analysis.daily import DailyDuel
from engines.game import Advice, Game, Prompt, Seat, Strength, Thinking
from engines.tanglewood import computer, preview
from engines.tanglewood import view as views
from engines.tanglewood.moves import Event as TanglewoodEvent
from engines.tanglewood.moves import Move as TanglewoodMove
from engines.tanglewood.pieces.components import TanglewoodOptions
from engines.tanglewood.truth import play as turns
from engines.tanglewood.truth import state as states
from engines.tanglewood.truth import visibility
from engines.tanglewood.truth.state import TanglewoodDeal, TanglewoodState, owing
from engines.tanglewood.view import TanglewoodView


class Tanglewood(
    Game[TanglewoodState, TanglewoodMove, TanglewoodEvent, TanglewoodView, TanglewoodDeal, TanglewoodOptions]
):
    """Nine regions, a Tangle on each, and two elections.

    >>> from engines.tanglewood.moves import TanglewoodDraw
    >>> tanglewood = Tanglewood()
    >>> options = TanglewoodOptions(first="host")
    >>> state = tanglewood.begin(4, options, tanglewood.deal(4, options, b"seed"), b"seed")
    >>> events = tanglewood.play(state, 0, TanglewoodDraw())
    >>> sorted(tanglewood.prompts(state))
    [1]
    """

    slug = "tanglewood"
    title = "Tanglewood"
    most_steps = 500
    chance_scale = 7.0
    thinks_quickly = False
    seats = range(3, 6)
    State = TanglewoodState
    Move = TanglewoodMove
    Event = TanglewoodEvent
    View = TanglewoodView
    Deal = TanglewoodDeal
    Options = TanglewoodOptions
    deal = staticmethod(states.deal)
    moves = staticmethod(turns.legal_moves)
    play = staticmethod(turns.play)
    resign = staticmethod(turns.resign)
    view = staticmethod(visibility.view_of)
    since = staticmethod(views.since)
    ahead = staticmethod(visibility.ahead)
    preview = staticmethod(preview.effect_of_move)
    estimate = staticmethod(computer.estimate)
    sample_state = staticmethod(visibility.sample_state)
    resample_hidden = staticmethod(visibility.resample_hidden)

    def begin(
        self, seats: int, options: TanglewoodOptions, deal: TanglewoodDeal, seed: bytes
    ) -> TanglewoodState:
        return states.begin(seats, self.settle(seats, options), deal, seed)

    def prompts(self, state: TanglewoodState) -> Mapping[Seat, Prompt]:
        return {seat: Prompt(state.phase) for seat in owing(state)}

    def post_counter(self, state: TanglewoodState) -> int:
        """Count 4 a turn: the turn, the choices of ballots to play and to keep after it, and the end."""
        return 4 * state.turns + {"ballots": 1, "keep": 2, "over": 3}.get(state.phase, 0)

    def turn_at(self, beat: int, seats: int, options: TanglewoodOptions) -> int:
        """See `Game.turn_at`; a vote belongs to the turn before it."""
        return beat // 4

    def only_move(self, state: TanglewoodState, seat: Seat) -> TanglewoodMove | None:
        """Return a Tangle's or benefit's only choice. Secret choices are always asked for."""
        if state.phase not in ("step", "benefit", "effect"):
            return None
        first = list(islice(self.moves(state, seat), 2))
        return first[0] if len(first) == 1 else None

    def ends_turn(self, view: TanglewoodView, seat: Seat, moves: Sequence[TanglewoodMove]) -> bool:
        return preview.ends_turn(view, seat, moves[0])

    def has_turn(self, view: TanglewoodView, seat: Seat) -> bool:
        return view.seat == seat

    def standing_answers(self, options: TanglewoodOptions) -> tuple[str, ...]:
        """Return answers to which ballots to play and keep."""
        return (visibility.MOST_VOTES,)

    def standing_move(self, view: TanglewoodView, seat: Seat, answer: str) -> TanglewoodMove | None:
        return visibility.standing_answer(view, seat, answer)

    def is_answer_secret(self, view: TanglewoodView, seat: Seat) -> bool:
        """Return True for ballots: who answers at once has answered ahead."""
        return view.phase in ("ballots", "keep")

    def own_facts(self, view: TanglewoodView, seat: Seat) -> tuple[Any, ...]:
        own = (view.votes, view.circles, view.draw_levels, view.place_levels, view.steps)
        return tuple(fact[seat] for fact in own)

    def copy(self, state: TanglewoodState) -> TanglewoodState:
        return state.copy()

    def tally(self, view: TanglewoodView, end: TanglewoodView) -> tuple[int | None, ...]:
        return views.tally(view)

    def hand(self, state: TanglewoodState, seat: Seat) -> bytes | None:
        """Return the ballots of the seat. None if it has none or the game is over."""
        hand = state.hands[seat]
        return msgspec.msgpack.encode(hand) if hand and state.phase != "over" else None

    def choose(
        self,
        view: TanglewoodView,
        seat: Seat,
        rng: Random,
        strength: Strength,
        thinking: Thinking = Thinking.USUAL,
    ) -> TanglewoodMove:
        return computer.choose(view, seat, rng, strength, self, thinking)

    def advice(self, view: TanglewoodView, seat: Seat, rng: Random) -> list[Advice]:
        return computer.advice(view, seat, rng, self)


class TanglewoodDaily(DailyDuel):
    """Decided by a margin of votes."""

    unit = ("vote", "votes")


DAILY = TanglewoodDaily(Path(__file__).with_name("daily.toml"))
