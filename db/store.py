"""The one Store that speaks SQL: reads by subject, and writes through one writer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, delete, or_, select, tuple_, update
from sqlalchemy import func as sql
from sqlalchemy.ext.asyncio import AsyncEngine

from db import schema, statements
from db.access import Access, on_conflict, upsert, writing
from db.batch import Conflict, add_table, apply_jobs, merged, write_entries
from db.condition import require_opened, require_usable
from db.connection.availability import Availability
from db.connection.opening import POOL, TIMEOUT, connections, patient_engine
from db.connection.reading import Connections, Reader
from db.connection.trouble import ERRORS, SETTING, Named, unavailable_now, unreachable
from db.connection.writer import Writer
from db.guards import NO_SERVER, lock, require
from db.migrate import migrate
from db.processes.notify import tell
from db.processes.shards import Shards
from db.records import (
    ActionRow,
    Change,
    DraftRow,
    Guard,
    GuildRow,
    NoteRow,
    OutboxRow,
    PersonRow,
    PostRow,
    Retimed,
    SeatRow,
    TableRow,
    TraceRow,
    TurnRow,
)
from db.subjects.administration import Administration
from db.subjects.cups import Cups
from db.subjects.daily import Daily
from db.subjects.downtime import Downtime
from db.subjects.erasure import Erasure
from db.subjects.hints import HintRows
from db.subjects.lessons import LessonRows
from db.subjects.ownership import Ownership
from db.subjects.personal import Personal
from db.subjects.relations import Relations
from db.subjects.servers import Servers
from db.subjects.standings import Standings

TAUGHT = '{"type":"taught"'
"""So begins the origin of a table that was made of the file of a finished game."""
OF_A_SERVER = schema.tables.c.guild_id != NO_SERVER
BOARD = ("board_channel_id", "board_message_id")
SETTINGS = set(GuildRow.__struct_fields__) - {"guild_id", "asked_at", "removed_at", *BOARD}
"""The columns of a server that its administrators set."""


class Store(Access):
    """Every read and write of the database. Open one with `await Store.open(url)`.

    Whatever it is asked, it raises DatabaseUnavailable when the database can't be used for now.
    """

    def __init__(self, reading: Connections, writing: AsyncEngine, at: Named) -> None:
        """`at` is how the log names the database where something is the matter with it."""
        reach = Availability(sentence=partial(unavailable_now, at))
        reader = Reader(reading, reach)
        shards = Shards()
        super().__init__(reader, Writer(writing, apply_jobs, reach), shards)
        self._write_engine = writing
        self.relations = Relations(reader, self._writer, self._shards)
        self.hints = HintRows(reader, self._writer, self._shards)
        self.lessons = LessonRows(reader, self._writer, self._shards)
        self.cups = Cups(reader, self._writer, self._shards)
        self.daily = Daily(reader, self._writer, self._shards)
        self.standings = Standings(reader, self._writer, self._shards)
        self.personal = Personal(reader, self._writer, self._shards)
        self.erasure = Erasure(reader, self._writer, self._shards)
        self.servers = Servers(reader, self._writer, self._shards)
        self.ownership = Ownership(reader, self._writer, self._shards)
        self.downtime = Downtime(reader, self._writer, self._shards)
        self.administration = Administration(reader, self._writer, self._shards)

    @property
    def shards(self) -> Shards:
        """Which servers this process acts for; what is due is asked for these alone."""
        return self._shards

    @classmethod
    async def open(
        cls, url: str, pool: int = POOL, patience: float = TIMEOUT, setting: str = SETTING
    ) -> Store:
        """Connect, and bring the schema up to date.

        On a server it holds `pool` connections at most, and no statement takes longer than `patience`
        seconds. `setting` is what names the database, for those who read what is the matter with it.

        Raises:
            ValueError: when the URL names no database that we know.
            DatabaseTooNew: when a newer version wrote the database.
            DatabaseUnreachable: when it can't be opened, is damaged, or holds something else.
        """
        at = Named.of(url, setting)
        # Asked before anything else connects: a connection to a file that fails leaves a thread behind, and
        # one that doesn't changes the file.
        await require_usable(at)
        readers, writer = connections(at.url, pool, patience)
        migrating = patient_engine(at.url)
        try:
            require_opened(at)
            await migrate(migrating, at)
        except BaseException as error:
            await writer.dispose()
            await readers.dispose()
            if isinstance(error, ERRORS):
                raise unreachable(at, error) from error
            raise
        finally:
            await migrating.dispose()
        return cls(readers, writer, at)

    async def counts(self) -> dict[str, int]:
        """How many rows there are of what those want to know who run the bot."""
        found = {f"tables, {phase}": number for phase, number in (await self.phases()).items()}
        names = ("actions", "snapshots", "outbox", "people", "guilds")
        rows = {name: select(sql.count()).select_from(schema.metadata.tables[name]) for name in names}
        return found | await self._counts(rows)

    async def phases(self) -> dict[str, int]:
        """How many tables there are in each phase; it takes longer the more there are."""
        t = schema.tables.c
        rows = await self._plain_rows(select(t.phase, sql.count()).group_by(t.phase))
        return {phase: int(number) for phase, number in sorted(rows)}

    async def outbox_depth(self) -> tuple[int, float | None]:
        """How many rows wait to be shown, and when the first of them is or was due."""
        query = select(sql.count(), sql.min(schema.outbox.c.due_at)).where(
            *self._shards.of(schema.outbox.c.guild_id)
        )
        ((rows, oldest),) = await self._plain_rows(query)
        return int(rows), None if oldest is None else float(oldest)

    async def close(self) -> None:
        """Finish what waits to be written, then let go of the database."""
        await self._writer.close()
        await self._write_engine.dispose()
        await self._reader.dispose()

    async def table(self, table_id: int) -> TableRow | None:
        """One table by its number."""
        return await self._row(TableRow, statements.TABLE, table_id=table_id)

    async def _tables(self, *where: ColumnElement[bool], limit: int | None = 100) -> list[TableRow]:
        query = select(schema.tables).where(*where).order_by(schema.tables.c.touched_at.desc()).limit(limit)
        return await self._rows(TableRow, query)

    async def tables_in(self, guild_id: int, phases: Sequence[str], limit: int = 100) -> list[TableRow]:
        """A server's tables in any of the phases, the last touched first."""
        t = schema.tables.c
        return await self._tables(t.guild_id == guild_id, t.phase.in_(phases), limit=limit)

    async def check_guards(self, guards: Sequence[Guard]) -> None:
        """Raise QuotaReached if there may be no more just now; who writes it counts again."""

        def look(connection: Connection) -> None:
            for guard in guards:
                guard.check(connection)

        await self._reader.read(look)

    async def tables_at(self, place_id: int, phases: Sequence[str]) -> list[TableRow]:
        """The tables of a thread, or those that live in a channel itself, the last touched first."""
        t = schema.tables.c
        here = (t.thread_id == place_id) | ((t.channel_id == place_id) & t.thread_id.is_(None))
        return await self._tables(here, t.phase.in_(phases))

    async def tables_of(self, user_id: int, phases: Sequence[str], limit: int | None = 100) -> list[TableRow]:
        """The tables of servers at which a person sits, the last touched first; without `limit` all."""
        t = schema.tables.c
        mine = select(schema.seats.c.table_id).where(schema.seats.c.user_id == user_id)
        return await self._tables(t.id.in_(mine), t.phase.in_(phases), OF_A_SERVER, limit=limit)

    async def lessons_of(self, user_id: int, phases: Sequence[str], limit: int = 20) -> list[TableRow]:
        """Return the lessons in any of the phases that a person has begun alone, the last touched first."""
        t = schema.tables.c
        mine = (t.host_id == user_id, t.guild_id == NO_SERVER, t.origin.startswith(TAUGHT))
        return await self._tables(*mine, t.phase.in_(phases), limit=limit)

    async def tables_lately(self, user_id: int, open_in: Sequence[str], since: float) -> list[TableRow]:
        """A person's tables in servers: first those in some phases, then what was touched lately."""
        t = schema.tables.c
        mine = select(schema.seats.c.table_id).where(schema.seats.c.user_id == user_id)
        is_open = t.phase.in_(open_in)
        query = (
            select(schema.tables)
            .where(t.id.in_(mine), is_open | (t.touched_at > since), OF_A_SERVER)
            .order_by(is_open.desc(), t.touched_at.desc())
            .limit(200)
        )
        return await self._rows(TableRow, query)

    async def turns_of(self, user_id: int) -> list[TurnRow]:
        """The games of servers that are going on at which a person sits, and on which seat."""
        t, s = schema.tables.c, schema.seats.c
        query = (
            select(t.id, t.guild_id, t.game, t.version, t.owing, t.clocks, t.pace, t.paused_at, s.seat)
            .join(schema.seats, t.id == s.table_id)
            .where(s.user_id == user_id, t.phase == "play", OF_A_SERVER)
            .order_by(t.id)
        )
        return await self._rows(TurnRow, query)

    async def tables_due(self) -> list[int]:
        """The numbers of the tables at which a computer player owes a move that this process makes."""
        t = schema.tables.c
        query = select(t.id).where(t.computer_due, *self._shards.of(t.guild_id))
        return await self._scalars(query)

    async def threads_of(self, guild_id: int, phases: Sequence[str]) -> list[int]:
        """The threads in which a server's tables of those phases live."""
        t = schema.tables.c
        query = select(t.thread_id).where(
            t.guild_id == guild_id, t.phase.in_(phases), t.thread_id.is_not(None)
        )
        return await self._scalars(query)

    async def tables_by(self, table_ids: Sequence[int], phases: Sequence[str]) -> list[TableRow]:
        """Those of some tables that are in any of the phases, the last touched first."""
        t = schema.tables.c
        return await self._tables(t.id.in_(table_ids), t.phase.in_(phases))

    async def seats(self, table_id: int) -> list[SeatRow]:
        """Who sits at a table, in seat order."""
        return await self._rows(SeatRow, statements.SEATS, table_id=table_id)

    async def seats_of(self, table_ids: Sequence[int]) -> dict[int, list[SeatRow]]:
        """Who sits at each of several tables, in seat order; at most one query, however many there are."""
        if not table_ids:
            return {}
        s = schema.seats.c
        query = select(schema.seats).where(s.table_id.in_(table_ids)).order_by(s.table_id, s.seat)
        found: dict[int, list[SeatRow]] = {table_id: [] for table_id in table_ids}
        for row in await self._plain_rows(query):
            seat = SeatRow(row.seat, row.user_id, row.name, row.strength, row.kept_for)
            found[row.table_id].append(seat)
        return found

    async def action(self, table_id: int, version: int) -> ActionRow | None:
        """The entry of a table's history that led to a version."""
        return await self._row(ActionRow, statements.ACTION, table_id=table_id, version=version)

    async def last_entry(self, table_id: int, kind: str, actor_id: int) -> float | None:
        """When a person has last brought about an entry of a kind in a table's history."""
        a = schema.actions.c
        query = select(sql.max(a.at)).where(a.table_id == table_id, a.kind == kind, a.actor_id == actor_id)
        at = await self._scalar(query)
        return None if at is None else float(at)

    async def actions(self, table_id: int, after: int = 0, upto: int | None = None) -> list[ActionRow]:
        """A table's history after a version and up to another, oldest first."""
        if upto is None:
            return await self._rows(ActionRow, statements.ACTIONS_AFTER, table_id=table_id, after=after)
        between = statements.ACTIONS_BETWEEN
        return await self._rows(ActionRow, between, table_id=table_id, after=after, upto=upto)

    async def trace(self, table_id: int) -> list[TraceRow]:
        """All entries of a table's history without what happened in them, oldest first."""
        a = schema.actions.c
        columns = (a.version, a.base, a.kind, a.seat, a.at, a.beat, a.actor_id)
        return await self._rows(TraceRow, select(*columns).where(a.table_id == table_id).order_by(a.version))

    async def entries(self, table_id: int, kinds: Collection[str]) -> list[ActionRow]:
        """All entries of some kinds in a table's history, oldest first."""
        a = schema.actions.c
        query = select(schema.actions).where(a.table_id == table_id, a.kind.in_(kinds))
        return await self._rows(ActionRow, query.order_by(a.version))

    async def last_made_by(self, table_id: int, user_id: int, kinds: Collection[str]) -> int | None:
        """The version of the newest entry of some kinds that a person has made at a table."""
        a = schema.actions.c
        made = select(a.version).where(a.table_id == table_id, a.actor_id == user_id, a.kind.in_(kinds))
        version: int | None = await self._scalar(made.order_by(a.version.desc()).limit(1))
        return version

    async def first_version(self, table_id: int) -> int:
        """Return the version of a game's first position."""
        s = schema.snapshots.c
        return int(await self._scalar(select(sql.min(s.version)).where(s.table_id == table_id)))

    async def snapshot(self, table_id: int, version: int) -> tuple[int, bytes] | None:
        """The newest stored state that is not newer than a version, with its version."""
        rows = await self._plain_rows(statements.SNAPSHOT, table_id=table_id, version=version)
        return next(((int(at), bytes(state)) for at, state in rows), None)

    async def outbox_due(self, now: float, limit: int = 500) -> list[OutboxRow]:
        """What this process has to show by now, the longest due first."""
        o = schema.outbox.c
        due = select(schema.outbox).where(o.due_at <= now, *self._shards.of(o.guild_id))
        return await self._rows(OutboxRow, due.order_by(o.due_at).limit(limit))

    async def outbox_of(self, table_id: int, now: float) -> list[OutboxRow]:
        """What one table has to show by now; nothing of one that another process shows."""
        query = statements.outbox_of(self._shards.count, self._shards.held)
        return await self._rows(OutboxRow, query, table_id=table_id, now=now)

    async def post(self, table_id: int, kind: str, target: int) -> PostRow | None:
        """The last message shown for that kind and target."""
        return await self._row(PostRow, statements.POST, table_id=table_id, kind=kind, target=target)

    async def draft(self, table_id: int, seat: int) -> DraftRow | None:
        """What a seat has drafted."""
        return await self._row(DraftRow, statements.DRAFT, table_id=table_id, seat=seat)

    async def guild(self, guild_id: int) -> GuildRow | None:
        """A server's settings, where it has set any."""
        return await self._row(GuildRow, statements.GUILD, guild_id=guild_id)

    async def fact(self, key: str) -> str | None:
        """A single remembered value, such as which commands were last registered."""
        query = select(schema.facts.c.value).where(schema.facts.c.key == key)
        value = await self._scalar(query)
        return None if value is None else str(value)

    async def commit(self, change: Change) -> int | None:
        """Write one step of one table; the number of the table that is opened with it, if one is.

        Raises:
            Conflict: when the table is no longer at `change.seen`; nothing is written then.
        """
        opened: int | None = await self._writer.write(change)
        return opened

    @writing
    def create(
        self,
        connection: Connection,
        row: TableRow,
        seats: Sequence[SeatRow],
        guards: Sequence[Guard] = (),
        past: Change | None = None,
    ) -> int:
        """Write a new table (its `id` is ignored), with its `past` if it has one; return its number.

        The past has led to the table's row as it is: its own table and columns don't matter.

        Raises:
            QuotaReached: if there may be no more; nothing is written then.
        """
        require(connection, guards)
        number = add_table(connection, row, seats)
        if past is not None:
            write_entries(connection, [msgspec.structs.replace(past, table_id=number)])
        return number

    @writing
    def delivered(self, connection: Connection, row: OutboxRow, post: PostRow | None) -> None:
        """Remember the message that shows an outbox row, and strike the row.

        A row that has changed since stays when the message is older than it, or when the row asks for
        a fresh message now and this one is none.
        """
        shown = row.version if post is None else max(row.version, post.version)
        if post is not None:
            values = msgspec.structs.asdict(post)
            upsert(connection, schema.posts, values, ("table_id", "kind", "target"))
        connection.execute(statements.STRIKE, {**_slot(row), "shown": shown, "was_fresh": row.fresh})

    async def postpone(self, row: OutboxRow, due_at: float) -> None:
        """Count a failed attempt to show a row, and try again later."""
        values = {"of_version": row.version, "tried": row.attempts + 1, "next_at": due_at}
        await self._execute(statements.POSTPONE, {**_slot(row), **values})

    @writing
    def ask(
        self,
        connection: Connection,
        table_id: int,
        kind: str,
        target: int,
        version: int,
        fresh: bool,
        due_at: float,
        told: str = "",
    ) -> None:
        """Ask for something to be shown although no step of the table asks for it.

        What waits to be shown already is due again, and none of what it asks for is forgotten. `told` is
        what other processes are told of it.
        """
        values = msgspec.structs.asdict(OutboxRow(table_id, kind, target, version, fresh, 0, due_at))
        connection.execute(merged(connection.dialect.name, again=False), [values])
        if told:
            tell(connection, told)

    @writing
    def save_drafts(self, connection: Connection, rows: Sequence[DraftRow], told: Sequence[str] = ()) -> None:
        """Keep what seats have drafted, in one commit; a draft of a table that is gone is left out.

        `told` is what other processes are told of it.
        """
        values = [msgspec.structs.asdict(row) for row in rows]
        numbers = {row.table_id for row in rows}
        t = schema.tables.c.id
        known = set(connection.execute(select(t).where(t.in_(numbers))).scalars())
        for row in values:
            if row["table_id"] in known:
                upsert(connection, schema.drafts, row, ("table_id", "seat"))
        for note in told:
            tell(connection, note)

    async def save_guild(self, row: GuildRow) -> None:
        """Keep a server's settings.

        Where its notice board stands is for `save_board` alone to change, for `note_asked` when its role was
        asked for players, and for `servers` whether it has removed the bot.
        """
        await self._write_guild(row, SETTINGS)

    @writing
    def change_guild(
        self, connection: Connection, guild_id: int, change: Callable[[GuildRow], GuildRow]
    ) -> tuple[GuildRow, GuildRow]:
        """Change a server's settings as they are when that is written; gives them back before and after it.

        `change` decides on the row alone: it runs where that is written, in another thread.

        Raises:
            whatever `change` raises; nothing is written then.
        """
        known = select(schema.guilds).where(schema.guilds.c.guild_id == guild_id).with_for_update()
        # A row that is there can be locked, so that no other process changes it meanwhile.
        _set_guild(connection, GuildRow(guild_id), {"guild_id"})
        before = GuildRow(**connection.execute(known).mappings().one())
        after = change(before)
        if after != before:
            _set_guild(connection, after, SETTINGS)
        return before, after

    @writing
    def note_asked(self, connection: Connection, guild_id: int, now: float, apart: float) -> bool:
        """Note that a server's role is asked for players now; False where it was less than so long ago."""
        g = schema.guilds.c
        long_ago = or_(g.asked_at.is_(None), g.asked_at <= now - apart)
        asking = update(schema.guilds).where(g.guild_id == guild_id, long_ago).values(asked_at=now)
        return connection.execute(asking).rowcount == 1

    async def boards(self, guild_ids: Sequence[int] | None = None) -> list[GuildRow]:
        """The servers that have a notice board; with `guild_ids`, those of them."""
        g = schema.guilds.c
        query = select(schema.guilds).where(g.board_channel_id.is_not(None))
        return await self._rows(
            GuildRow, query if guild_ids is None else query.where(g.guild_id.in_(guild_ids))
        )

    @writing
    def save_board(
        self,
        connection: Connection,
        guild_id: int,
        channel_id: int | None,
        message_id: int | None,
        seen: int | None,
    ) -> bool:
        """Keep where a server's notice board stands, nowhere without a channel.

        Returns False, and writes nothing, if its channel isn't the one that was `seen` any more.
        """
        g = schema.guilds.c
        _set_guild(connection, GuildRow(guild_id), {"guild_id"})
        there = (g.guild_id == guild_id, g.board_channel_id.is_not_distinct_from(seen))
        values = {"board_channel_id": channel_id, "board_message_id": message_id}
        return connection.execute(update(schema.guilds).where(*there).values(values)).rowcount == 1

    async def _write_guild(self, row: GuildRow, changed: Collection[str]) -> None:
        await self._writer.write(partial(_set_guild, row=row, changed=changed))

    async def people(self, user_ids: Sequence[int]) -> list[PersonRow]:
        """What those of the people have set who have set anything."""
        return await self._rows(PersonRow, statements.PEOPLE, user_ids=list(user_ids))

    @writing
    def save_person(
        self, connection: Connection, row: PersonRow, seen: PersonRow, retimed: Retimed | None = None
    ) -> None:
        """Keep what a person has set, with what follows from it at their tables.

        Raises:
            Conflict: if it isn't as it was `seen` any more; nothing is written then.
        """
        p = schema.people.c
        lock(connection, [row.user_id])
        there = connection.execute(select(schema.people).where(p.user_id == row.user_id)).mappings().first()
        if (PersonRow(row.user_id) if there is None else PersonRow(**there)) != seen:
            raise Conflict(f"the settings of {row.user_id} have changed")
        upsert(connection, schema.people, msgspec.structs.asdict(row), ("user_id",))
        self._tell(connection, "person", row.user_id)
        if retimed is not None:
            _retime(connection, row.user_id, retimed)

    async def digests_due(
        self, now: float, limit: int = 100, after: tuple[float, int] | None = None
    ) -> list[PersonRow]:
        """Return the people whose digest is due by now, the longest due first.

        With `after`, only those behind a person who was due then.
        """
        p = schema.people.c
        query = select(schema.people).where(p.digest_at <= now)
        if after is not None:
            query = query.where(tuple_(p.digest_at, p.user_id) > tuple_(*after))
        return await self._rows(PersonRow, query.order_by(p.digest_at, p.user_id).limit(limit))

    async def due_by(
        self, now: float, limit: int = 200, after: tuple[float, int] | None = None
    ) -> list[TableRow]:
        """Return the tables at which time makes something happen by now, the longest due first.

        Only those for which this process acts, and whose servers can be reached. With `after`, only those
        behind a table that was due then.
        """
        t = schema.tables.c
        here = self._shards.of(t.guild_id, self._shards.reachable)
        query = select(schema.tables).where(t.due_at <= now, *here)
        if after is not None:
            query = query.where(tuple_(t.due_at, t.id) > tuple_(*after))
        return await self._rows(TableRow, query.order_by(t.due_at, t.id).limit(limit))

    async def notes(self, user_id: int, table_ids: Collection[int]) -> list[NoteRow]:
        """What a person has written down for themselves about some tables."""
        return await self._rows(NoteRow, statements.NOTES, user_id=user_id, table_ids=list(table_ids))

    async def save_note(self, row: NoteRow) -> None:
        """Keep a person's note about a table in place of the one before; an empty one is none."""
        n = schema.notes.c
        if row.text:
            await self._upsert(schema.notes, msgspec.structs.asdict(row), ("table_id", "user_id"))
            return
        mine = (n.table_id == row.table_id, n.user_id == row.user_id)
        await self._execute(delete(schema.notes).where(*mine))

    async def save_fact(self, key: str, value: str) -> None:
        """Keep a single value."""
        await self._upsert(schema.facts, {"key": key, "value": value}, ("key",))


