"""PgBouncer works in session mode with its defaults, and is refused in any other."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import text

from db.connection.opening import connect_to_server, database_url
from db.connection.trouble import DatabaseUnreachable
from db.processes.presence import KEPT_ALIVE
from db.store import Store
from host import operate, start
from tests.db.pooler import PROGRAM, run_pooler

DATABASES = ["postgresql"]
pytestmark = [pytest.mark.slow, pytest.mark.skipif(PROGRAM is None, reason="PgBouncer isn't installed")]
REFUSED = "is a pooler in transaction or statement mode: set it to session mode"


async def run_check(address: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setenv("DATABASE_URL", address)
    monkeypatch.setattr(operate, "LEAST_FREE", 0)
    return await asyncio.to_thread(start.main, ["check"])


async def test_a_session_pooler_works_with_its_defaults(
    database: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with run_pooler(database, "session") as address:
        assert await run_check(address, monkeypatch) == operate.FINE
        through = await Store.open(address, patience=7.0)

        await through.save_fact("key", "value")
        (row,) = await through._plain_rows(text("SELECT current_setting('statement_timeout')"))

        assert await store.fact("key") == "value"
        assert row[0] == "7s"
        await through.close()


async def test_processes_hear_each_other_through_a_session_pooler(database: str, store: Store) -> None:
    with run_pooler(database, "session") as address:
        url = database_url(address)
        one, other = [await connect_to_server(url, name, 5.0, KEPT_ALIVE) for name in ("one", "other")]
        heard: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        def hear(_connection: Any, _pid: int, _channel: str, payload: Any) -> None:
            heard.set_result(payload)

        await one.add_listener("news", hear)
        await other.execute("NOTIFY news, 'written'")

        assert await asyncio.wait_for(heard, 5.0) == "written"
        await one.close()
        await other.close()


@pytest.mark.parametrize("mode", ["transaction", "statement"])
async def test_a_pooler_that_lends_connections_is_refused_at_check_and_start(
    mode: str,
    database: str,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with run_pooler(database, mode) as address:
        code = await run_check(address, monkeypatch)
        with pytest.raises(DatabaseUnreachable) as why:
            await Store.open(address)

    assert code == operate.AMISS
    assert REFUSED in str(why.value)
    assert f"BAD  database: {why.value}" in capsys.readouterr().out


async def test_a_parameter_that_a_pooler_refuses_is_named_with_its_setting(
    database: str, store: Store
) -> None:
    with run_pooler(database, "session") as address, pytest.raises(DatabaseUnreachable) as why:
        await Store.open(f"{address}?options=-c%20work_mem%3D4MB")

    assert "leave it out of DATABASE_URL, or add it to ignore_startup_parameters" in str(why.value)
    assert "options" in str(why.value)
