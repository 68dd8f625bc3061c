"""Names of people: the current ones, and lists without two equal ones."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from msgspec.structs import replace

from db.records.daily import DailyPlayRow
from db.records.results import BestRow, OpponentRow, RankedRow, ResultRow
from db.subjects.daily import DailySum
from engines.names import make_distinct

Row = TypeVar("Row", BestRow, DailyPlayRow, DailySum, OpponentRow, RankedRow, ResultRow)

NameLookup = Callable[[int, int, str], Awaitable[str | None]]
"""Returns a person's current name in a server by both ids and the known name; None if they have left."""


async def known_name(_guild_id: int, _user_id: int, known: str) -> str | None:
    """Return the known name: everybody is still there."""
    return known


def name_apart(rows: Sequence[Row]) -> list[Row]:
    """Number people with a name that is taken. Each person keeps one name."""
    names: dict[int, str] = {}
    for row in rows:
        if row.user_id not in names:
            names[row.user_id] = make_distinct(row.name, names.values())
    return [replace(row, name=names[row.user_id]) for row in rows]
