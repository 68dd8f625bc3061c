"""Blocks: blocked pairs don't see each other's tables, and don't learn of it."""

from collections.abc import Iterable

from cachetools import LRUCache

from db.store import Store
from tables.core.guards import NO_SEAT
from tables.core.table import Refused
from tables.runtime.cache import Cache

CACHED = 10_000
MOST = 100
"""The most people one person can block."""


class Blocks:
    """Keeps people apart if either has blocked the other."""

    def __init__(self, store: Store) -> None:
        self._ties = store.relations
        self._known: Cache[int, set[int]] = Cache(LRUCache(CACHED))

    async def apart_from(self, user_id: int) -> set[int]:
        """Return the people from whom a person is kept apart."""
        return await self._known.read(user_id, lambda: self._ties.apart_from(user_id))

    async def blocks_of(self, user_id: int) -> list[int]:
        return await self._ties.blocks_of(user_id)

    async def block(self, user_id: int, other_id: int) -> None:
        """Block somebody.

        Raises:
            Refused: for oneself, and if the list is full.
        """
        if user_id == other_id:
            raise Refused("That's you. Choose someone else.")
        if not await self._ties.block(user_id, other_id, MOST):
            raise Refused(f"You've blocked {MOST} people, which is the limit. Unblock someone first.")
        self._forget(user_id, other_id)

    async def unblock(self, user_id: int, other_id: int) -> None:
        """Unblock somebody. Raise Refused if they aren't blocked."""
        if other_id not in await self._ties.blocks_of(user_id):
            raise Refused("You haven't blocked them.")
        await self._ties.unblock(user_id, other_id)
        self._forget(user_id, other_id)

    def invalidate(self, user_id: int | None = None) -> None:
        """Read a person's blocks, or everybody's, from the database next time."""
        self._known.invalidate(user_id)

    def _forget(self, *user_ids: int) -> None:
        for user_id in user_ids:
            self._known.invalidate(user_id)

    async def can_meet(self, user_id: int, people: Iterable[int]) -> bool:
        """Return True if a person can sit at a table with all of these."""
        return not await self.apart_from(user_id) & set(people)

    async def require_can_meet(self, user_id: int, people: Iterable[int]) -> None:
        """Raise Refused, without a reason, if a person can't sit with these."""
        if not await self.can_meet(user_id, people):
            raise Refused(NO_SEAT)
