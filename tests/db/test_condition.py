"""One rule for databases: a look at one says what a start does with it, on SQLite and PostgreSQL."""

import asyncio
import shutil
from pathlib import Path

import pytest
from sqlalchemy import text

from db.condition import Condition, inspect_database, revisions
from db.connection.trouble import DatabaseLabel, DatabaseUnreachable
from db.store import Store
from host import operate, start
from tests.db.rows import connect, everything

pytestmark = pytest.mark.slow
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
