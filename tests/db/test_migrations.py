"""Migrations lead from an empty or an older database to this version, never from a newer one."""

import asyncio
import os
import sys
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Update, insert, select, text, update

from db import condition, migrate, schema
from db.condition import DatabaseTooNew
from db.records.servers import ServerSettings
from db.store import Store
from tests.db.rows import change, connect, everything, new_table, step
from tests.often import often

pytestmark = pytest.mark.slow

OPEN_AND_CLOSE = """
import asyncio, sys
from db.store import Store

async def open_and_close():
    await (await Store.open(sys.argv[1])).close()

asyncio.run(open_and_close())
"""
ROOT = Path(__file__).parents[2]
facts, outbox = schema.facts.c, schema.outbox.c


async def open_and_close_store(database: str) -> None:
    await (await Store.open(database)).close()


def usable_from(version: str) -> Update:
    """Declare that programs since a version can use a database."""
    return update(schema.facts).where(facts.key == condition.USABLE_FROM).values(value=version)


async def downgrade(database: str, revision: str) -> None:
    """Take a database back to an older version."""
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).with_name("migrations")))

    def run(connection: Connection) -> None:
        config.attributes["connection"] = connection
        command.downgrade(config, revision)

    async with connect(database) as connection:
        await connection.run_sync(run)


def differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(connection, opts={"compare_server_default": True})
    return list(compare_metadata(context, schema.metadata))


async def test_a_fresh_database_gets_the_schema_that_the_store_speaks(database: str) -> None:
    await open_and_close_store(database)

    async with connect(database) as connection:
        assert await connection.run_sync(differences) == []


async def test_opening_a_database_again_changes_nothing(database: str, store: Store) -> None:
    await store.commit(change(await new_table(store), snapshot=b"state", outbox=(("board", 0, True, 0.0),)))
    before = await everything(database)

    await open_and_close_store(database)

    assert await everything(database) == before


async def test_processes_that_start_at_once_on_an_empty_database_all_get_on(database: str) -> None:
    starting = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", OPEN_AND_CLOSE, database, cwd=ROOT)
        for _ in range(often(2, 3))
    ]

    assert not any([await process.wait() for process in starting])


async def test_a_database_of_a_newer_version_is_refused_and_left_as_it_is(
    database: str, store: Store
) -> None:
    await new_table(store)
    async with connect(database) as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        await connection.execute(usable_from("9998"))
    before = await everything(database)

    with pytest.raises(DatabaseTooNew, match=r"at version 9999, which this version .* start the newer"):
        await Store.open(database)

    assert await everything(database) == before


async def test_a_newer_database_that_says_this_version_can_use_it_is_used_as_it_is(
    database: str, store: Store
) -> None:
    async with connect(database) as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        await connection.execute(usable_from(condition.revisions()[0]))
    before = await everything(database)

    opened = await Store.open(database)
    assert await opened.outbox_due(0.0) == []
    await opened.close()

    assert await everything(database) == before


async def test_every_program_since_the_oldest_that_can_use_the_schema_is_one_of_ours(
    database: str, store: Store
) -> None:
    async with connect(database) as connection:
        query = select(schema.facts.c.value).where(facts.key == condition.USABLE_FROM)
        found = await connection.scalar(query)

    assert found == migrate.OLDEST
    assert found in condition.revisions()


async def test_a_database_with_tables_goes_through_the_last_migration_unharmed(
    database: str, store: Store
) -> None:
    tables = [await new_table(store, guild_id=guild) for guild in (5, 9 << 22)]
    for table in tables:
        await store.commit(change(table, snapshot=b"state", outbox=(("board", 0, True, 7.0),)))
    begun = step(2, kind="start", payload='{"people":[101,null,555],"names":["Ann","Ada","Cy"]}')
    came = step(3, kind="take_over", payload='{"old":"Ada","new":"Bo","came":102}')
    await store.commit(change(tables[0], seen=1, actions=(begun, came)))
    await store.save_fact("key", "value")
    await store.close()
    before = await everything(database)
    await downgrade(database, "0010")
    assert await everything(database) != before

    await open_and_close_store(database)

    assert await everything(database) == before
    async with connect(database) as connection:
        shown = await connection.execute(select(outbox.table_id, outbox.guild_id).order_by(outbox.table_id))
        assert list(map(tuple, shown)) == [(tables[0], 5), (tables[1], 9 << 22)]
    assert before["named"] == sorted([(user_id, tables[0]) for user_id in (101, 102, 555)], key=repr)


async def test_a_refused_file_is_the_same_to_the_byte(tmp_path: Path) -> None:
    file = tmp_path / "parlour.db"
    address = f"sqlite:///{file}"
    await open_and_close_store(address)
    async with connect(address) as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        await connection.execute(usable_from("9998"))
    before = file.read_bytes()

    with pytest.raises(DatabaseTooNew):
        await Store.open(address)

    assert file.read_bytes() == before
    assert os.listdir(tmp_path) == ["parlour.db"]


async def test_every_migration_can_be_taken_back(database: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).with_name("migrations")))
    await open_and_close_store(database)

    def take_back(connection: Connection) -> None:
        config.attributes["connection"] = connection
        command.downgrade(config, "base")

    async with connect(database) as connection:
        await connection.run_sync(take_back)

    assert await everything(database) == {"alembic_version": []}
    await open_and_close_store(database)
    async with connect(database) as connection:
        assert await connection.run_sync(differences) == []


async def test_people_and_servers_of_an_older_version_have_light_pictures(
    database: str, store: Store
) -> None:
    await store.save_guild(ServerSettings(5, theme="dark"))
    await store.close()
    await downgrade(database, "0026")
    old = {"notices": "dm", "reminders": True, "hands": True, "zone": "UTC", "away_note": "", "absences": ()}
    async with connect(database) as connection:
        await connection.execute(insert(schema.people).values(user_id=101, **old))

    opened = await Store.open(database)
    settings, (person,) = await opened.guild(5), await opened.people([101])
    await opened.close()

    assert settings is not None
    assert settings.theme == person.theme == "light"


async def test_people_of_an_older_version_see_typed_moves_first(database: str, store: Store) -> None:
    await store.close()
    await downgrade(database, "0031")
    old = {"notices": "dm", "reminders": True, "hands": True, "zone": "UTC", "away_note": "", "absences": ()}
    async with connect(database) as connection:
        await connection.execute(insert(schema.people).values(user_id=101, **old))

    opened = await Store.open(database)
    (person,) = await opened.people([101])
    await opened.close()

    assert person.confirms
