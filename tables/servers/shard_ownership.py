"""What a process does when it gains or loses shards, and when another process has written something."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import Protocol

from db.processes.notify import ChangeNotice
from db.processes.presence import Presence
from db.processes.shards import Plan
from db.store import Store
from tables.core.outbox import Outbox
from tables.core.people import People
from tables.lobby.blocks import Blocks
from tables.people.digests import Digests
from tables.play.computers import Computers
from tables.play.drafts import Drafts
from tables.runtime.background import Background, ended

ASKEW = 60.0
"""By so many seconds the clocks of two machines may differ; so long, what another has shown is looked for."""


class Owner(Protocol):
    """Everything that acts for servers in this process, and keeps in memory what others may write."""

    store: Store
    clock: Callable[[], float]
    outbox: Outbox
    computers: Computers
    digests: Digests
    drafts: Drafts
    people: People
    blocks: Blocks

    def invalidate_all(self) -> None:
        """Read everything from the database the next time."""

    def invalidate_gaps(self) -> None:
        """Read from the database the next time when the bot was away."""

    def invalidate(self, table_id: int) -> None:
        """Look after a table the next time."""

    def forget(self, table_id: int) -> None:
        """Read a table from the database the next time, with its whole history."""

    async def look_again(self) -> None:
        """Look after all that belongs to the servers for which this process acts."""

    async def written_elsewhere(self, table_id: int) -> None:
        """Go on after another process has written a table."""


class ShardOwnership:
    """Keeps a process to the shards that it holds, and what it keeps in memory true."""

    def __init__(self, parlour: Owner) -> None:
        self._parlour = parlour
        self._shards = parlour.store.shards
        self._background = Background()
        self._tasks: set[asyncio.Task[bool]] = set()

    def lose(self, held: Collection[int] = ()) -> None:
        """Act at once for no other shards than these, for another process may act for the rest."""
        self._shards.hold(self._shards.held & set(held))
        self._parlour.outbox.give_up()
        self._parlour.computers.give_up()

    async def take(self, held: Collection[int]) -> None:
        """Act for these shards from now on, whichever process did so before; memory is read again."""
        since = self._parlour.clock() + ASKEW
        self._parlour.outbox.verify_before = self._parlour.digests.verify_before = since
        self._parlour.invalidate_all()
        self._shards.hold(held)
        await self._parlour.look_again()

    def deaf(self) -> None:
        """What others write is not heard of for now, so that nothing kept of their doing can be trusted."""
        self._shards.hearing = False

    def hearing(self) -> None:
        """What others write is heard of from now on; what they wrote meanwhile is read again."""
        self._parlour.invalidate_all()
        self._shards.hearing = True

    def heard(self, note: ChangeNotice) -> None:
        """Another process has written something."""
        parlour = self._parlour
        match note.subject:
            case "table" if self._shards.owns(note.guild_id):
                parlour.invalidate(note.number)
                work = self._background.run(
                    f"what another process did at table {note.number}",
                    parlour.written_elsewhere(note.number),
                )
                task = asyncio.create_task(work, name=f"table {note.number}, written elsewhere")
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            case "table":
                """It is read again whenever it is asked for."""
            case "rewritten":
                parlour.forget(note.number)
            case "draft":
                parlour.drafts.invalidate(note.number, note.seat or 0)
            case "person":
                parlour.people.invalidate(note.number or None)
                parlour.blocks.invalidate(note.number or None)
            case "gaps":
                parlour.invalidate_gaps()

    def join(
        self, address: str, plan: Plan, claimed: Callable[[frozenset[int]], Awaitable[None]] | None = None
    ) -> Presence:
        """The presence of this process among others on a database; nothing is held until it stays there.

        `claimed` is called with all shards that are held when there are more; without it they are taken.
        """
        self._shards.divide(plan.count)
        return Presence(address, plan, self._shards.name, self, claimed or self.take)

    async def finish(self) -> None:
        """Wait until what was heard of is done."""
        while self._tasks:
            await ended(self._tasks)
