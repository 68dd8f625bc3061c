"""The rows about a person: for exports, lessons, hints, studies and puzzles."""

from collections.abc import Collection, Sequence
from typing import Any
from zlib import crc32

import msgspec
from sqlalchemy import ColumnElement, CompoundSelect, Connection, Table, delete, insert, select, union, update
from sqlalchemy import func as sql

from db import batch, records, schema
from db.access import Access, lock, upsert, write_transaction
from db.batch import Conflict, add_table, write_entries
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
        batch.write_restart(connection, change)
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


S, T, C = schema.studies.c, schema.tables.c, schema.seats.c


class StudyRows(Access):
    """Keeps at most one study of each kind for a person."""

    @write_transaction
    def open(
        self,
        connection: Connection,
        study: records.StudyRow,
        table: records.TableRow,
        seats: Sequence[records.SeatRow],
        past: records.TableWrite,
        names: Sequence[str] = (),
    ) -> tuple[int, list[int]]:
        """Write a study in place of the person's earlier one.

        `names` are those of the source's seats. Return the new table, and those deleted. Raise Conflict if
        the source is gone, or somebody there is called otherwise.
        """
        lock(connection, [study.user_id])
        if study.source_id:
            seated = select(C.name).where(C.table_id == study.source_id).order_by(C.seat).with_for_update()
            if list(connection.execute(seated).scalars()) != list(names):
                raise Conflict(f"table {study.source_id} has changed")
        own = select(S.table_id).where(S.user_id == study.user_id, S.kind == study.kind)
        earlier = list(connection.execute(own).scalars())
        self._delete(connection, earlier)
        number = add_table(connection, table, seats)
        write_entries(connection, [msgspec.structs.replace(past, table_id=number)])
        row = msgspec.structs.replace(study, table_id=number)
        connection.execute(insert(schema.studies), [msgspec.structs.asdict(row)])
        return number, earlier

    async def of_person(self, user_id: int, kind: str) -> records.StudyRow | None:
        query = select(schema.studies).where(S.user_id == user_id, S.kind == kind).order_by(S.table_id.desc())
        return await self._row(records.StudyRow, query.limit(1))

    @write_transaction
    def forget(self, connection: Connection, before: float, limit: int) -> list[int]:
        """Delete some studies begun before an instant. Return their tables."""
        old = select(S.table_id).where(S.begun_at < before).order_by(S.begun_at).limit(limit)
        ids = list(connection.execute(old).scalars())
        self._delete(connection, ids)
        return ids

    def _delete(self, connection: Connection, table_ids: Collection[int]) -> None:
        """Delete some studies, and tell the other processes."""
        delete_studies(connection, table_ids)
        for table_id in table_ids:
            self._tell(connection, "rewritten", table_id)


def delete_studies(connection: Connection, table_ids: Collection[int]) -> None:
    if table_ids:
        connection.execute(delete(schema.tables).where(T.id.in_(table_ids)))


def delete_studies_of(connection: Connection, source_ids: Collection[int]) -> list[int]:
    """Delete the studies of some tables' games, whoever made them; return them."""
    ids = list(connection.execute(select(S.table_id).where(S.source_id.in_(source_ids))).scalars())
    delete_studies(connection, ids)
    return ids


F, P, L = schema.puzzle_tries.c, schema.puzzle_players.c, schema.puzzle_levels.c
H = schema.puzzle_hints.c


class PuzzleRows(Access):
    """Keeps each person's first try at a puzzle, and nothing of later ones."""

    async def tries_of(self, user_id: int, game: str) -> dict[str, records.PuzzleTryRow]:
        """Return a person's first tries in a game, by puzzle."""
        query = select(schema.puzzle_tries).where(F.user_id == user_id, F.game == game)
        return {row.puzzle: row for row in await self._rows(records.PuzzleTryRow, query)}

    async def player(self, user_id: int, game: str) -> records.PuzzlePlayerRow | None:
        query = select(schema.puzzle_players).where(P.user_id == user_id, P.game == game)
        return await self._row(records.PuzzlePlayerRow, query)

    async def players(self, user_id: int) -> list[records.PuzzlePlayerRow]:
        query = select(schema.puzzle_players).where(P.user_id == user_id).order_by(P.game)
        return await self._rows(records.PuzzlePlayerRow, query)

    async def level(self, game: str, puzzle: str) -> records.PuzzleLevelRow | None:
        query = select(schema.puzzle_levels).where(L.game == game, L.puzzle == puzzle)
        return await self._row(records.PuzzleLevelRow, query)

    async def levels(self, game: str) -> dict[str, float]:
        rows = await self._plain_rows(select(L.puzzle, L.mu).where(L.game == game))
        return {row.puzzle: row.mu for row in rows}

    async def list_solved_days(self, user_id: int, limit: int) -> list[str]:
        """Return the days on which a person solved a puzzle, newest first."""
        days = select(F.solved_on).where(F.user_id == user_id, F.solved_on.is_not(None)).distinct()
        return await self._scalars(days.order_by(F.solved_on.desc()).limit(limit))

    async def has_hint(self, user_id: int, game: str, puzzle: str) -> bool:
        query = select(H.puzzle).where(H.user_id == user_id, H.game == game, H.puzzle == puzzle)
        return bool(await self._scalars(query))

    @write_transaction
    def note_hint(self, connection: Connection, row: records.PuzzleHintRow) -> None:
        lock(connection, [row.user_id])
        own = (H.user_id == row.user_id, H.game == row.game, H.puzzle == row.puzzle)
        if _read(connection, schema.puzzle_hints, *own) is None:
            connection.execute(insert(schema.puzzle_hints), [msgspec.structs.asdict(row)])

    @write_transaction
    def keep_try(
        self,
        connection: Connection,
        row: records.PuzzleTryRow,
        before: tuple[records.PuzzlePlayerRow | None, records.PuzzleLevelRow | None],
        after: tuple[records.PuzzlePlayerRow, records.PuzzleLevelRow],
    ) -> bool:
        """Save a first try with what it changes.

        Return False if there is one already; a later solution is only noted. Raise Conflict if the rating or
        the level isn't as `before` any more.
        """
        # A level that isn't there yet can't be locked as a row.
        lock(connection, [row.user_id, crc32(f"{row.game} {row.puzzle}".encode())])
        own = (F.user_id == row.user_id, F.game == row.game, F.puzzle == row.puzzle)
        if _read(connection, schema.puzzle_tries, *own):
            if row.solved_on is not None:
                later = update(schema.puzzle_tries).where(*own, F.solved_on.is_(None))
                connection.execute(later.values(solved_on=row.solved_on))
            return False
        player, level = after
        now = (
            _read(connection, schema.puzzle_players, P.user_id == player.user_id, P.game == player.game),
            _read(connection, schema.puzzle_levels, L.game == level.game, L.puzzle == level.puzzle),
        )
        if now != tuple(None if one is None else msgspec.structs.asdict(one) for one in before):
            raise Conflict("somebody else has tried the puzzle")
        upsert(connection, schema.puzzle_tries, msgspec.structs.asdict(row), ("user_id", "game", "puzzle"))
        upsert(connection, schema.puzzle_players, msgspec.structs.asdict(player), ("user_id", "game"))
        upsert(connection, schema.puzzle_levels, msgspec.structs.asdict(level), ("game", "puzzle"))
        return True


def _read(connection: Connection, table: Table, *where: ColumnElement[bool]) -> dict[str, object] | None:
    row = connection.execute(select(table).where(*where).limit(1).with_for_update()).first()
    return None if row is None else dict(row._mapping)
