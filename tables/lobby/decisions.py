"""Decisions before a game and about its start: rules for opening, fair draws; pure functions."""

import secrets
from collections.abc import Collection
from hashlib import sha256
from typing import Any

import msgspec
from msgspec.structs import replace

from db.records import SeatRow, ServerSettings, TableRow
from engines import engine, marks
from engines.game import SEED_SIZE, Discreet, Draws, IllegalSetup, Seat, Strength
from tables.clocks.pace import CUSTOM, HOUR, PACES, Pace, pace_words
from tables.core import change as core
from tables.core import downtime, turns
from tables.core.change import (
    LOBBY,
    Change,
    DecisionContext,
    PostRequest,
    TableState,
    entry,
    require_lobby,
    require_player,
)
from tables.core.history import EntryKind
from tables.core.table import OPEN, CustomDeal, Forked, Occupant, Phase, Refused, RematchExists, Table, encode
from tables.standings.ratings import GameStart

SEATS = 1 << 32
"""The counter of the draw of seats, beyond those of any game."""


class FairDraw(msgspec.Struct, frozen=True):
    """What anybody can know of a table's draw.

    `commitment` is the SHA-256 of salt and seed, in hexadecimal. `seed`, `salt` and `matches` are None until
    the game is over; `matches` says that dealing again from the seed gives the deal that was played. Players
    check themselves that seed and salt fit the promise. A deal made `by_hand` has no seed.
    """

    commitment: str
    seed: str | None = None
    salt: str | None = None
    matches: bool | None = None
    by_hand: bool = False


def secret() -> tuple[bytes, bytes]:
    """Draw a seed, and the salt that protects its hash from a search."""
    return secrets.token_bytes(SEED_SIZE), secrets.token_bytes(16)


def commitment(seed: bytes, salt: bytes) -> str:
    """Return the promise posted when a game starts.

    >>> commitment(b"seed", b"salt")[:16]
    '12e2aa1b6048d6be'
    """
    return sha256(salt + seed).hexdigest()


def seat_order(table: Table) -> list[Occupant]:
    """Return the occupants by seat. As they sit, or drawn from the table's seed."""
    if table.ordered or not table.game.draws_seats:
        return list(table.seats)
    return Draws(table.seed, SEATS).shuffle(table.seats)


def has_seed(table: Table) -> bool:
    """Return True if the deal came from the table's own seed."""
    return not table.by_hand and not isinstance(table.origin, Forked)


def draw_of(table: Table, now: float = 0.0) -> FairDraw | None:
    """Return a table's draw; None without a deal of its own.

    A deal of the day stays secret until the day is over, since others play it.
    """
    if table.deal is None or table.study is not None:
        return None
    promise = commitment(table.seed, table.salt)
    if table.phase is Phase.PLAY or table.is_secret(now):
        return FairDraw(promise, by_hand=table.by_hand)
    matches = encode(table.game.deal(len(table.seats), table.options, table.seed)) == table.deal
    return FairDraw(promise, table.seed.hex(), table.salt.hex(), matches, by_hand=table.by_hand)


def channels(settings: ServerSettings) -> list[int]:
    """Return the channels in which tables can be opened; empty for all."""
    return list(settings.open_in)


def require_opening(settings: ServerSettings, channel_id: int, roles: Collection[int]) -> None:
    """Raise Refused if nobody with these roles can open a table in a channel.

    >>> require_opening(ServerSettings(1, open_in=(2,), open_role_id=3), 2, [3, 4])
    """
    role = settings.open_role_id
    if role is not None and role not in roles:
        raise Refused(f"Only members of <@&{role}> can open tables here. You can join theirs.")
    allowed = channels(settings)
    if allowed and channel_id not in allowed:
        places = " or ".join(f"<#{channel}>" for channel in allowed)
        raise Refused(f"You can't open tables in this channel. Open yours in {places}.")


def require_computers(settings: ServerSettings) -> None:
    if not settings.computers:
        raise Refused("Computer players are off in this server. Invite someone with `/table invite`.")


COMPUTER_NAMES = ("Ada", "Ivo", "Mia", "Otto", "Zoe")
REMINDED_AFTER = HOUR / 2
"""Seconds after the last seat is taken until the host is reminded to start."""


class Continuation(Discreet, frozen=True):
    """The past of another table's game, for a table that goes on from there.

    `entries` begin with the start of the game; `states` are those after that many of them.
    """

    source: Table
    entries: tuple[core.Entry, ...]
    states: tuple[tuple[int, bytes], ...]
    position: engine.Position


class StartContext(msgspec.Struct, frozen=True):
    """The other inputs of a start: the server's settings, and a fork's past."""

    settings: ServerSettings
    goes_on_from: Continuation | None = None


