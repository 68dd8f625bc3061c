"""The one writer of a process, its groups of writes, the readers beside it, and a database that is away.

A server numbers its transactions and remembers their outcomes. The number of a batch comes with the answer
to one of its own statements, so a lone write pays nothing for it."""

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from random import random
from typing import Any, Literal, Protocol, TypeVar

import aiosqlite
import sqlalchemy as sa
from sqlalchemy import create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnectionFree
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

log = logging.getLogger(__name__)
Doing = Literal["read", "written"]
WELL_AFTER = 60.0
"""Seconds without a failure until the database counts as well; a full disk takes a row now and then."""
CONNECTION = "connection"
SQLITE_CAUSES = {
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_READONLY: "read-only",
    sqlite3.SQLITE_IOERR: "disk",
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_CANTOPEN: "file",
}
POSTGRES_CAUSES = {
    "08": CONNECTION,
    "57P": CONNECTION,
    "53300": "connections",
    "53": "full",
    "58": "disk",
    "25006": "read-only",
    "55P03": "locked",
    "40P01": "locked",
    "40001": "locked",
    "57014": "slow",
}
"""Causes by the beginning of an error's code, exact codes first."""

CONTENTION = ("40P01", "40001")
"""Codes of a deadlock and of a serialisation failure."""


class DatabaseUnavailable(Exception):
    """Raised if the database can't be read or written now; nothing was changed.

    Its text says why; trying again later can work. The log knows the `cause`, so nobody logs it again.
    """

    def __init__(self, reason: str, cause: str) -> None:
        super().__init__(reason)
        self.cause = cause


class CommitUnknown(DatabaseUnavailable):
    """Raised if the connection was lost during a commit with an unknown outcome."""


def is_contention(error: BaseException) -> bool:
    """Return True if a server has ended a transaction that crossed another; it can be repeated."""
    result = getattr(error, "orig", None) or error
    return getattr(result, "sqlstate", None) in CONTENTION


def as_unavailable(error: BaseException) -> DatabaseUnavailable | None:
    """Return the error for an unavailable database; None if it is another error.

    Any other error is about the request itself and would come again.
    """
    if isinstance(error, DatabaseUnavailable):
        return error
    cause = cause_of(error)
    if cause is None:
        return None
    lines = str(getattr(error, "orig", None) or error).splitlines()
    return DatabaseUnavailable(lines[0] if lines else type(error).__name__, cause)


def cause_of(error: BaseException) -> str | None:
    """Return the cause in a word if the database is unavailable. None if it is another error."""
    if isinstance(error, NoConnectionFree):
        return "connections"
    if isinstance(error, OSError) or (isinstance(error, DBAPIError) and error.connection_invalidated):
        return CONNECTION
    result = getattr(error, "orig", None) or error
    number, state = getattr(result, "sqlite_errorcode", None), getattr(result, "sqlstate", None)
    if number is not None:
        return SQLITE_CAUSES.get(number & 0xFF)  # the rest of the number tells kinds of the same cause apart
    return next((name for code, name in POSTGRES_CAUSES.items() if str(state).startswith(code)), None)


class Availability:
    """Knows if a database can be read and written; logs each cause once."""

    def __init__(
        self,
        timer: Callable[[], float] = time.monotonic,
        sentence: Callable[[DatabaseUnavailable], object] = str,
    ) -> None:
        self._timer = timer
        self._sentence = sentence
        self._failing: dict[Doing, tuple[str, float]] = {}

    @contextmanager
    def watch(self, doing: Doing) -> Iterator[None]:
        """Turn errors of the database into DatabaseUnavailable."""
        try:
            yield
        except Exception as error:  # whatever drivers raise; what is not about the database goes on as it is
            failure = as_unavailable(error)
            if failure is None:
                raise
            self.note_failure(doing, failure)
            raise failure from getattr(error, "orig", None)
        if doing in self._failing and self._timer() - self._failing[doing][1] >= WELL_AFTER:
            del self._failing[doing]
            if not self._failing:
                log.info("the database works again")

    def note_failure(self, doing: Doing, error: DatabaseUnavailable) -> None:
        """Note a failure; log its cause unless it is known."""
        known = {cause for cause, _ in self._failing.values()}
        self._failing[doing] = error.cause, self._timer()
        if error.cause not in known:
            log.error("the database can't be %s, and will be tried again: %s", doing, self._sentence(error))


NUMBER = "transaction"
"""The key under which a connection keeps its transaction's number."""
_number = sa.bindparam("number", type_=sa.BigInteger)
_unborn = sa.func.txid_snapshot_xmax(sa.func.txid_current_snapshot()) <= _number
_STATUS = sa.select(sa.case((_unborn, "aborted"), else_=sa.func.txid_status(_number)))
"""A server that took over from a failed one can lack the number; then nothing was committed."""
_END = sa.text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE backend_xid::text::bigint = :number % 4294967296 "
    "AND datname = current_database() AND pid <> pg_backend_pid()"
)
"""The server tells running transactions apart by the last 32 bits of their numbers."""


