"""Tangle as a game of the house: the contract, carried out by the modules beside it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from engines.analysis.daily import DailyDuel
from engines.game import Advice, Game, Outcome, Prompt, Seat, Strength, Thinking
from engines.tangle import computer
from engines.tangle import view as views
from engines.tangle.legal import context
from engines.tangle.moves import Event as TangleEvent
from engines.tangle.moves import Move as TangleMove
from engines.tangle.moves import TanglePlace
from engines.tangle.pieces.components import TangleOptions
from engines.tangle.preview import TanglePlacementPreview
from engines.tangle.truth import play as turns
from engines.tangle.truth import state as states
from engines.tangle.truth import upkeep, visibility
from engines.tangle.truth.state import TangleDeal, TangleState, owing
from engines.tangle.view import Player, TangleView


class Tangle(Game[TangleState, TangleMove, TangleEvent, TangleView, TangleDeal, TangleOptions]):
    """Wandering roots, a territory that grows, and three secret conditions: one of them wins.

    >>> from engines.tangle.moves import TanglePlace
    >>> tangle = Tangle()
    >>> state = tangle.begin(2, TangleOptions(), tangle.deal(2, TangleOptions(), b"seed"), b"seed")
    >>> [type(event).__name__ for event in tangle.play(state, 0, TanglePlace("B5", "N"))]
    ['RootMoved', 'Took']
    """

    slug = "tangle"
    title = "Tangle"
    most_steps = 1500
    chance_scale = 5.0
    seats = states.SEATS
    draws_seats = True
    State = TangleState
    Move = TangleMove
    Event = TangleEvent
    View = TangleView
    Deal = TangleDeal
    Options = TangleOptions
    moves = staticmethod(turns.legal_moves)
    play = staticmethod(turns.play)
    resign = staticmethod(turns.resign)
    view = staticmethod(visibility.view_of)
    since = staticmethod(views.since)
    ahead = staticmethod(visibility.ahead)
    foresee = staticmethod(visibility.foresee)
    tally = staticmethod(context.tally)
    estimate = staticmethod(computer.estimate)
    sample_state = staticmethod(visibility.sample_state)
    resample_hidden = staticmethod(visibility.resample_hidden)

    def settle(self, seats: int, options: TangleOptions) -> TangleOptions:
        return states.settle(seats, super().settle(seats, options))

    def deal(self, seats: int, options: TangleOptions, seed: bytes) -> TangleDeal:
        return states.deal(options, seed)

    def begin(self, seats: int, options: TangleOptions, deal: TangleDeal, seed: bytes) -> TangleState:
        return states.begin(seats, self.settle(seats, options), deal, seed)

    def prompts(self, state: TangleState) -> Mapping[Seat, Prompt]:
        decision = state.decision
        if decision is None:
            return {}
        kind = str(type(decision).__struct_config__.tag)
        return {seat: Prompt(kind) for seat in owing(state)}

    def automatic_move(self, state: TangleState, seat: Seat) -> TangleMove | None:
        """Keep all at upkeep if possible, unless the options say to ask."""
        return upkeep.automatic_answer(state, seat) if state.options.upkeep == "alone" else None

    def ends_turn(self, view: TangleView, seat: Seat, moves: Sequence[TangleMove]) -> bool:
        """Try the moves on a position that the seat can't rule out."""
        return visibility.TangleTrial.of(view, Random(0)).ends(seat, moves, view.agenda)

    def post_counter(self, state: TangleState) -> int:
        """Count turns, and the beginning and end of upkeep that others pay."""
        return state.beat

    def has_turn(self, view: TangleView, seat: Seat) -> bool:
        return view.seat == seat

    def preview(self, view: TangleView, seat: Seat, move: TangleMove) -> TanglePlacementPreview | None:
        return visibility.preview_placement(view, seat, move) if isinstance(move, TanglePlace) else None

    def own_facts(self, view: TangleView, seat: Seat) -> Player:
        return view.players[seat]

    def standing_answers(self, options: TangleOptions) -> tuple[str, ...]:
        """Return answers to upkeep, at tables that ask everybody."""
        return upkeep.STANDING if options.upkeep == "asked" else ()

    def standing_move(self, view: TangleView, seat: Seat, answer: str) -> TangleMove | None:
        return upkeep.standing_answer(visibility.sample_state(view, Random(0)), seat, answer)

    def copy(self, state: TangleState) -> TangleState:
        return state.copy()

    def hand(self, state: TangleState, seat: Seat) -> bytes | None:
        """Return the cards and conditions of the seat. None once it has left or the game is over."""
        if state.phase == "over" or seat in state.out:
            return None
        return msgspec.msgpack.encode((state.hands[seat], state.conditions[seat]))

    def choose(
        self,
        view: TangleView,
        seat: Seat,
        rng: Random,
        strength: Strength,
        thinking: Thinking = Thinking.USUAL,
    ) -> TangleMove:
        return computer.choose(view, seat, rng, strength, self, visibility.TangleTrial, thinking)

    def advice(self, view: TangleView, seat: Seat, rng: Random) -> list[Advice]:
        return computer.advice(view, seat, rng, self, visibility.TangleTrial)


class TangleDaily(DailyDuel):
    """Decided by the loser's shortfall on the best of their conditions."""

    unit = ("step", "steps")
    fewer_is_better = True

    def margin(self, outcome: Outcome, view: Any, seat: Seat) -> int:
        lacks = [10**3 if one is None else one for one in context.tally(view, view) or (0,) * view.seats]
        return min(lack for other, lack in enumerate(lacks) if other != seat) - lacks[seat]


DAILY = TangleDaily(Path(__file__).with_name("daily.toml"))
