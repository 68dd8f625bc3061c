import asyncio
import gc
import os
import re
import shutil
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any, ParamSpec, TypeVar
from zlib import crc32

import pytest
from xdist.scheduler import LoadScopeScheduling

from db import condition
from db.store import Store
from engines.registry import SLUGS
from engines.workers import Urgency, Workers
from tests import swift, tiers
from tests.often import THOROUGHLY
from tests.served import POSTGRES, SharedDatabase, create_schema, own_database
from tests.thinking import shorten_thoughts, think_briefly

P = ParamSpec("P")
R = TypeVar("R")
TESTS = Path(__file__).parent
STANDING = {"ribbon", "tesla"}
"""The games that represent all others in tests of what is no game's own: one is played alone and quickly, in
the other hands are hidden.
"""
WHOLE = re.compile(
    r"(tests/(?:browser/test_page|program/test_database_troubles|render/\w+/test_pictures|strict/test_flows"
    r"|test_language)\.py)::"
)
"""Modules whose tests share what takes long to make: one process runs them all.

The markers of pytest-xdist 3.8 for that do nothing under pytest 9.2, which keeps names of tests elsewhere.
"""
APART = 60
"""The number of other tests between two that drive a browser."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--game", choices=SLUGS, help="run the tests of one game alone")
    parser.addoption("--tier", choices=tiers.TIERS, default="test", help="how much of the suite to run")
    parser.addoption("--record-costs", action="store_true", help="write tests/costs.toml")
    parser.addoption("--thorough", action="store_true", help="leave nothing out, and take long samples")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--thorough"):
        os.environ[THOROUGHLY] = "1"
    config.pluginmanager.register(tiers.Tiers(config))


def pytest_collection(session: pytest.Session) -> None:
    """Load a share of the modules first: their asserts are rewritten once.

    That takes longer than all else of the collection, and each process would do it. What fails here fails
    again later.
    """
    worker: dict[str, Any] = getattr(session.config, "workerinput", {})
    if not worker or session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    number = int(worker["workerid"].removeprefix("gw"))
    for file in sorted(TESTS.rglob("test_*.py"))[number :: worker["workercount"]]:
        with suppress(Exception):
            import_module(".".join(file.relative_to(TESTS.parent).with_suffix("").parts))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests of other games and thorough ones."""
    slug = config.getoption("--game")
    if slug is not None:
        tiers.leave_out(config, items, [item for item in items if not is_about(item, slug)])
    if THOROUGHLY not in os.environ:
        tiers.leave_out(config, items, [item for item in items if item.get_closest_marker("thorough")])
        if slug is None:
            tiers.leave_out(config, items, [item for item in items if has_stand_in(item)])
    items[:] = spread_browser_tests(items)


def spread_browser_tests(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Spread tests that drive a browser: they wait more than they work."""
    driving = [item for item in items if "browser" in getattr(item, "fixturenames", ())]
    ordered = [item for item in items if item not in driving]
    for number, item in enumerate(driving):
        ordered.insert(number * APART, item)
    return ordered


def pytest_collection_finish() -> None:
    """Freeze loaded objects and make garbage collections rare.

    There are many objects, and scanning them again and again takes longer than many a test.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)


def has_stand_in(item: pytest.Item) -> bool:
    """Return True if another game represents this one in a general test."""
    if item.get_closest_marker("any_game") is None or not isinstance(item, pytest.Function):
        return False
    given = item.callspec.params.values() if hasattr(item, "callspec") else ()
    named = [getattr(one, "slug", one) for one in given]
    return any(isinstance(name, str) and name in set(SLUGS) - STANDING for name in named)


def is_about(item: pytest.Item, slug: str) -> bool:
    """Return True if a test is the game's own, or takes it."""
    where, _, given = item.nodeid.partition("::")
    return slug in re.findall("[a-z]+", where) + re.findall("[a-z]+", given.partition("[")[2])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Start one process more than there are processors: browser tests mostly wait.

    A quick run needs fewer: nothing waits, and each process has to load and collect everything.
    """
    return (os.cpu_count() or 1) + int(config.getoption("--tier") != "quick")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Hand out tests one by one; those that share a game together."""
    scheduling = LoadScopeScheduling(config, log)
    scheduling._split_scope = together
    return scheduling


def together(nodeid: str) -> str:
    """Return the group of tests that run in one process.

    It is the end of a parameter like ``ribbon@played``, or a module that stays whole.

    >>> together("test_a.py::test_a[weak-ribbon@played]"), together("test_a.py::test_b[weak-ribbon]")
    ('ribbon@played', 'test_a.py::test_b[weak-ribbon]')
    >>> together("tests/strict/test_flows.py::test_a"), together("tests/strict/test_flows.py::test_b[3]")
    ('tests/strict/test_flows.py', 'tests/strict/test_flows.py')
    """
    shared = re.search(r"(\w+@\w+)\]$", nodeid) or WHOLE.match(nodeid)
    return nodeid if shared is None else shared[1]


