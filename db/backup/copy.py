"""Copies of a whole database: made while the bot runs, verified, and put back."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from sqlalchemy.engine import URL, make_url

from db.connection.single_instance import sole_use
from db.migrate import revisions

BESIDE = ("-wal", "-shm")
"""What SQLite makes beside a file while it is open."""
OVERWRITES = (
    "{what} already, and all that is in it would be lost. Back it up first if you may want it again; "
    "--force puts the copy in its place."
)
ALL_PAGES = -1
"""SQLite's word for copying a file in one step, which reads it as it is at one moment."""


class BadCopy(Exception):
    """A database can't be copied, or a copy can't be put back; its text says why and what to do."""


def backup(address: str, path: Path) -> None:
    """Copy the database of a URL to a file as it is at one moment, whoever is using it meanwhile.

    The file is written under another name first, so that a copy that was begun is never taken for whole.

    Raises:
        BadCopy: when there is a file already, no database, or its own tool for that is missing.
    """
    url = make_url(address)
    if path.exists():
        raise BadCopy(f"{path} is there already. Name another file, or remove it.")
    if not path.parent.is_dir():
        raise BadCopy(f"There is no folder {path.parent} to write the copy to.")
    part = path.with_name(f"{path.name}.part")
    try:
        if url.get_backend_name() == "sqlite":
            _copy_sqlite(_file(url), part)
        else:
            _run(url, ["pg_dump", "--format=custom", f"--file={part}"])
        verify(address, part)
        part.replace(path)
    finally:
        for end in ("", *BESIDE):
            part.with_name(part.name + end).unlink(missing_ok=True)


def verify(address: str, path: Path) -> None:
    """Look whether a file is a whole copy that this version of the bot can put back into that database.

    Raises:
        BadCopy: when it isn't.
    """
    if not path.is_file():
        raise BadCopy(f"There is no file {path}.")
    url = make_url(address)
    if url.get_backend_name() != "sqlite":
        _run(url, ["pg_restore", "--list", str(path)], connected=False)
        return
    try:
        with closing(_read_only(path)) as copy:
            lines = [str(row[0]) for row in copy.execute("pragma integrity_check")]
            revision = copy.execute("select version_num from alembic_version").fetchone()
    except sqlite3.Error as error:
        raise BadCopy(f"{path} is no database of the bot: {error}.") from None
    if lines != ["ok"]:
        raise BadCopy(f"{path} is damaged: {lines[0]}.")
    if revision is None or revision[0] not in revisions():
        raise BadCopy(f"{path} was written by a newer version of the bot. Start that version.")


def restore(address: str, path: Path, *, force: bool = False) -> None:
    """Put a copy in the place of the database of a URL; the bot must not run.

    Raises:
        BadCopy: when the copy is none, somebody is connected to that server's database, or there is a
            database already and `force` isn't set.
        AlreadyInUse: when a bot runs on that SQLite file.
    """
    verify(address, path)
    url = make_url(address)
    if url.get_backend_name() == "sqlite":
        with sole_use(address):
            _put_back(_file(url), path, force=force)
        return
    if _count(url, "pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"):
        raise BadCopy("Something is connected to that database. Stop the bot, and whatever else uses it.")
    if _count(url, "pg_tables where schemaname = 'public'") and not force:
        raise BadCopy(OVERWRITES.format(what="That database has tables"))
    _run(url, ["pg_restore", "--clean", "--if-exists", "--no-owner", "--single-transaction", str(path)])


def _count(url: URL, what: str) -> int:
    """How many rows there are of something in a PostgreSQL database."""
    query = f"--command=select count(*) from {what}"  # noqa: S608  # our own words
    return int(_run(url, ["psql", "--no-align", "--tuples-only", query]) or 0)


def _put_back(target: Path, copy: Path, *, force: bool) -> None:
    if target.exists() and not force:
        raise BadCopy(OVERWRITES.format(what=f"{target} is there"))
    part = target.with_name(f"{target.name}.part")
    shutil.copyfile(copy, part)
    for end in BESIDE:
        target.with_name(target.name + end).unlink(missing_ok=True)
    part.replace(target)


def _file(url: URL) -> Path:
    return Path(url.database or "")


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)


def _copy_sqlite(source: Path, target: Path) -> None:
    if not source.is_file():
        raise BadCopy(f"There is no database {source}.")
    try:
        with closing(_read_only(source)) as old, closing(sqlite3.connect(target)) as new:
            # In several steps it would begin anew whenever somebody writes between two of them. One step
            # keeps nobody from writing either: that goes to the WAL, which grows by it meanwhile.
            old.backup(new, pages=ALL_PAGES)
            new.execute("pragma journal_mode = delete")  # so that a look at the copy leaves nothing beside it
    except sqlite3.Error as error:
        raise BadCopy(f"{source} can't be copied: {error}.") from None


def _run(url: URL, command: Sequence[str], *, connected: bool = True) -> str:
    """Run one of PostgreSQL's own tools; the password is in no command line, which others could read."""
    tool = shutil.which(command[0])
    if tool is None:
        raise BadCopy(f"{command[0]} is missing. It comes with PostgreSQL's client programs.")
    known = {
        "PGHOST": url.host or url.query.get("host"),
        "PGPORT": None if url.port is None else str(url.port),
        "PGUSER": url.username,
        "PGPASSWORD": url.password,
        "PGDATABASE": url.database,
        "PGSSLMODE": url.query.get("ssl"),
    }
    given = {name: str(value) for name, value in known.items() if value}
    where = ["--dbname", given["PGDATABASE"]] if connected and command[0] == "pg_restore" else []
    done = subprocess.run(  # noqa: S603  # one of PostgreSQL's tools, with our own arguments and no shell
        [tool, *command[1:-1], *where, command[-1]] if where else [tool, *command[1:]],
        env={**os.environ, **given},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BadCopy(f"{command[0]} failed: {(done.stderr.strip().splitlines() or ['?'])[-1]}")
    return done.stdout.strip()
