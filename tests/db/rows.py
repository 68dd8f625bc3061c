"""Rows to write, and a look at what is written that doesn't go through the Store."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from msgspec.structs import replace
from sqlalchemy import Row, inspect, select, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from db import schema
from db.connection.opening import database_url
from db.records import ActionRow, DailyPointsRow, SeatRow, TableRow, TableWrite
from db.store import Store

ANN, BO = 101, 102
LOBBY = TableRow(
    id=0,
    guild_id=1,
    channel_id=2,
    thread_id=None,
    game="ribbon",
    options="{}",
    phase="lobby",
    host_id=ANN,
    version=0,
    beat=0,
    owing="[]",
    computer_due=False,
    seed="5eed",
    salt="5a17",
    deal=None,
    outcome=None,
    created_at=1000.0,
    touched_at=1000.0,
)
SEATS = (SeatRow(0, ANN, "Ann", None), SeatRow(1, None, "Ada", "strong"))


def step(version: int, base: int | None = None, **fields: Any) -> ActionRow:
    row = ActionRow(version, version - 1, "move", 0, ANN, '{"type":"flip"}', "[]", False, 1000.0 + version)
    return replace(row, base=row.base if base is None else base, **fields)


def change(table_id: int, seen: int = 0, **fields: Any) -> TableWrite:
    return TableWrite(
        **{"table_id": table_id, "seen": seen, "columns": {}, "actions": (step(seen + 1),), **fields}
    )


async def new_table(store: Store, **fields: Any) -> int:
    """Create a table with Ann and a computer at it."""
    return await store.create(replace(LOBBY, **fields), SEATS)


async def points_on(store: Store, guild_id: int, day: str) -> list[DailyPointsRow]:
    """Return a server's points for a deal of a day, best first."""
    s = schema.daily_points.c
    won = select(schema.daily_points).where(s.guild_id == guild_id, s.day == day)
    return await store._rows(DailyPointsRow, won.order_by(s.place, s.user_id))


@asynccontextmanager
async def connect(address: str) -> AsyncIterator[AsyncConnection]:
    """Yield another program's connection to a database; it commits at the end."""
    engine = create_async_engine(database_url(address))
    try:
        async with engine.begin() as connection:
            yield connection
    finally:
        await engine.dispose()


async def everything(address: str) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of a database, with booleans as numbers.

    SQLite has numbers there too. To reflect the tables would take much longer.
    """
    async with connect(address) as connection:
        names = await connection.run_sync(lambda sync: inspect(sync).get_table_names())
        return {
            name: sorted(map(plain, await connection.execute(text(f'select * from "{name}"'))), key=repr)
            for name in names
        }


def plain(row: Row[Any]) -> tuple[Any, ...]:
    return tuple(int(value) if isinstance(value, bool) else value for value in row)
