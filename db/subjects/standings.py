"""Results, ratings, and what follows from them: leaderboards and profiles."""

from collections.abc import Collection, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from db import schema
from db.access import Access, upsert, write_transaction
from db.records import BestRow, ComputerGameRow, OpponentRow, RankedRow, RatingRow, ResultRow, TallyRow

VERSUS = "versus"
"""The kind of results that ratings follow from."""
Uncounted = tuple[int, int]
"""A table, and the version since which it is uncounted."""
R, G, P = schema.results.c, schema.ratings.c, schema.people.c
GUILD_GAME_KEY = ("guild_id", "game")
RATING_KEY = (*GUILD_GAME_KEY, "user_id")


_OTHER, _S = schema.results.alias("other").c, schema.seats.c
_HAS_OTHERS = sa.exists().where(_OTHER.table_id == R.table_id, _OTHER.user_id != R.user_id)
_OF_PERSON = (R.guild_id == sa.bindparam("guild_id"), R.user_id == sa.bindparam("user_id"))
_FINISHED = sa.select(R.table_id).where(*_OF_PERSON, R.game == sa.bindparam("game")).limit(1)
_WITH_OTHERS = (
    sa.select(schema.results)
    .where(*_OF_PERSON, _HAS_OTHERS)
    .order_by(R.ended_at.desc(), R.table_id.desc())
    .limit(sa.bindparam("most"))
)
_WITH_COMPUTERS = (
    sa.select(R.place, R.seats, sa.func.min(_S.strength).label("strength"))
    .select_from(schema.results.join(schema.seats, _S.table_id == R.table_id))
    .where(*_OF_PERSON, R.game == sa.bindparam("game"), R.kind == VERSUS)
    .where(R.stayed, _S.strength.is_not(None), ~_HAS_OTHERS)
    .group_by(R.table_id, R.place, R.seats, R.ended_at)
    .having(sa.func.count() == R.seats - 1, sa.func.min(_S.strength) == sa.func.max(_S.strength))
    .order_by(R.ended_at.desc(), R.table_id.desc())
    .limit(sa.bindparam("most"))
)
"""Queries of each new table and each post, built once: building them took longer than running them."""


