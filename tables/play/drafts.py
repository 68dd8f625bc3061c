"""Drafts of seats in their panels: in memory, and on disk for a restart."""

from typing import Any

import msgspec
from cachetools import LRUCache

from db.records.tables import DraftRow
from db.store import Store
from engines.game import Seat
from tables.core.table import Table
from tables.runtime.cache import Cache

KEPT = 2000
Place = tuple[int, Seat]


class Drafts:
    """Keeps each seat's newest draft. A small change costs no commit: `write` saves all at once."""

    def __init__(self, store: Store, kept: int = KEPT) -> None:
        """At most `kept` drafts stay in memory beside unsaved ones."""
        self._store = store
        self._memory: Cache[Place, DraftRow] = Cache(LRUCache(kept))
        self._unwritten: dict[Place, DraftRow] = {}
        self._told: dict[Place, str] = {}

    async def draft(self, table: Table, seat: Seat, kind: type[Any]) -> Any | None:
        """Return a seat's draft of this very moment.

        None if there is none or it can't be read. An older version of the bot can have written it.
        """
        place = table.id, seat
        row = self._unwritten.get(place)
        if row is None:
            kept = self._memory.read_all([place], self._read) if self._here(table) else self._read([place])
            result = (await kept).get(place)
            row = self._unwritten.get(place) or result
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
        row = DraftRow(table.id, seat, table.moment, msgspec.json.encode(draft).decode())
        self._unwritten[table.id, seat] = row
        if self._here(table):
            self._memory.put((table.id, seat), row)
        else:
            shards = self._store.shards
            self._told[table.id, seat] = shards.note("draft", table.id, table.guild_id, seat)

    def _here(self, table: Table) -> bool:
        """Return True if this process acts for a table, so its drafts are mostly made here."""
        return self._store.shards.owns(table.guild_id)

    def invalidate(self, table_id: int | None = None, seat: Seat = 0) -> None:
        """Forget a seat's draft in memory. Without a table, all but unsaved ones."""
        if table_id is None:
            self._memory.invalidate()
        else:
            self._memory.invalidate((table_id, seat))
            self._unwritten.pop((table_id, seat), None)

    async def write(self) -> None:
        """Save the drafts changed since the last call, in one commit."""
        (rows, self._unwritten), (texts, self._told) = (self._unwritten, {}), (self._told, {})
        if not rows:
            return
        try:
            await self._store.save_drafts(
                list(rows.values()), [texts[place] for place in texts if texts[place]]
            )
        except BaseException:
            self._unwritten = rows | self._unwritten
            self._told = texts | self._told
            raise
