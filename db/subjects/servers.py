"""Servers, their administration, ownership and outages."""

from collections.abc import Callable, Mapping, Sequence

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from db import schema
from db.access import Access, on_conflict, upsert, write_transaction
from db.batch import record_audit_people
from db.records import (
    AuditRow,
    CupRow,
    DailyNoticeRow,
    DailyPostRow,
    NoteRow,
    OutageRow,
    OutboxRow,
    PersonRow,
    ServerSettings,
    TableRow,
    WishRow,
)
from db.subjects.personal import delete_studies_of

T, G, C = schema.tables.c, schema.guilds.c, schema.cups.c
OF_GUILDS = (
    schema.cups,
    schema.wishes,
    schema.waits,
    schema.ratings,
    schema.rated_games,
    schema.daily_posts,
    schema.daily_members,
    schema.daily_points,
    schema.daily_notices,
    schema.audit,
    schema.guilds,
)
"""Tables erased with a server; the removal itself is forgotten last."""


class Servers(Access):
    """Records which servers have removed the bot, and when."""

    async def known_servers(self) -> set[int]:
        """Return this process's servers that have any rows."""
        kept = (table.c.guild_id for table in (schema.tables, *OF_GUILDS))
        # What belongs to no server can't be removed by one.
        queries = (
            sa.select(column).distinct().where(column != 0, *self._shards.of(column)) for column in kept
        )
        return set(await self._scalars(sa.union(*queries)))

    async def removed_servers(self) -> dict[int, float]:
        """Return this process's servers that removed the bot, each with the time.

        Without a readable time nothing of a server is erased.
        """
        gone = (G.removed_at.is_not(None), *self._shards.of(G.guild_id))
        rows = await self._plain_rows(sa.select(G.guild_id, G.removed_at).where(*gone).order_by(G.guild_id))
        return {row.guild_id: row.removed_at for row in rows if isinstance(row.removed_at, float)}

    @write_transaction
    def note_removed(self, connection: sa.Connection, guild_id: int, at: float) -> list[int]:
        """Record that a server removed the bot.

        Nothing is due or posted there. Return the tables at which something was due. The caller pauses
        running games.
        """
        here = sa.select(T.id).where(T.guild_id == guild_id)
        waiting = (T.guild_id == guild_id, T.due_at.is_not(None))
        resting = (*waiting, sa.or_(T.phase == "lobby", T.paused_at.is_not(None)))
        row = ServerSettings(guild_id)
        values = {name: getattr(row, name) for name in ServerSettings.__struct_fields__} | {"removed_at": at}
        noting = on_conflict(connection.dialect.name, schema.guilds, ("guild_id",), ("removed_at",))
        connection.execute(noting, [values])
        ids = list(connection.execute(sa.select(T.id).where(*resting)).scalars())
        connection.execute(sa.update(schema.tables).where(*resting).values(due_at=None))
        connection.execute(sa.delete(schema.outbox).where(schema.outbox.c.table_id.in_(here)))
        return ids

    async def running_games(self, limit: int, after: int | None = None) -> list[int]:
        """Return running games of servers that removed the bot. Optionally those behind one."""
        gone = sa.select(G.guild_id).where(G.removed_at.is_not(None), *self._shards.of(G.guild_id))
        query = sa.select(T.id).where(T.guild_id.in_(gone), T.phase == "play", T.paused_at.is_(None))
        if after is not None:
            query = query.where(T.id > after)
        return await self._scalars(query.order_by(T.id).limit(limit))

    async def paused_games(self, guild_id: int) -> list[int]:
        """Return a server's paused games, whoever paused them."""
        here = (T.guild_id == guild_id, T.phase == "play", T.paused_at.is_not(None))
        return await self._scalars(sa.select(T.id).where(*here).order_by(T.id))

    @write_transaction
    def come_back(
        self, connection: sa.Connection, guild_id: int, now: float, lobby_lasts: float
    ) -> list[int]:
        """Forget a removal; give lobbies and cup rounds back their lost time.

        Return the tables that changed.
        """
        at = connection.scalar(sa.select(G.removed_at).where(G.guild_id == guild_id))
        if at is None:
            return []
        lobbies = (T.guild_id == guild_id, T.phase == "lobby")
        paused = (T.guild_id == guild_id, T.phase == "play", T.paused_at.is_not(None))
        stood = now - at
        ids = list(connection.execute(sa.select(T.id).where(*lobbies)).scalars())
        ids += connection.execute(sa.select(T.id).where(*paused)).scalars()
        since = T.touched_at + stood
        for change in (
            sa.update(schema.tables).where(*lobbies).values(touched_at=since, due_at=since + lobby_lasts),
            sa.update(schema.tables).where(*paused).values(due_at=now),
            sa.update(schema.cups)
            .where(C.guild_id == guild_id, C.phase == "play")
            .values(began_at=C.began_at + stood),
            sa.update(schema.guilds).where(G.guild_id == guild_id).values(removed_at=None),
        ):
            connection.execute(change)
        return ids

    @write_transaction
    def erase_tables(self, connection: sa.Connection, guild_id: int, limit: int) -> list[int]:
        """Erase some tables of a server with all that belongs to them.

        Return their numbers, and those of studies of their games.
        """
        some = sa.select(T.id).where(T.guild_id == guild_id).order_by(T.id).limit(limit)
        ids = list(connection.execute(some).scalars())
        connection.execute(sa.delete(schema.tables).where(T.id.in_(ids)))
        return [*ids, *delete_studies_of(connection, ids)]

    @write_transaction
    def erase_rest(self, connection: sa.Connection, guild_id: int) -> None:
        """Erase everything else of a server whose tables are erased."""
        for table in OF_GUILDS:
            connection.execute(sa.delete(table).where(table.c.guild_id == guild_id))


