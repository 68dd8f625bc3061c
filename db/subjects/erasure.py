"""Erases a person: their id and names leave every row, or the rows go, some tables at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import Any, Protocol

import msgspec
from sqlalchemy import ColumnElement, Connection, bindparam, delete, select, update

from db import schema
from db.access import NO_SERVER, Access, lock, upsert, write_transaction
from db.subjects.daily import keep_tries
from db.subjects.personal import delete_studies_of

COUNTER = "former players"
"""The fact that counts the numbers given to former players."""
COUNTED = 0
"""The attempt at a deal of the day that counts."""
NOBODY = 0
"""The id of a former player if nothing depends on who it was."""
GROUP = 20
"""Tables, or cups, that one transaction rewrites; others have their turn between two."""
ENTRIES = 200
"""Audit entries that one transaction rewrites."""
OWN_ROWS = (
    (schema.people, "user_id"),
    (schema.named, "user_id"),
    (schema.notes, "user_id"),
    (schema.lessons, "user_id"),
    (schema.followers, "user_id"),
    (schema.invitations, "user_id"),
    (schema.unwanted, "user_id"),
    (schema.unwanted, "by_id"),
    (schema.wishes, "user_id"),
    (schema.ratings, "user_id"),
    (schema.puzzle_tries, "user_id"),
    (schema.puzzle_hints, "user_id"),
    (schema.puzzle_players, "user_id"),
    (schema.daily_plays, "user_id"),
    (schema.daily_points, "user_id"),
    (schema.daily_repeats, "user_id"),
    (schema.daily_members, "user_id"),
    (schema.daily_notices, "user_id"),
    (schema.blocks, "user_id"),
    (schema.blocks, "blocked_id"),
    (schema.posts, "target"),
    (schema.outbox, "target"),
    (schema.erasures, "user_id"),
)
"""Tables whose rows are deleted, with the column of the person."""
Key = tuple[int, str]
"""A server and a game."""


class StillSeated(Exception):
    """Raised if the person still sits at an open table."""


class ErasedPerson(msgspec.Struct, frozen=True):
    """The person to erase from texts: their id and all their names, with replacements.

    `number` replaces the id, `name` each of the `names`.
    """

    user_id: int
    names: frozenset[str]
    number: int
    name: str


class NamingEntry(msgspec.Struct, frozen=True):
    """A history entry that can name somebody; `own`: the person made it."""

    kind: str
    payload: Any
    own: bool


class NamedTexts(Protocol):
    """Rewrites texts that other rooms have written."""

    kinds: Collection[str]
    """The kinds of entries that can name somebody."""
    suffix: str
    """The end of the name of a computer that plays on for a person."""

    def names(self, entry: NamingEntry, user_id: int) -> Iterable[str]:
        """Return the names that an entry says are this person's."""

    def entry(self, entry: NamingEntry, gone: ErasedPerson) -> Any:
        """Return an entry's payload without the person."""

    def origin(self, origin: str, gone: ErasedPerson) -> str:
        """Return a table's origin without the person."""

    def memo(self, memo: str) -> str:
        """Return a board post's memo without what the post says."""

    def replacement_name(self, taken: Collection[str]) -> str:
        """Return a former player's name among others called so."""


class ErasurePlan(msgspec.Struct, frozen=True):
    """A running erasure: what is left of it, and what replaces the person.

    It is kept until the end, so that a crash changes nothing: `numbers` are by server and game, `tables`
    those that still name the person, `names` all names that they had.
    """

    names: frozenset[str]
    numbers: tuple[tuple[int, str, int], ...]
    tables: tuple[int, ...]


