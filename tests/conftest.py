"""Fixtures that several rooms of the tests share."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from db.store import Store, database_url
from engines.workers import Workers

POSTGRES = os.environ.get("TEST_POSTGRES_URL")
"""A PostgreSQL server on which this user may create databases; see tests/postgres.sh."""


@pytest.fixture(scope="session")
def workers() -> Iterator[Workers]:
    """One pool of worker processes for the whole run; starting one takes longer than most tests."""
    pool = Workers(1)
    yield pool
    pool.close()


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database of the test's own: a file, unless a server was asked for."""
    if getattr(request, "param", "sqlite") == "sqlite":
        yield f"sqlite:///{tmp_path}/parlour.db"
    else:
        with _database_on_the_server() as address:
            yield address


def on_every_database(metafunc: pytest.Metafunc) -> None:
    """Run a room's tests on PostgreSQL too where there is a server: its `pytest_generate_tests`.

    A module whose tests make sense on one of the two names it in `DATABASES`.
    """
    if "database" in metafunc.fixturenames:
        both = ["sqlite", "postgresql"] if POSTGRES else ["sqlite"]
        chosen = getattr(metafunc.module, "DATABASES", both)
        metafunc.parametrize("database", chosen, indirect=True)


@contextmanager
def _database_on_the_server() -> Iterator[str]:
    assert POSTGRES is not None
    name = f"tangle_{uuid4().hex}"
    asyncio.run(_on_the_server(f"CREATE DATABASE {name}"))
    yield database_url(POSTGRES).set(database=name).render_as_string(hide_password=False)
    asyncio.run(_on_the_server(f"DROP DATABASE {name} WITH (FORCE)"))


async def _on_the_server(statement: str) -> None:
    assert POSTGRES is not None
    engine = create_async_engine(database_url(POSTGRES), isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.execute(text(statement))
    await engine.dispose()


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the schema and nothing else, to copy: migrating takes longer than many a test."""
    file = tmp_path_factory.mktemp("migrated") / "parlour.db"

    async def opened_and_closed() -> None:
        await (await Store.open(f"sqlite:///{file}")).close()

    asyncio.run(opened_and_closed())
    return file


@pytest.fixture
async def store(database: str, migrated: Path) -> AsyncIterator[Store]:
    """An open store on a database of the test's own."""
    if database.startswith("sqlite"):
        shutil.copyfile(migrated, database.removeprefix("sqlite:///"))
    opened = await Store.open(database)
    yield opened
    await opened.close()


@pytest.fixture
async def second_store(database: str, store: Store) -> AsyncIterator[Store]:
    """The same database as a second process would have it open."""
    opened = await Store.open(database)
    yield opened
    await opened.close()
