"""The deal of the day: one deal for everybody, played alone, once; its places, points and streaks."""

import itertools
import logging
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import date
from functools import partial

import msgspec
from cachetools import LRUCache
from msgspec.structs import replace

from db import records
from db.records import DailyDealRow, DailyPlayRow, EntryHeader, ServerSettings
from db.subjects.daily import COMPUTER, COUNTED, FOR_ONESELF, AlreadyTried
from engines.analysis.daily import DailyGame, Level, TurnSummary
from engines.game import Draws, Strength
from engines.registry import SLUGS, daily, game
from tables.clocks.pace import MINUTE, NONE, add_days, day_of, ends, hour_within, month_of, week_of
from tables.core import change, history
from tables.core.people import name_apart
from tables.core.repository import Repository
from tables.core.table import OPEN, DailyDeal, Hints, Occupant, Phase, Refused, Table, Terms, encode
from tables.lobby.decisions import COMPUTER_NAMES, StartContext, commitment, secret, start
from tables.lobby.lobby import begin_alone, new_row, on_terms, seats_alone
from tables.play.play import Play
from tables.review.record import Record, RecordedTurn


def daily_games() -> tuple[str, ...]:
    return tuple(slug for slug in SLUGS if daily(slug) is not None)


def order(day: str) -> tuple[str, ...]:
    """Return the games of a day in order.

    Each is first once in as many days as games.

    >>> sorted(order("2026-11-23")) == sorted(daily_games())
    True
    """
    known = daily_games()
    turn, at = divmod(date.fromisoformat(day).toordinal(), len(known))
    shuffled = Draws(f"the rota of round {turn}".encode(), 0).shuffle(known)
    return (*shuffled[at:], *shuffled[:at])


def game_of(day: str, wanted: Collection[str] = ()) -> str:
    """Return the game of a day. The first wanted one in the day's order; all by default."""
    games = order(day)
    return next((slug for slug in games if slug in wanted), games[0])