class SharedWorkers(Workers):
    """Workers that many tests use, each in its own event loop."""

    async def run_with(self, urgency: Urgency, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """First free all workers if a closed loop has left work: it never ends."""
        if any(task.get_loop().is_closed() for task in self._tasks):
            self._tasks.clear()
            self._waiting.clear()
            self._busy = dict.fromkeys(Urgency, 0)
            self._idle = list(self._workers)
        return await super().run_with(urgency, work, *args, **kwargs)


@pytest.fixture(scope="session")
def workers() -> Iterator[Workers]:
    """Yield one pool of worker processes for the whole run.

    Starting one takes longer than most tests. Computers think briefly in it.
    """
    pool = SharedWorkers(1)
    asyncio.run(pool.run(think_briefly))
    yield pool
    pool.close()


@pytest.fixture
def fixed_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the tables' secrets from a counter: every run is the same."""
    numbers = count(1)
    for drawing in ("tables.lobby.decisions.secret", "tables.daily.secret"):
        monkeypatch.setattr(
            drawing, lambda: (next(numbers).to_bytes(32, "big"), next(numbers).to_bytes(16, "big"))
        )


@pytest.fixture
def brief_thoughts(monkeypatch: pytest.MonkeyPatch) -> None:
    shorten_thoughts(monkeypatch)


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Yield an empty database's address: a file, unless a server was requested."""
    if getattr(request, "param", "sqlite") == "sqlite":
        yield f"sqlite:///{tmp_path}/parlour.db"
    elif "store" in request.fixturenames:
        shared: SharedDatabase = request.getfixturevalue("server_database")
        address = shared.empty()
        if request.node.get_closest_marker("as_in_use") is not None:
            shared.disconnect()
        yield address
    else:
        with own_database() as address:
            yield address


@pytest.fixture(autouse=True)
def swift_databases(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip waiting for the disk, except in tests about that."""
    if request.node.get_closest_marker("as_in_use") is None:
        swift.hurry(monkeypatch)


EVERY_DATABASE = ["sqlite", "postgresql"] if POSTGRES else ["sqlite"]
EITHER_DATABASE: list[str] = []
"""For `DATABASES` of a module whose tests make sense on both, while `tests/db` tries the statements on both.

In `make test` one test in `ON_THE_SERVER` runs on the server, where it takes three times as long, and the
others on a file; in a thorough run each runs on both.
"""
ON_THE_SERVER = 4


def on_every_database(metafunc: pytest.Metafunc) -> None:
    """Run a room's tests on PostgreSQL too if there is a server.

    It is the room's `pytest_generate_tests`. A module whose tests make sense on one of the two names it in
    `DATABASES`, a single test in its mark `databases`; tests for a missing server are skipped.
    """
    _on_databases(metafunc, EVERY_DATABASE)


def on_sqlite(metafunc: pytest.Metafunc) -> None:
    """Run a room's tests on SQLite, except modules with their own `DATABASES`."""
    _on_databases(metafunc, ["sqlite"])


def _on_databases(metafunc: pytest.Metafunc, usual: list[str]) -> None:
    if "database" in metafunc.fixturenames:
        marked = metafunc.definition.get_closest_marker("databases")
        named = marked.args[0] if marked is not None else getattr(metafunc.module, "DATABASES", usual)
        if named is EITHER_DATABASE:
            on_the_server = crc32(metafunc.function.__name__.encode()) % ON_THE_SERVER == 0
            one = EVERY_DATABASE[-1:] if on_the_server else ["sqlite"]
            named = EVERY_DATABASE if THOROUGHLY in os.environ else one
        there = [database for database in named if database in EVERY_DATABASE]
        metafunc.parametrize("database", there, indirect=True)


@pytest.fixture(scope="session")
def schema_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an empty file with the schema to copy: migrating takes long."""
    file = tmp_path_factory.mktemp("migrated") / "parlour.db"

    asyncio.run(create_schema(f"sqlite:///{file}"))
    return file


@pytest.fixture(scope="session")
def server_database() -> Iterator[SharedDatabase]:
    shared = SharedDatabase()
    yield shared
    shared.close()


@pytest.fixture
async def store(request: pytest.FixtureRequest, database: str, schema_file: Path) -> AsyncIterator[Store]:
    if database.startswith("sqlite"):
        shutil.copyfile(schema_file, database.removeprefix("sqlite:///"))
    opened = await _open_store(request, database)
    yield opened
    await opened.close()
    await swift.threads_ended()


@pytest.fixture
async def second_store(request: pytest.FixtureRequest, database: str, store: Store) -> AsyncIterator[Store]:
    """Yield the same database as a second process would open it."""
    opened = await _open_store(request, database)
    yield opened
    await opened.close()


async def _open_store(request: pytest.FixtureRequest, database: str) -> Store:
    in_use = request.node.get_closest_marker("as_in_use") is not None
    return await Store.open(database) if in_use else swift.open_migrated(database)


NEXT_MIGRATION = """
import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "{next}", "{newest}", None, None


def upgrade() -> None:
    op.add_column("people", sa.Column("motto", sa.Text(), server_default="none yet", nullable=False))


def downgrade() -> None:
    op.drop_column("people", "motto")
"""
"""A migration that adds a setting of people."""


@pytest.fixture
def next_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Make this program know the next version of the schema, too: every database is older."""
    newest = condition.revisions()[0]
    version = f"{int(newest) + 1:04}"
    (tmp_path / f"{version}_mottos.py").write_text(NEXT_MIGRATION.format(next=version, newest=newest))
    monkeypatch.setattr(condition, "VERSION_FOLDERS", [*condition.VERSION_FOLDERS, tmp_path])
    condition.revisions.cache_clear()
    yield version
    monkeypatch.undo()
    condition.revisions.cache_clear()
