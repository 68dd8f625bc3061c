"""When the database is unavailable: one error for every cause, logged once per cause."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

log = logging.getLogger(__name__)
Doing = Literal["read", "written"]
SETTLED = 60.0
"""Seconds without a failure after which the database is well again; a full disk takes a row now and then."""
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
"""By the beginning of an error's code, the more exact ones first."""

CONTENTION = ("40P01", "40001")
"""A deadlock, and a transaction that can't be put in an order with others."""


class DatabaseUnavailable(Exception):
    """The database can't be read or written for now, and nothing was changed; its text says why.

    What failed may be tried again later. The log has been told of the `cause`, so whoever catches this
    needn't.
    """

    def __init__(self, reason: str, cause: str) -> None:
        super().__init__(reason)
        self.cause = cause


class CommitUnknown(DatabaseUnavailable):
    """The connection was lost during a commit, and nobody can say whether it got through."""


def is_contention(error: BaseException) -> bool:
    """Return True if a server has ended a transaction that crossed another; it can be repeated."""
    told = getattr(error, "orig", None) or error
    return getattr(told, "sqlstate", None) in CONTENTION


def unavailable(error: BaseException) -> DatabaseUnavailable | None:
    """What an error says about the database, where it says that it can't be used for now.

    Any other error is about what was asked of it, and would come again.
    """
    if isinstance(error, DatabaseUnavailable):
        return error
    cause = cause_of(error)
    if cause is None:
        return None
    lines = str(getattr(error, "orig", None) or error).splitlines()
    return DatabaseUnavailable(lines[0] if lines else type(error).__name__, cause)


def cause_of(error: BaseException) -> str | None:
    """A word for what an error says of a database that can't be used for now; None for any other error."""
    if isinstance(error, NoConnectionFree):
        return "connections"
    if isinstance(error, OSError) or (isinstance(error, DBAPIError) and error.connection_invalidated):
        return CONNECTION
    told = getattr(error, "orig", None) or error
    number, state = getattr(told, "sqlite_errorcode", None), getattr(told, "sqlstate", None)
    if number is not None:
        return SQLITE_CAUSES.get(number & 0xFF)  # the rest of the number tells kinds of the same cause apart
    return next((name for code, name in POSTGRES_CAUSES.items() if str(state).startswith(code)), None)


class Availability:
    """Whether a database can be read, and written; what is the matter is told once."""

    def __init__(
        self,
        timer: Callable[[], float] = time.monotonic,
        sentence: Callable[[DatabaseUnavailable], object] = str,
    ) -> None:
        """`sentence` is what the log is told of an error."""
        self._timer = timer
        self._sentence = sentence
        self._failing: dict[Doing, tuple[str, float]] = {}

    @contextmanager
    def watched(self, doing: Doing) -> Iterator[None]:
        """Do something with the database; that it can't be used is raised as DatabaseUnavailable."""
        try:
            yield
        except Exception as error:  # whatever drivers raise; what is not about the database goes on as it is
            found = unavailable(error)
            if found is None:
                raise
            self.failed(doing, found)
            raise found from getattr(error, "orig", None)
        self._done(doing)

    def failed(self, doing: Doing, error: DatabaseUnavailable) -> None:
        """Note that something could not be done; a cause that is known already is not told again."""
        known = {cause for cause, _ in self._failing.values()}
        self._failing[doing] = error.cause, self._timer()
        if error.cause not in known:
            log.error("the database can't be %s, and will be tried again: %s", doing, self._sentence(error))

    def _done(self, doing: Doing) -> None:
        if doing not in self._failing or self._timer() - self._failing[doing][1] < SETTLED:
            return
        del self._failing[doing]
        if not self._failing:
            log.info("the database works again")
