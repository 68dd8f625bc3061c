"""Checks limits and blocks in the transaction that writes what depends on them."""

from collections.abc import Iterable, Sequence

import msgspec
from sqlalchemy import Connection, bindparam, func, select, text

from db import schema
from db.records.tables import Guard

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
        """Raise QuotaReached if enough cups are running."""
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
