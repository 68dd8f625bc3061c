"""Measure each floor, and hold it to its ceiling: ``python -m tests.size [--lower]``.

`tests/size_ceilings.toml` has the ceilings. `--lower` writes those that are lower now. A floor may grow only
by a line of `raised` that says by how much, for which feature, and why.
"""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[1]
CEILINGS = Path(__file__).with_name("size_ceilings.toml")
FLOORS = ("db", "engines", "render", "tables", "cogs", "host", "benchmarks", "tests")
KINDS = ("lines", "files", "imports", "once", "long")
"""Lines, files, thousandths of lines that import and of functions called once, functions over 50 lines."""
GIT = shutil.which("git") or "git"
LONG = 50
RAISE = re.compile(rf"({'|'.join(KINDS)}) \+(\d+): .+: .+")
HEAD = """# What each floor may be at most, written by `python -m tests.size --lower`.
# To let one grow, add a line to its `raised`: "lines +120: the feature: why nothing could go for it".
"""


class FileSize(msgspec.Struct, frozen=True):
    """The size of one file; `longest` are its functions over 50 lines, with their lines."""

    path: Path
    lines: int
    imports: int
    functions: int
    once: tuple[str, ...]
    longest: tuple[tuple[int, str], ...]


def floor_of(path: Path) -> str:
    """Return the floor of a file, by its path in the project.

    >>> [floor_of(Path(name)) for name in ("bot.py", "tests/size.py", "tests/benchmarks/load.py")]
    ['host', 'tests', 'benchmarks']
    """
    if len(path.parts) == 1:
        return "host"
    return "benchmarks" if path.parts[:2] == ("tests", "benchmarks") else path.parts[0]


def measure_file(path: Path) -> FileSize:
    text = (ROOT / path).read_text("utf-8")
    tree = ast.parse(text)
    nodes = list(ast.walk(tree))
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    used = Counter(
        node.id if isinstance(node, ast.Name) else node.attr
        for node in nodes
        if isinstance(node, ast.Name | ast.Attribute)
    )
    imports = sum(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for node in nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
    )
    private = [one.name for one in functions if one.name.startswith("_") and not one.name.startswith("__")]
    spans = [((one.end_lineno or one.lineno) - one.lineno + 1, one.name) for one in functions]
    return FileSize(
        path,
        len(text.splitlines()),
        imports,
        len(functions),
        tuple(name for name in private if used[name] == 1),
        tuple(sorted((span for span in spans if span[0] > LONG), reverse=True)),
    )


def measure() -> dict[str, list[FileSize]]:
    """Return the files of each floor, as git knows them."""
    names = _git("ls-files", "*.py").split() or [str(path.relative_to(ROOT)) for path in _walk(ROOT)]
    floors: dict[str, list[FileSize]] = {floor: [] for floor in FLOORS}
    for path in map(Path, sorted(names)):
        if floor_of(path) in floors and (ROOT / path).exists():
            floors[floor_of(path)].append(measure_file(path))
    return floors


def _walk(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            continue
        if path.is_dir():
            yield from _walk(path)
        elif path.suffix == ".py":
            yield path


def figures(files: Sequence[FileSize]) -> dict[str, int]:
    """Return a floor's figures; see `KINDS`."""
    lines, functions = sum(one.lines for one in files), sum(one.functions for one in files)
    return {
        "lines": lines,
        "files": len(files),
        "imports": round(1000 * sum(one.imports for one in files) / max(1, lines)),
        "once": round(1000 * sum(len(one.once) for one in files) / max(1, functions)),
        "long": sum(len(one.longest) for one in files),
    }


def find_causes(kind: str, files: Sequence[FileSize]) -> list[str]:
    """Return a figure's three largest causes, with their amounts."""
    match kind:
        case "lines":
            grown = _growth()
            found = [(grown.get(one.path, 0), str(one.path)) for one in files]
            found = (
                found
                if any(amount > 0 for amount, _ in found)
                else [(one.lines, str(one.path)) for one in files]
            )
        case "files":
            found = [(-one.lines, str(one.path)) for one in files]
        case "imports":
            found = [(one.imports, str(one.path)) for one in files]
        case "once":
            found = [(len(one.once), f"{one.path} ({', '.join(one.once[:3])})") for one in files]
        case _:
            found = [(span, f"{one.path}: {name}") for one in files for span, name in one.longest]
    return [f"{name}: {abs(amount)}" for amount, name in sorted(found, reverse=True)[:3]]


def _growth() -> dict[Path, int]:
    """Return the growth of files, in lines, since the ceilings were written."""
    since = _git("log", "-1", "--format=%H", "--", str(CEILINGS)).strip()
    rows = [row.split("\t") for row in _git("diff", "--numstat", since).splitlines()] if since else []
    return {Path(row[2]): int(row[0]) - int(row[1]) for row in rows if len(row) == 3 and row[0].isdigit()}


def _git(*words: str) -> str:
    return subprocess.run([GIT, *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout


def read_ceilings() -> dict[str, dict[str, int]]:
    """Return each floor's ceilings, with what it may grow by."""
    result = {}
    for floor, written in tomllib.loads(CEILINGS.read_text("utf-8")).items():
        result[floor] = {kind: written[kind] for kind in KINDS}
        for line in written.get("raised", []):
            match = RAISE.fullmatch(line)
            if match is None:
                raise ValueError(f"{floor}: {line!r} isn't like 'lines +120: the feature: why'")
            result[floor][match[1]] += int(match[2])
    return result


def find_excess(floors: dict[str, list[FileSize]]) -> list[str]:
    """Return a sentence for each floor and figure above its ceiling."""
    ceilings = read_ceilings()
    return [
        f"{floor} has {amount} {kind}, {ceilings[floor][kind]} at most: {'; '.join(find_causes(kind, files))}"
        for floor, files in floors.items()
        for kind, amount in figures(files).items()
        if amount > ceilings[floor][kind]
    ]


def write_ceilings(floors: dict[str, list[FileSize]]) -> None:
    """Lower the ceilings to the present figures, which drops used raises."""
    known = read_ceilings() if CEILINGS.exists() else {}
    parts = [HEAD]
    for floor, files in floors.items():
        now = figures(files)
        limits = {kind: min(amount, known.get(floor, now)[kind]) for kind, amount in now.items()}
        parts.append(f"\n[{floor}]\n" + "".join(f"{kind} = {amount}\n" for kind, amount in limits.items()))
    CEILINGS.write_text("".join(parts), "utf-8")


def main(words: Sequence[str]) -> int:
    floors = measure()
    excess = find_excess(floors) if CEILINGS.exists() else []
    if "--lower" in words and not excess:  # the raises say why a floor has grown
        write_ceilings(floors)
    print(f"{'':<11}" + "".join(f"{kind:>9}" for kind in KINDS))
    for floor, files in floors.items():
        print(f"{floor:<11}" + "".join(f"{amount:>9,}" for amount in figures(files).values()))
    print(*excess, sep="\n", end="\n" if excess else "")
    if excess:
        print(f"Make it smaller, or say why it grew in a line of `raised` in {CEILINGS.relative_to(ROOT)}.")
    return 1 if excess else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
