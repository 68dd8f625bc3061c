"""Which first-time notes people have been told."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, delete

from db import schema, statements
from db.access import Access, upsert, writing
from db.batch import write_restart
from db.records import Change

KEY = ("user_id", "game", "lesson")


class LessonRows(Access):
    """Keeps per person and game which lessons were told, each with the decision at which it was."""

    async def told(self, user_id: int, game: str) -> dict[str, tuple[int, int]]:
        """The lessons of a game that a person has been told, each with its table and the moment there."""
        rows = await self._plain_rows(statements.LESSONS, user_id=user_id, game=game)
        return {row.lesson: (row.table_id, row.moment) for row in rows}

    async def tell(self, user_id: int, game: str, lesson: str, table_id: int, moment: int) -> None:
        """Note that a person is told a lesson now."""
        values = {"user_id": user_id, "game": game, "lesson": lesson, "table_id": table_id, "moment": moment}
        await self._upsert(schema.lessons, values, KEY)

    @writing
    def begin_again(self, connection: Connection, change: Change) -> None:
        """Take a lesson's table to its start; its notes are new again. Raise Conflict if it has moved on."""
        write_restart(connection, change)
        connection.execute(delete(schema.lessons).where(schema.lessons.c.table_id == change.table_id))

    @writing
    def stop(self, connection: Connection, user_id: int, games: Collection[str], mark: str) -> None:
        """Note under a mark that a person wants no more lessons of some games."""
        for game in games:
            values = {"user_id": user_id, "game": game, "lesson": mark, "table_id": 0, "moment": 0}
            upsert(connection, schema.lessons, values, KEY)

    async def forget(self, user_id: int) -> None:
        """Forget which lessons a person was told, and that they wanted no more."""
        rows = schema.lessons.c
        await self._execute(delete(schema.lessons).where(rows.user_id == user_id))
