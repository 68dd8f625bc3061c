"""The games that the conformance suite covers: all that are hosted."""

from importlib import import_module
from itertools import product
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect

from engines.game import IllegalSetup
from engines.registry import SLUGS, AnyGame, game


class TableChoice(NamedTuple):
    """Seats and settled options that a game is played with."""

    seats: int
    options: Any


MANY = 24
"""The number of choices of seats and options that are tried one by one; of more, those near the usual game.
"""


class GameCase(NamedTuple):
    """A game of the suite.

    No game has more than `longest` moves. `weight` is how much longer its games take than those of a small
    card game; the suite plays fewer of them by that factor.
    """

    slug: str
    longest: int
    weight: int = 1

    @property
    def game(self) -> AnyGame:
        return game(self.slug)

    @property
    def tables(self) -> list[TableChoice]:
        """Return every choice of seats and options that makes a difference."""
        return every_table(self.game)

    @property
    def usual_tables(self) -> list[TableChoice]:
        """Return tables that differ from the usual in one option at most.

        With few tables, return them all.
        """
        rules, tables = self.game, self.tables
        if len(tables) <= MANY:
            return tables
        usual = {seats: rules.settle(seats, rules.Options()) for seats in rules.seats}
        return [
            table
            for table in tables
            if sum(
                getattr(table.options, name) != getattr(usual[table.seats], name)
                for name in rules.Options.__struct_fields__
            )
            <= 1
        ]


CASES = [
    GameCase(slug, room.LONGEST, room.WEIGHT)
    for slug in SLUGS
    for room in [import_module(f"tests.engines.{slug}")]
]


def every_table(rules: AnyGame) -> list[TableChoice]:
    """Return each number of seats with each combination of settled options."""
    info = inspect.type_info(rules.Options)
    assert isinstance(info, inspect.StructType)
    choices = [[(field.name, value) for value in _values(field)] for field in info.fields]
    pairs: list[TableChoice] = []
    for seats, chosen in product(rules.seats, product(*choices)):
        try:
            table = TableChoice(seats, rules.settle(seats, msgspec.convert(dict(chosen), rules.Options)))
        except IllegalSetup:
            continue
        if table not in pairs:
            pairs.append(table)
    return pairs


def _values(field: inspect.Field) -> list[Any]:
    match field.type:
        case inspect.LiteralType(values):
            return list(values)
        case inspect.BoolType():
            return [False, True]
        case _:
            return [field.default]