OTHERS: tuple[tuple[type[msgspec.Struct], sa.Table], ...] = (
    (ServerSettings, schema.guilds),
    (CupRow, schema.cups),
    (WishRow, schema.wishes),
    (OutageRow, schema.gaps),
    (OutboxRow, schema.outbox),
    (NoteRow, schema.notes),
    (DailyPostRow, schema.daily_posts),
    (DailyNoticeRow, schema.daily_notices),
)
"""Rows that nothing depends on, and that a look for unreadable ones reads whole."""


class Administration(Access):
    """Reads a server's tables through filters, and its audit log."""

    async def tables(
        self,
        guild_id: int,
        phases: Sequence[str],
        game: str | None,
        waiting_for: int | None,
        idle_since: float | None,
        skip: int,
        limit: int,
    ) -> list[TableRow]:
        """Return a server's tables in any of the phases, longest idle first.

        Optional filters: a `game`, a person's pending move (`waiting_for`), no activity since an instant
        (`idle_since`).
        """
        t = schema.tables.c
        wanted = [t.guild_id == guild_id, t.phase.in_(phases)]
        if game is not None:
            wanted.append(t.game == game)
        if waiting_for is not None:
            wanted.append(_owes(waiting_for))
        if idle_since is not None:
            wanted.append(t.touched_at <= idle_since)
        query = sa.select(schema.tables).where(*wanted).order_by(t.touched_at, t.id)
        return await self._readable_rows(TableRow, query.offset(skip).limit(limit))

    async def audit(
        self,
        guild_id: int,
        table_id: int | None = None,
        actor_id: int | None = None,
        skip: int = 0,
        limit: int = 50,
    ) -> list[AuditRow]:
        """Return a server's audit entries, newest first. Optionally of a table or a person."""
        a = schema.audit.c
        wanted = [a.guild_id == guild_id]
        if table_id is not None:
            wanted.append(a.table_id == table_id)
        if actor_id is not None:
            wanted.append(a.actor_id == actor_id)
        query = sa.select(schema.audit).where(*wanted).order_by(a.id.desc())
        return await self._readable_rows(AuditRow, query.offset(skip).limit(limit))

    async def table_ids(self, after: int, limit: int) -> list[int]:
        t = schema.tables.c
        return await self._scalars(sa.select(t.id).where(t.id > after).order_by(t.id).limit(limit))

    async def person_ids(self, after: int, limit: int) -> list[int]:
        """Return everybody with settings, some at a time."""
        p = schema.people.c
        return await self._scalars(
            sa.select(p.user_id).where(p.user_id > after).order_by(p.user_id).limit(limit)
        )

    async def read_others(self) -> None:
        """Read other rows that stand alone, so that `unreadable` knows them."""
        for kind, table in OTHERS:
            await self._readable_rows(kind, sa.select(table))

    @write_transaction
    def add_audit(self, connection: sa.Connection, row: AuditRow) -> int:
        added = sa.insert(schema.audit).values(msgspec.structs.asdict(row)).returning(schema.audit.c.id)
        number: int = connection.execute(added).scalar_one()
        record_audit_people(connection, number, row.detail)
        return number

    @write_transaction
    def change_audit(
        self, connection: sa.Connection, number: int, change: Callable[[AuditRow | None], AuditRow]
    ) -> None:
        """Change an audit entry as it is in the write. Raises what `change` raises; then nothing changes."""
        a = schema.audit.c
        mapping = connection.execute(sa.select(schema.audit).where(a.id == number)).mappings().first()
        fields = AuditRow.__struct_fields__
        row = change(None if mapping is None else AuditRow(**{field: mapping[field] for field in fields}))
        connection.execute(sa.update(schema.audit).where(a.id == number).values(msgspec.structs.asdict(row)))
        record_audit_people(connection, number, row.detail)


