"""How a batch of waiting writes becomes a handful of statements."""

from __future__ import annotations

from functools import partial
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Insert, bindparam, case, delete, insert, literal, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from db import schema
from db.records import Change

KEPT = tuple(column.name for column in schema.tables.columns if column.name not in {"id", "version"})


class Conflict(Exception):
    """The table has moved on since the version that the change was made from."""


async def apply_jobs(connection: AsyncConnection, jobs: list[Any]) -> list[Any]:
    """Carry out a batch in the order in which it waited; a result or an exception for each job.

    Neighbouring changes of tables are written together; any other job is a coroutine function of the
    connection. Each is carried out in a savepoint, so that its failure stays its own.
    """
    results: list[Any] = []
    at = 0
    while at < len(jobs):
        if not isinstance(jobs[at], Change):
            results.append(await _alone(connection, jobs[at]))
            at += 1
            continue
        end = at
        taken: set[int] = set()
        while end < len(jobs) and isinstance(jobs[end], Change) and jobs[end].table_id not in taken:
            taken.add(jobs[end].table_id)
            end += 1
        results.extend(await _together(connection, jobs[at:end]))
        at = end
    return results


async def _together(connection: AsyncConnection, changes: list[Change]) -> list[Any]:
    """Changes of different tables, written at once; where that fails, one by one to find the bad one."""
    found = await _alone(connection, partial(_changes, changes=changes))
    if not isinstance(found, Exception):
        return list(found)
    if len(changes) == 1:
        return [found]
    return [result for change in changes for result in await _together(connection, [change])]


async def _alone(connection: AsyncConnection, job: Any) -> Any:
    try:
        async with connection.begin_nested():
            return await job(connection)
    except Exception as error:  # handed to the one who waits for this job; the batch goes on
        return error


async def _changes(connection: AsyncConnection, changes: list[Change]) -> list[Any]:
    t = schema.tables.c
    current = select(schema.tables).where(t.id.in_([change.table_id for change in changes]))
    if connection.dialect.name == "postgresql":
        # In one order everywhere, or two processes could wait for each other.
        current = current.order_by(t.id).with_for_update()
    rows = {row["id"]: row for row in (await connection.execute(current)).mappings()}
    good = [
        change
        for change in changes
        if change.table_id in rows and rows[change.table_id]["version"] == change.seen
    ]
    if good:
        await _write(connection, good, rows)
    accepted = {id(change) for change in good}
    return [
        None if id(change) in accepted else Conflict(f"table {change.table_id} has moved on")
        for change in changes
    ]


async def _write(connection: AsyncConnection, changes: list[Change], rows: dict[int, Any]) -> None:
    await connection.execute(
        update(schema.tables)
        .where(schema.tables.c.id == bindparam("of"), schema.tables.c.version == bindparam("seen"))
        .values({"version": bindparam("next"), **{name: bindparam(f"new_{name}") for name in KEPT}}),
        [
            {
                "of": change.table_id,
                "seen": change.seen,
                "next": change.version,
                **{f"new_{name}": change.columns.get(name, rows[change.table_id][name]) for name in KEPT},
            }
            for change in changes
        ],
    )
    await connection.execute(
        insert(schema.actions),
        [
            {"table_id": change.table_id, **msgspec.structs.asdict(action)}
            for change in changes
            for action in change.actions
        ],
    )
    states = [
        {"table_id": change.table_id, "version": change.version, "state": change.snapshot}
        for change in changes
        if change.snapshot is not None
    ]
    if states:
        await connection.execute(insert(schema.snapshots), states)
    await _seat(connection, changes)
    await _show(connection, changes)


async def _seat(connection: AsyncConnection, changes: list[Change]) -> None:
    seated = [change for change in changes if change.seats is not None]
    if not seated:
        return
    ids = [change.table_id for change in seated]
    await connection.execute(delete(schema.seats).where(schema.seats.c.table_id.in_(ids)))
    rows = [
        {"table_id": change.table_id, **msgspec.structs.asdict(seat)}
        for change in seated
        for seat in change.seats or ()
    ]
    if rows:
        await connection.execute(insert(schema.seats), rows)


async def _show(connection: AsyncConnection, changes: list[Change]) -> None:
    rows = [
        {
            "table_id": change.table_id,
            "kind": kind,
            "target": target,
            "version": change.version,
            "fresh": fresh,
            "attempts": 0,
            "due_at": change.due_at,
        }
        for change in changes
        for kind, target, fresh in change.outbox
    ]
    if rows:
        await connection.execute(merged(connection, literal(0)), rows)


def merged(connection: AsyncConnection, attempts: ColumnElement[int]) -> Insert:
    """An insert into the outbox; what waits already for that kind and target takes the new row in."""
    statement: postgresql.Insert | sqlite.Insert
    postgres = connection.dialect.name == "postgresql"
    statement = (postgresql if postgres else sqlite).insert(schema.outbox)
    new, old = statement.excluded, schema.outbox.c
    return statement.on_conflict_do_update(
        index_elements=["table_id", "kind", "target"],
        set_={
            "version": case((new.version > old.version, new.version), else_=old.version),
            "fresh": case((new.fresh, True), else_=old.fresh),
            "attempts": attempts,
            "due_at": new.due_at,
        },
    )
