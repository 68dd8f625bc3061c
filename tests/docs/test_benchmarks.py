"""The benchmarks that docs name exist, and `make bench` finds each of its parts."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.benchmarks.__main__ import ALONE, PARTS

DOCS = Path(__file__).parents[2] / "docs"
COMMAND = re.compile(r"python -m tests.benchmarks ([a-z ]+)")
"""A command up to its first option or game; games follow the parts that run alone."""


@pytest.mark.parametrize("part", PARTS)
def test_a_part_has_a_module(part: str) -> None:
    assert find_spec(f"tests.benchmarks.{part}") is not None


def test_docs_name_parts_that_there_are() -> None:
    named = {words.split()[0] for page in DOCS.rglob("*.md") for words in COMMAND.findall(page.read_text())}

    assert named
    assert named <= {*PARTS, *ALONE}


def test_what_docs_run_together_are_parts() -> None:
    together = [words.split() for page in DOCS.rglob("*.md") for words in COMMAND.findall(page.read_text())]

    assert {part for parts in together if parts[0] in PARTS for part in parts} <= {*PARTS}
