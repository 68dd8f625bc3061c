"""Clocks recomputed from histories alone, minute by minute."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from engines.engine import position as position_of
from tables.clocks.pace import Pace
from tables.core.people import Person
from tables.parlour import Parlour

MINUTE = 60.0


@dataclass
class Duty:
    """A span in which a person was to move; `end` None: they still are."""

    table: int
    user: int
    begin: float
    end: float | None = None


@dataclass
class Seat:
    """The expected bank of one seat."""

    left: float
    duty: Duty | None = None
    since: float = 0.0


@dataclass
class Standing:
    """The stops of clocks: by their owners, and for all."""

    people: dict[int, Person]
    gaps: Sequence[tuple[float, float]]

    def count_span(self, user: int, begin: float, end: float) -> float:
        """Return the counted part of a span, minute by minute."""
        person, counted, now = self.people[user], 0.0, begin
        while now < end:
            until = min(end, now - now % MINUTE + MINUTE)
            if not self._stands(person, (now + until) / 2):
                counted += until - now
            now = until
        return counted

    def _stands(self, person: Person, at: float) -> bool:
        if any(begin <= at < end for begin, end in (*self.gaps, *person.absences)):
            return True
        if person.quiet is None:
            return False
        wall = datetime.fromtimestamp(at, ZoneInfo(person.zone))
        minute = wall.hour * 60 + wall.minute
        begins, ends = person.quiet.begins, person.quiet.ends
        return begins <= minute < ends if begins < ends else minute >= begins or minute < ends


@dataclass
class Account:
    """The banks of a table's seats and the duties of its people, by its history."""

    table: Any
    standing: Standing
    seats: list[Seat] = field(default_factory=list)
    duties: list[Duty] = field(default_factory=list)

    async def finish(self, parlour: Parlour) -> Account:
        table, pace = self.table, self.table.pace
        self.seats = [Seat(pace.bank) for _ in table.seats]
        owners = [occupant.user_id for occupant in await self._first(parlour)]
        beat, owing = -1, set[int]()
        async for rows, position in self._commits(parlour):
            at = rows[-1].at
            acted = {row.seat for row in rows if row.kind == "move"}
            for row in rows:
                if row.kind == "hand_over" and row.seat is not None:
                    self._end(row.seat, at, pace, acted=False)
                    owners[row.seat] = None
            owes = {seat for seat in position.owing if owners[seat] is not None}
            for seat in range(len(self.seats)):
                over = seat not in owes or (seat in acted and position.beat != beat)
                if seat in owing and over:
                    self._end(seat, at, pace, acted=seat in acted)
                if seat in owes and (seat not in owing or over):
                    duty = Duty(self.table.id, owners[seat] or 0, at)
                    self.seats[seat].duty, self.seats[seat].since = duty, at
                    self.duties.append(duty)
            beat, owing = position.beat, owes
        return self

    async def _first(self, parlour: Parlour) -> Sequence[Any]:
        """Return the seats at the beginning."""
        seated = list(self.table.seats)
        for row in await parlour.store.actions(self.table.id):
            if row.kind == "hand_over" and row.seat is not None and seated[row.seat].kept_for is not None:
                occupant = seated[row.seat]
                seated[row.seat] = type(occupant)(occupant.name, occupant.kept_for)
        return seated

    async def _commits(self, parlour: Parlour) -> Any:
        """Yield the entries that were written together, and the position after them."""
        rows = [row for row in await parlour.store.actions(self.table.id) if row.kind not in LOBBY]
        for together in _by_time(rows):
            if together[-1].kind in PLAYED or together[0].kind == "start":
                state, _ = await parlour._repository.state_at(self.table, together[-1].version)
                position = position_of(self.table.slug, len(self.table.seats), state)
            yield together, position

    def _end(self, number: int, at: float, pace: Pace, *, acted: bool) -> None:
        seat = self.seats[number]
        if seat.duty is None:
            return
        seat.left = max(0.0, seat.left - self.standing.count_span(seat.duty.user, seat.since, at))
        if acted:
            seat.left = min(seat.left + pace.increment, max(seat.left, pace.cap))
        seat.duty.end, seat.duty = at, None

    def bank_left(self, number: int, now: float) -> float:
        seat = self.seats[number]
        if seat.duty is None:
            return seat.left
        return max(0.0, seat.left - self.standing.count_span(seat.duty.user, seat.since, now))


LOBBY = frozenset({"join", "options"})
PLAYED = frozenset({"move", "forced", "resign"})


def _by_time(rows: Sequence[Any]) -> Iterator[list[Any]]:
    """Yield entries of one commit: a move and what it forced."""
    together: list[Any] = []
    for row in rows:
        if together and not (row.kind == "forced" and row.at == together[-1].at):
            yield together
            together = []
        together.append(row)
    if together:
        yield together
