"""The real bot in a simulated Discord."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from itertools import count
from math import inf

import discord
import pytest
from cachetools import LRUCache

from cogs.core.pictures import KEPT, Pictures, _size
from cogs.ui import cooldown
from db.connection.availability import DatabaseUnavailable
from db.store import Store
from engines.workers import Workers
from render.picture import Picture
from tables.core import downtime
from tables.core.table import Refused
from tests.discord.stage import Stage, simulation


@pytest.fixture(autouse=True)
def known_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables draw their secrets from a counter, so that a flow is the same at every run."""
    numbers = count(1)
    monkeypatch.setattr(
        "tables.lobby.lobby.secret",
        lambda: (next(numbers).to_bytes(32, "big"), next(numbers).to_bytes(16, "big")),
    )


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine the simulated clock may run ahead of the bot; so short a silence is no gap here."""
    monkeypatch.setattr(downtime, "SHORTEST", 900.0)


@pytest.fixture(autouse=True)
def tireless(monkeypatch: pytest.MonkeyPatch) -> None:
    """People press in no time here, and nobody takes that for a flood."""
    monkeypatch.setattr(cooldown, "PRESSES", 10**6)


@pytest.fixture(scope="session")
def gallery() -> LRUCache[bytes, Picture | None]:
    """The pictures that some test has had drawn: flows begin alike, and drawing is most of what they cost."""
    return LRUCache(KEPT, getsizeof=_size)


@pytest.fixture(autouse=True)
def drawn_once(monkeypatch: pytest.MonkeyPatch, gallery: LRUCache[bytes, Picture | None]) -> None:
    """No picture is drawn again that an earlier test has had drawn."""
    init = Pictures.__init__

    def shared(pictures: Pictures, workers: Workers, kept: int = KEPT) -> None:
        init(pictures, workers, kept)
        if kept == KEPT:
            pictures._kept = gallery

    monkeypatch.setattr(Pictures, "__init__", shared)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time that is jumped over counts as passed: the bot is never taken to have been away."""
    monkeypatch.setattr(downtime, "SHORTEST", inf)


@pytest.fixture
async def stage(store: Store, workers: Workers, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Stage]:
    """A server in which the bot runs on a fresh database.

    A test fails when the bot logs an error that it doesn't announce with `stage.trouble`.
    """
    env = await simulation(store, workers)
    try:
        playing = Stage(env)
        yield playing
        errors = [getattr(error, "original", error) for error in env.errors]
        announced = (DatabaseUnavailable, discord.HTTPException) if playing.trouble else ()
        assert [error for error in errors if not isinstance(error, (Refused, *announced))] == []
        logged = [r.getMessage() for r in caplog.get_records("call") if r.levelno >= logging.ERROR]
        assert playing.trouble or logged == []
        assert not playing.marked, "a sign's mark was shown instead of the sign"
    finally:
        await env.shutdown()
