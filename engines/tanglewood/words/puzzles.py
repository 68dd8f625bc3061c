"""The aims and reasons of puzzles of Tanglewood."""

from collections.abc import Sequence

from engines.game import Seat
from engines.puzzles import Puzzle, PuzzleStep
from engines.tanglewood.pieces.components import REGIONS, Region
from engines.tanglewood.public import TanglewoodPublic
from engines.tanglewood.view import TanglewoodView, would_score
from engines.tanglewood.words.nouns import place
from engines.words import capital, count_noun, join_phrases, seat_colour

BEST = "best"
"""The aim: the most votes that a turn can bring."""


def describe_task(puzzle: Puzzle) -> str:
    return f"Reach {puzzle.target} votes or more, counted as if the forest voted right after your turn."


def count_votes(public: TanglewoodPublic, seat: Seat) -> int:
    """Return a seat's votes, with those that the regions would pay now."""
    return public.votes[seat] + sum(row[seat] for row in would_score(public).values())


def describe_given(view: TanglewoodView, seat: Seat) -> str:
    """Return a seat's colour, its votes, and what the regions would pay."""
    have, total = view.votes[seat], count_votes(view, seat)
    more = f"If the forest voted now, you'd get {total - have} more: {total} in all."
    return f"You ({seat_colour(seat)}) have {count_noun(have, 'vote')}. {more}"


def explain(steps: Sequence[PuzzleStep], seat: Seat) -> str:
    """Say which regions pay other votes after the turn, and the total."""
    first: TanglewoodView = steps[0].before
    last: TanglewoodView = steps[-1].after
    then, now = _votes_by_region(first, seat), _votes_by_region(last, seat)
    changes = [
        f"{place(region)} would pay you {now[region]} instead of {then[region]}"
        for region in REGIONS
        if now[region] != then[region]
    ]
    won = last.votes[seat] - first.votes[seat]
    if won:
        changes.append(f"you win {count_noun(won, 'vote')} at once")
    before, after = count_votes(first, seat), count_votes(last, seat)
    return (
        f"{capital(join_phrases(changes))}. That makes {after} instead of {before}; no other turn makes more."
    )


def _votes_by_region(view: TanglewoodView, seat: Seat) -> dict[Region, int]:
    return {region: row[seat] for region, row in would_score(view).items()}
