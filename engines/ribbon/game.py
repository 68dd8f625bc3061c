"""Ribbon Tangle as a game of the house: the contract, carried out by the modules beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

import msgspec

from engines.game import Advice, Game, Outcome, Prompt, Seat, Strength, Thinking
from engines.ribbon import computer, text
from engines.ribbon.computer import advice
from engines.ribbon.events import Event as RibbonEvent
from engines.ribbon.moves import Flip
from engines.ribbon.moves import Move as RibbonMove
from engines.ribbon.options import Options as RibbonOptions
from engines.ribbon.pieces.components import COMPONENTS
from engines.ribbon.truth import play as turns
from engines.ribbon.truth import setup, visibility
from engines.ribbon.truth.state import Deal as RibbonDeal
from engines.ribbon.truth.state import State as RibbonState
from engines.ribbon.truth.state import owing
from engines.ribbon.view import View as RibbonView
from engines.ribbon.view import since, tally


class Ribbon(Game[RibbonState, RibbonMove, RibbonEvent, RibbonView, RibbonDeal, RibbonOptions]):
    """Twelve cards in a circle, three ribbons, and nobody may leave theirs tangled.

    >>> from engines.ribbon.options import Options
    >>> ribbon = Ribbon()
    >>> options = ribbon.settle(2, Options(mode="coop", first="host"))
    >>> state = ribbon.begin(2, options, ribbon.deal(2, options, b"seed"), b"seed")
    >>> events = ribbon.play(state, state.seat, Flip(4))
    >>> print(ribbon.text(ribbon.view(state, None)).splitlines()[0])
    coop, turn 2, flip owed by seat 1
    """

    slug = "ribbon"
    title = COMPONENTS.title
    most_steps = 700
    seats = range(1, 4)
    State = RibbonState
    Move = RibbonMove
    Event = RibbonEvent
    View = RibbonView
    Deal = RibbonDeal
    Options = RibbonOptions

    def seats_for(self, options: RibbonOptions) -> range:
        """One for solo, else two or three."""
        return range(1, 2) if options.mode == "solo" else range(2, 4)

    def settle(self, seats: int, options: RibbonOptions) -> RibbonOptions:
        """A single seat plays solo whatever the mode says. Rules: Setup."""
        return setup.settled(seats, options)

    def deal(self, seats: int, options: RibbonOptions, seed: bytes) -> RibbonDeal:
        return setup.dealt(seats, options, seed)

    def begin(self, seats: int, options: RibbonOptions, deal: RibbonDeal, seed: bytes) -> RibbonState:
        return setup.begun(seats, options, deal, seed)

    def prompts(self, state: RibbonState) -> Mapping[Seat, Prompt]:
        """The kind of a prompt is the name of the phase."""
        return {seat: Prompt(state.phase) for seat in owing(state)}

    def moves(self, state: RibbonState, seat: Seat) -> Iterator[RibbonMove]:
        return turns.legal_moves(state, seat)

    def play(self, state: RibbonState, seat: Seat, move: RibbonMove) -> list[RibbonEvent]:
        return turns.play(state, seat, move)

    def resign(self, state: RibbonState, seat: Seat) -> list[RibbonEvent]:
        return turns.resign(state, seat)

    def view(self, state: RibbonState, viewer: Seat | None) -> RibbonView:
        return visibility.view_of(state, viewer)

    def since(self, view: RibbonView, before: RibbonView) -> RibbonView:
        return since(view, before)

    def outcome(self, state: RibbonState) -> Outcome | None:
        return state.outcome

    def beat(self, state: RibbonState) -> int:
        """Grows with each ribbon that is taken, each turn, each offer of a tie, its end, and the game's."""
        chosen = sum(colour is not None for colour in state.ribbons) + (state.start_hand is not None)
        declined = state.offered and state.phase != "tie_vote"
        return 3 * state.turn + state.offered + declined + chosen + (state.phase == "over")

    def forced(self, state: RibbonState, seat: Seat) -> Flip | None:
        """The flip of the last face-down card."""
        if state.phase != "flip" or seat != state.seat or state.circle.count(None) != 1:
            return None
        return Flip(state.circle.index(None) + 1)

    def tally(self, view: RibbonView, end: RibbonView) -> tuple[int | None, ...]:
        return tally(view, end)

    def hand(self, state: RibbonState, seat: Seat) -> bytes | None:
        """Only versus has secret hands. A tie is answered from the hand message too."""
        cards = visibility.secret_hand(state, seat)
        asked = seat in state.voters
        return msgspec.msgpack.encode((cards, state.shown[seat], asked)) if cards else None

    def choose(
        self,
        view: RibbonView,
        seat: Seat,
        rng: Random,
        strength: Strength,
        thinking: Thinking = Thinking.USUAL,
    ) -> RibbonMove:
        return computer.choose(view, seat, rng, strength, self, thinking)

    def advice(self, view: RibbonView, seat: Seat, rng: Random) -> list[Advice]:
        return advice.advice(view, seat, rng, self)

    def estimate(self, view: RibbonView, seat: Seat) -> float | None:
        return advice.estimate(view, seat)

    def together(self, options: RibbonOptions) -> bool:
        """In co-op, and alone."""
        return options.mode != "versus"

    def imagine(self, view: RibbonView, luck: Random) -> RibbonState:
        return visibility.imagined(view, luck)

    def redeal(self, state: RibbonState, viewer: Seat | None, rng: Random) -> RibbonState:
        return visibility.redeal(state, viewer, rng)

    def text(self, view: RibbonView) -> str:
        return text.readable(view)
