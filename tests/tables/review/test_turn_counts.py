"""A game has as many turns in a simulation as in a table's record."""

from functools import partial
from typing import Any

import pytest

from db.records import EntryHeader
from engines.analysis.simulation import SimulationPlan, simulate_game
from engines.game import Strength
from engines.registry import SLUGS, game
from tables.core.history import EntryKind
from tables.review.record import turns_of
from tests.often import often


class Watch:
    """Records the beat of every move in the first game that begins, and of no position thought about."""

    def __init__(self, slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
        rules = game(slug)
        self.beats: list[int] = []
        self._rules, self._begin, self._play = rules, rules.begin, rules.play
        self._state: Any = None
        monkeypatch.setattr(rules, "begin", self.begin)
        monkeypatch.setattr(rules, "play", self.play)

    def begin(self, *setup: Any) -> Any:
        state = self._begin(*setup)
        self._state = self._state or state
        return state

    def play(self, state: Any, *move: Any) -> Any:
        if state is self._state:
            self.beats.append(self._rules.post_counter(state))
        return self._play(state, *move)


@pytest.mark.parametrize("slug", [pytest.param(slug, marks=pytest.mark.slow) for slug in SLUGS])
def test_a_simulation_counts_turns_as_the_record_does(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = game(slug)
    options = rules.Options()
    seats = rules.seats_for(options)[often(0, -1)]
    watch = Watch(slug, monkeypatch)

    result = simulate_game(SimulationPlan(slug, b"{}", (Strength.EASY,) * seats), "turns", 0)

    start = EntryHeader(version=1, base=0, kind=EntryKind.START, seat=None, at=0.0, beat=None)
    moves = [
        EntryHeader(version=number + 2, base=number + 1, kind=EntryKind.MOVE, seat=0, at=0.0, beat=beat)
        for number, beat in enumerate(watch.beats)
    ]
    turn_at = partial(rules.turn_at, seats=seats, options=rules.settle(seats, options))
    record = turns_of([start, *moves], len(moves) + 1, turn_at=turn_at)
    assert result.turns == record[-1].number > 0


def test_the_votes_of_tanglewood_belong_to_the_turn_before_them(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, watch = game("tanglewood"), Watch("tanglewood", monkeypatch)
    short = SimulationPlan("tanglewood", b'{"length":"short"}', (Strength.EASY,) * 3)

    result = simulate_game(short, "votes", 0)

    phases = {beat % 4 for beat in watch.beats}
    assert phases == {0, 1, 2}
    assert watch.beats == sorted(watch.beats)
    assert result.turns == len({beat for beat in watch.beats if beat % 4 == 0})
    assert rules.turn_at(watch.beats[-1], 3, rules.Options()) == result.turns
