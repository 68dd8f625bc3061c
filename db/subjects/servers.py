"""Servers that removed the bot: their tables wait, come back, or are erased."""

from sqlalchemy import Connection, delete, or_, select, union, update

from db import schema
from db.access import Access, on_conflict, write_transaction
from db.records.servers import ServerSettings
from db.subjects.studies import delete_studies_of

T, G, C = schema.tables.c, schema.guilds.c, schema.cups.c
OF_GUILDS = (
    schema.cups,
    schema.wishes,
    schema.waits,
    schema.ratings,
    schema.rated_games,
    schema.daily_posts,
    schema.daily_members,
    schema.daily_points,
    schema.daily_notices,
    schema.audit,
    schema.guilds,
)
"""Tables erased with a server; the removal itself is forgotten last."""


class Servers(Access):
    """Records which servers have removed the bot, and when."""

    async def known_servers(self) -> set[int]:
        """Return this process's servers that have any rows."""
        kept = (table.c.guild_id for table in (schema.tables, *OF_GUILDS))
        # What belongs to no server can't be removed by one.
        queries = (select(column).distinct().where(column != 0, *self._shards.of(column)) for column in kept)
        return set(await self._scalars(union(*queries)))

    async def removed_servers(self) -> dict[int, float]:
        """Return this process's servers that removed the bot, each with the time.

        Without a readable time nothing of a server is erased.
        """
        gone = (G.removed_at.is_not(None), *self._shards.of(G.guild_id))
        query = select(G.guild_id, G.removed_at).where(*gone).order_by(G.guild_id)
        rows = await self._plain_rows(query)
        return {row.guild_id: row.removed_at for row in rows if isinstance(row.removed_at, float)}

    @write_transaction
    def note_removed(self, connection: Connection, guild_id: int, at: float) -> list[int]:
        """Record that a server removed the bot.

        Nothing is due or posted there. Return the tables at which something was due. The caller pauses
        running games.
        """
        here = select(T.id).where(T.guild_id == guild_id)
        waiting = (T.guild_id == guild_id, T.due_at.is_not(None))
        resting = (*waiting, or_(T.phase == "lobby", T.paused_at.is_not(None)))
        row = ServerSettings(guild_id)
        values = {name: getattr(row, name) for name in ServerSettings.__struct_fields__} | {"removed_at": at}
        noting = on_conflict(connection.dialect.name, schema.guilds, ("guild_id",), ("removed_at",))
        connection.execute(noting, [values])
        ids = list(connection.execute(select(T.id).where(*resting)).scalars())
        connection.execute(update(schema.tables).where(*resting).values(due_at=None))
        connection.execute(delete(schema.outbox).where(schema.outbox.c.table_id.in_(here)))
        return ids

    async def running_games(self, limit: int, after: int | None = None) -> list[int]:
        """Return running games of servers that removed the bot. Optionally those behind one."""
        gone = select(G.guild_id).where(G.removed_at.is_not(None), *self._shards.of(G.guild_id))
        query = select(T.id).where(T.guild_id.in_(gone), T.phase == "play", T.paused_at.is_(None))
        if after is not None:
            query = query.where(T.id > after)
        return await self._scalars(query.order_by(T.id).limit(limit))

    async def paused_games(self, guild_id: int) -> list[int]:
        """Return a server's paused games, whoever paused them."""
        here = (T.guild_id == guild_id, T.phase == "play", T.paused_at.is_not(None))
        return await self._scalars(select(T.id).where(*here).order_by(T.id))

    @write_transaction
    def come_back(self, connection: Connection, guild_id: int, now: float, lobby_lasts: float) -> list[int]:
        """Forget a removal; give lobbies and cup rounds back their lost time.

        Return the tables that changed.
        """
        at = connection.scalar(select(G.removed_at).where(G.guild_id == guild_id))
        if at is None:
            return []
        lobbies = (T.guild_id == guild_id, T.phase == "lobby")
        paused = (T.guild_id == guild_id, T.phase == "play", T.paused_at.is_not(None))
        stood = now - at
        ids = list(connection.execute(select(T.id).where(*lobbies)).scalars())
        ids += connection.execute(select(T.id).where(*paused)).scalars()
        since = T.touched_at + stood
        for change in (
            update(schema.tables).where(*lobbies).values(touched_at=since, due_at=since + lobby_lasts),
            update(schema.tables).where(*paused).values(due_at=now),
            update(schema.cups)
            .where(C.guild_id == guild_id, C.phase == "play")
            .values(began_at=C.began_at + stood),
            update(schema.guilds).where(G.guild_id == guild_id).values(removed_at=None),
        ):
            connection.execute(change)
        return ids

    @write_transaction
    def erase_tables(self, connection: Connection, guild_id: int, limit: int) -> list[int]:
        """Erase some tables of a server with all that belongs to them.

        Return their numbers, and those of studies of their games.
        """
        some = select(T.id).where(T.guild_id == guild_id).order_by(T.id).limit(limit)
        ids = list(connection.execute(some).scalars())
        connection.execute(delete(schema.tables).where(T.id.in_(ids)))
        return [*ids, *delete_studies_of(connection, ids)]

    @write_transaction
    def erase_rest(self, connection: Connection, guild_id: int) -> None:
        """Erase everything else of a server whose tables are erased."""
        for table in OF_GUILDS:
            connection.execute(delete(table).where(table.c.guild_id == guild_id))
