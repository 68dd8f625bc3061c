"""The statements of every move and post, built once: building takes longer than executing."""

from functools import lru_cache
from typing import Any

from sqlalchemy import Delete, Select, Update, bindparam, delete, false, or_, select, update

from db import schema
from db.processes.shards import in_shards

_TABLE, _SEAT, _ACTION, _SNAPSHOT = (schema.tables.c, schema.seats.c, schema.actions.c, schema.snapshots.c)
_OUTBOX, _POST, _DRAFT = schema.outbox.c, schema.posts.c, schema.drafts.c

TABLE: Select[Any] = select(schema.tables).where(_TABLE.id == bindparam("table_id"))
SEATS: Select[Any] = select(schema.seats).where(_SEAT.table_id == bindparam("table_id")).order_by(_SEAT.seat)
ACTION: Select[Any] = select(schema.actions).where(
    _ACTION.table_id == bindparam("table_id"), _ACTION.version == bindparam("version")
)
ACTIONS_AFTER: Select[Any] = (
    select(schema.actions)
    .where(_ACTION.table_id == bindparam("table_id"), _ACTION.version > bindparam("after"))
    .order_by(_ACTION.version)
)
ACTIONS_BETWEEN: Select[Any] = ACTIONS_AFTER.where(_ACTION.version <= bindparam("upto"))
SNAPSHOT: Select[Any] = (
    select(_SNAPSHOT.version, _SNAPSHOT.state)
    .where(_SNAPSHOT.table_id == bindparam("table_id"), _SNAPSHOT.version <= bindparam("version"))
    .order_by(_SNAPSHOT.version.desc())
    .limit(1)
)
POST: Select[Any] = select(schema.posts).where(
    _POST.table_id == bindparam("table_id"),
    _POST.kind == bindparam("kind"),
    _POST.target == bindparam("target"),
)
DRAFT: Select[Any] = select(schema.drafts).where(
    _DRAFT.table_id == bindparam("table_id"), _DRAFT.seat == bindparam("seat")
)
GUILD: Select[Any] = select(schema.guilds).where(schema.guilds.c.guild_id == bindparam("guild_id"))
PEOPLE: Select[Any] = select(schema.people).where(
    schema.people.c.user_id.in_(bindparam("user_ids", expanding=True))
)
NOTES: Select[Any] = select(schema.notes).where(
    schema.notes.c.user_id == bindparam("user_id"),
    schema.notes.c.table_id.in_(bindparam("table_ids", expanding=True)),
)
LESSONS: Select[Any] = select(
    schema.lessons.c.lesson, schema.lessons.c.table_id, schema.lessons.c.moment
).where(schema.lessons.c.user_id == bindparam("user_id"), schema.lessons.c.game == bindparam("game"))

_ROW = (
    _OUTBOX.table_id == bindparam("of_table"),
    _OUTBOX.kind == bindparam("of_kind"),
    _OUTBOX.target == bindparam("of_target"),
)
STRIKE: Delete = delete(schema.outbox).where(
    *_ROW,
    _OUTBOX.version <= bindparam("shown"),
    or_(_OUTBOX.fresh == false(), _OUTBOX.fresh == bindparam("was_fresh")),
)
"""Deletes an outbox row, unless the message is older, or an edit though a fresh one is wanted."""
POSTPONE: Update = (
    update(schema.outbox)
    .where(*_ROW, _OUTBOX.version == bindparam("of_version"))
    .values(attempts=bindparam("tried"), due_at=bindparam("next_at"))
)


@lru_cache(maxsize=64)
def outbox_of(count: int, held: frozenset[int]) -> Select[Any]:
    """Select a table's due posts if its server is in some shards."""
    return select(schema.outbox).where(
        _OUTBOX.table_id == bindparam("table_id"),
        _OUTBOX.due_at <= bindparam("now"),
        *in_shards(_OUTBOX.guild_id, count, held),
    )