class RematchContext(msgspec.Struct, frozen=True):
    """The other inputs of a rematch: an earlier rematch, and the new lobby's rows."""

    earlier: int | None
    opens: tuple[TableRow, tuple[SeatRow, ...]] | None = None


def is_allowed(settings: ServerSettings, pace: Pace) -> bool:
    forbidden = settings.forbidden_paces
    return pace.name not in forbidden and (CUSTOM not in forbidden or pace.name in PACES)


def require_allowed(settings: ServerSettings, pace: Pace) -> None:
    if not is_allowed(settings, pace):
        raise Refused(f"This server doesn't allow that pace ({pace_words(pace)}). Choose another.")


def require_host(table: Table, user_id: int) -> None:
    """Raise Refused unless the table is in its lobby and this person its host."""
    require_lobby(table)
    if table.host_id != user_id:
        host = table.seats[table.seat_of(table.host_id) or 0].name
        raise Refused(f"Only the host, {marks.quote(host)}, can do that.")


def join(
    loaded: TableState, now: DecisionContext, beginning: StartContext, *, user_id: int, name: str
) -> Change:
    """Take a free seat, or the first settled one. The last can start the game."""
    table = loaded.table
    require_lobby(table)
    if table.seat_of(user_id) is not None:
        raise Refused("You're already at this table.")
    if table.taken >= table.room:
        who = f"All {table.room} seats are taken." if table.room > 1 else "This table is for one player."
        raise Refused(f"{who} `/{table.slug} new` opens a table of your own.")
    joined = _seat_newcomer(loaded, now, beginning, with_sitter(table, Occupant(name, user_id)), user_id)
    return replace(joined, guards=core.newcomer_guards(table.guild_id, user_id, table.people))


def sit(
    loaded: TableState, now: DecisionContext, beginning: StartContext, *, user_id: int, name: str, seat: Seat
) -> Change:
    """Take, or change to, a settled free seat of one's choice."""
    table = loaded.table
    require_lobby(table)
    own = table.seat_of(user_id)
    if not table.arranged:
        raise Refused("You can't choose a seat here. **Join** gives you one.")
    if not 0 <= seat < len(table.seats) or not table.seats[seat].nobody:
        raise Refused("That seat is taken. Choose another, or stay where you are.")
    if own is None:
        joined = _seat_newcomer(
            loaded, now, beginning, with_sitter(table, Occupant(name, user_id), seat), user_id
        )
        return replace(joined, guards=core.newcomer_guards(table.guild_id, user_id, table.people))
    freed = replace(table, seats=without_sitter(table, own))
    return _with_seats(loaded, with_sitter(freed, Occupant(name, user_id), seat), EntryKind.JOIN, user_id)


def add_computer(
    loaded: TableState, now: DecisionContext, beginning: StartContext, *, user_id: int, strength: Strength
) -> Change:
    table = loaded.table
    require_host(table, user_id)
    if not table.learning:  # who learns a game plays with a computer, wherever others may not
        require_computers(beginning.settings)
    if table.taken >= table.room:
        raise Refused("Every seat is taken. Remove someone before you add a computer player.")
    seats = with_sitter(table, Occupant(computer_name(table.names), None, strength))
    return _start_if_full(loaded, now, beginning, _with_seats(loaded, seats, EntryKind.JOIN, user_id))


def computer_name(taken: list[str]) -> str:
    """Return the name of one more computer player.

    >>> computer_name(["Ann", "Ada"]), computer_name(["Ada", "Ivo", "Mia", "Otto", "Zoe"])
    ('Ivo', 'Ada 2')
    """
    names = (*COMPUTER_NAMES, *(f"{name} {number}" for number in range(2, 99) for name in COMPUTER_NAMES))
    return next(name for name in names if name not in taken)


def _seat_newcomer(
    loaded: TableState,
    now: DecisionContext,
    beginning: StartContext,
    seats: tuple[Occupant, ...],
    user_id: int,
) -> Change:
    """Seat a newcomer; taking the last seat can start the game."""
    table = loaded.table
    change = _with_seats(loaded, seats, EntryKind.JOIN, user_id)
    if table.taken + 1 < table.room:
        return change
    reminder = PostRequest("full", table.host_id, at=now.at + REMINDED_AFTER)
    change = replace(change, shows=(*change.shows, reminder))
    return _start_if_full(loaded, now, beginning, change)


def _start_if_full(
    loaded: TableState, now: DecisionContext, beginning: StartContext, change: Change
) -> Change:
    seated = core.after_change(loaded, change)
    if not seated.table.starts_full or seated.table.taken < seated.table.room:
        return change
    try:
        start = _begin_game(seated, now, beginning, seated.table.host_id)
    except Refused:  # with these options it can't begin: the host has to look at it
        return change
    return core.merge_changes([change, start]) or change


