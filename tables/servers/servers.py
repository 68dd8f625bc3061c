"""Servers come and go, tables move, shards change hands, boards can't be posted."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from functools import partial
from typing import Protocol
from weakref import WeakValueDictionary

from cachetools import LRUCache
from msgspec.structs import replace

from db.processes import ChangeNotice
from db.processes import Presence as Presence
from db.processes import ShardPlan as ShardPlan
from db.store import Store
from tables.clocks.pace import DAY
from tables.core import change, history, turns
from tables.core.outbox import Outbox
from tables.core.people import People
from tables.core.repository import Repository
from tables.core.table import BoardObstacle, Phase, Refused, Table
from tables.cups.cups import CupService
from tables.lobby.invitations import Blocks, TableLists
from tables.people import Digests
from tables.play.play import Computers, Drafts
from tables.runtime import Background, Cache, RoundRobin, wait_for_end
from tables.time.proposals import Pauses

log = logging.getLogger(__name__)
REMOVED_REASON = "removed"
"""The reason of pauses in servers that removed the bot."""
KEPT_DAYS = 30.0
"""Days for which a removed server's data is kept, unless a setting says otherwise."""
PAUSED = 100
"""Games paused in one check."""
ERASED, ROUNDS = 20, 10
"""Tables erased in one transaction, and transactions in one check."""
SHOWN = 20
"""The most missing servers named in the log."""
FEW = 2
"""Servers that can go missing at once, in any case, before it counts as a fault."""


class RemovedServers:
    """Notes which servers have removed the bot, and which have invited it again.

    Their running games are paused: no clock runs, no computer moves, nobody is notified; lobbies don't
    expire, cups wait. Everything goes on when the bot is back. After `kept_days` it is erased.
    """

    def __init__(
        self, repository: Repository, pauses: Pauses, cups: CupService, table_lists: TableLists
    ) -> None:
        self._repository = repository
        self._store = repository.store.servers
        self._pauses = pauses
        self._cups = cups
        self._table_lists = table_lists
        self._background = Background()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._known: Cache[str, Mapping[int, float]] = Cache(LRUCache(1))
        self._to_pause: RoundRobin[int, int] = RoundRobin(PAUSED, lambda table_id: table_id)
        self._doubted: frozenset[int] = frozenset()
        self.kept_days = KEPT_DAYS

    @property
    def doubtful_servers(self) -> frozenset[int]:
        """Return missing servers, too many at once to believe it."""
        return self._doubted

    def _lock(self, guild_id: int) -> asyncio.Lock:
        return self._locks.setdefault(guild_id, asyncio.Lock())

    async def removed_servers(self) -> Mapping[int, float]:
        """Return the servers that removed the bot, each with the time."""
        return await self._known.read(REMOVED_REASON, self._store.removed_servers)

    def look_again(self) -> None:
        """Read from the database next time which servers removed the bot."""
        self._known.invalidate()

    async def compare(self, present: Collection[int]) -> None:
        """Note what changed while offline, from the servers in which the bot is now.

        A server that can't be reached counts as present. Servers of other processes are ignored. If more
        than half of the known servers seem gone at once, that is a fault, such as a wrong token or database:
        it is logged, and none of them counts as removed.
        """
        removed = await self.removed_servers()
        for guild_id in sorted(removed.keys() & set(present)):
            await self.on_return(guild_id)
        known = await self._store.known_servers() - removed.keys()
        gone = known - set(present)
        self._doubt(gone if len(gone) > max(FEW, len(known) / 2) else set(), len(known))
        for guild_id in sorted(gone - self._doubted):
            await self.on_removal(guild_id)

    def _doubt(self, gone: Collection[int], known: int) -> None:
        """Ignore servers that seem gone. Log them unless they are the same as before."""
        before, self._doubted = self._doubted, frozenset(gone)
        if self._doubted and self._doubted != before:
            log.error(
                "the bot is in none of %d of its %d servers, which looks like an outage; check "
                "whether DISCORD_TOKEN and DATABASE_URL belong together (%s)",
                len(gone),
                known,
                ", ".join(str(guild_id) for guild_id in sorted(gone)[:SHOWN]),
            )
        elif before and not gone:
            log.info("the missing servers are back or have removed the bot")

    async def on_removal(self, guild_id: int) -> None:
        """React to a removal of the bot. Nothing is tried in that server."""
        async with self._lock(guild_id):
            if guild_id in await self.removed_servers():
                return
            self._doubted -= {guild_id}
            now = self._repository.clock()
            log.info("server %s has removed the bot; its data is kept for %g days", guild_id, self.kept_days)
            self._forget(await self._store.note_removed(guild_id, now))
            self._known.invalidate()
        await self._pause()

    async def on_return(self, guild_id: int) -> None:
        self._doubted -= {guild_id}
        async with self._lock(guild_id):
            removed = await self.removed_servers()
            if guild_id not in removed:
                return
            log.info("the bot is in server %s again", guild_id)
            # From now on no look pauses its games.
            self._known.put(REMOVED_REASON, {other: at for other, at in removed.items() if other != guild_id})
            for table_id in await self._store.paused_games(guild_id):
                going = self._resume(table_id)
                await self._background.run(f"the end of the pause of table {table_id}", going)
            self._forget(await self._store.come_back(guild_id, self._repository.clock(), turns.EXPIRES_AFTER))
            self._known.invalidate()
            for cup in await self._cups.running_cups(guild_id):
                self._cups.touch(cup.id)
                self._repository.listener.on_cup_change(cup.id)

    async def _resume(self, table_id: int) -> None:
        """End the pause of a game, unless its people had paused it themselves."""
        entries = await self._repository.store.entries(table_id, [history.EntryKind.PAUSE])
        if entries and history.payload_of(entries[-1])[2:] == [REMOVED_REASON]:
            with suppress(Refused):  # somebody was faster
                await self._pauses.resume(table_id, None, why="back")

    async def sweep(self) -> None:
        """Pause running games of removed servers, and erase data kept long enough."""
        removed = await self.removed_servers()
        if not removed:
            return
        await self._pause()
        now, is_steady = self._repository.clock(), await self._repository.time.downtime.is_steady()
        for guild_id, at in list(removed.items()):
            if now >= at + self.kept_days * DAY and is_steady:
                await self._background.run(f"erasing server {guild_id}", self._erase(guild_id))

    async def _pause(self) -> None:
        for table_id in await self._to_pause.next_rows(self._store.running_games):
            await self._background.run(f"pausing table {table_id}", self._pause_one(table_id))

    async def _pause_one(self, table_id: int) -> None:
        if (await self._repository.table(table_id)).guild_id in await self.removed_servers():
            with suppress(Refused):  # it has ended
                await self._pauses.pause(table_id, None, None, why=REMOVED_REASON)

    async def _erase(self, guild_id: int) -> None:
        """Erase some of a server's data; the next check goes on."""
        async with self._lock(guild_id):
            for _ in range(ROUNDS):
                if guild_id not in await self.removed_servers():  # it is back
                    return
                ids = await self._store.erase_tables(guild_id, ERASED)
                self._forget(ids)
                if not ids:
                    await self._store.erase_rest(guild_id)
                    self._known.invalidate()
                    log.info("server %s: erased all its data", guild_id)
                    return

    def _forget(self, table_ids: Collection[int]) -> None:
        for table_id in table_ids:
            self._repository.forget(table_id)
        self._table_lists.invalidate()


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
        while self._tasks:
            await wait_for_end(self._tasks)


