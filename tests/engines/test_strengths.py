"""The three strengths of computer players differ: who plays a game for the first time can win."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engines.game import Strength
from engines.registry import game
from engines.ribbon.options import Options
from tests.engines.cases import Table
from tests.engines.conformance import fresh

pytestmark = [pytest.mark.slow, pytest.mark.thorough]
GAMES = {"ribbon": 30, "tesla": 6, "tangram": 8, "tanglewood": 6, "tangle": 6}
"""How many games of each kind are played."""


def wins(slug: str, number: int) -> int:
    """In how many games one medium player beats easy ones, from one seat after another."""
    rules, found = game(slug), 0
    options: Any = Options(mode="versus") if slug == "ribbon" else rules.Options()
    seats = min(rules.seats_for(options))
    for index in range(number):
        rng, medium = Random(index), index % seats
        state = fresh(rules, Table(seats, rules.settle(seats, options)), index.to_bytes(16, "big"))
        while owing := list(rules.prompts(state)):
            seat = owing[0]
            strength = Strength.MEDIUM if seat == medium else Strength.EASY
            rules.play(state, seat, rules.choose(rules.view(state, seat), seat, rng, strength))
        outcome = rules.outcome(state)
        found += outcome is not None and outcome.places[medium] == 1
    return found


@pytest.mark.parametrize("slug", GAMES)
def test_the_easy_one_loses_to_the_medium_one(slug: str) -> None:
    assert wins(slug, GAMES[slug]) >= 0.66 * GAMES[slug]


def test_what_was_called_weak_is_medium() -> None:
    assert Strength("weak") is Strength.MEDIUM
    with pytest.raises(ValueError, match="feeble"):
        Strength("feeble")
