"""Fixtures that several rooms of the tests share."""

from __future__ import annotations

import asyncio
import gc
import os
import re
import shutil
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4
from zlib import crc32

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine
from xdist.scheduler import LoadScopeScheduling

from db.connection.opening import database_url
from db.store import Store
from engines.registry import SLUGS
from engines.workers import Workers
from tests import swift
from tests.often import THOROUGHLY

POSTGRES = os.environ.get("TEST_POSTGRES_URL")
"""A PostgreSQL server on which this user may create databases; see tests/postgres.sh."""

STANDING = {"ribbon", "tesla"}
"""The games that stand for all where what is tested knows none: one is played alone and quickly, in the other
hands are hidden."""
APART = 60
"""How many other tests stand between two that drive a browser."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Have an option to test one game, and one to test everything as often as it takes."""
    parser.addoption("--game", choices=SLUGS, help="run the tests of one game alone")
    parser.addoption("--thorough", action="store_true", help="leave nothing out, and take long samples")


def pytest_configure(config: pytest.Config) -> None:
    """Let modules and processes of the tests know whether the run is a thorough one."""
    if config.getoption("--thorough"):
        os.environ[THOROUGHLY] = "1"


def pytest_itemcollected(item: pytest.Item) -> None:
    """Count every test for which a bot is started among the slow ones."""
    if "stage" in getattr(item, "fixturenames", ()):
        item.add_marker(pytest.mark.slow)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is about other games than the one that was asked for, and what is for thorough runs
    alone; take what is slow first."""
    slug = config.getoption("--game")
    if slug is not None:
        leave_out(config, items, [item for item in items if not is_about(item, slug)])
    if THOROUGHLY not in os.environ:
        leave_out(config, items, [item for item in items if item.get_closest_marker("thorough")])
        if slug is None:
            leave_out(config, items, [item for item in items if stood_for(item)])
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    items[:] = spread(items)


def leave_out(config: pytest.Config, items: list[pytest.Item], others: Sequence[pytest.Item]) -> None:
    """Don't run those tests."""
    out = set(others)
    items[:] = [item for item in items if item not in out]
    config.hook.pytest_deselected(items=list(others))


