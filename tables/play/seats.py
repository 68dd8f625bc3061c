"""Seats that change hands during a game, or are offered to people who look for one."""

from collections.abc import AsyncIterator
from enum import StrEnum
from functools import partial
from math import inf

import msgspec
from msgspec.structs import replace

from db import batch, records
from engines.game import Seat, Strength
from engines.marks import make_distinct, quote
from tables.clocks.pace import DAY, HOUR
from tables.core import change, history
from tables.core.people import Notices, Person
from tables.core.repository import Repository
from tables.core.table import OPEN, Occupant, Phase, Refused, Table
from tables.core.turns import with_clock
from tables.lobby.decisions import free_seat
from tables.lobby.invitations import InvitationService
from tables.lobby.looking import LookingForGame, plays_at
from tables.play.decisions import MOVED_ON, SeatOffer, close, hand_over

NOT_OFFERED = "Somebody has already taken this seat, or a computer is playing there now."


class Kick(StrEnum):
    """The effect of a kick on a table."""

    COMPUTER = "computer"
    """A computer takes the seat."""
    FREE = "free"
    """The seat in the lobby becomes free."""
    CLOSES = "closes"
    """Nobody else is there, so the table closes; its game ends without a result."""


class TakeOver(msgspec.Struct, frozen=True, omit_defaults=True):
    """A takeover of a seat: both names, and who of them is a person.

    `why` is ``offered`` by its owner, ``agreed`` by the others, ``looking`` if it was free for those who look
    for a game, or ``admin``.
    """

    old: str
    new: str
    why: str
    left: int | None = None
    came: int | None = None


def take_over(
    loaded: change.TableState,
    now: change.DecisionContext,
    *,
    seat: Seat,
    user_id: int,
    name: str,
    why: str,
    actor_id: int | None,
) -> change.Change:
    """Give a seat to a person, and notify the old owner.

    Raise Refused if no game is running, or the person sits there.
    """
    table = loaded.table
    change.require_play(table)
    require_stranger(table, user_id, name)
    others = (one.name for number, one in enumerate(table.seats) if number != seat)
    old, occupant = table.seats[seat], Occupant(make_distinct(name, others), user_id)
    clock = table.clock(seat).fill_to(2 * table.pace.increment, now.at, now.rest(user_id))
    host = user_id if table.host_id == old.user_id or not table.people else table.host_id
    handover = TakeOver(old.name, occupant.name, why, old.user_id, user_id)
    left = old.user_id if why != "offered" else None
    return change.Change(
        table=replace(
            table,
            seats=(*table.seats[:seat], occupant, *table.seats[seat + 1 :]),
            host_id=host,
            clocks=with_clock(table, seat, replace(clock, missed=0, deputy=False, late=None, offered=0.0)),
            proposal=None,
        ),
        entries=(change.entry(history.EntryKind.TAKE_OVER, actor_id, seat=seat, payload=handover),),
        shows=(
            change.FRESH_BOARD,
            change.LOBBY,
            change.PostRequest("hand", user_id),
            *([] if left is None else [change.PostRequest("replaced", left, fresh=True)]),
        ),
        guards=change.newcomer_guards(table.guild_id, user_id, table.people),
    )


def require_offered(table: Table, seat: Seat, user_id: int, at: float) -> None:
    change.require_play(table)
    if user_id in table.people:
        raise Refused("You already have a seat at this table.")
    if seat not in table.offered_seats or table.clock(seat).offered <= at:
        raise Refused(NOT_OFFERED)


def take_offered(
    loaded: change.TableState, now: change.DecisionContext, *, seat: Seat, user_id: int, name: str
) -> change.Change:
    """Give a seat on offer to a person.

    Raise Refused if it is no longer on offer, or the person sits there.
    """
    require_offered(loaded.table, seat, user_id, now.at)
    taken = take_over(loaded, now, seat=seat, user_id=user_id, name=name, why="looking", actor_id=user_id)
    # Unlike other takeovers, this one comes of no proposal: what others have proposed goes on.
    return replace(taken, table=replace(taken.table, proposal=loaded.table.proposal))


