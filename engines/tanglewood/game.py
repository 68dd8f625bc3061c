"""Tanglewood as a game of the house: the contract, carried out by the modules beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from random import Random

import msgspec

from engines.game import Advice, Game, Outcome, Prompt, Seat, Strength, Thinking
from engines.tanglewood import computer, preview, text
from engines.tanglewood.computer import advice
from engines.tanglewood.events import Event as TanglewoodEvent
from engines.tanglewood.moves import Move as TanglewoodMove
from engines.tanglewood.options import Options as TanglewoodOptions
from engines.tanglewood.truth import play as turns
from engines.tanglewood.truth import setup, visibility
from engines.tanglewood.truth.state import Deal as TanglewoodDeal
from engines.tanglewood.truth.state import State as TanglewoodState
from engines.tanglewood.truth.state import owing
from engines.tanglewood.view import View as TanglewoodView
from engines.tanglewood.view import since, tally


class Tanglewood(
    Game[
        TanglewoodState,
        TanglewoodMove,
        TanglewoodEvent,
        TanglewoodView,
        TanglewoodDeal,
        TanglewoodOptions,
    ]
):
    """Nine regions, a Tangle on each, and two elections.

    >>> from engines.tanglewood.moves import Draw
    >>> tanglewood = Tanglewood()
    >>> options = TanglewoodOptions(first="host")
    >>> state = tanglewood.begin(4, options, tanglewood.deal(4, options, b"seed"), b"seed")
    >>> events = tanglewood.play(state, 0, Draw())
    >>> print(tanglewood.text(tanglewood.view(state, None)).splitlines()[0])
    full, round 1, turn 2, turn owed by seat 1
    """

    slug = "tanglewood"
    title = "Tanglewood"
    most_steps = 500
    seats = range(3, 6)
    State = TanglewoodState
    Move = TanglewoodMove
    Event = TanglewoodEvent
    View = TanglewoodView
    Deal = TanglewoodDeal
    Options = TanglewoodOptions

    def seats_for(self, options: TanglewoodOptions) -> range:
        """Three to five, whatever the options."""
        return self.seats

    def deal(self, seats: int, options: TanglewoodOptions, seed: bytes) -> TanglewoodDeal:
        return setup.dealt(seats, options, seed)

    def begin(
        self, seats: int, options: TanglewoodOptions, deal: TanglewoodDeal, seed: bytes
    ) -> TanglewoodState:
        return setup.begun(seats, self.settle(seats, options), deal, seed)

    def prompts(self, state: TanglewoodState) -> Mapping[Seat, Prompt]:
        """The kind of a prompt is the name of the phase."""
        return {seat: Prompt(state.phase) for seat in owing(state)}

    def moves(self, state: TanglewoodState, seat: Seat) -> Iterator[TanglewoodMove]:
        return turns.legal_moves(state, seat)

    def play(self, state: TanglewoodState, seat: Seat, move: TanglewoodMove) -> list[TanglewoodEvent]:
        return turns.play(state, seat, move)

    def resign(self, state: TanglewoodState, seat: Seat) -> list[TanglewoodEvent]:
        return turns.resign(state, seat)

    def view(self, state: TanglewoodState, viewer: Seat | None) -> TanglewoodView:
        return visibility.view_of(state, viewer)

    def since(self, view: TanglewoodView, before: TanglewoodView) -> TanglewoodView:
        return since(view, before)

    def outcome(self, state: TanglewoodState) -> Outcome | None:
        return state.outcome

    def beat(self, state: TanglewoodState) -> int:
        """Grows with every turn, every time that ballots are chosen or kept, and the end."""
        return state.turns + 2 * len(state.scorings) + (state.phase in ("ballots", "over"))

    def forced(self, state: TanglewoodState, seat: Seat) -> TanglewoodMove | None:
        """The one choice that a Tangle or a benefit leaves; what is chosen in secret is always asked for."""
        if state.phase not in ("step", "benefit", "effect"):
            return None
        first = list(islice(self.moves(state, seat), 2))
        return first[0] if len(first) == 1 else None

    def ends_turn(self, view: TanglewoodView, seat: Seat, moves: Sequence[TanglewoodMove]) -> bool:
        """As a preview of its one move finds."""
        return preview.ends_turn(view, seat, moves[0])

    def copied(self, state: TanglewoodState) -> TanglewoodState:
        return state.copied()

    def tally(self, view: TanglewoodView, end: TanglewoodView) -> tuple[int | None, ...]:
        return tally(view)

    def hand(self, state: TanglewoodState, seat: Seat) -> bytes | None:
        """The ballots of the seat; None when it has none or the game is over."""
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
        return advice.advice(view, seat, rng, self)

    def estimate(self, view: TanglewoodView, seat: Seat) -> float | None:
        return advice.estimate(view, seat)

    def imagine(self, view: TanglewoodView, luck: Random) -> TanglewoodState:
        return visibility.imagined(view, luck)

    def redeal(self, state: TanglewoodState, viewer: Seat | None, rng: Random) -> TanglewoodState:
        return visibility.redeal(state, viewer, rng)

    def text(self, view: TanglewoodView) -> str:
        return text.readable(view)
