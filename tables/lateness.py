"""Who is late: how it is noted, and what the others, an administrator or the person may do about it."""

from __future__ import annotations

from msgspec.structs import replace

from db.records import ActionRow
from engines.game import Seat, Strength
from tables.clocks.clock import Clock
from tables.clocks.pace import DAY, HOUR, MINUTE, told_length
from tables.clocks.turns import anybody_waits, deadlines, forfeiting, rule
from tables.history import EntryKind
from tables.model import SUFFIX, Phase, Refused, Sitter, Table, WhenLate
from tables.play import HandOver, Play
from tables.repository import Loaded, Outgoing, Repository, require_going, require_play
from tables.timekeeping import Due

DECENT = HOUR
"""So long after the deadline nobody may act for who is late."""
NUDGED, NUDGED_IN_ONE_SITTING = 12 * HOUR, 3 * MINUTE
"""So long somebody has been waited for before a nudge, and so long after another."""
GIVEN = (MINUTE, 30 * DAY)
"""The least and the most time that an administrator gives at once."""
MISSED_MOST = 3
"""At the so-manieth late turn in a row a computer keeps the seat, where a computer makes late turns."""
BOARD: Outgoing = ("board", 0, True)


class Lateness:
    """Notes who is late, and carries out what is decided about it. No call is made under a table's lock."""

    def __init__(self, repository: Repository, play: Play) -> None:
        self._repository = repository
        self._play = play

    async def note(self, loaded: Loaded, seats: list[Seat]) -> None:
        """Note under the table's lock that these seats are late, and do what the table does then."""
        table, now = loaded.table, self._repository.clock()
        clocks, seated, rows = list(table.clocks), list(table.seats), list[ActionRow]()
        shown: list[Outgoing] = []
        ends = deadlines(table, await self._repository.time.rests(table))
        for seat in seats:
            clocks[seat] = replace(clocks[seat], late=ends.get(seat, now))
            if not anybody_waits(table, seat):
                continue
            sitter, what = table.seats[seat], rule(table)
            late = self._repository.entry(
                loaded, EntryKind.LATE, None, seat=seat, payload=[sitter.name, what], after=len(rows)
            )
            rows.append(late)
            if what == WhenLate.COMPUTER:
                clocks[seat] = replace(clocks[seat], deputy=True)
                if clocks[seat].missed + 1 >= MISSED_MOST:
                    rows.append(self._gone(loaded, seat, "late", None, len(rows)))
                    seated[seat] = kept(sitter)
                    shown.append(("replaced", sitter.user_id or 0, True))
        changed = replace(table, clocks=tuple(clocks), seats=tuple(seated))
        shown += [BOARD] if rows else []
        await self._repository.commit(loaded, _rehosted(changed), rows, loaded.position, shown)

    async def forfeit(self, table_id: int) -> None:
        """Take from the game who is late at a table that has it so."""
        table = await self._repository.table(table_id)
        for seat in table.awaited:
            user_id = table.seats[seat].user_id
            if user_id is not None and seat in forfeiting(table):
                await self._play.forfeit(table_id, user_id)

    async def deputise(self, table_id: int, user_id: int, seat: Seat) -> Table:
        """Let a computer make the turn of who is late; another person's to decide.

        Raises:
            Refused: when the seat isn't late, or not for long enough, or it isn't this person's to say.
        """
        async with self._repository.lock(table_id):
            loaded, clock = await self._late(table_id, user_id, seat)
            table, since = loaded.table, self._repository.clock() - (clock.late or 0.0)
            if clock.deputy:
                raise Refused("A computer makes this turn already.")
            if since < DECENT:
                raise Refused(
                    f"Give {table.seats[seat].name} a little more time: a computer may make the turn "
                    f"in {told_length(DECENT - since)}."
                )
            clocks = _with(table.clocks, seat, replace(clock, deputy=True))
            names = [table.names[table.seat_of(user_id) or 0], table.names[seat]]
            entry = self._repository.entry(loaded, EntryKind.DEPUTY, user_id, seat=seat, payload=names)
            return await self._repository.commit(
                loaded, replace(table, clocks=clocks), [entry], loaded.position, [("board", 0, False)]
            )

    async def wait(self, table_id: int, user_id: int, seat: Seat) -> Table:
        """Give who is late another increment, and an hour at least; another person's to decide.

        Raises:
            Refused: when the seat isn't late, or it isn't this person's to say.
        """
        async with self._repository.lock(table_id):
            loaded, _ = await self._late(table_id, user_id, seat)
            giver = loaded.table.names[loaded.table.seat_of(user_id) or 0]
            return await self._given(
                loaded, seat, max(loaded.table.pace.increment, HOUR), EntryKind.WAIT, user_id, giver
            )

    async def give(self, table_id: int, actor_id: int, seat: Seat, seconds: float) -> Table:
        """Give a seat time, by an administrator's wish.

        Raises:
            Refused: when the game isn't going on, a computer sits there, or it is too much or too little.
        """
        if not GIVEN[0] <= seconds <= GIVEN[1]:
            raise Refused("Give a time from a minute to 30 days, like `1d12h`.")
        async with self._repository.lock(table_id):
            loaded = await self._repository.load(table_id)
            require_play(loaded.table)
            return await self._given(loaded, seat, seconds, EntryKind.DEADLINE, actor_id, None)

    async def _given(
        self, loaded: Loaded, seat: Seat, seconds: float, kind: EntryKind, actor_id: int, giver: str | None
    ) -> Table:
        table, now = loaded.table, self._repository.clock()
        rests = await self._repository.time.rests(table)
        rest = rests.get(table.seats[seat].user_id or 0)
        if rest is None:
            raise Refused("A computer plays there, and needs no time.")
        clock = table.clock(seat).give(seconds, now, rest)
        changed = replace(table, clocks=_with(table.clocks, seat, clock))
        told = [giver, table.names[seat], told_length(seconds)]
        entry = self._repository.entry(loaded, kind, actor_id, seat=seat, payload=told)
        board: Outgoing = ("board", 0, kind is EntryKind.DEADLINE)
        return await self._repository.commit(loaded, changed, [entry], loaded.position, [board])

    async def _late(self, table_id: int, user_id: int, seat: Seat) -> tuple[Loaded, Clock]:
        loaded = await self._repository.load(table_id)
        table = loaded.table
        require_play(table)
        require_other(table, user_id, seat)
        clock = table.clock(seat)
        if seat not in table.awaited or clock.late is None:
            raise Refused("Nobody is late there any more.")
        return loaded, clock

    async def nudge(self, table_id: int, user_id: int) -> list[str]:
        """Remind whoever is waited for, by another player's wish; the names of those who are reminded.

        Raises:
            Refused: when nobody else is waited for, not for long enough, or it was asked for already.
        """
        async with self._repository.lock(table_id):
            loaded = await self._repository.load(table_id)
            table, now = loaded.table, self._repository.clock()
            require_play(table)
            require_going(table)
            if table.seat_of(user_id) is None:
                raise Refused("That is for those who play at this table.")
            apart = NUDGED_IN_ONE_SITTING if table.pace.one_sitting else NUDGED
            waited = [seat for seat in table.awaited if table.seats[seat].user_id != user_id]
            if not waited:
                raise Refused("Nobody else is waited for.")
            since = now - max(clock.nudged for clock in table.clocks)
            if since < apart:
                raise Refused(f"They were nudged already; again in {told_length(apart - since)}.")
            long = [seat for seat in waited if now - table.clock(seat).begun >= apart]
            if not long:
                rest = min(apart - now + table.clock(seat).begun for seat in waited)
                raise Refused(f"It is early for that; in {told_length(rest)} you may nudge.")
            people = await self._repository.time.people.of(table.people)
            clocks, told = table.clocks, list[Due]()
            for seat in long:
                clocks = _with(clocks, seat, replace(table.clock(seat), nudged=now))
                person = people[table.seats[seat].user_id or 0]
                at = now if table.pace.one_sitting else person.awake_at(now)
                told.append(("nudge", person.user_id, True, at))
            names = [table.names[seat] for seat in long]
            entry = self._repository.entry(loaded, EntryKind.NUDGE, user_id, payload=names)
            await self._repository.commit(
                loaded, replace(table, clocks=clocks), [entry], loaded.position, [], later=told
            )
        return names

    async def replace(self, table_id: int, seat: Seat, why: str, actor_id: int | None) -> Table:
        """Give a person's seat to a computer, that keeps it for them; they are told."""
        async with self._repository.lock(table_id):
            loaded = await self._repository.load(table_id)
            table = loaded.table
            require_play(table)
            sitter = table.seats[seat]
            if sitter.computer:
                raise Refused("A computer player sits there already.")
            seats = (*table.seats[:seat], kept(sitter), *table.seats[seat + 1 :])
            entry = self._gone(loaded, seat, why, actor_id, 0)
            changed = _rehosted(replace(table, seats=seats, proposal=None))
            shown: list[Outgoing] = [BOARD, ("lobby", 0, False), ("replaced", sitter.user_id or 0, True)]
            return await self._repository.commit(loaded, changed, [entry], loaded.position, shown)

    def _gone(self, loaded: Loaded, seat: Seat, why: str, actor_id: int | None, after: int) -> ActionRow:
        told = HandOver(loaded.table.names[seat], own=False, why=why)
        return self._repository.entry(
            loaded, EntryKind.HAND_OVER, actor_id, seat=seat, payload=told, after=after
        )

    async def come_back(self, table_id: int, user_id: int) -> Table:
        """Give a person the seat back that a computer keeps for them, with two increments at least.

        Raises:
            Refused: when none is kept for them, or the game is over.
        """
        async with self._repository.lock(table_id):
            loaded = await self._repository.load(table_id)
            table, now = loaded.table, self._repository.clock()
            require_play(table)
            seat = kept_seat(table, user_id)
            if seat is None:
                raise Refused("No seat is kept for you at this table.")
            sitter = Sitter(table.names[seat].removesuffix(SUFFIX), user_id)
            rests = await self._repository.time.rests(replace(table, seats=(sitter,)))
            clock = table.clock(seat).at_least(2 * table.pace.increment, now, rests[user_id])
            changed = replace(
                table,
                seats=(*table.seats[:seat], sitter, *table.seats[seat + 1 :]),
                clocks=_with(table.clocks, seat, replace(clock, missed=0)),
            )
            entry = self._repository.entry(loaded, EntryKind.BACK, user_id, seat=seat, payload=sitter.name)
            shown: list[Outgoing] = [BOARD, ("lobby", 0, False), ("hand", user_id, False)]
            return await self._repository.commit(loaded, changed, [entry], loaded.position, shown)


def require_other(table: Table, user_id: int, seat: Seat) -> None:
    """Raises Refused unless the person plays at the table, on another seat."""
    own = table.seat_of(user_id)
    if own is None:
        raise Refused("That is for those who play at this table.")
    if own == seat:
        raise Refused("It is for the others to decide that. **Take turn** lets you play on.")


def kept_seat(table: Table, user_id: int) -> Seat | None:
    """The seat that a computer keeps for a person."""
    return next((seat for seat, sitter in enumerate(table.seats) if sitter.kept_for == user_id), None)


def kept(sitter: Sitter) -> Sitter:
    """The computer player that keeps a person's seat for them."""
    return Sitter(f"{sitter.name}{SUFFIX}", None, Strength.STRONG, sitter.user_id)


def _rehosted(table: Table) -> Table:
    """The table with a host who sits at it."""
    if table.phase is Phase.PLAY and table.host_id not in table.people and table.people:
        return replace(table, host_id=table.people[0])
    return table


def _with(clocks: tuple[Clock, ...], seat: Seat, clock: Clock) -> tuple[Clock, ...]:
    return (*clocks[:seat], clock, *clocks[seat + 1 :])
