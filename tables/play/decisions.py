"""Decisions about a game: moves, undo, and people who leave; pure functions."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from db.records import ActionRow
from engines import engine, marks
from engines.game import NOT_YOUR_TURN, Discreet, IllegalMove, Seat, Strength
from engines.words import join_words
from tables.core import change as changes
from tables.core.change import (
    FRESH_BOARD,
    LOBBY,
    NOT_BEGUN,
    NOT_PLAYING,
    Change,
    DecisionContext,
    PostRequest,
    TableState,
    entry,
    require_play,
)
from tables.core.history import EntryKind
from tables.core.table import OPEN, SUFFIX, Occupant, Phase, Refused, Stale, Table, encode
from tables.core.turns import with_clock

MOVED_ON = "The table has changed. Use the command again."
NO_STEP = "There's nothing to undo."


class HandOver(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat given to a computer: the person's own wish or not, and why.

    `why` is ``late`` or ``agreed``; empty if an administrator did it. `offered`: others can take it first.
    """

    name: str
    own: bool
    why: str = ""
    offered: bool = False


class LastSteps(Discreet, frozen=True):
    """The last steps of a game, oldest first, with forced moves; and the position before them.

    `version` is the one that wrote that position.
    """

    steps: tuple[tuple[ActionRow, ...], ...]
    version: int
    position: engine.Position


def with_position(table: Table, position: engine.Position) -> Table:
    called_off = position.over and position.outcome is None
    phase = Phase.CLOSED if called_off else Phase.OVER if position.over else table.phase
    return replace(table, phase=phase, beat=position.beat, owing=position.owing, outcome=position.outcome)


def posts_after(table: Table, before: engine.Position, position: engine.Position) -> tuple[PostRequest, ...]:
    """Return the posts after a step.

    A fresh board, an edit of the last, changed hands. A fresh post is due with each new beat and at the end;
    if other seats owe than before, the current post is edited; a step inside a turn posts nothing.
    """
    shows: list[PostRequest] = []
    if position.over or position.beat != before.beat:
        shows.append(FRESH_BOARD)
    elif set(position.owing) != set(before.owing):
        shows.append(changes.BOARD)
    for occupant, old, new in zip(table.seats, before.hands, position.hands, strict=True):
        if occupant.user_id is not None and new is not None and new != old:
            shows.append(PostRequest("hand", occupant.user_id))
    return (*shows, LOBBY) if position.over else tuple(shows)


def move(
    loaded: TableState, now: DecisionContext, still_valid: bool, *, user_id: int, moves: Sequence[Any]
) -> Change:
    """Make one or more moves of a person: all or none.

    `still_valid`: the person's decision is the one that they saw.
    """
    table = loaded.table
    require_play(table)
    seat = changes.require_player(table, user_id, NOT_PLAYING)
    changes.require_going(table)
    if not still_valid:
        raise Stale
    return advance(loaded, _play_moves(loaded, [(seat, move) for move in moves]), user_id)


def computer_move(
    loaded: TableState,
    now: DecisionContext,
    still_valid: bool,
    *,
    then: Table,
    seat: Seat,
    move: Any,
    actor_id: int | None,
) -> Change:
    """Make a computer's move, chosen for a seat when the table was `then`.

    Raise Stale if the seat's decision has changed, so the computer has to choose again.
    """
    table = loaded.table
    if table.version != then.version and not (
        table.phase is Phase.PLAY
        and seat in table.owing
        and table.seats[seat] == then.seats[seat]
        and still_valid
    ):
        raise Stale
    try:
        played = _play_moves(loaded, [(seat, move)])
    except Refused:
        if table.version == then.version:
            raise
        raise Stale from None
    return advance(loaded, played, actor_id)


def _play_moves(loaded: TableState, moves: list[tuple[Seat, Any]]) -> engine.PlayResult:
    table, position = loaded.table, loaded.position
    if position is None:
        raise Refused(NOT_BEGUN)
    try:
        return engine.play(table.slug, len(table.seats), position.state, moves)
    except IllegalMove as reason:
        if str(reason) == NOT_YOUR_TURN:
            waited = join_words(marks.quote(table.names[seat]) for seat in table.owing)
            raise Refused(f"It's {waited}'s turn.") from None
        raise Refused(str(reason)) from None


