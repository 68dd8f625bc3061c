"""The one Store that speaks SQL: reads by subject, and writes through one writer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

import msgspec
from cachetools import LRUCache
from sqlalchemy import ColumnElement, Connection, delete, or_, select, tuple_, update
from sqlalchemy import func as sql
from sqlalchemy.ext.asyncio import AsyncEngine

from db import batch, schema
from db.access import NO_SERVER, Access, lock, on_conflict, require, upsert, write_transaction
from db.condition import migrate, require_opened, require_usable
from db.connection.opening import POOL, TIMEOUT, open_connections, patient_engine
from db.connection.trouble import ERRORS, SETTING, DatabaseLabel, describe_error, describe_unavailable
from db.connection.writer import Availability, Connections, Reader, Writer
from db.processes import Shards, notify
from db.records import (
    ActionRow,
    DraftRow,
    EntryHeader,
    Guard,
    NoteRow,
    OutboxRow,
    PersonRow,
    PostRow,
    SeatRow,
    ServerSettings,
    SettingsEffects,
    TableRow,
    TableWrite,
    TurnRow,
)
from db.subjects.cups import Cups
from db.subjects.daily import Daily
from db.subjects.erasure import Erasure
from db.subjects.personal import HintRows, LessonRows, Personal, PuzzleRows, StudyRows
from db.subjects.relations import Relations
from db.subjects.servers import Administration, Downtime, Ownership, Servers
from db.subjects.standings import Standings

LESSON = '{"type":"taught"'
"""The beginning of a lesson table's origin."""
OF_A_SERVER = schema.tables.c.guild_id != NO_SERVER
BOARD = ("board_channel_id", "board_message_id")
SETTINGS = set(ServerSettings.__struct_fields__) - {"guild_id", "asked_at", "removed_at", *BOARD}
"""The columns that a server's administrators set."""

NEWEST = 8
"""The entries of a table that are kept after they are written."""
NEWEST_OF = 1000
"""Tables with such entries."""