class Erasure(Access):
    """Makes a person a former player, in transactions that let others write between them."""

    async def unfinished(self) -> dict[int, ErasurePlan]:
        e = schema.erasures.c
        rows = await self._plain_rows(select(e.user_id, e.plan).order_by(e.user_id))
        return {row.user_id: msgspec.json.decode(row.plan, type=ErasurePlan) for row in rows}

    async def begin(
        self, user_id: int, table_ids: Sequence[int], cup_ids: Sequence[int], texts: NamedTexts
    ) -> ErasurePlan:
        """Begin an erasure.

        Remove the person from results, ratings and cups at once. In each server and game a negative number
        replaces their id, so that others' ratings still follow from the results; nothing leads from it to the
        person. A begun erasure takes these tables in. Raise StillSeated if they sit in a lobby or a running
        game; nothing is changed then.
        """
        names = await self._read(user_id, texts, _ErasureTransaction.own_names)
        for ids in _batches_of(table_ids):
            names |= await self._read(user_id, texts, partial(_ErasureTransaction.names_at, table_ids=ids))

        def write(connection: Connection) -> ErasurePlan:
            erasing = _resume(connection, user_id, texts, ErasurePlan(names, (), tuple(table_ids)))
            erasing.begin(cup_ids)
            return erasing.plan

        plan: ErasurePlan = await self._writer.write(write)
        return plan

    async def _read(
        self, user_id: int, texts: NamedTexts, look: Callable[[_ErasureTransaction], frozenset[str]]
    ) -> frozenset[str]:
        return await self._reader.read(
            lambda connection: look(_ErasureTransaction(connection, user_id, texts))
        )

    @write_transaction
    def rewrite_part(
        self, connection: Connection, user_id: int, table_ids: Collection[int], texts: NamedTexts
    ) -> ErasurePlan | None:
        """Remove a person from some tables.

        Return what is left, None if nothing is.

        Raises:
            StillSeated: see `begin`.
        """
        erasing = _resume(connection, user_id, texts)
        if erasing.plan is NO_PLAN:
            return None
        for table_id, seat in erasing.rewrite_part(table_ids):
            self._tell(connection, "draft", table_id, seat=seat)
        for table_id in (*table_ids, *delete_studies_of(connection, table_ids)):
            self._tell(connection, "rewritten", table_id)
        return erasing.plan

    @write_transaction
    def rewrite_audit(self, connection: Connection, user_id: int, texts: NamedTexts) -> bool:
        """Remove a person from some audit entries. Return True if there can be more."""
        return _resume(connection, user_id, texts).rewrite_audit()

    async def finish(self, user_id: int, texts: NamedTexts, today: str) -> list[int]:
        """Delete everything else about a person whose tables are rewritten.

        A hash of their tries at today's deals stays until the day is over. Return the people whom they had
        blocked, or who had blocked them.

        Raises:
            StillSeated: see `begin`.
        """
        b = schema.blocks.c
        theirs = select(b.user_id).where(b.blocked_id == user_id)
        apart: list[int] = await self._scalars(select(b.blocked_id).where(b.user_id == user_id).union(theirs))

        def write(connection: Connection) -> None:
            _resume(connection, user_id, texts).finish(today)
            for one in (user_id, *apart):
                self._tell(connection, "person", one)

        await self._writer.write(write)
        return apart


NO_PLAN = ErasurePlan(frozenset(), (), ())
"""The plan of a person who isn't being erased."""


def _resume(
    connection: Connection, user_id: int, texts: NamedTexts, more: ErasurePlan = NO_PLAN
) -> _ErasureTransaction:
    """Return the current erasure plus `more`, locked for this transaction."""
    lock(connection, [user_id])
    e = schema.erasures.c
    result = connection.scalar(select(e.plan).where(e.user_id == user_id).with_for_update())
    if result is None:
        return _ErasureTransaction(connection, user_id, texts, more)
    known = msgspec.json.decode(result, type=ErasurePlan)
    tables = tuple(sorted({*known.tables, *more.tables}))
    return _ErasureTransaction(
        connection, user_id, texts, ErasurePlan(known.names | more.names, known.numbers, tables)
    )


