"""Copies a whole database into another, of the same kind or not, and compares them row by row."""

from collections.abc import AsyncIterator
from itertools import zip_longest
from typing import Any

from sqlalchemy import Column, Connection, Table, delete, func, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from db import schema
from db.backup.copy import BadCopy
from db.condition import USABLE_FROM, Condition, DatabaseStatus, Use, read_only_uri, require_usable
from db.connection.opening import patient_engine, server_engine
from db.connection.trouble import ERRORS, DatabaseLabel, describe_error
from db.connection.writer import begin_writing
from db.store import Store

FROM, TO = "FROM", "TO"
"""The names of the two databases where the command is typed."""
BATCH = 500
"""Rows held in memory at once."""


async def move(source: str, target: str) -> dict[str, int]:
    """Copy every row of one database into another, empty one.

    Return row counts by table. One transaction writes everything, then compares it with the source: the
    target is whole or empty. The bot must not run on either.

    Raises:
        BadCopy: if the source isn't at the newest version, the target isn't empty, or they differ.
        DatabaseUnreachable: if one of them can't be used.
    """
    origin, goal = DatabaseLabel.of(source, FROM), DatabaseLabel.of(target, TO)
    _require_newest(await require_usable(origin, Use.READ))
    await (await Store.open(target, setting=TO)).close()
    there, here = _reading_engine(origin), patient_engine(goal.url)
    try:
        async with there.connect() as reading, here.connect() as writing:
            await writing.run_sync(begin_writing)
            # The source has what the migration has written, too.
            await writing.execute(delete(schema.facts).where(schema.facts.c.key == USABLE_FROM))
            await _require_empty(writing)
            numbers = {
                table.name: await _carry(origin, reading, writing, table)
                for table in schema.metadata.sorted_tables
            }
            await writing.commit()
        return numbers
    except ERRORS as error:
        raise describe_error(goal, error) from error
    finally:
        await there.dispose()
        await here.dispose()


def _reading_engine(at: DatabaseLabel) -> AsyncEngine:
    """Open a database for reading, from a read-only disk too."""
    if at.file is None:
        return server_engine(at.url)
    url = make_url(f"{at.url.drivername}:///{read_only_uri(at.file)}&uri=true")
    return create_async_engine(url, hide_parameters=True)


def _require_newest(source: DatabaseStatus) -> None:
    if source.condition is not Condition.CURRENT:
        raise BadCopy(f"The source is at version {source.version}; update it first (bot.py migrate).")


async def _require_empty(writing: AsyncConnection) -> None:
    for table in schema.metadata.sorted_tables:
        if (await writing.execute(select(func.count()).select_from(table))).scalar_one():
            raise BadCopy("The target isn't empty. Name an empty database.")


async def _carry(at: DatabaseLabel, reading: AsyncConnection, writing: AsyncConnection, table: Table) -> int:
    """Copy a table and compare the copy row by row."""
    number = 0
    async for lot in _blame_failures(at, _batches(reading, table)):
        await writing.execute(table.insert(), [dict(row) for row in lot])
        number += len(lot)
    column = table.autoincrement_column
    if column is not None:
        await writing.run_sync(_number_on, table, column, await reading.run_sync(_last_number, table, column))
    await _compare(reading, writing, table)
    return number


async def _batches(connection: AsyncConnection, table: Table) -> AsyncIterator[list[Any]]:
    """Yield the rows of a table in the order of their keys."""
    query = select(table).order_by(*table.primary_key.columns).execution_options(yield_per=BATCH)
    result = await connection.stream(query)
    async for lot in result.mappings().partitions():
        yield list(lot)


async def _blame_failures(at: DatabaseLabel, lots: AsyncIterator[list[Any]]) -> AsyncIterator[list[Any]]:
    """Yield rows; blame a failure on the database that they come from."""
    while True:
        try:
            lot = await anext(lots, None)
        except SQLAlchemyError as error:
            raise describe_error(at, error) from error
        if lot is None:
            return
        yield lot


async def _compare(one: AsyncConnection, other: AsyncConnection, table: Table) -> None:
    copies, none = _batches(other, table), list[Any]()
    async for lot in _batches(one, table):
        copy = await anext(copies, none)
        for row, same in zip_longest(lot, copy):
            if row is None or same is None or dict(row) != dict(same):
                key = [(row or same)[column.name] for column in table.primary_key.columns]
                raise BadCopy(f"The copy differs in {table.name}, row {key}. Nothing was kept.")
    if await anext(copies, none):
        raise BadCopy(f"The copy has more of {table.name} than its source. Nothing was kept.")


def _last_number(connection: Connection, table: Table, column: Column[Any]) -> int:
    """Return the highest number ever given in a table. An erased row's isn't given again."""
    if connection.dialect.name == "sqlite":
        query = text("select seq from sqlite_sequence where name = :name").bindparams(name=table.name)
        given = connection.execute(query).scalar() or 0
        return max(int(given), int(connection.execute(select(func.max(column))).scalar() or 0))
    sequence = func.pg_get_serial_sequence(table.name, column.name)
    last = connection.execute(select(func.pg_sequence_last_value(sequence))).scalar()
    return int(last or 0)


def _number_on(connection: Connection, table: Table, column: Column[Any], last: int) -> None:
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
