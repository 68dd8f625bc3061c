"""The administrators' view: filtered tables, and the audit log."""

from collections.abc import Callable, Sequence

import msgspec
from sqlalchemy import ColumnElement, Connection, String, Table, cast, exists, insert, literal, select, update
from sqlalchemy import func as sql

from db import schema
from db.access import Access, write_transaction
from db.named import record_audit_people
from db.records.cups import CupRow
from db.records.daily import DailyNoticeRow, DailyPostRow
from db.records.people import WishRow
from db.records.servers import AuditRow, OutageRow, ServerSettings
from db.records.tables import NoteRow, OutboxRow, TableRow

OTHERS: tuple[tuple[type[msgspec.Struct], Table], ...] = (
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
        query = select(schema.tables).where(*wanted).order_by(t.touched_at, t.id)
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
        query = select(schema.audit).where(*wanted).order_by(a.id.desc())
        return await self._readable_rows(AuditRow, query.offset(skip).limit(limit))

    async def table_ids(self, after: int, limit: int) -> list[int]:
        """Return the numbers of all tables, some at a time."""
        t = schema.tables.c
        return await self._scalars(select(t.id).where(t.id > after).order_by(t.id).limit(limit))

    async def person_ids(self, after: int, limit: int) -> list[int]:
        """Return everybody with settings, some at a time."""
        p = schema.people.c
        return await self._scalars(
            select(p.user_id).where(p.user_id > after).order_by(p.user_id).limit(limit)
        )

    async def read_others(self) -> None:
        """Read other rows that stand alone, so that `unreadable` knows them."""
        for kind, table in OTHERS:
            await self._readable_rows(kind, select(table))

    @write_transaction
    def add_audit(self, connection: Connection, row: AuditRow) -> int:
        """Write an audit entry; return its number."""
        added = insert(schema.audit).values(msgspec.structs.asdict(row)).returning(schema.audit.c.id)
        number: int = connection.execute(added).scalar_one()
        record_audit_people(connection, number, row.detail)
        return number

    @write_transaction
    def change_audit(
        self, connection: Connection, number: int, change: Callable[[AuditRow | None], AuditRow]
    ) -> None:
        """Change an audit entry as it is in the write. Raises what `change` raises; then nothing changes."""
        a = schema.audit.c
        mapping = connection.execute(select(schema.audit).where(a.id == number)).mappings().first()
        fields = AuditRow.__struct_fields__
        row = change(None if mapping is None else AuditRow(**{field: mapping[field] for field in fields}))
        changed = update(schema.audit).where(a.id == number).values(msgspec.structs.asdict(row))
        connection.execute(changed)
        record_audit_people(connection, number, row.detail)


def _owes(user_id: int) -> ColumnElement[bool]:
    """Return the condition that a person's seat owes a move. It is in the JSON list of a running table."""
    t, s = schema.tables.c, schema.seats.c
    owing = literal(",") + sql.substr(t.owing, 2, sql.length(t.owing) - 2) + literal(",")
    seat = literal(",") + cast(s.seat, String) + literal(",")
    # The sum keeps from the index of people: who has played for long has more seats than a table has.
    theirs = (s.table_id == t.id, s.user_id + 0 == user_id, owing.contains(seat))
    return (t.phase == "play") & exists().where(*theirs)
