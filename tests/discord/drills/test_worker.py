"""A worker process is killed: who waits for its picture gets it all the same."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from engines.workers import Workers
from tests.db.incidents import told
from tests.discord.stage import Stage

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def drawn_once() -> None:
    """What other tests have had drawn is drawn again here."""


@pytest.fixture
def workers() -> Iterator[Workers]:
    """A worker of the test's own, which it may kill."""
    own = Workers(1)
    yield own
    own.close()


async def test_a_post_is_drawn_although_its_worker_was_killed(
    stage: Stage, workers: Workers, caplog: pytest.LogCaptureFixture
) -> None:
    place = await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")
    os.kill(await workers.run(os.getpid), signal.SIGKILL)

    result = await stage["Ann"].slash(place, "ribbon flip", place=3)

    assert result.ephemeral
    assert " at 3." in stage.post(place).text
    assert stage.post(place).files
    assert len(told(caplog)) == 1
