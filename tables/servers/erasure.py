"""Erases a person: from seats, then from everything stored, part by part."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from functools import partial
from itertools import chain, count
from typing import Any
from weakref import WeakValueDictionary

import msgspec
from cachetools import TTLCache
from msgspec.structs import replace

from db.subjects.erasure import GROUP, NO_PLAN, ErasedPerson, ErasurePlan, NamingEntry, StillSeated
from db.subjects.personal import AboutRow
from engines.game import Strength
from tables.clocks.pace import day_of
from tables.core.change import Change, DecisionContext, TableState
from tables.core.history import EntryKind
from tables.core.outbox import Outbox
from tables.core.repository import Repository
from tables.core.table import OPEN, SUFFIX, CustomDeal, Forked, Origin, Phase, Refused, encode
from tables.cups.cups import CupService
from tables.cups.schedule import CupPhase
from tables.lobby import decisions, invitations, looking
from tables.people import PersonalSettings
from tables.play.decisions import close, hand_over
from tables.play.play import Drafts
from tables.runtime import Background
from tables.standings.standings import StandingsService

NAME = "a former player"

PLACES: Mapping[EntryKind, tuple[str | int, ...]] = {
    EntryKind.HAND_OVER: ("name",),
    EntryKind.TAKE_OVER: ("old", "new"),
    EntryKind.LATE: (0,),
    EntryKind.DEPUTY: (0, 1),
    EntryKind.WAIT: (0, 1),
    EntryKind.DEADLINE: (0, 1),
    EntryKind.AWAY: (0,),
    EntryKind.RESUME: (0,),
    EntryKind.PROPOSE: (0, 2, 3),
    EntryKind.AGREE: (0, 2, 3),
    EntryKind.DECLINE: (0, 2, 3),
}
"""The places of names in payloads; other parts can read the same by chance."""
LISTS = frozenset({EntryKind.SKIP, EntryKind.NUDGE})
"""Entries of names only."""
BY_NAME = frozenset(
    {EntryKind.HAND_OVER, EntryKind.AWAY, EntryKind.PROPOSE, EntryKind.AGREE, EntryKind.DECLINE}
)
"""Entries whose first name is the actor's, if a player."""


def former_player_name(taken: Collection[str]) -> str:
    """Return a former player's name among others.

    >>> former_player_name(["Ann"]), former_player_name(["Ann", "a former player"])
    ('a former player', 'a former player 2')
    """
    names = chain([NAME], (f"{NAME} {number}" for number in count(2)))
    return next(name for name in names if name not in taken)


class NameScrubber:
    """Finds and replaces names in tables' texts. `untold` returns a memo without its words."""

    kinds: Collection[str] = frozenset({*PLACES, *LISTS, EntryKind.START, EntryKind.BACK, EntryKind.REASON})
    suffix = SUFFIX

    def __init__(self, untold: Callable[[str], str]) -> None:
        self._untold = untold

    def names(self, entry: NamingEntry, user_id: int) -> Iterable[str]:
        """Return the names of a person in an entry. Beside their id, or as its actor."""
        payload = entry.payload
        match entry.kind:
            case EntryKind.START:
                people = zip(payload["people"], payload["names"], strict=True)
                return [name for user, name in people if user == user_id]
            case EntryKind.TAKE_OVER:
                both = ((payload.get("left"), payload["old"]), (payload.get("came"), payload["new"]))
                return [name for user, name in both if user == user_id]
            case EntryKind.BACK:
                return [payload] if entry.own else []
            case EntryKind.HAND_OVER:
                return [payload["name"]] if entry.own and payload["own"] else []
            case kind if kind in BY_NAME:
                return [payload[0]] if entry.own and payload[0] is not None else []
            case _:
                return []

    def entry(self, entry: NamingEntry, gone: ErasedPerson) -> Any:
        """Return an entry's payload without the person.

        A name alone is taken for theirs, even if somebody else has it too.
        """
        payload = entry.payload
        match entry.kind:
            case EntryKind.START:
                named = [
                    gone.name if user == gone.user_id else name
                    for user, name in zip(payload["people"], payload["names"], strict=True)
                ]
                return {**payload, "people": _number_ids(payload["people"], gone), "names": named}
            case EntryKind.BACK:
                return _rename(payload, gone)
            case kind if kind in LISTS:
                return [_rename(name, gone) for name in payload]
            case EntryKind.TAKE_OVER:
                ids = {key: payload[key] for key in ("left", "came") if key in payload}
                numbers = dict(zip(ids, _number_ids(list(ids.values()), gone), strict=True))
                return {**_rename_in_payload(entry, gone), **numbers}
            case EntryKind.REASON:
                about = entry.own or any(name in payload for name in gone.names)
                return "" if about else payload
            case EntryKind.AWAY if entry.own:
                return [*_rename_in_payload(entry, gone)[:2], ""]  # what they said about it is theirs
            case _:
                return _rename_in_payload(entry, gone)

    def origin(self, origin: str, gone: ErasedPerson) -> str:
        known: Origin = msgspec.json.decode(origin, type=Origin)
        if isinstance(known, CustomDeal | Forked):
            known = replace(known, names=tuple(_rename(name, gone) for name in known.names))
        return encode(known)

    def memo(self, memo: str) -> str:
        """Return a board post's memo without what the post says."""
        return self._untold(memo)

    def replacement_name(self, taken: Collection[str]) -> str:
        return former_player_name(taken)


