"""The aims and reasons of puzzles of Tangram City."""

from collections.abc import Sequence

from engines.game import Seat
from engines.puzzles import Puzzle, PuzzleStep
from engines.tangram.pieces.city import ONES, City, Rectangle, balance, full_squares, largest_rectangle
from engines.tangram.pieces.components import LAST_ROUND, SCORING
from engines.tangram.view import TangramView
from engines.tangram.words.nouns import block, colours, count_points
from engines.words import count_noun

ROUND, LAST = "round", "last"
"""The aims: the points of a round, and those of the last one with its bonuses."""


def describe_task(puzzle: Puzzle) -> str:
    if puzzle.kind == LAST:
        return f"Score {puzzle.target} points or more in this last round, bonuses included."
    return f"Score {puzzle.target} points or more this round."


def describe_given(puzzle: Puzzle, points: int) -> str:
    """Return the points that the round would score as the city is."""
    bonuses = ", bonuses included" if puzzle.kind == LAST else ""
    return f"As it is now, your city would score {count_points(points)}{bonuses}."


def explain(steps: Sequence[PuzzleStep], seat: Seat) -> str:
    """Say which squares get full, and what the city scores then."""
    first: TangramView = steps[0].before
    last: TangramView = steps[-1].after
    before, after = first.cities[seat], last.cities[seat]
    more = (full_squares(after.built) & ~full_squares(before.built)).bit_count()
    then, now = largest_rectangle(before.built), largest_rectangle(after.built)
    size = f"{_describe_block(now)}: {count_points(now.area if now else 0)}"
    is_as_large = now is not None and then is not None and now.area == then.area
    grown = f"stays {size}" if is_as_large else f"grows from {block(then)} to {size}"
    text = f"This completes {count_noun(more, 'square')}. The largest rectangle {grown}."
    if first.round < LAST_ROUND:
        return f"{text} No other way scores more."
    return f"{text} {_explain_bonuses(after, now)}"


def _describe_block(rectangle: Rectangle | None) -> str:
    return block(rectangle) if rectangle is None else f"{block(rectangle)} from {rectangle.at}"


def _explain_bonuses(city: City, rectangle: Rectangle | None) -> str:
    counts, area = balance(city), rectangle.area if rectangle else 0
    is_complete = full_squares(city.built) == ONES
    sums = [
        area,
        *([SCORING.planning_bonus] if is_complete else []),
        *([counts.bonus] if counts.bonus else []),
    ]
    lines = f"The balance of {colours(counts)} pays {counts.bonus}"
    if is_complete:
        lines += f", and the full city {SCORING.planning_bonus}"
    return f"{lines}: {' + '.join(map(str, sums))} = {sum(sums)}."
