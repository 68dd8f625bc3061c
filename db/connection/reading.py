"""Connections that read: a whole look at the database takes one trip off the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.ext.asyncio import AsyncEngine

from db.connection.availability import Availability

T = TypeVar("T")


class Connections(Protocol):
    """Connections to a database on which nothing is written; `engine` is what makes them."""

    engine: Engine

    async def run(self, look: Callable[[Connection], T]) -> T:
        """What a function of a connection finds, once one is free."""

    async def dispose(self) -> None:
        """Close all connections."""


class FileConnections:
    """Connections to a SQLite file, each used by a thread at a time.

    A look runs whole in that thread. SQLAlchemy's asynchronous layer would make a greenlet for each step
    instead, and where other threads run, giving back its memory can hold the event loop for milliseconds.
    """

    def __init__(self, engine: Engine, size: int) -> None:
        self.engine = engine
        self._threads = ThreadPoolExecutor(size, thread_name_prefix="database reader")

    async def run(self, look: Callable[[Connection], T]) -> T:
        """What a function of a connection finds, in a thread of its own."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._looked, look)

    def _looked(self, look: Callable[[Connection], T]) -> T:
        with self.engine.connect() as connection:
            return look(connection)

    async def dispose(self) -> None:
        """Close all connections, once those who look have finished."""
        await asyncio.to_thread(self._threads.shutdown)
        self.engine.dispose()


class ServerConnections:
    """Connections to a server."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine.sync_engine
        self._connections = engine

    async def run(self, look: Callable[[Connection], T]) -> T:
        """What a function of a connection finds."""
        async with self._connections.connect() as connection:
            return await connection.run_sync(look)

    async def dispose(self) -> None:
        """Close all connections."""
        await self._connections.dispose()


class Reader:
    """Reads a database, and tells when that can't be done."""

    def __init__(self, connections: Connections, reach: Availability) -> None:
        self.connections = connections
        self._reach = reach

    async def read(self, look: Callable[[Connection], T]) -> T:
        """What a function of a connection finds; it only reads, and may run in another thread.

        Raises:
            DatabaseUnavailable: when the database can't be read for now.
        """
        with self._reach.watched("read"):
            return await self.connections.run(look)

    async def dispose(self) -> None:
        """Close all connections."""
        await self.connections.dispose()
