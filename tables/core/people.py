"""A person's settings: where and when to notify them, their holidays, their names."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import TypeVar
from zoneinfo import ZoneInfo

import msgspec
from cachetools import LRUCache
from msgspec.structs import replace

from db.batch import Conflict
from db.connection.writer import UnreadableRow
from db.records import (
    BestRow,
    DailyPlayRow,
    DailySum,
    OpponentRow,
    PersonRow,
    RankedRow,
    ResultRow,
    SettingsEffects,
)
from db.store import Store
from engines.marks import make_distinct
from tables.clocks.pace import DAY, LONGEST_NIGHT, Quiet, Rest, Span
from tables.core.table import Refused
from tables.runtime import Cache

CACHED = 10_000
LONGEST_STRETCH = 14 * DAY
MOST_AWAY, YEAR = 28 * DAY, 365 * DAY


class Notices(StrEnum):
    """The places where a person is notified of their turn."""

    THREAD = "thread"
    DM = "dm"
    BOTH = "both"
    NONE = "none"


class Person(msgspec.Struct, frozen=True):
    """One person's settings; `db.records.PersonRow` explains them. `absences` are their holidays.

    A `hidden` person shows nobody else what they have played.
    """

    user_id: int
    notices: Notices = Notices.THREAD
    reminders: bool = True
    hands: bool = True
    zone: str = "UTC"
    quiet: Quiet | None = None
    digest_hour: int | None = None
    digest_at: float | None = None
    digested_at: float | None = None
    away_note: str = ""
    absences: tuple[Span, ...] = ()
    hidden: bool = False
    daily: bool = False
    in_words: bool = False
    theme: str = "light"
    confirms: bool = True
    offers: tuple[float, ...] = ()
    always_called: bool = False

    def rest(self, gaps: tuple[Span, ...] = ()) -> Rest:
        return Rest(self.quiet, self.absences, gaps)

    def away_until(self, now: float) -> float | None:
        return self.rest().away_until(now)

    def awake_at(self, now: float) -> float:
        """Return the next instant at which messages are welcome. Outside of nights and holidays."""
        rest = self.rest()
        while (until := rest.away_until(now) or rest.quiet_until(now)) is not None:
            now = until
        return now

    def next_digest(self, now: float) -> float | None:
        """Return the next digest's time. At their hour, and not during a holiday."""
        if self.digest_hour is None:
            return None
        wall = datetime.fromtimestamp(now, ZoneInfo(self.zone))
        day = wall.replace(hour=self.digest_hour, minute=0, second=0, microsecond=0)
        while (at := day.timestamp()) <= now or self.rest().away_until(at) is not None:
            day += timedelta(days=1)
        return at


def begin_holiday(person: Person, until: float, note: str, now: float) -> Person:
    """Begin a holiday now.

    A running one goes on with the new end. Raise Refused if the end isn't ahead, or the holiday is longer
    than allowed at once or in a year.
    """
    if (person.away_until(now), person.away_note) == (until, note):
        return person
    if until <= now:
        raise Refused("That's in the past. Say when you'll be back, like `2026-12-24` or `10 days`.")
    if until - now > LONGEST_STRETCH:
        raise Refused("You can be away for at most 14 days at a time. Try `10 days`.")
    ended = end_holiday(person, now)
    kept = tuple(span for span in ended.absences if span[1] > now - YEAR)
    used = sum(end - max(begin, now - YEAR) for begin, end in kept)
    left = MOST_AWAY - used
    if until - now > left + 1:
        raise Refused(
            f"That's too long: {(until - now) / DAY:.0f} days. In any 365 days you can be away for "
            f"28, and you have {left / DAY:.0f} left."
        )
    return replace(ended, absences=(*kept, (now, until)), away_note=note)


def end_holiday(person: Person, now: float) -> Person:
    absences = tuple((begin, min(end, now)) for begin, end in person.absences if begin < now)
    return replace(person, absences=absences, away_note="")


def with_quiet(person: Person, begins: int | None, ends: int | None) -> Person:
    """Set quiet hours, in minutes of the day; None removes them.

    Raise Refused if a night is empty or too long.
    """
    if begins is None or ends is None:
        return replace(person, quiet=None)
    quiet = Quiet(begins, ends, person.zone)
    if not 0 < quiet.minutes <= LONGEST_NIGHT:
        raise Refused("Quiet hours can be 10 hours a day at most, like 22:00 to 8:00.")
    return replace(person, quiet=quiet)


def in_zone(person: Person, zone: str) -> Person:
    """Change a person's time zone, also of their quiet hours."""
    quiet = None if person.quiet is None else replace(person.quiet, zone=zone)
    return replace(person, zone=zone, quiet=quiet)


class People:
    """Finds and caches people's settings; without any, the defaults apply."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: Cache[int, Person] = Cache(LRUCache(CACHED))

    async def of(self, user_ids: Iterable[int]) -> dict[int, Person]:
        """Return several people by id; one query for those not cached.

        The defaults apply to somebody with an unreadable row.
        """
        return await self._known.read_all(user_ids, self._read)

    async def _read(self, user_ids: list[int]) -> dict[int, Person]:
        known = {user_id: Person(user_id) for user_id in user_ids}
        for row in await self._store.people(user_ids):
            with suppress(UnreadableRow):
                known[row.user_id] = self.read_row(row)
        return known

    def read_row(self, row: PersonRow) -> Person:
        with self._store.unreadable.watch(f"person {row.user_id}"):  # whatever it raises, the row is damaged
            values, quiet = msgspec.structs.asdict(row), None
            begins, ends = values.pop("quiet_begins"), values.pop("quiet_ends")
            if begins is not None and ends is not None:
                quiet = Quiet(begins, ends, row.zone)
                list(quiet.between(0.0, 1.0))
            time(row.digest_hour or 0, tzinfo=ZoneInfo(row.zone))
            return Person(**values | {"notices": Notices(row.notices), "quiet": quiet})

    async def person(self, user_id: int) -> Person:
        return (await self.of([user_id]))[user_id]

    async def save(self, before: Person, after: Person, retimed: SettingsEffects | None = None) -> None:
        """Save a person's settings, with the effects at their tables.

        Raise Conflict if another process has changed them; they are read again next time.
        """
        try:
            await self._store.save_person(to_row(after), to_row(before), retimed)
        except Conflict:
            self._known.invalidate(after.user_id)
            raise
        self._known.put(after.user_id, after)

    def invalidate(self, user_id: int | None = None) -> None:
        self._known.invalidate(user_id)


def to_row(person: Person) -> PersonRow:
    values = msgspec.structs.asdict(person)
    quiet = values.pop("quiet")
    begins, ends = (None, None) if quiet is None else (quiet.begins, quiet.ends)
    return PersonRow(**values | {"notices": person.notices.value, "quiet_begins": begins, "quiet_ends": ends})


Row = TypeVar("Row", BestRow, DailyPlayRow, DailySum, OpponentRow, RankedRow, ResultRow)

NameLookup = Callable[[int, int, str], Awaitable[str | None]]
"""Returns a person's current name in a server by both ids and the known name; None if they have left."""


async def known_name(_guild_id: int, _user_id: int, known: str) -> str | None:
    """Return the known name: everybody is still there."""
    return known


def name_apart(rows: Sequence[Row]) -> list[Row]:
    """Number people with a name that is taken. Each person keeps one name."""
    names: dict[int, str] = {}
    for row in rows:
        if row.user_id not in names:
            names[row.user_id] = make_distinct(row.name, names.values())
    return [replace(row, name=names[row.user_id]) for row in rows]
