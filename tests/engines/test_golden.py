"""Promises for years: whole games on file are played again, and draws keep their known values."""

import os
import subprocess
import sys
from collections import Counter
from itertools import permutations
from pathlib import Path

import msgspec
import pytest

from engines.game import Draws
from tests.engines.cases import CASES, GameCase
from tests.engines.conformance import encode_state
from tests.engines.golden import Golden, dump, load, paths, plain, type_value

FILES = [path for case in CASES for path in paths(case.slug)]

every_file = pytest.mark.parametrize("path", FILES, ids=[f"{p.parent.name}-{p.stem}" for p in FILES])


@pytest.mark.parametrize("case", CASES, ids=[case.slug for case in CASES])
def test_every_choice_of_seats_and_options_is_on_file(case: GameCase) -> None:
    files = [load(path) for path in paths(case.slug)]
    covered = [(golden.seats, type_value(golden.options, case.game.Options)) for golden in files]
    assert all((table.seats, table.options) in covered for table in case.usual_tables)


@every_file
def test_a_game_on_file_goes_as_it_went_and_its_saved_positions_load_and_play_on(path: Path) -> None:
    golden = load(path)
    state = golden.begin()
    for number, entry in enumerate(golden.entries):
        if number in golden.saved:
            loaded = type_value(golden.saved[number], golden.game.State)
            assert encode_state(loaded) == encode_state(state), (
                f"the position before decision {number} of {path.name}"
            )
            state = loaded
        assert golden.replay(state, entry) == entry.events, f"decision {number} of {path.name}"
    assert_ends_as_on_file(golden, state)


@every_file
def test_a_file_is_written_as_it_is_read(path: Path) -> None:
    assert dump(load(path)) == path.read_text(encoding="utf-8")


def assert_ends_as_on_file(golden: Golden, state: msgspec.Struct) -> None:
    rules = golden.game
    assert plain(rules.view(state, None)) == golden.view
    assert plain(rules.outcome(state)) == golden.outcome
    assert not rules.prompts(state)


def test_known_values_stay_as_they_are() -> None:
    draws = Draws(b"tangle parlour", 0)
    assert [draws.below(n) for n in (2, 6, 18, 100, 10**6, 2**40)] == [1, 4, 7, 63, 889868, 565359520605]
    assert "".join(Draws(b"tangle parlour", 0).shuffle("ABCDEFGHIJKLMNOPQR")) == "MCDJREQLOHBKIAPNGF"


def test_the_same_seed_and_counter_give_the_same_draws() -> None:
    one, two = Draws(b"a", 3), Draws(b"a", 3)
    assert [one.below(1000) for _ in range(50)] == [two.below(1000) for _ in range(50)]


@pytest.mark.parametrize(("seed", "counter"), [(b"b", 3), (b"a", 4), (b"", 3), (b"a\0", 3)])
def test_another_seed_or_counter_gives_other_draws(seed: bytes, counter: int) -> None:
    def first(draws: Draws) -> list[int]:
        return [draws.below(2**60) for _ in range(4)]

    assert first(Draws(seed, counter)) != first(Draws(b"a", 3))


@pytest.mark.parametrize("n", [1, 2, 3, 7, 18])
def test_each_outcome_is_about_equally_likely(n: int) -> None:
    draws = Draws(b"fair", n)
    counts = Counter(draws.below(n) for _ in range(n * 400))
    assert set(counts) == set(range(n))
    assert all(300 < count < 500 for count in counts.values())


def test_each_order_is_about_equally_likely() -> None:
    counts = Counter(tuple(Draws(b"order", counter).shuffle("abc")) for counter in range(2400))
    assert set(counts) == set(permutations("abc"))
    assert all(320 < count < 480 for count in counts.values())


def test_a_shuffle_keeps_every_thing_and_leaves_its_argument_alone() -> None:
    things = [3, 1, 2, 2]
    assert sorted(Draws(b"keep", 0).shuffle(things)) == [1, 2, 2, 3]
    assert things == [3, 1, 2, 2]
    assert Draws(b"keep", 0).shuffle(range(0)) == []


@pytest.mark.parametrize("n", [0, -1])
def test_a_draw_without_outcomes_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match="at least one outcome"):
        Draws(b"none", 0).below(n)


@pytest.mark.parametrize("hash_seed", ["0", "1", "random"])
def test_draws_do_not_depend_on_the_hash_seed_of_the_process(hash_seed: str) -> None:
    script = "from engines.game import Draws; print(*Draws(b'x', 1).shuffle(range(20)))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [str(n) for n in Draws(b"x", 1).shuffle(range(20))]
