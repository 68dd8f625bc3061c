"""Counts the hints of each seat."""

from sqlalchemy import Connection, select

from db import schema
from db.access import Access, write_transaction


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