def advance(
    loaded: TableState, played: engine.PlayResult, actor_id: int | None, first: EntryKind = EntryKind.MOVE
) -> Change:
    table, before, after = loaded.table, loaded.position, played.position
    if before is None:
        raise Refused(NOT_BEGUN)
    entries = []
    for step in played.steps:
        entries.append(
            changes.Entry(
                kind=EntryKind.FORCED if step.forced else first,
                actor_id=actor_id,
                seat=step.seat,
                payload=None if step.move is None else encode(step.move),
                events=encode(step.events),
                reveals=step.reveals,
                beat=step.beat,
            )
        )
        first = EntryKind.MOVE
    return Change(
        table=with_position(table, after),
        entries=tuple(entries),
        position=after,
        shows=posts_after(table, before, after),
        steps=tuple(played.steps),
        snapshot=after.over,
    )


def undo(
    loaded: TableState, now: DecisionContext, past: LastSteps | None, *, user_id: int, seen: int | None = None
) -> Change:
    """Undo a person's own last step, with what followed by itself.

    `past` reaches back to that step; None if they made none that is the table's last.
    """
    table = loaded.table
    if not goes_on_after_end(table):
        require_play(table)
        changes.require_going(table)
    if seen is not None and seen != table.version:
        raise Stale
    if past is None:
        raise Refused("You have nothing to undo.")
    if not can_undo(table, past.steps):
        raise Refused("That step revealed something or ended your turn, so you can't undo it.")
    return _restore(loaded, past, EntryKind.UNDO, user_id)


def can_undo(table: Table, steps: Sequence[Sequence[ActionRow]]) -> bool:
    """Return True if a person's own last steps can be undone. In lessons and studies all can."""
    reveals = any(row.reveals for step in steps for row in step)
    return bool(steps) and (table.undoes_everything or not reveals)


def goes_on_after_end(table: Table) -> bool:
    """Return True for a study after its end, which can be undone."""
    return table.study is not None and table.phase is Phase.OVER


def is_own(table: Table, step: Sequence[ActionRow], user_id: int) -> bool:
    """Return True if that person made the step on their own seat."""
    if not step or step[0].kind != EntryKind.MOVE or step[0].actor_id != user_id:
        return False
    seat = step[0].seat
    return seat is not None and table.seats[seat].user_id == user_id


def roll_back(
    loaded: TableState,
    now: DecisionContext,
    past: LastSteps | None,
    *,
    actor_id: int,
    why: str | None = None,
    seen: int | None = None,
) -> Change:
    """Undo the last steps, whoever made them and whatever they revealed.

    Forced moves go with their step. `why` is ``agreed`` if it is no administrator's wish. `seen` is the
    version that somebody was asked about.
    """
    if seen is not None and seen != loaded.table.version:
        raise Refused(MOVED_ON)
    changes.require_playable(loaded.table)
    if past is None:
        raise Refused(NO_STEP)
    change = _restore(loaded, past, EntryKind.ROLLBACK, actor_id, why)
    return replace(change, shows=(*change.shows, FRESH_BOARD))


def start_again(loaded: TableState, now: DecisionContext, past: LastSteps) -> Change:
    """Take a game that has ended, or was given up, back to its start, `past`."""
    if loaded.table.phase in OPEN:
        raise Refused(MOVED_ON)
    return _restore(loaded, past, EntryKind.UNDO, None)


def _restore(
    loaded: TableState, past: LastSteps, kind: EntryKind, actor_id: int | None, why: str | None = None
) -> Change:
    table, position = loaded.table, past.position
    shows = posts_after(table, loaded.position or position, position)
    if table.phase is not Phase.PLAY:
        shows = (*shows, LOBBY)
    # Computers play on for former players.
    seats = (
        table.seats
        if table.study is not None
        else tuple(
            Occupant(f"{one.name}{SUFFIX}", None, Strength.STRONG) if one.nobody else one
            for one in table.seats
        )
    )
    going = replace(table, phase=Phase.PLAY, seats=seats)
    return Change(
        table=with_position(going, position),
        entries=(entry(kind, actor_id, payload=why, base=past.version),),
        position=position,
        shows=shows,
        snapshot=True,
    )


