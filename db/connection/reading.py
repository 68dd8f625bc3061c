"""Reads a database off the event loop: a whole look in one trip."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Protocol, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.ext.asyncio import AsyncEngine

from db.connection.availability import Availability, DatabaseUnavailable

log = logging.getLogger(__name__)
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


class UnreadableRow(Exception):
    """Raised for a row with a value that isn't what the bot writes there."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name} can't be read: {reason}")
        self.name, self.reason = name, reason


class UnreadableRows:
    """Knows the rows that couldn't be read the last time.

    Each is named in the log once, counted, and left out of lists.
    """

    def __init__(self) -> None:
        self._reasons: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._reasons)

    @property
    def names(self) -> list[str]:
        return sorted(self._reasons)

    def note_failure(self, error: UnreadableRow) -> None:
        """Note a row; log it unless that is known."""
        if self._reasons.get(error.name) != error.reason:
            log.error("%s, and is left out", error)
        self._reasons[error.name] = error.reason

    def note_success(self, name: str) -> None:
        if self._reasons.pop(name, None) is not None:
            log.info("%s can be read again", name)

    @contextmanager
    def watch(self, name: str) -> Iterator[None]:
        """Raise UnreadableRow for whatever fails inside, and note it."""
        try:
            yield
        except (DatabaseUnavailable, UnreadableRow):  # that is noted already
            raise
        except Exception as error:  # a damaged value can break anything
            unreadable = UnreadableRow(name, f"{type(error).__name__}: {error}")
            self.note_failure(unreadable)
            raise unreadable from error
        self.note_success(name)


class Reader:
    """Reads a database; raises one error if that is impossible."""

    def __init__(self, connections: Connections, reach: Availability) -> None:
        self.connections = connections
        self._reach = reach
        self.unreadable = UnreadableRows()

    async def read(self, look: Callable[[Connection], T]) -> T:
        """Run a reading function of a connection, perhaps in another thread.

        Raises:
            DatabaseUnavailable: if the database can't be read now.
        """
        with self._reach.watch("read"):
            return await self.connections.run(look)

    async def dispose(self) -> None:
        await self.connections.dispose()