def spread(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """The tests in their order, but those that drive a browser apart: they wait more than they work."""
    driving = [item for item in items if "browser" in getattr(item, "fixturenames", ())]
    ordered = [item for item in items if item not in driving]
    for number, item in enumerate(driving):
        ordered.insert(number * APART, item)
    return ordered


def pytest_collection_finish() -> None:
    """Keep what was loaded and collected out of garbage collections, and have them seldom.

    There is much of it, and looking through it again and again takes longer than many a test.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)


def stood_for(item: pytest.Item) -> bool:
    """Whether a test says of a game what it says of every game, and other games stand for that one."""
    if item.get_closest_marker("any_game") is None or not isinstance(item, pytest.Function):
        return False
    given = item.callspec.params.values() if hasattr(item, "callspec") else ()
    named = [getattr(one, "slug", one) for one in given]
    return any(isinstance(name, str) and name in set(SLUGS) - STANDING for name in named)


def is_about(item: pytest.Item, slug: str) -> bool:
    """Whether a test is about a game: it stands in the game's room or file, or is given the game."""
    where, _, given = item.nodeid.partition("::")
    return slug in re.findall("[a-z]+", where) + re.findall("[a-z]+", given.partition("[")[2])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One process more than there are processors: what drives a browser waits more than it works.

    Where what is slow is left out nothing waits, and each process has to load and collect everything.
    """
    quick = "not slow" in config.option.markexpr
    return (os.cpu_count() or 1) + (not quick)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Hand out tests one by one, but all that share what was played once to one process."""
    scheduling = LoadScopeScheduling(config, log)
    scheduling._split_scope = together
    return scheduling


def together(nodeid: str) -> str:
    """What tests have in common that run in one process: the end of a parameter like ``ribbon@played``, or
    the group that their module has marked.

    >>> together("test_a.py::test_a[weak-ribbon@played]"), together("test_a.py::test_b[weak-ribbon]")
    ('ribbon@played', 'test_a.py::test_b[weak-ribbon]')
    >>> together("test_a.py::test_a@lands"), together("test_a.py::test_b[3]@lands")
    ('lands', 'lands')
    """
    shared = re.search(r"(\w+@\w+)\]$", nodeid) or re.search(r"@(\w+)$", nodeid)
    return nodeid if shared is None else shared[1]


@pytest.fixture(scope="session")
def workers() -> Iterator[Workers]:
    """One pool of worker processes for the whole run; starting one takes longer than most tests."""
    pool = Workers(1)
    asyncio.run(pool.start())
    yield pool
    pool.close()


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database of the test's own: a file, unless a server was asked for."""
    if getattr(request, "param", "sqlite") == "sqlite":
        yield f"sqlite:///{tmp_path}/parlour.db"
    else:
        ready = "store" in request.fixturenames
        with _database_on_the_server(
            request.getfixturevalue("template") if ready else "template1"
        ) as address:
            yield address


@pytest.fixture(autouse=True)
def swift_databases(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stores wait for no disk, but where a test is about that."""
    if request.node.get_closest_marker("as_in_use") is None:
        swift.hurry(monkeypatch)


EVERY_DATABASE = ["sqlite", "postgresql"] if POSTGRES else ["sqlite"]
EITHER_DATABASE: list[str] = []
"""What a module names in `DATABASES` whose tests make sense on both, while `tests/db` tries the statements on
both: in `make test` each test runs on one of the two, and in a thorough run on both."""


def on_every_database(metafunc: pytest.Metafunc) -> None:
    """Run a room's tests on PostgreSQL too where there is a server: its `pytest_generate_tests`.

    A module whose tests make sense on one of the two names it in `DATABASES`; those for a server that there
    is not are skipped.
    """
    _on_databases(metafunc, EVERY_DATABASE)


def on_sqlite(metafunc: pytest.Metafunc) -> None:
    """Run a room's tests on SQLite, but for the modules that name other databases in `DATABASES`."""
    _on_databases(metafunc, ["sqlite"])


def _on_databases(metafunc: pytest.Metafunc, usual: list[str]) -> None:
    if "database" in metafunc.fixturenames:
        named = getattr(metafunc.module, "DATABASES", usual)
        if named is EITHER_DATABASE:
            number = crc32(metafunc.function.__name__.encode())
            one = [EVERY_DATABASE[number % len(EVERY_DATABASE)]]
            named = EVERY_DATABASE if THOROUGHLY in os.environ else one
        there = [database for database in named if database in EVERY_DATABASE]
        metafunc.parametrize("database", there, indirect=True)


@contextmanager
def _database_on_the_server(template: str) -> Iterator[str]:
    assert POSTGRES is not None
    name = f"tangle_{uuid4().hex}"
    asyncio.run(_on_the_server(f"CREATE DATABASE {name} TEMPLATE {template}"))
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

    asyncio.run(_opened_and_closed(f"sqlite:///{file}"))
    return file


@pytest.fixture(scope="session")
def template() -> Iterator[str]:
    """The name of a database on the server with the schema and nothing else, to copy."""
    with _database_on_the_server("template1") as address:
        asyncio.run(_opened_and_closed(address))
        name = database_url(address).database
        assert name is not None
        yield name


async def _opened_and_closed(address: str) -> None:
    await (await Store.open(address)).close()


@pytest.fixture
async def store(database: str, migrated: Path) -> AsyncIterator[Store]:
    """An open store on a database of the test's own."""
    if database.startswith("sqlite"):
        shutil.copyfile(migrated, database.removeprefix("sqlite:///"))
    opened = await Store.open(database)
    yield opened
    await opened.close()
    await swift.threads_ended()


@pytest.fixture
async def second_store(database: str, store: Store) -> AsyncIterator[Store]:
    """The same database as a second process would have it open."""
    opened = await Store.open(database)
    yield opened
    await opened.close()
