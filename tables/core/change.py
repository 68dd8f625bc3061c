"""The input and output of decisions, their requirements, limits and consent: nothing is written here.

A decision is a pure function. It gets the table under its lock (`TableState`) and everything else that
matters (`DecisionContext`, and what was read for it); it returns a `Change`, or None if nothing is to do.
`tables.core.repository.Repository.apply` alone carries a change out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

import msgspec
from msgspec.structs import replace

from db.access import BlockedPair, NoBlocks, QuotaReached, TableQuota
from db.records import ActionRow, Guard, SeatRow, TableRow
from engines.engine import Position, Step
from engines.game import Discreet, Seat
from tables.clocks.pace import Rest, Span
from tables.core.history import MOVES, PLAYED, EntryKind, EntryLike
from tables.core.people import Person
from tables.core.table import Imported, Phase, Proposal, ProposalKind, Refused, Table, encode

P = ParamSpec("P")


class TableState(Discreet, frozen=True):
    """A table, its game's position (None before the start), and the version last snapshot.

    A `doubtful` one is checked before use, since another process can have written the table.
    """

    table: Table
    position: Position | None
    snapshot_at: int = 0
    doubtful: bool = False


class DecisionContext(msgspec.Struct, frozen=True):
    """The instant of a decision, people's settings, and the bot's outages."""

    at: float
    people: Mapping[int, Person] = {}
    gaps: tuple[Span, ...] = ()

    def person(self, user_id: int) -> Person:
        return self.people.get(user_id) or Person(user_id)

    def rest(self, user_id: int) -> Rest:
        return self.person(user_id).rest(self.gaps)

    @property
    def rests(self) -> dict[int, Rest]:
        return {user_id: self.rest(user_id) for user_id in self.people}


class Entry(Discreet, frozen=True):
    """An entry of a table's history before it has a number.

    `base` is the version whose state it continues, by default the one before; `at` is its time, by default
    now. The rest is as in `ActionRow`.
    """

    kind: EntryKind
    actor_id: int | None = None
    seat: Seat | None = None
    payload: str | None = None
    base: int | None = None
    events: str = "[]"
    reveals: bool = True
    at: float | None = None
    beat: int | None = None


def entry(
    kind: EntryKind,
    actor_id: int | None,
    *,
    seat: Seat | None = None,
    payload: object = None,
    base: int | None = None,
) -> Entry:
    """Make an entry that is no step of a game."""
    return Entry(kind, actor_id, seat, None if payload is None else encode(payload), base)


def with_reason_entry(decide: Callable[P, Change], actor_id: int, reason: str) -> Callable[P, Change]:
    """Add an administrator's reason, if any, to a decision."""

    def decided(*asked: P.args, **more: P.kwargs) -> Change:
        change = decide(*asked, **more)
        given = (entry(EntryKind.REASON, actor_id, payload=reason),) if reason else ()
        return replace(change, entries=(*change.entries, *given))

    return decided


class PostRequest(msgspec.Struct, frozen=True):
    """A post that a change asks for: now, or from an instant on.

    `fresh` asks for a new message instead of an edit of the last one.
    """

    kind: str
    target: int = 0
    fresh: bool = False
    at: float | None = None


FRESH_BOARD = PostRequest("board", fresh=True)
BOARD = PostRequest("board")
LOBBY = PostRequest("lobby")


class Change(Discreet, frozen=True):
    """The next version of a table, before its entries have numbers and its clocks are counted.

    Attributes:
        table: the new table, without its version, counted clocks, and deadline.
        entries: new entries of the history; none if only time has passed.
        position: the new position, if it changed.
        shows: posts that it asks for.
        steps: the steps of the game in it, for stories.
        snapshot: True to store the whole position.
        earlier: states of the game after that many of the entries.
        thread: the table's thread from now on; None if there is none yet.
        opens: another table to open with it; its number becomes the last entry's payload.
        guards: limits checked in the write.
    """

    table: Table
    entries: tuple[Entry, ...] = ()
    position: Position | None = None
    shows: tuple[PostRequest, ...] = ()
    steps: tuple[Step, ...] = ()
    snapshot: bool = False
    earlier: tuple[tuple[int, bytes], ...] = ()
    thread: int | msgspec.UnsetType | None = msgspec.UNSET
    opens: tuple[TableRow, tuple[SeatRow, ...]] | None = None
    guards: tuple[Guard, ...] = ()


class ApplyResult(Discreet, frozen=True):
    """A table after a decision, and the change; None if nothing was to do.

    `opened` is the number of the table opened with it.
    """

    loaded: TableState
    change: Change | None = None
    opened: int | None = None

    @property
    def table(self) -> Table:
        return self.loaded.table

    @property
    def steps(self) -> list[Step]:
        return [] if self.change is None else list(self.change.steps)


