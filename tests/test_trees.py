"""Every game has the same rooms with the same file names."""

import tomllib
from collections import Counter
from itertools import chain
from pathlib import Path

from engines.registry import SLUGS

ROOT = Path(__file__).parents[1]
FLOORS = ("engines", "cogs", "render")
REASONS: dict[str, dict[str, str]] = tomllib.loads((ROOT / "tests" / "rooms.toml").read_text("utf-8"))
"""The modules that a game lacks or has alone, each with its reason."""


def tree_of(floor: str, slug: str) -> set[str]:
    folder = ROOT / floor / slug
    return {str(path.relative_to(folder)) for path in folder.rglob("*.py")}


def test_a_game_has_the_modules_of_the_others_or_a_reason() -> None:
    lacks, has = set[str](), set[str]()

    for floor in FLOORS:
        trees = {slug: tree_of(floor, slug) for slug in SLUGS}
        counts = Counter(chain.from_iterable(trees.values()))
        usual = {name for name, count in counts.items() if count > len(SLUGS) / 2}
        assert len(usual) > 4
        lacks |= {f"{floor}/{slug}/{name}" for slug in SLUGS for name in usual - trees[slug]}
        has |= {f"{floor}/{slug}/{name}" for slug in SLUGS for name in trees[slug] - usual}

    assert lacks == set(REASONS["lacks"])
    assert has == set(REASONS["has"])
