"""Whether a batch was committed whose connection was lost before the server could say so.

Each batch on a server leaves a mark, in its own transaction: a number in a row of the connection's own. After
the connection is lost, the row says whether the transaction is committed.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

import msgspec
from sqlalchemy import Delete, Extract, Insert, bindparam, delete, extract, func, select
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

from db import schema

FORGOTTEN_AFTER = 7 * 86_400.0
"""Seconds after which the mark of a connection that was lost is of no use to anybody."""
W = schema.writers.c


class Mark(msgspec.Struct, frozen=True):
    """What a batch leaves behind: its number, in the row of the connection over which it was written."""

    name: str
    batch: int


@cache
def _leave() -> Insert:
    """Built once, for every batch needs it."""
    statement = postgresql.insert(schema.writers).values(
        name=bindparam("name"), batch=bindparam("batch"), at=_now()
    )
    new = {"batch": statement.excluded.batch, "at": statement.excluded.at}
    return statement.on_conflict_do_update(index_elements=["name"], set_=new)


@cache
def _forget_old() -> Delete:
    return delete(schema.writers).where(_now() - FORGOTTEN_AFTER > W.at)


def _now() -> Extract:
    """The server's own time, by which alone marks are compared."""
    return extract("epoch", func.now())


async def leave_mark(connection: AsyncConnection, mark: Mark) -> None:
    """Leave the mark of a batch in its transaction; the first over a connection removes what is old."""
    if mark.batch == 1:
        await connection.execute(_forget_old())
    await connection.execute(_leave(), [{"name": mark.name, "batch": mark.batch}])


async def was_committed(connection: AsyncConnection, mark: Mark) -> bool:
    """Whether the batch that was to leave a mark is committed; waits until its transaction is over."""
    # A first batch inserts its row: to insert it as well waits for that one, to lock it for any later one.
    empty = postgresql.insert(schema.writers).values(name=mark.name, batch=0, at=_now())
    await connection.execute(empty.on_conflict_do_nothing())
    query = select(W.batch).where(W.name == mark.name).with_for_update()
    found = await connection.scalar(query)
    await connection.rollback()
    return bool(found == mark.batch)


async def forget_marks(connection: AsyncConnection, names: Collection[str]) -> None:
    """Remove the rows of connections that are needed no more."""
    await connection.execute(delete(schema.writers).where(W.name.in_(names)))
    await connection.commit()
