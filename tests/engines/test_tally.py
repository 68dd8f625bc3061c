"""Charts of a finished game: their last values are the game's own."""

from pathlib import Path
from typing import Any

import pytest

from engines.registry import SLUGS
from tests.engines import golden

FILES = [path for slug in SLUGS for path in golden.paths(slug)]


def views(path: Path) -> list[Any]:
    """Return a spectator's views at a filed game's start, middle and end."""
    result = golden.load(path)
    rules, state = result.game, result.begin()
    seen = [rules.view(state, None)]
    for number, entry in enumerate(result.entries, start=1):
        result.replay(state, entry)
        if number in (len(result.entries) // 2, len(result.entries)):
            seen.append(rules.view(golden.type_value(golden.plain(state), rules.State), None))
    return seen


def tallies(slug: str, name: str) -> list[Any]:
    path = golden.FIXTURES / slug / f"{name}.json"
    seen, rules = views(path), golden.load(path).game
    return [rules.tally(view, seen[-1]) for view in seen]


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_there_is_a_number_for_each_seat_that_is_in_or_one_for_a_team_and_it_ends_with_the_scores(
    path: Path,
) -> None:
    result, seen = golden.load(path), views(path)

    for view in seen:
        tally = result.game.tally(view, seen[-1])

        assert tally is not None
        if len(tally) == result.seats > 1:
            assert all(tally[seat] is None for seat in view.out)
        else:
            assert len(tally) == 1
    outcome = seen[-1].outcome
    if outcome is not None and outcome.scores is not None:
        assert tally is not None
        left = [seat for seat, number in enumerate(tally) if number is not None]
        assert [tally[seat] for seat in left] == [outcome.scores[seat] for seat in left]


def test_a_winner_lacks_nothing() -> None:
    start, _, end = tallies("tangle", "table-4")

    assert start == (12, 14, 11, 10)
    assert end == (4, 4, 4, 0)


def test_ribbons_that_are_chosen_later_count_from_the_start() -> None:
    start, _, end = tallies("ribbon", "table-3-after_hand")

    assert None not in start
    assert sum(number is not None for number in end) == 1


def test_a_team_counts_the_tangles_that_there_are() -> None:
    assert tallies("ribbon", "team-lost")[-1] == (2,)


def test_the_forest_counts_what_it_would_pay_but_only_once_at_the_end() -> None:
    _, middle, end = tallies("tanglewood", "table-4-fixed")

    assert min(middle) > 0
    assert end == (85, 73, 72, 74)
