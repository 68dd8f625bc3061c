"""Seats that change hands during a game: between people, or from a computer to a person."""

from enum import StrEnum

import msgspec
from msgspec.structs import replace

from engines.game import Seat, Strength
from engines.names import make_distinct, quote
from tables.core.change import (
    BOARD,
    FRESH_BOARD,
    LOBBY,
    Change,
    DecisionContext,
    PostRequest,
    TableState,
    entry,
)
from tables.core.guards import newcomer_guards
from tables.core.history import EntryKind
from tables.core.requirements import NOT_SEATED, require_play
from tables.core.table import OPEN, Occupant, Phase, Refused, Table
from tables.core.turns import with_clock
from tables.lobby.decisions import free_seat
from tables.play.decisions import MOVED_ON, SeatOffer, close, hand_over

NOT_OFFERED = "Somebody has already taken this seat, or a computer plays there now."


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
    loaded: TableState,
    now: DecisionContext,
    *,
    seat: Seat,
    user_id: int,
    name: str,
    why: str,
    actor_id: int | None,
) -> Change:
    """Give a seat to a person, and notify the old owner.

    Raises:
        Refused: if no game is running, or the person sits there.
    """
    table = loaded.table
    require_play(table)
    require_stranger(table, user_id, name)
    others = (one.name for number, one in enumerate(table.seats) if number != seat)
    old, occupant = table.seats[seat], Occupant(make_distinct(name, others), user_id)
    clock = table.clock(seat).fill_to(2 * table.pace.increment, now.at, now.rest(user_id))
    host = user_id if table.host_id == old.user_id or not table.people else table.host_id
    handover = TakeOver(old.name, occupant.name, why, old.user_id, user_id)
    left = old.user_id if why != "offered" else None
    return Change(
        table=replace(
            table,
            seats=(*table.seats[:seat], occupant, *table.seats[seat + 1 :]),
            host_id=host,
            clocks=with_clock(table, seat, replace(clock, missed=0, deputy=False, late=None, offered=0.0)),
            proposal=None,
        ),
        entries=(entry(EntryKind.TAKE_OVER, actor_id, seat=seat, payload=handover),),
        shows=(
            FRESH_BOARD,
            LOBBY,
            PostRequest("hand", user_id),
            *([] if left is None else [PostRequest("replaced", left, fresh=True)]),
        ),
        guards=newcomer_guards(table.guild_id, user_id, table.people),
    )


def require_offered(table: Table, seat: Seat, user_id: int, at: float) -> None:
    """Raise Refused unless a person can take a seat on offer."""
    require_play(table)
    if user_id in table.people:
        raise Refused("You already have a seat at this table.")
    if seat not in table.offered_seats or table.clock(seat).offered <= at:
        raise Refused(NOT_OFFERED)


def take_offered(loaded: TableState, now: DecisionContext, *, seat: Seat, user_id: int, name: str) -> Change:
    """Give a seat on offer to a person.

    Raises:
        Refused: if it is no longer on offer, or the person sits there.
    """
    require_offered(loaded.table, seat, user_id, now.at)
    taken = take_over(loaded, now, seat=seat, user_id=user_id, name=name, why="looking", actor_id=user_id)
    # Unlike other takeovers, this one comes of no proposal: what others have proposed goes on.
    return replace(taken, table=replace(taken.table, proposal=loaded.table.proposal))


def close_offers(loaded: TableState, now: DecisionContext, *, until: float | None = None) -> Change | None:
    """Let computers play at seats offered until now, or another instant."""
    table, last = loaded.table, now.at if until is None else until
    over = [seat for seat in table.offered_seats if table.clock(seat).offered <= last]
    for seat in over:
        table = replace(table, clocks=with_clock(table, seat, replace(table.clock(seat), offered=0.0)))
    return Change(table, shows=(BOARD,)) if over else None


def kick_of(table: Table, user_id: int) -> Kick:
    """Return the effect of kicking a person from a table.

    Raises:
        Refused: if they don't sit there, or the table isn't open.
    """
    if table.phase not in OPEN or table.seat_of(user_id) is None:
        raise Refused(NOT_SEATED)
    if table.people == [user_id]:
        return Kick.CLOSES
    return Kick.COMPUTER if table.phase is Phase.PLAY else Kick.FREE


def kick(
    loaded: TableState,
    now: DecisionContext,
    *,
    user_id: int,
    actor_id: int,
    expected: Kick | None = None,
    offer: SeatOffer | None = None,
) -> Change:
    """Kick a person from a table; see `Kick` for the effect.

    `expected` is the effect that the administrator saw. A computer waits while the seat is on `offer`.

    Raises:
        Refused: if the effect has changed, or the person doesn't sit there.
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
    return replace(gone, shows=(*gone.shows, PostRequest("replaced", user_id, fresh=True)))


def require_stranger(table: Table, user_id: int, name: str) -> None:
    """Raise Refused if the person sits at the table already."""
    if user_id in table.people:
        raise Refused(f"{quote(name)} is already at this table.")
