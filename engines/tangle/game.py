"""Tangle as a game of the house: the contract, and its puzzles.

Modules beside this one carry the contract out. The puzzles are turns that win for certain.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from engines.analysis.daily import DailyDuel
from engines.analysis.puzzles import FILE, Puzzle, PuzzleCandidate, PuzzleStep, PuzzleTable, WinningPuzzles
from engines.game import Advice, Game, IllegalMove, Outcome, Prompt, Seat, Strength, Thinking
from engines.marks import capital
from engines.tangle import computer
from engines.tangle import view as views
from engines.tangle.computer.search import winning_line
from engines.tangle.decisions import Placing
from engines.tangle.legal import context
from engines.tangle.moves import Event as TangleEvent
from engines.tangle.moves import Move as TangleMove
from engines.tangle.moves import TangleDone, TanglePlace
from engines.tangle.pieces.card_language import CountName
from engines.tangle.pieces.components import CARDS, CONDITIONS, ConditionId, TangleOptions
from engines.tangle.preview import TanglePlacementPreview
from engines.tangle.truth import play as turns
from engines.tangle.truth import setup, upkeep, visibility
from engines.tangle.truth.state import TangleDeal, TangleState, owing
from engines.tangle.view import Player, TangleView
from engines.tangle.words.board import COUNTS
from engines.tangle.words.captions import numbers
from engines.tangle.words.event_lines import move_name
from engines.words import Names, count_noun, join_phrases, join_words


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
    seats = setup.SEATS
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
        return setup.settle(seats, super().settle(seats, options))

    def deal(self, seats: int, options: TangleOptions, seed: bytes) -> TangleDeal:
        return setup.deal(options, seed)

    def begin(self, seats: int, options: TangleOptions, deal: TangleDeal, seed: bytes) -> TangleState:
        return setup.begin(seats, self.settle(seats, options), deal, seed)

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


GAME = Tangle()


class TangleDaily(DailyDuel):
    """Decided by the loser's shortfall on the best of their conditions."""

    unit = ("step", "steps")
    fewer_is_better = True

    def margin(self, outcome: Outcome, view: Any, seat: Seat) -> int:
        lacks = [10**3 if one is None else one for one in context.tally(view, view) or (0,) * view.seats]
        return min(lack for other, lack in enumerate(lacks) if other != seat) - lacks[seat]


DAILY = TangleDaily(Path(__file__).with_name("daily.toml"))


NOT_WON = "The turn is over, and you haven't won."


def _find_lacks(condition: ConditionId, have: Mapping[CountName, int]) -> dict[CountName, int]:
    need = CONDITIONS[condition].need
    return {name: most - have.get(name, 0) for name, most in need.items() if most > have.get(name, 0)}


def _explain_moves(
    steps: Sequence[PuzzleStep], seat: Seat, lacks: Mapping[CountName, int], names: Names
) -> Iterator[str]:
    moves: dict[str, list[str]] = {}
    for step in steps:
        before, after = numbers(step.before, seat), numbers(step.after, seat)
        rises = {name: after.get(name, 0) - before.get(name, 0) for name in lacks}
        more = {name: number for name, number in rises.items() if number > 0}
        if more:
            what = _describe_numbers(more)
            moves.setdefault(what, []).append(f"“{move_name(step.move, step.before, names)}”")
    for what, made in moves.items():
        yield f"{join_words(made)} {f'brings {what}' if len(made) == 1 else f'bring {what} each'}"


def _describe_numbers(numbers: Mapping[CountName, int]) -> str:
    return join_words(count_noun(number, *COUNTS[name]) for name, number in numbers.items())


_LACKS = range(1, 8)
"""The things that a seat can lack on its best condition."""
_NEAR, _WIN = "near", "win"
"""The kinds: a condition lacks a single thing, or more."""
_MOVES = 150
"""Most moves to try in search of a win."""
_SHORTEST = 3
"""The fewest moves of a win."""


