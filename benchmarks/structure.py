"""A checkout's size for a newcomer: ``python -m benchmarks.structure [CHECKOUT …]``, side by side.

Entries of the fullest folders, lines of each floor, public names, words of the glossary, and the imports to
remove until each floor's rooms have an order.
"""

import ast
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

FLOORS = ("engines", "render", "cogs", "tables", "db")
MAIN = ("bot.py", "practice.py")
FULL = 15
"""Entries that a folder should have at most."""


def main() -> int:
    """Print a row a figure, a column a checkout (default: this)."""
    checkouts = [Path(name).resolve() for name in sys.argv[1:]] or [Path.cwd()]
    columns = [_figures(checkout) for checkout in checkouts]
    print("| |" + "|".join(checkout.name for checkout in checkouts) + "|\n|---|" + "---:|" * len(columns))
    for name in dict.fromkeys(name for column in columns for name in column):
        print(f"| {name} |" + "|".join(f" {column.get(name, '')} " for column in columns) + "|")
    return 0


def _figures(checkout: Path) -> dict[str, int]:
    files = _files_in_git(checkout)
    product = [
        file for file in files if file.suffix == ".py" and (file.parts[0] in FLOORS or file.name in MAIN)
    ]
    figures = dict[str, int]()
    for floor in (*FLOORS, "tests"):
        sizes = _entries([file for file in files if file.parts[0] == floor])
        figures[f"{floor}: most entries of a folder"] = max(sizes.values())
        figures[f"{floor}: folders of more than {FULL} entries"] = sum(size > FULL for size in sizes.values())
    for floor in (*FLOORS, "tests"):
        lines = (checkout / file for file in files if file.parts[0] == floor and file.suffix == ".py")
        figures[f"{floor}: lines"] = sum(len(path.read_text().splitlines()) for path in lines)
    figures["product: lines"] = sum(len((checkout / file).read_text().splitlines()) for file in product)
    figures["product: public names"] = sum(_public_names(checkout / file) for file in product)
    figures["glossary: words"] = _words(checkout, files)
    for floor in FLOORS:
        figures[f"{floor}: imports that make circles among its rooms"] = _count_cycles(checkout, floor)
    return figures


def _files_in_git(checkout: Path) -> list[Path]:
    listed = subprocess.run(
        [shutil.which("git") or "git", "ls-files"], cwd=checkout, capture_output=True, text=True, check=True
    )
    return [Path(line) for line in listed.stdout.splitlines()]


def _entries(files: list[Path]) -> dict[Path, int]:
    """Return the number of files and folders of each folder."""
    folders = defaultdict[Path, set[str]](set)
    for file in files:
        for parent in file.parents:
            inner = file.relative_to(parent).parts[0]
            if parent != Path() and inner != "__init__.py":
                folders[parent].add(inner)
    return {folder: len(names) for folder, names in folders.items()}


def _public_names(path: Path) -> int:
    """Count classes, functions, methods and constants without a leading underscore."""
    count = 0
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            count += not node.name.startswith("_")
    for node in ast.parse(path.read_text()).body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        count += sum(isinstance(one, ast.Name) and not one.id.startswith("_") for one in targets)
    return count


def _words(checkout: Path, files: list[Path]) -> int:
    """Count the words of the glossary, whatever its name."""
    pages = [file for file in files if file.parts[0] == "docs" and file.stem in {"glossary", "words"}]
    texts = [(checkout / page).read_text() for page in pages] or [_section(checkout / "docs/architecture.md")]
    return sum(len(re.findall(r"^\| \*\*", text, re.MULTILINE)) for text in texts)


def _section(page: Path) -> str:
    """Return the glossary's part of a page."""
    return page.read_text().partition("## Words")[2].partition("\n## ")[0]


CIRCLES = """
import sys
from grimp import build_graph
print(len(build_graph(sys.argv[1], cache_dir=None).nominate_cycle_breakers(sys.argv[1])))
"""


def _count_cycles(checkout: Path, floor: str) -> int:
    """Count the imports to remove until a floor's rooms have an order."""
    command = [sys.executable, "-c", CIRCLES, floor]
    return int(subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=True).stdout)


if __name__ == "__main__":
    sys.exit(main())
