"""Keeps results and ratings in line with finished tables, and reads standings."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from weakref import WeakValueDictionary

import msgspec

from db.records import BestRow, OpponentRow, RankedRow, RatingRow, ResultRow, TallyRow
from db.subjects.standings import Uncounted
from engines.game import Seat, Strength
from engines.workers import Urgency, Workers
from tables.core.history import EntryKind
from tables.core.people import name_apart
from tables.core.repository import Repository
from tables.core.table import Refused, Table
from tables.runtime import Background, RoundRobin, wait_for_end
from tables.standings import ratings as skills
from tables.standings.ratings import GAMES, TIMED_MOVES, WHOLE_ENTRIES, ResultKind, counts_after_leaving

log = logging.getLogger(__name__)
BATCH = 200
"""Games that a worker rates in one go; others have their turn in between."""
SWEPT = 100
"""Tables that one sweep counts."""
LISTED_OPPONENTS = 10
"""Opponents in a profile."""
CHARTED = 200
"""Games in a chart of a rating."""
BESTS = 100
"""The most results, alone or in teams, in a list of bests."""


class Leaderboard(msgspec.Struct, frozen=True):
    """A part of a leaderboard, its total length, and the viewer's line."""

    rows: tuple[RankedRow, ...]
    people: int
    own: RankedRow | None


class Profile(msgspec.Struct, frozen=True):
    """A person's record in a server.

    Attributes:
        ratings: one for each game in which they have one.
        tallies: how their games have ended.
        opponents: their record against others.
        course: their results in the charted game, oldest first.
    """

    ratings: tuple[RatingRow, ...]
    tallies: tuple[TallyRow, ...]
    opponents: tuple[OpponentRow, ...]
    course: tuple[ResultRow, ...]

    @property
    def charted(self) -> str | None:
        return self.course[0].game if self.course else None


