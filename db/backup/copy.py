"""Copies a whole database while the bot runs; verifies and restores copies."""

import asyncio
import errno
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from sqlalchemy.engine import URL

from db.condition import Condition, Use, inspect_database, read_only_uri, refusal, require_usable
from db.connection import trouble
from db.connection.opening import tool_environment

SIDE_FILES = ("-wal", "-shm")
"""Suffixes of the files that SQLite keeps beside an open database."""
OVERWRITES = (
    "{what} already, and you'd lose its contents. Back it up first if you need it; "
    "--force replaces it by the copy."
)
ALL_PAGES = -1
"""SQLite's word for copying in one step, so that the copy is of one moment."""
SQLITE, POSTGRES = b"SQLite format 3\0", b"PGDMP"
"""The first bytes of a copy."""
READING = {sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ}
T = TypeVar("T")


class BadCopy(Exception):
    """Raised if a database can't be copied or restored; its text says why and what to do."""


def _run_coroutine(asked: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, with or without a running loop."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, asked).result()


def backup(address: str, path: Path, setting: str = trouble.SETTING) -> None:
    """Copy the database of a URL to a file as it is at one moment, even while in use.

    The file has another name until it is complete, so nobody takes half a copy for a whole one. `setting` is
    what names the database.

    Raises:
        BadCopy: if the file exists, it can't be written, or the database's own tool is missing.
        DatabaseUnreachable: if there is no database of the bot's, or it can't be read.
    """
    at = trouble.DatabaseLabel.of(address, setting)
    if path.exists():
        raise BadCopy(f"{path} already exists. Name another file, or remove it.")
    if not path.parent.is_dir():
        raise BadCopy(f"There's no folder {path.parent} for the copy.")
    if not trouble.is_writable(path):
        raise BadCopy(_not_written(path, "read-only", "it is read-only"))
    _run_coroutine(require_usable(at, Use.READ))
    part = path.with_name(f"{path.name}.part")
    try:
        if at.file is not None:
            _copy_sqlite(at, at.file, part, path)
        else:
            _dump(at, part, path)
        verify(address, part)
        part.replace(path)
    finally:
        for end in ("", *SIDE_FILES):
            part.with_name(part.name + end).unlink(missing_ok=True)


def _label_for_file(path: Path) -> trouble.DatabaseLabel:
    return trouble.DatabaseLabel(URL.create("sqlite", database=str(path)), "")


def _not_written(path: Path, cause: str | None, reason: str) -> str:
    return f"The copy {trouble.sentence(_label_for_file(path), cause, reason)}"


def verify(address: str, path: Path) -> None:
    """Check that a file can be restored into a database. Raise BadCopy if it isn't."""
    if not path.is_file():
        raise BadCopy(f"There is no file {path}.")
    at = trouble.DatabaseLabel.of(address)
    try:
        with path.open("rb") as file:
            begins = file.read(len(SQLITE))
    except OSError as error:
        raise BadCopy(f"{path} can't be read: {error.strerror}. Let this user read it.") from None
    if begins.startswith(SQLITE) and at.file is None:
        raise BadCopy(
            f"{path} is a copy of a SQLite database, but yours is PostgreSQL: move it "
            f"over with `python bot.py copy sqlite:///{path} URL`."
        )
    if begins.startswith(POSTGRES) and at.file is not None:
        raise BadCopy(
            f"{path} is a copy of a PostgreSQL database, but yours is a SQLite "
            "file: set DATABASE_URL to PostgreSQL."
        )
    if not begins.startswith((SQLITE, POSTGRES)):
        raise BadCopy(f"{path} isn't a copy from `python bot.py backup`, or it is damaged: name another one.")
    if at.file is not None:
        _verify_file(path)
        return
    try:
        # It reads all of the copy; what it writes is for nobody.
        _run(at, ["pg_restore", f"--file={os.devnull}", str(path)], connected=False)
    except trouble.ToolFailed as failed:
        raise BadCopy(f"{path} is damaged: name another copy ({failed}).") from None


def _verify_file(path: Path) -> None:
    copy = _label_for_file(path)
    try:
        status = _run_coroutine(inspect_database(copy))
        with closing(_read_only(path)) as reading:
            text = str(reading.execute("pragma integrity_check").fetchone()[0])
    except (trouble.DatabaseUnreachable, sqlite3.Error) as error:
        reason = str(error.__cause__ or error).splitlines()[0]
        raise BadCopy(f"{path} is damaged: name another copy ({reason}).") from None
    if status.condition is Condition.DAMAGED or text != "ok":
        raise BadCopy(f"{path} is damaged: name another copy ({status.damage or text.splitlines()[0]}).")
    if status.condition is Condition.EMPTY:
        raise BadCopy(f"{path} is empty: name another copy.")
    refused = refusal(copy, status, Use.READ)
    if refused is not None:
        raise BadCopy(str(refused))


def restore(address: str, path: Path, *, force: bool = False, setting: str = trouble.SETTING) -> None:
    """Replace the database of a URL by a copy.

    The bot must not run.

    Raises:
        BadCopy: if the copy is bad, somebody is connected to that server's database, or a database exists
            and `force` isn't set.
        AlreadyInUse: if a bot runs on that SQLite file.
        DatabaseUnreachable: if it can't be written.
    """
    verify(address, path)
    at = trouble.DatabaseLabel.of(address, setting)
    if at.file is not None:
        with trouble.hold_file(address, setting):
            _put_back(at, at.file, path, force=force)
        return
    _require_server(at, force=force)
    try:
        _put_back_on_server(at, path, force=force)
    except trouble.ToolFailed as failed:
        raise trouble.describe_tool_failure(at, failed) from None


def _put_back_on_server(at: trouble.DatabaseLabel, path: Path, *, force: bool) -> None:
    if _count(at, "pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"):
        raise BadCopy("Something is connected to that database. Stop the bot and anything else that uses it.")
    if _count(at, "pg_tables where schemaname = 'public'") and not force:
        raise BadCopy(OVERWRITES.format(what="That database has tables"))
    _run(at, ["pg_restore", "--clean", "--if-exists", "--no-owner", "--single-transaction", str(path)])


def _require_server(at: trouble.DatabaseLabel, *, force: bool) -> None:
    """Raise DatabaseUnreachable for a server's database that can't be written; it may be damaged."""
    try:
        _run_coroutine(require_usable(at, Use.OVERWRITE))
    except trouble.DatabaseUnreachable as reason:
        if reason.cause == "damaged" and force:
            return
        raise


def _count(at: trouble.DatabaseLabel, what: str) -> int:
    query = f"--command=select count(*) from {what}"  # noqa: S608  # our own words
    return int(_run(at, ["psql", "--no-align", "--tuples-only", query]) or 0)


def _put_back(at: trouble.DatabaseLabel, target: Path, copy: Path, *, force: bool) -> None:
    if target.is_dir():
        raise trouble.DatabaseUnreachable(trouble.sentence(at, "file", "it is a folder"))
    if target.exists() and not force:
        raise BadCopy(OVERWRITES.format(what=f"{target} is there"))
    part = target.with_name(f"{target.name}.part")
    try:
        if not trouble.is_writable(target):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        shutil.copyfile(copy, part)
        for end in SIDE_FILES:
            target.with_name(target.name + end).unlink(missing_ok=True)
        part.replace(target)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise trouble.describe_error(at, error) from error


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)