def transaction_number() -> sa.Function[Any]:
    return sa.func.txid_current()


def note_number(connection: sa.Connection, number: int) -> None:
    connection.info[NUMBER] = number


def current_number(connection: sa.Connection) -> int | None:
    """Return the number of the running transaction.

    Ask the server if it isn't known. None on SQLite, which commits in this process: the outcome is always
    known.
    """
    if connection.dialect.name != "postgresql":
        return None
    if NUMBER in connection.info:
        return int(connection.info.pop(NUMBER))
    return int(connection.execute(sa.select(transaction_number())).scalar_one())


def end_and_check(connection: sa.Connection, number: int) -> bool | None:
    """Return True if a transaction is committed, None while it is running. Also end it."""
    connection.execute(_END, {"number": number})
    status = connection.scalar(_STATUS, {"number": number})
    return None if status == "in progress" else bool(status == "committed")


T = TypeVar("T")
Apply = Callable[[sa.Connection, list[Any], bool], list[Any]]
BATCH = 256
ON_ITS_THREAD = "engine on the connection's thread"
"""The key under which a SQLite connection keeps the engine of its own thread."""
MOST_RUNS = 3
"""Most attempts at a batch if the connection is lost each time."""
MOST_CROSSINGS = 8
"""Most attempts at a batch that crosses other processes' writes."""
CROSSING_PAUSE = 0.05
"""The most seconds before a crossed batch is retried, times the attempts so far."""
PAUSES = (0.0, 0.1, 0.3, 1.0, 3.0, 5.0)
"""Seconds before each check of a batch's outcome while no connection can be opened."""


def begin_writing(connection: sa.Connection) -> None:
    """Begin a transaction as a writer. So what it reads first still holds when it writes."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")


async def run_in_one_trip(connection: AsyncConnection, work: Callable[[sa.Connection], T]) -> T:
    """Run a function over a connection.

    On SQLite in one trip to its thread. Otherwise each step of a statement is a trip. SQLAlchemy's driver
    uses the same private parts of aiosqlite.
    """
    assert connection.sync_connection is not None
    file = connection.sync_connection.connection.driver_connection
    if not isinstance(file, aiosqlite.Connection):
        return await connection.run_sync(work)
    engine = connection.info.get(ON_ITS_THREAD)
    if engine is None:
        engine = connection.info[ON_ITS_THREAD] = create_engine(
            "sqlite://",
            creator=lambda: file._conn,
            poolclass=sa.StaticPool,
            pool_reset_on_return=None,
            hide_parameters=True,
        )

    def done() -> T:
        with engine.connect() as there:
            return work(there)

    result: T = await file._execute(done)  # type: ignore[no-untyped-call]  # aiosqlite has no types for it
    return result


class _CommitUnanswered(Exception):
    """Raised if the connection is lost during a batch's commit."""

    def __init__(self, number: int, results: list[Any], error: Exception) -> None:
        super().__init__()
        self.number, self.results, self.error = number, results, error


