"""A sixth game needs its own rooms and one line of the registry, and nothing else: tried with Nim."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = Path(__file__).parent / "rooms"
HOUSE = ("cogs", "db", "docs", "engines", "host", "render", "tables", "tests", ".ci")
CACHES = (".mypy_cache",)
SUITES = (
    "tests/engines/test_conformance.py",
    "tests/engines/test_simulation.py",
    "tests/discord/play/test_whole_games.py",
    "tests/test_rooms.py",
)
MORE_SUITES = (
    "tests/engines/test_computers.py",
    "tests/discord/learning/test_lessons.py",
    "tests/discord/play/test_typed_choices.py",
    "tests/discord/play/test_foreign_tables.py",
    "tests/discord/ui/test_hostile.py",
    "tests/docs",
)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the house and add Nim: rooms, line, and links."""
    copy = tmp_path_factory.mktemp("six") / "house"
    left_out = shutil.ignore_patterns("sixth_game", "screenshots")
    # What was compiled and checked of the house is good for the copy, too, and saves doing it again.
    for room in (*HOUSE, *(cache for cache in CACHES if (ROOT / cache).exists())):
        shutil.copytree(ROOT / room, copy / room, ignore=left_out)
    for file in [*ROOT.glob("*.py"), *ROOT.glob("*.md"), *ROOT.glob(".env.example")]:
        shutil.copy(file, copy)
    for name in ("pyproject.toml", "Makefile", "LICENSE", "requirements.lock", "requirements-dev.lock"):
        shutil.copy(ROOT / name, copy)
    shutil.copytree(ROOMS, copy, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    _add(copy / "engines" / "registry.py", '"tangle")', '"tangle", "nim")')
    _add(copy / "README.md", "## Try it", "[Nim](docs/games/nim.md)\n\n## Try it")
    return copy


def _add(file: Path, before: str, after: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(before) == 1
    file.write_text(text.replace(before, after), encoding="utf-8")


def run_in_house(house: Path, *arguments: str) -> str:
    """Run a program in that house; return its output. It must succeed.

    It doesn't know which of our test processes has begun it: else it would share what those of one run
    share, such as pictures, with the runs before. Hypothesis finds there what it has read of our modules.
    """
    known = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    known["HYPOTHESIS_STORAGE_DIRECTORY"] = str(ROOT / ".hypothesis")
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=house, env=known, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    return done.stdout


def passing(house: Path, suites: Sequence[str]) -> int:
    """Run all suites for Nim; count the tests, which all pass."""
    text = run_in_house(house, "pytest", *suites, "--game", "nim", "-q", "-n", "0", "-p", "no:cacheprovider")
    return int(text.split(" passed")[0].split()[-1])


def test_a_sixth_game_keeps_its_rules_and_is_played_by_clicks(house: Path) -> None:
    run_in_house(house, "tests.engines.record", "nim")

    assert passing(house, SUITES) >= 30
    assert (house / "tests" / "fixtures" / "nim" / "table-2.json").exists()


@pytest.mark.thorough
def test_a_sixth_game_is_in_everything_that_is_the_same_for_all_games(house: Path) -> None:
    assert passing(house, MORE_SUITES) >= 15


@pytest.mark.thorough
def test_a_sixth_game_is_typed_and_keeps_to_its_rooms(house: Path) -> None:
    run_in_house(house, "mypy", "engines/nim", "render/nim", "cogs/nim", "tests/engines/nim")
    run_in_house(house, "ruff", "check", "engines/nim", "render/nim", "cogs/nim")
