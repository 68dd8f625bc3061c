"""Tangram City as a game of the house: the contract, and its puzzles.

Modules beside this one carry the contract out. The puzzles are the most points that a round can still bring,
alone.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from engines.analysis.daily import FAIR, GOOD, POOR, DailyGame, DailyVerdict, TurnSummary, stretches
from engines.analysis.puzzles import FILE, Puzzle, PuzzleCandidate, PuzzleGame, PuzzleTable
from engines.game import Game, Outcome, Prompt, Seat, Strength
from engines.tangram import computer
from engines.tangram import view as views
from engines.tangram.computer.evaluation import Cover, cover_of, cover_with, ways
from engines.tangram.computer.search import completing_fountains, endings, final_points
from engines.tangram.moves import Event as TangramEvent
from engines.tangram.moves import Move as TangramMove
from engines.tangram.moves import TangramDone
from engines.tangram.pieces import board
from engines.tangram.pieces.components import FOUNTAIN, LAST_ROUND, SCORING, TangramOptions, TileId
from engines.tangram.truth import play as turns
from engines.tangram.truth import setup, visibility
from engines.tangram.truth.state import TangramDeal, TangramState, owing
from engines.tangram.view import TangramView
from engines.tangram.words.nouns import block, colours, count_points
from engines.words import Names, count_noun


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
    deal = staticmethod(setup.deal)
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
        return setup.settle(super().settle(seats, options))

    def begin(self, seats: int, options: TangramOptions, deal: TangramDeal, seed: bytes) -> TangramState:
        return setup.begin(seats, self.settle(seats, options), deal)

    def prompts(self, state: TangramState) -> Mapping[Seat, Prompt]:
        return {seat: Prompt(state.phase) for seat in owing(state)}

    def moves(self, state: TangramState, seat: Seat) -> Iterator[TangramMove]:
        """Include new answers of seats that have answered. Rules: A step."""
        return turns.legal_moves(state, seat)

    def post_counter(self, state: TangramState) -> int:
        """Count steps, and the end of the game."""
        return state.step + (state.phase == "over")

    def copy(self, state: TangramState) -> TangramState:
        return state.copy()

    def tally(self, view: TangramView, end: TangramView) -> tuple[int | None, ...]:
        return views.tally(view)

    def hand(self, state: TangramState, seat: Seat) -> bytes | None:
        """Return the seat's cards that not everybody sees."""
        cards = visibility.secret_cards(state, seat)
        return msgspec.msgpack.encode(cards) if cards else None


GAME = Tangram()


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


ROUND, LAST = "round", "last"
"""The aims: the points of a round, and those of the last one with its bonuses."""


def _explain_bonuses(city: board.City, rectangle: board.Rectangle | None) -> str:
    counts, area = board.balance(city), rectangle.area if rectangle else 0
    is_complete = board.full_squares(city.built) == board.ONES
    sums = [
        area,
        *([SCORING.planning_bonus] if is_complete else []),
        *([counts.bonus] if counts.bonus else []),
    ]
    lines = f"The balance of {colours(counts)} pays {counts.bonus}"
    if is_complete:
        lines += f", and the full city {SCORING.planning_bonus}"
    return f"{lines}: {' + '.join(map(str, sums))} = {sum(sums)}."


_FIRST_PIECES = 4
"""The most places of the first tile from which the best is reached."""
_LOOKS = 40000
"""The ways to lay the tiles of the last round to search: more than a computer's."""
_LEAST_GAIN = 2
"""The squares by which the best rectangle must beat the one that is there."""


