"""Moves a table to another channel for an administrator."""

from functools import partial

from msgspec.structs import replace

from tables.core.change import (
    FRESH_BOARD,
    Change,
    DecisionContext,
    PostRequest,
    TableState,
    entry,
    with_reason_entry,
)
from tables.core.history import EntryKind
from tables.core.repository import Repository
from tables.core.requirements import require_open
from tables.core.table import Phase, Refused, Table

MOVED = "moved"
"""The kind of post that links from a table's old place, its target, to the new one."""


class Moving:
    """Moves tables. A thread can't move: the next board makes a new one."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def move(self, table_id: int, actor_id: int, channel_id: int, reason: str = "") -> Table:
        """Move a table to another channel, where its card or board is posted afresh.

        Raises:
            Refused: if the table is closed, or there already.
        """
        decide = with_reason_entry(
            partial(move_to, actor_id=actor_id, channel_id=channel_id), actor_id, reason
        )
        return (await self._repository.apply(table_id, decide)).table


def move_to(loaded: TableState, now: DecisionContext, *, actor_id: int, channel_id: int) -> Change:
    """Move a table; see `Moving.move`."""
    table = loaded.table
    require_open(table)
    if table.channel_id == channel_id:
        raise Refused(f"Table {table.id} is already in <#{channel_id}>.")
    shows = [PostRequest("lobby", fresh=table.phase is Phase.LOBBY)]
    if table.phase is Phase.PLAY:
        shows += [FRESH_BOARD, PostRequest(MOVED, table.thread_id or table.channel_id, fresh=True)]
    if loaded.position is not None:
        shows += [
            PostRequest("hand", occupant.user_id)
            for occupant, hand in zip(table.seats, loaded.position.hands, strict=True)
            if occupant.user_id is not None and hand is not None
        ]
    return Change(
        table=replace(table, channel_id=channel_id),
        entries=(entry(EntryKind.MOVED, actor_id, payload=table.channel_id),),
        shows=tuple(shows),
        thread=None,
    )