F = TypeVar("F")
Decision = Callable[[TableState, DecisionContext], Change | None]
"""A decision; it raises Refused for a wish that isn't allowed."""
InformedDecision = Callable[[TableState, DecisionContext, F], Change | None]
"""A decision that needs something read for it."""


def after_change(loaded: TableState, change: Change | None) -> TableState:
    if change is None:
        return loaded
    table = replace(change.table, version=loaded.table.version + len(change.entries))
    return replace(loaded, table=table, position=change.position or loaded.position)


def merge_changes(changes: Iterable[Change | None]) -> Change | None:
    """Merge changes, each made from the state after the one before. None if there is none."""
    entries = [change for change in changes if change is not None]
    if not entries:
        return None
    last = entries[-1]
    made, earlier = 0, list[tuple[int, bytes]]()
    for change in entries:
        earlier += [(made + after, state) for after, state in change.earlier]
        made += len(change.entries)
    return Change(
        table=last.table,
        entries=tuple(entry for change in entries for entry in change.entries),
        position=next((change.position for change in reversed(entries) if change.position is not None), None),
        shows=tuple(dict.fromkeys(shown for change in entries for shown in change.shows)),
        steps=tuple(step for change in entries for step in change.steps),
        snapshot=any(change.snapshot for change in entries),
        earlier=tuple(earlier),
        thread=last.thread,
        opens=last.opens,
        guards=tuple(guard for change in entries for guard in change.guards),
    )


def entry_rows(loaded: TableState, change: Change, at: float) -> tuple[ActionRow, ...]:
    rows = []
    for version, entry in enumerate(change.entries, start=loaded.table.version + 1):
        rows.append(
            ActionRow(
                version=version,
                base=version - 1 if entry.base is None else entry.base,
                kind=entry.kind,
                seat=entry.seat,
                actor_id=entry.actor_id,
                payload=entry.payload,
                events=entry.events,
                reveals=entry.reveals,
                at=at if entry.at is None else entry.at,
                beat=entry.beat,
            )
        )
    return tuple(rows)


ALONE = MOVES | {EntryKind.UNDO, EntryKind.RESIGN, EntryKind.CLOSE}
"""Entries allowed at a table for the deal of the day, and in a study."""

PLAYERS_ONLY = "Only players at this table can do that."
NOT_PLAYING = "You aren't playing at this table."
NOT_SEATED = "That player has left the seat."
NOT_BEGUN = "The game hasn't begun yet."


def require_player(table: Table, user_id: int, why: str = PLAYERS_ONLY) -> Seat:
    seat = table.seat_of(user_id)
    if seat is None:
        raise Refused(why)
    return seat


def require_open(table: Table) -> None:
    """Raise Refused unless the table is in its lobby or in play."""
    match table.phase:
        case Phase.OVER:
            raise Refused(f"Table {table.id} is finished. `/help` shows how to open a new one.")
        case Phase.CLOSED:
            raise Refused(f"Table {table.id} was closed. `/help` shows how to open a new one.")
        case Phase.EXPIRED:
            raise Refused(
                f"Table {table.id} was closed because nobody joined for a week. "
                "Anyone who sat there can press **Open it again** on its card."
            )


def require_lobby(table: Table) -> None:
    require_open(table)
    if table.phase is not Phase.LOBBY:
        raise Refused("The game has already begun, so the lobby is closed.")


def require_play(table: Table) -> None:
    require_open(table)
    if table.phase is not Phase.PLAY:
        raise Refused(f"Table {table.id} hasn't begun. The host starts it with **Start** or `/table start`.")


def require_playable(table: Table) -> None:
    """Raise Refused unless a game is running or has ended by its rules."""
    if table.phase is not Phase.OVER:
        return require_play(table)
    if isinstance(table.origin, Imported):
        raise Refused("Nobody here played this game, so there's nothing to undo.")


def require_going(table: Table) -> None:
    """Raise Refused while a table is paused."""
    if table.paused_at is not None:
        until = "" if table.paused_until is None else f" until <t:{table.paused_until:.0f}:f>"
        if table.held:
            raise Refused(f"An admin paused the table{until}. Only an admin can end the pause.")
        raise Refused(
            f"The table is paused{until}. Press **Go on** under its last post to end the pause for everyone."
        )


def require_alone(table: Table, kinds: Iterable[str]) -> None:
    """Raise Refused for anything but playing where people play alone."""
    if table.study is not None and not ALONE.issuperset(kinds):
        raise Refused("You can't do that here. You're just trying out this position, and nothing counts.")
    if table.day is not None and not ALONE.issuperset(kinds):
        raise Refused(
            "You can't do that in the deal of the day: you play it alone. `/daily play` opens yours."
        )


MOVED_ON = PLAYED | {EntryKind.UNDO, EntryKind.ROLLBACK}
"""Entries that make another step the last one."""


