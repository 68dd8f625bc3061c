"""Measures how the code reads: names, docstrings, and phrases that stop a reader."""

import ast
import re
import tomllib
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

RULES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
IRREGULAR, VERBS, NOUNS, OPENINGS = (
    frozenset(RULES[name].split()) for name in ("irregular", "verbs", "nouns", "openings")
)
BANNED = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in RULES["banned"].items()}
LONGEST = 12
"""Words that the first sentence of a docstring may have."""
SENTENCE_END = re.compile(r"(?<=[.!?:])\s")
BLOCKS = ("body", "orelse", "handlers", "cases", "finalbody")
"""The fields in which a statement has others."""
COMMENT = re.compile(r"(?:^|\s)# (.*)")
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class Reading:
    """The findings in some files, each with its place.

    `functions` and `docstrings` are their numbers; properties count as values.
    """

    functions: int = 0
    docstrings: int = 0
    participles: list[str] = field(default_factory=list)
    openings: list[str] = field(default_factory=list)
    long: list[str] = field(default_factory=list)
    banned: list[str] = field(default_factory=list)
    classes: dict[str, list[str]] = field(default_factory=dict)

    @property
    def twins(self) -> list[str]:
        """Return the classes whose name another class has as well."""
        return [f"{name}: {', '.join(places)}" for name, places in self.classes.items() if len(places) > 1]

    def findings(self) -> dict[str, list[str]]:
        """Return everything that the gate counts."""
        return {
            "participles": self.participles,
            "openings": self.openings,
            "long": self.long,
            "banned": self.banned,
        }


def is_participle_name(name: str) -> bool:
    """Return True for a function's name that begins with a participle.

    >>> [is_participle_name(name) for name in ("rolled_back", "heard", "roll_back", "set_up", "seed")]
    [True, True, False, False, False]
    """
    first, *others = name.strip("_").split("_")
    regular = first.endswith("ed") and len(first) > 3 and first not in NOUNS
    return regular or (first in IRREGULAR and not (others and first in VERBS))


def read_files(paths: Iterable[Path], root: Path) -> Reading:
    reading = Reading()
    for path in paths:
        text, where = path.read_text("utf-8"), str(path.relative_to(root))
        for node in _walk_statements(ast.parse(text)):
            _read_node(reading, node, where)
        for number, line in enumerate(text.splitlines(), start=1):
            comment = COMMENT.search(line)
            if comment is not None:
                reading.banned += _find_banned(comment[1], f"{where}:{number}")
    return reading


def read_pages(paths: Iterable[Path], root: Path) -> list[str]:
    """Return the banned phrases of pages and data, each with its line."""
    return [
        finding
        for path in paths
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        for finding in _find_banned(line, f"{path.relative_to(root)}:{number}")
    ]


def _walk_statements(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield a module and its statements. Expressions have no names or docstrings of their own."""
    todo: deque[ast.AST] = deque([tree])
    while todo:
        node = todo.popleft()
        yield node
        for part in BLOCKS:
            todo.extend(getattr(node, part, ()))


def _read_node(reading: Reading, node: ast.AST, where: str) -> None:
    if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
        reading.classes.setdefault(node.name, []).append(f"{where}:{node.lineno}")
    if isinstance(node, Function) and not (
        node.name.startswith("__") or any("property" in ast.unparse(one) for one in node.decorator_list)
    ):
        reading.functions += 1
        if is_participle_name(node.name):
            reading.participles.append(f"{where}:{node.lineno}: {node.name}")
    for number, (text, line) in enumerate(_texts(node)):
        place = f"{where}:{line}"
        reading.banned += _find_banned(text, place)
        if isinstance(node, Function) and not number:
            _read_docstring(reading, text, place)


def _read_docstring(reading: Reading, text: str, place: str) -> None:
    reading.docstrings += 1
    first = SENTENCE_END.split(" ".join(text.split("\n\n")[0].split()))[0]
    words = first.split()
    if words and re.sub(r"\W", "", words[0]).lower() in OPENINGS:
        reading.openings.append(f"{place}: {first}")
    if len(words) > LONGEST:
        reading.long.append(f"{place}: {first}")


def _texts(node: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield a node's docstring, and the strings that describe constants below it."""
    body = getattr(node, "body", None)
    for one in body if isinstance(body, list) else []:
        value = one.value if isinstance(one, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.value, one.lineno


def _find_banned(text: str, place: str) -> list[str]:
    return [f"{place}: {name}" for name, pattern in BANNED.items() for _ in pattern.finditer(text)]


def count(entries: dict[str, list[str]]) -> Counter[str]:
    return Counter({name: len(places) for name, places in entries.items()})
