"""What one press has read of tables: several reads of a table within a press are one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from tables.core.change import Loaded


class Look:
    """The tables that were read within a press, each as it was then; after its end nothing is kept."""

    def __init__(self) -> None:
        self._tables: dict[int, Loaded] = {}
        self._over = False

    def get(self, table_id: int) -> Loaded | None:
        """A table that was read already."""
        return self._tables.get(table_id)

    def keep(self, loaded: Loaded) -> None:
        """Remember a table that was read, or written, unless the press is over."""
        if not self._over:
            self._tables[loaded.table.id] = loaded

    def invalidate(self, table_id: int | None = None) -> None:
        """Read a table, or all, once more."""
        if table_id is None:
            self._tables.clear()
        else:
            self._tables.pop(table_id, None)

    def end(self) -> None:
        """The press is over; tasks that it has begun go on without this."""
        self._over = True
        self.invalidate()


_current: ContextVar[Look | None] = ContextVar("look", default=None)


def current_look() -> Look:
    """That of the press that is carried out in this task; one that keeps nothing outside of a press."""
    look = _current.get()
    if look is None:
        look = Look()
        look.end()
    return look


@contextmanager
def one_look() -> Iterator[None]:
    """Read each table once meanwhile, where it would otherwise be read each time.

    What is decided is still decided on the newest version: a change of an older one is a conflict, after
    which the table is read again.
    """
    look = Look()
    token = _current.set(look)
    try:
        yield
    finally:
        look.end()
        _current.reset(token)
