"""The reasons of puzzles of Tangle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engines.game import Seat
from engines.puzzles import PuzzleStep
from engines.tangle.legal.conditions import counts, lacking
from engines.tangle.pieces.card_language import CountName
from engines.tangle.pieces.components import CONDITIONS, ConditionId
from engines.tangle.view import TangleView
from engines.tangle.words.board import COUNTS
from engines.tangle.words.move_names import move_name
from engines.words import Names, capital, count_noun, join_phrases, join_words


def explain_win(steps: Sequence[PuzzleStep], seat: Seat, names: Names) -> str:
    """Say what a condition lacks, and which moves bring it."""
    last = steps[-1].after
    condition = last.shown[seat][0]
    before = _count(steps[0].before, seat)
    lacks = _describe_numbers(
        {
            name: need - before.get(name, 0)
            for name, need in CONDITIONS[condition].need.items()
            if need > before.get(name, 0)
        }
    )
    made = join_phrases(_explain_moves(steps, seat, condition, names))
    also = [other for other in last.shown[seat][1:] if lacking(other, before)]
    more = f" So is {join_words(CONDITIONS[other].name for other in also)}." if also else ""
    return (
        f"{CONDITIONS[condition].name} lacks {lacks}. {capital(made)}. "
        f"With that it's complete, and you win as your turn ends.{more}"
    )


def _explain_moves(
    steps: Sequence[PuzzleStep], seat: Seat, condition: ConditionId, names: Names
) -> Iterator[str]:
    """Yield each move that brings something that the condition needs."""
    need = CONDITIONS[condition].need
    for step in steps:
        before, after = _count(step.before, seat), _count(step.after, seat)
        more = {
            name: after.get(name, 0) - before.get(name, 0)
            for name in need
            if after.get(name, 0) > before.get(name, 0)
        }
        if more:
            yield f"“{move_name(step.move, step.before, names)}” brings {_describe_numbers(more)}"


def _describe_numbers(numbers: Mapping[CountName, int]) -> str:
    return join_words(count_noun(number, *COUNTS[name]) for name, number in numbers.items())


def _count(view: TangleView, seat: Seat) -> dict[CountName, int]:
    return counts(view.tiles, view.players[seat].front, seat)
