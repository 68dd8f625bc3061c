"""Fixtures that several rooms of the tests share."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from db.store import Store
from engines.workers import Workers


@pytest.fixture(scope="session")
def workers() -> Iterator[Workers]:
    """One pool of worker processes for the whole run; starting one takes longer than most tests."""
    pool = Workers(1)
    yield pool
    pool.close()


@pytest.fixture
def database(tmp_path: Path) -> str:
    """The address of a database file of the test's own."""
    return f"sqlite:///{tmp_path}/parlour.db"


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    """An open store on a file of the test's own."""
    opened = await Store.open(database)
    yield opened
    await opened.close()
