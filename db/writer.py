"""The one writer: whatever waits at the same time is written in one transaction and shares its commit."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from db.reach import CONNECTION, Reach, unavailable

Apply = Callable[[AsyncConnection, list[Any], bool], Awaitable[list[Any]]]
BATCH = 256


async def begin_writing(connection: AsyncConnection) -> None:
    """Begin a transaction that doesn't begin with a write, but with a savepoint or a new table."""
    if connection.dialect.name == "sqlite":
        await connection.exec_driver_sql("BEGIN IMMEDIATE")


class Writer:
    """Runs writes one batch after another; on a disk that syncs honestly the commit is the cost.

    The batch is carried out by a task that ends when nothing waits any more, so an idle writer costs
    nothing and a shut-down finds nothing parked.
    """

    def __init__(self, engine: AsyncEngine, apply: Apply, reach: Reach) -> None:
        self._engine = engine
        self._apply = apply
        self._reach = reach
        self._connection: AsyncConnection | None = None
        self._waiting: list[tuple[Any, asyncio.Future[Any]]] = []
        self._task: asyncio.Task[None] | None = None

    async def write(self, job: Any) -> Any:
        """Hand in one job and wait until it is safely on disk.

        Raises whatever the job raised; the other jobs of its batch are not touched by that. When the
        database can't be written for now that is DatabaseUnavailable, for all of them.
        """
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append((job, future))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._drain(), name="database writer")
        return await future

    async def close(self) -> None:
        """Wait until everything that was handed in is written, then give the connection back."""
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)
        if self._connection is not None:
            await self._connection.close()
            self._connection = None

    async def _drain(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
            try:
                results = await self._written([job for job, _ in batch])
            except BaseException as error:
                for _, future in batch:
                    if not future.done():
                        future.set_exception(
                            error
                            if isinstance(error, Exception)
                            else RuntimeError("the write was interrupted")
                        )
                if not isinstance(error, Exception):
                    raise
                continue
            for (_, future), result in zip(batch, results, strict=True):
                if future.done():
                    continue
                if isinstance(result, Exception):
                    future.set_exception(result)
                else:
                    future.set_result(result)

    async def _written(self, jobs: list[Any]) -> list[Any]:
        """The results of a batch. Savepoints cost more than the writes, so they wait for a failure."""
        with self._reach.watched("written"):
            try:
                return await self._transaction(jobs, careful=False)
            except Exception as error:  # found again, and told to the one who waits for it, with savepoints
                found = unavailable(error)
                if found is not None and found.cause != CONNECTION:
                    raise  # to wait for a lock twice would help nobody
            # A connection that was kept may belong to a server that has been restarted since.
            return [self._told(result) for result in await self._transaction(jobs, careful=True)]

    def _told(self, result: Any) -> Any:
        """A job's result, or what it raised; DatabaseUnavailable where it was not the job's fault."""
        found = unavailable(result) if isinstance(result, Exception) else None
        if found is None:
            return result
        self._reach.failed("written", found)
        return found

    async def _transaction(self, jobs: list[Any], *, careful: bool) -> list[Any]:
        connection = self._connection
        if connection is None:
            connection = self._connection = await self._engine.connect()
        try:
            async with connection.begin():
                if careful:
                    await begin_writing(connection)
                return await self._apply(connection, jobs, careful)
        except BaseException:
            # Nothing of a transaction that failed may be left on a connection that is used again.
            self._connection = None
            await connection.invalidate()
            await connection.close()
            raise
