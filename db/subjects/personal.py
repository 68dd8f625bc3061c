"""The rows about a person: for exports, lessons and hints."""

from collections.abc import Collection, Sequence
from typing import Any

import msgspec
from sqlalchemy import CompoundSelect, Connection, Table, delete, select, union
from sqlalchemy import func as sql

from db import batch, schema
from db.access import Access, upsert, write_transaction
from db.batch import write_restart
from db.records import ActionRow, DraftRow, TableRow, TableWrite

ROWS: dict[str, tuple[Table, str]] = {
    "settings": (schema.people, "user_id"),
    "notes": (schema.notes, "user_id"),
    "lessons": (schema.lessons, "user_id"),
    "blocked": (schema.blocks, "user_id"),
    "following": (schema.followers, "user_id"),
    "invitations": (schema.invitations, "user_id"),
    "invited": (schema.invitations, "by_id"),
    "unwanted": (schema.unwanted, "user_id"),
    "looking_for": (schema.wishes, "user_id"),
    "results": (schema.results, "user_id"),
    "ratings": (schema.ratings, "user_id"),
    "cups": (schema.cup_players, "user_id"),
    "cups_hosted": (schema.cups, "host_id"),
    "studies": (schema.studies, "user_id"),
    "puzzle_tries": (schema.puzzle_tries, "user_id"),
    "puzzle_hints": (schema.puzzle_hints, "user_id"),
    "puzzle_ratings": (schema.puzzle_players, "user_id"),
    "daily_plays": (schema.daily_plays, "user_id"),
    "daily_points": (schema.daily_points, "user_id"),
    "daily_repeats": (schema.daily_repeats, "user_id"),
    "daily_servers": (schema.daily_members, "user_id"),
    "daily_notices": (schema.daily_notices, "user_id"),
    "administration": (schema.audit, "actor_id"),
    "messages_to_you": (schema.posts, "target"),
    "messages_to_come": (schema.outbox, "target"),
}
"""Tables with rows about one person alone, and the column of their id."""


ALL_ROWS = (
    *ROWS.values(),
    (schema.blocks, "blocked_id"),
    (schema.unwanted, "by_id"),
    (schema.erasures, "user_id"),
)
"""Every column that can hold a person's id, except those of tables and the audit log."""


class AboutRow(msgspec.Struct, frozen=True):
    """A table at which a person sits or sat, has acted, or is named."""

    id: int
    guild_id: int
    channel_id: int
    thread_id: int | None
    game: str
    phase: str
    host_id: int
    created_at: float


class Personal(Access):
    """Reads all that is kept about one person."""

    async def counts(self, user_id: int) -> dict[str, int]:
        """Count the rows about a person by kind, without empty kinds."""
        counting = {
            name: select(sql.count()).select_from(table).where(table.c[column] == user_id)
            for name, (table, column) in ROWS.items()
        }
        return {name: number for name, number in (await self._counts(counting)).items() if number}

    async def rows(self, name: str, user_id: int) -> list[dict[str, Any]]:
        table, column = ROWS[name]
        query = select(table).where(table.c[column] == user_id).order_by(*table.primary_key.columns)
        return [dict(row._mapping) for row in await self._plain_rows(query)]

    async def tables_about(self, user_id: int) -> list[AboutRow]:
        """Return every table that has a person's id in its rows. Indexes find them all."""
        t = schema.tables.c
        ids = _tables_about(user_id).subquery().c[0]
        return await self._rows(AboutRow, select(schema.tables).where(t.id.in_(select(ids))).order_by(t.id))

    async def is_known(self, user_id: int) -> bool:
        p = schema.audit_people.c
        queries = [select(table.c[column]).where(table.c[column] == user_id) for table, column in ALL_ROWS]
        tables = _tables_about(user_id).subquery()
        queries += [select(tables.c[0]), select(p.audit_id).where(p.user_id == user_id)]

        def look(connection: Connection) -> bool:
            return any(connection.execute(query.limit(1)).first() is not None for query in queries)

        return await self._reader.read(look)

    async def cups_about(self, user_id: int) -> list[int]:
        c, p = schema.cups.c, schema.cup_players.c
        ids = union(select(c.id).where(c.host_id == user_id), select(p.cup_id).where(p.user_id == user_id))
        return sorted(set(await self._scalars(ids)))

    async def tables(self, table_ids: Sequence[int]) -> list[TableRow]:
        t = schema.tables.c
        return await self._readable_rows(
            TableRow, select(schema.tables).where(t.id.in_(table_ids)).order_by(t.id)
        )

    async def drafts(self, table_ids: Sequence[int]) -> dict[tuple[int, int], DraftRow]:
        """Return the drafts at some tables, by table and seat."""
        d = schema.drafts.c
        rows = await self._rows(DraftRow, select(schema.drafts).where(d.table_id.in_(table_ids)))
        return {(row.table_id, row.seat): row for row in rows}

    async def entries_made_by(self, table_ids: Sequence[int], user_id: int) -> dict[int, list[ActionRow]]:
        """Return a person's entries at some tables, by table, oldest first."""
        a = schema.actions.c
        own = select(schema.actions).where(a.table_id.in_(table_ids), a.actor_id == user_id)
        result: dict[int, list[ActionRow]] = {table_id: [] for table_id in table_ids}
        for row in await self._plain_rows(own.order_by(a.table_id, a.version)):
            values = {name: row._mapping[name] for name in ActionRow.__struct_fields__}
            result[row.table_id].append(ActionRow(**values))
        return result


