"""The strength of computer players that suits somebody."""

from collections.abc import Sequence
from itertools import takewhile
from statistics import mean

from db.records.results import ComputerGameRow
from engines.game import Strength

SUGGESTED_FROM = 5
"""The newest games against computers that are looked at."""
FEWEST = 2
"""The games at one strength before another is suggested."""
TOO_EASY, TOO_HARD = 2 / 3, 1 / 4
"""The shares of computers beaten from which the next step, or the one before, suits better."""


def next_strength(games: Sequence[ComputerGameRow]) -> Strength:
    """Return the strength that suits the player of these games, newest first.

    It is that of the newest game, or a step from it if most games at it were won or lost.

    >>> won, lost = ComputerGameRow(1, 2, "easy"), ComputerGameRow(2, 2, "easy")
    >>> next_strength([won]).value, next_strength([won, won]).value, next_strength([lost, won]).value
    ('easy', 'casual', 'easy')
    """
    steps = list(Strength)
    strength = Strength(games[0].strength)
    played = list(takewhile(lambda game: Strength(game.strength) is strength, games))
    beaten = mean((game.seats - game.place) / (game.seats - 1) for game in played)
    step = 0
    if len(played) >= FEWEST:
        step = 1 if beaten >= TOO_EASY else -1 if beaten <= TOO_HARD else 0
    return steps[min(max(steps.index(strength) + step, 0), len(steps) - 1)]
