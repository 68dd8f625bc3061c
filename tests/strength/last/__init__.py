"""The strong computer players of the version before they looked ahead, kept to be played against.

Each game's is a copy of what decided then, and runs on the rules of today. Nothing here is improved.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any

from engines.game import Seat

Player = Callable[[Any, Seat, Random], Any]
"""Chooses a legal move for a seat that owes one, from its view and its own luck."""


def last(slug: str) -> Player:
    """Return the strong player of a game's last version.

    Raises ModuleNotFoundError if none is kept.
    """
    player: Player = import_module(f"{__name__}.{slug}").choose
    return player
