"""A server that the bot can't use says why in a sentence, at check and at the start."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import text

from db import condition
from db.backup import move
from db.connection.opening import database_url
from db.connection.trouble import DatabaseUnreachable
from db.store import Store
from host import operate, start
from tests.db.rows import connect
from tests.db.server import execute

DATABASES = ["postgresql"]


@asynccontextmanager
async def another_database(address: str, encoding: str) -> AsyncIterator[str]:
    name = f"tangle_{uuid4().hex}"
    await execute(
        address,
        f"CREATE DATABASE {name} ENCODING '{encoding}' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0",
    )
    yield database_url(address).set(database=name).render_as_string(hide_password=False)
    await execute(address, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
async def guest(database: str) -> AsyncIterator[str]:
    """Yield the database's address for a user who owns nothing there."""
    name = f"guest_{uuid4().hex}"
    await execute(database, f"CREATE ROLE {name} LOGIN")
    yield database_url(database).set(username=name).render_as_string(hide_password=False)
    await execute(database, f"DROP OWNED BY {name}", f"DROP ROLE {name}")


@pytest.fixture(autouse=True)
def enough_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operate, "LEAST_FREE", 0)


async def refusal_of_start(
    address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    """Return why a start refuses a database; `check` must say the same."""
    monkeypatch.setenv("DATABASE_URL", address)
    with pytest.raises(DatabaseUnreachable) as why:
        await Store.open(address)
    assert await asyncio.to_thread(start.main, ["check"]) == operate.AMISS
    assert f"BAD  database: {why.value}\n" in capsys.readouterr().out
    return str(why.value)


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
async def test_another_encoding_is_refused(
    encoding: str, database: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async with another_database(database, encoding) as address:
        reason = await refusal_of_start(address, monkeypatch, capsys)

    assert f"uses the encoding {encoding}, but the bot needs UTF8" in reason
    assert "createdb --encoding=UTF8 --template=template0 NAME" in reason


async def test_a_database_in_another_encoding_can_still_be_copied(
    database: str, tmp_path: Path, schema_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copyfile(schema_file, tmp_path / "from.db")
    async with another_database(database, "SQL_ASCII") as address:
        with monkeypatch.context() as patch:
            patch.setattr(condition, "ENCODING", "SQL_ASCII")
            await move(f"sqlite:///{tmp_path}/from.db", address)

        await move(address, f"sqlite:///{tmp_path}/to.db")

    assert (tmp_path / "to.db").exists()


async def test_a_user_who_may_not_create_tables_is_refused(
    database: str, guest: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    await execute(database, "REVOKE CREATE ON SCHEMA public FROM PUBLIC")

    reason = await refusal_of_start(guest, monkeypatch, capsys)

    user = database_url(guest).username
    assert f"doesn't let {user} create tables" in reason
    assert f"`GRANT USAGE, CREATE ON SCHEMA public TO {user}`" in reason


async def test_the_rights_named_in_the_sentence_let_the_user_in(database: str, guest: str) -> None:
    await execute(database, f"GRANT USAGE, CREATE ON SCHEMA public TO {database_url(guest).username}")

    store = await Store.open(guest)

    await store.save_fact("key", "value")
    await store.close()


async def test_a_user_without_any_schema_is_refused(
    database: str, guest: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    await execute(database, "REVOKE ALL ON SCHEMA public FROM PUBLIC")

    assert "GRANT USAGE, CREATE ON SCHEMA public" in await refusal_of_start(guest, monkeypatch, capsys)


async def test_a_user_who_may_not_write_the_tables_is_refused(
    database: str, guest: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    await (await Store.open(database)).close()
    user = database_url(guest).username
    await execute(database, f"GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO {user}")
    assert f"doesn't let {user} write the table" in await refusal_of_start(guest, monkeypatch, capsys)
    await execute(database, f"GRANT UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {user}")
    assert "USAGE on all sequences" in await refusal_of_start(guest, monkeypatch, capsys)

    await execute(database, f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {user}")

    await (await Store.open(guest)).close()


async def test_a_user_who_owns_no_table_cannot_bring_them_up_to_date(
    database: str,
    guest: str,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    await (await Store.open(database)).close()
    request.getfixturevalue("next_version")
    user = database_url(guest).username
    await execute(
        database,
        f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {user}",
        f"GRANT ALL ON SCHEMA public TO {user}",
    )

    reason = await refusal_of_start(guest, monkeypatch, capsys)

    assert f"doesn't let {user} change the table" in reason
    assert f"OWNER TO {user}`" in reason


async def test_a_server_that_is_too_old_is_refused(
    database: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async with connect(database) as connection:
        version = await connection.scalar(text("SELECT current_setting('server_version')"))
    monkeypatch.setattr(condition, "LEAST_SERVER", 990000)

    reason = await refusal_of_start(database, monkeypatch, capsys)

    assert f"is PostgreSQL {version}, but the bot needs 10 or newer to check whether" in reason
