"""Indexes find what is kept about a person, however much is kept about others."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event

from db.records import AuditRow
from db.store import Store
from tests.db.rows import change, connect, new_table, step
from tests.tables.house import ADMIN, ANN, BO, GUILD, House, user

DATABASES = ["sqlite"]
STRANGER = 987_654_321_012_345_678
Asked = list[tuple[str, Any]]
SMALL = re.compile(r"SCAN (anon_1|erasures.*|CONSTANT ROW|\(subquery-\d\))")
"""Tables that may be read as a whole: erasures that are under way, and what a query itself has found."""


@contextmanager
def record_statements() -> Iterator[Asked]:
    """Record every statement to the database with its values."""
    asked: Asked = []

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        asked.append((statement, values))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(Engine, "before_cursor_execute", note)


async def scans(database: str, asked: Asked) -> list[str]:
    """Return what SQLite would scan to answer."""
    result = []
    async with connect(database) as connection:
        for statement, values in asked:
            one = values[0] if isinstance(values, list) else values  # a list is one statement for many rows
            plan = await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", one)
            result += [row.detail for row in plan if "SCAN" in row.detail]
    return result


async def test_no_table_is_read_as_a_whole_to_tell_what_is_kept(house: House, database: str) -> None:
    await house.play_moves(await house.start(ANN, BO, mode="coop"), "flip 1")

    with record_statements() as asked:
        await house.parlour.data_export.count_data(user(ANN))
        await house.parlour.data_export.file(user(ANN))

    assert len(asked) > 20
    assert [line for line in await scans(database, asked) if not SMALL.fullmatch(line)] == []


async def test_no_table_is_read_as_a_whole_to_erase_somebody(house: House, database: str) -> None:
    table = await house.start(ANN, BO, mode="coop")
    await house.parlour.kick(table.id, user(BO), ADMIN)
    kick = AuditRow(GUILD, table.id, ADMIN, "kick", f'{{"person":{user(ANN)}}}', house.clock.now)
    await house.store.administration.add_audit(kick)

    with record_statements() as asked:
        await house.parlour.eraser.erase(user(ANN))

    assert len(asked) > 50
    assert [line for line in await scans(database, asked) if not SMALL.fullmatch(line)] == []


async def test_a_person_named_only_in_a_history_is_found(store: Store) -> None:
    began, came, left, other = [await new_table(store) for _ in range(4)]
    entries = {
        began: step(1, kind="start", payload=f'{{"people":[101,{STRANGER},null],"names":["Ann","Z","Ada"]}}'),
        came: step(1, kind="take_over", payload=f'{{"old":"Ada","new":"Z","came":{STRANGER}}}'),
        left: step(1, kind="take_over", payload=f'{{"old":"Z","new":"Bo","left":{STRANGER},"came":102}}'),
        other: step(1),
    }

    for table, entry in entries.items():
        await store.commit(change(table, actions=(entry,)))

    assert [row.id for row in await store.personal.tables_about(STRANGER)] == [began, came, left]
    assert [row.id for row in await store.personal.tables_about(102)] == [left]


async def test_a_move_notes_nobody(store: Store) -> None:
    table = await new_table(store)

    with record_statements() as asked:
        await store.commit(change(table))

    assert not [statement for statement, _ in asked if "named" in statement]