class Writer:
    """Runs writes batch by batch; on a disk that syncs honestly the commit is the cost.

    A task carries out batches and ends when nothing waits: an idle writer costs nothing, and a shutdown
    finds nothing parked.
    """

    def __init__(self, engine: AsyncEngine, apply: Apply, reach: Availability) -> None:
        self._engine = engine
        self._apply = apply
        self._reach = reach
        self._connection: AsyncConnection | None = None
        self._waiting: list[tuple[Any, asyncio.Future[Any]]] = []
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False

    async def write(self, job: Any) -> Any:
        """Queue a job and wait until it is safely on disk.

        Raises whatever the job raises, without effect on others of its batch; DatabaseUnavailable for all of
        them if the database can't be written now.
        """
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append((job, future))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._drain(), name="database writer")
        return await future

    async def close(self) -> None:
        """Wait until every queued job is written, then close the connection.

        Jobs that are queued even later are written too, and leave no connection open either.
        """
        self._is_closed = True
        while self._task is not None and not self._task.done():
            await asyncio.gather(self._task, return_exceptions=True)
        await self._disconnect()

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    async def _drain(self) -> None:
        """Write batch after batch. If cancelled, first write and answer everything that waits."""
        is_cancelled = False
        while self._waiting:
            batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
            jobs = [job for job, _ in batch]
            # No caller's cancellation ends the task.
            writing = asyncio.create_task(self._write_batch(jobs), name="database batch")
            while not writing.done():
                try:
                    await asyncio.wait([writing])
                except asyncio.CancelledError:
                    is_cancelled = True
            self._answer(batch, writing)
            if self._is_closed and not self._waiting:
                await self._disconnect()  # then jobs that came while it closed
        if is_cancelled:
            raise asyncio.CancelledError

    def _answer(self, batch: list[tuple[Any, asyncio.Future[Any]]], writing: asyncio.Task[list[Any]]) -> None:
        if writing.cancelled():
            results: list[Any] = [CommitUnknown("the write was interrupted", CONNECTION)] * len(batch)
        elif (error := writing.exception()) is not None:
            results = [error] * len(batch)
        else:
            results = writing.result()
        for (_, future), result in zip(batch, results, strict=True):
            if future.done():
                continue
            if isinstance(result, BaseException):
                future.set_exception(result)
            else:
                future.set_result(result)

    async def _write_batch(self, jobs: list[Any]) -> list[Any]:
        """Carry out a batch, again if its connection is lost.

        Return the results. Savepoints cost more than the writes, so they are used only after a failure. A
        kept connection can belong to a server that has restarted, and a new one can be lost as well: what
        fails that way is retried unless it turns out to be committed.
        """
        run = 1
        with self._reach.watch("written"):
            while True:
                try:
                    results = await self._transaction(jobs, careful=run > 1)
                    return results if run == 1 else [self._result_of(result) for result in results]
                except _CommitUnanswered as unanswered:
                    if await self._is_committed(unanswered):
                        return [self._result_of(result) for result in unanswered.results]
                    if run == MOST_RUNS:
                        raise unanswered.error from None
                except Exception as error:  # found again with savepoints, and told to whoever waits for it
                    if is_contention(error) and run < MOST_CROSSINGS:
                        await asyncio.sleep(random() * CROSSING_PAUSE * run)  # noqa: S311  nobody guesses it
                        run += 1
                        continue
                    failure = as_unavailable(error)
                    if failure is not None and failure.cause != CONNECTION:
                        raise  # to wait for a lock twice would help nobody
                    if run == MOST_RUNS or (failure is None and run > 1):
                        raise
                run += 1

    async def _is_committed(self, batch: _CommitUnanswered) -> bool:
        """Return True if a batch was committed although its connection was lost.

        Raise CommitUnknown if nobody can tell.
        """
        reason = str(batch.error)
        for pause in PAUSES:
            await asyncio.sleep(pause)
            try:
                async with self._engine.connect() as connection:
                    committed = await connection.run_sync(end_and_check, batch.number)
            except Exception as error:  # whatever it is, it doesn't say whether the batch got through
                reason = str(error)
            else:
                if committed is not None:
                    return committed
        raise CommitUnknown(reason.partition("\n")[0], CONNECTION)

    def _result_of(self, result: Any) -> Any:
        """Return a job's result or error. DatabaseUnavailable if it wasn't the job's fault."""
        failure = as_unavailable(result) if isinstance(result, Exception) else None
        if failure is None:
            return result
        self._reach.note_failure("written", failure)
        return failure

    async def _transaction(self, jobs: list[Any], *, careful: bool) -> list[Any]:
        connection = self._connection
        if connection is None:
            connection = self._connection = await self._engine.connect()
        try:
            return await run_in_one_trip(connection, partial(self._carry_out, jobs=jobs, careful=careful))
        except BaseException:
            # Nothing of a transaction that failed may be left on a connection that is used again.
            self._connection = None
            await connection.invalidate()
            await connection.close()
            raise

    def _carry_out(self, connection: sa.Connection, jobs: list[Any], careful: bool) -> list[Any]:
        number: int | None = None
        results: list[Any] = []
        try:
            with connection.begin():
                begin_writing(connection)
                results = self._apply(connection, jobs, careful)
                number = current_number(connection)
            return results
        except Exception as error:  # raised as it is, but for a connection lost when nobody could say more
            failure = as_unavailable(error)
            if number is None or failure is None or failure.cause != CONNECTION:
                raise
            raise _CommitUnanswered(number, results, error) from error


class Connections(Protocol):
    """Connections that only read a database; `engine` makes them."""

    engine: sa.Engine

    async def run(self, look: Callable[[sa.Connection], T]) -> T:
        """Run a function of a connection as soon as one is free."""

    async def dispose(self) -> None:
        """Close all connections."""


class FileConnections:
    """Connections to a SQLite file, each used by one thread at a time.

    A function runs whole in that thread. SQLAlchemy's asynchronous layer makes a greenlet for each step, and
    giving back its memory can hold the event loop for milliseconds.
    """

    def __init__(self, engine: sa.Engine, size: int) -> None:
        self.engine = engine
        self._threads = ThreadPoolExecutor(size, thread_name_prefix="database reader")

    async def run(self, look: Callable[[sa.Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._looked, look)

    def _looked(self, look: Callable[[sa.Connection], T]) -> T:
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

    async def run(self, look: Callable[[sa.Connection], T]) -> T:
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

    async def read(self, look: Callable[[sa.Connection], T]) -> T:
        """Run a reading function of a connection, perhaps in another thread.

        Raise DatabaseUnavailable if the database can't be read now.
        """
        with self._reach.watch("read"):
            return await self.connections.run(look)

    async def dispose(self) -> None:
        await self.connections.dispose()