def _tables_about(user_id: int) -> CompoundSelect[Any]:
    t, s, a, c = schema.tables.c, schema.seats.c, schema.actions.c, schema.cup_tables.c
    n, r, p = schema.named.c, schema.results.c, schema.cup_players.c
    # Who is paired is one of the players of that cup.
    cups = select(p.cup_id).where(p.user_id == user_id)
    return union(
        select(s.table_id).where(s.user_id == user_id),
        select(s.table_id).where(s.kept_for == user_id),
        select(a.table_id).where(a.actor_id == user_id),
        select(n.table_id).where(n.user_id == user_id),
        select(t.id).where(t.host_id == user_id),
        # Ids are too long for chance hits.
        select(c.table_id).where(c.cup_id.in_(cups), c.table_id.is_not(None), c.seats.like(f"%{user_id}%")),
        select(r.table_id).where(r.user_id == user_id),
    )


KEY = ("user_id", "game", "lesson")


class LessonRows(Access):
    """Keeps a person's lessons by game, each with its table and moment."""

    async def lessons_of(self, user_id: int, game: str) -> dict[str, tuple[int, int]]:
        """Return a person's lessons of a game, with table and moment."""
        rows = await self._plain_rows(batch.LESSONS, user_id=user_id, game=game)
        return {row.lesson: (row.table_id, row.moment) for row in rows}

    async def save(self, user_id: int, game: str, lesson: str, table_id: int, moment: int) -> None:
        values = {"user_id": user_id, "game": game, "lesson": lesson, "table_id": table_id, "moment": moment}
        await self._upsert(schema.lessons, values, KEY)

    @write_transaction
    def begin_again(self, connection: Connection, change: TableWrite) -> None:
        """Take a lesson's table to its start; its notes are new again. Raise Conflict if it has moved on."""
        write_restart(connection, change)
        connection.execute(delete(schema.lessons).where(schema.lessons.c.table_id == change.table_id))

    @write_transaction
    def stop(self, connection: Connection, user_id: int, games: Collection[str], mark: str) -> None:
        """Record under a mark that a person wants no more lessons of some games."""
        for game in games:
            values = {"user_id": user_id, "game": game, "lesson": mark, "table_id": 0, "moment": 0}
            upsert(connection, schema.lessons, values, KEY)

    async def delete_all(self, user_id: int) -> None:
        """Delete a person's lessons, and their wish for none."""
        rows = schema.lessons.c
        await self._execute(delete(schema.lessons).where(rows.user_id == user_id))


class HintRows(Access):
    """Counts hints; they are erased with their table."""

    async def hints_of(self, table_id: int) -> dict[int, int]:
        """Return how many hints each seat took. Seats without any are left out."""
        h = schema.hints_taken.c
        query = select(h.seat, h.number).where(h.table_id == table_id).order_by(h.seat)
        return {row.seat: row.number for row in await self._plain_rows(query)}

    @write_transaction
    def take(self, connection: Connection, table_id: int, seat: int, about: int) -> None:
        """Count a hint of a seat. Repeats of the same `about` count once."""
        h = schema.hints_taken.c
        values = {"table_id": table_id, "seat": seat, "number": 1, "about": about}
        last = select(h.number, h.about).where(h.table_id == table_id, h.seat == seat)
        pair = connection.execute(last).one_or_none()
        if pair is None:
            connection.execute(schema.hints_taken.insert(), [values])
        elif pair.about != about:
            again = {"number": pair.number + 1, "about": about}
            mine = (h.table_id == table_id, h.seat == seat)
            connection.execute(schema.hints_taken.update().where(*mine).values(again))
