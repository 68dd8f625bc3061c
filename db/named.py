"""Records which tables and audit entries name a person by their id, so that an index finds them."""

import re
from collections.abc import Iterable
from typing import Any

import msgspec
from sqlalchemy import Connection, Table, insert, literal, select, union
from sqlalchemy.dialects import postgresql, sqlite

from db import schema
from db.records import ActionRow, TableWrite

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


def record_mentions(connection: Connection, changes: Iterable[TableWrite]) -> None:
    """Record the people whom changes name; most name nobody, and cost no statement."""
    rows = [
        {"user_id": user_id, "table_id": change.table_id}
        for change in changes
        for user_id in sorted(people_in_change(change))
    ]
    if rows:
        _add(connection, schema.named, rows)


def record_fork(connection: Connection, table_id: int, origin: str | None) -> None:
    """Record a table's people at its fork, which keeps their names."""
    if origin is None or not origin.startswith(FORKED_ORIGIN_PREFIX):
        return
    source = msgspec.json.decode(origin)["table"]
    people = union(
        select(S.user_id).where(S.table_id == source, S.user_id.is_not(None)),
        select(S.kept_for).where(S.table_id == source, S.kept_for > 0),
        select(N.user_id).where(N.table_id == source),
    ).subquery()
    rows = select(people.c[0], literal(table_id))
    connection.execute(insert(schema.named).from_select(["user_id", "table_id"], rows))


def record_audit_people(connection: Connection, audit_id: int, detail: str) -> None:
    rows = [{"user_id": user_id, "audit_id": audit_id} for user_id in sorted(people_in_detail(detail))]
    if rows:
        _add(connection, schema.audit_people, rows)


def _add(connection: Connection, table: Table, rows: list[dict[str, int]]) -> None:
    adding = (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(table)
    connection.execute(adding.on_conflict_do_nothing(), rows)
