"""Lists of people without two equal names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec.structs import replace

from db.records.daily import DailyPlayRow
from db.records.results import BestRow, OpponentRow, RankedRow, ResultRow
from db.subjects.daily import DailySum
from engines.names import make_distinct

Row = TypeVar("Row", BestRow, DailyPlayRow, DailySum, OpponentRow, RankedRow, ResultRow)


def name_apart(rows: Sequence[Row]) -> list[Row]:
    """Number people with a name that is taken.

    Each person keeps one name.
    """
    names: dict[int, str] = {}
    for row in rows:
        if row.user_id not in names:
            names[row.user_id] = make_distinct(row.name, names.values())
    return [replace(row, name=names[row.user_id]) for row in rows]
