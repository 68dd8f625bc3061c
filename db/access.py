"""Reads and writes rows; the base class of every room of the store."""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from functools import cache, wraps
from types import UnionType
from typing import Any, Concatenate, ParamSpec, TypeVar, get_args

import msgspec
from sqlalchemy import Connection, Executable, Insert, RowMapping, Select
from sqlalchemy.dialects import postgresql, sqlite

from db.connection.reading import Reader, UnreadableRow, UnreadableRows
from db.connection.writer import Writer
from db.processes.notify import Subject, notify
from db.processes.shards import Shards
from db.schema import Damaged

A = TypeVar("A", bound="Access")
K = TypeVar("K")
P = ParamSpec("P")
R = TypeVar("R", bound=msgspec.Struct)
T = TypeVar("T")
KEYS, MOST_KEYS = ("day", "game", "kind", "target"), 3
"""The fields that tell rows apart, with those of numbers, and how many of them name one in the log."""


def write_transaction(
    write: Callable[Concatenate[A, Connection, P], T],
) -> Callable[Concatenate[A, P], Coroutine[Any, Any, T]]:
    """Make a method that queues its write.

    The caller waits until it is safely on disk. The one writer carries it out in the connection's thread,
    perhaps more than once: so it changes nothing else and takes no iterators.
    """

    @wraps(write)
    async def handed_in(self: A, /, *args: P.args, **named: P.kwargs) -> T:
        result: T = await self._writer.write(lambda connection: write(self, connection, *args, **named))
        return result

    return handed_in


class Access:
    """Reads rows as structs, and writes through the one writer."""

    def __init__(self, reader: Reader, writer: Writer, shards: Shards) -> None:
        self._reader = reader
        self._writer = writer
        self._shards = shards

    @property
    def unreadable(self) -> UnreadableRows:
        """Return the rows that this process has found and can't read."""
        return self._reader.unreadable

    async def _rows(self, kind: type[R], query: Select[Any], /, **values: Any) -> list[R]:
        """Return rows that are only of use together. Raise UnreadableRow for one."""

        def look(connection: Connection) -> list[R]:
            # All are read before one can fail, or the connection would stay at what it has read.
            rows = connection.execute(query, values).mappings().all()
            return [self._build(kind, row) for row in rows]

        return await self._reader.read(look)

    async def _readable_rows(self, kind: type[R], query: Select[Any], /, **values: Any) -> list[R]:
        """Return rows that stand alone, without unreadable ones."""

        def look(connection: Connection) -> list[R]:
            found = list[R]()
            for row in connection.execute(query, values).mappings().all():
                with suppress(UnreadableRow):
                    found.append(self._build(kind, row))
            return found

        return await self._reader.read(look)

    def _build(self, kind: type[R], row: RowMapping) -> R:
        """Build a row's struct. Raise UnreadableRow for a damaged value."""
        for field, wrong in _wrong_types(kind):
            if isinstance(row[field], wrong):
                error = UnreadableRow(_name(kind, row), f"{field} is {row[field]!r}")
                self.unreadable.note_failure(error)
                raise error
        if self.unreadable:
            self.unreadable.note_success(_name(kind, row))
        return kind(**{field: row[field] for field in kind.__struct_fields__})

    async def _row(self, kind: type[R], query: Select[Any], /, **values: Any) -> R | None:
        """Return the first row of a query that finds few."""
        rows = await self._rows(kind, query, **values)
        return rows[0] if rows else None

    async def _plain_rows(self, query: Executable, /, **values: Any) -> Sequence[Any]:
        """Return the rows of a query that no struct describes."""
        return await self._reader.read(lambda connection: connection.execute(query, values).all())

    async def _scalars(self, query: Executable) -> list[Any]:
        return [row[0] for row in await self._plain_rows(query)]

    async def _counts(self, queries: Mapping[K, Executable]) -> dict[K, int]:
        def look(connection: Connection) -> dict[K, int]:
            return {name: int(connection.scalar(query)) for name, query in queries.items()}

        return await self._reader.read(look)

    async def _scalar(self, query: Executable) -> Any:
        """Return the first column of the first row. None if there is no row."""
        return await self._reader.read(lambda connection: connection.scalar(query))

    @write_transaction
    def _execute(
        self, connection: Connection, statement: Executable, values: dict[str, Any] | None = None
    ) -> None:
        connection.execute(statement, values)

    def _tell(
        self,
        connection: Connection,
        subject: Subject,
        number: int = 0,
        guild_id: int = 0,
        seat: int | None = None,
    ) -> None:
        """Tell the other processes, if there are any, what this transaction writes."""
        note = self._shards.note(subject, number, guild_id, seat)
        if note:
            notify(connection, note)

    @write_transaction
    def _upsert(
        self, connection: Connection, table: Any, values: dict[str, Any], key: tuple[str, ...]
    ) -> None:
        upsert(connection, table, values, key)


@cache
def _wrong_types(kind: type[msgspec.Struct]) -> tuple[tuple[str, tuple[type, ...]], ...]:
    """Return types that show damage, by field: SQLite keeps any text anywhere."""
    texts = (str, bytes)
    result = []
    for field in msgspec.structs.fields(kind):
        types = get_args(field.type) if isinstance(field.type, UnionType) else (field.type,)
        result.append((field.name, (Damaged, *(one for one in texts if one not in types))))
    return tuple(result)


def _name(kind: type[msgspec.Struct], row: RowMapping) -> str:
    """Return a row's name for the log: its kind and keys."""
    fields = kind.__struct_fields__
    keys = ["id"] if "id" in fields else [one for one in fields if one.endswith("_id") or one in KEYS]
    return " ".join(
        ["row", kind.__name__.removesuffix("Row").lower(), *(str(row[one]) for one in keys[:MOST_KEYS])]
    )


def upsert(connection: Connection, table: Any, values: dict[str, Any], key: tuple[str, ...]) -> None:
    """Insert a row, or update the row with the same key."""
    changed = tuple(name for name in values if name not in key)
    connection.execute(on_conflict(connection.dialect.name, table, key, changed), [values])


@cache
def on_conflict(dialect: str, table: Any, key: tuple[str, ...], changed: tuple[str, ...]) -> Insert:
    """Build an upsert that updates some columns; built once."""
    statement = (postgresql if dialect == "postgresql" else sqlite).insert(table)
    new = {name: statement.excluded[name] for name in changed}
    merged: Insert = statement.on_conflict_do_update(index_elements=list(key), set_=new)
    return merged
