"""Boards that can't be posted: their clocks stop, and their people hear of it once."""

from functools import partial

from msgspec.structs import replace

from tables.core import turns
from tables.core.change import BOARD, LOBBY, Change, DecisionContext, PostRequest, TableState
from tables.core.repository import Repository
from tables.core.table import BoardObstacle, Phase, Table

BLOCKED = "blocked"
"""The kind of DM that tells a person that their board can't be posted."""


class Obstacles:
    """Notes which boards can't be posted, and which can again."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def block(self, table_id: int, obstacle: BoardObstacle, refusal: int = 0) -> None:
        """Stop the clocks of a table without a board, and notify its people once.

        `refusal` is Discord's code.
        """
        await self._repository.apply(table_id, partial(block, obstacle=obstacle, refusal=refusal))

    async def unblock(self, table: Table) -> None:
        """Restart the clocks of a table whose board can be posted again."""
        if table.obstacle is not None:
            await self._repository.apply(table.id, unblock)


def block(
    loaded: TableState, now: DecisionContext, *, obstacle: BoardObstacle, refusal: int = 0
) -> Change | None:
    """Stop a table's clocks; see `Obstacles.block`."""
    table = loaded.table
    is_known = (table.obstacle, table.refusal) == (obstacle, refusal)
    if table.phase is not Phase.PLAY or table.is_alone or is_known:
        return None
    is_new = table.obstacle is None
    people = table.people if is_new else ()
    notices = (
        PostRequest(BLOCKED, user, fresh=True, at=now.person(user).awake_at(now.at)) for user in people
    )
    clocks = turns.stop_clocks(table, now.rests, now.at)
    stopped = replace(table, clocks=clocks, obstacle=obstacle, refusal=refusal)
    return Change(stopped, shows=(LOBBY, *notices))


def unblock(loaded: TableState, now: DecisionContext) -> Change | None:
    """Restart a table's clocks; see `Obstacles.unblock`."""
    table = loaded.table
    if table.obstacle is None:
        return None
    free = replace(table, obstacle=None, refusal=0)
    return Change(replace(free, clocks=turns.start_clocks(free, now.at)), shows=(BOARD, LOBBY))
