"""All of `tables` behind one door."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Concatenate, Protocol

import msgspec

from db.records import AuditRow, OutboxRow, PostRow, ServerSettings, TableRow
from db.store import Store
from engines.engine import Engine
from engines.game import Seat
from engines.workers import Workers
from tables import daily, learning, puzzles, runtime
from tables.clocks.pace import MINUTE
from tables.core import history, outbox, people, turns
from tables.core.change import ApplyResult, Change, DecisionContext, P, TableState, with_reason_entry
from tables.core.repository import Repository
from tables.core.table import OPEN, Phase, Table, encode
from tables.cups import cups, running
from tables.lobby import invitations, lobby
from tables.lobby.looking import LookingForGame
from tables.people import DigestCourier, Digests, Overviews, PersonalSettings
from tables.play import plans, play
from tables.play.seats import Kick, Vacancies, kick, require_offered, take_offered
from tables.review import import_export, record
from tables.servers import audit, data_export, erasure, servers
from tables.standings.standings import StandingsService
from tables.study.studies import Studies
from tables.time import due, proposals

LISTED = 10
"""Tables a page of the list for administrators."""
RARE_CHECK_EVERY = MINUTE
"""Seconds between two checks of what nobody waits for."""


class Filters(msgspec.Struct, frozen=True):
    """An administrator's filters for tables: phases, game, person to move, idle seconds; None means any."""

    phases: tuple[Phase, ...] = OPEN
    game: str | None = None
    waiting_for: int | None = None
    idle: float | None = None


class ParlourCourier(outbox.Courier, DigestCourier, Protocol):
    """Posts tables, and sends digests."""