def level_of(day: str, slug: str) -> Level:
    """Return the level of a day: Mondays are easy, Sundays hard."""
    levels = rules(slug).levels
    return levels[date.fromisoformat(day).weekday() * len(levels) // 7]


def rules(slug: str) -> DailyGame:
    """Return how a game is dealt daily. Raises KeyError for one that isn't."""
    game = daily(slug)
    if game is None:
        raise KeyError(slug)
    return game


SEAT = 0
"""The person's seat."""
LONGEST_PAUSE = 5 * MINUTE
"""The most seconds of a pause between two moves that count."""
TERMS = Terms(NONE, private=True, rated=False, hints=Hints.FORBIDDEN)


class PlayCourse(msgspec.Struct, frozen=True):
    """The course of a play: its entries, its turns, and the tally after each."""

    trace: Sequence[EntryHeader]
    turns: Sequence[RecordedTurn]
    tallies: Sequence[tuple[int | None, ...] | None]


def finish_play(play: DailyPlayRow, table: Table, course: PlayCourse, view: object) -> DailyPlayRow:
    """Return the result of a play whose game is over.

    `view` is the final one. A play that was given up, or finished after the day, isn't in the day's
    standing.
    """
    rows = {row.version: row for row in course.trace}
    standing = history.active_entries(rows, table.version)
    played = [row for row in course.trace if row.version in standing and row.kind in history.PLAYED]
    own = [row for row in played if row.seat == SEAT and row.kind == history.EntryKind.MOVE]
    # What computers answer after that is nobody's lateness.
    at = max((row.at for row in own), default=play.begun_at)
    given_up = table.outcome is None or any(row.kind == history.EntryKind.RESIGN for row in played)
    instants = [play.begun_at, *(row.at for row in own)]
    gaps = (after - before for before, after in itertools.pairwise(instants))
    seconds = sum(min(max(gap, 0.0), LONGEST_PAUSE) for gap in gaps)
    known = replace(play, ended_at=at, moves=len(own), seconds=seconds)
    if given_up or table.outcome is None:
        return replace(known, said="given up")
    daily = rules(table.slug)
    verdict = daily.verdict(table.outcome, view, SEAT)
    summaries = [
        TurnSummary(sum(turn.after < row.version <= turn.version for row in own), tally)
        for turn, tally in zip(course.turns, course.tallies, strict=True)
    ]
    return replace(
        known,
        rank=verdict.rank,
        said=verdict.said,
        signs=daily.signs(table.outcome, summaries, SEAT),
        counts=play.attempt == COUNTED and at < ends(play.day),
    )


def new_deal(day: str, slug: str, seed: bytes, salt: bytes) -> DailyDealRow:
    level = level_of(day, slug)
    known = game(slug)
    options = known.settle(level.seats, msgspec.convert(level.options, known.Options))
    return DailyDealRow(day, slug, level.name, level.seats, encode(options), seed.hex(), salt.hex())


POINTS = (10, 8, 6, 5, 4, 3, 2)
"""Points of the first places of a day; every other place has one."""


class PlacedPlay(msgspec.Struct, frozen=True):
    """A play with its place in its server, and the points."""

    play: DailyPlayRow
    place: int
    points: int


def place_plays(plays: Sequence[DailyPlayRow]) -> list[PlacedPlay]:
    """Place a day's plays, given best first; equals share the better place."""
    finishers: list[PlacedPlay] = []
    for number, play in enumerate(name_apart(plays), start=1):
        equal = bool(finishers) and finishers[-1].play.rank == play.rank
        place = finishers[-1].place if equal else number
        finishers.append(PlacedPlay(play, place, points(place)))
    return finishers


def points(place: int) -> int:
    """Return the points of a place.

    >>> points(1), points(7), points(8), points(100)
    (10, 2, 1, 1)
    """
    return POINTS[place - 1] if place <= len(POINTS) else 1


def streak(days: Sequence[str], today: str) -> int:
    """Count the days in a row until today or yesterday.

    `days` are newest first.

    >>> streak(["2026-03-01", "2026-02-28", "2026-02-26"], "2026-03-02")
    2
    >>> streak(["2026-03-01"], "2026-03-03")
    0
    """
    wanted = today if today in days[:1] else add_days(today, -1)
    length = 0
    for day in days:
        if day != wanted:
            break
        length, wanted = length + 1, add_days(wanted, -1)
    return length


log = logging.getLogger(__name__)
KEPT = 64
"""Cached deals."""
LONGEST_STREAK = 1000
"""The most days counted for a streak."""
NOTICES_KEPT_DAYS = 7
"""Days for which notices are kept."""


class DailyMonth(msgspec.Struct, frozen=True):
    """A person's month by day: finished plays, and points in a server."""

    first: str
    plays: dict[str, records.DailyPlayRow]
    points: dict[str, tuple[int, int]]
    """Place and points."""


class DailySummary(msgspec.Struct, frozen=True):
    """A person's record: days in a row, and a server's points this month."""

    streak: int
    days: int
    points: int


class DailyDeals:
    """Makes the deal of each day, opens its tables, and counts finished plays."""

    def __init__(self, repository: Repository, record: Record, play: Play) -> None:
        self._repository = repository
        self._store = repository.store.daily
        self._clock: Callable[[], float] = repository.clock
        self._record = record
        self._play = play
        self._deals: LRUCache[tuple[str, str], records.DailyDealRow] = LRUCache(KEPT)
        self._ended: set[tuple[str, str]] = set()

    @property
    def today(self) -> str:
        """Return today's date in UTC."""
        return day_of(self._clock())

    async def deal(self, day: str, game: str) -> records.DailyDealRow:
        """Return the deal of a day in a game.

        Make today's if nobody has. Raise Refused for a future day, and for a past one without a deal.
        """
        known = self._deals.get((day, game))
        known = known or await self._store.deal(day, game)
        if known is None:
            if day > self.today:
                raise Refused("That day hasn't come yet. `/daily play` opens today's deal.")
            if day < self.today:
                raise Refused("That day has no deal. `/daily calendar` shows your days.")
            known = await self._store.keep_deal(new_deal(day, game, *secret()))
            log.info("the deal of %s in %s is made", day, game)
        self._deals[day, game] = known
        return known

    def promise(self, deal: records.DailyDealRow) -> str:
        """Return the commitment to a deal, posted before anybody plays it."""
        return commitment(bytes.fromhex(deal.seed), bytes.fromhex(deal.salt))

    async def game_here(self, guild_id: int | None, day: str) -> str:
        """Return a server's game of a day; None means no server.

        It is the posted one; a change of the server's wishes applies from the next day on.
        """
        if guild_id is not None:
            post = await self._store.post(guild_id, day)
            if post is not None:
                return post.game
            settings = await self._repository.store.guild(guild_id)
            return await self._game_dealt(day, () if settings is None else settings.daily_games)
        return await self._game_dealt(day, ())

    async def _game_dealt(self, day: str, games: Collection[str]) -> str:
        """Return the game of a day. Of a past one, a game that was dealt."""
        game = game_of(day, games)
        if day < self.today and await self._store.deal(day, game) is None:
            known = [deal.game for deal in await self._store.deals(day)]
            return next((one for one in known if one in games), known[0] if known else game)
        return game

    async def counting_play(self, user_id: int, day: str, game: str) -> records.DailyPlayRow | None:
        """Return a person's counting play of a deal, running or ended."""
        return await self._store.play_of(user_id, day, game, COUNTED)

    async def play_at(self, table_id: int, user_id: int) -> records.DailyPlayRow:
        play = await self._store.play_at(table_id)
        if play is None or play.user_id != user_id:
            raise Refused("That isn't your game. `/daily play` opens yours.")
        return play

    async def open(self, person: Occupant, day: str, game: str) -> Table:
        """Open a person's table for a deal.

        That of their one try, if it is today's or running. People can play a past deal for themselves again
        and again, at the same table; also today's, if they were erased after their try.

        Raises:
            Refused: see `deal`, and if the person has begun enough past deals today.
        """
        deal, user_id = await self.deal(day, game), person.user_id or COMPUTER
        counted = await self.counting_play(user_id, day, game)
        if counted is not None and (day == self.today or counted.ended_at is None):
            return await self._repository.table(counted.table_id)
        if day == self.today:
            with suppress(AlreadyTried):
                return await self._begin(deal, person, COUNTED)
        own = await self._store.play_of(user_id, day, game, FOR_ONESELF)
        if own is not None:
            table = await self._repository.table(own.table_id)
            if table.phase in OPEN:
                return table
            now = self._clock()
            again = records.DailyPlayRow(user_id, day, game, FOR_ONESELF, table.id, person.name, now)
            commit = partial(self._store.begin_again, play=again, today=self.today)
            return await self._play.start_again(table.id, commit)
        return await self._begin(deal, person, FOR_ONESELF)

    async def _begin(self, deal: records.DailyDealRow, person: Occupant, attempt: int) -> Table:
        now, user_id = self._clock(), person.user_id or COMPUTER
        row = new_row(0, 0, person.user_id or 0, deal.game, deal.options, now)
        row = replace(on_terms(row, TERMS, ordered=True), seed=deal.seed, salt=deal.salt)
        row = replace(row, origin=encode(DailyDeal(deal.day)))
        seats = seats_alone(deal.seats, SEAT, person, Strength.STRONG)
        begin = partial(start, beginning=StartContext(ServerSettings(0)), user_id=person.user_id or 0)
        rows = begin_alone(row, seats, begin, now)
        play = records.DailyPlayRow(user_id, deal.day, deal.game, attempt, 0, person.name, now)
        with change.refuse_guards():
            number = await self._store.open_play(play, rows.table, rows.seats, rows.past, today=self.today)
        table = await self._repository.table(number)
        self._repository.listener.on_commit(table, False)
        return table

    async def computer_play(self, day: str, game: str) -> records.DailyPlayRow | None:
        """Return the strong computer's finished play. None while it plays, which this starts."""
        play = await self._store.play_of(COMPUTER, day, game, COUNTED)
        if play is None:
            name = COMPUTER_NAMES[0]
            await self._begin(await self.deal(day, game), Occupant(name, None, Strength.STRONG), COUNTED)
        return None if play is None or play.ended_at is None else play

    async def settle(self, table: Table) -> None:
        """Count a play whose game is over. Only the first call has an effect."""
        play = None if table.day is None else await self._store.play_at(table.id)
        if play is None or play.ended_at is not None or table.phase is not Phase.OVER:
            return
        turns = await self._record.turns(table)
        trace = await self._repository.store.entry_headers(table.id)
        course = PlayCourse(trace, turns, await self._record.tallies(table))
        await self._store.end_play(finish_play(play, table, course, await self._record.end(table)))
        self._ended.add((play.day, play.game))

    def take_ended(self) -> set[tuple[str, str]]:
        """Return the days and games of plays that ended since the last call."""
        pairs, self._ended = self._ended, set()
        return pairs

    async def placed_finishers(self, guild_id: int, day: str, game: str) -> list[PlacedPlay]:
        """Return a server's members who finished a deal in time, best first."""
        return place_plays(await self._store.finishers(guild_id, day, game))

    async def close(self, post: records.DailyPostRow, finishers: Sequence[PlacedPlay]) -> None:
        rows = [
            records.DailyPointsRow(post.guild_id, play.day, play.user_id, play.name, one.place, one.points)
            for one in finishers
            for play in [one.play]
        ]
        await self._store.close_post(post.guild_id, post.day, self._clock(), rows)

    async def week(self, guild_id: int, day: str) -> list[records.DailySum]:
        return name_apart(await self._store.standing(guild_id, *week_of(day)))

    async def month(self, guild_id: int, day: str) -> list[records.DailySum]:
        return name_apart(await self._store.standing(guild_id, *month_of(day)))

    async def streak(self, user_id: int) -> int:
        return streak(await self._store.days_of(user_id, LONGEST_STREAK), self.today)

    async def summary(self, user_id: int, guild_id: int) -> DailySummary | None:
        """Return a person's record for their profile. None if they never finished one."""
        days = await self._store.days_of(user_id, LONGEST_STREAK)
        if not days:
            return None
        first, last = month_of(self.today)
        won = await self._store.points_of(user_id, guild_id, first, last)
        this_month = sum(first <= day <= last for day in days)
        return DailySummary(streak(days, self.today), this_month, sum(row.points for row in won))

    async def calendar(self, user_id: int, guild_id: int | None, day: str) -> DailyMonth:
        first, last = month_of(day)
        plays = {row.day: row for row in await self._store.plays_of(user_id, first, last)}
        # Of several games of one day that was finished counts.
        plays |= {row.day: row for row in await self._store.plays_of(user_id, first, last) if row.counts}
        points = [] if guild_id is None else await self._store.points_of(user_id, guild_id, first, last)
        return DailyMonth(first, plays, {row.day: (row.place, row.points) for row in points})

    def posts_at(self, settings: records.ServerSettings, day: str) -> float:
        """Return when a server posts a day, and the results of the day before."""
        return hour_within(day, settings.daily_hour, settings.zone)

    async def queue_notices(self, guild_id: int, day: str, game: str) -> None:
        people = await self._store.people_to_notify(guild_id)
        begun = await self._store.people_who_began(day, game, people)
        known = await self._repository.time.people.of(people)
        now = self._clock()
        rows = [
            records.DailyNoticeRow(user_id, day, guild_id, known[user_id].awake_at(now))
            for user_id in people
            if user_id not in begun
        ]
        await self._store.ask_notices(rows)

    async def take_due_notices(self) -> list[records.DailyNoticeRow]:
        """Return the notices to send now, if this process sends them.

        Drop those too late. People who are asleep or away get theirs afterwards.
        """
        now = self._clock()
        if not self._repository.store.shards.owns(0):
            return []
        result = []
        for row in await self._store.notices_due(now):
            person = await self._repository.time.people.person(row.user_id)
            awake = person.awake_at(now)
            begun = await self._store.plays_of(row.user_id, row.day, row.day)
            if not person.daily or begun or awake >= ends(row.day):
                await self._store.change_notice(replace(row, sent=True))
            elif awake > now:
                await self._store.change_notice(replace(row, due_at=awake))
            else:
                result.append(row)
        return result

    async def note_notice_sent(self, row: records.DailyNoticeRow) -> None:
        """Save that a notice was sent, and delete old ones."""
        await self._store.change_notice(replace(row, sent=True))
        await self._store.forget_notices(add_days(row.day, -NOTICES_KEPT_DAYS))

    async def retry_notice(self, row: records.DailyNoticeRow, seconds: float) -> None:
        """Retry a failed notice later, after those due before."""
        await self._store.change_notice(replace(row, due_at=self._clock() + seconds))

    async def note_member(self, guild_id: int, user_id: int, *, member: bool) -> bool:
        """Save a person's membership of a server. Return False if the person is unknown."""
        row = records.DailyMemberRow(guild_id, user_id, member, self._clock())
        return user_id in await self._store.note_members([row])
