"""An unusable database says so, loses nothing, is reported once, and recovers by itself."""

import logging

import pytest

from db.batch import Conflict
from db.connection import availability as reach
from db.connection.availability import Availability, DatabaseUnavailable
from db.store import Store
from tests.db.incidents import log_lines, read_only
from tests.db.rows import change, new_table


async def test_a_database_that_may_only_be_read_is_read(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    await store.save_fact("key", "old")
    async with read_only(store):
        for _ in range(3):
            with pytest.raises(DatabaseUnavailable, match=r"read-?only"):
                await store.save_fact("key", "new")
        assert await store.fact("key") == "old"

    await store.save_fact("key", "new")

    assert await store.fact("key") == "new"
    assert len(log_lines(caplog)) == 1


async def test_an_error_in_a_job_does_not_blame_the_database(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
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


def test_a_success_between_two_failures_makes_no_second_line(
    timer: Timer, caplog: pytest.LogCaptureFixture
) -> None:
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


def test_one_cause_that_stops_reading_and_writing_is_told_once_and_another_anew(
    timer: Timer, caplog: pytest.LogCaptureFixture
) -> None:
    watched = Availability(timer)
    failing(watched, "written", ConnectionRefusedError("refused"))
    failing(watched, "read", ConnectionResetError("reset"))
    assert len(log_lines(caplog)) == 1

    failing(watched, "written", DatabaseUnavailable("no space left", "full"))

    assert log_lines(caplog)[1:] == ["the database can't be written, and will be tried again: no space left"]
