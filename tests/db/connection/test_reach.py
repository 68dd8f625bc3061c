import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from db import schema
from db.batch import Conflict
from db.connection import writer
from db.connection import writer as reach
from db.connection.opening import connect_to_server, database_url
from db.connection.trouble import DatabaseUnreachable
from db.connection.writer import Availability, DatabaseUnavailable, end_and_check, transaction_number
from db.processes import KEPT_ALIVE
from db.records import AuditRow
from db.store import Store
from engines.ribbon.pieces.components import RibbonOptions
from engines.workers import Workers
from host import operate, start
from tables.clocks.pace import NONE
from tables.cups.cups import CupTerms
from tests.conftest import EVERY_DATABASE
from tests.db.incidents import log_lines, read_only
from tests.db.pooler import PROGRAM, run_pooler
from tests.db.proxy import Proxy, run_proxy
from tests.db.rows import change, connect, new_table
from tests.tables.house import ANN, BO, CHANNEL, GUILD, House, HouseClock, user

DATABASES = ["postgresql"]


@pytest.mark.databases(EVERY_DATABASE)
async def test_a_read_only_database_is_read(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    await store.save_fact("key", "old")
    async with read_only(store):
        for _ in range(3):
            with pytest.raises(DatabaseUnavailable, match=r"read-?only"):
                await store.save_fact("key", "new")
        assert await store.fact("key") == "old"

    await store.save_fact("key", "new")

    assert await store.fact("key") == "new"
    assert len(log_lines(caplog)) == 1


@pytest.mark.databases(EVERY_DATABASE)
async def test_a_jobs_error_blames_no_database(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    table = await new_table(store)
    await store.commit(change(table))

    with pytest.raises(Conflict):
        await store.commit(change(table))

    assert log_lines(caplog) == []


class Timer:
    """Seconds, as many as one likes."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def timer() -> Timer:
    return Timer()


def failing(watched: Availability, doing: reach.Doing, error: Exception) -> None:
    with pytest.raises(DatabaseUnavailable), watched.watch(doing):
        raise error


def test_a_success_between_failures_adds_no_line(timer: Timer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    watched = Availability(timer)
    for seconds in (0.0, 30.0, 30.0):
        timer.now += seconds
        failing(watched, "written", OSError("no route to the server"))
        with watched.watch("written"):
            """This time it works."""
    timer.now += reach.WELL_AFTER
    with watched.watch("read"):
        """What only reads says nothing of what writes."""
    assert len(caplog.records) == 1

    with watched.watch("written"):
        """It has worked for a while."""

    assert [record.getMessage() for record in caplog.records][1:] == ["the database works again"]


def test_each_cause_of_a_stop_is_logged_once(timer: Timer, caplog: pytest.LogCaptureFixture) -> None:
    watched = Availability(timer)
    failing(watched, "written", ConnectionRefusedError("refused"))
    failing(watched, "read", ConnectionResetError("reset"))
    assert len(log_lines(caplog)) == 1

    failing(watched, "written", DatabaseUnavailable("no space left", "full"))

    assert log_lines(caplog)[1:] == ["the database can't be written, and will be tried again: no space left"]


AUDITED = AuditRow(1, None, 2, "skip", "", 0.0)


@pytest.fixture
async def cut_store(database: str, store: Store) -> AsyncIterator[tuple[Proxy, Store]]:
    """Yield a store that has written, and the proxy to cut it."""
    async with run_proxy(database) as (proxy, address):
        opened = await Store.open(address)
        await opened.save_fact("before", "1")
        yield proxy, opened
        await opened.close()


async def rows_of(database: str, name: str) -> int:
    async with connect(database) as connection:
        counting = select(func.count()).select_from(schema.metadata.tables[name])
        return int((await connection.execute(counting)).scalar_one())


@pytest.mark.parametrize("plan", ["unanswered", "late", "lost"])
async def test_a_table_or_audit_stands_once(database: str, cut_store: tuple[Proxy, Store], plan: str) -> None:
    proxy, store = cut_store
    proxy.plans.append(plan)

    table = await new_table(store)

    assert not proxy.plans
    assert await rows_of(database, "tables") == 1
    assert await store.table(table) is not None
    assert len(await store.seats(table)) == 2

    proxy.plans.append(plan)

    await store.administration.add_audit(AUDITED)

    assert not proxy.plans
    assert await rows_of(database, "audit") == 1


async def test_a_cup_stands_once(database: str, cut_store: tuple[Proxy, Store], workers: Workers) -> None:
    proxy, store = cut_store
    house = House(store, workers, HouseClock())
    proxy.plans.append("unanswered")

    cup = await house.parlour.cups.open(GUILD, CHANNEL, ANN, "ribbon", CupTerms(8, NONE))

    assert not proxy.plans
    assert (await rows_of(database, "cups"), await rows_of(database, "cup_players")) == (1, 1)
    assert (await house.parlour.cups.cup(cup.id)).id == cup.id
    await house.stop()


async def test_a_move_is_acknowledged_as_fresh(cut_store: tuple[Proxy, Store], workers: Workers) -> None:
    proxy, store = cut_store
    house = House(store, workers, HouseClock())
    options = RibbonOptions(mode="coop", first="host")
    table = await house.lobby.create(GUILD, CHANNEL, ANN, "ribbon", options, (BO,))
    table = await house.lobby.start(table.id, user(ANN))
    legal = await house.play.moves(table.id, user(ANN))
    proxy.plans.append("unanswered")

    await house.play.move(table.id, user(ANN), [legal[0]], table.version)

    assert not proxy.plans
    moves = [row for row in await store.actions(table.id) if row.kind == "move"]
    assert len(moves) == 1
    await house.stop()


async def test_an_uncommitted_write_is_written_once_by_the_second_try(cut_store: tuple[Proxy, Store]) -> None:
    proxy, store = cut_store
    table = await new_table(store)
    proxy.plans.append("lost")

    await store.commit(change(table))

    assert proxy.looks == 1
    assert [row.version for row in await store.actions(table)] == [1]


async def test_a_first_batch_of_all_is_found_as_well(database: str, store: Store) -> None:
    async with run_proxy(database) as (proxy, address):
        opened = await Store.open(address)
        proxy.plans.append("late")

        await new_table(opened)

        assert await rows_of(database, "tables") == 1
        await opened.close()


async def test_lost_connections_change_nothing(database: str, cut_store: tuple[Proxy, Store]) -> None:
    proxy, store = cut_store
    proxy.plans.extend(["lost", "unanswered"])
    proxy.cut_looks = 2

    first, second = await asyncio.gather(new_table(store), new_table(store))

    assert proxy.looks == 4
    assert not proxy.plans
    assert first != second
    assert await rows_of(database, "tables") == 2


async def test_an_undeliverable_write_is_refused(database: str, cut_store: tuple[Proxy, Store]) -> None:
    proxy, store = cut_store
    proxy.plans.extend(["lost"] * writer.MOST_RUNS)

    with pytest.raises(DatabaseUnavailable):
        await new_table(store)

    assert await rows_of(database, "tables") == 0
    assert await new_table(store)
    assert await rows_of(database, "tables") == 1


async def running(connection: AsyncConnection) -> int:
    return int((await connection.execute(select(transaction_number()))).scalar_one())


async def test_a_batch_that_a_server_never_heard_of_is_not_committed(database: str) -> None:
    async with connect(database) as connection:
        number = await running(connection)
    async with connect(database) as connection:
        assert await connection.run_sync(end_and_check, number) is True
        assert await connection.run_sync(end_and_check, number + 1_000_000) is False


async def end_transaction(address: str, other: AsyncConnection) -> None:
    """Begin a transaction, wait until another connection sees it, and go on."""
    async with connect(address) as connection:
        number = await running(connection)
        while (committed := await other.run_sync(end_and_check, number)) is None:
            pass
        assert committed is False
        await running(connection)


async def test_a_batch_that_still_goes_on_is_ended_and_then_not_committed(database: str) -> None:
    async with connect(database) as other:
        with pytest.raises(DBAPIError):
            await end_transaction(database, other)


async def test_another_transaction_is_left_alone_by_the_look(database: str) -> None:
    async with connect(database) as connection, connect(database) as other:
        number = await running(connection)

        await other.run_sync(end_and_check, number - 1)

        assert await running(connection) == number


REFUSED = "is a pooler in transaction or statement mode: set it to session mode"


async def run_check(address: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setenv("DATABASE_URL", address)
    monkeypatch.setattr(operate, "LEAST_FREE", 0)
    return await asyncio.to_thread(start.main, ["check"])


@pytest.mark.skipif(PROGRAM is None, reason="PgBouncer isn't installed")
async def test_a_session_pooler_works(database: str, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with run_pooler(database, "session") as address:
        assert await run_check(address, monkeypatch) == operate.FINE
        through = await Store.open(address, patience=7.0)

        await through.save_fact("key", "value")
        (row,) = await through._plain_rows(text("SELECT current_setting('statement_timeout')"))

        assert await store.fact("key") == "value"
        assert row[0] == "7s"
        await through.close()


@pytest.mark.skipif(PROGRAM is None, reason="PgBouncer isn't installed")
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


@pytest.mark.skipif(PROGRAM is None, reason="PgBouncer isn't installed")
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


@pytest.mark.skipif(PROGRAM is None, reason="PgBouncer isn't installed")
async def test_a_parameter_refused_by_a_pooler_is_named_with_its_setting(database: str, store: Store) -> None:
    with run_pooler(database, "session") as address, pytest.raises(DatabaseUnreachable) as why:
        await Store.open(f"{address}?options=-c%20work_mem%3D4MB")

    assert "leave it out of DATABASE_URL, or add it to ignore_startup_parameters" in str(why.value)
    assert "options" in str(why.value)


HANG_UP_ON_EVERYBODY_ELSE = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


async def test_a_server_that_was_restarted_is_not_noticed(database: str, store: Store) -> None:
    await store.save_fact("key", "old")
    async with connect(database) as connection:
        await connection.execute(text(HANG_UP_ON_EVERYBODY_ELSE))

    assert await store.fact("key") == "old"
    async with connect(database) as connection:
        await connection.execute(text(HANG_UP_ON_EVERYBODY_ELSE))
    await store.save_fact("key", "new")

    assert await store.fact("key") == "new"


@pytest.fixture
async def hasty(database: str, store: Store) -> AsyncIterator[Store]:
    opened = await Store.open(database, 2, 1.0)
    yield opened
    await opened.close()


async def test_a_statement_that_takes_too_long_is_ended_by_the_server(hasty: Store) -> None:
    with pytest.raises(DatabaseUnavailable, match="statement timeout") as slow:
        await hasty._plain_rows(text("SELECT pg_sleep(5)"))

    assert slow.value.cause == "slow"
    await hasty.save_fact("key", "value")
    assert await hasty.fact("key") == "value"


async def test_waiting_too_long_for_a_connection_is_explained(hasty: Store) -> None:
    async with AsyncEngine(hasty._reader.connections.engine).connect():
        with pytest.raises(DatabaseUnavailable) as full:
            await hasty.fact("key")

    assert full.value.cause == "connections"


async def test_a_read_needs_no_transaction(hasty: Store) -> None:
    # Within a transaction it is always the same time.
    first, second = await hasty._reader.read(
        lambda connection: [connection.scalar(text("SELECT now()")) for _ in range(2)]
    )

    assert first < second


async def test_a_database_that_is_missing_is_named_as_the_reason(database: str) -> None:
    missing = database_url(database).set(database="nowhere").render_as_string(hide_password=False)

    with pytest.raises(DatabaseUnreachable, match=r"\(DATABASE_URL\) has no database “nowhere”: create it"):
        await Store.open(missing)
