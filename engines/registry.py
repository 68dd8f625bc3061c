"""Which games the house hosts. A new game adds its slug here and its own rooms, nothing else."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from engines.game import Game

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