def leave(loaded: TableState, now: DecisionContext, *, user_id: int) -> Change:
    """Give up a seat. After the host the next person is host; the last closes the table."""
    require_lobby(loaded.table)
    seat = require_player(loaded.table, user_id, "You aren't at this table.")
    return _without_seat(loaded, seat, EntryKind.LEAVE, user_id)


def free_seat(loaded: TableState, now: DecisionContext, *, user_id: int, actor_id: int) -> Change:
    """Remove a person from a lobby, at an administrator's wish."""
    require_lobby(loaded.table)
    seat = require_player(loaded.table, user_id, core.NOT_SEATED)
    return _without_seat(loaded, seat, EntryKind.KICK, actor_id)


def remove_computer(loaded: TableState, now: DecisionContext, *, user_id: int) -> Change:
    """Remove the computer player that came last."""
    require_host(loaded.table, user_id)
    seats = [seat for seat, occupant in enumerate(loaded.table.seats) if occupant.computer]
    if not seats:
        raise Refused("This table has no computer players.")
    return _without_seat(loaded, seats[-1], EntryKind.LEAVE, user_id)


def change_terms(
    loaded: TableState,
    now: DecisionContext,
    settings: ServerSettings,
    *,
    user_id: int,
    changes: dict[str, Any],
) -> Change:
    """Change the terms; `changes` are fields of `Terms`, and `options`."""
    table = loaded.table
    require_host(table, user_id)
    if "options" in changes and table.arranged:
        raise Refused("This table's deal was set up beforehand, so you can't change the options.")
    changed = replace(table, **changes)
    room = max(table.game.seats_for(changed.options))
    if "options" in changes and len(table.seats) > room:
        raise Refused(
            f"Those options are for {room} player{'s' if room > 1 else ''} at most, and "
            f"{len(table.seats)} are here. Someone has to leave first."
        )
    require_allowed(settings, changed.pace)
    return _lobby_change(changed, EntryKind.OPTIONS, user_id, changed.options)


def cancel(loaded: TableState, now: DecisionContext, *, user_id: int) -> Change:
    require_host(loaded.table, user_id)
    return _lobby_change(replace(loaded.table, phase=Phase.CLOSED), EntryKind.CLOSE, user_id)


def expire(loaded: TableState, now: DecisionContext) -> Change | None:
    """Close a lobby that has been idle for too long, and notify its host."""
    table = loaded.table
    if table.phase is not Phase.LOBBY or now.at < table.touched_at + turns.EXPIRES_AFTER:
        return None
    if not downtime.is_steady(now.gaps, now.at):
        return None
    closed = _lobby_change(replace(table, phase=Phase.EXPIRED), EntryKind.EXPIRE, None)
    return replace(closed, shows=(LOBBY, PostRequest("expired", table.host_id, fresh=True)))


def reopen(loaded: TableState, now: DecisionContext, *, user_id: int) -> Change:
    """Open an expired lobby again, for somebody who sat there."""
    table = loaded.table
    if table.phase is Phase.LOBBY:
        raise Refused("This table is already open again.")
    if table.phase is Phase.PLAY:
        raise Refused("The game has already begun.")
    if table.phase is not Phase.EXPIRED:
        raise Refused("This table can't reopen. Open a new one.")
    require_player(table, user_id, "Only people who sat here can reopen this table. Open one of your own.")
    opened = _lobby_change(replace(table, phase=Phase.LOBBY), EntryKind.REOPEN, user_id)
    return replace(opened, guards=(core.tables_quota(table.guild_id, user_id),))


def start(loaded: TableState, now: DecisionContext, beginning: StartContext, *, user_id: int) -> Change:
    require_host(loaded.table, user_id)
    return _begin_game(loaded, now, beginning, user_id)


def _begin_game(loaded: TableState, now: DecisionContext, beginning: StartContext, user_id: int) -> Change:
    """Start the game. Dealt, from a hand-made deal, or from another table's game."""
    table = loaded.table
    options = settled_options(table)
    if isinstance(table.origin, Forked):
        past = beginning.goes_on_from
        if past is None:
            raise ValueError("a fork begins with the past of another table")
        forked = replace(table, phase=Phase.PLAY, seed=past.source.seed, deal=past.source.deal, clocks=())
        first = replace(past.entries[0], actor_id=user_id, payload=None)
        return replace(_deal_of(forked, past.position, (first, *past.entries[1:])), earlier=past.states)
    laid = table.origin.deal if isinstance(table.origin, CustomDeal) else None
    deal = laid or encode(table.game.deal(len(table.seats), options, table.seed))
    played = engine.begin(table.slug, len(table.seats), encode(options).encode(), deal.encode(), table.seed)
    seats = table.seats if table.arranged else tuple(seat_order(table))
    begun = replace(table, options=options, phase=Phase.PLAY, deal=deal, seats=seats, clocks=())
    people = tuple(occupant.user_id for occupant in seats)
    who = GameStart(people, tuple(begun.names), beginning.settings.rate_computers)
    return _deal_of(begun, played.position, (entry(EntryKind.START, user_id, payload=who),))


