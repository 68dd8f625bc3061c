"""The examples in docstrings run, and give what they say they give."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FLOORS = ("host", "engines", "tables", "render", "db", "cogs", "tests")
SIGN = ">" * 3
"""An example begins with it."""


def with_examples() -> list[str]:
    """Return the names of modules with examples, the operator's commands included."""
    paths = [ROOT / "bot.py", *(path for floor in FLOORS for path in (ROOT / floor).rglob("*.py"))]
    return [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted(paths)
        if SIGN in path.read_text()
    ]


@pytest.mark.parametrize("name", with_examples())
def test_the_examples_of_a_module_run(name: str) -> None:
    tried = doctest.testmod(import_module(name))

    assert tried.attempted
    assert not tried.failed
