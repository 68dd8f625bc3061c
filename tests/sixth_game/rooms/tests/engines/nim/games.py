"""Games of Nim to put on file: those that computer players play are enough."""

from __future__ import annotations

from collections.abc import Iterator

from tests.engines.golden import Script


def arranged() -> Iterator[Script]:
    """None."""
    return iter(())
