"""The private tables on which people try positions."""

from collections.abc import Collection, Sequence

import msgspec
from sqlalchemy import Connection, delete, insert, select

from db import schema
from db.access import Access, lock, write_transaction
from db.batch import Conflict, add_table, write_entries
from db.records import SeatRow, StudyRow, TableRow, TableWrite

S, T, C = schema.studies.c, schema.tables.c, schema.seats.c


class StudyRows(Access):
    """Keeps at most one study of each kind for a person."""

    @write_transaction
    def open(
        self,
        connection: Connection,
        study: StudyRow,
        table: TableRow,
        seats: Sequence[SeatRow],
        past: TableWrite,
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

    async def of_person(self, user_id: int, kind: str) -> StudyRow | None:
        query = select(schema.studies).where(S.user_id == user_id, S.kind == kind).order_by(S.table_id.desc())
        return await self._row(StudyRow, query.limit(1))

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
