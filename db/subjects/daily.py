"""Deals of the day: plays, members, posts, results, and hashes of erased tries."""

import secrets
from collections.abc import Collection, Iterable, Sequence
from hashlib import sha256
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Insert, Select, delete, func, insert, select, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite

from db import schema
from db.access import Access, QuotaReached, lock, upsert, write_transaction
from db.batch import add_table, write_entries, write_restart
from db.records import (
    DailyDealRow,
    DailyMemberRow,
    DailyNoticeRow,
    DailyPlayRow,
    DailyPointsRow,
    DailyPostRow,
    DailySum,
    SeatRow,
    ServerSettings,
    TableRow,
    TableWrite,
)

SALT_FACT = "salt of tries "
"""The beginning of the key of the fact with a day's salt."""
T, F = schema.daily_tries.c, schema.facts.c


def keep_tries(connection: Connection, user_id: int, tries: Iterable[tuple[str, str]]) -> None:
    """Save an erased person's tries, each by day and game.

    A saved try leads to nobody: only somebody who knows the person can compare it, until the day is over.
    """
    for day, game in tries:
        row = {"day": day, "mark": _mark(connection, user_id, day, game)}
        connection.execute(delete(schema.daily_tries).where(T.day == day, T.mark == row["mark"]))
        connection.execute(insert(schema.daily_tries), [row])


def has_tried(connection: Connection, user_id: int, day: str, game: str) -> bool:
    """Return True if a person had a try at a deal before they were erased."""
    if connection.execute(select(T.mark).where(T.day == day).limit(1)).first() is None:
        return False
    mark = _mark(connection, user_id, day, game)
    return connection.execute(select(T.mark).where(T.day == day, T.mark == mark)).first() is not None


def forget_tries(connection: Connection, before: str) -> None:
    """Delete the tries of past days, and their salts."""
    connection.execute(delete(schema.daily_tries).where(T.day < before))
    connection.execute(
        delete(schema.facts).where(F.key.startswith(SALT_FACT), F.key < f"{SALT_FACT}{before}")
    )


def _mark(connection: Connection, user_id: int, day: str, game: str) -> str:
    known = select(F.value).where(F.key == f"{SALT_FACT}{day}")
    result = connection.execute(known).scalar_one_or_none()
    if result is None:
        connection.execute(insert(schema.facts).values(key=f"{SALT_FACT}{day}", value=secrets.token_hex(16)))
        result = connection.execute(known).scalar_one()
    return sha256(f"{result!s}:{user_id}:{day}:{game}".encode()).hexdigest()


D, P, B, M, S, N = (
    schema.daily_deals.c,
    schema.daily_plays.c,
    schema.daily_posts.c,
    schema.daily_members.c,
    schema.daily_points.c,
    schema.daily_notices.c,
)
COMPUTER = 0
"""The user number of the strong computer."""
COUNTED, FOR_ONESELF = 0, 1
"""The attempt that counts, and the one for oneself."""


PAST_DEALS = 20
"""Plays for themselves that a person can begin a day."""


class AlreadyTried(Exception):
    """Raised if a play would count although its person had their try, or the day is over."""


