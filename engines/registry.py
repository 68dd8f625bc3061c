"""Which games the house hosts. A new game adds its slug here and its own rooms, nothing else."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, cast

from engines.daily import Daily
from engines.game import Game
from engines.words import InWords

SLUGS = ("ribbon", "tesla", "tangram", "tanglewood", "tangle")

AnyGame = Game[Any, Any, Any, Any, Any, Any]


@cache
def game(slug: str) -> AnyGame:
    """The game of that slug, from its engine's room. Raises KeyError for a slug that is not hosted."""
    if slug not in SLUGS:
        raise KeyError(slug)
    found: AnyGame = import_module(f"engines.{slug}").GAME
    return found


def games() -> list[AnyGame]:
    """Every hosted game, in the order of the registry."""
    return [game(slug) for slug in SLUGS]


@cache
def daily(slug: str) -> Daily | None:
    """How a hosted game is dealt as the deal of the day; None where its room says nothing of that."""
    room = f"engines.{slug}.daily"
    found: Daily | None = import_module(room).DAILY if slug in SLUGS and find_spec(room) else None
    return found


@cache
def words(slug: str) -> InWords:
    """How a hosted game tells its board in words. Raises KeyError for a slug that is not hosted."""
    if slug not in SLUGS:
        raise KeyError(slug)
    return cast(InWords, import_module(f"engines.{slug}.words"))
