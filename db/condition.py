"""The one rule that judges databases: whose it is, which version, and whether it is complete."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from urllib.parse import quote

from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, inspect, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine

from db import schema
from db.connection.trouble import (
    ERRORS,
    PUT_BACK,
    DatabaseUnreachable,
    Named,
    sentence,
    unreachable,
    writable,
)

USABLE_FROM = "usable from version"
VERSIONS = "alembic_version"
OURS = frozenset({"tables", "actions", "seats"})
"""Tables that every database of the bot has had."""


class Condition(Enum):
    """What a database is to this version of the bot."""

    EMPTY = "empty"
    """Nothing is in it; a start makes its tables."""
    CURRENT = "current"
    OLDER = "older"
    """A start brings it up to date."""
    USABLE = "usable"
    """A newer version wrote it, and says that this one can use it as it is."""
    NEWER = "newer"
    FOREIGN = "foreign"
    """It holds something, and nothing of the bot's."""
    DAMAGED = "damaged"


class DatabaseTooNew(DatabaseUnreachable):
    """The database was written by a newer version of the bot; its text says what to do."""


@dataclass(frozen=True)
class Judged:
    """What a database is, at which version if it has one, and what is damaged about it."""

    condition: Condition
    version: str | None = None
    damage: str = ""
    writable: bool = True


def config() -> Config:
    """The settings of the migrations."""
    found = Config()
    found.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    return found


@cache
def revisions() -> tuple[str, ...]:
    """The versions that the schema of this program has had, the newest first."""
    return tuple(script.revision for script in ScriptDirectory.from_config(config()).walk_revisions())


def judge(connection: Connection) -> Judged:
    """What the database of a connection is to this version; nothing in it is changed."""
    names = set(inspect(connection).get_table_names())
    version = MigrationContext.configure(connection).get_current_revision() if VERSIONS in names else None
    return Judged(*_condition(connection, names, version), writable=_takes_writes(connection))


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
    usable = whole and _usable_from(connection) in revisions()
    return (Condition.USABLE if usable else Condition.NEWER), version, ""


def _usable_from(connection: Connection) -> str | None:
    """The oldest version whose programs can use a database that a newer one wrote."""
    query = select(schema.facts.c.value).where(schema.facts.c.key == USABLE_FROM)
    try:
        return connection.scalar(query)
    except SQLAlchemyError:  # it has no such table
        return None


def _takes_writes(connection: Connection) -> bool:
    if connection.dialect.name != "postgresql":
        return True
    return bool(connection.scalar(text("select current_setting('transaction_read_only') = 'off'")))


async def looked_at(at: Named) -> Judged:
    """What a database is to this version: for a look at it, for a start, and for whatever uses it.

    Nothing in it is changed, and a SQLite file is read as a whole.

    Raises:
        DatabaseUnreachable: when it can't be looked at.
    """
    try:
        return await _on_server(at) if at.file is None else _in_file(at.file)
    except ERRORS as error:
        raise unreachable(at, error) from error


async def _on_server(at: Named) -> Judged:
    engine = create_async_engine(at.url, hide_parameters=True)
    try:
        async with engine.connect() as connection:
            return await connection.run_sync(judge)
    finally:
        await engine.dispose()


def _in_file(file: Path) -> Judged:
    if not file.exists():
        if not file.parent.is_dir():
            raise FileNotFoundError(file.parent)
        return Judged(Condition.EMPTY, writable=writable(file))
    with closing(sqlite3.connect(still(file), uri=True, check_same_thread=False)) as reading:
        found = str(reading.execute("pragma quick_check(1)").fetchone()[0])
        if found != "ok":
            return Judged(Condition.DAMAGED, None, found.splitlines()[0])
        engine = create_engine("sqlite://", creator=lambda: reading)
        with engine.connect() as connection:
            judged = judge(connection)
        return Judged(judged.condition, judged.version, judged.damage, writable(file))


def still(file: Path) -> str:
    """The address of a SQLite file to be read as it is, and without a trace where nobody has it open."""
    wal = file.with_name(f"{file.name}-wal")
    how = "mode=ro" if wal.exists() and wal.stat().st_size else "immutable=1"
    return f"file:{quote(str(file))}?{how}"


def require_opened(at: Named) -> None:
    """Raise sqlite3.Error for a SQLite file that can't be opened for writing; it is made if it is missing."""
    if at.file is not None:
        with closing(sqlite3.connect(at.file)) as connection:
            connection.execute("pragma schema_version")


def refusal(at: Named, judged: Judged) -> DatabaseUnreachable | None:
    """Why this version doesn't use a database, in a sentence; None where it does."""
    match judged.condition:
        case Condition.NEWER:
            return DatabaseTooNew(
                f"{at} is at version {judged.version}, which this version of Tangle Parlour doesn't know: "
                "start the newer version that wrote it, or name another database."
            )
        case Condition.FOREIGN:
            return DatabaseUnreachable(
                f"{at} holds something else than the tables of this bot: name another database, or an empty "
                "one."
            )
        case Condition.DAMAGED:
            return DatabaseUnreachable(sentence(at, "damaged", judged.damage), "damaged")
        case _ if not judged.writable:
            return DatabaseUnreachable(sentence(at, "read-only", "it is read-only"), "read-only")
        case _:
            return None


async def require_usable(at: Named) -> Judged:
    """What a database is that this version can use.

    Raises:
        DatabaseUnreachable: for any other.
    """
    judged = await looked_at(at)
    refused = refusal(at, judged)
    if refused is not None:
        raise refused
    return judged


async def require_readable(at: Named) -> Judged:
    """What a database is that holds the bot's tables, as this version knows them, to be read alone.

    Raises:
        DatabaseUnreachable: for any other, and where there is none.
    """
    require_there(at)
    judged = await looked_at(at)
    if judged.condition is Condition.EMPTY:
        raise DatabaseUnreachable(f"{at} is empty: start the bot on it, or name another database.")
    refused = refusal(at, Judged(judged.condition, judged.version, judged.damage))
    if refused is not None:
        raise refused
    return judged


def require_there(at: Named) -> None:
    """Raise DatabaseUnreachable where there is no SQLite file yet."""
    file = at.file
    if file is not None and file.parent.is_dir() and not file.exists():
        raise DatabaseUnreachable(
            f"There is no database {at} yet: start the bot or run `python bot.py migrate`, which make it, or "
            f"{PUT_BACK.replace(' --force', '')}."
        )
