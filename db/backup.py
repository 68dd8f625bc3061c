"""Copies a whole database while the bot runs; verifies, restores and moves copies row by row."""

import asyncio
import errno
import os
import shutil
import sqlite3
import subprocess
from collections.abc import AsyncIterator, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from sqlalchemy import Column, Connection, Table, delete, func, select, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from db import schema
from db.condition import USABLE_FROM, Condition, Use, inspect_database, read_only_uri, refusal, require_usable
from db.connection import trouble
from db.connection.opening import patient_engine, server_engine, tool_environment
from db.connection.trouble import ERRORS, DatabaseLabel, describe_error
from db.connection.writer import begin_writing
from db.store import Store

SIDE_FILES = ("-wal", "-shm")
"""Suffixes of the files that SQLite keeps beside an open database."""
OVERWRITES = (
    "{what} already, and you'd lose its contents. Back it up first if you need it; "
    "--force replaces it by the copy."
)
ALL_PAGES = -1
"""SQLite's word for copying in one step, so that the copy is of one moment."""
SQLITE, POSTGRES = b"SQLite format 3\0", b"PGDMP"
"""The first bytes of a copy."""
READING = {sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ}
T = TypeVar("T")


class BadCopy(Exception):
    """Raised if a database can't be copied or restored; its text says why and what to do."""


def _run_coroutine(asked: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, with or without a running loop."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, asked).result()


def backup(address: str, path: Path, setting: str = trouble.SETTING) -> None:
    """Copy the database of a URL to a file as it is at one moment, even while in use.

    The file has another name until it is complete, so nobody takes half a copy for a whole one. `setting` is
    what names the database.

    Raises:
        BadCopy: if the file exists, it can't be written, or the database's own tool is missing.
        DatabaseUnreachable: if there is no database of the bot's, or it can't be read.
    """
    at = trouble.DatabaseLabel.of(address, setting)
    if path.exists():
        raise BadCopy(f"{path} already exists. Name another file, or remove it.")
    if not path.parent.is_dir():
        raise BadCopy(f"There's no folder {path.parent} for the copy.")
    if not trouble.is_writable(path):
        raise BadCopy(_not_written(path, "read-only", "it is read-only"))
    _run_coroutine(require_usable(at, Use.READ))
    part = path.with_name(f"{path.name}.part")
    try:
        if at.file is not None:
            _copy_sqlite(at, at.file, part, path)
        else:
            try:
                _run(at, ["pg_dump", "--format=custom", f"--file={part}"])
            except trouble.ToolFailed as failed:
                if failed.served:
                    raise trouble.describe_tool_failure(at, failed) from None
                raise BadCopy(_not_written(path, failed.cause, str(failed))) from None
        verify(address, part)
        part.replace(path)
    finally:
        for end in ("", *SIDE_FILES):
            part.with_name(part.name + end).unlink(missing_ok=True)


def _label_for_file(path: Path) -> trouble.DatabaseLabel:
    return trouble.DatabaseLabel(URL.create("sqlite", database=str(path)), "")


def _not_written(path: Path, cause: str | None, reason: str) -> str:
    return f"The copy {trouble.sentence(_label_for_file(path), cause, reason)}"


def verify(address: str, path: Path) -> None:
    """Check that a file can be restored into a database. Raise BadCopy if it isn't."""
    if not path.is_file():
        raise BadCopy(f"There is no file {path}.")
    at = trouble.DatabaseLabel.of(address)
    try:
        with path.open("rb") as file:
            begins = file.read(len(SQLITE))
    except OSError as error:
        raise BadCopy(f"{path} can't be read: {error.strerror}. Let this user read it.") from None
    if begins.startswith(SQLITE) and at.file is None:
        raise BadCopy(
            f"{path} is a copy of a SQLite database, but yours is PostgreSQL: move it "
            f"over with `python bot.py copy sqlite:///{path} URL`."
        )
    if begins.startswith(POSTGRES) and at.file is not None:
        raise BadCopy(
            f"{path} is a copy of a PostgreSQL database, but yours is a SQLite "
            "file: set DATABASE_URL to PostgreSQL."
        )
    if not begins.startswith((SQLITE, POSTGRES)):
        raise BadCopy(f"{path} isn't a copy from `python bot.py backup`, or it is damaged: name another one.")
    if at.file is not None:
        _verify_file(path)
        return
    try:
        # It reads all of the copy; what it writes is for nobody.
        _run(at, ["pg_restore", f"--file={os.devnull}", str(path)], connected=False)
    except trouble.ToolFailed as failed:
        raise BadCopy(f"{path} is damaged: name another copy ({failed}).") from None


def _verify_file(path: Path) -> None:
    copy = _label_for_file(path)
    try:
        status = _run_coroutine(inspect_database(copy))
        with closing(_read_only(path)) as reading:
            text = str(reading.execute("pragma integrity_check").fetchone()[0])
    except (trouble.DatabaseUnreachable, sqlite3.Error) as error:
        reason = str(error.__cause__ or error).splitlines()[0]
        raise BadCopy(f"{path} is damaged: name another copy ({reason}).") from None
    if status.condition is Condition.DAMAGED or text != "ok":
        raise BadCopy(f"{path} is damaged: name another copy ({status.damage or text.splitlines()[0]}).")
    if status.condition is Condition.EMPTY:
        raise BadCopy(f"{path} is empty: name another copy.")
    refused = refusal(copy, status, Use.READ)
    if refused is not None:
        raise BadCopy(str(refused))


def restore(address: str, path: Path, *, force: bool = False, setting: str = trouble.SETTING) -> None:
    """Replace the database of a URL by a copy.

    The bot must not run.

    Raises:
        BadCopy: if the copy is bad, somebody is connected to that server's database, or a database exists
            and `force` isn't set.
        AlreadyInUse: if a bot runs on that SQLite file.
        DatabaseUnreachable: if it can't be written.
    """
    verify(address, path)
    at = trouble.DatabaseLabel.of(address, setting)
    if at.file is not None:
        with trouble.hold_file(address, setting):
            _put_back(at, at.file, path, force=force)
        return
    _require_server(at, force=force)
    try:
        if _count(at, "pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"):
            raise BadCopy(
                "Something is connected to that database. Stop the bot and anything else that uses it."
            )
        if _count(at, "pg_tables where schemaname = 'public'") and not force:
            raise BadCopy(OVERWRITES.format(what="That database has tables"))
        _run(at, ["pg_restore", "--clean", "--if-exists", "--no-owner", "--single-transaction", str(path)])
    except trouble.ToolFailed as failed:
        raise trouble.describe_tool_failure(at, failed) from None


def _require_server(at: trouble.DatabaseLabel, *, force: bool) -> None:
    """Raise DatabaseUnreachable for a server's database that can't be written; it may be damaged."""
    try:
        _run_coroutine(require_usable(at, Use.OVERWRITE))
    except trouble.DatabaseUnreachable as reason:
        if reason.cause == "damaged" and force:
            return
        raise


def _count(at: trouble.DatabaseLabel, what: str) -> int:
    query = f"--command=select count(*) from {what}"  # noqa: S608  # our own words
    return int(_run(at, ["psql", "--no-align", "--tuples-only", query]) or 0)


def _put_back(at: trouble.DatabaseLabel, target: Path, copy: Path, *, force: bool) -> None:
    if target.is_dir():
        raise trouble.DatabaseUnreachable(trouble.sentence(at, "file", "it is a folder"))
    if target.exists() and not force:
        raise BadCopy(OVERWRITES.format(what=f"{target} is there"))
    part = target.with_name(f"{target.name}.part")
    try:
        if not trouble.is_writable(target):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        shutil.copyfile(copy, part)
        for end in SIDE_FILES:
            target.with_name(target.name + end).unlink(missing_ok=True)
        part.replace(target)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise trouble.describe_error(at, error) from error


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)


