"""Due rows are found by an index, for all servers and for those of some shards."""

from typing import Any

import msgspec
import pytest
from sqlalchemy import Connection, insert, text

from db import schema
from db.processes.shards import shard_of
from db.store import Store
from tests.db.rows import LOBBY, change, connect, new_table

COUNT = 7


async def fill_tables(database: str, store: Store) -> None:
    """Fill thousands of tables in hundreds of servers, few of them due."""
    plain = {key: value for key, value in msgspec.structs.asdict(LOBBY).items() if key != "id"}
    rows = [
        {
            **plain,
            "id": number,
            "guild_id": ((number % 300) << 22) + 5,
            "due_at": 1e6 + number,
            "computer_due": number % 100 == 0,
        }
        for number in range(1, 4001)
    ]
    shown = [
        {
            "table_id": row["id"],
            "kind": "board",
            "target": 0,
            "version": 1,
            "fresh": True,
            "attempts": 0,
            "due_at": row["due_at"],
            "guild_id": row["guild_id"],
        }
        for row in rows
    ]
    async with connect(database) as connection:
        await connection.execute(insert(schema.tables), rows)
        await connection.execute(insert(schema.outbox), shown)
        await connection.execute(text("ANALYZE"))


async def plans(store: Store, monkeypatch: pytest.MonkeyPatch, asking: Any) -> str:
    explain = "EXPLAIN QUERY PLAN " if store._write_engine.dialect.name == "sqlite" else "EXPLAIN "
    lines: list[str] = []
    read = store._reader.read

    class Explaining:
        def __init__(self, connection: Connection) -> None:
            self._connection = connection

        def execute(self, query: Any, values: Any = None) -> Any:
            done = query.compile(self._connection.engine, compile_kwargs={"literal_binds": True})
            rows = self._connection.execute(text(explain + str(done).replace(":", "\\:")))
            lines.extend(str(row) for row in rows)
            return self._connection.execute(query, values)

    with monkeypatch.context() as patched:
        patched.setattr(store._reader, "read", lambda look: read(lambda known: look(Explaining(known))))
        await asking()
    return "\n".join(lines)


@pytest.mark.parametrize("divided", [False, True])
async def test_an_index_finds_due_rows(
    database: str, store: Store, monkeypatch: pytest.MonkeyPatch, divided: bool
) -> None:
    await fill_tables(database, store)
    if divided:
        store.shards.divide(COUNT, {2, 3})
    now = 1e6 + 20

    texts = {
        "ix_outbox_due_at_guild_id": await plans(store, monkeypatch, lambda: store.outbox_due(now)),
        "ix_tables_due_at_guild_id": await plans(store, monkeypatch, lambda: store.due_by(now)),
        "ix_tables_computer_due_guild_id": await plans(store, monkeypatch, store.tables_awaiting_computer),
    }

    for index, plan in texts.items():
        assert index in plan, plan


async def test_only_what_is_due_in_the_shards_that_are_held_is_found(database: str, store: Store) -> None:
    await fill_tables(database, store)
    everywhere = {row.id for row in await store.due_by(1e6 + 50)}
    shown = {row.table_id for row in await store.outbox_due(1e6 + 50)}
    thinking = set(await store.tables_awaiting_computer())
    assert (len(everywhere), len(shown), len(thinking)) == (50, 50, 40)

    store.shards.divide(COUNT, {2, 3})

    def here(numbers: set[int]) -> set[int]:
        return {number for number in numbers if shard_of(((number % 300) << 22) + 5, COUNT) in (2, 3)}

    assert {row.id for row in await store.due_by(1e6 + 50)} == here(everywhere)
    assert {row.table_id for row in await store.outbox_due(1e6 + 50)} == here(shown)
    assert set(await store.tables_awaiting_computer()) == here(thinking)


async def test_a_row_to_show_stands_under_the_server_of_its_table(store: Store) -> None:
    guild_id = (9 << 22) + 1
    table = await new_table(store, guild_id=guild_id)
    await store.commit(change(table, outbox=(("board", 0, True, 0.0),)))
    await store.ask(table, "lobby", 0, 1, False, 0.0)

    store.shards.divide(10, {9})
    assert len(await store.outbox_of(table, 1.0)) == 2
    store.shards.hold({0})
    assert await store.outbox_of(table, 1.0) == []


async def test_without_a_shard_nothing_is_due(database: str, store: Store) -> None:
    await fill_tables(database, store)

    store.shards.divide(COUNT)

    assert await store.due_by(1e12) == []
    assert await store.outbox_due(1e12) == []
    assert await store.tables_awaiting_computer() == []