class _TanglePuzzles(WinningPuzzles):
    """Wins in this turn, found at its first placement, without a move that isn't needed."""

    tables = (PuzzleTable(2), PuzzleTable(2), PuzzleTable(2), PuzzleTable(3))
    most_easy = 1.0
    most_of_kind: Mapping[str, float] = {_NEAR: 0.25}

    def find(self, view: TangleView, seat: Seat) -> Iterator[PuzzleCandidate]:
        """Yield a winning turn before its first placement."""
        first = isinstance(view.decision, Placing) and not (view.decision.extra or view.decision.sleeper)
        if not first or view.seat != seat or view.changes or view.offered or view.conditions is None:
            return
        lacks = context.shortfall(view, seat, view.conditions)
        if lacks in _LACKS:
            line = _shorten(
                view,
                seat,
                winning_line(view, seat, Random(0), GAME, visibility.TangleTrial, _LACKS[-1], _MOVES),
            )
            if len(line) >= _SHORTEST:
                yield PuzzleCandidate(line, _NEAR if lacks == 1 else _WIN)

    def describe_given(self, puzzle: Puzzle, view: TangleView, names: Names = ()) -> str:
        have = numbers(view, puzzle.seat)
        conditions = []
        for one in view.conditions or ():
            need, lacks = CONDITIONS[one].need, _find_lacks(one, have)
            counts = [f"{have.get(name, 0)} of {need[name]} {COUNTS[name][1]}" for name in lacks]
            conditions.append(f"{CONDITIONS[one].name}: {', '.join(counts) or 'complete'}")
        cards = Counter(CARDS[card].name for card in view.hand or ())
        held = [f"{name} ×{copies}" if copies > 1 else name for name, copies in cards.items()]
        return "\n".join([*conditions, f"Your cards: {', '.join(held) or 'none'}"])

    def describe_miss(self, puzzle: Puzzle, state: Any, names: Names = ()) -> str:
        view = self.rules.view(state, puzzle.seat)
        lacks = [_find_lacks(one, numbers(view, puzzle.seat)) for one in view.conditions or ()]
        nearest = min(filter(None, lacks), key=lambda one: sum(one.values()), default={})
        return f"You still lack {_describe_numbers(nearest)}." if nearest else NOT_WON

    def reason(self, puzzle: Puzzle, names: Names = ()) -> str:
        steps = self.steps(puzzle)
        before, last = numbers(steps[0].before, puzzle.seat), steps[-1].after
        condition, *others = last.shown[puzzle.seat]
        lacks = _find_lacks(condition, before)
        made = capital(join_phrases(_explain_moves(steps, puzzle.seat, lacks, names or [""] * puzzle.seats)))
        more = f" So is {join_words(CONDITIONS[other].name for other in others)}." if others else ""
        return (
            f"{CONDITIONS[condition].name} lacks {_describe_numbers(lacks)}. {made}. "
            f"With that, it's complete, and you win when your turn ends.{more}"
        )


def _shorten(view: TangleView, seat: Seat, line: Sequence[TangleMove]) -> tuple[TangleMove, ...]:
    """Leave out the moves that a win doesn't need. Or stop instead of making them."""
    needed = list(line)
    for move in line:
        place = needed.index(move)
        for instead in ([], [TangleDone()]):
            other = [*needed[:place], *instead, *needed[place + 1 :]]
            if _wins(view, seat, other):
                needed = other
                break
    return tuple(needed)


def _wins(view: TangleView, seat: Seat, line: Sequence[TangleMove]) -> bool:
    state = GAME.sample_state(view, Random(0))
    for move in line:
        try:
            GAME.play(state, seat, move)
        except IllegalMove:
            return False
    return state.outcome is not None and state.outcome.places[seat] == 1


PUZZLES = _TanglePuzzles(GAME, Path(__file__).with_name(FILE))
