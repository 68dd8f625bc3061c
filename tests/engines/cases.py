"""The games that the conformance suite covers: a new game adds one line."""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect

from engines.game import IllegalSetup
from engines.registry import AnyGame, game


class Table(NamedTuple):
    """Seats and settled options that a game is played with."""

    seats: int
    options: Any


class Case(NamedTuple):
    """A game of the suite. No game of it, however it is played, has more than `longest` moves."""

    slug: str
    longest: int

    @property
    def game(self) -> AnyGame:
        return game(self.slug)

    @property
    def tables(self) -> list[Table]:
        """Every choice of seats and options that makes a difference."""
        return every_table(self.game)


CASES = [
    Case("ribbon", longest=700),
]


def every_table(rules: AnyGame) -> list[Table]:
    """Each number of seats with each combination of options, once they are settled."""
    info = inspect.type_info(rules.Options)
    assert isinstance(info, inspect.StructType)
    choices = [[(field.name, value) for value in _values(field)] for field in info.fields]
    found: list[Table] = []
    for seats, chosen in product(rules.seats, product(*choices)):
        try:
            table = Table(seats, rules.settle(seats, msgspec.convert(dict(chosen), rules.Options)))
        except IllegalSetup:
            continue
        if table not in found:
            found.append(table)
    return found


def _values(field: inspect.Field) -> list[Any]:
    match field.type:
        case inspect.LiteralType(values):
            return list(values)
        case inspect.BoolType():
            return [False, True]
        case _:
            return [field.default]
