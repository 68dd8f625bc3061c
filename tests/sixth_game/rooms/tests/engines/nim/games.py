"""Games of Nim to put on file: those that computer players play are enough."""

from collections.abc import Iterator

from tests.engines.golden import Script


def arrange_games() -> Iterator[Script]:
    return iter(())
