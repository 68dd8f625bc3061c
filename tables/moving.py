"""A table that moves to another channel, by an administrator's wish."""

from __future__ import annotations

from msgspec.structs import replace

from tables.history import EntryKind
from tables.model import Phase, Refused, Table
from tables.repository import Outgoing, Repository, require_open

MOVED = "moved"
"""The kind of outbox row that says where a table has lived where it goes on; its target is that place."""


class Moving:
    """Moves tables. A thread can't be moved: a new one is made when the board is next shown."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def move(self, table_id: int, actor_id: int, channel_id: int) -> Table:
        """Let a table live in another channel: its card or its board is shown there afresh.

        Raises:
            Refused: when the table is closed, or lives there already.
        """
        async with self._repository.lock(table_id):
            loaded = await self._repository.load(table_id)
            table = loaded.table
            require_open(table)
            if table.channel_id == channel_id:
                raise Refused(f"Table {table.id} lives in <#{channel_id}> already.")
            entry = self._repository.entry(loaded, EntryKind.MOVED, actor_id, payload=table.channel_id)
            shown: list[Outgoing] = [("lobby", 0, table.phase is Phase.LOBBY)]
            if table.phase is Phase.PLAY:
                shown += [("board", 0, True), (MOVED, table.thread_id or table.channel_id, True)]
            if loaded.position is not None:
                shown += [
                    ("hand", sitter.user_id, False)
                    for sitter, hand in zip(table.seats, loaded.position.hands, strict=True)
                    if sitter.user_id is not None and hand is not None
                ]
            elsewhere = replace(table, channel_id=channel_id, thread_id=None)
            return await self._repository.commit(
                loaded, elsewhere, [entry], loaded.position, shown, moved=True
            )
