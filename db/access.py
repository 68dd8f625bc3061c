"""Reads and writes for all subjects, with guards that check before they write."""

from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache, wraps
from types import UnionType
from typing import Any, Concatenate, ParamSpec, TypeVar, get_args

import msgspec
from sqlalchemy import Connection, Executable, Insert, RowMapping, Select, bindparam, func, select, text
from sqlalchemy.dialects import postgresql, sqlite

from db import schema
from db.connection.writer import Reader, UnreadableRow, UnreadableRows, Writer
from db.processes import Shards, Subject, notify
from db.records import Guard

A = TypeVar("A", bound="Access")
K = TypeVar("K")
P = ParamSpec("P")
R = TypeVar("R", bound=msgspec.Struct)
Value = TypeVar("Value")
KEYS, MOST_KEYS = ("day", "game", "kind", "target"), 3
"""The fields that tell rows apart, with those of numbers, and how many of them name one in the log."""


def write_transaction(
    write: Callable[Concatenate[A, Connection, P], Value],
) -> Callable[Concatenate[A, P], Coroutine[Any, Any, Value]]:
    """Make a method that queues its write.

    The caller waits until it is safely on disk. The one writer carries it out in the connection's thread,
    perhaps more than once: so it changes nothing else and takes no iterators.
    """

    @wraps(write)
    async def handed_in(self: A, /, *args: P.args, **named: P.kwargs) -> Value:
        result: Value = await self._writer.write(lambda connection: write(self, connection, *args, **named))
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
        rows = await self._rows(kind, query, **values)
        return rows[0] if rows else None

    async def _plain_rows(self, query: Executable, /, **values: Any) -> Sequence[Any]:
        """Return the rows of a query that no struct describes."""
        return await self._reader.read(lambda connection: connection.execute(query, values).all())

    async def _scalars(self, query: Executable, /, **values: Any) -> list[Any]:
        return [row[0] for row in await self._plain_rows(query, **values)]

    async def _counts(self, queries: Mapping[K, Executable]) -> dict[K, int]:
        def look(connection: Connection) -> dict[K, int]:
            return {name: int(connection.scalar(query)) for name, query in queries.items()}

        return await self._reader.read(look)

    async def _scalar(self, query: Executable, /, **values: Any) -> Any:
        return await self._reader.read(lambda connection: connection.scalar(query, values))

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
        result.append((field.name, (schema.Damaged, *(one for one in texts if one not in types))))
    return tuple(result)


def _name(kind: type[msgspec.Struct], row: RowMapping) -> str:
    """Return a row's name for the log: its kind and keys."""
    fields = kind.__struct_fields__
    keys = ["id"] if "id" in fields else [one for one in fields if one.endswith("_id") or one in KEYS]
    return " ".join(
        ["row", kind.__name__.removesuffix("Row").lower(), *(str(row[one]) for one in keys[:MOST_KEYS])]
    )


def upsert(connection: Connection, table: Any, values: dict[str, Any], key: tuple[str, ...]) -> None:
    changed = tuple(name for name in values if name not in key)
    connection.execute(on_conflict(connection.dialect.name, table, key, changed), [values])


@cache
def on_conflict(dialect: str, table: Any, key: tuple[str, ...], changed: tuple[str, ...]) -> Insert:
    """Build an upsert that updates some columns; built once."""
    statement = (postgresql if dialect == "postgresql" else sqlite).insert(table)
    new = {name: statement.excluded[name] for name in changed}
    merged: Insert = statement.on_conflict_do_update(index_elements=list(key), set_=new)
    return merged


NO_SERVER = 0
"""The server's number of a table that belongs to no server."""
OPEN = ("lobby", "play")
IMPORTED = '{"type":"imported"'
"""The beginning of an imported table's origin."""
_LOCK = text("SELECT pg_advisory_xact_lock(:number)")
T, S, G, C = schema.tables.c, schema.seats.c, schema.guilds.c, schema.cups.c
B = schema.blocks.c
_SEATED = (
    select(T.guild_id, func.count())
    .join(schema.seats, S.table_id == T.id)
    .where(S.user_id == bindparam("user"), T.phase.in_(OPEN), T.guild_id != NO_SERVER)
    .group_by(T.guild_id)
)
_OPEN = select(func.count()).where(T.guild_id == bindparam("guild"), T.phase.in_(OPEN))
_SETTINGS = select(G.most_tables, G.most_each).where(G.guild_id == bindparam("guild"))
_CUPS = select(func.count()).where(
    C.guild_id == bindparam("guild"), C.phase.in_(bindparam("phases", expanding=True))
)


