"""The games that the house hosts. A new game adds its slug here and its own rooms, nothing else."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, cast

from engines.analysis.daily import DailyGame
from engines.analysis.puzzles import PuzzleGame
from engines.components import KnownComponents
from engines.game import AnyGame as AnyGame
from engines.words import BoardText, EventLines, MoveNames

SLUGS = ("ribbon", "tesla", "tangram", "tanglewood", "tangle")


@cache
def game(slug: str) -> AnyGame:
    """Load a game by its slug. Raises KeyError for a slug that isn't hosted."""
    if slug not in SLUGS:
        raise KeyError(slug)
    result: AnyGame = import_module(f"engines.{slug}").GAME
    return result


def games() -> list[AnyGame]:
    return [game(slug) for slug in SLUGS]


@cache
def daily(slug: str) -> DailyGame | None:
    result: DailyGame | None = None
    if slug in SLUGS:
        result = getattr(import_module(f"engines.{slug}.game"), "DAILY", None)
    return result


@cache
def puzzles(slug: str) -> PuzzleGame | None:
    result: PuzzleGame | None = None
    if slug in SLUGS:
        result = getattr(import_module(f"engines.{slug}.game"), "PUZZLES", None)
    return result


@cache
def component_facts(slug: str) -> KnownComponents | None:
    room = f"engines.{slug}.pieces.components"
    result: KnownComponents | None = import_module(room).KNOWN if slug in SLUGS and find_spec(room) else None
    return result


def event_lines(slug: str) -> EventLines:
    return cast(EventLines, _words(slug, "event_lines"))


def move_names(slug: str) -> MoveNames:
    return cast(MoveNames, _words(slug, "event_lines"))


def words(slug: str) -> BoardText:
    return cast(BoardText, _words(slug, "board"))


def describe_board(slug: str, view: Any, names: Sequence[str]) -> str:
    """Return the alt text of a game's board. Raises KeyError for an unknown slug."""
    return str(_words(slug, "captions").describe_board(view, names))


@cache
def _words(slug: str, module: str) -> ModuleType:
    if slug not in SLUGS:
        raise KeyError(slug)
    return import_module(f"engines.{slug}.words.{module}")
