"""Opens a database: from its URL to the connections that read and write."""

from __future__ import annotations

from functools import partial
from typing import Any

from sqlalchemy import create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from db.connection.reading import Connections, FileConnections, ServerConnections

PATIENCE = 5000
"""Milliseconds that a write waits for another process that is writing."""
READERS = 4
"""Connections that read a SQLite file, each with a thread."""
POOL = 5
"""Connections to a server that a process holds at most, unless a setting says otherwise."""
TIMEOUT = 30.0
"""Seconds that a statement may take on a server, unless a setting says otherwise."""
PARKED = 60
"""Seconds after which a server gives up a transaction in which nothing is asked of it any more."""
DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}


def database_url(text: str) -> URL:
    """The URL with the async driver that we use, from a URL with or without a driver's name.

    Raises:
        ValueError: with a sentence, when it names neither a SQLite file nor PostgreSQL.

    >>> str(database_url("sqlite:///parlour.db"))
    'sqlite+aiosqlite:///parlour.db'
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):  # the latter for a port that is no number
        raise ValueError("is not a database URL; try sqlite:///parlour.db") from None
    driver = DRIVERS.get(url.drivername.split("+")[0])
    if driver is None:
        raise ValueError("must begin with sqlite:// or postgresql://")
    in_memory = not url.database or url.database.startswith((":memory:", "file:"))
    if url.get_backend_name() == "sqlite" and (url.host or in_memory):
        raise ValueError("must name a file on this machine; try sqlite:///parlour.db")
    if "sslmode" in url.query:  # libpq's word for it, which hosts put into their URLs; asyncpg's is `ssl`
        url = url.update_query_dict({"ssl": url.query["sslmode"]}).difference_update_query(["sslmode"])
    return url.set(drivername=driver)


def sqlite_engine(url: URL, **settings: Any) -> AsyncEngine:
    """One connection to a SQLite file, which writes.

    A write begins its transaction by itself, as a writer at once; that saves a trip to the connection's
    thread for each. What begins otherwise says so: see `begin_writing`.
    """
    engine = create_async_engine(url, pool_size=1, max_overflow=0, hide_parameters=True, **settings)
    event.listen(engine.sync_engine, "connect", partial(_set_up, isolation="IMMEDIATE"))
    return engine


def file_connections(url: URL, **settings: Any) -> FileConnections:
    """Connections to a SQLite file that only read, so that no transaction has to be begun and ended."""
    engine = create_engine(
        url.set(drivername="sqlite"),
        pool_size=READERS,
        max_overflow=0,
        hide_parameters=True,
        isolation_level="AUTOCOMMIT",
        skip_autocommit_rollback=True,
        pool_reset_on_return=None,
        **settings,
    )
    event.listen(engine, "connect", partial(_set_up, isolation=None))
    return FileConnections(engine, READERS)


def _set_up(connection: Any, _record: object, isolation: str | None) -> None:
    """Set up a connection to a SQLite file as the store needs it."""
    connection.isolation_level = isolation
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={PATIENCE}"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def connections(url: URL, pool: int, timeout: float) -> tuple[Connections, AsyncEngine]:
    """What reads a database, and what writes it over one connection."""
    if url.get_backend_name() == "sqlite":
        return file_connections(url), sqlite_engine(url)
    reading = server_engine(
        url, pool - 1, timeout, isolation_level="AUTOCOMMIT", skip_autocommit_rollback=True
    )
    return ServerConnections(reading), server_engine(url, 1, timeout)


def patient_engine(url: URL) -> AsyncEngine:
    """One connection on which what is asked takes as long as it takes, for migrations."""
    if url.get_backend_name() == "sqlite":
        return sqlite_engine(url)
    return create_async_engine(url, pool_size=1, max_overflow=0, hide_parameters=True)


def server_engine(url: URL, size: int, timeout: float, **settings: Any) -> AsyncEngine:
    """The most connections to a server, and the most seconds a statement on one may take."""
    limits = {
        "application_name": "tangle-parlour",
        "statement_timeout": f"{timeout * 1000:.0f}",
        "idle_in_transaction_session_timeout": f"{PARKED * 1000}",
    }
    return create_async_engine(
        url,
        pool_size=size,
        max_overflow=0,
        pool_timeout=timeout,
        pool_pre_ping=True,
        hide_parameters=True,
        # The server ends what takes too long; we do so a little later, should the server be gone.
        connect_args={"server_settings": limits, "command_timeout": timeout + 5, "timeout": timeout},
        **settings,
    )
