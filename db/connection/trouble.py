"""Explains a database's troubles in sentences, and keeps two bots from one file."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import ssl
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from db.connection.opening import database_url
from db.connection.writer import CONNECTION, DatabaseUnavailable, cause_of

SETTING = "DATABASE_URL"
SENTENCES: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
"""The sentences for servers and files, by cause."""
UNUSABLE = "{at} can't be used ({reason})."
PORT = 5432
LEAST_FREE = 1024 * 1024
"""Bytes free below which a disk is full: SQLite needs some beside a file even to read it."""
PUT_BACK = "put a backup back with `python bot.py restore PATH --force`"
DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
NO_DATABASE = "not a database"
"""SQLite's words for a file with a foreign beginning, damaged or never a database."""
CAUSES_BY_ERRNO = {
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
    errno.EFBIG: "full",
    errno.EROFS: "read-only",
    errno.EACCES: "read-only",
    errno.EPERM: "read-only",
}
"""Causes by the system's error numbers for files."""
LASTING_CAUSES = {"3D000": "missing", "28": "login", "42501": "rights", "XX": "damaged"}
"""Causes that don't pass by themselves, by the beginning of an error's code."""
CAUSES_BY_WORDS = {
    "unsupported startup parameter": "parameter",
    "statement pooling mode": "pooler",
    "no such database": "missing",
    "no such user": "login",
    "rejected SSL": "encryption",
    "root certificate file": "encryption",
}
"""Causes by the words of poolers, and of servers before they have codes."""
SHARED_CONNECTION = ("26000", "42P05")
"""A prepared statement is missing or already there: a pooler has swapped connections."""
CAUSES_BY_TOOL_WORDS = {
    "No space left": "full",
    "Disk full": "full",
    "File too large": "full",
    "read-only": "read-only",
    "does not exist": "missing",
    "authentication failed": "login",
    "permission denied for": "rights",
    "must be owner": "rights",
    "invalid page": "damaged",
    "could not read block": "damaged",
    "too many clients": "connections",
    "connection to server": CONNECTION,
    "could not translate host": CONNECTION,
}
"""Causes by the words of PostgreSQL's own tools, exact ones first."""


class DatabaseUnreachable(Exception):
    """Raised if the database can't be used; its text says which one, why, and what to do.

    `cause` is a word for the reason, if there is one.
    """

    def __init__(self, told: str, cause: str | None = None) -> None:
        super().__init__(told)
        self.cause = cause


@dataclass(frozen=True)
class DatabaseLabel:
    """Labels a database for operators: its URL, and the setting or word that names it."""

    url: URL
    setting: str = SETTING

    @classmethod
    def of(cls, address: str, setting: str = SETTING) -> DatabaseLabel:
        return cls(database_url(address), setting)

    @property
    def file(self) -> Path | None:
        return Path(self.url.database or "") if self.url.get_backend_name() == "sqlite" else None

    @property
    def by(self) -> str:
        """Return the setting in brackets. Empty if the file alone names the database."""
        return f" ({self.setting})" if self.setting else ""

    @property
    def host(self) -> str:
        host = self.url.host or self.url.query.get("host") or "localhost"
        return f"{host if isinstance(host, str) else host[0]}:{self.url.port or PORT}"

    def __str__(self) -> str:
        return f"{self.file or f'PostgreSQL at {self.host}'}{self.by}"


def describe_error(at: DatabaseLabel, error: BaseException) -> DatabaseUnreachable:
    result = getattr(error, "orig", None) or error
    lines, cause = str(result).splitlines(), cause_of_trouble(error)
    return DatabaseUnreachable(sentence(at, cause, lines[0] if lines else type(result).__name__), cause)


def describe_unavailable(at: DatabaseLabel, error: DatabaseUnavailable) -> DatabaseUnreachable:
    return DatabaseUnreachable(sentence(at, error.cause, str(error)), error.cause)


class ToolFailed(Exception):
    """Raised if one of PostgreSQL's own tools fails; its text is the last line of output.

    `cause` is a word for the reason, if there is one; `served` is True if the server answered and refused.
    """

    def __init__(self, tool: str, said: str) -> None:
        last = (said.strip().splitlines() or ["?"])[-1]
        super().__init__(last if last.startswith(tool) else f"{tool}: {last}")
        self.cause = next((cause for words, cause in CAUSES_BY_TOOL_WORDS.items() if words in said), None)
        self.served = "ERROR:" in said or self.cause in (CONNECTION, "connections", "missing", "login")