def voters(table: Table, proposal: Proposal) -> list[int]:
    """Return the people who have to agree to a proposal.

    A pause, an end and an undo need everybody who plays. Handing a seat to a computer, or by an
    administrator to another person, needs everybody but its owner, and the newcomer; a seat that its owner
    offers, those two.
    """
    owner = None if proposal.seat is None else table.seats[proposal.seat].user_id
    comes = [] if proposal.to is None else [proposal.to]
    match proposal.kind:
        case ProposalKind.OFFER:
            return [*([] if owner is None else [owner]), *comes]
        case ProposalKind.REPLACE | ProposalKind.GIVE:
            return [*(user_id for user_id in table.people if user_id != owner), *comes]
        case ProposalKind.PAUSE | ProposalKind.UNDO | ProposalKind.END | ProposalKind.TAKE:
            return [*table.people, *comes]


def require_voter(table: Table, proposal: Proposal, user_id: int) -> None:
    if user_id in voters(table, proposal):
        return
    if table.seat_of(user_id) is None:
        raise Refused(PLAYERS_ONLY)
    if proposal.seat is None or table.seats[proposal.seat].user_id != user_id:
        raise Refused("Only the players I asked can do that.")
    late = proposal.kind is ProposalKind.REPLACE
    ends = "Make your move to end the proposal." if late else "The seat is yours until all of them agree."
    raise Refused(f"The proposal is about your own seat, so only the others decide. {ends}")


def pending_voters(table: Table) -> list[int]:
    proposal = table.proposal
    if proposal is None:
        return []
    return [user for user in voters(table, proposal) if user not in proposal.agreed]


def is_agreed(table: Table) -> bool:
    return table.phase is Phase.PLAY and table.proposal is not None and not pending_voters(table)


def is_obsolete(table: Table, rows: Sequence[EntryLike]) -> bool:
    """Return True if new entries make a proposal pointless.

    Then nobody is late on that seat, it has another owner, the newcomer sits at the table, or another step
    is the last one.
    """
    proposal = table.proposal
    if table.phase is not Phase.PLAY or proposal is None:
        return proposal is not None
    seat = proposal.seat
    match proposal.kind:
        case ProposalKind.REPLACE:
            return seat is None or seat not in table.awaited or table.clock(seat).late is None
        case ProposalKind.UNDO:
            return any(row.kind in MOVED_ON for row in rows)
        case ProposalKind.OFFER | ProposalKind.GIVE | ProposalKind.TAKE:
            gone = seat is None or table.seats[seat].user_id != proposal.owner
            return gone or proposal.to in table.people
        case ProposalKind.PAUSE | ProposalKind.END:
            return False


MOST_OPEN = 20
"""The most open tables of one person."""
NO_SEAT = "There's no seat for you at this table."
"""The answer to somebody blocked by a player; it doesn't say why."""


def seats_quota(guild_id: int, *people: int) -> TableQuota:
    """Return the limit for people who take one more seat."""
    return TableQuota(guild_id, people, most=MOST_OPEN)


def newcomer_guards(guild_id: int, user_id: int, people: Iterable[int]) -> tuple[Guard, ...]:
    others = tuple(other for other in people if other != user_id)
    return (seats_quota(guild_id, user_id), NoBlocks(user_id, others))


def tables_quota(guild_id: int, *people: int) -> TableQuota:
    """Return the limit for one more table, at which those people sit."""
    return TableQuota(guild_id, people, opens=True, most=MOST_OPEN)


@contextmanager
def refuse_guards(user_id: int | None = None, no_place: str = NO_SEAT) -> Iterator[None]:
    """Turn a reached limit, or a block, into a refusal.

    `user_id` is the reader, if it can be another person; `no_place` answers a block.
    """
    try:
        yield
    except QuotaReached as reached:
        raise Refused(refusal(reached, user_id)) from None
    except BlockedPair:
        raise Refused(no_place) from None


def refusal(reached: QuotaReached, user_id: int | None = None) -> str:
    """Word a limit that a wish would exceed.

    >>> refusal(QuotaReached("tables of a person", 1, 7))
    "You're already at 1 open table. Finish or leave one first."
    """
    number = reached.number
    match reached.what:
        case "tables of a server":
            return f"This server allows {_open_tables(number)} at a time. Wait for one to end."
        case "imports of a person":
            return f"You've imported {number} games in the last 24 hours. Try again tomorrow."
        case "imports of a server":
            return f"This server has imported {number} games in the last 24 hours. Try again tomorrow."
        case "past deals of a person":
            return f"You've begun {number} past deals today. You can begin more tomorrow."
        case "cups of a server":
            return f"This server already runs {number} cups. Wait for one to end."
        case _ if user_id is not None and reached.user_id != user_id:
            return f"<@{reached.user_id}> is already at {_open_tables(number)}, and can't join another one."
        case _:
            return f"You're already at {_open_tables(number)}. Finish or leave one first."


def _open_tables(number: int) -> str:
    return f"{number} open {'table' if number == 1 else 'tables'}"
