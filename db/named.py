"""At which tables a person is named by their id in what a history tells; so those are found by an index."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from sqlalchemy import Connection
from sqlalchemy.dialects import postgresql, sqlite

from db import schema
from db.records import ActionRow, Change

START, TAKE_OVER = "start", "take_over"
"""The kinds of entries in which user ids stand: who began a game, and who left a seat or came to it."""


def people_in(entry: ActionRow) -> set[int]:
    """The people whom an entry names by their ids; a number below zero is a former player's, and nobody's.

    >>> entry = ActionRow(1, 0, "take_over", 0, None, '{"left":101,"came":102}', "[]", False, 0.0)
    >>> sorted(people_in(entry))
    [101, 102]
    """
    if entry.kind not in (START, TAKE_OVER) or entry.payload is None:
        return set()
    told: dict[str, Any] = msgspec.json.decode(entry.payload)
    ids = told["people"] if entry.kind == START else (told.get("left"), told.get("came"))
    return {user_id for user_id in ids if user_id is not None and user_id > 0}


def note_named(connection: Connection, changes: Iterable[Change]) -> None:
    """Note whom some changes name; most name nobody, and cost no statement."""
    rows = [
        {"user_id": user_id, "table_id": change.table_id}
        for change in changes
        for user_id in sorted(set().union(*map(people_in, change.actions)))
    ]
    if rows:
        noting = (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(schema.named)
        connection.execute(noting.on_conflict_do_nothing(), rows)
