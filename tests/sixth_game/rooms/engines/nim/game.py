"""Nim as a game of the house: the contract, carried out by the modules beside it."""

from collections.abc import Iterator, Mapping
from random import Random

from engines.game import Game, Prompt, Seat, Strength, Thinking
from engines.nim import computer
from engines.nim.moves import Event as NimEvent
from engines.nim.moves import Take
from engines.nim.options import Options as NimOptions
from engines.nim.pieces.board import takes
from engines.nim.truth import play as turns
from engines.nim.truth import setup
from engines.nim.truth import visibility
from engines.nim.truth.state import Deal as NimDeal
from engines.nim.truth.state import State as NimState
from engines.nim.view import View as NimView


class Nim(Game[NimState, Take, NimEvent, NimView, NimDeal, NimOptions]):
    """Heaps of stones; who takes the last one wins, or loses."""

    slug = "nim"
    title = "Nim"
    seats = range(2, 5)
    State = NimState
    Move = Take
    Event = NimEvent
    View = NimView
    Deal = NimDeal
    Options = NimOptions

    def deal(self, seats: int, options: NimOptions, seed: bytes) -> NimDeal:
        return setup.dealt(seats, seed)

    def begin(self, seats: int, options: NimOptions, deal: NimDeal, seed: bytes) -> NimState:
        return setup.begun(seats, options, deal, seed)

    def prompts(self, state: NimState) -> Mapping[Seat, Prompt]:
        return {} if state.outcome is not None else {state.seat: Prompt("take")}

    def moves(self, state: NimState, seat: Seat) -> Iterator[Take]:
        return takes(state) if seat in self.prompts(state) else iter(())

    def play(self, state: NimState, seat: Seat, move: Take) -> list[NimEvent]:
        return turns.play(state, seat, move)

    def resign(self, state: NimState, seat: Seat) -> list[NimEvent]:
        return turns.resign(state, seat)

    def view(self, state: NimState, viewer: Seat | None, *, reveals: bool = True) -> NimView:
        return visibility.view_of(state, viewer)

    def post_counter(self, state: NimState) -> int:
        return state.turn + (state.outcome is not None)

    def choose(
        self, view: NimView, seat: Seat, rng: Random, strength: Strength, thinking: Thinking = Thinking.USUAL
    ) -> Take:
        return computer.choose(view, rng, strength)

    def sample_state(self, view: NimView, luck: Random) -> NimState:
        return visibility.sample_state(view, luck)

    def resample_hidden(
        self, state: NimState, viewer: Seat | None, rng: Random, *, reveals: bool = True
    ) -> NimState:
        return visibility.resample_hidden(state, rng)
