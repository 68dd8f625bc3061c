"""Binds a database to one Discord application, to which its servers and messages belong."""

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from db import schema
from db.access import Access, write_transaction

APPLICATION = "application"
"""The fact with the id of the owning application."""


class ForeignDatabase(Exception):
    """Raised if the database is another application's, its `owner`; its text says what to do."""

    def __init__(self, told: str, owner: int) -> None:
        super().__init__(told)
        self.owner = owner


class Ownership(Access):
    """Keeps a database to the application that used it first."""

    async def require(self, application_id: int) -> None:
        """Refuse a foreign application; claim a database without an owner.

        Of several that claim it at once, one gets it.

        Raises:
            OwnedByAnother: if another owns it; nothing is changed then.
        """
        owner = await self.owner()
        if owner is None:
            owner = await self._claim(application_id)
        if owner != application_id:
            raise ForeignDatabase(
                f"DISCORD_TOKEN: is of application {application_id}, but the database (DATABASE_URL) is of "
                f"application {owner}, and nothing was done there. Set that bot's token or another "
                "database; to have this application go on with the database, run: python bot.py adopt",
                owner,
            )

    async def owner(self) -> int | None:
        """Return the owning application; None if there is none yet."""
        entries = await self._scalars(select(schema.facts.c.value).where(schema.facts.c.key == APPLICATION))
        return int(entries[0]) if entries else None

    @write_transaction
    def _claim(self, connection: Connection, application_id: int) -> int:
        f = schema.facts.c
        insert = (postgresql if connection.dialect.name == "postgresql" else sqlite).insert
        taking = insert(schema.facts).values(key=APPLICATION, value=str(application_id))
        connection.execute(taking.on_conflict_do_nothing())
        return int(connection.execute(select(f.value).where(f.key == APPLICATION)).scalar_one())

    async def release(self) -> int | None:
        """Free the database for the next application; return the old owner."""
        owner = await self.owner()
        await self._execute(delete(schema.facts).where(schema.facts.c.key == APPLICATION))
        return owner
