"""Keeps a SQLite file to one bot: a second one is refused, however the first ends."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from db.connection.trouble import SETTING, DatabaseLabel, describe_error

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
        if not _take_lock(file):
            raise AlreadyInUse(
                f"Another process runs the bot on {at.file} already, and a SQLite file belongs to one: "
                f"stop the other, or set {setting} to another file or to PostgreSQL."
            )
        yield
    finally:
        os.close(file)


if sys.platform == "win32":
    import msvcrt

    def _take_lock(file: int) -> bool:
        """Take the lock, which lasts until the file is closed. Return True on success."""
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _take_lock(file: int) -> bool:
        """Take the lock, which lasts until the file is closed. Return True on success."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
