"""Posts tell the turn that happened: readers of every game check each sentence against the boards."""

from collections.abc import Callable
from importlib import import_module
from itertools import chain, count, islice
from typing import Any

import pytest

from cogs.core import story
from cogs.core.presenter import presenter_of
from cogs.tangle.presenter import TanglePresenter
from cogs.tanglewood.presenter import TanglewoodPresenter
from engines.registry import SLUGS
from engines.tesla.view import compare_circuits
from engines.tesla.words import event_lines as tesla_lines
from tests.often import often
from tests.posts.games import play_turns
from tests.posts.reader import PostReader, problems_of

Patch = pytest.MonkeyPatch
MOST_TURNS = 700
"""Turns after which a fault that nobody found counts as missed."""


def reader(slug: str) -> PostReader:
    result: PostReader = import_module(f"tests.posts.{slug}").READER
    return result


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("number", range(often(2, 60)))
def test_every_sentence_of_a_game_is_true_and_nothing_that_matters_is_missing(slug: str, number: int) -> None:
    turns = list(play_turns(slug, number))

    assert not problems_of(reader(slug), turns)


def say(slug: str, old: str, new: str) -> Callable[[Patch], None]:
    """Return a fault: a game's sentences say something else."""

    def plant(patch: Patch) -> None:
        words = presenter_of(slug).words
        line = words.event_line

        def event_line(*args: Any) -> str | None:
            text = line(*args)
            return None if text is None else text.replace(old, new)

        patch.setattr(words, "event_line", event_line)

    return plant


def change(owner: Any, name: str, value: Any) -> Callable[[Patch], None]:
    """Return a fault: something of the program is something else."""
    return lambda patch: patch.setattr(owner, name, value)


turn_lines = story.turn_lines
FAULTS: dict[str, tuple[str, Callable[[Patch], None]]] = {
    "a joined circuit of somebody is left out": (
        "tesla",
        change(tesla_lines, "compare_circuits", lambda before, after: compare_circuits(before, after)[1:]),
    ),
    "a circuit is still somebody's after the last marker was cashed in": (
        "tesla",
        change(tesla_lines, "compare_circuits", lambda before, after: compare_circuits(after, before)),
    ),
    "somebody who can win is left out": ("tesla", change(tesla_lines, "best_marker", lambda *_: -99)),
    "a turn's points are those of the turn before": (
        "tesla",
        change(story, "format_total", lambda points: str(points + 1)),
    ),
    "a sentence about several people goes on with a verb": (
        "tanglewood",
        change(story, "SENTENCE_END", story.QUOTED),
    ),
    "a new limit has no subject": (
        "tanglewood",
        say("tanglewood", " can place up to", "'s turn can place up to"),
    ),
    "the order is turned for one round": ("tanglewood", say("tanglewood", "From round", "In round")),
    "evicted workers are lost": (
        "tanglewood",
        say("tanglewood", "back into their circle", "out of the game"),
    ),
    "points of a vote go to somebody else": (
        "tanglewood",
        change(TanglewoodPresenter, "gains", lambda *_: {0: 1}),
    ),
    "a card that was taken is new in the row": (
        "tangle",
        change(TanglePresenter, "retell", lambda _self, _event, line, *_: line),
    ),
    "upkeep takes from plants beside a lake": (
        "tangle",
        say("tangle", "one that isn't beside a lake", "bush and meadow"),
    ),
    "a lost tile is left out": ("tangle", say("tangle", " loses ", " keeps ")),
    "a price is wrong": ("tangle", say("tangle", " for 1 ", " for 2 ")),
    "a turn is told with who is out at the end of the post": (
        "ribbon",
        change(story, "turn_lines", lambda table, view, _, rows: turn_lines(table, view, {}, rows)),
    ),
    "a tangle that is left is miscounted": ("ribbon", say("ribbon", "with 1 tangle", "with 2 tangles")),
    "somebody out is left out": ("ribbon", say("ribbon", " is out.", " plays on.")),
    "totals are those before the round": ("tangram", say("tangram", "now 1", "now 2")),
    "a tile that nobody could place is said to have room": ("tangram", say("tangram", " no room", " room")),
    "a tile is in a wrong place": ("tangram", say("tangram", "green on", "black on")),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_readers_find_a_planted_fault(fault: str, monkeypatch: Patch) -> None:
    slug, plant = FAULTS[fault]
    plant(monkeypatch)

    turns = islice(chain.from_iterable(play_turns(slug, number) for number in count()), MOST_TURNS)

    assert any(reader(slug).read(turn) for turn in turns)
