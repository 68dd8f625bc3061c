"""Tangram City as a game of the house: the contract, carried out by the modules beside it."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from engines.analysis.daily import FAIR, GOOD, POOR, DailyGame, DailyVerdict, TurnSummary, stretches
from engines.game import Game, Outcome, Prompt, Seat
from engines.tangram import computer
from engines.tangram import view as views
from engines.tangram.moves import Event as TangramEvent
from engines.tangram.moves import Move as TangramMove
from engines.tangram.pieces.components import TangramOptions
from engines.tangram.truth import play as turns
from engines.tangram.truth import state as states
from engines.tangram.truth import visibility
from engines.tangram.truth.state import TangramDeal, TangramState, owing
from engines.tangram.view import TangramView


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
    chance_scale = 17.0
    seats = range(1, 6)
    simultaneous = True
    State = TangramState
    Move = TangramMove
    Event = TangramEvent
    View = TangramView
    Deal = TangramDeal
    Options = TangramOptions
    deal = staticmethod(states.deal)
    play = staticmethod(turns.play)
    resign = staticmethod(turns.resign)
    view = staticmethod(visibility.view_of)
    since = staticmethod(views.since)
    choose = staticmethod(computer.choose)
    advice = staticmethod(computer.advice)
    estimate = staticmethod(computer.estimate)
    sample_state = staticmethod(visibility.sample_state)
    resample_hidden = staticmethod(visibility.resample_hidden)

    def settle(self, seats: int, options: TangramOptions) -> TangramOptions:
        return states.settle(super().settle(seats, options))

    def begin(self, seats: int, options: TangramOptions, deal: TangramDeal, seed: bytes) -> TangramState:
        return states.begin(seats, self.settle(seats, options), deal)

    def prompts(self, state: TangramState) -> Mapping[Seat, Prompt]:
        return {seat: Prompt(state.phase) for seat in owing(state)}

    def moves(self, state: TangramState, seat: Seat) -> Iterator[TangramMove]:
        """Include new answers of seats that have answered. Rules: A step."""
        return turns.legal_moves(state, seat)

    def post_counter(self, state: TangramState) -> int:
        """Count steps, and the end of the game."""
        return state.step + (state.phase == "over")

    def tally(self, view: TangramView, end: TangramView) -> tuple[int | None, ...]:
        return views.tally(view)

    def hand(self, state: TangramState, seat: Seat) -> bytes | None:
        """Return the seat's cards that not everybody sees."""
        cards = visibility.secret_cards(state, seat)
        return msgspec.msgpack.encode(cards) if cards else None


class TangramDaily(DailyGame):
    """Judged by the score of the city."""

    def verdict(self, outcome: Outcome, view: TangramView, seat: Seat) -> DailyVerdict:
        score = (outcome.scores or (0,))[seat]
        return DailyVerdict(score, f"{score} {'point' if score == 1 else 'points'}")

    def signs(self, outcome: Outcome, turns: Sequence[TurnSummary], seat: Seat) -> str:
        """Rate stretches of turns by their points within the same play."""
        scores = [one.tally[seat] or 0 for one in turns if one.tally is not None]
        gains = [after - before for before, after in itertools.pairwise(scores)]
        parts = [sum(part) for part in stretches(gains)]
        usual = sum(parts) / len(parts) if parts else 0.0
        return "".join(GOOD if gain >= usual else FAIR if gain > 0 else POOR for gain in parts)


DAILY = TangramDaily(Path(__file__).with_name("daily.toml"))
