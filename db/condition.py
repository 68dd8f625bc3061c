"""Says if a database fits this version, and brings an older one up to it."""

import logging
import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from pathlib import Path
from urllib.parse import quote

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, delete, func, insert, inspect, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from db import schema
from db.connection.opening import server_engine
from db.connection.trouble import (
    ERRORS,
    PUT_BACK,
    DatabaseLabel,
    DatabaseUnreachable,
    describe_error,
    is_writable,
    sentence,
)
from db.connection.writer import begin_writing

USABLE_FROM = "usable from version"
VERSIONS = "alembic_version"
MIGRATIONS = Path(__file__).with_name("migrations")
VERSION_FOLDERS = [MIGRATIONS / "versions"]
LAST_BEFORE = "7145cf95"
"""The commit that brings a database from before the first release to its schema."""
OURS = frozenset({"tables", "actions", "seats"})
LEAST_SERVER = 100000
"""The oldest PostgreSQL that works, as servers number themselves: it brought `txid_status`."""
ENCODING = "UTF8"
LOOK_TIMEOUT = 15.0
"""Seconds for each statement while judging a server; a pooler can keep us waiting."""
SERVER = text("""
    SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,
        current_setting('server_encoding') AS encoding, current_setting('transaction_read_only') AS read_only,
        current_schema() AS schema, has_schema_privilege(current_schema(), 'CREATE') AS may_create
""")
RIGHTS = text("""
    SELECT c.relname AS name, pg_has_role(c.relowner, 'USAGE') AS is_owner,
        has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT')
        AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE')
        AND NOT EXISTS (
            SELECT 1 FROM pg_depend d JOIN pg_class s ON s.oid = d.objid
            WHERE d.classid = 'pg_class'::regclass AND d.refobjid = c.oid
            AND CASE WHEN s.relkind = 'S' THEN NOT has_sequence_privilege(s.oid, 'USAGE') ELSE false END
        ) AS may_write
    FROM pg_class c WHERE c.relkind = 'r'
    AND c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
    ORDER BY c.relname
""")
"""Asks for this user's rights to each table and to the sequences of its rows."""


class Condition(Enum):
    """Lists the states of a database for this version of the bot."""

    EMPTY = "empty"
    """Nothing is in it; a start makes its tables."""
    CURRENT = "current"
    OLDER = "older"
    """A start brings it up to date."""
    UNRELEASED = "unreleased"
    """It's older than the first release."""
    USABLE = "usable"
    """A newer version wrote it, and says that this one can use it is."""
    NEWER = "newer"
    FOREIGN = "foreign"
    """It holds something that isn't the bot's."""
    DAMAGED = "damaged"


class DatabaseTooNew(DatabaseUnreachable):
    """Raised if a newer version of the bot wrote the database; its text says what to do."""


class Use(Enum):
    """The purpose of opening a database."""

    START = "start"
    """It's brought up to date and written."""
    READ = "read"
    OVERWRITE = "overwrite"
    """All of it is replaced, so its content doesn't matter."""


@dataclass(frozen=True)
class Obstacle:
    """Why a database can't be written: a cause of `sentence`, and its detail."""

    cause: str
    detail: str


READ_ONLY = Obstacle("read-only", "it is read-only")


@dataclass(frozen=True)
class DatabaseStatus:
    """A database's kind, its version if any, its damage, and what forbids writing."""

    condition: Condition
    version: str | None = None
    damage: str = ""
    obstacle: Obstacle | None = None


def config() -> Config:
    result = Config()
    result.set_main_option("script_location", str(MIGRATIONS))
    result.set_main_option("path_separator", "os")
    result.set_main_option("version_locations", os.pathsep.join(map(str, VERSION_FOLDERS)))
    return result


@cache
def revisions() -> tuple[str, ...]:
    """Return the schema versions of this program, newest first."""
    return tuple(script.revision for script in ScriptDirectory.from_config(config()).walk_revisions())


def judge(connection: Connection) -> DatabaseStatus:
    """Return what a connection's database is to this version; change nothing."""
    names = set(inspect(connection).get_table_names())
    version = MigrationContext.configure(connection).get_current_revision() if VERSIONS in names else None
    condition, version, damage = _condition(connection, names, version)
    on_server = connection.dialect.name == "postgresql"
    return DatabaseStatus(condition, version, damage, _obstacle(connection, condition) if on_server else None)