class Daily(Access):
    """Reads and writes everything about the deal of the day."""

    async def deal(self, day: str, game: str) -> DailyDealRow | None:
        return await self._row(DailyDealRow, select(schema.daily_deals).where(D.day == day, D.game == game))

    async def deals(self, day: str) -> list[DailyDealRow]:
        return await self._rows(DailyDealRow, select(schema.daily_deals).where(D.day == day).order_by(D.game))

    async def days_with_deals(self, before: str, limit: int) -> list[str]:
        """Return the last days with a deal, newest first."""
        days = select(D.day).where(D.day < before).distinct()
        return await self._scalars(days.order_by(D.day.desc()).limit(limit))

    @write_transaction
    def keep_deal(self, connection: Connection, row: DailyDealRow) -> DailyDealRow:
        """Save a deal unless another process was faster; return the saved one."""
        connection.execute(_insert_if_new(connection, schema.daily_deals), [_values(row)])
        known = select(schema.daily_deals).where(D.day == row.day, D.game == row.game)
        return DailyDealRow(**connection.execute(known).mappings().one())

    async def play_of(self, user_id: int, day: str, game: str, attempt: int) -> DailyPlayRow | None:
        return await self._row(
            DailyPlayRow, select(schema.daily_plays).where(*_key(user_id, day, game, attempt))
        )

    async def play_at(self, table_id: int) -> DailyPlayRow | None:
        return await self._row(
            DailyPlayRow, select(schema.daily_plays).where(P.table_id == table_id).limit(1)
        )

    @write_transaction
    def open_play(
        self,
        connection: Connection,
        play: DailyPlayRow,
        table: TableRow,
        seats: Sequence[SeatRow],
        past: TableWrite,
        today: str,
    ) -> int:
        """Write a play with its table, both or none.

        Return its table, or the existing one.

        Raises:
            Tried: if it would count, and the person had their try before they were erased, or the day's
                results are out somewhere.
            QuotaReached: if it wouldn't count, and the person has begun enough of those today.
        """
        if play.attempt == COUNTED and play.user_id != COMPUTER:
            lock(connection, [play.user_id])
            closed = select(B.guild_id).where(B.day == play.day, B.closed_at.is_not(None)).limit(1)
            is_over = connection.execute(closed).first() is not None
            if is_over or has_tried(connection, play.user_id, play.day, play.game):
                raise AlreadyTried
        key = _key(play.user_id, play.day, play.game, play.attempt)
        new = msgspec.structs.replace(play, table_id=0)
        # Whoever writes the row first makes the table; others wait here for that.
        if connection.execute(_insert_if_new(connection, schema.daily_plays), _values(new)).rowcount != 1:
            return int(connection.execute(select(P.table_id).where(*key)).scalar_one())
        if play.attempt == FOR_ONESELF:
            _count_own(connection, play.user_id, today)
        number = add_table(connection, table, seats)
        write_entries(connection, [msgspec.structs.replace(past, table_id=number)])
        connection.execute(update(schema.daily_plays).where(*key).values(table_id=number))
        return number

    @write_transaction
    def begin_again(self, connection: Connection, change: TableWrite, play: DailyPlayRow, today: str) -> None:
        """Begin a finished play again.

        The change takes its table to its start.

        Raises:
            Conflict: if the table has moved on.
            QuotaReached: see `open_play`.
        """
        _count_own(connection, play.user_id, today)
        write_restart(connection, change)
        key = _key(play.user_id, play.day, play.game, play.attempt)
        known = update(schema.daily_plays).where(*key, P.table_id == play.table_id)
        connection.execute(known.values(_values(play)))

    async def end_play(self, play: DailyPlayRow) -> None:
        """Save the result of a play; only the first time counts."""
        key = (*_key(play.user_id, play.day, play.game, play.attempt), P.table_id == play.table_id)
        ending = update(schema.daily_plays).where(*key, P.ended_at.is_(None)).values(_values(play))
        await self._execute(ending)

    async def plays_ended(self, day: str, after: float) -> list[DailyPlayRow]:
        """Return a day's counting plays that ended after an instant."""
        own = (P.day == day, P.counts, P.user_id != COMPUTER, P.ended_at > after)
        return await self._rows(
            DailyPlayRow, select(schema.daily_plays).where(*own).order_by(P.ended_at, P.user_id)
        )

    async def finishers(self, guild_id: int, day: str, game: str) -> list[DailyPlayRow]:
        """Return the counting plays of a server's members, best first.

        People who hide their plays are left out.
        """
        own = (P.day == day, P.game == game, P.counts, P.user_id != COMPUTER)
        query = select(schema.daily_plays).join(schema.daily_members, M.user_id == P.user_id)
        query = query.where(*own, M.guild_id == guild_id, M.member, *_not_hidden(P.user_id))
        return await self._readable_rows(DailyPlayRow, query.order_by(P.rank.desc(), P.ended_at, P.user_id))

    async def people_who_began(self, day: str, game: str, user_ids: Collection[int]) -> set[int]:
        query = select(P.user_id).where(P.day == day, P.game == game, P.user_id.in_(user_ids))
        return set(await self._scalars(query))

    async def plays_of(self, user_id: int, first: str, last: str) -> list[DailyPlayRow]:
        """Return a person's counting plays in a span of days."""
        own = (P.user_id == user_id, P.attempt == COUNTED, P.day.between(first, last))
        return await self._readable_rows(
            DailyPlayRow, select(schema.daily_plays).where(*own).order_by(P.day, P.game)
        )

    async def days_of(self, user_id: int, limit: int) -> list[str]:
        """Return the last days of a person's finished deals, newest first."""
        days = select(P.day).where(P.user_id == user_id, P.counts).distinct()
        return await self._scalars(days.order_by(P.day.desc()).limit(limit))

    async def servers(self) -> list[ServerSettings]:
        """Return this process's servers with the deal of the day."""
        g = schema.guilds.c
        on = (g.daily, g.daily_channel_id.is_not(None), g.removed_at.is_(None), *self._shards.of(g.guild_id))
        return await self._readable_rows(
            ServerSettings, select(schema.guilds).where(*on).order_by(g.guild_id)
        )

    async def post(self, guild_id: int, day: str) -> DailyPostRow | None:
        return await self._row(
            DailyPostRow, select(schema.daily_posts).where(B.guild_id == guild_id, B.day == day)
        )

    async def last_post(self, guild_id: int, before: str) -> DailyPostRow | None:
        query = select(schema.daily_posts).where(B.guild_id == guild_id, B.day < before)
        return await self._row(DailyPostRow, query.order_by(B.day.desc()).limit(1))

    async def open_posts(self) -> list[DailyPostRow]:
        """Return this process's posts without results, oldest day first."""
        query = select(schema.daily_posts).where(B.closed_at.is_(None), *self._shards.of(B.guild_id))
        return await self._readable_rows(DailyPostRow, query.order_by(B.day, B.guild_id))

    async def stale_posts(self, limit: int = 50, after: tuple[str, int] | None = None) -> list[DailyPostRow]:
        """Return this process's posts that show an erased person, by day and server.

        With `after`, only those behind that day and server.
        """
        query = select(schema.daily_posts).where(B.stale, *self._shards.of(B.guild_id))
        if after is not None:
            query = query.where(tuple_(B.day, B.guild_id) > tuple_(*after))
        return await self._readable_rows(DailyPostRow, query.order_by(B.day, B.guild_id).limit(limit))

    @write_transaction
    def claim_post(self, connection: Connection, row: DailyPostRow) -> DailyPostRow:
        """Save a server's post of a day unless there is one. Return the saved one."""
        connection.execute(_insert_if_new(connection, schema.daily_posts), [_values(row)])
        known = select(schema.daily_posts).where(B.guild_id == row.guild_id, B.day == row.day)
        return DailyPostRow(**connection.execute(known).mappings().one())

    async def save_post(self, guild_id: int, day: str, **values: Any) -> None:
        changing = update(schema.daily_posts).where(B.guild_id == guild_id, B.day == day).values(values)
        await self._execute(changing)

    @write_transaction
    def close_post(
        self, connection: Connection, guild_id: int, day: str, at: float, points: Sequence[DailyPointsRow]
    ) -> None:
        """Save that a day's results are posted in a server, with the points; once."""
        closing = update(schema.daily_posts).where(
            B.guild_id == guild_id, B.day == day, B.closed_at.is_(None)
        )
        if connection.execute(closing.values(closed_at=at)).rowcount != 1 or not points:
            return
        people = [row.user_id for row in points]
        lock(connection, people)
        played = select(P.user_id).where(P.user_id.in_(people), P.day == day, P.counts)
        known = set(connection.execute(played).scalars())
        # Who was erased since the points were worked out has no play any more.
        rows = [_values(row) for row in points if row.user_id in known]
        if rows:
            connection.execute(insert(schema.daily_points), rows)

    async def note_members(self, rows: Sequence[DailyMemberRow]) -> set[int]:
        """Save memberships of known people, and return these people's numbers.

        People who have neither played a deal nor set anything are left out: they could be erased.
        """

        def write(connection: Connection) -> set[int]:
            people = {row.user_id for row in rows}
            lock(connection, people)
            known = set(connection.execute(_known(people)).scalars())
            for row in rows:
                if row.user_id in known:
                    upsert(connection, schema.daily_members, _values(row), ("guild_id", "user_id"))
            return known

        kept: set[int] = await self._writer.write(write) if rows else set()
        return kept

    @write_transaction
    def remove_strangers(
        self, connection: Connection, after: tuple[int, int], limit: int
    ) -> tuple[int, int] | None:
        """Check some memberships by their keys; remove those of unknown people.

        Return the last key, from which the next check goes on; None at the end.
        """
        key = tuple_(M.guild_id, M.user_id)
        query = select(M.guild_id, M.user_id).where(key > after).order_by(M.guild_id, M.user_id).limit(limit)
        rows = connection.execute(query).all()
        if not rows:
            return None
        people = {row.user_id for row in rows}
        lock(connection, people)
        strangers = people - set(connection.execute(_known(people)).scalars())
        for table in (schema.daily_members, schema.daily_points):
            connection.execute(delete(table).where(table.c.user_id.in_(strangers), table.c.user_id > 0))
        return rows[-1].guild_id, rows[-1].user_id

    async def members(
        self, user_ids: Collection[int], guild_id: int | None = None
    ) -> dict[int, dict[int, DailyMemberRow]]:
        """Return known memberships of some people, by server and person. Optionally of one server."""
        query = select(schema.daily_members).where(M.user_id.in_(user_ids))
        if guild_id is not None:
            query = query.where(M.guild_id == guild_id)
        result: dict[int, dict[int, DailyMemberRow]] = {}
        for row in await self._readable_rows(DailyMemberRow, query):
            result.setdefault(row.guild_id, {})[row.user_id] = row
        return result

    async def member_of(self, user_id: int) -> list[int]:
        return await self._scalars(
            select(M.guild_id).where(M.user_id == user_id, M.member).order_by(M.guild_id)
        )

    async def standing(self, guild_id: int, first: str, last: str) -> list[DailySum]:
        """Return the members' points in a span of days, most first.

        People who hide their plays are left out.
        """
        total, firsts = func.sum(S.points), func.count().filter(S.place == 1)
        query = (
            select(
                S.user_id,
                func.max(S.name).label("name"),
                total.label("points"),
                func.count().label("days"),
                firsts.label("firsts"),
            )
            .join(schema.daily_members, (M.guild_id == S.guild_id) & (M.user_id == S.user_id))
            .where(S.guild_id == guild_id, S.day.between(first, last), M.member, *_not_hidden(S.user_id))
            .group_by(S.user_id)
            .order_by(total.desc(), firsts.desc(), S.user_id)
        )
        return await self._rows(DailySum, query)

    async def points_of(self, user_id: int, guild_id: int, first: str, last: str) -> list[DailyPointsRow]:
        """Return a person's points in a server in a span of days, by day."""
        own = (S.user_id == user_id, S.guild_id == guild_id, S.day.between(first, last))
        return await self._rows(DailyPointsRow, select(schema.daily_points).where(*own).order_by(S.day))

    async def people_to_notify(self, guild_id: int) -> list[int]:
        p = schema.people.c
        query = select(p.user_id).join(schema.daily_members, M.user_id == p.user_id)
        return await self._scalars(query.where(p.daily, M.guild_id == guild_id, M.member).order_by(p.user_id))

    async def ask_notices(self, rows: Sequence[DailyNoticeRow]) -> None:
        """Queue notices of a day, unless a person has one already."""

        def write(connection: Connection) -> None:
            connection.execute(
                _insert_if_new(connection, schema.daily_notices), [_values(row) for row in rows]
            )

        if rows:
            await self._writer.write(write)

    async def notices_due(self, now: float, limit: int = 100) -> list[DailyNoticeRow]:
        """Return the notices that are due, longest due first."""
        due = (N.sent.is_(False), N.due_at <= now)
        query = select(schema.daily_notices).where(*due).order_by(N.due_at).limit(limit)
        return await self._readable_rows(DailyNoticeRow, query)

    async def change_notice(self, row: DailyNoticeRow) -> None:
        own = (N.user_id == row.user_id, N.day == row.day)
        await self._execute(update(schema.daily_notices).where(*own).values(sent=row.sent, due_at=row.due_at))

    @write_transaction
    def forget_tries(self, connection: Connection, before: str) -> None:
        forget_tries(connection, before)
        connection.execute(delete(schema.daily_repeats).where(schema.daily_repeats.c.day < before))

    async def forget_notices(self, before: str) -> None:
        await self._execute(delete(schema.daily_notices).where(N.day < before))


