"""Erases a person: they leave their seats, then they are removed everywhere, part by part."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from functools import partial
from weakref import WeakValueDictionary

from cachetools import TTLCache

from db.subjects.erasure import GROUP, NO_PLAN, ErasurePlan, StillSeated
from db.subjects.personal import AboutRow
from engines.game import Strength
from tables.clocks.days import day_of
from tables.core.change import Change, DecisionContext, TableState
from tables.core.outbox import Outbox
from tables.core.repository import Repository
from tables.core.table import OPEN, Phase, Refused
from tables.cups.cup import CupPhase
from tables.cups.cups import CupService
from tables.lobby.blocks import Blocks
from tables.lobby.decisions import leave
from tables.lobby.looking import WISH_LASTS
from tables.lobby.table_lists import TableLists
from tables.people.settings import PersonalSettings
from tables.play.decisions import close, hand_over
from tables.play.drafts import Drafts
from tables.runtime.background import Background
from tables.servers.names import NameScrubber
from tables.standings.standings import StandingsService

BEGINNING = (-1, 0)
"""The cursor before every membership."""
CHECKED_A_SWEEP = 500
"""Memberships that one sweep checks for unknown people."""
MINUTE = 60.0
REMEMBERED = 10_000
"""The most people remembered as just erased."""
TOO_SOON = "I erased your data just now. Wait a minute before you ask again."
ATTEMPTS = 5
"""Attempts if somebody sits down again during the erasure."""


def _as_it_is(memo: str) -> str:
    """Return a memo without words as it is."""
    return memo


class Eraser:
    """Makes people former players. `untold` returns a board post's memo without its words."""

    def __init__(
        self,
        repository: Repository,
        cups: CupService,
        standings: StandingsService,
        settings: PersonalSettings,
        outbox: Outbox,
        drafts: Drafts,
        blocks: Blocks,
        table_lists: TableLists,
    ) -> None:
        self._repository = repository
        self._store = repository.store
        self._cups = cups
        self._standings = standings
        self._settings = settings
        self._outbox = outbox
        self._drafts = drafts
        self._blocks = blocks
        self._table_lists = table_lists
        self._background = Background()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._asked: TTLCache[int, bool] = TTLCache(REMEMBERED, MINUTE, repository.clock)
        self._looked_through: tuple[int, int] | None = None
        self.untold: Callable[[str], str] = _as_it_is

    async def erase(self, user_id: int) -> None:
        """Take a person from their seats, then out of everything stored.

        A crash before the first transaction leaves somebody without seats who can ask again; `sweep`
        finishes what has begun.

        Raises:
            Refused: for a second erasure within a minute, and if they sit down again and again.
        """
        if not await self._store.personal.is_known(user_id):
            return
        if self._asked.get(user_id):
            raise Refused(TOO_SOON)
        self._asked[user_id] = True
        try:
            await self._finish(user_id)
        except BaseException:
            self._asked.pop(user_id, None)  # it can be tried again at once
            raise

    async def _finish(self, user_id: int) -> None:
        """Erase a person, from the beginning or after an interruption."""
        async with self._locks.setdefault(user_id, asyncio.Lock()):
            for _ in range(ATTEMPTS):
                tables = await self._store.personal.tables_about(user_id)
                cups = await self._store.personal.cups_about(user_id)
                begun = (await self._store.erasure.unfinished()).get(user_id, NO_PLAN)
                ids = sorted({table.id for table in tables} | {*begun.tables})
                async with self._outbox.hold(ids):
                    await self._leave(user_id, tables, cups)
                    with suppress(StillSeated):
                        await self._erase(user_id, tables, ids, cups)
                        break
            else:
                raise Refused("You're joining a table right now. Press **Erase me** again when that's done.")
            for cup_id in cups:
                self._cups.touch(cup_id)

    async def forget_old(self) -> None:
        """Forget past tries and searches, in shard 0's process."""
        if self._store.shards.owns(0) and await self._repository.time.downtime.is_steady():
            now = self._repository.clock()
            await self._store.daily.forget_tries(day_of(now))
            await self._store.relations.forget_wishes(now - WISH_LASTS)

    async def sweep(self) -> None:
        """Finish erasures that a crash has interrupted, if this process acts for shard 0.

        Ratings counted in the meantime are recalculated.
        """
        if not self._store.shards.owns(0):
            return
        self._looked_through = await self._store.daily.remove_strangers(
            self._looked_through or BEGINNING, CHECKED_A_SWEEP
        )
        for user_id, plan in (await self._store.erasure.unfinished()).items():
            if user_id in self._locks:  # it is under way
                continue
            if await self._background.run("finishing an erasure", self._finish(user_id)):
                for guild_id, game, _ in plan.numbers:
                    await self._standings.recount(guild_id, game)

    async def _leave(self, user_id: int, tables: Sequence[AboutRow], cups: Sequence[int]) -> None:
        for cup_id in cups:
            with suppress(Refused):  # it has ended, or they have left it
                await self._leave_cup(user_id, cup_id)
        for row in tables:
            if row.phase in OPEN:
                with suppress(Refused):  # the same; who sits there all the same is seen by the erasure
                    await self._leave_table(user_id, row.id)

    async def _leave_cup(self, user_id: int, cup_id: int) -> None:
        cup = await self._cups.cup(cup_id)
        if cup.phase is CupPhase.GATHERING:
            await self._cups.leave(cup_id, user_id)
        elif cup.phase is CupPhase.PLAY:
            await self._cups.drop(cup_id, user_id, user_id)

    async def _leave_table(self, user_id: int, table_id: int) -> None:
        seat = (await self._repository.table(table_id)).seat_of(user_id)
        if seat is not None:
            self._drafts.invalidate(table_id, seat)
        await self._repository.apply(table_id, partial(leave_table, user_id=user_id))

    async def _erase(
        self, user_id: int, tables: Sequence[AboutRow], ids: Sequence[int], cups: Sequence[int]
    ) -> None:
        """Rewrite everything under locks, and forget it in memory.

        Nobody counts results until the end; tables are locked a part at a time.
        """
        for start in range(0, len(ids), GROUP):
            for table_id in await self._store.standings.uncounted_among(ids[start : start + GROUP]):
                await self._standings.count_table(table_id)
        locks = [
            self._settings.lock(user_id),
            *(self._cups.lock(cup_id) for cup_id in cups),
            *(self._standings.lock(*key) for key in sorted({(row.guild_id, row.game) for row in tables})),
        ]
        texts = NameScrubber(self.untold)
        async with AsyncExitStack() as held:
            for lock in locks:
                await held.enter_async_context(lock)
            plan: ErasurePlan | None = await self._store.erasure.begin(user_id, ids, cups, texts)
            while plan is not None and plan.tables:
                part = plan.tables[:GROUP]
                plan = await self._part(user_id, part, texts)
                await self._show(part)
            if await self._store.personal.tables_about(user_id):
                raise StillSeated  # they have done something since
            has_more = True
            while has_more:
                has_more = await self._store.erasure.rewrite_audit(user_id, texts)
            apart = await self._store.erasure.finish(user_id, texts, day_of(self._repository.clock()))
            self._repository.time.people.invalidate(user_id)
            for one in (user_id, *apart):
                self._blocks.invalidate(one)

    async def _part(self, user_id: int, table_ids: Sequence[int], texts: NameScrubber) -> ErasurePlan | None:
        """Rewrite some tables under their locks; return what is left."""
        async with self._repository.lock_for_rewrite(table_ids):
            plan = await self._store.erasure.rewrite_part(user_id, table_ids, texts)
        self._repository.forget_studies(table_ids)
        self._table_lists.invalidate()
        return plan

    async def _show(self, table_ids: Sequence[int]) -> None:
        """Refresh the posts of open tables, which still show the person."""
        for row in await self._repository.store.tables_by(table_ids, OPEN):
            await self._repository.listener.refresh(row.id, "lobby" if row.phase == Phase.LOBBY else "board")


def leave_table(loaded: TableState, now: DecisionContext, *, user_id: int) -> Change | None:
    """Let a person leave. A lobby seat becomes free, a computer takes a game's if others stay."""
    table = loaded.table
    if table.phase not in OPEN or table.seat_of(user_id) is None:
        return None
    if table.phase is Phase.LOBBY:
        return leave(loaded, now, user_id=user_id)
    if set(table.people) == {user_id}:
        return close(loaded, now, actor_id=user_id, why="left")
    return hand_over(loaded, now, user_id=user_id, actor_id=user_id, strength=Strength.STRONG)