class Parlour(outbox.TableListener):
    """Every table of every server: `lobby` before a game, `play` during it, `computers` beside the people,
    `outbox` for posts.
    """

    def __init__(
        self,
        store: Store,
        workers: Workers,
        courier: ParlourCourier,
        clock: Callable[[], float],
        *,
        name_of: people.NameLookup = people.known_name,
        untold: Callable[[str], str] = str,
    ) -> None:
        """`name_of` looks members up; `untold` takes the words out of a memo."""
        self.store = store
        self.workers = workers
        self.clock = clock
        self._repository = Repository(store, Engine(workers), clock, self, plans.play_plans)
        self.outbox = outbox.Outbox(store, courier, clock, self._repository.invalidate)
        self.drafts = play.Drafts(store)
        self.history = history.History(store)
        self.blocks = invitations.Blocks(store)
        self.record = record.Record(self._repository)
        self.play = play.Play(self._repository)
        self.daily = daily.DailyDeals(self._repository, self.record, self.play)
        self.standings = StandingsService(self._repository, workers, self.daily.settle)
        self.invitations = invitations.InvitationService(self._repository, self.blocks, self.standings)
        self.notes = record.Notes(self._repository)
        self.hints = learning.HintService(self._repository, workers)
        self.studies = Studies(self._repository, self.record, self.hints, workers)
        self.puzzles = puzzles.Puzzles(self._repository, self.studies, workers)
        self.lobby = lobby.Lobby(self._repository, self.invitations)
        self.looking = LookingForGame(self._repository, self.blocks, self.lobby, self.standings, name_of)
        self.vacancies = Vacancies(self._repository, self.looking, self.invitations)
        self.import_export = import_export.ImportExport(self._repository, self.lobby, self.record, workers)
        self.plans = plans.Plans(self._repository)
        self.lessons = learning.LessonService(self._repository, self.play)
        self.people = self._repository.time.people
        self.pauses = proposals.Pauses(self._repository)
        self.moving = servers.Moving(self._repository)
        self.obstacles = servers.Obstacles(self._repository)
        self.audit = audit.Audit(store)
        self.proposals = proposals.Proposals(self._repository, self.play, self.blocks)
        self.due = due.DueTables(self._repository, self.play)
        self.personal_settings = PersonalSettings(self._repository, self.due)
        self.overviews = Overviews(self._repository)
        self.digests = Digests(self._repository, self.personal_settings, courier)
        self.computers = play.Computers(self._repository, self.play, clock)
        self.cups = cups.CupService(self._repository, self.lobby, workers)
        self.running = running.CupRunner(self._repository, self.cups, self.lobby, self.play, name_of)
        self.table_lists = invitations.TableLists(self.tables_in, self.tables_at, self.tables_of)
        self.data_export = data_export.DataExport(self._repository, workers, self.standings)
        self.eraser = erasure.Eraser(
            self._repository,
            self.cups,
            self.standings,
            self.personal_settings,
            self.outbox,
            self.drafts,
            self.blocks,
            self.table_lists,
            untold,
        )
        self.servers = servers.RemovedServers(self._repository, self.pauses, self.cups, self.table_lists)
        self.ownership = servers.ShardOwnership(self)
        self._background = runtime.Background()
        self._to_show: set[int] = set()
        self._touched: set[int] = set()
        self._looks_asked = self._looks_done = 0
        self._seldom_at = float("-inf")

    def on_commit(self, table: Table, to_show: bool) -> None:
        """React to a commit: computers move, then posts are delivered.

        Whoever changes an open lobby redraws its card.
        """
        self.table_lists.forget_lists_of(table)
        if not self.store.shards.owns(table.guild_id):
            return  # the commit itself notifies the process that acts for it
        self._touched.add(table.guild_id)
        if table.phase is Phase.LOBBY:
            return
        if table.phase not in OPEN:
            self.running.on_game_end(table.id)
        if to_show:
            self._to_show.add(table.id)
        if not self.computers.wake(table):
            self.on_computers_settled(table.id)

    def on_deletion(self, table_id: int) -> None:
        """Drop what computers think about a table that is gone."""
        self.computers.drop(table_id)

    def on_game_end(self, table: Table) -> None:
        self.standings.count_soon(table)

    async def on_action(self, user_id: int) -> None:
        """End the holiday of a person who has acted."""
        await self.personal_settings.on_action(user_id)

    def on_cup_change(self, cup_id: int) -> None:
        self.running.wake(cup_id)

    def on_post_change(self, table_id: int) -> None:
        self.outbox.wake(table_id)

    def on_computers_settled(self, table_id: int) -> None:
        """Deliver a table's posts; most steps inside a turn have none."""
        if table_id in self._to_show:
            self._to_show.discard(table_id)
            self.outbox.wake(table_id)

    async def on_computers_failed(self, table_id: int) -> None:
        """Say on the board that a computer has failed and will retry."""
        await self.refresh(table_id, "board")

    def _is_shown_later(self, table_id: int) -> bool:
        """Return True if a table is posted once its computers have moved."""
        if not self.computers.is_moving(table_id):
            return False
        self._to_show.add(table_id)
        return True

    async def resume(self, *, reachable: bool = True) -> None:
        """Do everything due: effects of time, computers' moves, undelivered posts.

        Runs at the start and regularly; failures are retried next time. While Discord isn't `reachable`,
        nobody can move, so no time passes.
        """
        if self._looks_done < self._looks_asked:
            await self._look_again()
        seldom = not runtime.is_paused(self._seldom_at, self.clock())
        if seldom:
            self._seldom_at = self.clock() + RARE_CHECK_EVERY
            await self._background.run("looking for erasures to finish", self.eraser.sweep())
            await self._background.run("forgetting old studies", self.studies.sweep())
            await self._background.run("forgetting old searches and tries", self.eraser.forget_old())
        if reachable:
            await self._background.run("checking deadlines", self.due.sweep())
            if seldom:
                await self._background.run("looking for digests to send", self.digests.sweep())
            await self._background.run("looking after the cups", self.running.sweep())
            await self._background.run("looking after servers that left", self.servers.sweep())
        await self._background.run("taking up computer seats", self.computers.resume())
        await self._background.run("looking for posts to show", self.outbox.sweep(self._is_shown_later))
        await self._background.run("writing down drafts", self.drafts.write())
        await self._background.run("counting finished tables", self.standings.sweep())

    async def on_foreign_write(self, table_id: int) -> None:
        table = await self.table(table_id)
        if table.phase is Phase.OVER:
            self.standings.count_soon(table)
        self.on_commit(table, True)

    def invalidate(self, table_id: int) -> None:
        """Recheck a table on the next access, and every list that it can be in."""
        self._repository.invalidate(table_id)
        self.table_lists.invalidate()

    def forget(self, table_id: int) -> None:
        """Read a table from the database next time, with its whole history."""
        self._repository.forget(table_id)
        self.table_lists.invalidate()

    def invalidate_gaps(self) -> None:
        self._repository.time.downtime.invalidate()

    def invalidate_all(self) -> None:
        """Read everything from the database next time: others can have written it."""
        self._repository.forget_all()
        self.people.invalidate()
        self.blocks.invalidate()
        self.drafts.invalidate()
        self.table_lists.invalidate()
        self.invalidate_gaps()

    async def look_again(self) -> None:
        """Check everything in this process's servers, as after a start. `resume` retries failures."""
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
        for cup_id in await self.cups.cups_to_show():
            self.cups.touch(cup_id)

    async def decide(
        self,
        table_id: int,
        decision: Callable[Concatenate[TableState, DecisionContext, P], Change | None],
        *asked: P.args,
        **more: P.kwargs,
    ) -> ApplyResult:
        """Carry out a decision about a table. Raise Refused as it does."""
        return await self._repository.apply(table_id, lambda *known: decision(*known, *asked, **more))

    async def table(self, table_id: int) -> Table:
        return await self._repository.table(table_id)

    async def tables_in(self, guild_id: int, phases: Sequence[Phase] = OPEN, limit: int = 100) -> list[Table]:
        """Return a server's tables, last touched first."""
        return await self._all(await self.store.tables_in(guild_id, phases, limit))

    async def tables_at(self, place_id: int, phases: Sequence[Phase] = OPEN) -> list[Table]:
        """Return the tables of a thread or a channel, last touched first."""
        return await self._all(await self.store.tables_at(place_id, phases))

    async def tables_of(self, user_id: int, phases: Sequence[Phase] = OPEN) -> list[Table]:
        """Return the tables at which a person sits, last touched first."""
        return await self._all(await self.store.tables_of(user_id, phases))

    async def _all(self, rows: list[TableRow]) -> list[Table]:
        return await self._repository.tables(rows)

    def take_touched(self) -> set[int]:
        """Return the servers with changed tables since the last call."""
        taken, self._touched = self._touched, set()
        return taken

    async def keep_thread(self, table_id: int, thread_id: int | None, channel_id: int | None = None) -> None:
        await self._repository.settle_thread(table_id, thread_id, channel_id)
        self._touched.add((await self.table(table_id)).guild_id)
        cup_id = await self.store.cups.cup_of(table_id)
        if cup_id is not None:  # its post leads to the thread
            self.cups.touch(cup_id)

    async def kick(
        self, table_id: int, user_id: int, actor_id: int, expected: Kick | None = None, reason: str = ""
    ) -> Table:
        """Kick a person; an administrator was asked about the `expected` effect.

        Raise Refused if they don't sit there, and if the effect has changed.
        """
        offer = await self.vacancies.find_offer(table_id)
        decide = with_reason_entry(
            partial(kick, user_id=user_id, actor_id=actor_id, expected=expected, offer=offer),
            actor_id,
            reason,
        )
        table = (await self._repository.apply(table_id, decide)).table
        self.outbox.wake(table_id)
        return table

    async def take_offered_seat(self, table_id: int, user_id: int, name: str, seat: Seat) -> Table:
        """Give a seat on offer to somebody who looks for one.

        Raise Refused if the seat is no longer on offer, or they aren't welcome there.
        """
        table = await self.table(table_id)
        require_offered(table, seat, user_id, self.clock())
        await self.vacancies.require_looking(table, user_id)
        decide = partial(take_offered, seat=seat, user_id=user_id, name=name)
        after = (await self._repository.apply(table_id, decide, people=(user_id,))).table
        await self.looking.stop(table.guild_id, user_id, table.slug)
        self.outbox.wake(table_id)
        return after

    async def note_post(
        self, table: Table, kind: str, target: int, channel_id: int, message_id: int, memo: str = ""
    ) -> None:
        """Save a message that answered a command as if the outbox had sent it."""
        row = OutboxRow(table.id, kind, target, table.version, True, 0, 0.0)
        post = PostRow(table.id, kind, target, channel_id, message_id, table.version, memo)
        await self.store.finish_post(row, post)

    async def note_shown(self, table: Table, kind: str, target: int) -> None:
        """Remove a queued post that the answer to a press has shown."""
        await self.store.finish_post(OutboxRow(table.id, kind, target, table.version, False, 0, 0.0), None)

    async def refresh(
        self, table_id: int, kind: str, target: int = 0, *, fresh: bool = False, after: float = 0.0
    ) -> None:
        """Post something of a table although nothing has happened."""
        table = await self.table(table_id)
        text = self.store.shards.note_of(table_id, table.guild_id)
        await self.store.ask(table_id, kind, target, table.version, fresh, self.clock() + after, text)
        self.outbox.wake(table_id)

    async def save_draft(self, table: Table, seat: Seat, draft: msgspec.Struct) -> None:
        """Save a seat's draft until its table moves on; see `Drafts.save`."""
        self.drafts.save(table, seat, draft)
        if not self.store.shards.owns(table.guild_id):
            await self.drafts.write()  # so that it is found where the table is at home

    async def waited_people(self, table: Table) -> list[turns.AwaitedPerson]:
        return await self._repository.time.waited_people(table)

    async def settings(self, guild_id: int) -> ServerSettings:
        return await self.store.guild(guild_id) or ServerSettings(guild_id)

    async def write_down(
        self, guild_id: int, table_id: int | None, actor_id: int, action: str, **details: Any
    ) -> int:
        """Record an administrator's action; return the number of the entry.

        `details` are those of `tables.servers.audit`.
        """
        detail = encode(audit.Details(**details))
        return await self.audit.write(AuditRow(guild_id, table_id, actor_id, action, detail, self.clock()))

    async def tables_like(self, guild_id: int, filters: Filters, page: int) -> tuple[list[Table], bool]:
        """Return a page of a server's tables, from 1, longest idle first.

        Return also True if there is another page.
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
        """Stop the computers, and finish posts and writes. The caller closes the store afterwards."""
        await self.computers.stop()
        await self.outbox.finish()
        await self.standings.finish()
        await self.digests.finish()
        await self._background.run("writing down drafts", self.drafts.write())
