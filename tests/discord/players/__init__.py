"""How a whole turn of each game is taken by clicks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.discord.stage import Stage

LEADS_AWAY = (
    "Back",
    "Back to my turn",
    "Choose again",
    "Undo step",
    "Hint",
    "More",
    "No more notes",
    "All that happened",
    "What happened",
    "Whole board",
    "In words",
)
"""Buttons of panels that don't lead on to the end of a turn; nor do those of first-time notes."""
NOTES = "New: "
"""How those begin."""
Turn = Callable[["Stage", str, Any, Random], Awaitable[None]]


def turn_of(slug: str) -> Turn:
    """The `turn` of a game: clicks through the panel of the one who is to move."""
    found: Turn = import_module(f"tests.discord.players.{slug}").turn
    return found


def games_of(slug: str) -> list[tuple[tuple[str, ...], dict[str, Any]]]:
    """The whole games that are played by clicks: who sits down, and the options."""
    found: list[tuple[tuple[str, ...], dict[str, Any]]] = import_module(f"tests.discord.players.{slug}").GAMES
    return found
