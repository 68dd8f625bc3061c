"""Seats that players give up, offered to people who look for a game before a computer plays on."""

from __future__ import annotations

import msgspec
from cachetools import TTLCache

from db.named import people_in_entry
from db.records.people import WishRow
from tables.clocks.pace import DAY, HOUR
from tables.core.history import EntryKind
from tables.core.people import Notices
from tables.core.repository import Repository
from tables.core.table import Phase, Refused, Table
from tables.lobby.invitations import InvitationService
from tables.lobby.looking import LookingForGame, plays_at

OFFER_LASTS = 6 * HOUR
"""Seconds in which a seat can be taken, and its computer waits; half of a shorter bank."""
MOST_ASKED = 5
"""The most people whom one seat is offered to."""
OFFERED_A_DAY = 3
"""The most seats that a person is offered within a day."""
REMEMBERED = 4096
"""The people whose offers are counted."""
SEATED_BY = (EntryKind.START, EntryKind.TAKE_OVER)
PLAYED_THERE = "You've already played in this game, so you can't take another seat."
NOT_LOOKING = "This seat is for people who look for a game. `/looking` makes you one of them."


class SeatOffer(msgspec.Struct, frozen=True):
    """An offer of a seat: the people who get it, and its last instant."""

    people: tuple[int, ...]
    until: float


class Vacancies:
    """Finds people for seats that are given up."""

    def __init__(
        self, repository: Repository, looking: LookingForGame, invitations: InvitationService
    ) -> None:
        self._repository = repository
        self._looking = looking
        self._invitations = invitations
        self._asked: TTLCache[int, int] = TTLCache(REMEMBERED, DAY, repository.clock)

    async def find_offer(self, table_id: int) -> SeatOffer | None:
        """Return an offer of a seat to those who wait longest.

        None if nobody looks for such a game, nobody else plays, or the table is private, of a cup, set up
        from something else, or played in one sitting.
        """
        table = await self._repository.table(table_id)
        people = await self._find_takers(table)
        lasts = min(OFFER_LASTS, table.pace.bank / 2) if table.pace.kept else OFFER_LASTS
        return SeatOffer(tuple(people), self._repository.clock() + lasts) if people else None

    def count_offer(self, offer: SeatOffer | None) -> None:
        """Count an offer that was made, for each of its people."""
        for user_id in () if offer is None else offer.people:
            self._asked[user_id] = self._asked.get(user_id, 0) + 1

    async def has_takers(self, table_id: int) -> bool:
        """Return True if somebody would be offered a seat now."""
        return bool(await self._find_takers(await self._repository.table(table_id)))

    async def _find_takers(self, table: Table) -> list[int]:
        if table.phase is not Phase.PLAY or len(table.people) < 2 or table.origin is not None:
            return []
        if table.private or table.pace.one_sitting:
            return []
        if await self._repository.store.cups.cup_of(table.id) is not None:
            return []
        known, people = await self._people_since_start(table), list[int]()
        for wish in await self._looking.looking(table.guild_id, table.slug):
            if len(people) < MOST_ASKED and wish.user_id not in known and await self._is_welcome(table, wish):
                people.append(wish.user_id)
        return people

    async def require_looking(self, table: Table, user_id: int) -> None:
        """Raise Refused unless a newcomer looks for such a game."""
        if user_id in await self._people_since_start(table):
            raise Refused(PLAYED_THERE)
        if not await self.is_looking(table, user_id):
            raise Refused(NOT_LOOKING)
        await self._invitations.require_welcome(table, user_id)

    async def is_looking(self, table: Table, user_id: int) -> bool:
        """Return True if a person looks for such a game there."""
        return any(wish.game == table.slug for wish in await self._looking.of(table.guild_id, user_id))

    async def _people_since_start(self, table: Table) -> set[int]:
        """Return everybody who has had a seat, and so knows its hand."""
        rows = await self._repository.store.entries(table.id, SEATED_BY)
        return set(table.people).union(*map(people_in_entry, rows))

    async def _is_welcome(self, table: Table, wish: WishRow) -> bool:
        """Return True if a person can be asked and suits the others."""
        person = await self._repository.time.people.person(wish.user_id)
        is_asked = self._asked.get(wish.user_id, 0) < OFFERED_A_DAY and person.notices is not Notices.NONE
        if not is_asked or not plays_at(wish, table.pace.name):
            return False
        if not await self._looking.do_suit(wish, table.people):
            return False
        try:
            await self._invitations.require_welcome(table, wish.user_id)
        except Refused:
            return False
        return True
