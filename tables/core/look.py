"""A cache for one press: several reads of a table are one."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from tables.core.change import TableState


class RequestCache:
    """Tables read within a press; empty after its end."""

    def __init__(self) -> None:
        self._tables: dict[int, TableState] = {}
        self._over = False

    def get(self, table_id: int) -> TableState | None:
        return self._tables.get(table_id)

    def keep(self, loaded: TableState) -> None:
        """Remember a table that was read or written, unless the press is over."""
        if not self._over:
            self._tables[loaded.table.id] = loaded

    def invalidate(self, table_id: int | None = None) -> None:
        """Read a table, or all, once more."""
        if table_id is None:
            self._tables.clear()
        else:
            self._tables.pop(table_id, None)

    def end(self) -> None:
        """End the press. Tasks that it has started go on without the cache."""
        self._over = True
        self.invalidate()


_current: ContextVar[RequestCache | None] = ContextVar("look", default=None)


def current_cache() -> RequestCache:
    """Return the cache of this task's press. Outside of a press, one that keeps nothing."""
    look = _current.get()
    if look is None:
        look = RequestCache()
        look.end()
    return look


@contextmanager
def request_cache() -> Iterator[None]:
    """Read each table once inside, instead of each time.

    Decisions still see the newest version: a change of an older one is a conflict, after which the table is
    read again.
    """
    look = RequestCache()
    token = _current.set(look)
    try:
        yield
    finally:
        look.end()
        _current.reset(token)