def _condition(
    connection: Connection, names: set[str], version: str | None
) -> tuple[Condition, str | None, str]:
    whole = names >= OURS
    if version in revisions():
        known = Condition.CURRENT if version == revisions()[0] else Condition.OLDER
        return (
            (known, version, "") if whole else (Condition.DAMAGED, version, "some of its tables are missing")
        )
    if version is None:
        if whole:
            return Condition.DAMAGED, None, "its version is missing"
        return (Condition.FOREIGN if names - {VERSIONS} else Condition.EMPTY), None, ""
    if not whole and names - {VERSIONS}:
        return Condition.FOREIGN, version, ""
    if version < revisions()[-1]:
        return Condition.UNRELEASED, version, ""
    usable = whole and _usable_from(connection) in revisions()
    return (Condition.USABLE if usable else Condition.NEWER), version, ""


def _usable_from(connection: Connection) -> str | None:
    """Return the oldest version whose programs can use a newer version's database."""
    query = select(schema.facts.c.value).where(schema.facts.c.key == USABLE_FROM)
    try:
        return connection.scalar(query)
    except SQLAlchemyError:  # it has no such table
        return None


def _obstacle(connection: Connection, condition: Condition) -> Obstacle | None:
    server = connection.execute(SERVER).one()
    if server.number < LEAST_SERVER:
        return Obstacle("old", server.version)
    if server.encoding != ENCODING:
        return Obstacle("encoding", server.encoding)
    if server.read_only == "on":
        return READ_ONLY
    changes = condition in (Condition.EMPTY, Condition.OLDER)
    if changes and not server.may_create:
        return Obstacle("create", server.schema or "public")
    ours = {VERSIONS, *schema.metadata.tables}
    for table in connection.execute(RIGHTS):
        if table.name not in ours:
            continue
        if changes and not table.is_owner:
            return Obstacle("owner", table.name)
        if not table.may_write:
            return Obstacle("write", table.name)
    return None


async def inspect_database(at: DatabaseLabel) -> DatabaseStatus:
    """Judge a database without changing it; a SQLite file is read completely.

    Raise DatabaseUnreachable if it can't be judged, or is a pooler that lends connections.
    """
    try:
        return await _on_server(at) if at.file is None else _in_file(at.file)
    except ERRORS as error:
        raise describe_error(at, error) from error


async def _on_server(at: DatabaseLabel) -> DatabaseStatus:
    engine = server_engine(at.url, 2, LOOK_TIMEOUT, isolation_level="AUTOCOMMIT")
    try:
        async with engine.connect() as connection:
            driver = (await connection.get_raw_connection()).driver_connection
            assert driver is not None
            # A pooler numbers connections its own way.
            if driver.get_server_pid() != await _server_process(connection):
                async with engine.connect() as other:
                    # A pooler that shares server processes among connections can't be used. The order shows
                    # it whether it takes the process used last or the next in turn.
                    asked = (connection, other, other, connection, connection, other)
                    processes = {(one is other, await _server_process(one)) for one in asked}
                    if len(processes) > 2 or len({process for _, process in processes}) < 2:
                        raise DatabaseUnreachable(sentence(at, "pooler", ""), "pooler")
            return await connection.run_sync(judge)
    finally:
        await engine.dispose()


async def _server_process(connection: AsyncConnection) -> int:
    return int((await connection.execute(select(func.pg_backend_pid()))).scalar_one())


def _in_file(file: Path) -> DatabaseStatus:
    obstacle = None if is_writable(file) else READ_ONLY
    if not file.exists():
        if not file.parent.is_dir():
            raise FileNotFoundError(file.parent)
        return DatabaseStatus(Condition.EMPTY, obstacle=obstacle)
    with closing(sqlite3.connect(read_only_uri(file), uri=True, check_same_thread=False)) as reading:
        problem = str(reading.execute("pragma quick_check(1)").fetchone()[0])
        if problem != "ok":
            return DatabaseStatus(Condition.DAMAGED, None, problem.splitlines()[0])
        engine = create_engine("sqlite://", creator=lambda: reading)
        with engine.connect() as connection:
            return replace(judge(connection), obstacle=obstacle)


def read_only_uri(file: Path) -> str:
    """Return a URI that reads a SQLite file, leaving no trace if nobody has it open."""
    wal = file.with_name(f"{file.name}-wal")
    how = "mode=ro" if wal.exists() and wal.stat().st_size else "immutable=1"
    return f"file:{quote(str(file))}?{how}"


