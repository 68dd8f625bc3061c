"""A database that is away or comes back, and whether a commit arrived.

A server numbers its transactions and remembers their outcomes. The number of a batch comes with the answer
to one of its own statements, so a lone write pays nothing for it.
"""

import logging
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

from sqlalchemy import BigInteger, Connection, Function, bindparam, case, func, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

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
        self._done(doing)

    def note_failure(self, doing: Doing, error: DatabaseUnavailable) -> None:
        """Note a failure; log its cause unless it is known."""
        known = {cause for cause, _ in self._failing.values()}
        self._failing[doing] = error.cause, self._timer()
        if error.cause not in known:
            log.error("the database can't be %s, and will be tried again: %s", doing, self._sentence(error))

    def _done(self, doing: Doing) -> None:
        if doing not in self._failing or self._timer() - self._failing[doing][1] < WELL_AFTER:
            return
        del self._failing[doing]
        if not self._failing:
            log.info("the database works again")


NUMBER = "transaction"
"""The key under which a connection keeps its transaction's number."""
_number = bindparam("number", type_=BigInteger)
_unborn = func.txid_snapshot_xmax(func.txid_current_snapshot()) <= _number
_STATUS = select(case((_unborn, "aborted"), else_=func.txid_status(_number)))
"""A server that took over from a failed one can lack the number; then nothing was committed."""
_END = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE backend_xid::text::bigint = :number % 4294967296 "
    "AND datname = current_database() AND pid <> pg_backend_pid()"
)
"""The server tells running transactions apart by the last 32 bits of their numbers."""


def transaction_number() -> Function[Any]:
    return func.txid_current()


def note_number(connection: Connection, number: int) -> None:
    connection.info[NUMBER] = number


def current_number(connection: Connection) -> int | None:
    """Return the number of the running transaction.

    Ask the server if it isn't known. None on SQLite, which commits in this process: the outcome is always
    known.
    """
    if connection.dialect.name != "postgresql":
        return None
    if NUMBER in connection.info:
        return int(connection.info.pop(NUMBER))
    return int(connection.execute(select(transaction_number())).scalar_one())


def end_and_check(connection: Connection, number: int) -> bool | None:
    """Return True if a transaction is committed, None while it is running. Also end it."""
    connection.execute(_END, {"number": number})
    status = connection.scalar(_STATUS, {"number": number})
    return None if status == "in progress" else bool(status == "committed")
