"""Advice of the strong computer: it is legal and fair, and its estimates compare."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from engines import engine
from engines.game import ADVISED, Advice
from engines.registry import SLUGS, AnyGame
from tests.engines import golden
from tests.often import often

pytestmark = pytest.mark.slow


def longest(slug: str) -> list[Path]:
    return sorted(golden.paths(slug), key=lambda path: (-path.stat().st_size, path.name))[: often(1, 2)]


FILES = [
    pytest.param(path, id=f"{slug}-{path.stem}-{slug}@advised") for slug in SLUGS for path in longest(slug)
]
LOOKS = often(2, 8)
"""The number of positions of a game on file at which somebody asks."""

ASKING = often(1, 9)
"""The seats to move that ask at a position."""

every_file = pytest.mark.parametrize("path", FILES)


def positions(path: Path) -> Iterator[tuple[AnyGame, Any]]:
    """Yield positions of a filed game with each seat to move."""
    result = golden.load(path)
    rules, state = result.game, result.begin()
    every = max(1, len(result.entries) // LOOKS)
    for number, entry in enumerate(result.entries):
        if number % every == 0:
            yield rules, golden.type_value(golden.plain(state), rules.State)
        result.replay(state, entry)
    yield rules, state


def brings(rules: AnyGame, what: str) -> bool:
    return what in type(rules).__dict__


def get_advice(rules: AnyGame, state: Any, seat: int) -> list[Advice]:
    return _advise(rules.slug, msgspec.msgpack.encode(state), seat)


@cache
def _advise(slug: str, state: bytes, seat: int) -> list[Advice]:
    """Ask once. It takes long, and the tests of a game run in one process."""
    return engine.advise(slug, state, seat)


@every_file
def test_advice_is_legal_and_tells_some_different_choices(path: Path) -> None:
    asked = 0
    for rules, state in positions(path):
        for seat in list(rules.prompts(state))[:ASKING]:
            advice = get_advice(rules, state, seat)

            assert 1 <= len(advice) <= ADVISED
            assert len({choice.moves for choice in advice}) == len(advice)
            for choice in advice:
                trial = golden.type_value(golden.plain(state), rules.State)
                for move in choice.moves:
                    rules.play(trial, seat, move)
            asked += len(advice) > 1
    assert asked or not brings(rules, "advice")


@every_file
def test_advice_is_the_same_whatever_the_seat_can_not_know(path: Path) -> None:
    for rules, state in positions(path):
        for seat in list(rules.prompts(state))[: min(2, ASKING)]:
            unknown = rules.resample_hidden(
                golden.type_value(golden.plain(state), rules.State), seat, Random(5)
            )

            assert get_advice(rules, unknown, seat) == get_advice(rules, state, seat)


@every_file
def test_estimates_are_those_of_the_seat_alone(path: Path) -> None:
    number = 0
    for rules, state in positions(path):
        for seat in range(golden.load(path).seats):
            estimate = rules.estimate(rules.view(state, seat), seat)
            unknown = rules.resample_hidden(
                golden.type_value(golden.plain(state), rules.State), seat, Random(5)
            )

            assert rules.estimate(rules.view(unknown, seat), seat) == estimate
            number += estimate is not None
    assert number or not brings(rules, "estimate")


@every_file
def test_the_last_estimates_put_the_winner_first(path: Path) -> None:
    *_, (rules, state) = positions(path)
    outcome, result = rules.outcome(state), golden.load(path)
    if outcome is None or outcome.won is not None or result.seats == 1:
        return
    last = {seat: rules.estimate(rules.view(state, seat), seat) for seat in range(result.seats)}
    known = {seat: worth for seat, worth in last.items() if worth is not None}
    if not known:
        return
    best = max(known, key=lambda seat: known[seat])

    assert outcome.places[best] == 1
