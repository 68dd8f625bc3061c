"""Late players: lateness, and what others, an administrator or the player can do."""

from msgspec.structs import replace

from engines.game import Seat, Strength
from engines.marks import make_distinct, quote
from tables.clocks.clock import Clock
from tables.clocks.pace import DAY, HOUR, MINUTE, length_words
from tables.core import change as core
from tables.core.change import DecisionContext, TableState
from tables.core.history import EntryKind
from tables.core.table import SUFFIX, Occupant, Phase, Refused, Table, WhenLate
from tables.core.turns import deadlines, does_anybody_wait, forfeiting_seats, lateness_rule, with_clock
from tables.play.decisions import HandOver, resign, with_present_host

GRACE_BEFORE_ACTION = HOUR
"""Seconds after the deadline before others can act on it."""
NUDGE_AFTER, NUDGE_AFTER_IN_ONE_SITTING = 12 * HOUR, 3 * MINUTE
"""Seconds of waiting before a nudge, and between nudges."""
GIVEN_TIME_RANGE = (MINUTE, 30 * DAY)
"""The least and the most time that an administrator gives at once."""
MOST_MISSED_TURNS = 3
"""After this many late turns in a row, the computer keeps the seat."""


def apply_lateness_rule(loaded: TableState, now: DecisionContext) -> core.Change | None:
    """Apply the table's lateness rule to every late seat.

    Return None if nobody is late. A computer makes the turn, or keeps the seat after several in a row; or
    the late player leaves the game.
    """
    noted = _note_lateness(loaded, now)
    changes, after = [noted], core.after_change(loaded, noted)
    while not after.table.is_stopped and (leaving := forfeiting_seats(after.table)):
        change = resign(after, now, user_id=after.table.seats[leaving[0]].user_id or 0)
        changes, after = [*changes, change], core.after_change(after, change)
    return core.merge_changes(changes)


def _note_lateness(loaded: TableState, now: DecisionContext) -> core.Change | None:
    table = loaded.table
    ends = {seat: at for seat, at in deadlines(table, now.rests).items() if at <= now.at}
    if table.phase is not Phase.PLAY or not ends:
        return None
    clocks, seated = list(table.clocks), list(table.seats)
    entries, shows = [], list[core.PostRequest]()
    for seat, at in ends.items():
        clocks[seat] = replace(clocks[seat], late=at)
        if not does_anybody_wait(table, seat):
            continue
        occupant, what = table.seats[seat], lateness_rule(table)
        entries.append(core.entry(EntryKind.LATE, None, seat=seat, payload=[occupant.name, what]))
        if what == WhenLate.COMPUTER:
            clocks[seat] = replace(clocks[seat], deputy=True)
            if clocks[seat].missed + 1 >= MOST_MISSED_TURNS:
                handover = HandOver(occupant.name, own=False, why="late")
                entries.append(core.entry(EntryKind.HAND_OVER, None, seat=seat, payload=handover))
                seated[seat] = keeper(occupant)
                shows.append(core.PostRequest("replaced", occupant.user_id or 0, fresh=True))
    changed = replace(table, clocks=tuple(clocks), seats=tuple(seated))
    return core.Change(
        with_present_host(changed), tuple(entries), shows=(*shows, *([core.FRESH_BOARD] if entries else []))
    )


def let_computer_move(loaded: TableState, now: DecisionContext, *, user_id: int, seat: Seat) -> core.Change:
    table, clock = loaded.table, _late_clock(loaded.table, user_id, seat)
    since = now.at - (clock.late or 0.0)
    if clock.deputy:
        raise Refused("A computer is already playing this turn.")
    if since < GRACE_BEFORE_ACTION:
        raise Refused(
            f"Give {quote(table.names[seat])} a little more time. In "
            f"{length_words(GRACE_BEFORE_ACTION - since)}, you can let a computer play this turn."
        )
    names = [table.names[table.seat_of(user_id) or 0], table.names[seat]]
    return core.Change(
        table=replace(table, clocks=with_clock(table, seat, replace(clock, deputy=True))),
        entries=(core.entry(EntryKind.DEPUTY, user_id, seat=seat, payload=names),),
        shows=(core.BOARD,),
    )


def wait_longer(loaded: TableState, now: DecisionContext, *, user_id: int, seat: Seat) -> core.Change:
    """Give a late player another increment, and at least an hour."""
    table = loaded.table
    _late_clock(table, user_id, seat)
    giver = table.names[table.seat_of(user_id) or 0]
    return _with_time(table, now, seat, max(table.pace.increment, HOUR), EntryKind.WAIT, user_id, giver)


def extend_time(
    loaded: TableState, now: DecisionContext, *, user_id: int, actor_id: int, seconds: float
) -> core.Change:
    if not GIVEN_TIME_RANGE[0] <= seconds <= GIVEN_TIME_RANGE[1]:
        raise Refused("Choose a time from a minute to 30 days, like `1d12h`.")
    core.require_play(loaded.table)
    seat = core.require_player(loaded.table, user_id, core.NOT_SEATED)
    return _with_time(loaded.table, now, seat, seconds, EntryKind.DEADLINE, actor_id, None)


