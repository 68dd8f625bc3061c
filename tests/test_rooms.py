"""Each game keeps to its own rooms, and the house around them knows no game."""

import ast
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from engines.registry import SLUGS

ROOT = Path(__file__).parents[1]
ROOMS = ("engines", "render", "cogs")
POSTPONED = "from __future__ import annotations\n"
WITHOUT_POSTPONING = """
import sys
from importlib import import_module
from pathlib import Path

for file in sorted(Path().glob("**/*.py")):
    text = file.read_text("utf-8") if file.parts[0] != ".venv" else ""
    if not text.startswith(sys.argv[1]) and f"\\n{sys.argv[1]}" not in text:
        continue
    module = import_module(".".join(file.with_suffix("").parts))
    names = {"__name__": module.__name__, "__file__": str(file), "__package__": module.__package__}
    try:
        exec(compile(text.replace(sys.argv[1], ""), file, "exec", dont_inherit=True), names)
    except (NameError, TypeError):
        continue
    print(file, "can do without it")
"""


def find_imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def games_in(file: Path) -> set[str]:
    names = {tuple(name.split(".")[:2]) for name in find_imports(file)}
    return {slug for slug in SLUGS if any((room, slug) in names for room in ROOMS)}


@pytest.mark.parametrize("slug", SLUGS)
def test_a_game_looks_into_no_other_games_rooms(slug: str) -> None:
    files = [file for room in ROOMS for file in (ROOT / room / slug).rglob("*.py")]

    assert len(files) > len(ROOMS)
    for file in files:
        assert games_in(file) <= {slug}, file


@pytest.mark.essential
def test_the_house_looks_into_no_games_rooms() -> None:
    files = [
        file
        for room in (*ROOMS, "tables", "db")
        for file in (ROOT / room).rglob("*.py")
        if not set(SLUGS) & set(file.relative_to(ROOT).parts)
    ]

    assert len(files) > 40
    for file in files:
        assert not games_in(file), file


def test_starting_modules_import_each_other_one_way() -> None:
    order = ("host.client", "host.practice", "host.start", "bot")

    for number, module in enumerate(order):
        known = find_imports(ROOT / f"{module.replace('.', '/')}.py")
        assert not [name for name in known if name.startswith(order[number:])], module


@pytest.mark.essential
def test_annotations_are_postponed_only_where_a_name_does_not_exist_yet() -> None:
    """Run each such file without the import, which then must fail."""
    found = subprocess.run(
        [sys.executable, "-c", WITHOUT_POSTPONING, POSTPONED],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )

    assert found.stdout == "", found.stdout + found.stderr


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
        assert len(usual) > 3
        lacks |= {f"{floor}/{slug}/{name}" for slug in SLUGS for name in usual - trees[slug]}
        has |= {f"{floor}/{slug}/{name}" for slug in SLUGS for name in trees[slug] - usual}

    assert lacks == set(REASONS["lacks"])
    assert has == set(REASONS["has"])
