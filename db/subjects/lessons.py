"""The first-time notes that people have read."""

from collections.abc import Collection

from sqlalchemy import Connection, delete

from db import schema, statements
from db.access import Access, upsert, write_transaction
from db.batch import write_restart
from db.records.tables import TableWrite

KEY = ("user_id", "game", "lesson")


class LessonRows(Access):
    """Keeps a person's lessons by game, each with its table and moment."""

    async def lessons_of(self, user_id: int, game: str) -> dict[str, tuple[int, int]]:
        """Return a person's lessons of a game, with table and moment."""
        rows = await self._plain_rows(statements.LESSONS, user_id=user_id, game=game)
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
