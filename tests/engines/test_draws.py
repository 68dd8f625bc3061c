"""The draws are promised for years: known values, fair shares, nothing from the process."""

import os
import subprocess
import sys
from collections import Counter
from itertools import permutations

import pytest

from engines.game import Draws


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
