"""A connection that is lost while a batch is committed: what it came to is found out, and is so once."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from db import schema
from db.connection import writer
from db.connection.availability import DatabaseUnavailable, end_and_check, transaction_number
from db.records import AuditRow
from db.store import Store
from engines.ribbon.pieces.components import RibbonOptions
from engines.workers import Workers
from tables.clocks.pace import NONE
from tables.cups.cups import CupTerms
from tests.db.proxy import Proxy, run_proxy
from tests.db.rows import change, connect, new_table
from tests.tables.house import ANN, BO, CHANNEL, GUILD, House, HouseClock, user

DATABASES = ["postgresql"]
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
async def test_a_created_table_stands_once(database: str, cut_store: tuple[Proxy, Store], plan: str) -> None:
    proxy, store = cut_store
    proxy.plans.append(plan)

    table = await new_table(store)

    assert not proxy.plans
    assert await rows_of(database, "tables") == 1
    assert await store.table(table) is not None
    assert len(await store.seats(table)) == 2


@pytest.mark.parametrize("plan", ["unanswered", "late", "lost"])
async def test_an_audit_row_stands_once(database: str, cut_store: tuple[Proxy, Store], plan: str) -> None:
    proxy, store = cut_store
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


async def test_a_move_is_acknowledged_and_not_answered_as_stale(
    cut_store: tuple[Proxy, Store], workers: Workers
) -> None:
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


async def test_several_connections_that_are_lost_one_after_another_change_nothing(
    database: str, cut_store: tuple[Proxy, Store]
) -> None:
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