def _owes(user_id: int) -> sa.ColumnElement[bool]:
    """Return the condition that a person's seat owes a move. It is in the JSON list of a running table."""
    t, s = schema.tables.c, schema.seats.c
    owing = sa.literal(",") + sa.func.substr(t.owing, 2, sa.func.length(t.owing) - 2) + sa.literal(",")
    seat = sa.literal(",") + sa.cast(s.seat, sa.String) + sa.literal(",")
    # The sum keeps from the index of people: who has played for long has more seats than a table has.
    theirs = (s.table_id == t.id, s.user_id + 0 == user_id, owing.contains(seat))
    return (t.phase == "play") & sa.exists().where(*theirs)


APPLICATION = "application"
"""The fact with the id of the owning application."""


class ForeignDatabase(Exception):
    """Raised if the database is another application's, its `owner`; its text says what to do."""

    def __init__(self, told: str, owner: int) -> None:
        super().__init__(told)
        self.owner = owner


class Ownership(Access):
    """Keeps a database to the application that used it first."""

    async def require(self, application_id: int) -> None:
        """Refuse a foreign application; claim a database without an owner.

        Of several that claim it at once, one gets it. Raise OwnedByAnother if another owns it; nothing is
        changed then.
        """
        owner = await self.owner()
        if owner is None:
            owner = await self._claim(application_id)
        if owner != application_id:
            raise ForeignDatabase(
                f"DISCORD_TOKEN: is of application {application_id}, but the database (DATABASE_URL) is of "
                f"application {owner}, and nothing was done there. Set that bot's token or another "
                "database; to have this application go on with the database, run: python bot.py adopt",
                owner,
            )

    async def owner(self) -> int | None:
        entries = await self._scalars(
            sa.select(schema.facts.c.value).where(schema.facts.c.key == APPLICATION)
        )
        return int(entries[0]) if entries else None

    @write_transaction
    def _claim(self, connection: sa.Connection, application_id: int) -> int:
        f = schema.facts.c
        dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
        taking = dialect.insert(schema.facts).values(key=APPLICATION, value=str(application_id))
        connection.execute(taking.on_conflict_do_nothing())
        return int(connection.execute(sa.select(f.value).where(f.key == APPLICATION)).scalar_one())

    async def release(self) -> int | None:
        """Free the database for the next application; return the old owner."""
        owner = await self.owner()
        await self._execute(sa.delete(schema.facts).where(schema.facts.c.key == APPLICATION))
        return owner


