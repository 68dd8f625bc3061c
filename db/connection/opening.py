"""Opens databases by their address, and its parameters for each driver."""

from __future__ import annotations

import sqlite3
import ssl
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import asyncpg
from sqlalchemy import create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from db.connection.writer import Connections, FileConnections, ServerConnections

PARTS = {"user": "username", "password": "password", "dbname": "database", "database": "database"}
PLACES = frozenset({"host", "port"})
SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
CHOICES: Mapping[str, tuple[str, ...]] = {
    "ssl": SSL_MODES,
    "target_session_attrs": ("any", "primary", "standby", "read-write", "read-only", "prefer-standby"),
    "channel_binding": ("disable", "prefer"),
    "gssencmode": ("disable", "prefer"),
}
UNSUPPORTED = frozenset({"channel_binding", "gssencmode"})
"""Parameters the driver can't follow; a preference is dropped, a demand refused."""
FILES = ("sslrootcert", "sslcert", "sslkey")
SYSTEM = "system"
"""The root certificates of this machine, as a value of sslrootcert."""
STARTUP = frozenset({"application_name", "options"})
"""Parameters that the server itself reads when a connection starts."""
KNOWN = PLACES | STARTUP | {*CHOICES, *FILES, "connect_timeout"}
TOOL_VARIABLES = {
    "ssl": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
    "connect_timeout": "PGCONNECT_TIMEOUT",
    "application_name": "PGAPPNAME",
    "options": "PGOPTIONS",
    "target_session_attrs": "PGTARGETSESSIONATTRS",
}
"""The environment variables in which PostgreSQL's own tools expect parameters."""


def server_url(url: URL) -> URL:
    """Return the URL with its parameters checked and spelled our way.

    Raises:
        ValueError: with a sentence that names the parameter.
    """
    query: dict[str, Any] = {
        name: value if name in PLACES or isinstance(value, str) else value[-1]
        for name, value in url.query.items()
    }
    parts = {PARTS[name]: query.pop(name) for name in PARTS if name in query}
    if "sslmode" in query:
        query["ssl"] = query.pop("sslmode")
    if query.get("ssl") in ("true", "1"):
        query["ssl"] = "require"
    for name in query:
        _require_valid(name, str(query[name]))
    if query.get("sslrootcert") == SYSTEM and query.setdefault("ssl", "verify-full") != "verify-full":
        raise ValueError("has sslrootcert=system, which needs sslmode=verify-full")
    url = url.set(query={name: query[name] for name in query if name not in UNSUPPORTED}, **parts)
    if not url.database:
        raise ValueError("names no database; try postgresql://user:password@host/database")
    if url.port is not None and not 0 < url.port < 65536:
        raise ValueError(f"has the port {url.port}; it must be between 1 and 65535")
    try:
        (url.host or "").encode("idna")
    except UnicodeError:
        raise ValueError(f"has the host {url.host}, which can't be a host's name") from None
    return url


def _require_valid(name: str, value: str) -> None:
    spelled = "sslmode" if name == "ssl" else name
    if name not in KNOWN:
        raise ValueError(f"has the parameter “{name}”, which the bot doesn't know; leave it out")
    if name in UNSUPPORTED and value == "require":
        raise ValueError(
            f"has {name}=require, which the bot's driver can't do; leave it out, and let "
            "sslmode=verify-full make sure of the server"
        )
    if name in CHOICES and value not in CHOICES[name]:
        raise ValueError(f"has {spelled}={value}; it can be {', '.join(CHOICES[name])}")
    if name == "connect_timeout" and not (value.isascii() and value.isdigit()):
        raise ValueError(f"has connect_timeout={value}; it must be a whole number of seconds")
    if name in FILES and not (name == "sslrootcert" and value == SYSTEM) and not Path(value).is_file():
        raise ValueError(f"has {name}={value}, a file that isn't there")


def without_parameters(url: URL) -> URL:
    """Return the URL without what `driver_arguments` translates."""
    return url.difference_update_query(KNOWN - PLACES)


def driver_arguments(url: URL) -> dict[str, Any]:
    """Return the URL's parameters as arguments of asyncpg's."""
    query = {name: str(value) for name, value in url.query.items()}
    result: dict[str, Any] = {**_encryption(query)}
    settings = {name: query[name] for name in STARTUP if name in query}
    if settings:
        result["server_settings"] = settings
    if int(query.get("connect_timeout", 0)):
        result["timeout"] = int(query["connect_timeout"])
    if "target_session_attrs" in query:
        result["target_session_attrs"] = query["target_session_attrs"]
    return result


def _encryption(query: Mapping[str, str]) -> dict[str, Any]:
    files = {name: query[name] for name in FILES if name in query}
    if query.get("sslrootcert") == SYSTEM:
        context = ssl.create_default_context()
        if "sslcert" in files:
            context.load_cert_chain(files["sslcert"], files.get("sslkey"))
        return {"ssl": context}
    if files:  # the driver takes files in an address alone
        mode = {"sslmode": query["ssl"]} if "ssl" in query else {}
        return {"dsn": f"postgresql:///?{urlencode(mode | files)}"}
    return {"ssl": query["ssl"]} if "ssl" in query else {}


def tool_environment(url: URL) -> dict[str, str]:
    """Return the environment variables that tell PostgreSQL's tools the address."""
    host = url.host or url.query.get("host") or ""
    named = {
        "PGHOST": host if isinstance(host, str) else ",".join(host),
        "PGPORT": None if url.port is None else str(url.port),
        "PGUSER": url.username,
        "PGPASSWORD": url.password,
        "PGDATABASE": url.database,
        **{variable: url.query.get(name) for name, variable in TOOL_VARIABLES.items()},
    }
    return {variable: str(value) for variable, value in named.items() if value}


WAL_BYTES = 8 * 1024**2
"""The size that SQLite's journal is cut back to, after a long reader let it grow."""
WRITE_PATIENCE_MS = 5000
"""Milliseconds that a write waits for another process's write."""
SWITCHES_APART = 0.005
"""Seconds between two attempts to switch a new file to SQLite's journal."""
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
    # SQLite refuses a second process that switches a new file, without waiting.
    until = time.monotonic() + WRITE_PATIENCE_MS / 1000
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            break
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        time.sleep(SWITCHES_APART)
    for pragma in (
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
    pool = {"pool_size": size, "max_overflow": 0, "hide_parameters": True}
    engine = create_async_engine(without_parameters(url), connect_args=arguments, **pool, **settings)
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
