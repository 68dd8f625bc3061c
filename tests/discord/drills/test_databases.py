"""A read-only database: people get a message, nothing is lost, and all continues afterwards."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest

from cogs.ui.press import UNKNOWN, UNWRITABLE
from db.connection import opening
from db.connection.writer import CommitUnknown
from db.store import Store
from tests.db.incidents import full, lock_file, log_lines, read_only
from tests.discord.stage import DiscordStage

pytestmark = [pytest.mark.as_in_use, pytest.mark.usefixtures("hasty")]
Incident = Callable[[Store], AbstractAsyncContextManager[None]]


@asynccontextmanager
async def hold_lock(store: Store) -> AsyncIterator[None]:
    with lock_file(f"sqlite:///{store._write_engine.url.database}"):
        yield


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every wait for a lock fail at once."""
    monkeypatch.setattr(opening, "WRITE_PATIENCE_MS", 0)


@pytest.mark.parametrize("incident", [full, read_only, hold_lock])
async def test_a_move_is_refused_with_a_sentence_and_made_later(
    stage: DiscordStage, place: Any, incident: Incident, caplog: pytest.LogCaptureFixture
) -> None:
    stage.trouble = True
    before, posts = await stage.table(), len(stage.posts(place))

    async with incident(stage.bot.app.parlour.store):
        for _ in range(2):
            refused = await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")
            assert refused.ephemeral
            assert refused.response.content == UNWRITABLE
            await stage.env.advance_time(60)
    assert await stage.table() == before
    assert len(stage.posts(place)) == posts

    await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")

    assert " at 3." in stage.post(place).text
    assert len(log_lines(caplog)) == 1


async def test_an_unknown_outcome_is_named(stage: DiscordStage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage.trouble = True
    place = await stage.open("Ann", "Bo", mode="coop", first="host")

    async def lost(*_args: object) -> None:
        raise CommitUnknown("the connection was lost", "connection")

    with monkeypatch.context() as cut:
        cut.setattr(stage.bot.app.parlour.store, "commit", lost)
        answer = await stage["Ann"].slash(place, "ribbon choose", choice="flip 1")

    assert answer.response.content == UNKNOWN
    assert "nothing has changed" not in answer.response.content
