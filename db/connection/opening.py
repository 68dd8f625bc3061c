"""Opens a database: from its URL to the connections that read and write."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import asyncpg
from sqlalchemy import create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from db.connection.parameters import driver_arguments, server_url, without_parameters
from db.connection.reading import Connections, FileConnections, ServerConnections

WAL_BYTES = 8 * 1024**2
"""The size that SQLite's journal is cut back to, after a long reader let it grow."""
WRITE_PATIENCE_MS = 5000
"""Milliseconds that a write waits for another process's write."""
READERS = 4
"""Connections that read a SQLite file, a thread each."""
POOL = 5
"""The most connections to a server, unless a setting says otherwise."""
TIMEOUT = 30.0
"""Seconds for a statement on a server, unless a setting says otherwise."""
IDLE_TIMEOUT = 60
"""Seconds after which a server ends an idle transaction."""
APPLICATION = "tangle-parlour"
"""The name of our connections at a server, unless the address has one."""
DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}


def database_url(text: str) -> URL:
    """Return the URL with our async driver.

    Raises:
        ValueError: with a sentence, if it isn't the address of a SQLite file or a PostgreSQL database.

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
    url = url.set(drivername=driver)
    return url if url.get_backend_name() == "sqlite" else server_url(url)


def sqlite_engine(url: URL, **settings: Any) -> AsyncEngine:
    """Open the one connection that writes a SQLite file."""
    engine = create_async_engine(url, pool_size=1, max_overflow=0, hide_parameters=True, **settings)
    event.listen(engine.sync_engine, "connect", partial(_set_up, isolation="IMMEDIATE"))
    return engine


def file_connections(url: URL, **settings: Any) -> FileConnections:
    """Open connections that only read a SQLite file, without transactions."""
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
    connection.isolation_level = isolation
    # A text with a damaged byte must not keep the rows beside it from being read.
    getattr(connection, "driver_connection", connection).text_factory = partial(
        str, encoding="utf-8", errors="replace"
    )
    cursor = connection.cursor()
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        f"busy_timeout={WRITE_PATIENCE_MS}",
        f"journal_size_limit={WAL_BYTES}",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def open_connections(url: URL, pool: int, timeout: float) -> tuple[Connections, AsyncEngine]:
    """Return what reads a database, and the one connection that writes it."""
    if url.get_backend_name() == "sqlite":
        return file_connections(url), sqlite_engine(url)
    reading = server_engine(
        url, pool - 1, timeout, isolation_level="AUTOCOMMIT", skip_autocommit_rollback=True
    )
    return ServerConnections(reading), server_engine(url, 1, timeout)


def patient_engine(url: URL) -> AsyncEngine:
    """Return one connection without time limits, for migrations."""
    return sqlite_engine(url) if url.get_backend_name() == "sqlite" else server_engine(url)


def server_engine(url: URL, size: int = 1, timeout: float | None = None, **settings: Any) -> AsyncEngine:
    """Return at most `size` connections, whose statements take `timeout` seconds at most."""
    arguments = driver_arguments(url)
    arguments["server_settings"] = {"application_name": APPLICATION} | arguments.get("server_settings", {})
    limits: dict[str, str] = {}
    if timeout is not None:
        # The server ends what takes too long; we do so a little later, should the server be gone.
        arguments = {"timeout": timeout, "command_timeout": timeout + 5} | arguments
        settings = {"pool_timeout": timeout, "pool_pre_ping": True} | settings
        limits = {
            "statement_timeout": f"{timeout * 1000:.0f}",
            "idle_in_transaction_session_timeout": f"{IDLE_TIMEOUT * 1000}",
        }
    engine = create_async_engine(
        without_parameters(url),
        pool_size=size,
        max_overflow=0,
        hide_parameters=True,
        connect_args=arguments,
        **settings,
    )
    if limits:
        event.listen(engine.sync_engine, "connect", partial(_set_limits, limits=limits))
    return engine


def _set_limits(connection: Any, _record: object, limits: Mapping[str, str]) -> None:
    """Set limits once connected: poolers refuse them among the startup parameters."""
    is_autocommit, connection.autocommit = connection.autocommit, True
    cursor = connection.cursor()
    cursor.execute(_setting_statement(limits))
    cursor.close()
    connection.autocommit = is_autocommit


def _setting_statement(settings: Mapping[str, str]) -> str:
    """Return a statement that changes settings until the connection ends.

    >>> _setting_statement({"statement_timeout": "5", "work_mem": "4MB"})
    "SELECT set_config('statement_timeout', '5', false), set_config('work_mem', '4MB', false)"
    """
    return "SELECT " + ", ".join(
        f"set_config('{name}', '{value}', false)" for name, value in settings.items()
    )


async def connect_to_server(
    url: URL, name: str, patience: float, settings: Mapping[str, str]
) -> asyncpg.Connection[Any]:
    """Open one connection of the driver's own, called `name`, and change its settings."""
    bare = without_parameters(url)
    _, place = bare.get_dialect()().create_connect_args(bare)
    arguments = {**place, **driver_arguments(url), "timeout": patience, "command_timeout": patience}
    arguments["server_settings"] = arguments.get("server_settings", {}) | {"application_name": name}
    connection = await asyncpg.connect(**arguments)
    try:
        await connection.execute(_setting_statement(settings))
    except BaseException:
        connection.terminate()
        raise
    return connection
