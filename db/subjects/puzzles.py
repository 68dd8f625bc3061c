"""The private tables on which people try positions, and first tries at puzzles."""

from collections.abc import Collection, Sequence
from zlib import crc32

import msgspec
from sqlalchemy import ColumnElement, Connection, Table, delete, insert, select, update

from db import records, schema
from db.access import Access, lock, upsert, write_transaction
from db.batch import Conflict, add_table, write_entries

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
