"""Tangram City as a game of the house: the contract, carried out by the modules beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

import msgspec

from engines.game import Advice, Game, Outcome, Prompt, Seat, Strength, Thinking
from engines.tangram import computer, text
from engines.tangram.computer import advice
from engines.tangram.events import Event as TangramEvent
from engines.tangram.moves import Move as TangramMove
from engines.tangram.options import Options as TangramOptions
from engines.tangram.truth import play as turns
from engines.tangram.truth import setup, visibility
from engines.tangram.truth.state import Deal as TangramDeal
from engines.tangram.truth.state import State as TangramState
from engines.tangram.truth.state import owing
from engines.tangram.view import View as TangramView
from engines.tangram.view import since, tally


class Tangram(Game[TangramState, TangramMove, TangramEvent, TangramView, TangramDeal, TangramOptions]):
    """Everybody fits the same tiles into a city of their own.

    >>> tangram = Tangram()
    >>> options = tangram.settle(2, TangramOptions())
    >>> state = tangram.begin(2, options, tangram.deal(2, options, b"seed"), b"seed")
    >>> sorted(tangram.prompts(state))
    [0, 1]
    """

    slug = "tangram"
    title = "Tangram City"
    most_steps = 2500
    seats = range(1, 6)
    simultaneous = True
    State = TangramState
    Move = TangramMove
    Event = TangramEvent
    View = TangramView
    Deal = TangramDeal
    Options = TangramOptions

    def seats_for(self, options: TangramOptions) -> range:
        """One to five, whatever the options."""
        return self.seats

    def deal(self, seats: int, options: TangramOptions, seed: bytes) -> TangramDeal:
        return setup.dealt(seats, options, seed)

    def begin(self, seats: int, options: TangramOptions, deal: TangramDeal, seed: bytes) -> TangramState:
        self.settle(seats, options)
        return setup.begun(seats, options, deal)

    def prompts(self, state: TangramState) -> Mapping[Seat, Prompt]:
        """The kind of a prompt is the name of the phase."""
        return {seat: Prompt(state.phase) for seat in owing(state)}

    def moves(self, state: TangramState, seat: Seat) -> Iterator[TangramMove]:
        """Who has answered may answer again. Rules: A step."""
        return turns.legal_moves(state, seat)

    def play(self, state: TangramState, seat: Seat, move: TangramMove) -> list[TangramEvent]:
        return turns.play(state, seat, move)

    def resign(self, state: TangramState, seat: Seat) -> list[TangramEvent]:
        return turns.resign(state, seat)

    def view(self, state: TangramState, viewer: Seat | None) -> TangramView:
        return visibility.view_of(state, viewer)

    def since(self, view: TangramView, before: TangramView) -> TangramView:
        return since(view, before)

    def outcome(self, state: TangramState) -> Outcome | None:
        return state.outcome

    def beat(self, state: TangramState) -> int:
        """The number of the open step, and one more when the game is over."""
        return state.step + (state.phase == "over")

    def tally(self, view: TangramView, end: TangramView) -> tuple[int | None, ...]:
        return tally(view)

    def hand(self, state: TangramState, seat: Seat) -> bytes | None:
        """The cards that the seat holds and not everybody sees."""
        cards = visibility.secret_cards(state, seat)
        return msgspec.msgpack.encode(cards) if cards else None

    def choose(
        self,
        view: TangramView,
        seat: Seat,
        rng: Random,
        strength: Strength,
        thinking: Thinking = Thinking.USUAL,
    ) -> TangramMove:
        return computer.choose(view, seat, rng, strength, thinking)

    def advice(self, view: TangramView, seat: Seat, rng: Random) -> list[Advice]:
        return advice.advice(view, seat, rng)

    def estimate(self, view: TangramView, seat: Seat) -> float | None:
        return advice.estimate(view, seat)

    def imagine(self, view: TangramView, luck: Random) -> TangramState:
        return visibility.imagined(view, luck)

    def redeal(self, state: TangramState, viewer: Seat | None, rng: Random) -> TangramState:
        return visibility.redeal(state, viewer, rng)

    def text(self, view: TangramView) -> str:
        return text.readable(view)