def _deal_of(table: Table, position: engine.Position, entries: tuple[core.Entry, ...]) -> Change:
    hands = (
        PostRequest("hand", occupant.user_id)
        for occupant, hand in zip(table.seats, position.hands, strict=True)
        if occupant.user_id is not None and hand is not None
    )
    return Change(
        table=replace(table, beat=position.beat, owing=position.owing),
        entries=entries,
        position=position,
        shows=(LOBBY, core.FRESH_BOARD, *hands),
        snapshot=True,
    )


def open_rematch(loaded: TableState, now: DecisionContext, again: RematchContext, *, user_id: int) -> Change:
    """Open the lobby of a rematch, and link it from the old table."""
    old = loaded.table
    if old.phase in OPEN:
        raise Refused("This game isn't over yet.")
    if old.seat_of(user_id) is None:
        raise Refused(f"Only people who played here can ask for a rematch. Anyone can use `/{old.slug} new`.")
    if again.earlier is not None:
        raise RematchExists(again.earlier)
    guards = (core.tables_quota(old.guild_id, user_id),)
    return Change(old, (entry(EntryKind.REMATCH, user_id),), opens=again.opens, guards=guards)


def _lobby_change(table: Table, kind: EntryKind, actor_id: int | None, payload: object = None) -> Change:
    """Change a lobby, whose card is redrawn."""
    return Change(table, (entry(kind, actor_id, payload=payload),), shows=(LOBBY,))


def _with_seats(loaded: TableState, seats: tuple[Occupant, ...], kind: EntryKind, actor_id: int) -> Change:
    return _lobby_change(replace(loaded.table, seats=seats), kind, actor_id)


def _without_seat(loaded: TableState, seat: Seat, kind: EntryKind, actor_id: int) -> Change:
    table = loaded.table
    gone, rest = table.seats[seat], without_sitter(table, seat)
    people = [occupant for occupant in rest if occupant.user_id is not None]
    if not people:
        return _lobby_change(replace(table, phase=Phase.CLOSED), EntryKind.CLOSE, actor_id)
    host = table.host_id
    if gone.user_id == host:
        first = people[0]
        host = first.user_id or host
        if not table.arranged:
            rest = (first, *(occupant for occupant in rest if occupant is not first))
    return _lobby_change(replace(table, seats=rest, host_id=host), kind, actor_id)


def with_sitter(table: Table, occupant: Occupant, seat: Seat | None = None) -> tuple[Occupant, ...]:
    """Return the seats with a newcomer. No two people have the same name."""
    others = [one.name for one in table.seats if not one.nobody]
    occupant = replace(occupant, name=marks.make_distinct(occupant.name, others))
    if not table.arranged:
        return (*table.seats, occupant)
    free = [number for number, other in enumerate(table.seats) if other.nobody]
    at = free[0] if seat is None else seat
    return (*table.seats[:at], occupant, *table.seats[at + 1 :])


def without_sitter(table: Table, seat: Seat) -> tuple[Occupant, ...]:
    """Return the seats without an occupant; a settled seat becomes free."""
    free = (Occupant(table.arranged[seat]),) if table.arranged else ()
    return (*table.seats[:seat], *free, *table.seats[seat + 1 :])


def settled_options(table: Table) -> Any:
    """Return the options as they will be played.

    Nobody starts a game for several alone by a slip. Raise Refused if too few or too many sit there, or the
    options can't be played.
    """
    if table.arranged:
        if table.taken < table.room:
            free = table.room - table.taken
            raise Refused(
                f"{free} of {table.room} seats {'is' if free == 1 else 'are'} still free. "
                "Add a computer player, or wait for others."
            )
        return table.options
    seats, allowed = len(table.seats), table.game.seats_for(table.options)
    try:
        if seats not in allowed:
            room = " or ".join(str(number) for number in allowed)
            raise IllegalSetup(
                f"These options are for {room} players, and {seats} {'is' if seats == 1 else 'are'} here."
            )
        return table.game.settle(seats, table.options)
    except IllegalSetup as reason:
        raise Refused(f"{reason} Add a computer player, wait for others, or change the options.") from None
