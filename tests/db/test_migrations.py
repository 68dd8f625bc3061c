import asyncio
import os
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Update, insert, select, text, update

from db import condition, schema
from db.condition import Condition, DatabaseTooNew, inspect_database, revisions
from db.connection.trouble import DatabaseLabel, DatabaseUnreachable
from db.records import PersonRow, ServerSettings
from db.store import Store
from host import operate, start
from tests.db.rows import change, connect, everything, new_table
from tests.often import often

OPEN_AND_CLOSE = """
import asyncio, sys
from db.store import Store

async def open_and_close():
    await (await Store.open(sys.argv[1])).close()

asyncio.run(open_and_close())
"""
ROOT = Path(__file__).parents[2]
FIRST_RELEASE = ROOT / "tests" / "fixtures" / "databases" / "0.1.0.sql"
facts, outbox = schema.facts.c, schema.outbox.c


async def open_and_close_store(database: str) -> None:
    await (await Store.open(database)).close()


def usable_from(version: str) -> Update:
    """Declare that programs since a version can use a database."""
    return update(schema.facts).where(facts.key == condition.USABLE_FROM).values(value=version)


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


@pytest.mark.parametrize(
    ("version", "error", "sentence"),
    [
        ("9999", DatabaseTooNew, r"at version 9999, which this version .* start the newer"),
        *(
            (
                old,
                DatabaseUnreachable,
                f"at version {old}, .* open it once with commit {condition.LAST_BEFORE}",
            )
            for old in ("0001", "0025", "0032")
        ),
    ],
)
async def test_a_database_of_another_time_is_refused_and_left_as_it_is(
    database: str, store: Store, version: str, error: type[Exception], sentence: str
) -> None:
    await new_table(store)
    async with connect(database) as connection:
        await connection.execute(text(f"UPDATE alembic_version SET version_num = '{version}'"))
        await connection.execute(usable_from("9998"))
    before = await everything(database)

    with pytest.raises(error, match=sentence):
        await Store.open(database)

    assert await everything(database) == before


async def test_a_newer_database_for_this_version_is_used_as_it_is(database: str, store: Store) -> None:
    async with connect(database) as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        await connection.execute(usable_from(condition.revisions()[0]))
    before = await everything(database)

    opened = await Store.open(database)
    assert await opened.outbox_due(0.0) == []
    await opened.close()

    assert await everything(database) == before


async def test_every_program_that_can_use_the_schema_is_ours(database: str, store: Store) -> None:
    async with connect(database) as connection:
        query = select(schema.facts.c.value).where(facts.key == condition.USABLE_FROM)
        found = await connection.scalar(query)

    assert found == condition.OLDEST
    assert found in condition.revisions()


async def test_a_migration_leaves_tables_unharmed(database: str, store: Store, next_version: str) -> None:
    tables = [await new_table(store, guild_id=guild) for guild in (5, 9 << 22)]
    for table in tables:
        await store.commit(change(table, snapshot=b"state", outbox=(("board", 0, True, 7.0),)))
    await store.save_guild(ServerSettings(5, theme="dark"))
    await store.close()
    async with connect(database) as connection:
        await connection.execute(insert(schema.people).values(**msgspec.structs.asdict(PersonRow(101))))
    before = await everything(database)

    await asyncio.gather(open_and_close_store(database), open_and_close_store(database))

    after = await everything(database)
    assert after.pop("alembic_version") == [(next_version,)]
    assert after.pop("facts") == before.pop("facts")
    assert [row[-1] for row in after.pop("people")] == ["none yet"]
    del before["alembic_version"], before["people"]
    assert after == before


async def test_the_next_migration_can_be_taken_back(database: str, store: Store, next_version: str) -> None:
    await store.close()
    await open_and_close_store(database)
    migrations = condition.config()

    def take_back(connection: Connection) -> None:
        migrations.attributes["connection"] = connection
        command.downgrade(migrations, "-1")

    async with connect(database) as connection:
        await connection.run_sync(take_back)
        assert await connection.run_sync(differences) == []


@pytest.fixture
def first_release(tmp_path: Path) -> str:
    with closing(sqlite3.connect(tmp_path / "first.db")) as file:
        file.executescript(FIRST_RELEASE.read_text("utf-8"))
    return f"sqlite:///{tmp_path}/first.db"


async def test_a_database_of_the_first_release_gets_the_stores_schema(first_release: str) -> None:
    await open_and_close_store(first_release)

    async with connect(first_release) as connection:
        assert await connection.run_sync(differences) == []


