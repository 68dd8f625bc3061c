"""What may become of a game by moves, by taking steps back, and by people who leave it: pure decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from db.records import ActionRow
from engines import engine
from engines.engine import Played, Position
from engines.game import NOT_YOUR_TURN, IllegalMove, Seat, Strength
from engines.names import quote
from tables.core.change import BOARD, FRESH_BOARD, LOBBY, Change, Entry, Loaded, Now, Outgoing, entry
from tables.core.history import EntryKind, made_by
from tables.core.requirements import (
    NOT_BEGUN,
    NOT_PLAYING,
    NOT_SEATED,
    require_going,
    require_open,
    require_play,
    require_playable,
    require_player,
)
from tables.core.table import OPEN, SUFFIX, Occupant, Phase, Refused, Stale, Table, encode

MOVED_ON = "The table has moved on since you were asked; use the command again."
NO_STEP = "There is no step to take back."


class HandOver(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whose seat a computer player has taken, whether it was that person's own wish, and else why.

    `why` is ``late`` or ``agreed``; empty where an administrator did it.
    """

    name: str
    own: bool
    why: str = ""


class LastSteps(msgspec.Struct, frozen=True):
    """The last steps of a game, oldest first, each with what it forced; and the game as it was before them.

    `version` is the one that has written that position.
    """

    steps: tuple[tuple[ActionRow, ...], ...]
    version: int
    position: Position

    def __repr__(self) -> str:
        return f"LastSteps(steps={len(self.steps)}, version={self.version})"


def with_position(table: Table, position: Position) -> Table:
    """The table as it stands with that position."""
    called_off = position.over and position.outcome is None
    phase = Phase.CLOSED if called_off else Phase.OVER if position.over else table.phase
    return replace(table, phase=phase, beat=position.beat, owing=position.owing, outcome=position.outcome)


def shown_after(table: Table, before: Position, position: Position) -> tuple[Outgoing, ...]:
    """What a step makes it necessary to show: a fresh board post, an edit of the last, changed hands.

    A fresh post is due with each new beat and at the end; where others owe than before, the post
    that stands is edited; a step inside a turn shows nothing.
    """
    shows: list[Outgoing] = []
    if position.over or position.beat != before.beat:
        shows.append(FRESH_BOARD)
    elif set(position.owing) != set(before.owing):
        shows.append(BOARD)
    for occupant, old, new in zip(table.seats, before.hands, position.hands, strict=True):
        if occupant.user_id is not None and new is not None and new != old:
            shows.append(Outgoing("hand", occupant.user_id))
    return (*shows, LOBBY) if position.over else tuple(shows)


def moved(loaded: Loaded, now: Now, still_valid: bool, *, user_id: int, moves: Sequence[Any]) -> Change:
    """One or more moves of a person: all of them or none.

    `still_valid` says whether what they were shown is still what they decide.
    """
    table = loaded.table
    require_play(table)
    seat = require_player(table, user_id, NOT_PLAYING)
    require_going(table)
    if not still_valid:
        raise Stale
    return _advanced(loaded, _played(loaded, [(seat, move) for move in moves]), user_id)


def computed(
    loaded: Loaded, now: Now, still_valid: bool, *, then: Table, seat: Seat, move: Any, actor_id: int | None
) -> Change:
    """The move that a computer has chosen for a seat when the table stood as it did `then`.

    Raises:
        Stale: when what the seat decides is not the same any more, so that the choice has to be made again.
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
        played = _played(loaded, [(seat, move)])
    except Refused:
        if table.version == then.version:
            raise
        raise Stale from None
    return _advanced(loaded, played, actor_id)


def _played(loaded: Loaded, moves: list[tuple[Seat, Any]]) -> Played:
    table, position = loaded.table, loaded.position
    if position is None:
        raise Refused(NOT_BEGUN)
    try:
        return engine.play(table.slug, len(table.seats), position.state, moves)
    except IllegalMove as reason:
        if str(reason) == NOT_YOUR_TURN:
            waited = ", ".join(quote(table.names[seat]) for seat in table.owing)
            raise Refused(f"It isn't your turn; {waited} is to move.") from None
        raise Refused(str(reason)) from None


def _advanced(
    loaded: Loaded, played: Played, actor_id: int | None, first: EntryKind = EntryKind.MOVE
) -> Change:
    """The change that some steps make."""
    table, before, after = loaded.table, loaded.position, played.position
    if before is None:
        raise Refused(NOT_BEGUN)
    entries = []
    for step in played.steps:
        entries.append(
            Entry(
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
        shows=shown_after(table, before, after),
        steps=tuple(played.steps),
        snapshot=after.over,
    )


def undone(
    loaded: Loaded, now: Now, past: LastSteps | None, *, user_id: int, seen: int | None = None
) -> Change:
    """A person's own last step taken back, with all that followed from it by force.

    `past` is up to that step; None where they have made none that is the table's last.
    """
    table = loaded.table
    require_play(table)
    require_going(table)
    if seen is not None and seen != table.version:
        raise Stale
    if past is None:
        raise Refused("There is no step of yours to take back.")
    if not may_undo(table, past.steps[0]):
        raise Refused("That can't be taken back: it has been seen, or it ended your turn.")
    return _restored(loaded, past, EntryKind.UNDO, user_id)


def may_undo(table: Table, step: Sequence[ActionRow]) -> bool:
    """Whether a person's own last step may be taken back; where one learns, every one may."""
    return bool(step) and (table.learning or not any(row.reveals for row in step))