class StandingsService:
    """Counts ended and reopened tables, and reads standings.

    Ratings follow from results alone. The newest result moves them on; if another one is added, removed or
    changed, all of its server and game are recalculated from the first.

    `settle` runs before, for tables with another purpose.
    """

    def __init__(
        self, repository: Repository, workers: Workers, settle: Callable[[Table], Awaitable[None]]
    ) -> None:
        self._repository = repository
        self._store = repository.store.standings
        self._workers = workers
        self._background = Background()
        self._locks: WeakValueDictionary[tuple[int, str], asyncio.Lock] = WeakValueDictionary()
        self._tasks: dict[asyncio.Task[bool], int] = {}
        self._checked = False
        self._uncounted: RoundRobin[Uncounted, Uncounted] = RoundRobin(SWEPT, lambda one: one)
        self._settle = settle

    def count_soon(self, table: Table) -> None:
        """Count a table soon; the next sweep repairs a failure.

        Another process counts the tables of its servers.
        """
        if not self._repository.store.shards.owns(table.guild_id):
            return
        work = self._background.run(f"counting table {table.id}", self.count_table(table.id))
        task = asyncio.create_task(work, name=f"standings of table {table.id}")
        self._tasks[task] = table.guild_id
        task.add_done_callback(self._tasks.pop)

    async def finish(self, guild_id: int | None = None) -> None:
        while tasks := [task for task, where in self._tasks.items() if guild_id in (None, where)]:
            await wait_for_end(tasks)

    async def sweep(self) -> None:
        """Count what a crash left.

        After a start, also compare ratings and results. They differ if a table was erased, or the database
        was edited by hand.
        """
        if not self._checked:
            for guild_id, game in await self._store.find_wrong_ratings():
                log.info("server %s: the ratings of %s are recalculated", guild_id, game)
                await self.recount(guild_id, game)
            self._checked = True
        for table_id, _ in await self._uncounted.next_rows(self._store.uncounted):
            await self._background.run(f"counting table {table_id}", self.count_table(table_id))

    def look_again(self) -> None:
        """Let the next sweep compare ratings and results, as after a start."""
        self._checked = False

    async def recount(self, guild_id: int, game: str) -> None:
        """Recalculate the ratings in a game of a server from the first result."""
        async with self.lock(guild_id, game):
            await self._recount(guild_id, game, None)

    async def count_table(self, table_id: int) -> list[ResultRow]:
        """Return the results of a table; count it first if needed."""
        if await self._store.uncounted_since(table_id) is not None:
            table = await self._repository.table(table_id)
            async with self.lock(table.guild_id, table.slug):
                uncounted = await self._store.uncounted_since(table_id)
                if uncounted is not None:
                    await self._count(uncounted)
        return await self._store.of_table(table_id)

    def lock(self, guild_id: int, game: str) -> asyncio.Lock:
        return self._locks.setdefault((guild_id, game), asyncio.Lock())

    async def _count(self, uncounted: Uncounted) -> None:
        table_id, _ = uncounted
        table, store = await self._repository.table(table_id), self._repository.store
        await self._settle(table)
        rows = skills.results_of(
            table, await store.entry_headers(table_id), await store.entries(table_id, WHOLE_ENTRIES)
        )
        was_rated = _is_rated(await self._store.of_table(table_id))
        if not was_rated and not _is_rated(rows):
            return await self._store.count(uncounted, rows, ())
        newest = (rows[0].ended_at, table_id) if rows else (0.0, 0)
        former = any(row.user_id < 0 for row in rows)  # what they could do is written nowhere
        if was_rated or former or newest < await self._store.last_game(table.guild_id, table.slug):
            await self._store.enter(table_id, rows)
            return await self._recount(table.guild_id, table.slug, uncounted)
        people = [row.user_id for row in rows]
        before = await self._store.ratings(table.guild_id, table.slug, people)
        entries, after = skills.after_game(rows, {row.user_id: row for row in before})
        await self._store.count(uncounted, entries, after)

    async def _recount(self, guild_id: int, game: str, uncounted: Uncounted | None) -> None:
        """Rate all games again, some at a time.

        Ratings change only after the last. Former players are rated too, but their ratings aren't saved.
        """
        names = {row.user_id: row.name for row in await self._store.ratings(guild_id, game)}
        ratings: dict[int, RatingRow] = {}
        games, at = 0, (0.0, 0)
        while rows := await self._store.games(guild_id, game, at, BATCH):
            people = {row.user_id for row in rows}
            before = {user_id: ratings[user_id] for user_id in people & ratings.keys()}
            entries, after = await self._workers.run_with(Urgency.LONG, skills.after_games, rows, before)
            await self._store.note_courses([row for row in entries if row.user_id > 0])
            ratings.update(after)
            games += len({row.table_id for row in rows})
            at = (rows[-1].ended_at, rows[-1].table_id)
        named = [
            msgspec.structs.replace(row, name=names.get(row.user_id, row.name))
            for row in ratings.values()
            if row.user_id > 0
        ]
        await self._store.replace_ratings(guild_id, game, named, games, uncounted)

    async def counts_after_leaving(self, table: Table, leaver: Seat) -> bool:
        store = self._repository.store
        trace, entries = await store.entry_headers(table.id), await store.entries(table.id, WHOLE_ENTRIES)
        return counts_after_leaving(table, leaver, trace, entries)

    async def leaderboard(
        self, guild_id: int, game: str, viewer: int | None, offset: int, limit: int
    ) -> Leaderboard:
        await self.finish(guild_id)
        own = None if viewer is None else await self._store.line_of(guild_id, game, viewer)
        rows = name_apart(await self._store.leaderboard(guild_id, game, viewer, offset, limit))
        own = next((row for row in rows if row.user_id == viewer), own)
        return Leaderboard(tuple(rows), await self._store.count_ranked(guild_id, game, viewer), own)

    async def bests(self, guild_id: int, game: str, kind: ResultKind, viewer: int | None) -> list[BestRow]:
        """Return bests alone or in teams for a viewer, under people's last names."""
        rows = await self._store.bests(guild_id, game, kind, viewer, BESTS)
        names = await self._store.names(guild_id, {row.user_id for row in rows})
        return name_apart(
            [msgspec.structs.replace(row, name=names.get(row.user_id, row.name)) for row in rows]
        )

    async def kinds(self, guild_id: int, game: str) -> list[ResultKind]:
        await self.finish(guild_id)
        texts = await self._store.kinds(guild_id, game)
        return [kind for kind in ResultKind if kind in texts]

    async def has_finished(self, guild_id: int, user_id: int, game: str) -> bool:
        return await self._store.has_finished(guild_id, user_id, game)

    async def suggest_strength(self, guild_id: int, user_id: int, game: str) -> Strength:
        games = await self._store.games_with_computers(guild_id, user_id, game, skills.SUGGESTED_FROM)
        if games:
            return skills.next_strength(games)
        return Strength.MEDIUM if await self.has_finished(guild_id, user_id, game) else Strength.EASY

    async def name(self, guild_id: int, user_id: int) -> str | None:
        ratings = await self._store.ratings_of(guild_id, user_id)
        if ratings:
            return ratings[0].name
        return (await self._store.names(guild_id, [user_id])).get(user_id)

    async def profile(
        self, guild_id: int, user_id: int, viewer: int | None, game: str | None = None
    ) -> Profile:
        """Return somebody's record in a server for a viewer.

        Others see only the record against themselves among the opponents. It charts the rating in a game, by
        default the one with most rated games. Raise Refused if they hide, for everybody but themselves.
        """
        if user_id != viewer and (await self._repository.time.people.person(user_id)).hidden:
            raise Refused("That person hides their games.")
        await self.finish(guild_id)
        ratings = await self._store.ratings_of(guild_id, user_id)
        if game is None and ratings:
            game = max(ratings, key=lambda row: row.games).game
        course = [] if game is None else await self._store.course(guild_id, game, user_id, CHARTED)
        other = None if viewer == user_id else viewer
        opponents = (
            [] if viewer is None else await self._store.opponents(guild_id, user_id, LISTED_OPPONENTS, other)
        )
        names = await self._store.names(guild_id, {row.user_id for row in opponents})
        named = [msgspec.structs.replace(row, name=names.get(row.user_id, row.name)) for row in opponents]
        tallies = await self._store.tallies(guild_id, user_id)
        return Profile(tuple(ratings), tuple(tallies), tuple(name_apart(named)), tuple(course))

    async def habits(self, guild_id: int, user_id: int, viewer: int | None = None) -> skills.Habits | None:
        """Return how somebody plays with others in a server.

        Nothing for too few games, and for a person who hides from the viewer (None: everybody).
        """
        if user_id != viewer and (await self._repository.time.people.person(user_id)).hidden:
            return None
        rows = await self._store.games_with_others(guild_id, user_id, GAMES)
        if len(rows) < skills.FEWEST_GAMES:
            return None
        newest = [row.table_id for row in rows[: skills.TIMED_GAMES]]
        moves = await self._store.times_made_by(user_id, newest, {EntryKind.MOVE}, TIMED_MOVES)
        planned = set(await self._store.times_made_by(user_id, newest, {EntryKind.PLANNED}, TIMED_MOVES))
        return skills.habits_of(rows, [at for at in moves if at not in planned])

    async def count_leavers(self, guild_id: int, user_ids: Iterable[int], percent: int) -> int:
        """Count people who finish a smaller share of their games than that.

        Newcomers and people who hide aren't among them.
        """
        count = 0
        for user_id, person in (await self._repository.time.people.of(user_ids)).items():
            if not person.hidden:
                rows = await self._store.games_with_others(guild_id, user_id, GAMES)
                count += not skills.does_finish(skills.habits_of(rows, []), percent)
        return count

    async def visible_rating(self, guild_id: int, user_id: int, game: str) -> int | None:
        if (await self._repository.time.people.person(user_id)).hidden:
            return None
        rows = await self._store.ratings_of(guild_id, user_id)
        return next((row.rating for row in rows if row.game == game), None)

    async def provisional(self, rows: Sequence[ResultRow]) -> set[int]:
        """Return whose rating in the game of these results is provisional."""
        return {
            rating.user_id
            for row in rows
            for rating in await self._store.ratings_of(row.guild_id, row.user_id)
            if rating.game == row.game and rating.games < skills.SURE_AFTER
        }

    async def rename(self, guild_id: int, user_id: int, name: str) -> None:
        if any(row.name != name for row in await self._store.ratings_of(guild_id, user_id)):
            await self._store.rename(guild_id, user_id, name)


def _is_rated(rows: Sequence[ResultRow]) -> bool:
    return bool(rows) and rows[0].counts and rows[0].kind == ResultKind.VERSUS
