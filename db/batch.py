"""Writes several tables' changes in one transaction, by statements built once."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.dml import ReturningUpdate

from db import schema
from db.access import NO_SERVER, on_conflict, require
from db.connection.writer import is_contention, note_number, transaction_number
from db.processes import in_shards, notify
from db.records import ActionRow, EntryHeader, SeatRow, TableRow, TableWrite, TurnRow

START, TAKE_OVER = "start", "take_over"
"""The kinds of entries that carry user ids: the players of a game; who left a seat or came to it."""
FORKED_ORIGIN_PREFIX = '{"type":"forked"'
"""The beginning of a forked table's origin."""
IN_TEXT = re.compile(r"(?<!\d)(?:\d{15,18}|[1-8]\d{18})(?!\d)")
"""An id in somebody's words; shorter numbers are none of Discord's."""
S, N = schema.seats.c, schema.named.c


def people_in_entry(entry: ActionRow) -> set[int]:
    """Return the ids in an entry.

    A former player's number is negative and left out.

    >>> entry = ActionRow(1, 0, "take_over", 0, None, '{"left":101,"came":102}', "[]", False, 0.0)
    >>> sorted(people_in_entry(entry))
    [101, 102]
    """
    if entry.kind not in (START, TAKE_OVER) or entry.payload is None:
        return set()
    entries: dict[str, Any] = msgspec.json.decode(entry.payload)
    ids = entries["people"] if entry.kind == START else (entries.get("left"), entries.get("came"))
    return {user_id for user_id in ids if user_id is not None and user_id > 0}


def people_in_change(change: TableWrite) -> set[int]:
    ids = set[int]().union(*map(people_in_entry, change.actions))
    proposal = change.columns.get("proposal")
    newcomer = msgspec.json.decode(proposal).get("to") if proposal else None
    return ids if newcomer is None else {*ids, newcomer}


def people_in_detail(detail: str) -> set[int]:
    """Return the ids in an audit entry's detail, of any version.

    >>> sorted(people_in_detail('{"person":102,"steps":3,"reason":"like <@100000000000000009>"}'))
    [102, 100000000000000009]
    """
    ids = {int(number) for number in IN_TEXT.findall(detail)}
    try:
        fields = msgspec.json.decode(detail or "null")
    except msgspec.DecodeError:
        return ids
    if isinstance(fields, dict):
        ids.update(
            one for one in (fields.get("person"), fields.get("by")) if isinstance(one, int) and one > 0
        )
    return ids


def record_mentions(connection: sa.Connection, changes: Iterable[TableWrite]) -> None:
    """Record the people whom changes name; most name nobody, and cost no statement."""
    pairs = ((change, user_id) for change in changes for user_id in sorted(people_in_change(change)))
    rows = [{"user_id": user_id, "table_id": change.table_id} for change, user_id in pairs]
    if rows:
        _add(connection, schema.named, rows)


def record_fork(connection: sa.Connection, table_id: int, origin: str | None) -> None:
    """Record a table's people at its fork, which keeps their names."""
    if origin is None or not origin.startswith(FORKED_ORIGIN_PREFIX):
        return
    source = msgspec.json.decode(origin)["table"]
    people = sa.union(
        sa.select(S.user_id).where(S.table_id == source, S.user_id.is_not(None)),
        sa.select(S.kept_for).where(S.table_id == source, S.kept_for > 0),
        sa.select(N.user_id).where(N.table_id == source),
    ).subquery()
    rows = sa.select(people.c[0], sa.literal(table_id))
    connection.execute(sa.insert(schema.named).from_select(["user_id", "table_id"], rows))


def record_audit_people(connection: sa.Connection, audit_id: int, detail: str) -> None:
    rows = [{"user_id": user_id, "audit_id": audit_id} for user_id in sorted(people_in_detail(detail))]
    if rows:
        _add(connection, schema.audit_people, rows)