class Downtime(Access):
    """Reads and writes outages, and the heartbeat of each shard."""

    async def gaps(self) -> list[OutageRow]:
        g = schema.gaps.c
        return await self._readable_rows(OutageRow, sa.select(schema.gaps).order_by(g.begin, g.end, g.shard))

    async def heard(self, prefix: str) -> dict[str, str]:
        f = schema.facts.c
        query = sa.select(f.key, f.value).where(f.key.startswith(prefix, autoescape=True))
        return {row.key: row.value for row in await self._plain_rows(query)}

    @write_transaction
    def note(
        self, connection: sa.Connection, facts: Mapping[str, str], gaps: Sequence[OutageRow] = ()
    ) -> None:
        """Save heartbeats, and the outages that they end; each outage once."""
        for gap in gaps:
            upsert(connection, schema.gaps, msgspec.structs.asdict(gap), ("begin", "shard", "count"))
        statement = on_conflict(connection.dialect.name, schema.facts, ("key",), ("value",))
        connection.execute(statement, [{"key": k, "value": v} for k, v in sorted(facts.items())])
        if gaps:
            self._tell(connection, "gaps")

    @write_transaction
    def hasten(self, connection: sa.Connection, until: float, now: float, facts: Mapping[str, str]) -> None:
        """Make posts due that were due before an instant or have failed. Save some facts."""
        o = schema.outbox.c
        waiting = (o.due_at > now, sa.or_(o.due_at <= until, o.attempts > 0), *self._shards.of(o.guild_id))
        connection.execute(sa.update(schema.outbox).where(*waiting).values(due_at=now))
        for key, value in sorted(facts.items()):
            upsert(connection, schema.facts, {"key": key, "value": value}, ("key",))

    @write_transaction
    def take_back_future(self, connection: sa.Connection, now: float, due_at: float) -> int:
        """Delete outages that end after an instant, and return their number.

        If there are any, running games become due at `due_at`, and rounds of cups that begin later, now.
        """
        taken = connection.execute(sa.delete(schema.gaps).where(schema.gaps.c.end > now)).rowcount
        if taken:
            t, c = schema.tables.c, schema.cups.c
            later = (t.phase == "play", t.due_at > now, *self._shards.of(t.guild_id))
            connection.execute(sa.update(schema.tables).where(*later).values(due_at=due_at))
            ahead = (c.began_at > now, *self._shards.of(c.guild_id))
            connection.execute(sa.update(schema.cups).where(*ahead).values(began_at=now))
            self._tell(connection, "gaps")
        return taken

    @write_transaction
    def call_together(self, connection: sa.Connection, now: float, fact: tuple[str, str]) -> None:
        """Make the digest due of everybody who plays here. A fact makes that happen once."""
        t, s = schema.tables.c, schema.seats.c
        playing = (
            sa.select(s.user_id)
            .join(schema.tables, t.id == s.table_id)
            .where(t.phase == "play", s.user_id.is_not(None), *self._shards.of(t.guild_id))
            .distinct()
            .order_by(s.user_id)
        )
        ids = connection.execute(playing).scalars()
        rows = [msgspec.structs.asdict(PersonRow(user_id, digest_at=now)) for user_id in ids]
        if rows:
            statement = on_conflict(connection.dialect.name, schema.people, ("user_id",), ("digest_at",))
            connection.execute(statement, rows)
            self._tell(connection, "person")
        upsert(connection, schema.facts, dict(zip(("key", "value"), fact, strict=True)), ("key",))
