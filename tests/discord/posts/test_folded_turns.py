"""A turn that is told in a line: nothing that was done in it is left out unsaid."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cogs.core.app import player
from cogs.core.presenter import presenter_of
from cogs.core.story import LINE, drawn_together, folded
from cogs.tangle import words
from cogs.ui.signs import worded
from engines.tangle import GAME
from engines.tangle.events import Event, Grew, Laid, Planted
from tests.engines.tangle.arrange import begun
from tests.often import often

NAMES = ("Ann", "Bo")
NOTHING = (0, 0, 0, 0)
EARTHS = [Laid(0, area, "earth", (0, 1, 0, 0)) for area in ("C8", "C9", "C10")]
WORD = st.text("abcxyz", min_size=1, max_size=9)
CLAUSES = st.lists(st.lists(WORD, min_size=1, max_size=13).map(" ".join), max_size=40)


def line(happened: Sequence[Event]) -> str:
    """What a post tells of a turn in which this happened."""
    view = GAME.view(begun(2), None)
    told = [(event, words.event_line(event, view, NAMES) or "") for event in happened]
    lines = folded(
        [f"{player(NAMES, 0)} moves a root.", *drawn_together(presenter_of("tangle"), told, NAMES)], "Ann"
    )
    assert len(lines) == 1
    return worded(lines[0]).partition("Ann ")[2]


def test_tiles_laid_one_after_another_are_one_clause_with_what_they_cost() -> None:
    assert line([*EARTHS]) == "moves a root; lays clean earth at C8, C9 and C10 (3 E)."


def test_nine_clean_earths_and_three_plants_are_all_named() -> None:
    areas = [f"C{number}" for number in range(1, 10)]
    grown = [Grew(0, area, "bush", (1, 0, 1, 0)) for area in ("A1", "A2", "A3")]

    told = line([*(Laid(0, area, "earth", (0, 2, 0, 0)) for area in areas), *grown])

    assert all(re.search(rf"\b{area}\b", told) for area in [*areas, "A1", "A2", "A3"])
    assert "(18 E)" in told
    assert "grow into bushes (3 W, 3 N)" in told


def test_what_differs_in_more_than_its_place_has_a_clause_of_its_own() -> None:
    seeds = [Planted(0, "bush", "C8"), Planted(0, "bush", "C1")]

    told = line([EARTHS[0], Laid(0, "C9", "lake", NOTHING), *seeds])

    assert told.startswith("moves a root; lays clean earth at C8 (1 E); lays a lake at C9; ")
    assert told.endswith("; plants 2 bush seeds at C8 and C1.")


def test_a_tree_that_brings_a_root_is_not_drawn_together_with_one_that_does_not() -> None:
    told = line([Grew(0, "A1", "tree", NOTHING), Grew(0, "A2", "tree", NOTHING, root=True)])

    assert told == "moves a root; A1 grows into a tree; A2 grows into a tree, with a new root."


@pytest.mark.slow
@settings(max_examples=often(15, 200))
@given(CLAUSES)
def test_every_clause_is_in_the_line_or_counted_at_its_end(clauses: list[str]) -> None:
    lines = folded(["Ann begins.", *(f"\u21b3 Ann {clause}." for clause in clauses)], "Ann")

    assert len(lines) == 1
    more = re.search(r"; and (\d+) more\.$", lines[0])
    left_out = int(more[1]) if more else 0
    shown = clauses[: len(clauses) - left_out]
    told = "; ".join(["Ann begins", *shown]) + (f"; and {left_out} more." if left_out else ".")
    assert lines[0] == told
    assert len(told) <= LINE + len("; and 40 more.")
