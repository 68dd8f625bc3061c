"""Bring a database to the schema of this version, or refuse one that is newer."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from db.writer import begin_writing

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
        raise DatabaseTooNew(
            f"The database is at version {current}, which this version of Tangle Parlour doesn't know: "
            "start the newer version that wrote it, or name another database in DATABASE_URL."
        )
    settings = config()
    settings.attributes["connection"] = connection
    command.upgrade(settings, "head")


async def migrate(engine: AsyncEngine) -> None:
    """Run every migration that the database lacks, in one transaction.

    Raises:
        DatabaseTooNew: when it holds a version that is not among ours; nothing is changed then.
    """
    async with engine.begin() as connection:
        await begin_writing(connection)
        await connection.run_sync(_upgrade)