def require_opened(at: DatabaseLabel) -> None:
    """Raise sqlite3.Error for a SQLite file that can't be opened for writing; it is made if it is missing."""
    if at.file is not None:
        with closing(sqlite3.connect(at.file)) as connection:
            connection.execute("pragma schema_version")


def refusal(at: DatabaseLabel, status: DatabaseStatus, use: Use = Use.START) -> DatabaseUnreachable | None:
    content = None if use is Use.OVERWRITE else _refused_content(at, status)
    if content is not None:
        return content
    if use is Use.READ:
        if status.condition is Condition.EMPTY:
            return DatabaseUnreachable(f"{at} is empty: start the bot on it, or name another database.")
        return None
    if status.obstacle is None:
        return None
    return DatabaseUnreachable(
        sentence(at, status.obstacle.cause, status.obstacle.detail), status.obstacle.cause
    )


def _refused_content(at: DatabaseLabel, status: DatabaseStatus) -> DatabaseUnreachable | None:
    match status.condition:
        case Condition.NEWER:
            return DatabaseTooNew(
                f"{at} is at version {status.version}, which this version of Tangle Parlour doesn't know: "
                "start the newer version that wrote it, or name another database."
            )
        case Condition.UNRELEASED:
            return DatabaseUnreachable(
                f"{at} is at version {status.version}, from before the first release: "
                f"open it once with commit {LAST_BEFORE} of Tangle Parlour, then with this version."
            )
        case Condition.FOREIGN:
            return DatabaseUnreachable(
                f"{at} doesn't have this bot's tables: name another database, or an empty one."
            )
        case Condition.DAMAGED:
            return DatabaseUnreachable(sentence(at, "damaged", status.damage), "damaged")
        case _:
            return None


async def require_usable(at: DatabaseLabel, use: Use = Use.START) -> DatabaseStatus:
    """Open a database, judge it, and return its status: for every command and the start.

    Raise DatabaseUnreachable if it can't be used that way.
    """
    if use is Use.READ:
        require_there(at)
    status = await inspect_database(at)
    refused = refusal(at, status, use)
    if refused is not None:
        raise refused
    return status


def require_there(at: DatabaseLabel) -> None:
    """Raise DatabaseUnreachable if there is no SQLite file yet."""
    file = at.file
    if file is not None and file.parent.is_dir() and not file.exists():
        raise DatabaseUnreachable(
            f"There's no database {at} yet: start the bot or run `python bot.py migrate` to create it, or "
            f"{PUT_BACK.replace(' --force', '')}."
        )


log = logging.getLogger(__name__)
OLDEST = "0033"
"""Programs of this version or later can use the schema: later versions only added things. Whoever removes
something raises it, one version after the last use.
"""
LOCK = int.from_bytes(b"tangle", "big")


def _upgrade(connection: Connection, at: DatabaseLabel) -> None:
    if connection.dialect.name == "postgresql":
        # Of two processes that start at once, the second waits; SQLite's writers always do.
        connection.exec_driver_sql("SET LOCAL statement_timeout = 0")  # it takes as long as it takes
        connection.execute(select(func.pg_advisory_xact_lock(LOCK)))
    status = judge(connection)
    refused = refusal(at, status)
    if refused is not None:
        raise refused
    if status.condition is Condition.USABLE:
        log.info("the database is at version %s, which this version can use as it is", status.version)
    if status.condition not in (Condition.EMPTY, Condition.OLDER):
        return
    settings = config()
    settings.attributes["connection"] = connection
    if status.condition is Condition.EMPTY:
        schema.metadata.create_all(connection)
        command.stamp(settings, "head")
    else:
        command.upgrade(settings, "head")
    connection.execute(delete(schema.facts).where(schema.facts.c.key == USABLE_FROM))
    connection.execute(insert(schema.facts).values(key=USABLE_FROM, value=OLDEST))


async def migrate(engine: AsyncEngine, at: DatabaseLabel) -> None:
    """Make an empty database's tables, or run the migrations that it lacks.

    Raise DatabaseUnreachable if this version can't use it; nothing is changed then.
    """
    async with engine.begin() as connection:
        await connection.run_sync(begin_writing)
        await connection.run_sync(_upgrade, at)
