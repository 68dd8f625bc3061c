"""Reads a database off the event loop: a whole look in one trip."""

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
    """Connections that only read a database; `engine` makes them."""

    engine: Engine

    async def run(self, look: Callable[[Connection], T]) -> T:
        """Run a function of a connection as soon as one is free."""

    async def dispose(self) -> None:
        """Close all connections."""


class FileConnections:
    """Connections to a SQLite file, each used by one thread at a time.

    A function runs whole in that thread. SQLAlchemy's asynchronous layer makes a greenlet for each step, and
    giving back its memory can hold the event loop for milliseconds.
    """

    def __init__(self, engine: Engine, size: int) -> None:
        self.engine = engine
        self._threads = ThreadPoolExecutor(size, thread_name_prefix="database reader")

    async def run(self, look: Callable[[Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._looked, look)

    def _looked(self, look: Callable[[Connection], T]) -> T:
        with self.engine.connect() as connection:
            return look(connection)

    async def dispose(self) -> None:
        """Close all connections once running reads have finished."""
        await asyncio.to_thread(self._threads.shutdown)
        self.engine.dispose()


class ServerConnections:
    """Connections to a PostgreSQL server."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine.sync_engine
        self._connections = engine

    async def run(self, look: Callable[[Connection], T]) -> T:
        async with self._connections.connect() as connection:
            return await connection.run_sync(look)

    async def dispose(self) -> None:
        await self._connections.dispose()


class Reader:
    """Reads a database; raises one error if that is impossible."""

    def __init__(self, connections: Connections, reach: Availability) -> None:
        self.connections = connections
        self._reach = reach

    async def read(self, look: Callable[[Connection], T]) -> T:
        """Run a reading function of a connection, perhaps in another thread.

        Raises:
            DatabaseUnavailable: if the database can't be read now.
        """
        with self._reach.watch("read"):
            return await self.connections.run(look)

    async def dispose(self) -> None:
        await self.connections.dispose()
