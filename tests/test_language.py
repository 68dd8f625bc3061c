"""Names and docstrings get no worse: each floor has a ceiling, which only goes down.

`python -m tests.test_language [folder …]` prints the shares of the floors, or of other projects.
"""

import ast
import sys
import tomllib
from collections.abc import Sequence
from doctest import DocTestParser
from functools import cache
from pathlib import Path

import pytest

from tests.language import RULES, Reading, read_files, read_pages

ROOT = Path(__file__).parents[1]
CEILINGS = tomllib.loads(Path(__file__).with_name("language_ceilings.toml").read_text("utf-8"))
FLOORS = ("db", "engines", "render", "tables", "cogs", "host", "tests")
KINDS = ("participles", "openings", "long", "banned")


def files_of(floor: str) -> list[Path]:
    return sorted([*(ROOT / floor).rglob("*.py"), *(ROOT.glob("*.py") if floor == "host" else ())])


@cache
def reading_of(floor: str) -> Reading:
    return read_files(files_of(floor), ROOT)


def find_twins() -> list[str]:
    house = Reading()
    for floor in FLOORS:
        for name, places in reading_of(floor).classes.items():
            house.classes.setdefault(name, []).extend(places)
    return house.twins


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("floor", FLOORS)
def test_a_floor_reads_no_worse_than_its_ceiling(floor: str, kind: str) -> None:
    texts = reading_of(floor).findings()[kind]

    assert len(texts) <= CEILINGS[floor][kind], "\n".join(texts)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("floor", FLOORS)
def test_a_ceiling_is_as_low_as_its_floor(floor: str, kind: str) -> None:
    """Lower a floor's ceiling in the commit that improves it."""
    assert CEILINGS[floor][kind] == len(reading_of(floor).findings()[kind])


def test_pages_and_data_have_no_banned_phrase() -> None:
    folders = [ROOT / floor for floor in (*FLOORS, "docs")]
    paths = [path for folder in folders for path in folder.rglob("*") if path.suffix in (".md", ".toml")]
    paths += [*ROOT.glob("*.md"), *ROOT.glob("*.toml")]

    assert len(paths) > 60
    assert read_pages([path for path in paths if path.name != "language.toml"], ROOT) == []


def test_a_class_name_exists_once() -> None:
    twins = find_twins()

    assert len(twins) == CEILINGS["twins"], "\n".join(twins)


@pytest.mark.parametrize("name", RULES["contracts"].split())
def test_a_contract_has_an_example(name: str) -> None:
    (place,) = {name: places for floor in FLOORS for name, places in reading_of(floor).classes.items()}[name]
    path, line = place.split(":")
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    (contract,) = (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == name)

    assert str(contract.lineno) == line
    assert DocTestParser().get_examples(ast.get_docstring(contract) or "")


def shares(reading: Reading) -> str:
    """Return the shares of a floor in percent, and the plain counts."""
    functions, docstrings = max(1, reading.functions), max(1, reading.docstrings)
    openings = 100 * len(reading.openings) / docstrings
    docs = f"{reading.docstrings:5} docstrings, {openings:4.1f}% wrong openings"
    return (
        f"{reading.functions:5} functions, {100 * len(reading.participles) / functions:4.1f}% participles; "
        f"{docs}, {100 * len(reading.long) / docstrings:4.1f}% long; {len(reading.banned)} banned phrases, "
        f"{len(reading.twins)} names of two classes"
    )


def main(folders: Sequence[str]) -> None:
    """Print each floor's shares, or other folders'; with `--ceilings` the ceilings' file."""
    if folders == ["--ceilings"]:
        print(f"twins = {len(find_twins())}\n")
        for floor in FLOORS:
            entries = reading_of(floor).findings()
            print(f"[{floor}]", *(f"{kind} = {len(entries[kind])}" for kind in KINDS), "", sep="\n")
    elif folders:
        for folder in map(Path, folders):
            print(f"{folder.name:10} {shares(read_files(sorted(folder.rglob('*.py')), folder))}")
    else:
        for floor in FLOORS:
            print(f"{floor:10} {shares(reading_of(floor))}")


if __name__ == "__main__":
    main(sys.argv[1:])
