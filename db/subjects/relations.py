"""Links between people, and from people to tables where they don't sit."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import ColumnElement, Connection, Table, delete, select
from sqlalchemy import func as sql

from db import schema
from db.access import Access, lock, require, upsert, write_transaction
from db.batch import add_table, outbox_insert
from db.records import Guard, InvitationRow, OutboxRow, SeatRow, TableRow, WaitRow, WishRow

KEPT_WAITS = 20
"""The newest waits that are kept for a game in a server."""


class Relations(Access):
    """Reads and writes blocks, followers, invitations and wishes."""

    async def blocks_of(self, user_id: int) -> list[int]:
        b = schema.blocks.c
        return await self._scalars(select(b.blocked_id).where(b.user_id == user_id).order_by(b.blocked_id))

    async def apart_from(self, user_id: int) -> set[int]:
        """Return the people whom a person has blocked, and who have blocked them."""
        b = schema.blocks.c
        ours = select(b.blocked_id).where(b.user_id == user_id)
        theirs = select(b.user_id).where(b.blocked_id == user_id)
        return set(await self._scalars(ours.union(theirs)))

    @write_transaction
    def block(self, connection: Connection, user_id: int, blocked_id: int, most: int) -> bool:
        """Block somebody; return False if the person has reached the limit."""
        values = {"user_id": user_id, "blocked_id": blocked_id}
        lock(connection, [user_id, blocked_id])
        connection.execute(delete(schema.blocks).where(*_matches(schema.blocks, values)))
        mine = select(sql.count()).where(schema.blocks.c.user_id == user_id)
        if int(connection.execute(mine).scalar_one()) >= most:
            return False
        connection.execute(schema.blocks.insert(), [values])
        self._tell_both(connection, values)
        return True

    async def unblock(self, user_id: int, blocked_id: int) -> None:
        await self._erase(schema.blocks, {"user_id": user_id, "blocked_id": blocked_id})

    async def followers(self, table_id: int) -> list[int]:
        return await self._tied(schema.followers, table_id)

    async def invitees(self, table_id: int) -> list[int]:
        return await self._tied(schema.invitations, table_id)

    async def invitations_of(self, user_id: int) -> set[int]:
        i = schema.invitations.c
        return set(await self._scalars(select(i.table_id).where(i.user_id == user_id)))

    async def _tied(self, table: Table, table_id: int) -> list[int]:
        tied = select(table.c.user_id).where(table.c.table_id == table_id).order_by(table.c.user_id)
        return await self._scalars(tied)

    async def follow(self, table_id: int, user_id: int, follows: bool) -> None:
        await self._tie(schema.followers, table_id, user_id, tied=follows)

    @write_transaction
    def invite(self, connection: Connection, row: InvitationRow, since: float, most: int) -> bool:
        """Save an invitation; return False, and write nothing, beyond the limit.

        The limit is `most` invitations by the same person since an instant.
        """
        i = schema.invitations.c
        lately = select(sql.count()).where(i.by_id == row.by_id, i.at >= since)
        if int(connection.execute(lately).scalar_one()) >= most:
            return False
        upsert(connection, schema.invitations, msgspec.structs.asdict(row), ("table_id", "user_id"))
        return True

    async def invitation(self, table_id: int, user_id: int) -> InvitationRow | None:
        i = schema.invitations.c
        result = select(schema.invitations).where(i.table_id == table_id, i.user_id == user_id)
        return await self._row(InvitationRow, result)

    async def times_invited(self, user_id: int, since: float) -> int:
        i = schema.invitations.c
        invited = select(sql.count()).where(i.user_id == user_id, i.at >= since, i.by_id.is_not(None))
        return int((await self._scalars(invited))[0])

    async def is_unwanted(self, user_id: int, by_id: int) -> bool:
        u = schema.unwanted.c
        return bool(await self._scalars(select(u.by_id).where(u.user_id == user_id, u.by_id == by_id)))

    @write_transaction
    def set_unwanted(self, connection: Connection, user_id: int, by_id: int, *, wanted: bool) -> None:
        """Accept invitations by another, or refuse them all."""
        values = {"user_id": user_id, "by_id": by_id}
        connection.execute(delete(schema.unwanted).where(*_matches(schema.unwanted, values)))
        if not wanted:
            connection.execute(schema.unwanted.insert(), [values])

    @write_transaction
    def _tie(self, connection: Connection, table: Table, table_id: int, user_id: int, *, tied: bool) -> None:
        values = {"table_id": table_id, "user_id": user_id}
        connection.execute(delete(table).where(*_matches(table, values)))
        if tied:
            connection.execute(table.insert(), [values])

    async def wishes(self, guild_id: int, game: str, since: float) -> list[WishRow]:
        """Return a server's wishes for a game since an instant, longest waiting first."""
        w = schema.wishes.c
        looking = select(schema.wishes).where(w.guild_id == guild_id, w.game == game, w.at >= since)
        return await self._readable_rows(WishRow, looking.order_by(w.at, w.user_id))

    async def wishes_of(self, guild_id: int, user_id: int, since: float) -> list[WishRow]:
        w = schema.wishes.c
        own = select(schema.wishes).where(w.guild_id == guild_id, w.user_id == user_id, w.at >= since)
        return await self._readable_rows(WishRow, own.order_by(w.game))

    @write_transaction
    def wish(self, connection: Connection, guild_id: int, user_id: int, rows: Sequence[WishRow]) -> None:
        """Replace a person's wishes in a server."""
        w = schema.wishes.c
        connection.execute(delete(schema.wishes).where(w.guild_id == guild_id, w.user_id == user_id))
        for row in rows:
            upsert(connection, schema.wishes, msgspec.structs.asdict(row), ("guild_id", "user_id", "game"))

    @write_transaction
    def forget_wishes(self, connection: Connection, before: float) -> None:
        connection.execute(delete(schema.wishes).where(schema.wishes.c.at < before))

    @write_transaction
    def open_match(
        self,
        connection: Connection,
        wished: Sequence[WishRow],
        host_id: int,
        row: TableRow,
        seats: Sequence[SeatRow],
        now: float,
        guards: Sequence[Guard] = (),
    ) -> int | None:
        """Write a table for people who wished for it; invite them.

        It uses up their wishes. Return its number; None, and write nothing, if one of the wishes is gone.
        """
        w = schema.wishes.c
        wishing = w.user_id.in_([one.user_id for one in wished])
        used = [w.guild_id == row.guild_id, w.game == row.game, wishing]
        others = [one.user_id for one in wished if one.user_id != host_id]
        found = connection.execute(select(schema.wishes).where(*used).with_for_update())
        there = {WishRow(**one._mapping) for one in found}
        if there != set(wished):
            return None
        require(connection, guards)
        connection.execute(delete(schema.wishes).where(*used))
        # The newest wish has found people at once, and says nothing about waiting.
        newcomer = max(wished, key=lambda one: one.at)
        waited = [one for one in wished if one is not newcomer]
        waits = [WaitRow(one.guild_id, one.game, now, max(0.0, now - one.at)) for one in waited]
        connection.execute(schema.waits.insert(), [msgspec.structs.asdict(wait) for wait in waits])
        c, newest = schema.waits.c, waits[0]
        here = [c.guild_id == newest.guild_id, c.game == newest.game]
        kept = select(c.id).where(*here).order_by(c.id.desc()).limit(KEPT_WAITS)
        connection.execute(delete(schema.waits).where(*here, c.id.not_in(kept.scalar_subquery())))
        number = add_table(connection, row, seats)
        ties = [{"table_id": number, "user_id": other} for other in others]
        connection.execute(schema.invitations.insert(), ties)
        asked = [
            msgspec.structs.asdict(OutboxRow(number, "invited", other, row.version, True, 0, now))
            for other in others
        ]
        connection.execute(outbox_insert(connection.dialect.name, again=False), asked)
        return number

    async def waits(self, guild_id: int, game: str, since: float) -> list[float]:
        """Return the newest waits for a game in a server, in seconds."""
        w = schema.waits.c
        newest = select(w.seconds).where(w.guild_id == guild_id, w.game == game, w.at >= since)
        return await self._scalars(newest.order_by(w.id.desc()))

    @write_transaction
    def _erase(self, connection: Connection, table: Table, values: dict[str, int]) -> None:
        connection.execute(delete(table).where(*_matches(table, values)))
        self._tell_both(connection, values)

    def _tell_both(self, connection: Connection, values: dict[str, int]) -> None:
        for user_id in values.values():
            self._tell(connection, "person", user_id)


def _matches(table: Table, values: dict[str, int]) -> list[ColumnElement[bool]]:
    return [table.c[name] == value for name, value in values.items()]
