"""Keeps results and ratings true to the histories of finished tables, and reads standings from them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from weakref import WeakValueDictionary

import msgspec

from db.records import BestRow, OpponentRow, RankedRow, RatingRow, ResultRow, TallyRow
from db.subjects.standings import Uncounted
from engines.workers import Urgency, Workers
from tables.core.naming import name_apart
from tables.core.repository import Repository
from tables.core.table import Refused, Table
from tables.runtime.background import Background, ended
from tables.runtime.retries import Rounds
from tables.standings.ratings import after_game, after_games
from tables.standings.results import TOLD_BY, Kind, results_of

log = logging.getLogger(__name__)
BATCH = 200
"""How many games are rated again in one go, in a worker; then whatever else waits has its turn."""
SWEPT = 100
"""How many tables one sweep counts."""
LISTED = 10
"""How many opponents a profile names."""
CHARTED = 200
"""Over so many games a rating is charted."""
BESTS = 100
"""How many results of people alone or in teams are looked at, the best first."""


class Leaderboard(msgspec.Struct, frozen=True):
    """A part of a leaderboard, how many there are in all, and the line of who looks."""

    rows: tuple[RankedRow, ...]
    people: int
    own: RankedRow | None


class Profile(msgspec.Struct, frozen=True):
    """What somebody has played in a server.

    Attributes:
        ratings: one for each game in which they have one.
        tallies: how their games have ended.
        opponents: how they did against others.
        course: their results in the game that is charted, the oldest first.
    """

    ratings: tuple[RatingRow, ...]
    tallies: tuple[TallyRow, ...]
    opponents: tuple[OpponentRow, ...]
    course: tuple[ResultRow, ...]

    @property
    def charted(self) -> str | None:
        """The game that is charted."""
        return self.course[0].game if self.course else None


class Standings:
    """Counts tables whose games have ended, or go on after their end, and tells how people stand.

    Ratings follow from results alone. The newest result moves them on; where another one comes, goes or
    changes, those of its server and game are worked out again from the first.

    `settle` is done before, for tables that come to something else.
    """

    def __init__(self, repository: Repository, workers: Workers) -> None:
        self._repository = repository
        self._store = repository.store.standings
        self._workers = workers
        self._background = Background()
        self._locks: WeakValueDictionary[tuple[int, str], asyncio.Lock] = WeakValueDictionary()
        self._tasks: dict[asyncio.Task[bool], int] = {}
        self._checked = False
        self._uncounted: Rounds[Uncounted, Uncounted] = Rounds(SWEPT, lambda one: one)
        self.settle: Callable[[Table], Awaitable[None]] = _nothing

    def wake(self, table: Table) -> None:
        """Count a table soon; what fails is done by the next sweep.

        That of a server for which another process acts is left to that.
        """
        if not self._repository.store.shards.owns(table.guild_id):
            return
        work = self._background.run(f"counting table {table.id}", self.counted(table.id))
        task = asyncio.create_task(work, name=f"standings of table {table.id}")
        self._tasks[task] = table.guild_id
        task.add_done_callback(self._tasks.pop)

    async def finish(self, guild_id: int | None = None) -> None:
        """Wait for the counting that is under way, in all servers or in one."""
        while tasks := [task for task, where in self._tasks.items() if guild_id in (None, where)]:
            await ended(tasks)

    async def sweep(self) -> None:
        """Count what a crash left behind; after a start, also see that the ratings fit the results.

        They don't where a table was erased, or the database was put together by hand.
        """
        if not self._checked:
            for guild_id, game in await self._store.amiss():
                log.info("server %s: the ratings of %s are recalculated", guild_id, game)
                await self.recount(guild_id, game)
            self._checked = True
        for table_id, _ in await self._uncounted.next_rows(self._store.uncounted):
            await self._background.run(f"counting table {table_id}", self.counted(table_id))

    def look_again(self) -> None:
        """Have the next sweep see that the ratings fit the results, as after a start."""
        self._checked = False

    async def recount(self, guild_id: int, game: str) -> None:
        """Recalculate the ratings in a game of a server from the first result on."""
        async with self.lock(guild_id, game):
            await self._recount(guild_id, game, None)

    async def counted(self, table_id: int) -> list[ResultRow]:
        """The results of a table, which is counted first where it has not been since its end."""
        if await self._store.uncounted_since(table_id) is not None:
            table = await self._repository.table(table_id)
            async with self.lock(table.guild_id, table.slug):
                uncounted = await self._store.uncounted_since(table_id)
                if uncounted is not None:
                    await self._count(uncounted)
        return await self._store.of_table(table_id)

    def lock(self, guild_id: int, game: str) -> asyncio.Lock:
        """The lock held while changing the ratings in a game of a server."""
        return self._locks.setdefault((guild_id, game), asyncio.Lock())

    async def _count(self, uncounted: Uncounted) -> None:
        table_id, _ = uncounted
        table, store = await self._repository.table(table_id), self._repository.store
        await self.settle(table)
        rows = results_of(table, await store.trace(table_id), await store.entries(table_id, TOLD_BY))
        was_rated = _rated(await self._store.of_table(table_id))
        if not was_rated and not _rated(rows):
            return await self._store.count(uncounted, rows, ())
        newest = (rows[0].ended_at, table_id) if rows else (0.0, 0)
        former = any(row.user_id < 0 for row in rows)  # what they could do is written nowhere
        if was_rated or former or newest < await self._store.last_game(table.guild_id, table.slug):
            await self._store.enter(table_id, rows)
            return await self._recount(table.guild_id, table.slug, uncounted)
        people = [row.user_id for row in rows]
        before = await self._store.ratings(table.guild_id, table.slug, people)
        told, after = after_game(rows, {row.user_id: row for row in before})
        await self._store.count(uncounted, told, after)

    async def _recount(self, guild_id: int, game: str, uncounted: Uncounted | None) -> None:
        """Rate all games again, some at a time; nobody's rating changes before the last of them.

        Former players are rated with all others, and what they come to is kept nowhere.
        """
        names = {row.user_id: row.name for row in await self._store.ratings(guild_id, game)}
        ratings: dict[int, RatingRow] = {}
        games, at = 0, (0.0, 0)
        while rows := await self._store.games(guild_id, game, at, BATCH):
            people = {row.user_id for row in rows}
            before = {user_id: ratings[user_id] for user_id in people & ratings.keys()}
            told, after = await self._workers.run_with(Urgency.LONG, after_games, rows, before)
            await self._store.note_courses([row for row in told if row.user_id > 0])
            ratings.update(after)
            games += len({row.table_id for row in rows})
            at = (rows[-1].ended_at, rows[-1].table_id)
        named = [
            msgspec.structs.replace(row, name=names.get(row.user_id, row.name))
            for row in ratings.values()
            if row.user_id > 0
        ]
        await self._store.replace_ratings(guild_id, game, named, games, uncounted)

    async def leaderboard(
        self, guild_id: int, game: str, viewer: int | None, offset: int, limit: int
    ) -> Leaderboard:
        """A part of a game's leaderboard as somebody sees it, or with None everybody."""
        await self.finish(guild_id)
        own = None if viewer is None else await self._store.ranked(guild_id, game, viewer)
        rows = name_apart(await self._store.leaderboard(guild_id, game, viewer, offset, limit))
        own = next((row for row in rows if row.user_id == viewer), own)
        return Leaderboard(tuple(rows), await self._store.count_ranked(guild_id, game, viewer), own)

    async def bests(self, guild_id: int, game: str, kind: Kind, viewer: int | None) -> list[BestRow]:
        """What people have achieved alone or in teams, as somebody sees it, under their last names."""
        rows = await self._store.bests(guild_id, game, kind, viewer, BESTS)
        names = await self._store.names(guild_id, {row.user_id for row in rows})
        return name_apart(
            [msgspec.structs.replace(row, name=names.get(row.user_id, row.name)) for row in rows]
        )

    async def kinds(self, guild_id: int, game: str) -> list[Kind]:
        """How people have played a game of which there are standings."""
        await self.finish(guild_id)
        found = await self._store.kinds(guild_id, game)
        return [kind for kind in Kind if kind in found]

    async def has_finished(self, guild_id: int, user_id: int, game: str) -> bool:
        """Whether somebody has finished a game of a kind in a server."""
        return await self._store.has_finished(guild_id, user_id, game)

    async def name(self, guild_id: int, user_id: int) -> str | None:
        """What somebody was called when they were seen last; None for who has finished nothing."""
        ratings = await self._store.ratings_of(guild_id, user_id)
        if ratings:
            return ratings[0].name
        return (await self._store.names(guild_id, [user_id])).get(user_id)

    async def profile(
        self, guild_id: int, user_id: int, viewer: int | None, game: str | None = None
    ) -> Profile:
        """What somebody has played in a server, as they, another person or with None everybody may see it.

        Of their opponents it tells others only how they did against who looks. It charts the rating in a
        game, or without one in that of which most games were rated.

        Raises:
            Refused: when they hide, for all but themselves.
        """
        if user_id != viewer and (await self._repository.time.people.person(user_id)).hidden:
            raise Refused("They hide what they have played.")
        await self.finish(guild_id)
        ratings = await self._store.ratings_of(guild_id, user_id)
        if game is None and ratings:
            game = max(ratings, key=lambda row: row.games).game
        course = [] if game is None else await self._store.course(guild_id, game, user_id, CHARTED)
        other = None if viewer == user_id else viewer
        opponents = [] if viewer is None else await self._store.opponents(guild_id, user_id, LISTED, other)
        names = await self._store.names(guild_id, {row.user_id for row in opponents})
        named = [msgspec.structs.replace(row, name=names.get(row.user_id, row.name)) for row in opponents]
        tallies = await self._store.tallies(guild_id, user_id)
        return Profile(tuple(ratings), tuple(tallies), tuple(name_apart(named)), tuple(course))

    async def rename(self, guild_id: int, user_id: int, name: str) -> None:
        """Note what somebody is called now; leaderboards call them so from now on."""
        if any(row.name != name for row in await self._store.ratings_of(guild_id, user_id)):
            await self._store.rename(guild_id, user_id, name)


async def _nothing(_table: Table) -> None:
    """Nothing else is to be done."""


def _rated(rows: Sequence[ResultRow]) -> bool:
    """Whether ratings follow from the results of a table."""
    return bool(rows) and rows[0].counts and rows[0].kind == Kind.VERSUS