async def test_the_first_releases_database_can_be_migrated(first_release: str, next_version: str) -> None:
    before = await everything(first_release)

    await open_and_close_store(first_release)

    after = await everything(first_release)
    assert after["alembic_version"] == [(next_version,)]
    assert after["tables"] == before["tables"]
    assert after["actions"] == before["actions"]


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


USABLE = "update facts set value = '{}' where key = 'usable from version'"
VERSION = "update alembic_version set version_num = '{}'"
OTHERS = "create table somebody_elses (id integer)"
CASES: dict[str, tuple[Condition, list[str], str]] = {
    "up to date": (Condition.CURRENT, [], "at version"),
    "from before the first release": (
        Condition.UNRELEASED,
        [VERSION.format("0025")],
        "is at version 0025, from before the first release: open it once with commit",
    ),
    "of a newer version that this one can use": (
        Condition.USABLE,
        [VERSION.format("9999"), USABLE.format(revisions()[0])],
        "at version 9999, a newer one that this version can use",
    ),
    "of a newer version": (
        Condition.NEWER,
        [VERSION.format("9999"), USABLE.format("9998")],
        "is at version 9999, which this version of Tangle Parlour doesn't know: start the newer version",
    ),
    "with others' tables beside the bot's": (Condition.CURRENT, [OTHERS], "at version"),
    "of somebody else": (Condition.FOREIGN, ["nothing", OTHERS], "doesn't have this bot's tables"),
    "of somebody else, with a version": (
        Condition.FOREIGN,
        [
            "nothing",
            OTHERS,
            "create table alembic_version (version_num varchar(32))",
            "insert into alembic_version values ('a1b2')",
        ],
        "doesn't have this bot's tables",
    ),
    "without its version": (
        Condition.DAMAGED,
        ["delete from alembic_version"],
        "is damaged (its version is missing): put a backup back with `python bot.py restore PATH --force`",
    ),
    "without some tables": (
        Condition.DAMAGED,
        ["drop table actions"],
        "is damaged (some of its tables are missing): put a backup back with",
    ),
    "empty": (Condition.EMPTY, ["nothing"], "the first start creates its tables"),
}


async def prepare_database(database: str, statements: list[str], schema_file: Path) -> None:
    """Prepare a database of this version or of none, then run statements."""
    if statements[:1] == ["nothing"]:
        statements = ["create table t (i integer)", "drop table t", *statements[1:]]
    elif database.startswith("sqlite"):
        shutil.copyfile(schema_file, database.removeprefix("sqlite:///"))
    else:
        await (await Store.open(database)).close()
    async with connect(database) as connection:
        for statement in statements:
            await connection.execute(text(statement))


@pytest.mark.parametrize("case", CASES)
async def test_a_check_says_of_a_database_what_a_start_does_with_it(
    case: str,
    database: str,
    schema_file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    condition, statements, words = CASES[case]
    await prepare_database(database, statements, schema_file)
    monkeypatch.setenv("DATABASE_URL", database)
    monkeypatch.setattr(operate, "LEAST_FREE", 0)
    before = await everything(database)

    code = await asyncio.to_thread(start.main, ["check"])

    result = capsys.readouterr().out
    assert (await inspect_database(DatabaseLabel.of(database))).condition is condition
    assert words in result
    assert await everything(database) == before
    refused = condition not in (Condition.CURRENT, Condition.USABLE, Condition.EMPTY)
    assert code == (operate.AMISS if refused else operate.FINE)
    if not refused:
        await (await Store.open(database)).close()
        return
    with pytest.raises(DatabaseUnreachable) as why:
        await Store.open(database)
    assert f"BAD  database: {why.value}" in result
    assert await everything(database) == before


async def test_a_check_says_of_an_older_database_that_the_next_start_updates_it(
    database: str,
    schema_file: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    await prepare_database(database, [], schema_file)
    request.getfixturevalue("next_version")
    monkeypatch.setenv("DATABASE_URL", database)
    monkeypatch.setattr(operate, "LEAST_FREE", 0)
    before = await everything(database)

    code = await asyncio.to_thread(start.main, ["check"])

    assert code == operate.FINE
    assert "the next start updates it" in capsys.readouterr().out
    assert (await inspect_database(DatabaseLabel.of(database))).condition is Condition.OLDER
    assert await everything(database) == before
