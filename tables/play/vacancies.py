"""Seats that players give up, offered to people who look for a game before a computer plays on."""

from collections.abc import AsyncIterator
from functools import partial
from math import inf

from msgspec.structs import replace

from db.named import people_in_entry
from db.records.people import WishRow
from tables.clocks.pace import DAY, HOUR
from tables.core.history import EntryKind
from tables.core.people import Notices, Person
from tables.core.repository import Repository
from tables.core.table import Phase, Refused, Table
from tables.lobby.invitations import InvitationService
from tables.lobby.looking import LookingForGame, plays_at
from tables.play.decisions import SeatOffer
from tables.play.seats import close_offers

OFFER_LASTS = 6 * HOUR
"""Seconds in which a seat can be taken, and its computer waits; half of a shorter bank."""
MOST_ASKED = 5
"""The most people whom one seat is offered to."""
OFFERED_A_DAY = 3
"""The most seats that a person is offered within a day."""
SEATED_BY = (EntryKind.START, EntryKind.TAKE_OVER)
PLAYED_THERE = "You've already played in this game, so you can't take another seat."
NOT_LOOKING = "This seat is for people who look for a game. `/looking` makes you one of them."


def can_be_offered(person: Person, now: float) -> bool:
    """Return True if a person gets notices, and few offers today."""
    return person.notices is not Notices.NONE and len(offers_today(person, now)) < OFFERED_A_DAY


def offers_today(person: Person, now: float) -> tuple[float, ...]:
    """Return the instants of a person's offers of the last day."""
    return tuple(at for at in person.offers if now - DAY < at <= now)


def with_offer(person: Person, now: float) -> Person:
    """Count an offer that was sent."""
    return replace(person, offers=(*offers_today(person, now), now))


class Vacancies:
    """Finds people for seats that are given up."""

    def __init__(
        self, repository: Repository, looking: LookingForGame, invitations: InvitationService
    ) -> None:
        self._repository = repository
        self._looking = looking
        self._invitations = invitations

    async def find_offer(self, table_id: int) -> SeatOffer | None:
        """Return an offer of a seat to those who wait longest.

        None if nobody looks for such a game, nobody else plays, or the table is private, of a cup, set up
        from something else, or played in one sitting.
        """
        table = await self._repository.table(table_id)
        people = list[int]()
        async for wish in self._find_takers(table):
            if await self._looking.is_still_there(wish):
                people.append(wish.user_id)
            if len(people) == MOST_ASKED:
                break
        lasts = min(OFFER_LASTS, table.pace.bank / 2) if table.pace.kept else OFFER_LASTS
        return SeatOffer(tuple(people), self._repository.clock() + lasts) if people else None

    async def withdraw(self, table_id: int, user_id: int) -> None:
        """End an offer to somebody who can't be told, and their search.

        If nobody else can take the seat, a computer does at once.
        """
        table = await self._repository.table(table_id)
        await self._looking.stop(table.guild_id, user_id, table.slug)
        async for _ in self._suitable_seekers(table):
            return
        await self._repository.apply(table_id, partial(close_offers, until=inf))

    async def has_takers(self, table_id: int) -> bool:
        """Return True if somebody would be offered a seat now."""
        async for _ in self._find_takers(await self._repository.table(table_id)):
            return True
        return False

    async def _find_takers(self, table: Table) -> AsyncIterator[WishRow]:
        """Yield the wishes of those who can be offered a seat now."""
        if table.phase is not Phase.PLAY or len(table.people) < 2 or table.origin is not None:
            return
        if table.private or table.pace.one_sitting:
            return
        if await self._repository.store.cups.cup_of(table.id) is not None:
            return
        async for wish in self._suitable_seekers(table):
            person = await self._repository.time.people.person(wish.user_id)
            if can_be_offered(person, self._repository.clock()):
                yield wish

    async def _suitable_seekers(self, table: Table) -> AsyncIterator[WishRow]:
        """Yield the wishes that a seat would fulfil, longest waiting first."""
        known = await self._people_since_start(table)
        for wish in await self._looking.looking(table.guild_id, table.slug):
            if wish.user_id not in known and await self._is_welcome(table, wish):
                yield wish

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
        """Return True if a person suits the table and the others."""
        if not plays_at(wish, table.pace.name) or not await self._looking.do_suit(wish, table.people):
            return False
        try:
            await self._invitations.require_welcome(table, wish.user_id)
        except Refused:
            return False
        return True
