"""Seats that change hands while a game goes on: from person to person, or from a computer to a person."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from engines.game import Seat
from tables.history import EntryKind
from tables.lobby import require_room
from tables.model import Refused, Sitter, Table
from tables.repository import Outgoing, Repository, require_play


class TakeOver(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whose seat somebody has taken over: the names of both, and who of them is a person.

    `why` is ``offered`` by its owner, ``agreed`` by the others, or ``admin``.
    """

    old: str
    new: str
    why: str
    left: int | None = None
    came: int | None = None


class Seating:
    """Gives the seats of games that are going on to other people. No call is made under a table's lock."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def give(
        self, table_id: int, seat: Seat, user_id: int, name: str, why: str, actor_id: int | None
    ) -> Table:
        """Give a seat to a person, with its hand and two increments at least; who had it is told.

        Raises:
            Refused: when no game is going on, the person sits there or at as many tables as one may.
        """
        await require_room(self._repository, (await self._repository.table(table_id)).guild_id, user_id)
        async with self._repository.lock(table_id):
            loaded = await self._repository.load(table_id)
            table, now = loaded.table, self._repository.clock()
            require_play(table)
            require_stranger(table, user_id, name)
            old = table.seats[seat]
            sitter = Sitter(name, user_id)
            rests = await self._repository.time.rests(replace(table, seats=(sitter,)))
            clock = table.clock(seat).at_least(2 * table.pace.increment, now, rests[user_id])
            clock = replace(clock, missed=0, deputy=False, late=None)
            seats = (*table.seats[:seat], sitter, *table.seats[seat + 1 :])
            host = user_id if table.host_id == old.user_id or not table.people else table.host_id
            changed = replace(
                table,
                seats=seats,
                host_id=host,
                clocks=(*table.clocks[:seat], clock, *table.clocks[seat + 1 :]),
                proposal=None,
            )
            told = TakeOver(old.name, name, why, old.user_id, user_id)
            entry = self._repository.entry(loaded, EntryKind.TAKE_OVER, actor_id, seat=seat, payload=told)
            shown: list[Outgoing] = [("board", 0, True), ("lobby", 0, False), ("hand", user_id, False)]
            if old.user_id is not None and why != "offered":
                shown.append(("replaced", old.user_id, True))
            return await self._repository.commit(loaded, changed, [entry], loaded.position, shown)


def require_stranger(table: Table, user_id: int, name: str) -> None:
    """Raises Refused for somebody who sits at the table already."""
    if user_id in table.people:
        raise Refused(f"{name} sits at this table already.")