def _rename_in_payload(entry: NamingEntry, gone: ErasedPerson) -> Any:
    payload = entry.payload
    changed: Any = dict(payload) if isinstance(payload, dict) else list(payload)
    for place in PLACES[EntryKind(entry.kind)]:
        if isinstance(place, str) or place < len(changed):
            changed[place] = _rename(changed[place], gone)
    return changed


def _rename(name: Any, gone: ErasedPerson) -> Any:
    if not isinstance(name, str) or name.removesuffix(SUFFIX) not in gone.names:
        return name
    return f"{gone.name}{SUFFIX}" if name.endswith(SUFFIX) and name not in gone.names else gone.name


def _number_ids(ids: list[int | None], gone: ErasedPerson) -> list[int | None]:
    return [gone.number if user == gone.user_id else user for user in ids]


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
        blocks: invitations.Blocks,
        table_lists: invitations.TableLists,
        untold: Callable[[str], str],
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
        self._untold = untold

    async def erase(self, user_id: int) -> None:
        """Take a person from their seats, then out of everything stored.

        A crash before the first transaction leaves somebody without seats who can ask again; `sweep` finishes
        what has begun. Raise Refused for a second erasure within a minute, and if they sit down again and
        again.
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
            await self._store.relations.forget_wishes(now - looking.WISH_LASTS)

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
                cup = await self._cups.cup(cup_id)
                if cup.phase is CupPhase.GATHERING:
                    await self._cups.leave(cup_id, user_id)
                elif cup.phase is CupPhase.PLAY:
                    await self._cups.drop(cup_id, user_id, user_id)
        for row in tables:
            if row.phase in OPEN:
                with suppress(Refused):  # the same; who sits there all the same is seen by the erasure
                    seat = (await self._repository.table(row.id)).seat_of(user_id)
                    if seat is not None:
                        self._drafts.invalidate(row.id, seat)
                    await self._repository.apply(row.id, partial(leave_table, user_id=user_id))

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
        texts = NameScrubber(self._untold)
        async with AsyncExitStack() as held:
            for lock in locks:
                await held.enter_async_context(lock)
            plan: ErasurePlan | None = await self._store.erasure.begin(user_id, ids, cups, texts)
            while plan is not None and plan.tables:
                part = plan.tables[:GROUP]
                async with self._repository.lock_for_rewrite(part):
                    plan = await self._store.erasure.rewrite_part(user_id, part, texts)
                self._repository.forget_studies(part)
                self._table_lists.invalidate()
                for row in await self._repository.store.tables_by(part, OPEN):  # their posts show the person
                    kind = "lobby" if row.phase == Phase.LOBBY else "board"
                    await self._repository.listener.refresh(row.id, kind)
            if await self._store.personal.tables_about(user_id):
                raise StillSeated  # they have done something since
            has_more = True
            while has_more:
                has_more = await self._store.erasure.rewrite_audit(user_id, texts)
            apart = await self._store.erasure.finish(user_id, texts, day_of(self._repository.clock()))
            self._repository.time.people.invalidate(user_id)
            for one in (user_id, *apart):
                self._blocks.invalidate(one)


def leave_table(loaded: TableState, now: DecisionContext, *, user_id: int) -> Change | None:
    """Let a person leave. A lobby seat becomes free, a computer takes a game's if others stay."""
    table = loaded.table
    if table.phase not in OPEN or table.seat_of(user_id) is None:
        return None
    if table.phase is Phase.LOBBY:
        return decisions.leave(loaded, now, user_id=user_id)
    if set(table.people) == {user_id}:
        return close(loaded, now, actor_id=user_id, why="left")
    return hand_over(loaded, now, user_id=user_id, actor_id=user_id, strength=Strength.STRONG)
