"""Cups: their players, and the tables of their rounds."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, insert, or_, select, update

from db import schema
from db.access import Access, lock, require, write_transaction
from db.batch import add_table
from db.records import LARGEST_NUMBER, CupPlayerRow, CupRow, CupTableRow, Guard, SeatRow, TableRow


class CupChange(msgspec.Struct, frozen=True):
    """Changes of one cup.

    Attributes:
        values: new values for its row.
        joins: new players, last of all; their own `number` is ignored.
        leaves: players who are removed.
        drops: players who drop out.
        tables: the tables of its rounds.
        guards: conditions that must hold in the write.
    """

    values: dict[str, Any] = {}
    joins: CupPlayerRow | None = None
    leaves: int | None = None
    drops: int | None = None
    tables: tuple[CupTableRow, ...] = ()
    guards: tuple[Guard, ...] = ()


class Cups(Access):
    """Reads and writes every cup, with its players and tables."""

    async def cup(self, cup_id: int) -> CupRow | None:
        if not 0 < cup_id <= LARGEST_NUMBER:
            return None
        return await self._row(CupRow, select(schema.cups).where(schema.cups.c.id == cup_id))

    async def players(self, cup_id: int) -> list[CupPlayerRow]:
        """Return a cup's players in the order in which they joined."""
        p = schema.cup_players.c
        query = select(schema.cup_players).where(p.cup_id == cup_id).order_by(p.number)
        return await self._rows(CupPlayerRow, query)

    async def tables(self, cup_id: int) -> list[CupTableRow]:
        """Return the tables of all rounds of a cup, in order."""
        t = schema.cup_tables.c
        query = select(schema.cup_tables).where(t.cup_id == cup_id).order_by(t.round, t.pod)
        return await self._rows(CupTableRow, query)

    async def within(self, guild_id: int, phases: Sequence[str], limit: int = 100) -> list[CupRow]:
        """Return a server's cups in any of the phases, newest first."""
        c = schema.cups.c
        query = select(schema.cups).where(c.guild_id == guild_id, c.phase.in_(phases))
        return await self._readable_rows(CupRow, query.order_by(c.id.desc()).limit(limit))

    async def lately_at(self, channel_id: int) -> CupRow | None:
        c = schema.cups.c
        newest = select(schema.cups).where(c.channel_id == channel_id).order_by(c.id.desc()).limit(1)
        return await self._row(CupRow, newest)

    async def numbers(self, phases: Sequence[str]) -> list[int]:
        c = schema.cups.c
        here = self._shards.of(c.guild_id)
        return await self._scalars(select(c.id).where(c.phase.in_(phases), *here).order_by(c.id))

    async def to_show(self, phases: Sequence[str], ended: str) -> list[int]:
        """Return cups in any of the phases, and ended ones without an announcement.

        Only those of this process.
        """
        c = schema.cups.c
        untold = (c.phase == ended) & c.announced.is_(False)
        here = self._shards.of(c.guild_id)
        return await self._scalars(select(c.id).where(or_(c.phase.in_(phases), untold), *here).order_by(c.id))

    async def cup_of(self, table_id: int) -> int | None:
        t = schema.cup_tables.c
        entries = await self._scalars(select(t.cup_id).where(t.table_id == table_id).limit(1))
        return int(entries[0]) if entries else None

    @write_transaction
    def create(
        self,
        connection: Connection,
        row: CupRow,
        host: CupPlayerRow,
        phases: Sequence[str],
        guards: Sequence[Guard],
    ) -> int | None:
        """Write a new cup (its `id` is ignored) with its first player.

        Return its number. Return None, and write nothing, if the channel has a cup in one of the phases.
        """
        c = schema.cups.c
        lock(connection, [row.channel_id])
        require(connection, guards)
        values = {key: value for key, value in msgspec.structs.asdict(row).items() if key != "id"}
        others = select(c.id).where(c.channel_id == row.channel_id, c.phase.in_(phases)).limit(1)
        if connection.execute(others).first() is not None:
            return None
        number = int(connection.execute(insert(schema.cups).values(values).returning(c.id)).scalar_one())
        first = msgspec.structs.asdict(msgspec.structs.replace(host, cup_id=number))
        connection.execute(insert(schema.cup_players), [first])
        return number

    async def save(self, cup_id: int, **values: Any) -> None:
        await self._execute(update(schema.cups).where(schema.cups.c.id == cup_id).values(values))

    async def advance(self, cup_id: int, seen: int, **values: Any) -> None:
        """Go on from a round, unless the cup has left it."""
        c = schema.cups.c
        there = (c.id == cup_id, c.phase == "play", c.round == seen)
        await self._execute(update(schema.cups).where(*there).values(values))

    @write_transaction
    def change(
        self,
        connection: Connection,
        cup_id: int,
        decide: Callable[[CupRow | None, list[CupPlayerRow], list[CupTableRow]], CupChange | None],
    ) -> bool:
        """Change a cup as it is in the write.

        Return False if nothing was to change. `decide` sees the rows alone and runs in another thread.
        Whatever it raises is raised here; then nothing is written.
        """
        c, p, t = schema.cups.c, schema.cup_players.c, schema.cup_tables.c
        row = (
            connection.execute(select(schema.cups).where(c.id == cup_id).with_for_update()).mappings().first()
        )
        players = connection.execute(select(schema.cup_players).where(p.cup_id == cup_id).order_by(p.number))
        tables = connection.execute(
            select(schema.cup_tables).where(t.cup_id == cup_id).order_by(t.round, t.pod)
        )
        known = [CupPlayerRow(**one) for one in players.mappings()]
        change = decide(
            None if row is None else CupRow(**row), known, [CupTableRow(**one) for one in tables.mappings()]
        )
        if change is None:
            return False
        require(connection, change.guards)
        if change.values:
            connection.execute(update(schema.cups).where(c.id == cup_id).values(change.values))
        if change.leaves is not None:
            leaving = (p.cup_id == cup_id, p.user_id == change.leaves)
            connection.execute(delete(schema.cup_players).where(*leaving))
        if change.joins is not None:
            number = max((one.number for one in known), default=-1) + 1
            joined = msgspec.structs.replace(change.joins, number=number)
            connection.execute(insert(schema.cup_players), [msgspec.structs.asdict(joined)])
        if change.drops is not None:
            dropping = update(schema.cup_players).where(p.cup_id == cup_id, p.user_id == change.drops)
            connection.execute(dropping.values(dropped=True))
        if change.tables:
            rows = [msgspec.structs.asdict(one) for one in change.tables]
            connection.execute(insert(schema.cup_tables), rows)
        return True

    async def save_player(self, cup_id: int, user_id: int, **values: Any) -> None:
        p = schema.cup_players.c
        changing = update(schema.cup_players).where(p.cup_id == cup_id, p.user_id == user_id)
        await self._execute(changing.values(values))

    @write_transaction
    def open_table(
        self,
        connection: Connection,
        pod: CupTableRow,
        row: TableRow,
        seats: Sequence[SeatRow],
        guards: Sequence[Guard] = (),
    ) -> int:
        """Write a new table for a pod, both or none. Return its number, or the one it had."""
        t = schema.cup_tables.c
        here = (t.cup_id == pod.cup_id, t.round == pod.round, t.pod == pod.pod)
        known = connection.execute(select(t.table_id).where(*here).with_for_update()).scalar_one()
        if known is not None:
            return int(known)
        require(connection, guards)
        number = add_table(connection, row, seats)
        connection.execute(update(schema.cup_tables).where(*here).values(table_id=number))
        return number

    async def settle(self, pod: CupTableRow) -> None:
        t = schema.cup_tables.c
        here = (t.cup_id == pod.cup_id, t.round == pod.round, t.pod == pod.pod)
        await self._execute(update(schema.cup_tables).where(*here).values(seats=pod.seats, places=pod.places))