def _copy_sqlite(at: trouble.DatabaseLabel, source: Path, part: Path, path: Path) -> None:
    try:
        with closing(_readable(source)) as old, closing(sqlite3.connect(part)) as new:
            # In several steps it would begin again whenever somebody writes between two of them. One step
            # keeps nobody from writing either: that goes to the WAL, which grows by it.
            old.backup(new, pages=ALL_PAGES)
            new.execute("pragma journal_mode = delete")  # so that a look at the copy leaves nothing beside it
    except sqlite3.Error as error:
        cause = trouble.cause_of_trouble(error)
        if cause in ("damaged", "locked") or error.sqlite_errorcode in READING:
            raise trouble.describe_error(at, error) from None
        raise BadCopy(_not_written(path, cause, str(error))) from None


def _readable(source: Path) -> sqlite3.Connection:
    """Open a SQLite file for reading, from a read-only disk too."""
    reading = _read_only(source)
    try:
        reading.execute("pragma schema_version")
    except sqlite3.OperationalError:  # what is to be made beside it can't be
        reading.close()
        return sqlite3.connect(read_only_uri(source), uri=True)
    return reading


def _dump(at: trouble.DatabaseLabel, part: Path, path: Path) -> None:
    try:
        _run(at, ["pg_dump", "--format=custom", f"--file={part}"])
    except trouble.ToolFailed as failed:
        if failed.served:
            raise trouble.describe_tool_failure(at, failed) from None
        raise BadCopy(_not_written(path, failed.cause, str(failed))) from None


def _run(at: trouble.DatabaseLabel, command: Sequence[str], *, connected: bool = True) -> str:
    """Run one of PostgreSQL's own tools.

    The password is in no command line.

    Raises:
        ToolFailed: with its output.
        BadCopy: if it isn't installed.
    """
    tool = shutil.which(command[0])
    if tool is None:
        raise BadCopy(f"{command[0]} is missing. It comes with PostgreSQL's client programs.")
    given = tool_environment(at.url)
    where = ["--dbname", given["PGDATABASE"]] if connected and command[0] == "pg_restore" else []
    done = subprocess.run(  # noqa: S603  # one of PostgreSQL's tools, with our own arguments and no shell
        [tool, *command[1:-1], *where, command[-1]] if where else [tool, *command[1:]],
        env={**os.environ, **given},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise trouble.ToolFailed(command[0], done.stderr)
    return done.stdout.strip()