class _ErasureTransaction:
    """One erasure, within one of its transactions."""

    def __init__(
        self, connection: Connection, user_id: int, texts: NamedTexts, plan: ErasurePlan = NO_PLAN
    ) -> None:
        self._connection = connection
        self._user = user_id
        self._texts = texts
        self.plan = plan

    @property
    def _names(self) -> frozenset[str]:
        return self.plan.names

    @property
    def _numbers(self) -> dict[Key, int]:
        return {(guild_id, game): number for guild_id, game, number in self.plan.numbers}

    def begin(self, cup_ids: Sequence[int]) -> None:
        """Renumber results and cups at once; plan the rest."""
        self._require_left()
        self._plan_numbers(cup_ids)
        r = schema.results.c
        for (guild_id, game), number in self._numbers.items():
            own = (r.user_id == self._user, r.guild_id == guild_id, r.game == game)
            new = {"user_id": number, "name": self._texts.replacement_name(()), "before": None, "after": None}
            self._connection.execute(update(schema.results).where(*own).values(new))
        self._connection.execute(delete(schema.ratings).where(schema.ratings.c.user_id == self._user))
        self._rewrite_cups(cup_ids)
        self._keep_plan()

    def rewrite_part(self, table_ids: Collection[int]) -> list[tuple[int, int]]:
        """Rewrite some tables; delete those played alone. Return tables and seats of dropped drafts."""
        self._require_left()
        ids = [table_id for table_id in self.plan.tables if table_id in table_ids]
        t = schema.tables.c
        self._connection.execute(delete(schema.tables).where(t.id.in_(ids), t.guild_id == NO_SERVER))
        dropped = self._rewrite_tables(ids)
        a, servers = schema.audit.c, select(t.guild_id).where(t.id.in_(ids))
        self._rewrite_entries(a.guild_id.in_(servers), a.table_id.in_(ids))
        n = schema.named.c
        self._connection.execute(delete(schema.named).where(n.user_id == self._user, n.table_id.in_(ids)))
        left = tuple(table_id for table_id in self.plan.tables if table_id not in table_ids)
        self.plan = msgspec.structs.replace(self.plan, tables=left)
        self._keep_plan()
        return dropped

    def rewrite_audit(self) -> bool:
        """Rewrite entries by the person or about them. Return True if there can be more."""
        a, p = schema.audit.c, schema.audit_people.c
        made = select(a.id).where(a.actor_id == self._user).limit(ENTRIES)
        about = select(p.audit_id).where(p.user_id == self._user).limit(ENTRIES)
        entries = [list(self._connection.execute(query).scalars()) for query in (made, about)]
        for ids in _batches_of(sorted(set().union(*entries))):
            self._rewrite_entries(a.id.in_(ids))
            own = update(schema.audit).where(a.id.in_(ids), a.actor_id == self._user)
            self._connection.execute(own.values(actor_id=NOBODY))
            named = delete(schema.audit_people).where(p.user_id == self._user, p.audit_id.in_(ids))
            self._connection.execute(named)
        return any(len(ids) == ENTRIES for ids in entries)

    def finish(self, today: str) -> None:
        """Delete everything else, and the plan last."""
        self._require_left()
        o, p, m = schema.daily_posts.c, schema.daily_plays.c, schema.daily_members.c
        servers = select(m.guild_id).where(m.user_id == self._user)
        days = select(p.day).where(p.user_id == self._user)
        shown = update(schema.daily_posts).where(o.guild_id.in_(servers), o.day.in_(days))
        self._connection.execute(shown.values(stale=True))
        d = schema.daily_plays.c
        tried = select(d.day, d.game).where(d.user_id == self._user, d.day >= today, d.attempt == COUNTED)
        had = [(row.day, row.game) for row in self._connection.execute(tried)]
        keep_tries(self._connection, self._user, had)
        for table, column in OWN_ROWS:
            self._connection.execute(delete(table).where(table.c[column] == self._user))
        invited = update(schema.invitations).where(schema.invitations.c.by_id == self._user)
        self._connection.execute(invited.values(by_id=NOBODY))

    def _keep_plan(self) -> None:
        values = {"user_id": self._user, "plan": msgspec.json.encode(self.plan).decode()}
        upsert(self._connection, schema.erasures, values, ("user_id",))

    def _require_left(self) -> None:
        t, s = schema.tables.c, schema.seats.c
        seated = select(s.table_id).join(schema.tables, t.id == s.table_id)
        seated = seated.where(s.user_id == self._user, t.phase.in_(["lobby", "play"])).limit(1)
        if self._connection.execute(seated).first() is not None:
            raise StillSeated

    def own_names(self) -> frozenset[str]:
        s, texts = schema.seats.c, set[str]()
        for table in (schema.seats, schema.results, schema.ratings, schema.cup_players, schema.wishes):
            query = select(table.c.name).where(table.c.user_id == self._user).distinct()
            texts.update(self._connection.execute(query).scalars())
        kept = select(s.name).where(s.kept_for == self._user).distinct()
        texts.update(
            name.removesuffix(self._texts.suffix) for name in self._connection.execute(kept).scalars()
        )
        return frozenset(texts - {""})

    def names_at(self, table_ids: Sequence[int]) -> frozenset[str]:
        entries = [entry for _, _, entry in self._entries(table_ids)]
        return frozenset({name for one in entries for name in self._texts.names(one, self._user)} - {""})

    def _entries(self, ids: Sequence[int]) -> list[tuple[int, int, NamingEntry]]:
        """Return entries that can name somebody, with table and version."""
        a = schema.actions.c
        query = select(a.table_id, a.version, a.kind, a.actor_id, a.payload).where(
            a.table_id.in_(ids), a.kind.in_(self._texts.kinds), a.payload.is_not(None)
        )
        return [
            (
                row.table_id,
                row.version,
                NamingEntry(row.kind, json.loads(row.payload), row.actor_id == self._user),
            )
            for row in self._connection.execute(query)
        ]

    def _plan_numbers(self, cup_ids: Sequence[int]) -> None:
        """Plan an unused number for each of the person's servers and games."""
        t, c = schema.tables.c, schema.cups.c
        keys = set[Key]()
        for ids in _batches_of(self.plan.tables):
            query = select(t.guild_id, t.game).where(t.id.in_(ids)).distinct()
            keys.update((row.guild_id, row.game) for row in self._connection.execute(query))
        cups = select(c.guild_id, c.game).where(c.id.in_(cup_ids))
        keys.update((row.guild_id, row.game) for row in self._connection.execute(cups))
        keys -= self._numbers.keys()
        f = schema.facts.c
        given = self._connection.scalar(select(f.value).where(f.key == COUNTER).with_for_update())
        last = int(given or 0)
        upsert(self._connection, schema.facts, {"key": COUNTER, "value": str(last + len(keys))}, ("key",))
        new = ((*key, -number) for number, key in enumerate(sorted(keys), start=last + 1))
        self.plan = msgspec.structs.replace(self.plan, numbers=(*self.plan.numbers, *new))

    def _rewrite_tables(self, ids: Sequence[int]) -> list[tuple[int, int]]:
        t, s, p, d = schema.tables.c, schema.seats.c, schema.posts.c, schema.drafts.c
        r, known = schema.results.c, select(t.id, t.guild_id, t.game, t.origin, t.plans, t.standing)
        tables = self._connection.execute(known.where(t.id.in_(ids)).order_by(t.id).with_for_update()).all()
        seats = self._connection.execute(select(schema.seats).where(s.table_id.in_(ids))).all()
        entries = self._entries(ids)
        for table in tables:
            there = [row for row in seats if row.table_id == table.id]
            own = [(version, entry) for table_id, version, entry in entries if table_id == table.id]
            taken = {row.name.removesuffix(self._texts.suffix) for row in there} - self._names
            number = self._numbers[table.guild_id, table.game]
            gone = ErasedPerson(self._user, self._names, number, self._texts.replacement_name(taken))
            self._rewrite_history(table.id, own, gone)
            self._empty_seats(there, gone)
            both = r.user_id.in_([self._user, number])  # it was renumbered at the beginning, if it was there
            mine = update(schema.results).where(r.table_id == table.id, both)
            self._connection.execute(mine.values(user_id=number, name=gone.name, before=None, after=None))
            if table.origin is not None:
                origin = self._texts.origin(table.origin, gone)
                self._connection.execute(update(schema.tables).where(t.id == table.id).values(origin=origin))
            kept = {"plans": self._keep_others(table.plans), "standing": self._keep_others(table.standing)}
            self._connection.execute(update(schema.tables).where(t.id == table.id).values(kept))
        expired = select(s.table_id).where(s.table_id.in_(ids), s.kept_for < 0, s.strength.is_(None))
        for change in (
            update(schema.tables).where(t.id.in_(ids)).values(proposal=None),
            update(schema.tables).where(t.id.in_(ids), t.host_id == self._user).values(host_id=NOBODY),
            update(schema.tables).where(t.id.in_(expired), t.phase == "expired").values(phase="closed"),
        ):
            self._connection.execute(change)
        free = select(s.seat).where(s.table_id == d.table_id, s.user_id.is_(None))
        drop = (
            delete(schema.drafts).where(d.table_id.in_(ids), d.seat.in_(free)).returning(d.table_id, d.seat)
        )
        dropped = [(row.table_id, row.seat) for row in self._connection.execute(drop)]
        posts = select(p.table_id, p.memo).where(p.table_id.in_(ids), p.kind == "board", p.memo != "")
        memos = [
            {"of": row.table_id, "new": self._texts.memo(row.memo)} for row in self._connection.execute(posts)
        ]
        telling = update(schema.posts).where(p.table_id == bindparam("of"), p.kind == "board")
        self._many(telling.values(memo=bindparam("new")), memos)
        return dropped

    def _keep_others(self, text: str) -> str:
        """Return plans or standing answers without the person's."""
        return json.dumps([one for one in json.loads(text) if one["user_id"] != self._user])

    def _rewrite_history(
        self, table_id: int, entries: list[tuple[int, NamingEntry]], gone: ErasedPerson
    ) -> None:
        a = schema.actions.c
        acted = update(schema.actions).where(a.table_id == table_id, a.actor_id == self._user)
        self._connection.execute(acted.values(actor_id=gone.number))
        changed = []
        for version, entry in entries:
            payload = self._texts.entry(entry, gone)
            if payload != entry.payload:
                changed.append(
                    {"of": table_id, "place": version, "new": msgspec.json.encode(payload).decode()}
                )
        telling = update(schema.actions).where(a.table_id == bindparam("of"), a.version == bindparam("place"))
        self._many(telling.values(payload=bindparam("new")), changed)

    def _empty_seats(self, seats: Sequence[Any], gone: ErasedPerson) -> None:
        """Empty the person's seats, and remove their name from computers that play on.

        A seat that they kept to the end keeps their number, since the result depends on it.
        """
        s, suffix = schema.seats.c, self._texts.suffix
        for row in seats:
            new: dict[str, Any] = {}
            bare = row.name.removesuffix(suffix)
            if row.user_id == self._user:
                new = {"user_id": None, "name": gone.name, "kept_for": gone.number}
            elif row.kept_for == self._user:
                new = {"name": f"{gone.name}{suffix}", "kept_for": None}
            elif row.user_id is None and row.kept_for is None and bare in self._names:
                if bare != row.name:
                    new = {"name": f"{gone.name}{suffix}"}
                elif row.strength is None:
                    new = {"name": gone.name}
            if new:
                here = (s.table_id == row.table_id, s.seat == row.seat)
                self._connection.execute(update(schema.seats).where(*here).values(new))

    def _rewrite_cups(self, cup_ids: Sequence[int]) -> None:
        c, p, t = schema.cups.c, schema.cup_players.c, schema.cup_tables.c
        hosted = update(schema.cups).where(c.host_id == self._user)
        self._connection.execute(hosted.values(host_id=NOBODY))
        for cup_id in cup_ids:
            cup = self._connection.execute(select(c.guild_id, c.game).where(c.id == cup_id)).first()
            if cup is None:
                continue
            number = self._numbers[cup.guild_id, cup.game]
            others = select(p.name).where(p.cup_id == cup_id, p.user_id != self._user)
            name = self._texts.replacement_name(set(self._connection.execute(others).scalars()))
            playing = update(schema.cup_players).where(p.cup_id == cup_id, p.user_id == self._user)
            self._connection.execute(playing.values(user_id=number, name=name, dropped=True))
            paired = select(t.round, t.pod, t.seats).where(t.cup_id == cup_id)
            seats = [
                {"in_round": row.round, "place": row.pod, "new": json.dumps(seated)}
                for row in self._connection.execute(paired)
                if self._user in (before := json.loads(row.seats))
                and (seated := [number if one == self._user else one for one in before])
            ]
            here = (t.cup_id == cup_id, t.round == bindparam("in_round"), t.pod == bindparam("place"))
            self._many(update(schema.cup_tables).where(*here).values(seats=bindparam("new")), seats)

    def _rewrite_entries(self, *known: ColumnElement[bool]) -> None:
        a = schema.audit.c
        pairs = self._connection.execute(select(a.id, a.detail).where(*known)).all()
        rows = [
            {"of": row.id, "new": new} for row in pairs if (new := self._without(row.detail)) != row.detail
        ]
        self._many(update(schema.audit).where(a.id == bindparam("of")).values(detail=bindparam("new")), rows)

    def _without(self, text: str) -> str:
        """Return an audit detail without the person's id and names."""
        try:
            result = json.loads(text or "null")
        except ValueError:
            return self._reword(text)
        if not isinstance(result, dict):
            return self._reword(text)
        new = {
            key: NOBODY if one == self._user else self._reword(one) if isinstance(one, str) else one
            for key, one in result.items()
        }
        return text if new == result else json.dumps(new)

    def _reword(self, text: str) -> str:
        """Return a sentence without the person's id and names."""
        names = "|".join(re.escape(name) for name in sorted(self._names, key=len, reverse=True))
        named = rf"|(?<!\w)(?:{names})(?!\w)" if names else ""
        return re.sub(
            rf"<@!?{self._user}>|(?<!\d){self._user}(?!\d){named}", self._texts.replacement_name(()), text
        )

    def _many(self, statement: Any, values: list[dict[str, Any]]) -> None:
        if values:
            self._connection.execute(statement, values)


def _batches_of(ids: Sequence[int]) -> Iterable[Sequence[int]]:
    return (ids[start : start + GROUP] for start in range(0, len(ids), GROUP))