def _key(user_id: int, day: str, game: str, attempt: int) -> tuple[ColumnElement[bool], ...]:
    return P.user_id == user_id, P.day == day, P.game == game, P.attempt == attempt


def _known(people: Collection[int]) -> Select[Any]:
    """Select those people who have played a deal or set something."""
    p = schema.people.c
    played = select(P.user_id).where(P.user_id.in_(people))
    return select(played.union(select(p.user_id).where(p.user_id.in_(people))).subquery().c.user_id)


def _not_hidden(user_id: ColumnElement[int]) -> list[ColumnElement[bool]]:
    p = schema.people.c
    return [~select(p.user_id).where(p.user_id == user_id, p.hidden).exists()]


def _values(row: msgspec.Struct) -> dict[str, Any]:
    return msgspec.structs.asdict(row)


def _count_own(connection: Connection, user_id: int, today: str) -> None:
    """Count a play that a person begins for themselves. Raise QuotaReached beyond the limit."""
    repeats = schema.daily_repeats.c
    first = {"user_id": user_id, "day": today, "number": 0}
    connection.execute(_insert_if_new(connection, schema.daily_repeats), first)
    here = (repeats.user_id == user_id, repeats.day == today, repeats.number < PAST_DEALS)
    counting = update(schema.daily_repeats).where(*here).values(number=repeats.number + 1)
    if connection.execute(counting).rowcount != 1:
        raise QuotaReached("past deals of a person", PAST_DEALS, user_id)


def _insert_if_new(connection: Connection, table: Any) -> Insert:
    known = postgresql if connection.dialect.name == "postgresql" else sqlite
    statement: Insert = known.insert(table).on_conflict_do_nothing()
    return statement
