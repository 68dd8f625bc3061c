from random import Random

import pytest

from engines.analysis.search import Playout, rank_candidates


def noisy(world: float, candidate: int, luck: Random) -> Playout:
    """Score a candidate, plus or minus the world and the luck."""
    return Playout(candidate + world + luck.gauss(0, 0.5), 1)


def test_the_same_luck_gives_the_same_order() -> None:
    one, two = (rank_candidates(range(9), Random.random, noisy, Random(3), 200) for _ in range(2))

    assert one == two


def test_more_nodes_find_the_best_more_often() -> None:
    def found(budget: int) -> int:
        return sum(
            rank_candidates([1, 0, 2], Random.random, wild, Random(number), budget)[0].candidate == 2
            for number in range(60)
        )

    def wild(world: float, candidate: int, luck: Random) -> Playout:
        return Playout(candidate + Random(f"{luck.random()} {candidate}").gauss(0, 3), 1)

    assert found(400) > found(4) > 20


def test_all_are_tried_in_the_same_worlds_with_the_same_luck() -> None:
    seen: dict[int, list[tuple[float, float]]] = {one: [] for one in range(4)}

    def noted(world: float, candidate: int, luck: Random) -> Playout:
        seen[candidate].append((world, luck.random()))
        return Playout(candidate, 1)

    rank_candidates(range(4), Random.random, noted, Random(1), 40)

    longest = max(seen.values(), key=len)
    assert all(tried == longest[: len(tried)] for tried in seen.values())
    assert len(seen[3]) > len(seen[0])


@pytest.mark.parametrize("nodes", [1, 50])
def test_the_budget_counts_nodes(nodes: int) -> None:
    tried = 0

    def counted(world: float, candidate: int, luck: Random) -> Playout:
        nonlocal tried
        tried += 1
        return Playout(candidate, nodes)

    rank_candidates(range(8), Random.random, counted, Random(1), 600)

    assert 600 <= tried * nodes <= 600 + 3 * 8 * nodes


def test_dropped_items_come_last_and_all_are_told() -> None:
    pairs = rank_candidates(range(6), Random.random, noisy, Random(2), 600)

    assert sorted(one.candidate for one in pairs) == list(range(6))
    assert [one.candidate for one in pairs[:2]] == [5, 4]


def test_a_single_candidate_needs_no_world() -> None:
    def never(luck: Random) -> float:
        raise AssertionError

    assert [
        one.candidate for one in rank_candidates(["only"], never, lambda *_: Playout(0, 1), Random(1), 10)
    ] == ["only"]


def test_early_thinking_counts_as_one_world() -> None:
    def level(world: float, candidate: str, luck: Random) -> Playout:
        return Playout(0.0, 1)

    pairs = rank_candidates(["a", "b"], Random.random, level, Random(1), 1, prior=[0.0, 4.0])

    assert [(one.candidate, one.value) for one in pairs] == [("b", 2.0), ("a", 0.0)]
