"""Background work goes on, whatever it meets."""

import asyncio

import pytest

from db.store import Store
from engines.game import Strength
from tables.runtime.background import LONGEST_PAUSE, Background, Together
from tests.db.incidents import log_lines, read_only
from tests.tables.house import ANN, BO, House, user


async def fail(reason: str) -> None:
    raise OSError(reason)


async def succeed() -> None:
    """Do nothing."""


async def test_a_failure_is_told_once_until_it_works_again(caplog: pytest.LogCaptureFixture) -> None:
    background = Background()
    for reason in ("disk full", "disk full", "no disk", "no disk"):
        assert not await background.run("sweeping", fail(reason))
    assert [record.exc_info is not None for record in caplog.records] == [True, True]

    assert await background.run("sweeping", succeed())
    assert not await background.run("sweeping", fail("no disk"))

    assert len([record for record in caplog.records if "sweeping failed" in record.getMessage()]) == 3


async def test_work_done_together_has_ended_when_the_first_error_is_raised() -> None:
    ended = asyncio.Event()

    async def go_on() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def work() -> None:
        async with Together() as together:
            together.create_task(go_on())
            together.create_task(fail("no disk"))

    with pytest.raises(OSError, match="no disk"):
        await work()

    assert ended.is_set()


async def test_a_database_that_fails_for_a_while_ends_no_sweep(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = await house.start(ANN, BO, mode="coop")
    await house.store.ask(table.id, "board", 0, table.version, True, house.clock.now)

    async def locked(*_args: object) -> None:
        raise OSError("the database is locked")

    with monkeypatch.context() as patched:
        for name in ("outbox_due", "tables_awaiting_computer"):
            patched.setattr(Store, name, locked)
        for _ in range(3):
            await house.parlour.resume()
    assert caplog.text.count("the database is locked") >= 2
    assert len(caplog.records) == 2

    await house.parlour.resume()
    await house.settle()

    assert house.courier.take_shown() == [("board", 0, True)]


async def test_a_database_that_cannot_be_written_is_told_of_once_and_computers_move_when_it_can(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    table = await house.gather(ANN, mode="coop", first="host")
    await house.lobby.add_computer(table.id, user(ANN), Strength.MEDIUM)
    await house.lobby.start(table.id, user(ANN))
    await house.settle()
    await house.parlour.computers.stop()
    table = await house.play_moves(table, "flip 1")
    await house.settle()
    again = house.restart()

    async with read_only(house.store):
        for _ in range(3):
            house.clock.now += LONGEST_PAUSE
            await again.parlour.resume()
            await again.settle()
        assert (await again.parlour.table(table.id)).version == table.version
    house.clock.now += LONGEST_PAUSE
    await again.parlour.resume()
    await again.settle()

    assert (await again.parlour.table(table.id)).version > table.version
    assert len(log_lines(caplog)) == 1
