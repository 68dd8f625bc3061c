"""Bring a database to the schema of this version."""

import logging

from alembic import command
from sqlalchemy import Connection, delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncEngine

from db import schema
from db.condition import USABLE_FROM, Condition, config, judge, refusal
from db.connection.trouble import DatabaseLabel
from db.connection.writer import begin_writing

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

    Raises:
        DatabaseUnreachable: if this version can't use it; nothing is changed then.
    """
    async with engine.begin() as connection:
        await connection.run_sync(begin_writing)
        await connection.run_sync(_upgrade, at)