class Standings(Access):
    """Results at finished tables, and people's ratings.

    A table is uncounted from the transaction in which its game ends, or goes on after its end, until its
    results and the ratings that follow are right again.
    """

    async def uncounted(self, limit: int = 100, after: Uncounted | None = None) -> list[Uncounted]:
        """Return this process's uncounted tables, each with its version.

        With `after`, only those behind that one.
        """
        u = schema.uncounted.c
        t = schema.tables.c
        query = sa.select(u.table_id, u.version).order_by(u.table_id).limit(limit)
        if after is not None:
            query = query.where(u.table_id > after[0])
        here = self._shards.of(t.guild_id)
        if here:
            query = query.join(schema.tables, t.id == u.table_id).where(*here)
        return [(row.table_id, row.version) for row in await self._plain_rows(query)]

    async def uncounted_among(self, table_ids: Sequence[int]) -> list[int]:
        u = schema.uncounted.c
        return await self._scalars(sa.select(u.table_id).where(u.table_id.in_(table_ids)))

    async def uncounted_since(self, table_id: int) -> Uncounted | None:
        """Return since when a table is uncounted; None if it is counted."""
        u = schema.uncounted.c
        version = await self._scalar(sa.select(u.version).where(u.table_id == table_id))
        return None if version is None else (table_id, version)

    async def of_table(self, table_id: int) -> list[ResultRow]:
        query = sa.select(schema.results).where(R.table_id == table_id).order_by(R.user_id)
        return await self._rows(ResultRow, query)

    async def last_game(self, guild_id: int, game: str) -> tuple[float, int]:
        """Return the end and the table of the newest rated game. (0, 0) if there is none."""
        query = sa.select(R.ended_at, R.table_id).where(*_is_rated(guild_id, game))
        query = query.order_by(R.ended_at.desc(), R.table_id.desc()).limit(1)
        row = next(iter(await self._plain_rows(query)), None)
        return (0.0, 0) if row is None else (row.ended_at, row.table_id)

    async def games(self, guild_id: int, game: str, after: tuple[float, int], limit: int) -> list[ResultRow]:
        """Return the results of rated games after one, oldest first, up to a limit of games."""
        keys = (
            sa.select(R.ended_at, R.table_id)
            .where(*_is_rated(guild_id, game), sa.tuple_(R.ended_at, R.table_id) > sa.tuple_(*after))
            .distinct()
            .order_by(R.ended_at, R.table_id)
            .limit(limit)
            .subquery()
        )
        query = sa.select(schema.results).where(R.table_id.in_(sa.select(keys.c.table_id)))
        return await self._rows(ResultRow, query.order_by(R.ended_at, R.table_id, R.user_id))

    async def find_wrong_ratings(self) -> list[tuple[int, str]]:
        """Return servers and games whose ratings don't match their results.

        Only servers of this process. Former players have results and no ratings; games of former players
        alone count all the same.
        """
        here, rated = (R.guild_id, R.game), (R.counts, R.kind == VERSUS)
        games = sa.select(*here, sa.func.count(R.table_id.distinct()).label("number")).where(*rated)
        results = sa.select(*here, sa.func.count().label("number")).where(*rated, R.user_id > 0)
        ratings = sa.select(G.guild_id, G.game, sa.func.sum(G.games).label("number"))
        queries = (
            games.group_by(*here),
            sa.select(schema.rated_games),
            results.group_by(*here),
            ratings.group_by(G.guild_id, G.game),
        )

        def look(connection: sa.Connection) -> list[dict[tuple[int, str], int]]:
            return [
                {(row.guild_id, row.game): int(row.number) for row in connection.execute(query)}
                for query in queries
            ]

        there, counted, finished, rated_by = await self._reader.read(look)
        pairs = ((there, counted), (finished, rated_by))
        keys = {*there, *counted, *finished, *rated_by}
        return sorted(
            key
            for key in keys
            if self._shards.owns(key[0]) and any(one.get(key, 0) != other.get(key, 0) for one, other in pairs)
        )

    async def ratings(
        self, guild_id: int, game: str, user_ids: Collection[int] | None = None
    ) -> list[RatingRow]:
        query = sa.select(schema.ratings).where(G.guild_id == guild_id, G.game == game)
        if user_ids is not None:
            query = query.where(G.user_id.in_(user_ids))
        return await self._rows(RatingRow, query.order_by(G.user_id))

    async def ratings_of(self, guild_id: int, user_id: int) -> list[RatingRow]:
        query = sa.select(schema.ratings).where(G.guild_id == guild_id, G.user_id == user_id)
        return await self._rows(RatingRow, query.order_by(G.game))

    @write_transaction
    def count(
        self,
        connection: sa.Connection,
        uncounted: Uncounted,
        rows: Sequence[ResultRow],
        ratings: Sequence[RatingRow],
    ) -> None:
        """Write an uncounted table's results, and count it.

        If its result is the newest, `ratings` are its people's new ones.
        """
        _enter(connection, uncounted[0], rows)
        for row in ratings:
            upsert(connection, schema.ratings, msgspec.structs.asdict(row), RATING_KEY)
        if ratings:
            guild_id, game = ratings[0].guild_id, ratings[0].game
            n = schema.rated_games.c
            one_more = sa.update(schema.rated_games).where(n.guild_id == guild_id, n.game == game)
            if not connection.execute(one_more.values(number=n.number + 1)).rowcount:
                first = {"guild_id": guild_id, "game": game, "number": 1}
                connection.execute(sa.insert(schema.rated_games).values(first))
        _mark_counted(connection, uncounted)

    @write_transaction
    def enter(self, connection: sa.Connection, table_id: int, rows: Sequence[ResultRow]) -> None:
        """Replace a table's results; it stays uncounted."""
        _enter(connection, table_id, rows)

    async def note_courses(self, rows: Sequence[ResultRow]) -> None:
        """Write ratings before and after games into existing results."""
        t = schema.results.c
        values = [
            {"of": row.table_id, "whose": row.user_id, "old": row.before, "new": row.after} for row in rows
        ]
        setting = (
            sa.update(schema.results)
            .where(t.table_id == sa.bindparam("of"), t.user_id == sa.bindparam("whose"))
            .values(before=sa.bindparam("old"), after=sa.bindparam("new"))
        )

        def write(connection: sa.Connection) -> None:
            connection.execute(setting, values)

        if values:
            await self._writer.write(write)

    @write_transaction
    def replace_ratings(
        self,
        connection: sa.Connection,
        guild_id: int,
        game: str,
        rows: Sequence[RatingRow],
        games: int,
        uncounted: Uncounted | None,
    ) -> None:
        """Rewrite all ratings in a server's game, and their number of games.

        This counts an uncounted table.
        """
        number = {"guild_id": guild_id, "game": game, "number": games}
        connection.execute(sa.delete(schema.ratings).where(G.guild_id == guild_id, G.game == game))
        upsert(connection, schema.rated_games, number, GUILD_GAME_KEY)
        if rows:
            connection.execute(sa.insert(schema.ratings), [msgspec.structs.asdict(row) for row in rows])
        if uncounted is not None:
            _mark_counted(connection, uncounted)

    async def rename(self, guild_id: int, user_id: int, name: str) -> None:
        renamed = sa.update(schema.ratings).where(
            G.guild_id == guild_id, G.user_id == user_id, G.name != name
        )
        await self._execute(renamed.values(name=name))

    async def leaderboard(
        self, guild_id: int, game: str, viewer: int | None, offset: int, limit: int
    ) -> list[RankedRow]:
        """Return a part of a leaderboard, best first. `viewer` sees themselves even if they hide."""
        board = _leaderboard(guild_id, game, viewer)
        query = sa.select(board).order_by(board.c.rank, board.c.user_id).offset(offset).limit(limit)
        return await self._rows(RankedRow, query)

    async def line_of(self, guild_id: int, game: str, user_id: int) -> RankedRow | None:
        board = _leaderboard(guild_id, game, user_id)
        return await self._row(RankedRow, sa.select(board).where(board.c.user_id == user_id))

    async def count_ranked(self, guild_id: int, game: str, viewer: int | None) -> int:
        query = sa.select(sa.func.count()).select_from(_join_settings(schema.ratings, G.user_id))
        query = query.where(G.guild_id == guild_id, G.game == game, _is_visible(G.user_id, viewer))
        return int(await self._scalar(query))

    async def bests(
        self, guild_id: int, game: str, kind: str, viewer: int | None, limit: int
    ) -> list[BestRow]:
        """Return bests alone or in teams: most wins first, then best scores."""
        wins, score = sa.func.sum(sa.case((R.won, 1), else_=0)), sa.func.max(R.score)
        query = (
            sa.select(
                R.options,
                R.user_id,
                sa.func.max(R.name).label("name"),
                sa.func.count().label("games"),
                wins.label("wins"),
                score.label("score"),
            )
            .select_from(_join_settings(schema.results, R.user_id))
            .where(
                R.guild_id == guild_id,
                R.game == game,
                R.kind == kind,
                R.counts,
                R.user_id > 0,
                _is_visible(R.user_id, viewer),
            )
            .group_by(R.options, R.user_id)
            .order_by(wins.desc(), score.desc(), sa.func.count(), R.user_id)
            .limit(limit)
        )
        return await self._rows(BestRow, query)

    async def has_finished(self, guild_id: int, user_id: int, game: str) -> bool:
        return bool(await self._scalars(_FINISHED, guild_id=guild_id, user_id=user_id, game=game))

    async def games_with_others(self, guild_id: int, user_id: int, most: int) -> list[ResultRow]:
        """Return a person's newest results in games with others."""
        return await self._rows(ResultRow, _WITH_OTHERS, guild_id=guild_id, user_id=user_id, most=most)

    async def games_with_computers(
        self, guild_id: int, user_id: int, game: str, most: int
    ) -> list[ComputerGameRow]:
        """Return a person's newest games against computers of one strength alone."""
        asked = {"guild_id": guild_id, "user_id": user_id, "game": game, "most": most}
        return await self._rows(ComputerGameRow, _WITH_COMPUTERS, **asked)

    async def times_made_by(
        self, user_id: int, table_ids: Collection[int], kinds: Collection[str], most: int
    ) -> list[float]:
        """Return times of entries that a person made, the newest first."""
        a = schema.actions.c
        made = sa.select(a.at).where(a.actor_id == user_id, a.table_id.in_(table_ids), a.kind.in_(kinds))
        return await self._scalars(made.order_by(a.at.desc()).limit(most))

    async def kinds(self, guild_id: int, game: str) -> set[str]:
        query = sa.select(R.kind).where(R.guild_id == guild_id, R.game == game, R.counts).distinct()
        return set(await self._scalars(query))

    async def tallies(self, guild_id: int, user_id: int) -> list[TallyRow]:
        """Count how a person's finished games in a server ended."""
        alike = (R.game, R.kind, R.counts, R.place, R.won)
        sums = (
            sa.func.count().label("games"),
            sa.func.max(R.score).label("score"),
            sa.func.sum(R.turns).label("turns"),
            sa.func.sum(R.seconds).label("seconds"),
        )
        query = sa.select(*alike, *sums).where(R.guild_id == guild_id, R.user_id == user_id)
        return await self._rows(TallyRow, query.group_by(*alike).order_by(*alike))

    async def opponents(
        self, guild_id: int, user_id: int, limit: int, other: int | None = None
    ) -> list[OpponentRow]:
        """Return a person's record against others, most met first; optionally against one."""
        t = schema.results.alias("theirs")
        won, lost = sa.case((R.place < t.c.place, 1), else_=0), sa.case((R.place > t.c.place, 1), else_=0)
        query = (
            sa.select(
                t.c.user_id,
                sa.func.max(t.c.name).label("name"),
                sa.func.count().label("games"),
                sa.func.sum(won).label("won"),
                sa.func.sum(lost).label("lost"),
            )
            .join_from(schema.results, t, sa.and_(t.c.table_id == R.table_id, t.c.user_id != R.user_id))
            .where(R.guild_id == guild_id, R.user_id == user_id, R.kind == VERSUS, t.c.user_id > 0)
            .group_by(t.c.user_id)
            .order_by(sa.func.count().desc(), t.c.user_id)
            .limit(limit)
        )
        return await self._rows(OpponentRow, query if other is None else query.where(t.c.user_id == other))

    async def names(self, guild_id: int, user_ids: Collection[int]) -> dict[int, str]:
        """Return people's names at the tables that they finished last."""
        last = (
            sa.select(R.user_id, sa.func.max(R.ended_at))
            .where(R.guild_id == guild_id, R.user_id.in_(user_ids))
            .group_by(R.user_id)
        )
        query = sa.select(R.user_id, R.name).where(
            R.guild_id == guild_id, sa.tuple_(R.user_id, R.ended_at).in_(last)
        )
        return {row.user_id: row.name for row in await self._plain_rows(query)}

    async def course(self, guild_id: int, game: str, user_id: int, most: int) -> list[ResultRow]:
        """Return a person's newest rated results in a game, oldest first."""
        query = sa.select(schema.results).where(*_is_rated(guild_id, game), R.user_id == user_id)
        query = query.order_by(R.ended_at.desc(), R.table_id.desc()).limit(most)
        return list(reversed(await self._rows(ResultRow, query)))