class Store(Access):
    """Every read and write of the database. Open one with `await Store.open(url)`.

    Every method raises DatabaseUnavailable if the database can't be used now.
    """

    def __init__(self, reading: Connections, writing: AsyncEngine, at: DatabaseLabel) -> None:
        """`at` labels the database in the log."""
        reach = Availability(sentence=partial(describe_unavailable, at))
        reader = Reader(reading, reach)
        shards = Shards()
        super().__init__(reader, Writer(writing, batch.apply_jobs, reach), shards)
        self._write_engine = writing
        self._newest: LRUCache[int, tuple[ActionRow, ...]] = LRUCache(NEWEST_OF)
        self.relations = Relations(reader, self._writer, self._shards)
        self.hints = HintRows(reader, self._writer, self._shards)
        self.lessons = LessonRows(reader, self._writer, self._shards)
        self.studies = StudyRows(reader, self._writer, self._shards)
        self.puzzles = PuzzleRows(reader, self._writer, self._shards)
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
        """Return the servers that this process acts for. Due rows are read for these alone."""
        return self._shards

    @classmethod
    async def open(
        cls, url: str, pool: int = POOL, patience: float = TIMEOUT, setting: str = SETTING
    ) -> Store:
        """Connect, and bring the schema up to date.

        On a server it holds `pool` connections at most, and no statement takes longer than `patience`
        seconds. `setting` is what names the database, for operators.

        Raises:
            ValueError: if the URL names no known kind of database.
            DatabaseTooNew: if a newer version wrote the database.
            DatabaseUnreachable: if it can't be opened, is damaged, or holds something else.
        """
        at = DatabaseLabel.of(url, setting)
        # Asked before anything else connects: a connection to a file that fails leaves a thread behind, and
        # one that doesn't changes the file.
        await require_usable(at)
        readers, writer = open_connections(at.url, pool, patience)
        migrating = patient_engine(at.url)
        try:
            require_opened(at)
            await migrate(migrating, at)
        except BaseException as error:
            await writer.dispose()
            await readers.dispose()
            if isinstance(error, ERRORS):
                raise describe_error(at, error) from error
            raise
        finally:
            await migrating.dispose()
        return cls(readers, writer, at)

    async def counts(self) -> dict[str, int]:
        numbers = {f"tables, {phase}": number for phase, number in (await self.phases()).items()}
        names = ("actions", "snapshots", "outbox", "people", "guilds")
        rows = {name: select(sql.count()).select_from(schema.metadata.tables[name]) for name in names}
        return numbers | await self._counts(rows)

    async def phases(self) -> dict[str, int]:
        """Count the tables in each phase; the time grows with their number."""
        t = schema.tables.c
        rows = await self._plain_rows(select(t.phase, sql.count()).group_by(t.phase))
        return {phase: int(number) for phase, number in sorted(rows)}

    async def outbox_depth(self) -> tuple[int, float | None]:
        """Count the rows that wait to be posted. Return the earliest due time too."""
        query = select(sql.count(), sql.min(schema.outbox.c.due_at)).where(
            *self._shards.of(schema.outbox.c.guild_id)
        )
        ((rows, oldest),) = await self._plain_rows(query)
        return int(rows), float(oldest) if isinstance(oldest, (int, float)) else None

    async def close(self) -> None:
        """Finish queued writes, then close every connection."""
        await self._writer.close()
        await self._write_engine.dispose()
        await self._reader.dispose()

    async def table(self, table_id: int) -> TableRow | None:
        return await self._row(TableRow, batch.TABLE, table_id=table_id)

    async def _tables(self, *where: ColumnElement[bool], limit: int | None = 100) -> list[TableRow]:
        query = select(schema.tables).where(*where).order_by(schema.tables.c.touched_at.desc()).limit(limit)
        return await self._readable_rows(TableRow, query)

    async def tables_in(self, guild_id: int, phases: Sequence[str], limit: int = 100) -> list[TableRow]:
        """Return a server's tables in any of the phases, last touched first."""
        t = schema.tables.c
        return await self._tables(t.guild_id == guild_id, t.phase.in_(phases), limit=limit)

    async def check_guards(self, guards: Sequence[Guard]) -> None:
        """Raise QuotaReached if a limit is reached now; the write checks again."""

        def look(connection: Connection) -> None:
            for guard in guards:
                guard.check(connection)

        await self._reader.read(look)

    async def tables_at(self, place_id: int, phases: Sequence[str]) -> list[TableRow]:
        """Return the tables of a thread, or of a channel itself, last touched first."""
        t = schema.tables.c
        here = (t.thread_id == place_id) | ((t.channel_id == place_id) & t.thread_id.is_(None))
        return await self._tables(here, t.phase.in_(phases))

    async def tables_of(self, user_id: int, phases: Sequence[str], limit: int | None = 100) -> list[TableRow]:
        """Return a person's tables in servers, last touched first; all without `limit`."""
        t = schema.tables.c
        mine = select(schema.seats.c.table_id).where(schema.seats.c.user_id == user_id)
        return await self._tables(t.id.in_(mine), t.phase.in_(phases), OF_A_SERVER, limit=limit)

    async def lessons_of(self, user_id: int, phases: Sequence[str], limit: int = 20) -> list[TableRow]:
        """Return a person's lessons in any of the phases, last touched first."""
        t = schema.tables.c
        mine = (t.host_id == user_id, t.guild_id == NO_SERVER, t.origin.startswith(LESSON))
        return await self._tables(*mine, t.phase.in_(phases), limit=limit)

    async def tables_lately(self, user_id: int, open_in: Sequence[str], since: float) -> list[TableRow]:
        """Return a person's tables in servers. Some phases first, then recently touched ones."""
        t = schema.tables.c
        mine = select(schema.seats.c.table_id).where(schema.seats.c.user_id == user_id)
        is_open = t.phase.in_(open_in)
        query = (
            select(schema.tables)
            .where(t.id.in_(mine), is_open | (t.touched_at > since), OF_A_SERVER)
            .order_by(is_open.desc(), t.touched_at.desc())
            .limit(200)
        )
        return await self._readable_rows(TableRow, query)

    async def turns_of(self, user_id: int) -> list[TurnRow]:
        return await self._readable_rows(TurnRow, batch.TURNS, user_id=user_id)

    async def tables_awaiting_computer(self) -> list[int]:
        """Return this process's tables at which a computer owes a move."""
        t = schema.tables.c
        return await self._scalars(select(t.id).where(t.computer_due, *self._shards.of(t.guild_id)))

    async def threads_of(self, guild_id: int, phases: Sequence[str]) -> list[int]:
        t = schema.tables.c
        query = select(t.thread_id).where(
            t.guild_id == guild_id, t.phase.in_(phases), t.thread_id.is_not(None)
        )
        return await self._scalars(query)

    async def tables_by(self, table_ids: Sequence[int], phases: Sequence[str]) -> list[TableRow]:
        """Return some tables in any of the phases, last touched first."""
        t = schema.tables.c
        return await self._tables(t.id.in_(table_ids), t.phase.in_(phases))

    async def seats(self, table_id: int) -> list[SeatRow]:
        return await self._rows(SeatRow, batch.SEATS, table_id=table_id)

    async def seats_of(self, table_ids: Sequence[int]) -> dict[int, list[SeatRow]]:
        """Return the seats of several tables in order, in at most one query."""
        if not table_ids:
            return {}
        s = schema.seats.c
        query = select(schema.seats).where(s.table_id.in_(table_ids)).order_by(s.table_id, s.seat)
        result: dict[int, list[SeatRow]] = {table_id: [] for table_id in table_ids}
        for row in await self._plain_rows(query):
            result[row.table_id].append(SeatRow(row.seat, row.user_id, row.name, row.strength, row.kept_for))
        return result

    async def action(self, table_id: int, version: int) -> ActionRow | None:
        """Return the history entry that led to a version."""
        return next(iter(await self.actions(table_id, version - 1, version)), None)

    async def last_entry(self, table_id: int, kind: str, actor_id: int) -> float | None:
        """Return the time of a person's last entry of a kind."""
        a = schema.actions.c
        query = select(sql.max(a.at)).where(a.table_id == table_id, a.kind == kind, a.actor_id == actor_id)
        at = await self._scalar(query)
        return None if at is None else float(at)

    async def actions(self, table_id: int, after: int = 0, upto: int | None = None) -> list[ActionRow]:
        """Return a table's history after a version and up to another, oldest first.

        The entries that this process has just written needn't be read.
        """
        if upto is None:
            return await self._rows(ActionRow, batch.ACTIONS_AFTER, table_id=table_id, after=after)
        newest = self._newest.get(table_id, ()) if self.shards.hearing else ()
        if newest and newest[0].version <= after + 1 and upto <= newest[-1].version:
            return [row for row in newest if after < row.version <= upto]
        between = batch.ACTIONS_BETWEEN
        return await self._rows(ActionRow, between, table_id=table_id, after=after, upto=upto)

    def forget_newest(self, table_id: int | None = None) -> None:
        """Read one or all tables' newest entries from the database again."""
        if table_id is None:
            self._newest.clear()
        else:
            self._newest.pop(table_id, None)

    async def entry_headers(self, table_id: int) -> list[EntryHeader]:
        """Return a table's history without content, oldest first."""
        return await self._rows(EntryHeader, batch.HEADERS, table_id=table_id)

    async def entries(self, table_id: int, kinds: Collection[str]) -> list[ActionRow]:
        """Return all entries of some kinds in a table's history, oldest first."""
        a = schema.actions.c
        query = select(schema.actions).where(a.table_id == table_id, a.kind.in_(kinds))
        return await self._rows(ActionRow, query.order_by(a.version))

    async def last_made_by(
        self, table_id: int, user_id: int, kinds: Collection[str], apart: str = ""
    ) -> int | None:
        """Return the version of a person's newest entry of some kinds.

        Leave out those of a commit that has an entry of kind `apart` shortly before them.
        """
        asked = {"table_id": table_id, "user_id": user_id, "kinds": [*kinds], "apart": apart}
        version: int | None = await self._scalar(batch.LAST_MADE, **asked)
        return version

    async def first_version(self, table_id: int) -> int:
        s = schema.snapshots.c
        return int(await self._scalar(select(sql.min(s.version)).where(s.table_id == table_id)))

    async def snapshot(self, table_id: int, version: int) -> tuple[int, bytes] | None:
        """Return the newest stored state up to a version, with its version."""
        rows = await self._plain_rows(batch.SNAPSHOT, table_id=table_id, version=version)
        return next(((int(at), bytes(state)) for at, state in rows), None)

    async def outbox_due(self, now: float, limit: int = 500) -> list[OutboxRow]:
        """Return what this process has to post now, longest due first."""
        o = schema.outbox.c
        due = select(schema.outbox).where(o.due_at <= now, *self._shards.of(o.guild_id))
        return await self._readable_rows(OutboxRow, due.order_by(o.due_at).limit(limit))

    async def outbox_of(self, table_id: int, now: float) -> list[OutboxRow]:
        """Return what one table has to post now. Nothing if another process posts it."""
        query = batch.outbox_of(self._shards.count, self._shards.held)
        return await self._readable_rows(OutboxRow, query, table_id=table_id, now=now)

    async def find_last_post(self, table_id: int, kind: str, target: int) -> PostRow | None:
        return await self._row(PostRow, batch.POST, table_id=table_id, kind=kind, target=target)

    async def draft(self, table_id: int, seat: int) -> DraftRow | None:
        return await self._row(DraftRow, batch.DRAFT, table_id=table_id, seat=seat)

    async def guild(self, guild_id: int) -> ServerSettings | None:
        return await self._row(ServerSettings, batch.GUILD, guild_id=guild_id)

    async def fact(self, key: str) -> str | None:
        """Return a single remembered value, such as the last registered commands."""
        value = await self._scalar(select(schema.facts.c.value).where(schema.facts.c.key == key))
        return None if value is None else str(value)

    async def commit(self, change: TableWrite) -> int | None:
        """Write one step of one table.

        Return the table opened with it, if any. Raise Conflict if the table is no longer at `change.seen`;
        nothing is written then.
        """
        opened: int | None = await self._writer.write(change)
        if opened is not None:  # its number is written into the entries
            self.forget_newest(change.table_id)
        elif change.actions:
            newest = self._newest.get(change.table_id, ())
            follows = bool(newest) and newest[-1].version == change.seen
            self._newest[change.table_id] = (*(newest if follows else ()), *change.actions)[-NEWEST:]
        return opened

    @write_transaction
    def create(
        self,
        connection: Connection,
        row: TableRow,
        seats: Sequence[SeatRow],
        guards: Sequence[Guard] = (),
        past: TableWrite | None = None,
    ) -> int:
        """Write a new table (its `id` is ignored), with its `past` if any; return its number.

        The past has led to the table's row as given: its own table and columns are ignored. Raise
        QuotaReached if a limit is reached; nothing is written then.
        """
        require(connection, guards)
        number = batch.add_table(connection, row, seats)
        if past is not None:
            batch.write_entries(connection, [msgspec.structs.replace(past, table_id=number)])
        return number

    @write_transaction
    def finish_post(self, connection: Connection, row: OutboxRow, post: PostRow | None) -> None:
        """Remember the message of an outbox row, and delete the row.

        A row that has changed since stays if the message is older, or if the row asks for a fresh message
        and this is an edit.
        """
        shown = row.version if post is None else max(row.version, post.version)
        if post is not None:
            upsert(connection, schema.posts, msgspec.structs.asdict(post), ("table_id", "kind", "target"))
        connection.execute(batch.STRIKE, {**_slot(row), "shown": shown, "was_fresh": row.fresh})

    async def postpone(self, row: OutboxRow, due_at: float) -> None:
        """Count a failed post of a row, and retry later."""
        values = {"of_version": row.version, "tried": row.attempts + 1, "next_at": due_at}
        await self._execute(batch.POSTPONE, {**_slot(row), **values})

    @write_transaction
    def ask(
        self,
        connection: Connection,
        table_id: int,
        kind: str,
        target: int,
        version: int,
        fresh: bool,
        due_at: float,
        text: str = "",
    ) -> None:
        """Queue a post that no step of the table asks for.

        A row that waits already is due again, and keeps what it asks for. `told` is the notice to other
        processes.
        """
        values = msgspec.structs.asdict(OutboxRow(table_id, kind, target, version, fresh, 0, due_at))
        connection.execute(batch.outbox_insert(connection.dialect.name, again=False), [values])
        if text:
            notify(connection, text)

    @write_transaction
    def save_drafts(
        self, connection: Connection, rows: Sequence[DraftRow], notices: Sequence[str] = ()
    ) -> None:
        """Save seats' drafts in one commit; skip tables that are gone. `notices` are for other processes."""
        values = [msgspec.structs.asdict(row) for row in rows]
        numbers = {row.table_id for row in rows}
        t = schema.tables.c.id
        known = set(connection.execute(select(t).where(t.in_(numbers))).scalars())
        for row in values:
            if row["table_id"] in known:
                upsert(connection, schema.drafts, row, ("table_id", "seat"))
        for note in notices:
            notify(connection, note)

    async def save_guild(self, row: ServerSettings) -> None:
        """Save a server's settings.

        Other methods own some columns: `save_board` the notice board, `note_asked` the last time that the
        role was asked, `servers` the removal of the bot.
        """
        await self._writer.write(partial(_set_guild, row=row, changed=SETTINGS))

    @write_transaction
    def change_guild(
        self, connection: Connection, guild_id: int, change: Callable[[ServerSettings], ServerSettings]
    ) -> tuple[ServerSettings, ServerSettings]:
        """Change a server's settings as they are in the write.

        Return them before and after. `change` sees the row alone and runs in another thread.

        Raises:
            whatever `change` raises; nothing is written then.
        """
        known = select(schema.guilds).where(schema.guilds.c.guild_id == guild_id).with_for_update()
        # A row that is there can be locked, so that no other process changes it.
        _set_guild(connection, ServerSettings(guild_id), {"guild_id"})
        before = ServerSettings(**connection.execute(known).mappings().one())
        after = change(before)
        if after != before:
            _set_guild(connection, after, SETTINGS)
        return before, after

    @write_transaction
    def note_asked(self, connection: Connection, guild_id: int, now: float, apart: float) -> bool:
        """Record that a server's role is asked for players. Return False if it is too soon."""
        g = schema.guilds.c
        long_ago = or_(g.asked_at.is_(None), g.asked_at <= now - apart)
        asking = update(schema.guilds).where(g.guild_id == guild_id, long_ago).values(asked_at=now)
        return connection.execute(asking).rowcount == 1

    async def forget_asked(self, guild_id: int, at: float) -> None:
        """Take back the record of an instant, if it is the last."""
        g = schema.guilds.c
        await self._execute(
            update(schema.guilds).where(g.guild_id == guild_id, g.asked_at == at).values(asked_at=None)
        )

    async def boards(self, guild_ids: Sequence[int] | None = None) -> list[ServerSettings]:
        """Return the servers with a notice board, optionally only some."""
        g = schema.guilds.c
        query = select(schema.guilds).where(g.board_channel_id.is_not(None))
        return await self._readable_rows(
            ServerSettings, query if guild_ids is None else query.where(g.guild_id.in_(guild_ids))
        )

    @write_transaction
    def save_board(
        self,
        connection: Connection,
        guild_id: int,
        channel_id: int | None,
        message_id: int | None,
        seen: int | None,
    ) -> bool:
        """Save the place of a server's notice board; no channel means none.

        Return False, and write nothing, if its channel isn't the one that was `seen`.
        """
        g = schema.guilds.c
        _set_guild(connection, ServerSettings(guild_id), {"guild_id"})
        there = (g.guild_id == guild_id, g.board_channel_id.is_not_distinct_from(seen))
        values = {"board_channel_id": channel_id, "board_message_id": message_id}
        return connection.execute(update(schema.guilds).where(*there).values(values)).rowcount == 1

    async def people(self, user_ids: Sequence[int]) -> list[PersonRow]:
        return await self._readable_rows(PersonRow, batch.PEOPLE, user_ids=list(user_ids))

    @write_transaction
    def save_person(
        self, connection: Connection, row: PersonRow, seen: PersonRow, retimed: SettingsEffects | None = None
    ) -> None:
        """Save a person's settings, with their effects at the person's tables.

        Raise Conflict if they differ from what was `seen`; nothing is written then.
        """
        p = schema.people.c
        lock(connection, [row.user_id])
        there = connection.execute(select(schema.people).where(p.user_id == row.user_id)).mappings().first()
        if (PersonRow(row.user_id) if there is None else PersonRow(**there)) != seen:
            raise batch.Conflict(f"the settings of {row.user_id} have changed")
        upsert(connection, schema.people, msgspec.structs.asdict(row), ("user_id",))
        self._tell(connection, "person", row.user_id)
        if retimed is not None:
            _retime(connection, row.user_id, retimed)

    async def digests_due(
        self, now: float, limit: int = 100, after: tuple[float, int] | None = None
    ) -> list[PersonRow]:
        """Return the people whose digest is due, longest due first.

        With `after`, only those behind a person who was due then.
        """
        p = schema.people.c
        query = select(schema.people).where(p.digest_at <= now)
        if after is not None:
            query = query.where(tuple_(p.digest_at, p.user_id) > tuple_(*after))
        return await self._readable_rows(PersonRow, query.order_by(p.digest_at, p.user_id).limit(limit))

    async def due_by(
        self, now: float, limit: int = 200, after: tuple[float, int] | None = None
    ) -> list[TableRow]:
        """Return the tables at which time changes something now, longest due first.

        Only those of this process whose servers can be reached. With `after`, only those behind a table that
        was due then.
        """
        t = schema.tables.c
        here = self._shards.of(t.guild_id, self._shards.reachable)
        query = select(schema.tables).where(t.due_at <= now, *here)
        if after is not None:
            query = query.where(tuple_(t.due_at, t.id) > tuple_(*after))
        return await self._readable_rows(TableRow, query.order_by(t.due_at, t.id).limit(limit))

    async def notes(self, user_id: int, table_ids: Collection[int]) -> list[NoteRow]:
        return await self._readable_rows(NoteRow, batch.NOTES, user_id=user_id, table_ids=list(table_ids))

    async def save_note(self, row: NoteRow) -> None:
        """Replace a person's note about a table; an empty one deletes it."""
        n = schema.notes.c
        if row.text:
            await self._upsert(schema.notes, msgspec.structs.asdict(row), ("table_id", "user_id"))
            return
        mine = (n.table_id == row.table_id, n.user_id == row.user_id)
        await self._execute(delete(schema.notes).where(*mine))

    async def save_fact(self, key: str, value: str) -> None:
        await self._upsert(schema.facts, {"key": key, "value": value}, ("key",))


