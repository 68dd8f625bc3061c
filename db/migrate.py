"""Bring a database to the schema of this version, or refuse one that is too new."""

from __future__ import annotations

import logging
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, delete, func, insert, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from db import schema
from db.connection.writer import begin_writing

log = logging.getLogger(__name__)
OLDEST = "0017"
"""Programs whose newest version is this, or a later one, can use the schema as it is: what came since was
only added. Whoever takes something away raises it, a version after nothing uses that any more."""
USABLE_FROM = "usable from version"
LOCK = int.from_bytes(b"tangle", "big")


class DatabaseTooNew(Exception):
    """The database was written by a newer version of the bot; its text says what to do."""


def config() -> Config:
    """The settings of the migrations."""
    found = Config()
    found.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    return found


def revision_of(connection: Connection) -> str | None:
    """The version of a database's schema; None for an empty one."""
    return MigrationContext.configure(connection).get_current_revision()


@cache
def revisions() -> tuple[str, ...]:
    """The versions that the schema of this program has had, the newest first."""
    return tuple(script.revision for script in ScriptDirectory.from_config(config()).walk_revisions())


def _upgrade(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        # Of two processes that start at once, the second waits; SQLite's writers do so anyway.
        connection.exec_driver_sql("SET LOCAL statement_timeout = 0")  # it takes as long as it takes
        connection.execute(select(func.pg_advisory_xact_lock(LOCK)))
    current = revision_of(connection)
    if current == revisions()[0]:
        return
    if current is not None and current not in revisions():
        if _usable_from(connection) in revisions():
            log.info("the database is at version %s, which this version can use as it is", current)
            return
        raise DatabaseTooNew(
            f"The database is at version {current}, which this version of Tangle Parlour doesn't know: "
            "start the newer version that wrote it, or name another database in DATABASE_URL."
        )
    settings = config()
    settings.attributes["connection"] = connection
    command.upgrade(settings, "head")
    connection.execute(delete(schema.facts).where(schema.facts.c.key == USABLE_FROM))
    connection.execute(insert(schema.facts).values(key=USABLE_FROM, value=OLDEST))


def _usable_from(connection: Connection) -> str | None:
    """The oldest version whose programs can use a database that a newer one wrote."""
    query = select(schema.facts.c.value).where(schema.facts.c.key == USABLE_FROM)
    try:
        return connection.scalar(query)
    except SQLAlchemyError:  # it has no such table, and is none of ours
        return None


async def migrate(engine: AsyncEngine) -> None:
    """Run every migration that the database lacks, in one transaction.

    Raises:
        DatabaseTooNew: when it holds a version that is not among ours, and says that none of ours can use it;
            nothing is changed then.
    """
    async with engine.begin() as connection:
        await begin_writing(connection)
        await connection.run_sync(_upgrade)
