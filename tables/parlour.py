"""All of `tables` behind one door."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

import msgspec

from db.records import AuditRow, GuildRow, OutboxRow, PostRow, TableRow
from db.store import Store
from engines.engine import Engine
from engines.game import Seat
from engines.workers import Workers
from tables.clocks.pace import MINUTE
from tables.core import outbox
from tables.core.change import because
from tables.core.history import History
from tables.core.listener import Listener
from tables.core.outbox import Outbox
from tables.core.repository import Repository
from tables.core.table import OPEN, Phase, Table, encode
from tables.core.timekeeping import Waited
from tables.cups.cups import Cups
from tables.cups.running import Running
from tables.daily.daily import DailyDeals
from tables.learning.hints import HintService
from tables.learning.lessons import Lessons
from tables.lobby.blocks import Blocks
from tables.lobby.invitations import Invitations
from tables.lobby.lobby import Lobby
from tables.lobby.looking import LookingForGame
from tables.lobby.table_lists import TableLists
from tables.people.digests import DigestCourier, Digests
from tables.people.overview import Overviews
from tables.people.settings import PersonalSettings
from tables.play.computers import Computers
from tables.play.drafts import Drafts
from tables.play.play import Play
from tables.play.seats import Kick, kicked
from tables.review.import_export import ImportExport
from tables.review.notes import Notes
from tables.review.record import Record
from tables.runtime.background import Background
from tables.runtime.retries import waits
from tables.servers.audit import Audit, Details
from tables.servers.data_export import DataExport
from tables.servers.erasure import Eraser
from tables.servers.moving import Moving
from tables.servers.obstacles import Obstacles
from tables.servers.servers import Servers
from tables.servers.shard_ownership import ShardOwnership
from tables.standings.standings import Standings
from tables.time.due import DueTables
from tables.time.lateness import Lateness
from tables.time.pauses import Pauses
from tables.time.proposals import Proposals

LISTED = 10
"""Tables a page of the list for administrators."""
SELDOM = MINUTE
"""Seconds between two looks for what nobody waits for."""


class Filters(msgspec.Struct, frozen=True):
    """Which tables of a server an administrator looks for: in which phases, of which game, waiting for whom,
    and at which nothing has happened for so many seconds at least; None for any."""

    phases: tuple[Phase, ...] = OPEN
    game: str | None = None
    waiting_for: int | None = None
    idle: float | None = None


class Courier(outbox.Courier, DigestCourier, Protocol):
    """Shows what there is to show of tables, and sends digests."""


class Parlour(Listener):
    """Every table of every server: `lobby` before a game, `play` during it, `computers` beside the people,
    `outbox` for what is shown."""

    def __init__(self, store: Store, workers: Workers, courier: Courier, clock: Callable[[], float]) -> None:
        self.store = store
        self.workers = workers
        self.clock = clock
        self._repository = Repository(store, Engine(workers), clock, self)
        self.outbox = Outbox(store, courier, clock, self._repository.invalidate)
        self.drafts = Drafts(store)
        self.history = History(store)
        self.blocks = Blocks(store)
        self.invitations = Invitations(self._repository, self.blocks)
        self.record = Record(self._repository)
        self.notes = Notes(self._repository)
        self.hints = HintService(self._repository)
        self.lobby = Lobby(self._repository, self.invitations)
        self.looking = LookingForGame(self._repository, self.blocks, self.lobby)
        self.import_export = ImportExport(self._repository, self.lobby, self.record, workers)
        self.play = Play(self._repository)
        self.standings = Standings(self._repository, workers)
        self.lessons = Lessons(self._repository, self.play)
        self.daily = DailyDeals(self._repository, self.record, self.play)
        self.standings.settle = self.daily.settle
        self.people = self._repository.time.people
        self.lateness = Lateness(self._repository)
        self.pauses = Pauses(self._repository)
        self.moving = Moving(self._repository)
        self.obstacles = Obstacles(self._repository)
        self.audit = Audit(store)
        self.proposals = Proposals(self._repository, self.play, self.blocks)
        self.due = DueTables(self._repository, self.play)
        self.personal_settings = PersonalSettings(self._repository, self.due)
        self.overviews = Overviews(self._repository)
        self.digests = Digests(self._repository, self.personal_settings, courier)
        self.computers = Computers(self._repository, self.play, clock)
        self.cups = Cups(self._repository, self.lobby, workers)
        self.running = Running(self._repository, self.cups, self.lobby, self.play)
        self.table_lists = TableLists(self.tables_in, self.tables_at, self.tables_of)
        self.data_export = DataExport(self._repository, workers)
        self.eraser = Eraser(
            self._repository,
            self.cups,
            self.standings,
            self.personal_settings,
            self.outbox,
            self.drafts,
            self.blocks,
            self.table_lists,
        )
        self.servers = Servers(self._repository, self.pauses, self.cups, self.table_lists)
        self.ownership = ShardOwnership(self)
        self._background = Background()
        self._to_show: set[int] = set()
        self._touched: set[int] = set()
        self._looks_asked = self._looks_done = 0
        self._seldom_at = float("-inf")

    def committed(self, table: Table, to_show: bool) -> None:
        """Go on after a commit: computer seats move, and then what has happened is shown.

        The card of an open lobby is redrawn by whoever changed it.
        """
        self.table_lists.changed(table)
        if not self.store.shards.owns(table.guild_id):
            return  # the process that acts for it is told by the commit itself
        self._touched.add(table.guild_id)
        if table.phase is Phase.LOBBY:
            return
        if table.phase not in OPEN:
            self.running.ended(table.id)
        if to_show:
            self._to_show.add(table.id)
        if not self.computers.wake(table):
            self.computers_settled(table.id)

    def ended(self, table: Table) -> None:
        """Have the results of a table counted."""
        self.standings.wake(table)

    async def acted(self, user_id: int) -> None:
        """End the holiday of a person who has acted."""
        await self.personal_settings.acted(user_id)

    def cup_changed(self, cup_id: int) -> None:
        """Have a cup looked at."""
        self.running.wake(cup_id)

    def post_changed(self, table_id: int) -> None:
        """Have shown what stands in the outbox."""
        self.outbox.wake(table_id)

    def computers_settled(self, table_id: int) -> None:
        """Have shown what was written for the table; most steps inside a turn write nothing to show."""
        if table_id in self._to_show:
            self._to_show.discard(table_id)
            self.outbox.wake(table_id)

    async def computers_failed(self, table_id: int) -> None:
        """Have the board show that a computer seat has failed and will be tried again."""
        await self.refresh(table_id, "board")

    def _shown_later(self, table_id: int) -> bool:
        """Whether a table is shown as soon as its computer seats have moved."""
        if not self.computers.moving(table_id):
            return False
        self._to_show.add(table_id)
        return True

    async def resume(self, *, reachable: bool = True) -> None:
        """Take up whatever is due: what time brings, computer seats that owe a move, posts not shown.

        Called at the start and again and again afterwards; what goes wrong is tried again the next time.
        While Discord isn't `reachable`, nobody could move, and so no time passes.
        """
        if self._looks_done < self._looks_asked:
            await self._look_again()
        seldom = not waits(self._seldom_at, self.clock())
        if seldom:
            self._seldom_at = self.clock() + SELDOM
            await self._background.run("looking for erasures to finish", self.eraser.sweep())
        if reachable:
            await self._background.run("doing what is due", self.due.sweep())
            if seldom:
                await self._background.run("looking for digests to send", self.digests.sweep())
            await self._background.run("looking after the cups", self.running.sweep())
            await self._background.run("looking after servers that left", self.servers.sweep())
        await self._background.run("taking up computer seats", self.computers.resume())
        await self._background.run("looking for posts to show", self.outbox.sweep(self._shown_later))
        await self._background.run("writing down drafts", self.drafts.write())
        await self._background.run("counting finished tables", self.standings.sweep())

    async def written_elsewhere(self, table_id: int) -> None:
        """Go on after another process has written a table for which this one acts."""
        table = await self.table(table_id)
        if table.phase is Phase.OVER:
            self.standings.wake(table)
        self.committed(table, True)

    def invalidate(self, table_id: int) -> None:
        """Look after a table the next time, and after every list in which it may stand."""
        self._repository.invalidate(table_id)
        self.table_lists.invalidate()

    def forget(self, table_id: int) -> None:
        """Read a table from the database the next time, with its whole history."""
        self._repository.forget(table_id)
        self.table_lists.invalidate()

    def invalidate_gaps(self) -> None:
        """Read from the database the next time when the bot was away."""
        self._repository.time.downtime.invalidate()

    def invalidate_all(self) -> None:
        """Read everything from the database the next time, for others may have written it."""
        self._repository.forget_all()
        self.people.invalidate()
        self.blocks.invalidate()
        self.drafts.invalidate()
        self.table_lists.invalidate()
        self.invalidate_gaps()

    async def look_again(self) -> None:
        """Look after all that belongs to the servers for which this process acts, as after a start.

        What goes wrong is tried again by `resume`.
        """
        self._looks_asked += 1
        await self._look_again()

    async def _look_again(self) -> None:
        asked = self._looks_asked
        if await self._background.run("looking after new shards", self._look_around()):
            self._looks_done = max(self._looks_done, asked)

    async def _look_around(self) -> None:
        self.running.look_again()
        self.servers.look_again()
        self.standings.look_again()
        owns = self.store.shards.owns
        self._touched |= {row.guild_id for row in await self.store.boards() if owns(row.guild_id)}
        for cup_id in await self.cups.unshown():
            self.cups.touch(cup_id)

    async def table(self, table_id: int) -> Table:
        """A table by its number. Raises Refused when there is none."""
        return await self._repository.table(table_id)

    async def tables_in(self, guild_id: int, phases: Sequence[Phase] = OPEN, limit: int = 100) -> list[Table]:
        """A server's tables, the last touched first."""
        return await self._all(await self.store.tables_in(guild_id, phases, limit))

    async def tables_at(self, place_id: int, phases: Sequence[Phase] = OPEN) -> list[Table]:
        """The tables of a thread or a channel, the last touched first."""
        return await self._all(await self.store.tables_at(place_id, phases))

    async def tables_of(self, user_id: int, phases: Sequence[Phase] = OPEN) -> list[Table]:
        """The tables at which a person sits, the last touched first."""
        return await self._all(await self.store.tables_of(user_id, phases))

    async def _all(self, rows: list[TableRow]) -> list[Table]:
        return await self._repository.tables(rows)

    def touched(self) -> set[int]:
        """The servers at whose tables something has changed since this was asked last."""
        taken, self._touched = self._touched, set()
        return taken

    async def keep_thread(self, table_id: int, thread_id: int | None, channel_id: int | None = None) -> None:
        """Remember the thread that a table lives in; see `Repository.settle_thread`."""
        await self._repository.settle_thread(table_id, thread_id, channel_id)
        self._touched.add((await self.table(table_id)).guild_id)
        cup_id = await self.store.cups.cup_of(table_id)
        if cup_id is not None:  # its post leads to the thread
            self.cups.touch(cup_id)

    async def kick(
        self, table_id: int, user_id: int, actor_id: int, told: Kick | None = None, reason: str = ""
    ) -> Table:
        """Take a person from a table, at an administrator's wish, who was `told` what that would do.

        Raises:
            Refused: for who doesn't sit there any more, and when it would do something else by now.
        """
        decide = because(partial(kicked, user_id=user_id, actor_id=actor_id, told=told), actor_id, reason)
        table = (await self._repository.apply(table_id, decide)).table
        self.outbox.wake(table_id)
        return table

    async def note_post(
        self, table: Table, kind: str, target: int, channel_id: int, message_id: int, memo: str = ""
    ) -> None:
        """Remember a message that was sent as the answer to a command, as if it had been delivered."""
        row = OutboxRow(table.id, kind, target, table.version, True, 0, 0.0)
        post = PostRow(table.id, kind, target, channel_id, message_id, table.version, memo)
        await self.store.delivered(row, post)

    async def note_shown(self, table: Table, kind: str, target: int) -> None:
        """Strike what was to be shown, for its message was redrawn as the answer to a press."""
        await self.store.delivered(OutboxRow(table.id, kind, target, table.version, False, 0, 0.0), None)

    async def refresh(self, table_id: int, kind: str, target: int = 0, *, fresh: bool = False) -> None:
        """Show something of a table again although nothing has happened at it."""
        table = await self.table(table_id)
        told = self.store.shards.note_of(table_id, table.guild_id)
        await self.store.ask(table_id, kind, target, table.version, fresh, self.clock(), told)
        self.outbox.wake(table_id)

    async def save_draft(self, table: Table, seat: Seat, draft: msgspec.Struct) -> None:
        """Keep what a seat has drafted, until its table moves on; see `Drafts.save`."""
        self.drafts.save(table, seat, draft)
        if not self.store.shards.owns(table.guild_id):
            await self.drafts.write()  # so that it is found where the table is at home

    async def waited(self, table: Table) -> list[Waited]:
        """The people who are waited for at a table, with their time."""
        return await self._repository.time.waited(table)

    async def settings(self, guild_id: int) -> GuildRow:
        """A server's settings, the defaults where it has set none."""
        return await self.store.guild(guild_id) or GuildRow(guild_id)

    async def write_down(
        self, guild_id: int, table_id: int | None, actor_id: int, action: str, **details: Any
    ) -> int:
        """Write down what an administrator has done, and give back the number of the entry.

        `details` are those of `tables.servers.audit`.
        """
        detail = encode(Details(**details))
        return await self.audit.write(AuditRow(guild_id, table_id, actor_id, action, detail, self.clock()))

    async def tables_like(self, guild_id: int, filters: Filters, page: int) -> tuple[list[Table], bool]:
        """A page of a server's tables, counted from 1, those first at which nothing has happened for longest.

        And whether there is another page after it.
        """
        since = None if filters.idle is None else self.clock() - filters.idle
        rows = await self.store.administration.tables(
            guild_id,
            filters.phases,
            filters.game,
            filters.waiting_for,
            since,
            (page - 1) * LISTED,
            LISTED + 1,
        )
        return await self._all(rows[:LISTED]), len(rows) > LISTED

    async def close(self) -> None:
        """Let computer seats stop, and finish what is being shown and written.

        The store is left open: whoever has opened it closes it after this.
        """
        await self.computers.stop()
        await self.outbox.finish()
        await self.standings.finish()
        await self.digests.finish()
        await self._background.run("writing down drafts", self.drafts.write())
