"""A whole database carried over into another, of the same kind or not, and compared row by row."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import zip_longest
from typing import Any

from sqlalchemy import Column, Connection, Table, delete, func, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from db import schema
from db.backup.copy import BadCopy
from db.connection.opening import database_url, sqlite_engine
from db.connection.writer import begin_writing
from db.migrate import USABLE_FROM, revision_of, revisions
from db.store import Store

LOT = 500
"""So many rows are held in memory at once."""


async def move(source: str, target: str) -> dict[str, int]:
    """Copy every row of the database of one URL into the empty one of another; how many, by table.

    All is written in one transaction and then compared with its source, so that the target is whole, or is
    left without a row. The bot must not run on either.

    Raises:
        BadCopy: when the source isn't at the newest version, the target holds something, or they differ.
        DatabaseUnreachable: when one of them can't be opened.
    """
    await (await Store.open(target)).close()
    there, here = _engine(source), _engine(target)
    try:
        async with there.connect() as reading, here.connect() as writing:
            await _require_newest(reading)
            await begin_writing(writing)
            # What the migration has written stands in the source, too.
            await writing.execute(delete(schema.facts).where(schema.facts.c.key == USABLE_FROM))
            await _require_empty(writing)
            found = {
                table.name: await _carry(reading, writing, table) for table in schema.metadata.sorted_tables
            }
            await writing.commit()
        return found
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise BadCopy(f"The database can't be copied: {reason}.") from error
    finally:
        await there.dispose()
        await here.dispose()


def _engine(address: str) -> Any:
    url = database_url(address)
    if url.get_backend_name() == "sqlite":
        return sqlite_engine(url, 1)
    return create_async_engine(url, hide_parameters=True)


async def _require_newest(reading: AsyncConnection) -> None:
    version = await reading.run_sync(revision_of)
    if version != revisions()[0]:
        raise BadCopy(
            f"The source is at version {version or 'none'}; bring it up to date first (bot.py migrate)."
        )


async def _require_empty(writing: AsyncConnection) -> None:
    for table in schema.metadata.sorted_tables:
        if (await writing.execute(select(func.count()).select_from(table))).scalar_one():
            raise BadCopy("The target holds something already. Name an empty database.")


async def _carry(reading: AsyncConnection, writing: AsyncConnection, table: Table) -> int:
    """Copy a table, and compare the copy row by row."""
    number = 0
    async for lot in _lots(reading, table):
        await writing.execute(table.insert(), [dict(row) for row in lot])
        number += len(lot)
    column = table.autoincrement_column
    if column is not None:
        await writing.run_sync(_number_on, table, column, await reading.run_sync(_last_number, table, column))
    await _compare(reading, writing, table)
    return number


async def _lots(connection: AsyncConnection, table: Table) -> AsyncIterator[list[Any]]:
    """The rows of a table in the order of their keys."""
    query = select(table).order_by(*table.primary_key.columns).execution_options(yield_per=LOT)
    result = await connection.stream(query)
    async for lot in result.mappings().partitions():
        yield list(lot)


async def _compare(one: AsyncConnection, other: AsyncConnection, table: Table) -> None:
    copies, none = _lots(other, table), list[Any]()
    async for lot in _lots(one, table):
        copy = await anext(copies, none)
        for row, same in zip_longest(lot, copy):
            if row is None or same is None or dict(row) != dict(same):
                key = [(row or same)[column.name] for column in table.primary_key.columns]
                raise BadCopy(f"The copy differs in {table.name}, row {key}. Nothing was kept.")
    if await anext(copies, none):
        raise BadCopy(f"The copy holds more of {table.name} than its source. Nothing was kept.")


def _last_number(connection: Connection, table: Table, column: Column[Any]) -> int:
    """The highest number that was ever given in a table: that of an erased row is not given again."""
    if connection.dialect.name == "sqlite":
        query = text("select seq from sqlite_sequence where name = :name").bindparams(name=table.name)
        given = connection.execute(query).scalar() or 0
        return max(int(given), int(connection.execute(select(func.max(column))).scalar() or 0))
    sequence = func.pg_get_serial_sequence(table.name, column.name)
    last = connection.execute(select(func.pg_sequence_last_value(sequence))).scalar()
    return int(last or 0)


def _number_on(connection: Connection, table: Table, column: Column[Any], last: int) -> None:
    """Let the next row of a table get the number after that."""
    if not last:
        return
    if connection.dialect.name == "sqlite":
        if not table.dialect_options["sqlite"]["autoincrement"]:
            return  # it goes on from the rows that there are
        connection.execute(text("delete from sqlite_sequence where name = :name").bindparams(name=table.name))
        connection.execute(
            text("insert into sqlite_sequence (name, seq) values (:name, :last)").bindparams(
                name=table.name, last=last
            )
        )
    else:
        connection.execute(select(func.setval(func.pg_get_serial_sequence(table.name, column.name), last)))
