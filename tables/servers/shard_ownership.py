"""Reacts to gained and lost shards, and to other processes' writes."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import Protocol

from db.processes.notify import ChangeNotice
from db.processes.presence import Presence
from db.processes.shards import ShardPlan
from db.store import Store
from tables.core.outbox import Outbox
from tables.core.people import People
from tables.lobby.blocks import Blocks
from tables.people.digests import Digests
from tables.play.computers import Computers
from tables.play.drafts import Drafts
from tables.runtime.background import Background, wait_for_end

CLOCK_TOLERANCE = 60.0
"""Seconds by which two machines' clocks can differ; for that long, others' posts are looked for."""


class ShardOwner(Protocol):
    """Everything that acts for servers in this process, and caches what others can write."""

    store: Store
    clock: Callable[[], float]
    outbox: Outbox
    computers: Computers
    digests: Digests
    drafts: Drafts
    people: People
    blocks: Blocks

    def invalidate_all(self) -> None:
        """Read everything from the database next time."""

    def invalidate_gaps(self) -> None:
        """Read the outages from the database next time."""

    def invalidate(self, table_id: int) -> None:
        """Recheck a table on the next access."""

    def forget(self, table_id: int) -> None:
        """Read a table from the database next time, with its whole history."""

    async def look_again(self) -> None:
        """Check everything in this process's servers."""

    async def on_foreign_write(self, table_id: int) -> None:
        """React to another process's write of a table."""


class ShardOwnership:
    """Keeps a process to its shards, and its caches valid."""

    def __init__(self, parlour: ShardOwner) -> None:
        self._parlour = parlour
        self._shards = parlour.store.shards
        self._background = Background()
        self._tasks: set[asyncio.Task[bool]] = set()

    def lose(self, held: Collection[int] = ()) -> None:
        """Act for no other shards than these, at once. Another process can act for the rest."""
        self._shards.hold(self._shards.held & set(held))
        self._parlour.outbox.give_up()
        self._parlour.computers.give_up()

    async def take(self, held: Collection[int]) -> None:
        """Act for these shards from now on; read all caches again."""
        since = self._parlour.clock() + CLOCK_TOLERANCE
        self._parlour.outbox.verify_before = self._parlour.digests.verify_before = since
        self._parlour.invalidate_all()
        self._shards.hold(held)
        await self._parlour.look_again()

    def on_notices_lost(self) -> None:
        """Stop trusting caches, since other processes' notices don't arrive."""
        self._shards.hearing = False

    def on_notices_back(self) -> None:
        """Trust caches again, after reading everything once more."""
        self._parlour.invalidate_all()
        self._shards.hearing = True

    def on_notice(self, note: ChangeNotice) -> None:
        """Act on another process's notice."""
        parlour = self._parlour
        match note.subject:
            case "table" if self._shards.owns(note.guild_id):
                parlour.invalidate(note.number)
                work = self._background.run(
                    f"what another process did at table {note.number}", parlour.on_foreign_write(note.number)
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
        self,
        address: str,
        plan: ShardPlan,
        claimed: Callable[[frozenset[int]], Awaitable[None]] | None = None,
    ) -> Presence:
        """Make the presence of this process on a database.

        It holds nothing until it stays. `claimed` gets all held shards whenever there are more; by default
        they are taken.
        """
        self._shards.divide(plan.count)
        return Presence(address, plan, self._shards.name, self, claimed or self.take)

    async def finish(self) -> None:
        """Wait until all notices are acted on."""
        while self._tasks:
            await wait_for_end(self._tasks)