def describe_tool_failure(at: DatabaseLabel, failed: ToolFailed) -> DatabaseUnreachable:
    return DatabaseUnreachable(sentence(at, failed.cause, str(failed)), failed.cause)


def cause_of_trouble(error: BaseException) -> str | None:
    """Return the cause in a word, whether it passes by itself or not; None if unknown."""
    result = getattr(error, "orig", None) or error
    number, state = getattr(result, "sqlite_errorcode", None), str(getattr(result, "sqlstate", None))
    if number is not None and number & 0xFF in DAMAGE:
        return "damaged"
    if isinstance(result, ssl.SSLError):
        return "encryption"
    if isinstance(result, OSError) and result.errno in CAUSES_BY_ERRNO:
        return CAUSES_BY_ERRNO[result.errno]
    if state in SHARED_CONNECTION:
        return "pooler"
    said = next((cause for words, cause in CAUSES_BY_WORDS.items() if words in str(result)), None)
    if said is not None:
        return said
    lasting = (cause for code, cause in LASTING_CAUSES.items() if state.startswith(code))
    return next(lasting, None) or cause_of(error)


def sentence(at: DatabaseLabel, cause: str | None, reason: str) -> str:
    """Return what is wrong with a database and what to do.

    `reason` is its own words.

    >>> sentence(DatabaseLabel.of("postgresql://bo@db.example/parlour"), "missing", "")
    'PostgreSQL at db.example:5432 (DATABASE_URL) has no database “parlour”: create it, or fix the name.'
    """
    reason = reason.rstrip(".")
    if cause == "damaged":
        other = ", or name another file" if NO_DATABASE in reason else ""
        return f"{at} is damaged ({reason}): {PUT_BACK}{other}."
    if at.file is None:
        who, setting = at.url.username or "this user", at.setting or "the address"
        text = SENTENCES["server"].get(cause or "", UNUSABLE)
        return text.format(at=at, who=who, setting=setting, name=at.url.database, reason=reason)
    if cause in ("file", "disk", "connection", None):
        cause = _cause_on_disk(at.file) or cause
    text = SENTENCES["file"].get(cause or "", UNUSABLE)
    # A folder mounted into a container belongs to a user of its host, where ours has no name.
    user = f"user {os.geteuid()}" if hasattr(os, "geteuid") else "this user"
    return text.format(at=at, folder=at.file.parent, reason=reason, user=user)


def _cause_on_disk(file: Path) -> str | None:
    if not file.parent.is_dir():
        return "no folder"
    if file.is_dir():
        return "folder"
    if not is_writable(file):
        return "read-only"
    return "full" if shutil.disk_usage(file.parent).free < LEAST_FREE else None


def is_writable(file: Path) -> bool:
    """Return True if a file and its folder can be written."""
    effective = os.access in os.supports_effective_ids
    return all(
        os.access(one, os.W_OK, effective_ids=effective) for one in (file, file.parent) if one.exists()
    )


ERRORS = (SQLAlchemyError, sqlite3.Error, OSError)
"""Errors that databases and their drivers raise."""


SUFFIX = ".in-use"


class AlreadyInUse(Exception):
    """Raised if another process runs a bot on this database; its text says what to do."""


@contextmanager
def hold_file(address: str, setting: str = SETTING) -> Iterator[None]:
    """Hold a SQLite file alone.

    On a server, processes share it by their shards. The system frees the lock when the process ends, however
    that happens; reading the file needs none. `setting` is what names the file.

    Raises:
        AlreadyInUse: if another process holds it.
        DatabaseUnreachable: if nothing can be written beside the file.
    """
    at = DatabaseLabel.of(address, setting)
    if at.file is None:
        yield
        return
    path = f"{at.file}{SUFFIX}"
    try:
        # A file of its own: closing the database's own would give up the locks that SQLite holds on it.
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise describe_error(at, error) from error
    try:
        try:
            _take_lock(file)
        except OSError:
            raise AlreadyInUse(
                f"Another process runs the bot on {at.file} already, and a SQLite file belongs to one: "
                f"stop the other, or set {setting} to another file or to PostgreSQL."
            ) from None
        yield
    finally:
        os.close(file)


if sys.platform == "win32":
    import msvcrt

    def _take_lock(file: int) -> None:
        """Take the lock, which lasts until the file is closed. Raise OSError if another has it."""
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take_lock(file: int) -> None:
        """Take the lock, which lasts until the file is closed. Raise OSError if another has it."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
