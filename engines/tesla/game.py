"""Tesla's Tangle as a game of the house: the contract, carried out by the modules beside it."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from engines.analysis.daily import DailyDuel
from engines.game import Advice, Game, Prompt, Seat, Strength, Thinking
from engines.tesla import computer
from engines.tesla import view as views
from engines.tesla.legal.moves import marker_spots
from engines.tesla.moves import EndReplay
from engines.tesla.moves import Event as TeslaEvent
from engines.tesla.moves import Move as TeslaMove
from engines.tesla.pieces.components import TeslaOptions
from engines.tesla.preview import gains_of
from engines.tesla.truth import play as turns
from engines.tesla.truth import state as states
from engines.tesla.truth import visibility
from engines.tesla.truth.state import TeslaDeal, TeslaState
from engines.tesla.view import TeslaView


class Tesla(Game[TeslaState, TeslaMove, TeslaEvent, TeslaView, TeslaDeal, TeslaOptions]):
    """Circuits of tiles, and markers on them that are worth the more the longer the circuits grow.

    >>> from engines.tesla.moves import TeslaEndTurn
    >>> from engines.tesla.pieces.components import TeslaOptions
    >>> tesla = Tesla()
    >>> options = tesla.settle(2, TeslaOptions())
    >>> state = tesla.begin(2, options, tesla.deal(2, options, b"seed"), b"seed")
    >>> events = tesla.play(state, state.seat, TeslaEndTurn())
    >>> sorted(tesla.prompts(state))
    [1]
    """

    slug = "tesla"
    title = "Tesla's Tangle"
    most_steps = 3500
    chance_scale = 35.0
    seats = states.SEATS
    State = TeslaState
    Move = TeslaMove
    Event = TeslaEvent
    View = TeslaView
    Deal = TeslaDeal
    Options = TeslaOptions
    settle = staticmethod(states.settled)
    deal = staticmethod(states.deal)
    begin = staticmethod(states.begin)
    play = staticmethod(turns.play)
    resign = staticmethod(turns.resign)
    view = staticmethod(visibility.view_of)
    since = staticmethod(views.since)
    ahead = staticmethod(visibility.ahead)
    preview = staticmethod(gains_of)
    estimate = staticmethod(computer.estimate)
    sample_state = staticmethod(visibility.sample_state)
    resample_hidden = staticmethod(visibility.resample_hidden)

    def moves(self, state: TeslaState, seat: Seat) -> Iterator[TeslaMove]:
        return turns.legal_moves(state, seat)

    def prompts(self, state: TeslaState) -> Mapping[Seat, Prompt]:
        return {} if state.phase == "over" else {state.seat: Prompt(state.phase)}

    def post_counter(self, state: TeslaState) -> int:
        """Count turns, and the end of the game."""
        return state.turn + (state.phase == "over")

    def only_move(self, state: TeslaState, seat: Seat) -> EndReplay | None:
        """End a replay if no marker can be put anywhere."""
        if state.phase != "replay" or seat != state.seat:
            return None
        return EndReplay() if next(marker_spots(state), None) is None else None

    def own_facts(self, view: TeslaView, seat: Seat) -> tuple[Any, ...]:
        return view.scores[seat], view.supplies[seat], view.hands[seat]

    def copy(self, state: TeslaState) -> TeslaState:
        return state.copy()

    def tally(self, view: TeslaView, end: TeslaView) -> tuple[int | None, ...]:
        return views.tally(view)

    def hand(self, state: TeslaState, seat: Seat) -> bytes | None:
        """Count the refills of the hand, which trigger its DM. None once the seat is out."""
        return None if seat in state.out else msgspec.msgpack.encode(state.refills[seat])

    def choose(
        self,
        view: TeslaView,
        seat: Seat,
        rng: Random,
        strength: Strength,
        thinking: Thinking = Thinking.USUAL,
    ) -> TeslaMove:
        return computer.choose(view, seat, rng, strength, self, thinking)

    def advice(self, view: TeslaView, seat: Seat, rng: Random) -> list[Advice]:
        return computer.advice(view, seat, rng, self)


DAILY = DailyDuel(Path(__file__).with_name("daily.toml"))