class _TangramPuzzles(PuzzleGame):
    """The best end of a round with its last tile, and the best last round."""

    tables = (PuzzleTable(1), PuzzleTable(1, {"boards": "plain"}), PuzzleTable(1, strength=Strength.MEDIUM))
    most_of_kind: Mapping[str, float] = {ROUND: 0.7}

    def find(self, view: TangramView, seat: Seat) -> Iterator[PuzzleCandidate]:
        """Yield the best end of a round whose cards are all open."""
        if view.mine or not all(card.played for card in view.cards):
            return
        tile = computer.next_tile(view, seat)
        if view.phase == "final" and tile is not None:
            city = view.without(None)
            pairs = endings(city, computer.rest_of(view, seat, tile), _LOOKS)
            best = pairs[0][0]
            firsts = [piece for points, piece in pairs if points == best]
            if len(firsts) <= _FIRST_PIECES and final_points(city) < best:
                yield PuzzleCandidate(_carry_out(view, seat, {tile: firsts[0]}), LAST, best)
        elif view.phase == "place" and tile is not None:
            # Every place of the last tile and of the fountain is tried.
            cover, water = cover_of(view.without(None)), bool(view.fountains[seat])
            laid = [(None, cover)] + [
                (way.piece, cover_with(cover, way)) for way in ways(tile) if not way.quarters & cover.built
            ]
            results = [(*_best_fountain(after, water), piece) for piece, after in laid]
            largest = max(area for area, _, _ in results)
            both = [(fountain, piece) for area, fountain, piece in results if area == largest]
            if results[0][0] + _LEAST_GAIN <= largest and len(both) <= _FIRST_PIECES:
                fountain, piece = min(both, key=lambda pair: pair[0] is not None)
                moves = _carry_out(view, seat, {tile: piece, FOUNTAIN: fountain})
                yield PuzzleCandidate(moves, ROUND, largest)

    def is_over(self, puzzle: Puzzle, state: Any) -> bool:
        return bool(state.phase == "over" or state.round != puzzle.view.round)

    def is_solved(self, puzzle: Puzzle, state: Any) -> bool:
        seat = puzzle.seat
        return bool(state.scores[seat] - puzzle.view.scores[seat] >= (puzzle.target or 0))

    def task(self, puzzle: Puzzle, names: Names = ()) -> str:
        return (
            f"Score {puzzle.target} points or more in this last round, bonuses included."
            if puzzle.kind == LAST
            else f"Score {puzzle.target} points or more this round."
        )

    def describe_given(self, puzzle: Puzzle, view: TangramView, names: Names = ()) -> str:
        city = view.without(None)
        points = (
            final_points(city) if puzzle.kind == LAST else board.largest_area(board.full_squares(city.built))
        )
        bonuses = ", bonuses included" if puzzle.kind == LAST else ""
        return f"As it is now, your city would score {count_points(points)}{bonuses}."

    def describe_miss(self, puzzle: Puzzle, state: Any, names: Names = ()) -> str:
        return f"You scored {state.scores[puzzle.seat] - puzzle.view.scores[puzzle.seat]} of {puzzle.target}."

    def reason(self, puzzle: Puzzle, names: Names = ()) -> str:
        steps = self.steps(puzzle)
        first: TangramView = steps[0].before
        last: TangramView = steps[-1].after
        before, after = first.cities[puzzle.seat], last.cities[puzzle.seat]
        more = (board.full_squares(after.built) & ~board.full_squares(before.built)).bit_count()
        then, now = board.largest_rectangle(before.built), board.largest_rectangle(after.built)
        place = block(now) if now is None else f"{block(now)} at {now.at}"
        size = f"{place}, for {count_points(now.area if now else 0)}"
        is_as_large = now is not None and then is not None and now.area == then.area
        grows = f"grows from {block(then)} to {size}" if then else f"is now {size}"
        grown = f"stays {size}" if is_as_large else grows
        text = f"This completes {count_noun(more, 'square')}. The largest rectangle {grown}."
        if first.round < LAST_ROUND:
            return f"{text} No other way scores more."
        return f"{text} {_explain_bonuses(after, now)}"


def _best_fountain(cover: Cover, has_fountain: bool) -> tuple[int, board.Piece | None]:
    """Return the largest rectangle's area with the best fountain.

    The fountain is None if it brings nothing.
    """
    best: tuple[int, board.Piece | None] = (_largest_built_area(cover), None)
    for way in completing_fountains(cover) if has_fountain else ():
        area = _largest_built_area(cover_with(cover, way))
        if area > best[0]:
            best = area, way.piece
    return best


def _largest_built_area(cover: Cover) -> int:
    return board.largest_area(board.full_squares(cover.built))


def _carry_out(
    view: TangramView, seat: Seat, pieces: Mapping[TileId, board.Piece | None]
) -> tuple[TangramMove, ...]:
    """Return the moves that lay these pieces. Other tiles of the last round go where they bring most."""
    state, made = GAME.sample_state(view, Random(0)), []
    while seat in GAME.prompts(state) and state.round == view.round:
        now = GAME.view(state, seat)
        tile = computer.next_tile(now, seat)
        if tile is None:
            move: TangramMove = TangramDone()
        elif tile in pieces:
            move = computer.answer(tile, pieces[tile])
        else:
            move = computer.answer(
                tile, endings(now.without(tile), computer.rest_of(now, seat, tile), _LOOKS)[0][1]
            )
        GAME.play(state, seat, move)
        made.append(move)
    return tuple(made)


PUZZLES = _TangramPuzzles(GAME, Path(__file__).with_name(FILE))
