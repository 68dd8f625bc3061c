"""Whose a database is: one application's of Discord, whose servers, threads and messages it speaks of."""

from __future__ import annotations

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from db import schema
from db.access import Access, writing

APPLICATION = "application"
"""The fact that says whose the database is, by the application's id."""


class OwnedByAnother(Exception):
    """The database is another application's, its `owner`; its text says whose, and what to do."""

    def __init__(self, told: str, owner: int) -> None:
        super().__init__(told)
        self.owner = owner


class Ownership(Access):
    """Keeps a database to the application that has used it first."""

    async def require(self, application_id: int) -> None:
        """Refuse an application that the database isn't of; one that is nobody's yet becomes this one's.

        Of several that ask at once for a database of nobody's, one gets it.

        Raises:
            OwnedByAnother: when it is another's; nothing is changed then.
        """
        owner = await self.owner()
        if owner is None:
            owner = await self._claim(application_id)
        if owner != application_id:
            raise OwnedByAnother(
                f"DISCORD_TOKEN: is of application {application_id}, but the database (DATABASE_URL) is of "
                f"application {owner}, and nothing was done there. Set that bot's token or another "
                "database; to have this application go on with the database, run: python bot.py adopt",
                owner,
            )

    async def owner(self) -> int | None:
        """The id of the application that the database is of; None while it is nobody's."""
        found = await self._scalars(select(schema.facts.c.value).where(schema.facts.c.key == APPLICATION))
        return int(found[0]) if found else None

    @writing
    def _claim(self, connection: Connection, application_id: int) -> int:
        f = schema.facts.c
        insert = (postgresql if connection.dialect.name == "postgresql" else sqlite).insert
        taking = insert(schema.facts).values(key=APPLICATION, value=str(application_id))
        connection.execute(taking.on_conflict_do_nothing())
        return int(connection.execute(select(f.value).where(f.key == APPLICATION)).scalar_one())

    async def release(self) -> int | None:
        """Let the database be of the application that asks next; gives back whose it was."""
        owner = await self.owner()
        await self._execute(delete(schema.facts).where(schema.facts.c.key == APPLICATION))
        return owner
