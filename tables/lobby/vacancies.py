"""Seats that players give up, offered to people who look for a game before a computer plays on."""

from __future__ import annotations

import msgspec

from db.records import WishRow
from tables.clocks.pace import HOUR
from tables.core.repository import Repository
from tables.core.table import Phase, Refused, Table
from tables.lobby.invitations import InvitationService
from tables.lobby.looking import LookingForGame, plays_at

OFFER_LASTS = 12 * HOUR
"""Seconds in which a seat can be taken, and its computer waits; half of a shorter bank."""
MOST_ASKED = 5
"""The most people whom one seat is offered to."""
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

    async def find_offer(self, table_id: int) -> SeatOffer | None:
        """Return an offer of a seat of a table to those who wait longest.

        None if nobody looks for such a game, or the table is private, of a cup, set up from something else,
        or played in one sitting.
        """
        table = await self._repository.table(table_id)
        if (
            table.phase is not Phase.PLAY
            or table.private
            or table.pace.one_sitting
            or table.origin is not None
        ):
            return None
        if await self._repository.store.cups.cup_of(table.id) is not None:
            return None
        people = list[int]()
        for wish in await self._looking.looking(table.guild_id, table.slug):
            if len(people) < MOST_ASKED and await self._is_welcome(table, wish):
                people.append(wish.user_id)
        lasts = min(OFFER_LASTS, table.pace.bank / 2) if table.pace.kept else OFFER_LASTS
        return SeatOffer(tuple(people), self._repository.clock() + lasts) if people else None

    async def require_looking(self, table: Table, user_id: int) -> None:
        """Raise Refused unless a person looks for such a game, and is welcome."""
        wishes = await self._looking.of(table.guild_id, user_id)
        if not any(wish.game == table.slug for wish in wishes):
            raise Refused(NOT_LOOKING)
        await self._invitations.require_welcome(table, user_id)

    async def _is_welcome(self, table: Table, wish: WishRow) -> bool:
        if wish.user_id in table.people or not plays_at(wish, table.pace.name):
            return False
        try:
            await self._invitations.require_welcome(table, wish.user_id)
        except Refused:
            return False
        return True
