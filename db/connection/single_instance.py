"""A SQLite file belongs to one bot: a second one on it is refused, whatever becomes of the first."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from db.connection.trouble import SETTING, Named, unreachable

SUFFIX = ".in-use"


class AlreadyInUse(Exception):
    """Another process has a bot on this database; its text says what to do."""


@contextmanager
def sole_use(address: str, setting: str = SETTING) -> Iterator[None]:
    """Be the only bot on a SQLite file meanwhile; on a server, processes share by their shards.

    The system takes the lock back when the process ends, however it ends; what only looks at the file
    needs none. `setting` is what names the file.

    Raises:
        AlreadyInUse: when another process is.
        DatabaseUnreachable: when nothing can be written beside the file.
    """
    at = Named.of(address, setting)
    if at.file is None:
        yield
        return
    path = f"{at.file}{SUFFIX}"
    try:
        # A file of its own: closing the database's own would give up the locks that SQLite holds on it.
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise unreachable(at, error) from error
    try:
        if not _locked(file):
            raise AlreadyInUse(
                f"Another process runs the bot on {at.file} already, and a SQLite file belongs to one: "
                f"stop the other, or set {setting} to another file or to PostgreSQL."
            )
        yield
    finally:
        os.close(file)


if sys.platform == "win32":
    import msvcrt

    def _locked(file: int) -> bool:
        """Whether the lock could be taken; it lasts until the file is closed."""
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _locked(file: int) -> bool:
        """Whether the lock could be taken; it lasts until the file is closed."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
