"""Invitations, followers, blocks, and the tables that lists offer."""

import time
from collections.abc import Awaitable, Callable, Iterable, Sequence

from cachetools import LRUCache, TTLCache

from db.records import InvitationRow
from db.store import Store
from engines.marks import quote
from tables.clocks.pace import DAY, HOUR, length_words
from tables.core.change import NO_SEAT, require_lobby, require_player
from tables.core.repository import Repository
from tables.core.table import OPEN, Phase, Refused, Table
from tables.runtime import Cache
from tables.standings.ratings import does_finish
from tables.standings.standings import StandingsService

CACHED = 10_000
MOST = 100
"""The most people one person can block."""


class Blocks:
    """Keeps people apart if either has blocked the other."""

    def __init__(self, store: Store) -> None:
        self._ties = store.relations
        self._known: Cache[int, set[int]] = Cache(LRUCache(CACHED))

    async def apart_from(self, user_id: int) -> set[int]:
        return await self._known.read(user_id, lambda: self._ties.apart_from(user_id))

    async def blocks_of(self, user_id: int) -> list[int]:
        return await self._ties.blocks_of(user_id)

    async def block(self, user_id: int, other_id: int) -> None:
        """Block somebody. Raise Refused for oneself, and if the list is full."""
        if user_id == other_id:
            raise Refused("That's you. Choose someone else.")
        if not await self._ties.block(user_id, other_id, MOST):
            raise Refused(f"You've blocked {MOST} people, which is the limit. Unblock someone first.")
        self._forget(user_id, other_id)

    async def unblock(self, user_id: int, other_id: int) -> None:
        if other_id not in await self._ties.blocks_of(user_id):
            raise Refused("You haven't blocked that person.")
        await self._ties.unblock(user_id, other_id)
        self._forget(user_id, other_id)

    def invalidate(self, user_id: int | None = None) -> None:
        self._known.invalidate(user_id)

    def _forget(self, *user_ids: int) -> None:
        for user_id in user_ids:
            self._known.invalidate(user_id)

    async def can_meet(self, user_id: int, people: Iterable[int]) -> bool:
        return not await self.apart_from(user_id) & set(people)

    async def require_can_meet(self, user_id: int, people: Iterable[int]) -> None:
        """Raise Refused, without a reason, if a person can't sit with these."""
        if not await self.can_meet(user_id, people):
            raise Refused(NO_SEAT)


ASKED_APART = 6 * HOUR
"""Seconds before a server's role is asked for players again."""
MOST_INVITED = 50
"""The most people invited to one table."""
MOST_A_DAY = 20
"""The most people that one person invites within a day."""
NOTIFIED_A_DAY = 5
"""The most invitations that notify a person within a day; later ones come silently."""
PRIVATE = "This table is private. You need an invitation from someone at the table."