def resign(loaded: TableState, now: DecisionContext, *, user_id: int) -> Change:
    """Take a person out of the game, as if at their wish."""
    table = loaded.table
    require_play(table)
    seat = changes.require_player(table, user_id, NOT_PLAYING)
    if loaded.position is None:
        raise Refused(NOT_BEGUN)
    try:
        played = engine.resign(table.slug, len(table.seats), loaded.position.state, seat)
    except IllegalMove as reason:
        raise Refused(str(reason)) from None
    return advance(loaded, played, user_id, first=EntryKind.RESIGN)


class SeatOffer(msgspec.Struct, frozen=True):
    """An offer of a seat: the people who get it, and its last instant."""

    people: tuple[int, ...]
    until: float


def hand_over(
    loaded: TableState,
    now: DecisionContext,
    *,
    user_id: int,
    actor_id: int,
    strength: Strength,
    offer: SeatOffer | None = None,
) -> Change:
    """Give a person's seat to a computer, at the person's or an administrator's wish.

    The computer waits while the seat is on `offer`.
    """
    table = loaded.table
    require_play(table)
    seat = changes.require_player(table, user_id, NOT_PLAYING if actor_id == user_id else changes.NOT_SEATED)
    gone = table.seats[seat]
    seats = (*table.seats[:seat], Occupant(f"{gone.name}{SUFFIX}", None, strength), *table.seats[seat + 1 :])
    handover = HandOver(gone.name, own=actor_id == user_id, offered=offer is not None)
    shows = [FRESH_BOARD, LOBBY, *([] if handover.own else [PostRequest("replaced", user_id, fresh=True)])]
    clocks = table.clocks
    if offer is not None:
        clocks = with_clock(table, seat, replace(table.clock(seat), offered=offer.until))
        shows += [PostRequest("vacant", other, fresh=True) for other in offer.people if other != user_id]
    return Change(
        table=with_present_host(replace(table, seats=seats, clocks=clocks)),
        entries=(entry(EntryKind.HAND_OVER, actor_id, seat=seat, payload=handover),),
        shows=tuple(shows),
    )


def with_present_host(table: Table) -> Table:
    """Return the table with a host who sits at it, as long as anybody does."""
    if table.phase is Phase.PLAY and table.host_id not in table.people and table.people:
        return replace(table, host_id=table.people[0])
    return table


def skip(loaded: TableState, now: DecisionContext, *, actor_id: int, seen: int | None = None) -> Change:
    """Record that computers make the next move of every person to move.

    Seats on offer that are to move get their computers, too.
    """
    table = loaded.table
    if seen is not None and seen != table.version:
        raise Refused(MOVED_ON)
    require_play(table)
    changes.require_going(table)
    on_offer = [seat for seat in table.offered_seats if seat in table.owing]
    if not table.awaited and not on_offer:
        raise Refused("Nobody has to move at this table.")
    names = [table.names[seat] for seat in (*table.awaited, *on_offer)]
    for seat in on_offer:
        table = replace(table, clocks=with_clock(table, seat, replace(table.clock(seat), offered=0.0)))
    return Change(table, (entry(EntryKind.SKIP, actor_id, payload=names),))


def close(loaded: TableState, now: DecisionContext, *, actor_id: int, why: str | None = None) -> Change:
    """End a table without a result, in any phase.

    `why` is as in `roll_back`, or ``left`` or ``kicked`` if nobody is left there.
    """
    changes.require_open(loaded.table)
    people = loaded.table.people
    # At a table in play the board tells it.
    numbers = [] if actor_id in people or loaded.position is not None else people
    return Change(
        table=replace(loaded.table, phase=Phase.CLOSED, owing=()),
        entries=(entry(EntryKind.CLOSE, actor_id, payload=why),),
        shows=(LOBBY, *[PostRequest("closed", user_id, fresh=True) for user_id in numbers])
        if loaded.position is None
        else (LOBBY, FRESH_BOARD),
    )