MOVED = "moved"
"""The kind of post that links from a table's old place, its target, to the new one."""


class Moving:
    """Moves tables. A thread can't move: the next board makes a new one."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def move(self, table_id: int, actor_id: int, channel_id: int, reason: str = "") -> Table:
        """Move a table to another channel, where its card or board is posted afresh.

        Raise Refused if the table is closed, or there already.
        """
        decide = change.with_reason_entry(
            partial(move_to, actor_id=actor_id, channel_id=channel_id), actor_id, reason
        )
        return (await self._repository.apply(table_id, decide)).table


def move_to(
    loaded: change.TableState, now: change.DecisionContext, *, actor_id: int, channel_id: int
) -> change.Change:
    table = loaded.table
    change.require_open(table)
    if table.channel_id == channel_id:
        raise Refused(f"Table {table.id} is already in <#{channel_id}>.")
    shows = [change.PostRequest("lobby", fresh=table.phase is Phase.LOBBY)]
    if table.phase is Phase.PLAY:
        shows += [
            change.FRESH_BOARD,
            change.PostRequest(MOVED, table.thread_id or table.channel_id, fresh=True),
        ]
    if loaded.position is not None:
        shows += [
            change.PostRequest("hand", occupant.user_id)
            for occupant, hand in zip(table.seats, loaded.position.hands, strict=True)
            if occupant.user_id is not None and hand is not None
        ]
    return change.Change(
        table=replace(table, channel_id=channel_id),
        entries=(change.entry(history.EntryKind.MOVED, actor_id, payload=table.channel_id),),
        shows=tuple(shows),
        thread=None,
    )


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
        if table.obstacle is not None:
            await self._repository.apply(table.id, unblock)


def block(
    loaded: change.TableState, now: change.DecisionContext, *, obstacle: BoardObstacle, refusal: int = 0
) -> change.Change | None:
    table = loaded.table
    is_known = (table.obstacle, table.refusal) == (obstacle, refusal)
    if table.phase is not Phase.PLAY or table.is_alone or is_known:
        return None
    is_new = table.obstacle is None
    people = table.people if is_new else ()
    notices = (
        change.PostRequest(BLOCKED, user, fresh=True, at=now.person(user).awake_at(now.at)) for user in people
    )
    clocks = turns.stop_clocks(table, now.rests, now.at)
    stopped = replace(table, clocks=clocks, obstacle=obstacle, refusal=refusal)
    return change.Change(stopped, shows=(change.LOBBY, *notices))


def unblock(loaded: change.TableState, now: change.DecisionContext) -> change.Change | None:
    table = loaded.table
    if table.obstacle is None:
        return None
    free = replace(table, obstacle=None, refusal=0)
    return change.Change(
        replace(free, clocks=turns.start_clocks(free, now.at)), shows=(change.BOARD, change.LOBBY)
    )
