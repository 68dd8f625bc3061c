"""Cups: who takes part in them, and the tables of their rounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, func, insert, or_, select, update

from db import schema
from db.access import Access, writing
from db.batch import add_table
from db.records import CupPlayerRow, CupRow, CupTableRow, SeatRow, TableRow


class Cups(Access):
    """Every cup of every server, with its players and tables."""

    async def cup(self, cup_id: int) -> CupRow | None:
        """One cup by its number."""
        return await self._row(CupRow, select(schema.cups).where(schema.cups.c.id == cup_id))

    async def players(self, cup_id: int) -> list[CupPlayerRow]:
        """Who takes part in a cup, in the order in which they joined."""
        p = schema.cup_players.c
        query = select(schema.cup_players).where(p.cup_id == cup_id).order_by(p.number)
        return await self._rows(CupPlayerRow, query)

    async def tables(self, cup_id: int) -> list[CupTableRow]:
        """The tables of all rounds of a cup, in order."""
        t = schema.cup_tables.c
        query = select(schema.cup_tables).where(t.cup_id == cup_id).order_by(t.round, t.pod)
        return await self._rows(CupTableRow, query)

    async def within(self, guild_id: int, phases: Sequence[str], limit: int = 100) -> list[CupRow]:
        """A server's cups in any of the phases, the newest first."""
        c = schema.cups.c
        query = select(schema.cups).where(c.guild_id == guild_id, c.phase.in_(phases))
        return await self._rows(CupRow, query.order_by(c.id.desc()).limit(limit))

    async def lately_at(self, channel_id: int) -> CupRow | None:
        """The newest cup of a channel."""
        c = schema.cups.c
        newest = select(schema.cups).where(c.channel_id == channel_id).order_by(c.id.desc()).limit(1)
        return await self._row(CupRow, newest)

    async def numbers(self, phases: Sequence[str]) -> list[int]:
        """The numbers of all cups in any of the phases for which this process acts."""
        c = schema.cups.c
        here = self._shards.of(c.guild_id)
        return await self._scalars(select(c.id).where(c.phase.in_(phases), *here).order_by(c.id))

    async def to_show(self, phases: Sequence[str], ended: str) -> list[int]:
        """The numbers of all cups in any of the phases, and of those that have ended and nobody was told.

        Only those for which this process acts.
        """
        c = schema.cups.c
        untold = (c.phase == ended) & c.announced.is_(False)
        here = self._shards.of(c.guild_id)
        return await self._scalars(select(c.id).where(or_(c.phase.in_(phases), untold), *here).order_by(c.id))

    async def cup_of(self, table_id: int) -> int | None:
        """The cup that a table belongs to."""
        t = schema.cup_tables.c
        found = await self._scalars(select(t.cup_id).where(t.table_id == table_id).limit(1))
        return int(found[0]) if found else None

    @writing
    def create(
        self, connection: Connection, row: CupRow, host: CupPlayerRow, phases: Sequence[str]
    ) -> int | None:
        """Write a new cup (its `id` is ignored) with its first player; give back its number.

        None, and nothing is written, where the channel has a cup in one of the phases.
        """
        c = schema.cups.c
        values = {key: value for key, value in msgspec.structs.asdict(row).items() if key != "id"}
        others = select(c.id).where(c.channel_id == row.channel_id, c.phase.in_(phases)).limit(1)
        if connection.execute(others).first() is not None:
            return None
        number = int(connection.execute(insert(schema.cups).values(values).returning(c.id)).scalar_one())
        first = msgspec.structs.asdict(msgspec.structs.replace(host, cup_id=number))
        connection.execute(insert(schema.cup_players), [first])
        return number

    async def save(self, cup_id: int, **values: Any) -> None:
        """Change some columns of a cup."""
        changing = update(schema.cups).where(schema.cups.c.id == cup_id).values(values)
        await self._execute(changing)

    @writing
    def join(self, connection: Connection, row: CupPlayerRow) -> None:
        """Let somebody take part, as the last of all; their own `number` is ignored."""
        p = schema.cup_players.c
        last = select(func.max(p.number)).where(p.cup_id == row.cup_id)
        number = connection.execute(last).scalar_one_or_none()
        numbered = msgspec.structs.replace(row, number=0 if number is None else number + 1)
        connection.execute(insert(schema.cup_players), [msgspec.structs.asdict(numbered)])

    @writing
    def leave(self, connection: Connection, cup_id: int, user_id: int, host_id: int) -> None:
        """Take somebody out of a cup as if they had never joined; `host_id` is its host then."""
        p = schema.cup_players.c
        connection.execute(delete(schema.cup_players).where(p.cup_id == cup_id, p.user_id == user_id))
        connection.execute(update(schema.cups).where(schema.cups.c.id == cup_id).values(host_id=host_id))

    async def save_player(self, cup_id: int, user_id: int, **values: Any) -> None:
        """Change some columns of who takes part."""
        p = schema.cup_players.c
        changing = update(schema.cup_players).where(p.cup_id == cup_id, p.user_id == user_id)
        await self._execute(changing.values(values))

    @writing
    def begin(
        self, connection: Connection, /, cup_id: int, rows: Sequence[CupTableRow], seen: str, **values: Any
    ) -> bool:
        """Write the tables of all rounds, and what changes of the cup; False where it isn't as `seen`.

        `seen` is the phase in which it was.
        """
        c = schema.cups.c
        beginning = update(schema.cups).where(c.id == cup_id, c.phase == seen).values(values)
        tables = [msgspec.structs.asdict(row) for row in rows]
        if connection.execute(beginning).rowcount != 1:
            return False
        connection.execute(insert(schema.cup_tables), tables)
        return True

    @writing
    def open_table(
        self, connection: Connection, pod: CupTableRow, row: TableRow, seats: Sequence[SeatRow]
    ) -> int:
        """Write a new table as that of a pod, both or none; gives back its number, or that of one it had."""
        t = schema.cup_tables.c
        here = (t.cup_id == pod.cup_id, t.round == pod.round, t.pod == pod.pod)
        known = connection.execute(select(t.table_id).where(*here).with_for_update()).scalar_one()
        if known is not None:
            return int(known)
        number = add_table(connection, row, seats)
        connection.execute(update(schema.cup_tables).where(*here).values(table_id=number))
        return number

    async def settle(self, pod: CupTableRow) -> None:
        """Note how the game of a pod has ended, and who sat there to the end."""
        t = schema.cup_tables.c
        here = (t.cup_id == pod.cup_id, t.round == pod.round, t.pod == pod.pod)
        await self._execute(update(schema.cup_tables).where(*here).values(seats=pod.seats, places=pod.places))