class QuotaReached(Exception):
    """Raised if one more would exceed a limit.

    Attributes:
        what: things with a limit, such as tables.
        number: the limit.
        user_id: the person with that limit; None if it is a server's.
    """

    def __init__(self, what: str, number: int, user_id: int | None = None) -> None:
        super().__init__(f"{what}: {number}")
        self.what, self.number, self.user_id = what, number, user_id


class BlockedPair(Exception):
    """Raised if somebody would sit with a person, and one of them has blocked the other."""


class TableQuota(msgspec.Struct, frozen=True):
    """Limits the open tables of a server and of people; the server's limits are in its settings.

    Attributes:
        guild_id: the server.
        people: the people who take one more seat.
        opens: True if there is one more table.
        most: the open tables that one person can have in all servers.
    """

    guild_id: int
    people: tuple[int, ...] = ()
    opens: bool = False
    most: int = 20

    def locks(self) -> Sequence[int]:
        """Return the server and the people."""
        return (*self.people, *([self.guild_id] if self.opens else []))

    def check(self, connection: Connection) -> None:
        """Raise QuotaReached if the server is full, or somebody sits at too many tables."""
        row = connection.execute(_SETTINGS, {"guild": self.guild_id}).first()
        most_tables, most_each = (None, None) if row is None else row
        if self.opens and most_tables is not None:
            number = int(connection.execute(_OPEN, {"guild": self.guild_id}).scalar_one())
            if number >= most_tables:
                raise QuotaReached("tables of a server", int(most_tables))
        for user_id in self.people:
            seats = {guild: int(number) for guild, number in connection.execute(_SEATED, {"user": user_id})}
            everywhere, here = sum(seats.values()), seats.get(self.guild_id, 0)
            if everywhere >= self.most:
                raise QuotaReached("tables of a person", everywhere, user_id)
            if most_each is not None and here >= most_each:
                raise QuotaReached("tables of a person", here, user_id)


class ImportQuota(msgspec.Struct, frozen=True):
    """Limits the games imported since an instant, by one person and in a server."""

    guild_id: int
    user_id: int
    since: float
    most_each: int
    most: int

    def locks(self) -> Sequence[int]:
        """Return the server and the person."""
        return self.guild_id, self.user_id

    def check(self, connection: Connection) -> None:
        """Raise QuotaReached if the person, or the server, has imported enough."""
        lately = (T.created_at >= self.since, T.origin.is_not(None), T.origin.startswith(IMPORTED))
        of_one = select(func.count()).where(T.host_id == self.user_id, *lately)
        if int(connection.execute(of_one).scalar_one()) >= self.most_each:
            raise QuotaReached("imports of a person", self.most_each, self.user_id)
        here = select(func.count()).where(T.guild_id == self.guild_id, *lately)
        if int(connection.execute(here).scalar_one()) >= self.most:
            raise QuotaReached("imports of a server", self.most)


class CupQuota(msgspec.Struct, frozen=True):
    """Limits the running cups of a server."""

    guild_id: int
    phases: tuple[str, ...]
    most: int

    def locks(self) -> Sequence[int]:
        return (self.guild_id,)

    def check(self, connection: Connection) -> None:
        result = connection.execute(_CUPS, {"guild": self.guild_id, "phases": list(self.phases)})
        if int(result.scalar_one()) >= self.most:
            raise QuotaReached("cups of a server", self.most)


class NoBlocks(msgspec.Struct, frozen=True):
    """Requires that a person and those at a table haven't blocked each other."""

    user_id: int
    people: tuple[int, ...]

    def locks(self) -> Sequence[int]:
        """Return the person who comes."""
        return (self.user_id,)

    def check(self, connection: Connection) -> None:
        ours = (B.user_id == self.user_id) & B.blocked_id.in_(self.people)
        theirs = (B.blocked_id == self.user_id) & B.user_id.in_(self.people)
        if self.people and connection.execute(select(B.user_id).where(ours | theirs).limit(1)).first():
            raise BlockedPair


def require(connection: Connection, guards: Sequence[Guard]) -> None:
    """Raise QuotaReached or KeptApart unless every guard holds, also between processes.

    On a server it locks the people and servers until the transaction ends; SQLite has one writer.
    """
    lock(connection, [key for guard in guards for key in guard.locks()])
    for guard in guards:
        guard.check(connection)


def lock(connection: Connection, keys: Iterable[int]) -> None:
    """Lock people and servers until the transaction ends; only on a server."""
    if connection.dialect.name == "postgresql":
        for key in sorted(set(keys)):  # in one order everywhere, or two could wait for each other
            connection.execute(_LOCK, {"number": key})
