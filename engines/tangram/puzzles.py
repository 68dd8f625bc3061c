"""Puzzles of Tangram City: the most points that a round can still bring, alone."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from engines.analysis.puzzles import FILE, Puzzle, PuzzleCandidate, PuzzleGame, PuzzleTable
from engines.game import Seat, Strength
from engines.tangram import GAME
from engines.tangram.computer import answer, next_tile, rest_of
from engines.tangram.computer.evaluation import Cover, cover_of, cover_with, ways
from engines.tangram.computer.search import completing_fountains, endings, final_points
from engines.tangram.moves import Move, TangramDone
from engines.tangram.pieces import board
from engines.tangram.pieces.components import FOUNTAIN, LAST_ROUND, SCORING, TileId
from engines.tangram.view import TangramView
from engines.tangram.words.nouns import block, colours, count_points
from engines.words import Names, count_noun

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
        tile = next_tile(view, seat)
        if view.phase == "final" and tile is not None:
            city = view.without(None)
            pairs = endings(city, rest_of(view, seat, tile), _LOOKS)
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
        place = block(now) if now is None else f"{block(now)} from {now.at}"
        size = f"{place}: {count_points(now.area if now else 0)}"
        is_as_large = now is not None and then is not None and now.area == then.area
        grown = f"stays {size}" if is_as_large else f"grows from {block(then)} to {size}"
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
) -> tuple[Move, ...]:
    """Return the moves that lay these pieces. Other tiles of the last round go where they bring most."""
    state, made = GAME.sample_state(view, Random(0)), []
    while seat in GAME.prompts(state) and state.round == view.round:
        now = GAME.view(state, seat)
        tile = next_tile(now, seat)
        if tile is None:
            move: Move = TangramDone()
        elif tile in pieces:
            move = answer(tile, pieces[tile])
        else:
            move = answer(tile, endings(now.without(tile), rest_of(now, seat, tile), _LOOKS)[0][1])
        GAME.play(state, seat, move)
        made.append(move)
    return tuple(made)


PUZZLES = _TangramPuzzles(GAME, Path(__file__).with_name(FILE))
