"""A house with a parlour; on every database where a module's tests are about what is written."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from itertools import count

import pytest

from db.store import Store
from engines.ribbon import Ribbon
from engines.workers import Workers
from tests.conftest import on_sqlite as pytest_generate_tests
from tests.tables.house import Clock, House, arranged

__all__ = ["pytest_generate_tests"]

Dealt = Callable[[str], None]


@pytest.fixture
def clock() -> Clock:
    """The clock of the house."""
    return Clock()


@pytest.fixture(autouse=True)
def secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables draw their secrets from a counter, so that a game is the same at every run."""
    numbers = count(1)
    for drawing in ("tables.lobby.lobby.secret", "tables.daily.daily.secret"):
        monkeypatch.setattr(
            drawing, lambda: (next(numbers).to_bytes(32, "big"), next(numbers).to_bytes(16, "big"))
        )
    monkeypatch.setattr("db.subjects.tries.secrets.token_hex", lambda length: "ab" * length)


@pytest.fixture
async def house(store: Store, workers: Workers, clock: Clock) -> AsyncIterator[House]:
    """A house in which nothing has happened yet."""
    opened = House(store, workers, clock)
    yield opened
    await opened.stopped()


@pytest.fixture
async def elsewhere(second_store: Store, workers: Workers, clock: Clock) -> AsyncIterator[House]:
    """The same house as a second process has it."""
    opened = House(second_store, workers, clock)
    yield opened
    await opened.stopped()


@pytest.fixture
def dealt(monkeypatch: pytest.MonkeyPatch) -> Dealt:
    """Arranges the deal of the games that begin from now on: eighteen letters."""

    def deal(deck: str) -> None:
        monkeypatch.setattr(Ribbon, "deal", lambda rules, seats, options, seed: arranged(deck))

    return deal