def _slot(row: OutboxRow) -> dict[str, Any]:
    return {"of_table": row.table_id, "of_kind": row.kind, "of_target": row.target}


def _set_guild(connection: Connection, row: GuildRow, changed: Collection[str]) -> None:
    """Bring some columns of a server's row up to date."""
    names = tuple(sorted(changed))
    statement = on_conflict(connection.dialect.name, schema.guilds, ("guild_id",), names)
    connection.execute(statement, [msgspec.structs.asdict(row)])


def _retime(connection: Connection, user_id: int, retimed: Retimed) -> None:
    t, o = schema.tables.c, schema.outbox.c
    if retimed.due:
        due = update(schema.tables).where(t.id.in_(retimed.due), t.phase == "play")
        connection.execute(due.values(due_at=retimed.at))
    if retimed.shown:
        rows = [OutboxRow(id_, "board", 0, version, False, 0, retimed.at) for id_, version in retimed.shown]
        statement = merged(connection.dialect.name, again=False)
        connection.execute(statement, [msgspec.structs.asdict(row) for row in rows])
    playing = (
        select(t.id)
        .join(schema.seats, t.id == schema.seats.c.table_id)
        .where(schema.seats.c.user_id == user_id, t.phase == "play")
    )
    # What was tried already waits for something else.
    waiting = (o.kind.in_(retimed.kinds), o.target == user_id, o.due_at > retimed.at, o.attempts == 0)
    later = update(schema.outbox).where(o.table_id.in_(playing), *waiting)
    connection.execute(later.values(due_at=retimed.told_at))