def _add(connection: sa.Connection, table: sa.Table, rows: list[dict[str, int]]) -> None:
    adding = (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(table)
    connection.execute(adding.on_conflict_do_nothing(), rows)


class Conflict(Exception):
    """Raised if a table has moved on since the version that a write was made from."""


def apply_jobs(connection: sa.Connection, jobs: list[Any], careful: bool) -> list[Any]:
    """Carry out a batch in order.

    Return a result or an exception for each job. Neighbouring writes of different tables are written
    together; any other job is a function of the connection. If `careful`, each has a savepoint, so a failure
    stays its own; else the first failure is raised, and the caller retries carefully.
    """
    results: list[Any] = []
    at = 0
    while at < len(jobs):
        end = _end_of_run(jobs, at)
        group = jobs[at:end]
        if not careful:
            results.extend(_run_group(connection, group))
        else:
            results.extend(_run_carefully(connection, group))
        at = end
    return results


def _end_of_run(jobs: list[Any], at: int) -> int:
    """Return the end of a run of writes to different tables.

    Another job is a run of one. A write with a quota ends a run, since it counts what those before it have
    written.
    """
    end = at
    taken: set[int] = set()
    while (
        end < len(jobs)
        and isinstance(jobs[end], TableWrite)
        and jobs[end].table_id not in taken
        and not (jobs[end].guards and taken)
    ):
        taken.add(jobs[end].table_id)
        end += 1
        if jobs[end - 1].guards:
            break
    return max(end, at + 1)


def _run_group(connection: sa.Connection, group: list[Any]) -> list[Any]:
    if isinstance(group[0], TableWrite):
        return _write_changes(connection, group)
    return [group[0](connection)]


def _run_carefully(connection: sa.Connection, group: list[Any]) -> list[Any]:
    """Run a group in a savepoint. If it fails, run its jobs one by one."""
    try:
        with connection.begin_nested():
            return _run_group(connection, group)
    except Exception as error:  # handed to the one who waits for this job; the batch goes on
        if is_contention(error):
            raise  # the whole batch is carried out again
        if len(group) == 1:
            return [error]
        return [result for job in group for result in _run_carefully(connection, [job])]


def write_restart(connection: sa.Connection, change: TableWrite) -> None:
    """Write the step that takes a table back to its start.

    Delete what was played since. Raise Conflict if the table has moved on.
    """
    start = change.actions[0].base
    for table in (schema.actions, schema.snapshots):
        connection.execute(
            sa.delete(table).where(table.c.table_id == change.table_id, table.c.version > start)
        )
    (result,) = _write_changes(connection, [change])
    if isinstance(result, Conflict):
        raise result


def _write_changes(connection: sa.Connection, changes: list[TableWrite]) -> list[Any]:
    for change in changes:
        require(connection, change.guards)
    accepted = (_advance_one if len(changes) == 1 else _advance_tables)(connection, changes)
    opened = {
        one.table_id: None if one.opens is None else add_table(connection, *one.opens) for one in accepted
    }
    if accepted:
        write_entries(
            connection, [_with_opened_number(change, opened[change.table_id]) for change in accepted]
        )
    for change in accepted:
        if change.told:
            notify(connection, change.told)
    return [
        opened[change.table_id]
        if change.table_id in opened
        else Conflict(f"table {change.table_id} has moved on")
        for change in changes
    ]


def _with_opened_number(change: TableWrite, opened: int | None) -> TableWrite:
    """Put the opened table's number into the last entry of a write."""
    if opened is None:
        return change
    *earlier, last = change.actions
    return msgspec.structs.replace(
        change, actions=(*earlier, msgspec.structs.replace(last, payload=str(opened)))
    )


def _advance_one(connection: sa.Connection, changes: list[TableWrite]) -> list[TableWrite]:
    """Write a lone change guarded by its own update, which saves reading the version first."""
    (change,) = changes
    on_a_server = connection.dialect.name == "postgresql"
    moved = connection.execute(_advance_statement(tuple(change.columns), on_a_server), _values(change))
    if not on_a_server:
        return changes if moved.rowcount == 1 else []
    number = moved.scalar()
    if number is None:
        return []
    note_number(connection, number)
    return changes


def _advance_tables(connection: sa.Connection, changes: list[TableWrite]) -> list[TableWrite]:
    """Advance the tables that are still at the version seen. Return their writes."""
    t = schema.tables.c
    current = sa.select(t.id, t.version, t.ticks).where(t.id.in_([change.table_id for change in changes]))
    on_a_server = connection.dialect.name == "postgresql"
    if on_a_server:
        # In one order everywhere, or two processes could wait for each other.
        current = current.add_columns(transaction_number().label("number")).order_by(t.id).with_for_update()
    rows = connection.execute(current).all()
    if on_a_server and rows:
        note_number(connection, rows[0].number)
    known = {row.id: row for row in rows}
    accepted = [
        change
        for change in changes
        for row in [known.get(change.table_id)]
        if row is not None and row.version == change.seen and change.ticks in (None, row.ticks)
    ]
    by_columns: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for change in accepted:
        by_columns.setdefault(tuple(change.columns), []).append(_values(change))
    for names, values in by_columns.items():
        connection.execute(_advance_statement(names), values)
    return accepted


def _values(change: TableWrite) -> dict[str, Any]:
    new = {f"new_{name}": value for name, value in change.columns.items()}
    return {
        "of": change.table_id,
        "seen": change.seen,
        "seen_ticks": change.ticks,
        "next": change.version,
        **new,
    }


@cache
def _advance_statement(names: tuple[str, ...], numbered: bool = False) -> sa.Update | ReturningUpdate[Any]:
    """Build the statement that advances tables and sets some columns; built once.

    If `numbered`, it returns the transaction's number for each table.
    """
    t = schema.tables.c
    new: dict[str, Any] = {name: sa.bindparam(f"new_{name}") for name in names}
    ticks = sa.bindparam("seen_ticks", type_=sa.Integer)
    is_due = sa.or_(ticks.is_(None), t.ticks == ticks)
    guard = (t.id == sa.bindparam("of"), t.version == sa.bindparam("seen"), is_due)
    statement = sa.update(schema.tables).where(*guard).values({"version": sa.bindparam("next"), **new})
    return statement.returning(transaction_number()) if numbered else statement


def add_table(connection: sa.Connection, row: TableRow, seats: Iterable[SeatRow]) -> int:
    """Insert a table (its `id` is ignored) and its seats. Return its number."""
    values = {key: value for key, value in msgspec.structs.asdict(row).items() if key != "id"}
    inserted = connection.execute(sa.insert(schema.tables).values(values).returning(schema.tables.c.id))
    number = int(inserted.scalar_one())
    seating = [{"table_id": number, **msgspec.structs.asdict(seat)} for seat in seats]
    connection.execute(sa.insert(schema.seats), seating)
    record_fork(connection, number, row.origin)
    return number


ADD_ACTIONS, ADD_SNAPSHOTS = sa.insert(schema.actions), sa.insert(schema.snapshots)


def write_entries(connection: sa.Connection, changes: list[TableWrite]) -> None:
    """Write everything about some changes except the columns of their tables."""
    pairs = ((change.table_id, action) for change in changes for action in change.actions)
    entries = [{"table_id": number, **msgspec.structs.asdict(action)} for number, action in pairs]
    if entries:
        connection.execute(ADD_ACTIONS, entries)
    states = [
        {"table_id": change.table_id, "version": version, "state": state}
        for change in changes
        for version, state in (*change.earlier, (change.version, change.snapshot))
        if state is not None
    ]
    if states:
        connection.execute(ADD_SNAPSHOTS, states)
    record_mentions(connection, changes)
    seated = [change for change in changes if change.seats is not None]
    if seated:
        ids = [change.table_id for change in seated]
        connection.execute(sa.delete(schema.seats).where(schema.seats.c.table_id.in_(ids)))
        sitting = ((change.table_id, seat) for change in seated for seat in change.seats or ())
        seats = [{"table_id": number, **msgspec.structs.asdict(seat)} for number, seat in sitting]
        if seats:
            connection.execute(sa.insert(schema.seats), seats)
    _queue_posts(connection, changes)
    rows = [{"table_id": one.table_id, "version": one.version} for one in changes if one.recounts]
    if rows:
        connection.execute(
            on_conflict(connection.dialect.name, schema.uncounted, ("table_id",), ("version",)), rows
        )


def _queue_posts(connection: sa.Connection, changes: list[TableWrite]) -> None:
    rows = [
        {
            "table_id": change.table_id,
            "kind": kind,
            "target": target,
            "version": change.version,
            "fresh": fresh,
            "attempts": 0,
            "due_at": due_at,
        }
        for change in changes
        for kind, target, fresh, due_at in change.outbox
    ]
    if rows:
        connection.execute(outbox_insert(connection.dialect.name, again=True), rows)


ROW = ("table_id", "kind", "target", "version", "fresh", "attempts", "due_at")


@cache
def outbox_insert(dialect: str, *, again: bool) -> sa.Insert:
    """Build an insert into the outbox that merges with a waiting row.

    With `again`, its failed attempts are forgotten.
    """
    statement: postgresql.Insert | sqlite.Insert
    t = schema.tables.c
    statement = (postgresql if dialect == "postgresql" else sqlite).insert(schema.outbox)
    # By its server a row is found by the process that shows it.
    server = sa.select(t.guild_id).where(t.id == sa.bindparam("table_id")).scalar_subquery()
    statement = statement.values({**{name: sa.bindparam(name) for name in ROW}, "guild_id": server})
    new, old = statement.excluded, schema.outbox.c
    return statement.on_conflict_do_update(
        index_elements=["table_id", "kind", "target"],
        set_={
            "version": sa.case((new.version > old.version, new.version), else_=old.version),
            "fresh": sa.case((new.fresh, True), else_=old.fresh),
            "attempts": 0 if again else old.attempts,
            "due_at": new.due_at,
        },
    )


_TABLE, _SEAT, _ACTION, _SNAPSHOT = (schema.tables.c, schema.seats.c, schema.actions.c, schema.snapshots.c)
_OUTBOX, _POST, _DRAFT = schema.outbox.c, schema.posts.c, schema.drafts.c

TABLE: sa.Select[Any] = sa.select(schema.tables).where(_TABLE.id == sa.bindparam("table_id"))
SEATS: sa.Select[Any] = (
    sa.select(schema.seats).where(_SEAT.table_id == sa.bindparam("table_id")).order_by(_SEAT.seat)
)
ACTIONS_AFTER: sa.Select[Any] = (
    sa.select(schema.actions)
    .where(_ACTION.table_id == sa.bindparam("table_id"), _ACTION.version > sa.bindparam("after"))
    .order_by(_ACTION.version)
)
ACTIONS_BETWEEN: sa.Select[Any] = ACTIONS_AFTER.where(_ACTION.version <= sa.bindparam("upto"))
SNAPSHOT: sa.Select[Any] = (
    sa.select(_SNAPSHOT.version, _SNAPSHOT.state)
    .where(_SNAPSHOT.table_id == sa.bindparam("table_id"), _SNAPSHOT.version <= sa.bindparam("version"))
    .order_by(_SNAPSHOT.version.desc())
    .limit(1)
)
HEADERS: sa.Select[Any] = (
    sa.select(*(_ACTION[name] for name in EntryHeader.__struct_fields__))
    .where(_ACTION.table_id == sa.bindparam("table_id"))
    .order_by(_ACTION.version)
)
_NOTE = schema.actions.alias("note").c
NEARBY = 64
"""The most entries of one commit that are looked at together."""
_NOTED = sa.exists().where(
    _NOTE.table_id == _ACTION.table_id,
    _NOTE.version.between(_ACTION.version - NEARBY, _ACTION.version),
    _NOTE.kind == sa.bindparam("apart"),
    _NOTE.at == _ACTION.at,
)
LAST_MADE: sa.Select[Any] = (
    sa.select(_ACTION.version)
    .where(_ACTION.table_id == sa.bindparam("table_id"), _ACTION.actor_id == sa.bindparam("user_id"))
    .where(_ACTION.kind.in_(sa.bindparam("kinds", expanding=True)), ~_NOTED)
    .order_by(_ACTION.version.desc())
    .limit(1)
)
TURNS: sa.Select[Any] = (
    sa.select(*((_SEAT if name == "seat" else _TABLE)[name] for name in TurnRow.__struct_fields__))
    .join(schema.seats, _TABLE.id == _SEAT.table_id)
    .where(_SEAT.user_id == sa.bindparam("user_id"), _TABLE.phase == "play", _TABLE.guild_id != NO_SERVER)
    .order_by(_TABLE.id)
)
POST: sa.Select[Any] = sa.select(schema.posts).where(
    _POST.table_id == sa.bindparam("table_id"),
    _POST.kind == sa.bindparam("kind"),
    _POST.target == sa.bindparam("target"),
)
DRAFT: sa.Select[Any] = sa.select(schema.drafts).where(
    _DRAFT.table_id == sa.bindparam("table_id"), _DRAFT.seat == sa.bindparam("seat")
)
GUILD: sa.Select[Any] = sa.select(schema.guilds).where(schema.guilds.c.guild_id == sa.bindparam("guild_id"))
PEOPLE: sa.Select[Any] = sa.select(schema.people).where(
    schema.people.c.user_id.in_(sa.bindparam("user_ids", expanding=True))
)
NOTES: sa.Select[Any] = sa.select(schema.notes).where(
    schema.notes.c.user_id == sa.bindparam("user_id"),
    schema.notes.c.table_id.in_(sa.bindparam("table_ids", expanding=True)),
)
LESSONS: sa.Select[Any] = sa.select(
    schema.lessons.c.lesson, schema.lessons.c.table_id, schema.lessons.c.moment
).where(schema.lessons.c.user_id == sa.bindparam("user_id"), schema.lessons.c.game == sa.bindparam("game"))

_ROW = (
    _OUTBOX.table_id == sa.bindparam("of_table"),
    _OUTBOX.kind == sa.bindparam("of_kind"),
    _OUTBOX.target == sa.bindparam("of_target"),
)
STRIKE: sa.Delete = sa.delete(schema.outbox).where(
    *_ROW,
    _OUTBOX.version <= sa.bindparam("shown"),
    sa.or_(_OUTBOX.fresh == sa.false(), _OUTBOX.fresh == sa.bindparam("was_fresh")),
)
"""Deletes an outbox row, unless the message is older, or an edit though a fresh one is wanted."""
POSTPONE: sa.Update = (
    sa.update(schema.outbox)
    .where(*_ROW, _OUTBOX.version == sa.bindparam("of_version"))
    .values(attempts=sa.bindparam("tried"), due_at=sa.bindparam("next_at"))
)


@lru_cache(maxsize=64)
def outbox_of(count: int, held: frozenset[int]) -> sa.Select[Any]:
    """Select a table's due posts if its server is in some shards."""
    return sa.select(schema.outbox).where(
        _OUTBOX.table_id == sa.bindparam("table_id"),
        _OUTBOX.due_at <= sa.bindparam("now"),
        *in_shards(_OUTBOX.guild_id, count, held),
    )