class InvitationService:
    """Invites people to tables, lets them follow some, and filters lists."""

    def __init__(self, repository: Repository, blocks: Blocks, standings: StandingsService) -> None:
        self._repository = repository
        self._standings = standings
        self._store: Store = repository.store
        self._blocks = blocks

    async def require_welcome(self, table: Table, user_id: int) -> None:
        await self._blocks.require_can_meet(user_id, table.people)
        if not table.private and not table.finishers:
            return
        if user_id in await self._store.relations.invitees(table.id):
            return
        if table.private:
            raise Refused(PRIVATE)
        # Who hides is like a newcomer: a seat here would tell others how they finish.
        if not does_finish(await self._standings.habits(table.guild_id, user_id), table.finishers):
            raise Refused(
                f"This table is for people who finish at least {table.finishers}% of their games, and you "
                "finish fewer. You can still come if someone at the table invites you."
            )

    async def apart_from(self, user_id: int) -> set[int]:
        return await self._blocks.apart_from(user_id)

    async def invite(self, table_id: int, user_id: int, other_id: int, name: str) -> Table:
        """Invite somebody to a lobby, and notify them if they like.

        Raise Refused if the inviter doesn't sit there, the invitee does, the game has begun, or the limit of
        the table or of the inviter's day is reached.
        """
        table = await self._repository.table(table_id)
        require_lobby(table)
        require_player(table, user_id, "Only people at the table can invite others.")
        if table.seat_of(other_id) is not None:
            raise Refused(f"{quote(name)} is already at this table.")
        invited = await self._store.relations.invitees(table_id)
        if other_id in invited:
            raise Refused(f"{quote(name)} is already invited.")
        if len(invited) >= MOST_INVITED:
            raise Refused(f"{MOST_INVITED} people are invited, and that's the limit.")
        now = self._repository.clock()
        ties = self._store.relations
        result = (  # if not, nobody learns why
            await self._blocks.can_meet(other_id, table.people)
            and not await ties.is_unwanted(other_id, user_id)
            and await ties.times_invited(other_id, now - DAY) < NOTIFIED_A_DAY
        )
        row = InvitationRow(table_id, other_id, user_id, now)
        if not await self._store.relations.invite(row, now - DAY, MOST_A_DAY):
            raise Refused(f"You've invited {MOST_A_DAY} people in the last 24 hours. Try again tomorrow.")
        if result:
            await self._store.ask(table_id, "invited", other_id, table.version, True, now)
        return table

    async def inviter(self, table_id: int, user_id: int) -> int | None:
        """Return who invited a person to a table. None if nobody did, or nobody knows."""
        row = await self._store.relations.invitation(table_id, user_id)
        return None if row is None else row.by_id or None

    async def want(self, table_id: int, user_id: int, *, wanted: bool) -> None:
        """Notify a person of this inviter's invitations again, or no more.

        The invitation itself stays. Raise Refused if nobody knows the inviter.
        """
        by_id = await self.inviter(table_id, user_id)
        if by_id is None:
            raise Refused("That invitation is no longer valid.")
        await self._store.relations.set_unwanted(user_id, by_id, wanted=wanted)

    async def follow(self, table_id: int, user_id: int) -> bool:
        """Follow a table, or stop following it; return True if following now.

        Raise Refused if the person sits there, or the game is over.
        """
        table = await self._repository.table(table_id)
        if table.phase not in OPEN:
            raise Refused("This game is over, so there's nothing left to follow.")
        if table.seat_of(user_id) is not None:
            raise Refused("You're at this table, so you already get all its messages.")
        follows = user_id not in await self._store.relations.followers(table_id)
        await self._store.relations.follow(table_id, user_id, follows)
        return follows

    async def require_asking(self, table_id: int, user_id: int) -> int:
        """Return the role that a server asks for players.

        Raise Refused for anybody but the host, for a private or full table, and if the server has named no
        role.
        """
        table = await self._repository.table(table_id)
        require_lobby(table)
        if table.host_id != user_id:
            raise Refused("Only the host can use Ask around.")
        if table.private:
            raise Refused("This table is private. `/table invite` invites people one by one.")
        if table.taken >= table.room:
            raise Refused("All seats are taken.")
        settings = await self._store.guild(table.guild_id)
        if settings is None or settings.asked_role_id is None:
            raise Refused(
                "This server has no role for me to ping. "
                "An admin can choose one with `/admin config ask_role:`."
            )
        return settings.asked_role_id

    async def note_asking(self, guild_id: int) -> float:
        """Record that a server's role is asked for players; return the instant.

        Raises:
            Refused: less than six hours after the last time.
        """
        now = self._repository.clock()
        if not await self._store.note_asked(guild_id, now, ASKED_APART):
            settings = await self._store.guild(guild_id)
            last = now if settings is None or settings.asked_at is None else settings.asked_at
            rest = length_words(max(60.0, last + ASKED_APART - now))
            raise Refused(f"Someone used Ask around recently. You can ask again in {rest}.")
        return now

    async def forget_asking(self, guild_id: int, at: float) -> None:
        """Take back a record: Discord refused the ping."""
        await self._store.forget_asked(guild_id, at)

    async def can_see(self, table: Table, user_id: int) -> bool:
        """Return True if a table is public to its server, or the person belongs to it."""
        return not table.private or await self.belongs(table, user_id)

    async def belongs(self, table: Table, user_id: int) -> bool:
        """Return True for players, present or away, the host, and the invited."""
        kept = {occupant.kept_for for occupant in table.seats}
        if user_id in (*table.people, *kept, table.host_id):
            return True
        return user_id in await self._store.relations.invitees(table.id)

    async def filter_offers(self, tables: Sequence[Table], user_id: int | None) -> list[Table]:
        """Filter tables for a person's list; None means everybody.

        It leaves out others' private tables, and lobbies with somebody blocked.
        """
        if user_id is None:
            return [table for table in tables if not table.private]
        is_any_private = any(table.private for table in tables)
        invited = await self._store.relations.invitations_of(user_id) if is_any_private else set()
        apart = await self._blocks.apart_from(user_id)
        return [
            table
            for table in tables
            if user_id in table.people
            or (
                (not table.private or table.id in invited)
                and not (table.phase is Phase.LOBBY and apart & set(table.people))
            )
        ]


SECONDS = 3.0
LISTS = 2000
Subject = tuple[str, int]
Phases = tuple[Phase, ...]


class TableLists:
    """Caches lists of tables by server, place or person for three seconds.

    Changes of this process show at once; another process's within those seconds.
    """

    def __init__(
        self,
        tables_in: Callable[[int, Sequence[Phase]], Awaitable[list[Table]]],
        tables_at: Callable[[int, Sequence[Phase]], Awaitable[list[Table]]],
        tables_of: Callable[[int, Sequence[Phase]], Awaitable[list[Table]]],
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        self._queries = {"in": tables_in, "at": tables_at, "of": tables_of}
        self._lists: Cache[tuple[Subject, Phases], list[Table]] = Cache(TTLCache(LISTS, SECONDS, timer))
        self._asked: set[Phases] = set()

    async def tables_in(self, guild_id: int, phases: Sequence[Phase] = OPEN) -> list[Table]:
        """Return a server's tables, last touched first."""
        return await self._list(("in", guild_id), tuple(phases))

    async def tables_at(self, place_id: int, phases: Sequence[Phase] = OPEN) -> list[Table]:
        """Return the tables of a thread or a channel, last touched first."""
        return await self._list(("at", place_id), tuple(phases))

    async def tables_of(self, user_id: int, phases: Sequence[Phase] = OPEN) -> list[Table]:
        """Return the tables at which a person sits, last touched first."""
        return await self._list(("of", user_id), tuple(phases))

    async def _list(self, subject: Subject, phases: Phases) -> list[Table]:
        self._asked.add(phases)
        kind, number = subject
        return await self._lists.read((subject, phases), lambda: self._queries[kind](number, phases))

    def invalidate(self) -> None:
        self._lists.invalidate()

    def forget_lists_of(self, table: Table) -> None:
        people = [("of", user_id) for user_id in (table.host_id, *table.people)]
        places = [("at", table.thread_id or table.channel_id), ("at", table.channel_id)]
        for subject in [("in", table.guild_id), *places, *people]:
            for phases in self._asked:
                self._lists.invalidate((subject, phases))
