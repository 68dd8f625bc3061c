"""What seats have drafted in their panels: in memory, and on disk for the convenience of a restart."""

from __future__ import annotations

from typing import Any

import msgspec
from cachetools import LRUCache

from db.records import DraftRow
from db.store import Store
from engines.game import Seat
from tables.core.table import Table
from tables.runtime.cache import Cache

KEPT = 2000
Place = tuple[int, Seat]


class Drafts:
    """The newest draft of each seat. A nudge costs no commit: `write` takes all that changed at once."""

    def __init__(self, store: Store, kept: int = KEPT) -> None:
        """At most `kept` drafts stay in memory beside those that are not written yet."""
        self._store = store
        self._memory: Cache[Place, DraftRow] = Cache(LRUCache(kept))
        self._unwritten: dict[Place, DraftRow] = {}
        self._told: dict[Place, str] = {}

    async def draft(self, table: Table, seat: Seat, kind: type[Any]) -> Any | None:
        """What a seat drafted in this very moment of its table; None for nothing, or nothing readable.

        What an older version of the bot has drafted need not be understood by this one.
        """
        place = table.id, seat
        row = self._unwritten.get(place)
        if row is None:
            kept = self._memory.read_all([place], self._read) if self._here(table) else self._read([place])
            found = (await kept).get(place)
            row = self._unwritten.get(place) or found
        if row is None or row.version != table.moment:
            return None
        try:
            return msgspec.json.decode(row.payload, type=kind)
        except msgspec.MsgspecError:
            return None

    async def _read(self, places: list[Place]) -> dict[Place, DraftRow]:
        rows = {place: await self._store.draft(*place) for place in places}
        return {place: row for place, row in rows.items() if row is not None}

    def save(self, table: Table, seat: Seat, draft: msgspec.Struct) -> None:
        """Keep what a seat has drafted, until its table moves on."""
        row = DraftRow(table.id, seat, table.moment, msgspec.json.encode(draft).decode())
        self._unwritten[table.id, seat] = row
        if self._here(table):
            self._memory.put((table.id, seat), row)
        else:
            shards = self._store.shards
            self._told[table.id, seat] = shards.note("draft", table.id, table.guild_id, seat)

    def _here(self, table: Table) -> bool:
        """Whether this process acts for a table, so that what is drafted there is mostly drafted here."""
        return self._store.shards.owns(table.guild_id)

    def invalidate(self, table_id: int | None = None, seat: Seat = 0) -> None:
        """Keep no draft of a seat in memory; without a table, none but those that are not written yet."""
        if table_id is None:
            self._memory.invalidate()
        else:
            self._memory.invalidate((table_id, seat))
            self._unwritten.pop((table_id, seat), None)

    async def write(self) -> None:
        """Write down what has been drafted since the last time, in one commit."""
        (rows, self._unwritten), (told, self._told) = (self._unwritten, {}), (self._told, {})
        if not rows:
            return
        try:
            await self._store.save_drafts(list(rows.values()), [told[place] for place in told if told[place]])
        except BaseException:
            self._unwritten = rows | self._unwritten
            self._told = told | self._told
            raise