def _with_time(
    table: Table,
    now: DecisionContext,
    seat: Seat,
    seconds: float,
    kind: EntryKind,
    actor_id: int,
    giver: str | None,
) -> core.Change:
    clock = table.clock(seat).add_time(seconds, now.at, now.rest(table.seats[seat].user_id or 0))
    lines = [giver, table.names[seat], length_words(seconds)]
    return core.Change(
        table=replace(table, clocks=with_clock(table, seat, clock)),
        entries=(core.entry(kind, actor_id, seat=seat, payload=lines),),
        shows=(core.FRESH_BOARD if kind is EntryKind.DEADLINE else core.BOARD,),
    )


def _late_clock(table: Table, user_id: int, seat: Seat) -> Clock:
    """Return a late seat's clock, for another person to decide. Raise Refused if it isn't late."""
    core.require_play(table)
    require_other(table, user_id, seat)
    clock = table.clock(seat)
    if seat not in table.awaited or clock.late is None:
        raise Refused("That player isn't late any more.")
    return clock


def nudge(loaded: TableState, now: DecisionContext, *, user_id: int) -> core.Change:
    """Remind everybody else to move, by a player's wish."""
    table = loaded.table
    core.require_play(table)
    core.require_going(table)
    core.require_player(table, user_id)
    apart = NUDGE_AFTER_IN_ONE_SITTING if table.pace.one_sitting else NUDGE_AFTER
    waited = [seat for seat in table.awaited if table.seats[seat].user_id != user_id]
    if not waited:
        raise Refused("There's nobody else to wait for.")
    since = now.at - max(clock.nudged for clock in table.clocks)
    if since < apart:
        raise Refused(
            f"Someone has already sent a nudge. You can send another in {length_words(apart - since)}."
        )
    long = [seat for seat in waited if now.at - table.clock(seat).begun >= apart]
    if not long:
        rest = min(apart - now.at + table.clock(seat).begun for seat in waited)
        raise Refused(f"It's too early for a nudge. You can send one in {length_words(rest)}.")
    clocks, shows = table.clocks, list[core.PostRequest]()
    for seat in long:
        clocks = (*clocks[:seat], replace(clocks[seat], nudged=now.at), *clocks[seat + 1 :])
        person = now.person(table.seats[seat].user_id or 0)
        at = now.at if table.pace.one_sitting else person.awake_at(now.at)
        shows.append(core.PostRequest("nudge", person.user_id, fresh=True, at=at))
    names = [table.names[seat] for seat in long]
    return core.Change(
        table=replace(table, clocks=clocks),
        entries=(core.entry(EntryKind.NUDGE, user_id, payload=names),),
        shows=tuple(shows),
    )


def names_of_nudge(applied: core.ApplyResult) -> list[str]:
    table, nudges = applied.table, () if applied.change is None else applied.change.shows
    return [table.names[seat] for one in nudges if (seat := table.seat_of(one.target)) is not None]


def give_to_computer(
    loaded: TableState, now: DecisionContext, *, seat: Seat, why: str, actor_id: int | None
) -> core.Change:
    """Let a computer keep a person's seat, and notify them."""
    table = loaded.table
    core.require_play(table)
    occupant = table.seats[seat]
    if occupant.user_id is None:
        raise Refused("A computer player is already there.")
    seats = (*table.seats[:seat], keeper(occupant), *table.seats[seat + 1 :])
    handover = HandOver(occupant.name, own=False, why=why)
    return core.Change(
        table=with_present_host(replace(table, seats=seats, proposal=None)),
        entries=(core.entry(EntryKind.HAND_OVER, actor_id, seat=seat, payload=handover),),
        shows=(core.FRESH_BOARD, core.LOBBY, core.PostRequest("replaced", occupant.user_id, fresh=True)),
    )


def come_back(loaded: TableState, now: DecisionContext, *, user_id: int) -> core.Change:
    """Give a person back the seat that a computer keeps."""
    table = loaded.table
    core.require_play(table)
    seat = seat_kept_for(table, user_id)
    if seat is None:
        raise Refused("No computer is playing in your seat at this table.")
    others = (name for number, name in enumerate(table.names) if number != seat)
    occupant = Occupant(make_distinct(table.names[seat].removesuffix(SUFFIX), others), user_id)
    clock = table.clock(seat).fill_to(2 * table.pace.increment, now.at, now.rest(user_id))
    return core.Change(
        table=replace(
            table,
            seats=(*table.seats[:seat], occupant, *table.seats[seat + 1 :]),
            clocks=with_clock(table, seat, replace(clock, missed=0)),
        ),
        entries=(core.entry(EntryKind.BACK, user_id, seat=seat, payload=occupant.name),),
        shows=(core.FRESH_BOARD, core.LOBBY, core.PostRequest("hand", user_id)),
    )


def require_other(table: Table, user_id: int, seat: Seat) -> None:
    """Raise Refused unless the person plays on another seat of the table."""
    if core.require_player(table, user_id) == seat:
        raise Refused("Only the others can decide that. Press **Take turn** to continue playing.")


def seat_kept_for(table: Table, user_id: int) -> Seat | None:
    return next((seat for seat, occupant in enumerate(table.seats) if occupant.kept_for == user_id), None)


def keeper(occupant: Occupant) -> Occupant:
    return Occupant(f"{occupant.name}{SUFFIX}", None, Strength.STRONG, occupant.user_id)
