"""The four strengths of computer players differ: who plays a game for the first time can win.

Longer matches are played by ``python -m tests.benchmarks levels``.
"""

import msgspec
import pytest

from engines.game import Strength
from tests.strength.matches import MATCHES, play_game

pytestmark = [pytest.mark.slow, pytest.mark.thorough]
GAMES = {"ribbon": 30, "tesla": 6, "tangram": 8, "tanglewood": 6, "tangle": 6}
"""The number of games of each kind."""


def wins(slug: str, player: str, against: str) -> float:
    """Return a player's wins against another one at all other seats.

    The player takes one seat after another.
    """
    match = msgspec.structs.replace(MATCHES[slug], player=player, against=against)
    return sum(play_game(match, number).won for number in range(GAMES[slug]))


@pytest.mark.parametrize("slug", GAMES)
def test_the_easy_one_loses_to_the_medium_one(slug: str) -> None:
    assert wins(slug, Strength.MEDIUM, Strength.EASY) >= 0.66 * GAMES[slug]


@pytest.mark.parametrize("slug", GAMES)
def test_the_casual_one_is_between_them(slug: str) -> None:
    assert wins(slug, Strength.CASUAL, Strength.EASY) >= GAMES[slug] / MATCHES[slug].seats
    assert wins(slug, Strength.MEDIUM, Strength.CASUAL) >= GAMES[slug] / MATCHES[slug].seats


@pytest.mark.parametrize("slug", GAMES)
def test_the_strong_one_holds_its_own_against_the_medium_one(slug: str) -> None:
    assert wins(slug, Strength.STRONG, Strength.MEDIUM) >= GAMES[slug] / MATCHES[slug].seats