def _slot(row: OutboxRow) -> dict[str, Any]:
    return {"of_table": row.table_id, "of_kind": row.kind, "of_target": row.target}


def _set_guild(connection: Connection, row: ServerSettings, changed: Collection[str]) -> None:
    statement = on_conflict(connection.dialect.name, schema.guilds, ("guild_id",), tuple(sorted(changed)))
    connection.execute(statement, [msgspec.structs.asdict(row)])


def _retime(connection: Connection, user_id: int, retimed: SettingsEffects) -> None:
    t, o = schema.tables.c, schema.outbox.c
    if retimed.due:
        due = update(schema.tables).where(t.id.in_(retimed.due), t.phase == "play")
        connection.execute(due.values(due_at=retimed.at))
    if retimed.shown:
        rows = [OutboxRow(id_, "board", 0, version, False, 0, retimed.at) for id_, version in retimed.shown]
        statement = batch.outbox_insert(connection.dialect.name, again=False)
        connection.execute(statement, [msgspec.structs.asdict(row) for row in rows])
    mine = schema.seats.c.user_id == user_id, t.phase == "play"
    playing = select(t.id).join(schema.seats, t.id == schema.seats.c.table_id).where(*mine)
    # What was tried already waits for something else.
    waiting = (o.kind.in_(retimed.kinds), o.target == user_id, o.due_at > retimed.at, o.attempts == 0)
    later = update(schema.outbox).where(o.table_id.in_(playing), *waiting)
    connection.execute(later.values(due_at=retimed.told_at))