def _is_rated(guild_id: int, game: str) -> list[sa.ColumnElement[bool]]:
    return [R.guild_id == guild_id, R.game == game, R.counts, R.kind == VERSUS]


def _join_settings(table: Any, user_id: sa.ColumnElement[int]) -> Any:
    return table.outerjoin(schema.people, P.user_id == user_id)


def _is_visible(user_id: sa.ColumnElement[int], viewer: int | None) -> sa.ColumnElement[bool]:
    return sa.or_(P.hidden.is_(None), ~P.hidden, user_id == viewer)


def _leaderboard(guild_id: int, game: str, viewer: int | None) -> sa.Subquery:
    """Select a game's leaderboard for a viewer. Equal ratings share the better rank."""
    return (
        sa.select(
            sa.func.rank().over(order_by=G.rating.desc()).label("rank"),
            *(G[name] for name in RankedRow.__struct_fields__ if name != "rank"),
        )
        .select_from(_join_settings(schema.ratings, G.user_id))
        .where(G.guild_id == guild_id, G.game == game, _is_visible(G.user_id, viewer))
        .subquery()
    )


def _enter(connection: sa.Connection, table_id: int, rows: Sequence[ResultRow]) -> None:
    connection.execute(sa.delete(schema.results).where(R.table_id == table_id))
    if rows:
        connection.execute(sa.insert(schema.results), [msgspec.structs.asdict(row) for row in rows])


def _mark_counted(connection: sa.Connection, uncounted: Uncounted) -> None:
    """Count a table, unless it is uncounted since a later version."""
    u = schema.uncounted.c
    connection.execute(
        sa.delete(schema.uncounted).where(u.table_id == uncounted[0], u.version <= uncounted[1])
    )