def close_offers(
    loaded: change.TableState, now: change.DecisionContext, *, until: float | None = None
) -> change.Change | None:
    """Let computers play at seats offered until now, or another instant."""
    table, last = loaded.table, now.at if until is None else until
    over = [seat for seat in table.offered_seats if table.clock(seat).offered <= last]
    for seat in over:
        table = replace(table, clocks=with_clock(table, seat, replace(table.clock(seat), offered=0.0)))
    return change.Change(table, shows=(change.BOARD,)) if over else None


def kick_of(table: Table, user_id: int) -> Kick:
    """Return the effect of kicking a person from a table.

    Raise Refused if they don't sit there, or the table isn't open.
    """
    if table.phase not in OPEN or table.seat_of(user_id) is None:
        raise Refused(change.NOT_SEATED)
    if table.people == [user_id]:
        return Kick.CLOSES
    return Kick.COMPUTER if table.phase is Phase.PLAY else Kick.FREE


def kick(
    loaded: change.TableState,
    now: change.DecisionContext,
    *,
    user_id: int,
    actor_id: int,
    expected: Kick | None = None,
    offer: SeatOffer | None = None,
) -> change.Change:
    """Kick a person from a table; see `Kick` for the effect.

    `expected` is the effect that the administrator saw. A computer waits while the seat is on `offer`. Raise
    Refused if the effect has changed, or the person doesn't sit there.
    """
    table = loaded.table
    what = kick_of(table, user_id)
    if expected is not None and what is not expected:
        raise Refused(MOVED_ON)
    if what is Kick.CLOSES:
        return close(loaded, now, actor_id=actor_id, why="kicked")
    if table.phase is Phase.PLAY:
        strength = Strength.STRONG
        return hand_over(loaded, now, user_id=user_id, actor_id=actor_id, strength=strength, offer=offer)
    gone = free_seat(loaded, now, user_id=user_id, actor_id=actor_id)
    return replace(gone, shows=(*gone.shows, change.PostRequest("replaced", user_id, fresh=True)))


def require_stranger(table: Table, user_id: int, name: str) -> None:
    if user_id in table.people:
        raise Refused(f"{quote(name)} is already at this table.")


OFFER_LASTS = 6 * HOUR
"""Seconds in which a seat can be taken, and its computer waits; half of a shorter bank."""
MOST_ASKED = 5
"""The most people whom one seat is offered to."""
OFFERED_A_DAY = 3
"""The most seats that a person is offered within a day."""
SEATED_BY = (history.EntryKind.START, history.EntryKind.TAKE_OVER)
PLAYED_THERE = "You've already played in this game, so you can't take another seat."
NOT_LOOKING = "This seat is for people looking for a game. To look for one, use `/looking`."


def can_be_offered(person: Person, now: float) -> bool:
    """Return True if a person gets notices, and few offers today."""
    return person.notices is not Notices.NONE and len(offers_today(person, now)) < OFFERED_A_DAY


def offers_today(person: Person, now: float) -> tuple[float, ...]:
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

    async def _find_takers(self, table: Table) -> AsyncIterator[records.WishRow]:
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

    async def _suitable_seekers(self, table: Table) -> AsyncIterator[records.WishRow]:
        """Yield the wishes that a seat would fulfil, longest waiting first."""
        known = await self._people_since_start(table)
        for wish in await self._looking.looking(table.guild_id, table.slug):
            if wish.user_id not in known and await self._is_welcome(table, wish):
                yield wish

    async def require_looking(self, table: Table, user_id: int) -> None:
        if user_id in await self._people_since_start(table):
            raise Refused(PLAYED_THERE)
        if not await self.is_looking(table, user_id):
            raise Refused(NOT_LOOKING)
        await self._invitations.require_welcome(table, user_id)

    async def is_looking(self, table: Table, user_id: int) -> bool:
        return any(wish.game == table.slug for wish in await self._looking.of(table.guild_id, user_id))

    async def _people_since_start(self, table: Table) -> set[int]:
        """Return everybody who has had a seat, and so knows its hand."""
        rows = await self._repository.store.entries(table.id, SEATED_BY)
        return set(table.people).union(*map(batch.people_in_entry, rows))

    async def _is_welcome(self, table: Table, wish: records.WishRow) -> bool:
        if not plays_at(wish, table.pace.name) or not await self._looking.do_suit(wish, table.people):
            return False
        try:
            await self._invitations.require_welcome(table, wish.user_id)
        except Refused:
            return False
        return True
