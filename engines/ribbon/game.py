"""Ribbon Tangle as a game of the house: the contract, carried out by the modules beside it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import msgspec

from engines.analysis.daily import FAIR, GOOD, POOR, DailyGame, DailyVerdict, TurnSummary, row
from engines.game import Advice, Game, Outcome, Prompt, Seat, Strength, Thinking
from engines.ribbon import computer
from engines.ribbon import view as views
from engines.ribbon.moves import Event as RibbonEvent
from engines.ribbon.moves import Flip
from engines.ribbon.moves import Move as RibbonMove
from engines.ribbon.pieces.components import COMPONENTS, RibbonOptions
from engines.ribbon.truth import play as turns
from engines.ribbon.truth import state as states
from engines.ribbon.truth import visibility
from engines.ribbon.truth.state import RibbonDeal, RibbonState, owing
from engines.ribbon.view import RibbonView, tangles_of


class Ribbon(Game[RibbonState, RibbonMove, RibbonEvent, RibbonView, RibbonDeal, RibbonOptions]):
    """Twelve cards in a circle, three ribbons, and nobody may leave theirs tangled.

    >>> from engines.ribbon.pieces.components import RibbonOptions
    >>> ribbon = Ribbon()
    >>> options = ribbon.settle(2, RibbonOptions(mode="coop", first="host"))
    >>> state = ribbon.begin(2, options, ribbon.deal(2, options, b"seed"), b"seed")
    >>> events = ribbon.play(state, state.seat, Flip(4))
    >>> sorted(ribbon.prompts(state))
    [1]
    """

    slug = "ribbon"
    title = COMPONENTS.title
    most_steps = 700
    chance_scale = 35.0
    seats = range(1, 4)
    State = RibbonState
    Move = RibbonMove
    Event = RibbonEvent
    View = RibbonView
    Deal = RibbonDeal
    Options = RibbonOptions
    deal = staticmethod(states.deal)
    begin = staticmethod(states.begin)
    moves = staticmethod(turns.legal_moves)
    play = staticmethod(turns.play)
    resign = staticmethod(turns.resign)
    view = staticmethod(visibility.view_of)
    since = staticmethod(views.since)
    tally = staticmethod(views.tally)
    estimate = staticmethod(computer.estimate)
    sample_state = staticmethod(visibility.sample_state)
    resample_hidden = staticmethod(visibility.resample_hidden)

    def seats_for(self, options: RibbonOptions) -> range:
        return range(1, 2) if options.mode == "solo" else range(2, 4)

    def settle(self, seats: int, options: RibbonOptions) -> RibbonOptions:
        """Treat a single seat as solo whatever the mode says. Rules: Setup."""
        return states.settle(seats, options)

    def prompts(self, state: RibbonState) -> Mapping[Seat, Prompt]:
        return {seat: Prompt(state.phase) for seat in owing(state)}

    def post_counter(self, state: RibbonState) -> int:
        """Count beats: choices, turns, offers of a tie, and the end."""
        chosen = sum(colour is not None for colour in state.ribbons) + (state.start_hand is not None)
        declined = state.offered and state.phase != "tie_vote"
        return 3 * state.turn + state.offered + declined + chosen + (state.phase == "over")

    def turn_at(self, beat: int, seats: int, options: RibbonOptions) -> int | None:
        """See `Game.turn_at`; `post_counter` counts 3 a turn, and the choices before."""
        choices = {"versus": seats, "coop": 0, "solo": 1}[options.mode]
        return (beat - choices) // 3 or None

    def tally_at_exit(self, view: RibbonView, end: RibbonView, seat: Seat) -> int | None:
        """Return the tangles that put a seat out."""
        colour = end.ribbons[seat]
        return None if colour is None else len(tangles_of(view, colour))

    def only_move(self, state: RibbonState, seat: Seat) -> Flip | None:
        """Return the flip of the last face-down card."""
        if state.phase != "flip" or seat != state.seat or state.circle.count(None) != 1:
            return None
        return Flip(state.circle.index(None) + 1)

    def hand(self, state: RibbonState, seat: Seat) -> bytes | None:
        """Return a secret hand in versus only. A tie is answered from the hand message too."""
        cards = visibility.secret_hand(state, seat)
        return msgspec.msgpack.encode((cards, state.shown[seat], seat in state.voters)) if cards else None

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
        return computer.advice(view, seat, rng, self)

    def is_team_game(self, options: RibbonOptions) -> bool:
        return options.mode != "versus"


WIN_BONUS = 1000
"""Ranks every win above all losses."""
PLAIN_MOVES = 2
"""The moves of a turn without an arrangement: the flip, and its end."""


class RibbonDaily(DailyGame):
    """Ranks wins by fewer turns, losses by more open cards."""

    def verdict(self, outcome: Outcome, view: RibbonView, seat: Seat) -> DailyVerdict:
        if outcome.won:
            return DailyVerdict(WIN_BONUS - view.turn, f"won on turn {view.turn}")
        return DailyVerdict(sum(card is not None for card in view.circle), f"lost on turn {view.turn}")

    def signs(self, outcome: Outcome, turns: Sequence[TurnSummary], seat: Seat) -> str:
        """Return a sign a turn, from the first flip on. To choose a hand comes before the first turn."""
        played = [one for one in turns if one.moves][1:]
        texts = [GOOD if one.moves <= PLAIN_MOVES else FAIR for one in played]
        return row([*texts[:-1], *([POOR] if texts and not outcome.won else texts[-1:])])


DAILY = RibbonDaily(Path(__file__).with_name("daily.toml"))
