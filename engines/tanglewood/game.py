"""Tanglewood as a game of the house: the contract, and its puzzles.

Modules beside this one carry the contract out. The puzzles are the most votes that a seat's last turn before
a scoring can bring.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from engines.analysis.daily import DailyDuel
from engines.analysis.puzzles import FILE, Puzzle, PuzzleCandidate, PuzzleGame, PuzzleTable
from engines.game import Advice, Game, Prompt, Seat, Strength, Thinking
from engines.marks import capital
from engines.tanglewood import computer, preview
from engines.tanglewood import view as views
from engines.tanglewood.moves import Event as TanglewoodEvent
from engines.tanglewood.moves import Move as TanglewoodMove
from engines.tanglewood.pieces.components import REGIONS, Region, TanglewoodOptions
from engines.tanglewood.truth import play as turns
from engines.tanglewood.truth import setup, visibility
from engines.tanglewood.truth.state import TanglewoodDeal, TanglewoodState, owing
from engines.tanglewood.view import TanglewoodPublic, TanglewoodView, would_score
from engines.tanglewood.words.nouns import place
from engines.words import Names, count_noun, join_phrases, seat_colour


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
    deal = staticmethod(setup.deal)
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
        return setup.begin(seats, self.settle(seats, options), deal, seed)

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


GAME = Tanglewood()


class TanglewoodDaily(DailyDuel):
    """Decided by a margin of votes."""

    unit = ("vote", "votes")


DAILY = TanglewoodDaily(Path(__file__).with_name("daily.toml"))


BEST = "best"
"""The aim: the most votes that a turn can bring."""


def votes_with_regions(public: TanglewoodPublic, seat: Seat) -> int:
    """Return a seat's votes, with those that the regions would pay now."""
    return public.votes[seat] + sum(row[seat] for row in would_score(public).values())


def _votes_by_region(view: TanglewoodView, seat: Seat) -> dict[Region, int]:
    return {region: row[seat] for region, row in would_score(view).items()}


_FIRST_MOVES = 2
"""The most first moves from which the best is reached."""
_MOVES = 4000
"""Most moves to try; a turn with more has no puzzle."""
_LEAST_GAIN = 4
"""The votes that the best turn must bring."""


class _Line(NamedTuple):
    """A whole turn, and the votes after it."""

    votes: int
    moves: tuple[TanglewoodMove, ...]


class _TanglewoodPuzzles(PuzzleGame):
    """The best last turn before a scoring, counted as if the forest voted after it.

    Not of the last seat of the round: then the ballots, which nobody knows, would come first.
    """

    tables = tuple(PuzzleTable(seats, {"length": "short"}) for seats in (3, 4, 5))

    def find(self, view: TanglewoodView, seat: Seat) -> Iterator[PuzzleCandidate]:
        """Yield the best turn, if few ways of beginning it lead there."""
        if (
            view.phase != "turn"
            or view.round != view.scoring_round
            or all(other in view.out for other in view.order[view.order.index(seat) + 1 :])
        ):
            return
        lines = _list_turns(view, seat)
        if not lines:
            return
        best = max(lines, key=lambda line: (line.votes, -len(line.moves)))
        firsts = {line.moves[0] for line in lines if line.votes == best.votes}
        if best.votes >= votes_with_regions(view, seat) + _LEAST_GAIN and len(firsts) <= _FIRST_MOVES:
            yield PuzzleCandidate(best.moves, BEST, best.votes)

    def is_over(self, puzzle: Puzzle, state: Any) -> bool:
        return bool(state.turns != puzzle.view.turns or state.phase in ("ballots", "over"))

    def is_solved(self, puzzle: Puzzle, state: Any) -> bool:
        return votes_with_regions(state, puzzle.seat) >= (puzzle.target or 0)

    def task(self, puzzle: Puzzle, names: Names = ()) -> str:
        return f"Reach {puzzle.target} votes or more, counted as if the forest voted right after your turn."

    def describe_given(self, puzzle: Puzzle, view: TanglewoodView, names: Names = ()) -> str:
        have, total = view.votes[puzzle.seat], votes_with_regions(view, puzzle.seat)
        more = f"If the forest voted now, you'd get {total - have} more: {total} in all."
        return f"You ({seat_colour(puzzle.seat)}) have {count_noun(have, 'vote')}. {more}"

    def describe_miss(self, puzzle: Puzzle, state: Any, names: Names = ()) -> str:
        return f"You reached {votes_with_regions(state, puzzle.seat)} of {puzzle.target} votes."

    def reason(self, puzzle: Puzzle, names: Names = ()) -> str:
        steps = self.steps(puzzle)
        seat = puzzle.seat
        first: TanglewoodView = steps[0].before
        last: TanglewoodView = steps[-1].after
        then, now = _votes_by_region(first, seat), _votes_by_region(last, seat)
        changed = [region for region in REGIONS if now[region] != then[region]]
        changes = [f"{place(one)} would pay you {now[one]} instead of {then[one]}" for one in changed]
        won = last.votes[seat] - first.votes[seat]
        if won:
            changes.append(f"you win {count_noun(won, 'vote')} at once")
        before, after = votes_with_regions(first, seat), votes_with_regions(last, seat)
        made = f"That makes {after} instead of {before}. No other turn makes more."
        return f"{capital(join_phrases(changes))}. {made}"


def _list_turns(view: TanglewoodView, seat: Seat) -> list[_Line]:
    """Return every way to make this turn. Nothing if there are too many."""
    waiting: list[tuple[Any, tuple[TanglewoodMove, ...]]] = [(GAME.sample_state(view, Random(0)), ())]
    lines: list[_Line] = []
    tried = 0
    while waiting:
        state, done = waiting.pop()
        for move in GAME.moves(state, seat):
            tried += 1
            if tried > _MOVES:
                return []
            after = GAME.copy(state)
            assert after is not None
            GAME.play(after, seat, move)
            if after.turns != view.turns:
                lines.append(_Line(votes_with_regions(after, seat), (*done, move)))
            else:
                waiting.append((after, (*done, move)))
    return lines


PUZZLES = _TanglewoodPuzzles(GAME, Path(__file__).with_name(FILE))
