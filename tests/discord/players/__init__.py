from collections.abc import Awaitable, Callable
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.discord.stage import AnyStage

LEADS_AWAY = (
    "Back",
    "Choose again",
    "Undo",
    "Hint",
    "More",
    "Read more",
    "Less",
    "No more notes",
    "All that happened",
    "What happened",
    "In words",
    "Show the picture",
    "Adjust",
    "Hide arrows",
)
"""Buttons of panels that don't lead on to the end of a turn; nor do those of first-time notes."""
NOTES = "New: "
"""The first word of release notes."""
Turn = Callable[["AnyStage", str, Any, Random], Awaitable[None]]


def begin_next_turn() -> None:
    """Note that an open panel goes on with another turn.

    That is one asked ahead in Tangram City, or the ballots after a turn of Tanglewood. Benchmarks listen.
    """


def turn_of(slug: str) -> Turn:
    result: Turn = import_module(f"tests.discord.players.{slug}").turn
    return result


def games_of(slug: str) -> list[tuple[tuple[str, ...], dict[str, Any]]]:
    pairs: list[tuple[tuple[str, ...], dict[str, Any]]] = import_module(f"tests.discord.players.{slug}").GAMES
    return pairs
