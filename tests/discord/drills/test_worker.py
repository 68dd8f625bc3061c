"""A worker process is killed: who waits for its picture gets it all the same."""

import os
import signal
from collections.abc import Iterator

import pytest

from engines.workers import Workers
from tests.db.incidents import log_lines
from tests.discord.stage import DiscordStage

pytestmark = [pytest.mark.drawn]


@pytest.fixture(autouse=True)
def picture_cache() -> None:
    """Draw again what other tests have drawn."""


@pytest.fixture
def workers() -> Iterator[Workers]:
    """Yield a worker of the test's own, which it may kill."""
    own = Workers(1)
    yield own
    own.close()


async def test_a_post_is_drawn_although_its_worker_was_killed(
    stage: DiscordStage, workers: Workers, caplog: pytest.LogCaptureFixture
) -> None:
    place = await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")
    os.kill(await workers.run(os.getpid), signal.SIGKILL)

    result = await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")

    assert result.ephemeral
    assert " at 3 " in stage.post(place).text
    assert stage.post(place).files
    assert len(log_lines(caplog)) == 1