def is_own(table: Table, step: Sequence[ActionRow], user_id: int) -> bool:
    """Whether a step was made by that person on the seat that is theirs."""
    return made_by(step, user_id) and step[0].seat == table.seat_of(user_id)


def rolled_back(
    loaded: Loaded,
    now: Now,
    past: LastSteps | None,
    *,
    actor_id: int,
    why: str | None = None,
    seen: int | None = None,
) -> Change:
    """The last steps taken back no matter who made them, even those that showed something or ended the game.

    What followed by force from a step goes with it. `why` is ``agreed`` where it is no administrator's wish.
    `seen` is the version that somebody was asked about.
    """
    if seen is not None and seen != loaded.table.version:
        raise Refused(MOVED_ON)
    require_playable(loaded.table)
    if past is None:
        raise Refused(NO_STEP)
    change = _restored(loaded, past, EntryKind.ROLLBACK, actor_id, why)
    return replace(change, shows=(*change.shows, FRESH_BOARD))


def start_again(loaded: Loaded, now: Now, past: LastSteps) -> Change:
    """Take a game that has ended, or was given up, back to its start, `past`."""
    if loaded.table.phase in OPEN:
        raise Refused(MOVED_ON)
    return _restored(loaded, past, EntryKind.UNDO, None)


def _restored(
    loaded: Loaded, past: LastSteps, kind: EntryKind, actor_id: int | None, why: str | None = None
) -> Change:
    table, position = loaded.table, past.position
    shows = shown_after(table, loaded.position or position, position)
    if table.phase is not Phase.PLAY:
        shows = (*shows, LOBBY)
    going = replace(table, phase=Phase.PLAY, seats=tuple(map(_played_on, table.seats)))
    return Change(
        table=with_position(going, position),
        entries=(entry(kind, actor_id, payload=why, base=past.version),),
        position=position,
        shows=shows,
        snapshot=True,
    )


def _played_on(occupant: Occupant) -> Occupant:
    """Who plays on a seat when a game goes on after its end: a computer for a former player."""
    return Occupant(f"{occupant.name}{SUFFIX}", None, Strength.STRONG) if occupant.nobody else occupant


def resigned(loaded: Loaded, now: Now, *, user_id: int) -> Change:
    """A person taken out of the game: at their own wish, or as if it were."""
    table = loaded.table
    require_play(table)
    seat = require_player(table, user_id, NOT_PLAYING)
    if loaded.position is None:
        raise Refused(NOT_BEGUN)
    try:
        played = engine.resign(table.slug, len(table.seats), loaded.position.state, seat)
    except IllegalMove as reason:
        raise Refused(str(reason)) from None
    return _advanced(loaded, played, user_id, first=EntryKind.RESIGN)


def handed_over(loaded: Loaded, now: Now, *, user_id: int, actor_id: int, strength: Strength) -> Change:
    """A person's seat given to a computer player, by the person's or an administrator's wish."""
    table = loaded.table
    require_play(table)
    seat = require_player(table, user_id, NOT_PLAYING if actor_id == user_id else NOT_SEATED)
    gone = table.seats[seat]
    seats = (*table.seats[:seat], Occupant(f"{gone.name}{SUFFIX}", None, strength), *table.seats[seat + 1 :])
    told = HandOver(gone.name, own=actor_id == user_id)
    return Change(
        table=rehosted(replace(table, seats=seats)),
        entries=(entry(EntryKind.HAND_OVER, actor_id, seat=seat, payload=told),),
        shows=(FRESH_BOARD, LOBBY, *([] if told.own else [Outgoing("replaced", user_id, fresh=True)])),
    )


def rehosted(table: Table) -> Table:
    """The table of a game with a host who sits at it, as long as anybody does."""
    if table.phase is Phase.PLAY and table.host_id not in table.people and table.people:
        return replace(table, host_id=table.people[0])
    return table


def skipping(loaded: Loaded, now: Now, *, actor_id: int, seen: int | None = None) -> Change:
    """It is noted that a computer player is to make the next move of every person who is waited for."""
    table = loaded.table
    if seen is not None and seen != table.version:
        raise Refused(MOVED_ON)
    require_play(table)
    require_going(table)
    if not table.awaited:
        raise Refused("Nobody has to move at this table.")
    names = [table.names[seat] for seat in table.awaited]
    return Change(table, (entry(EntryKind.SKIP, actor_id, payload=names),))


def closed(loaded: Loaded, now: Now, *, actor_id: int, why: str | None = None) -> Change:
    """A table ended without a result, whatever its phase.

    `why` is as in `rolled_back`, or ``left`` or ``kicked`` where nobody is left there.
    """
    require_open(loaded.table)
    people = loaded.table.people
    # At a table in play the board tells it.
    told = [] if actor_id in people or loaded.position is not None else people
    return Change(
        table=replace(loaded.table, phase=Phase.CLOSED, owing=()),
        entries=(entry(EntryKind.CLOSE, actor_id, payload=why),),
        shows=(LOBBY, *[Outgoing("closed", user_id, fresh=True) for user_id in told])
        if loaded.position is None
        else (LOBBY, FRESH_BOARD),
    )