def _copy_sqlite(at: trouble.DatabaseLabel, source: Path, part: Path, path: Path) -> None:
    try:
        with closing(_readable(source)) as old, closing(sqlite3.connect(part)) as new:
            # In several steps it would begin again whenever somebody writes between two of them. One step
            # keeps nobody from writing either: that goes to the WAL, which grows by it.
            old.backup(new, pages=ALL_PAGES)
            new.execute("pragma journal_mode = delete")  # so that a look at the copy leaves nothing beside it
    except sqlite3.Error as error:
        cause = trouble.cause_of_trouble(error)
        if cause in ("damaged", "locked") or error.sqlite_errorcode in READING:
            raise trouble.describe_error(at, error) from None
        raise BadCopy(_not_written(path, cause, str(error))) from None


def _readable(source: Path) -> sqlite3.Connection:
    """Open a SQLite file for reading, from a read-only disk too."""
    reading = _read_only(source)
    try:
        reading.execute("pragma schema_version")
    except sqlite3.OperationalError:  # what is to be made beside it can't be
        reading.close()
        return sqlite3.connect(read_only_uri(source), uri=True)
    return reading


def _run(at: trouble.DatabaseLabel, command: Sequence[str], *, connected: bool = True) -> str:
    """Run one of PostgreSQL's own tools.

    The password is in no command line.

    Raises:
        ToolFailed: with its output.
        BadCopy: if it isn't installed.
    """
    tool = shutil.which(command[0])
    if tool is None:
        raise BadCopy(f"{command[0]} is missing. It comes with PostgreSQL's client programs.")
    given = tool_environment(at.url)
    where = ["--dbname", given["PGDATABASE"]] if connected and command[0] == "pg_restore" else []
    done = subprocess.run(  # noqa: S603  # one of PostgreSQL's tools, with our own arguments and no shell
        [tool, *command[1:-1], *where, command[-1]] if where else [tool, *command[1:]],
        env={**os.environ, **given},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise trouble.ToolFailed(command[0], done.stderr)
    return done.stdout.strip()


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
    status = await require_usable(origin, Use.READ)
    if status.condition is not Condition.CURRENT:
        raise BadCopy(f"The source is at version {status.version}; update it first (bot.py migrate).")
    await (await Store.open(target, setting=TO)).close()
    if origin.file is None:
        there = server_engine(origin.url)
    else:  # from a read-only disk, too
        url = make_url(f"{origin.url.drivername}:///{read_only_uri(origin.file)}&uri=true")
        there = create_async_engine(url, hide_parameters=True)
    here = patient_engine(goal.url)
    try:
        async with there.connect() as reading, here.connect() as writing:
            await writing.run_sync(begin_writing)
            # The source has what the migration has written, too.
            await writing.execute(delete(schema.facts).where(schema.facts.c.key == USABLE_FROM))
            for table in schema.metadata.sorted_tables:
                if (await writing.execute(select(func.count()).select_from(table))).scalar_one():
                    raise BadCopy("The target isn't empty. Name an empty database.")
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
        for row, same in zip_longest(lot, await anext(copies, none)):
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
    return int(connection.execute(select(func.pg_sequence_last_value(sequence))).scalar() or 0)


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
