"""Find what only the dear tests reach. ``make coverage`` runs this after both parts of the suite.

`make test` reaches every function as far as the rest of the suite does, or `tests/reached_later.toml` says
why not.
"""

import ast
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from coverage import Coverage

ROOT = Path(__file__).parents[1]
MEASURED = ROOT / "build/coverage"
"""The folder with what both parts reach, in files of many processes, each named for its part."""
LATER = Path(__file__).with_name("reached_later.toml")


def read_reached(part: str) -> dict[str, set[int]]:
    """Return the lines that a part of the suite reaches, by file."""
    measured = Coverage(data_file=None, config_file=str(ROOT / "pyproject.toml"))
    measured.combine([str(path) for path in MEASURED.glob(f"{part}.*")], keep=True)
    data = measured.get_data()
    files = {
        str(Path(name).relative_to(ROOT)): name
        for name in data.measured_files()
        if Path(name).is_relative_to(ROOT)  # a test makes a copy of the bot
    }
    return {path: set(data.lines(name) or ()) for path, name in files.items()}


def functions_of(tree: ast.AST, owner: str = "") -> Iterator[tuple[range, str]]:
    """Yield each function's lines and name, the outer ones first."""
    for node in ast.iter_child_nodes(tree):
        name = owner
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{owner}.{node.name}".lstrip(".")
            if not isinstance(node, ast.ClassDef):
                yield range(node.lineno, (node.end_lineno or node.lineno) + 1), name
        yield from functions_of(node, name)


def find_later(test: dict[str, set[int]], rest: dict[str, set[int]]) -> dict[str, list[int]]:
    """Return the lines that only `rest` reaches, by file and function."""
    later = defaultdict[str, list[int]](list)
    for path, lines in sorted(rest.items()):
        functions = list(functions_of(ast.parse((ROOT / path).read_text("utf-8"))))
        for line in sorted(lines - test.get(path, set())):
            name = next((name for place, name in reversed(functions) if line in place), "")
            later[f"{path}:{name}"].append(line)
    return dict(later)


def main() -> int:
    later = find_later(read_reached("test"), read_reached("rest"))
    reasons = tomllib.loads(LATER.read_text("utf-8"))
    unknown = [f"{place} {lines}" for place, lines in later.items() if place not in reasons]
    reached = [f"{place} needs no reason in {LATER.name}" for place in reasons if place not in later]
    print(*unknown, *reached, sep="\n")
    known = len(later) - len(unknown)
    print(f"{len(later)} functions go further in `make rest`, {known} of them with a reason.")
    return int(bool(unknown or reached))


if __name__ == "__main__":
    sys.exit(main())
