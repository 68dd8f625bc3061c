import asyncio
import logging
import os
import pickle
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from math import inf
from pathlib import Path
from typing import Any

import discord
import pytest
from cachetools import LRUCache

from cogs.core.pictures import CACHE_BYTES, Pictures, _size
from cogs.ui import press as presses
from cogs.ui.page import Kept, Page
from db.connection.writer import DatabaseUnavailable
from db.store import Store
from engines import marks
from engines.registry import SLUGS
from engines.workers import Workers
from render.core.canvas import Picture
from tables.core import downtime
from tables.core.table import Refused, Table
from tests.discord.desk import Desk
from tests.discord.simulation import Memory, Sketchers, be_strict, find_messages_without_nonce
from tests.discord.stage import PEOPLE, DiscordStage, simulation
from tests.discord.ui.nasty import NASTY
from tests.swift import copy_plainly, park_swiftly

PHONE_LETTERS = 25
"""The letters of a menu's title that a phone shows."""
NAMES = re.compile(rf"\b({'|'.join(PEOPLE)})\b")


@pytest.fixture(autouse=True)
def computers(brief_thoughts: None, fixed_secrets: None) -> None:
    """Let computers play quickly: here nobody asks how well. Every run is the same."""


@pytest.fixture(autouse=True)
def no_short_gaps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ignore short gaps: a busy machine's simulated clock may run ahead."""
    monkeypatch.setattr(downtime, "SHORTEST_OUTAGE", 900.0)


@pytest.fixture(autouse=True)
def tireless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn off the flood limit: here people press in no time."""
    monkeypatch.setattr(presses, "PRESSES", 10**6)


@pytest.fixture(autouse=True, scope="session")
def plain_copies() -> Iterator[None]:
    """Replace simulated Discord's copies: it makes up to four of each payload."""
    with pytest.MonkeyPatch.context() as patch:
        copy_plainly(patch)
        park_swiftly(patch)
        be_strict(patch)
        yield


@pytest.fixture(autouse=True)
def no_previews(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make typed moves at once; `test_typed_moves.py` tries the previews."""

    async def preview_nothing(*_: Any) -> None:
        return None

    monkeypatch.setattr("cogs.play.game_cog.preview_page", preview_nothing)


class Gallery(LRUCache[bytes, Picture | None]):
    """The pictures that some test of some process has had drawn, in memory and in a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(CACHE_BYTES, getsizeof=_size)
        self._folder = folder
        folder.mkdir(exist_ok=True)

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or (isinstance(key, bytes) and self._file(key).exists())

    def __missing__(self, key: bytes) -> Picture | None:
        picture: Picture | None = pickle.loads(self._file(key).read_bytes())  # noqa: S301  this class wrote it
        super().__setitem__(key, picture)
        return picture

    def __setitem__(self, key: bytes, picture: Picture | None) -> None:
        super().__setitem__(key, picture)
        unfinished = self._folder / f"{key.hex()}.{os.getpid()}"
        unfinished.write_bytes(pickle.dumps(picture))
        unfinished.rename(self._file(key))

    def _file(self, key: bytes) -> Path:
        return self._folder / key.hex()


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def galleries(run_folder: Path) -> dict[bool, Gallery]:
    """Return the drawn pictures of all tests, and the sketched ones.

    Flows begin alike, and drawing is most of their cost.
    """
    return {True: Gallery(run_folder / "drawn"), False: Gallery(run_folder / "sketched")}


@pytest.fixture(scope="session")
def sketchers(workers: Workers, run_folder: Path) -> Iterator[Sketchers]:
    pool = Sketchers(workers, Memory(run_folder / "remembered"))
    asyncio.run(pool.start())
    yield pool
    pool.close()


@pytest.fixture
def is_drawn(request: pytest.FixtureRequest) -> bool:
    return request.node.get_closest_marker("drawn") is not None


@pytest.fixture(autouse=True)
def picture_cache(monkeypatch: pytest.MonkeyPatch, galleries: dict[bool, Gallery], is_drawn: bool) -> None:
    """Reuse the pictures that an earlier test has drawn or sketched."""
    init, gallery = Pictures.__init__, galleries[is_drawn]

    def shared(pictures: Pictures, workers: Workers, kept: int = CACHE_BYTES) -> None:
        init(pictures, workers, kept)
        if kept == CACHE_BYTES:
            pictures._kept = gallery

    monkeypatch.setattr(Pictures, "__init__", shared)


@pytest.fixture(autouse=True)
def labels(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Check that every message's labels make sense alone and in order."""
    made, puzzling = Page.view, list[str]()

    def looked_at(page: Page, kept: Kept | None = None) -> discord.ui.LayoutView:
        layout = made(page, kept)
        puzzling.extend(unclear(layout))
        return layout

    monkeypatch.setattr(Page, "view", looked_at)
    yield
    assert not puzzling


def unclear(layout: discord.ui.LayoutView) -> Iterator[str]:
    """Yield labels without a word, duplicates, and long titles."""
    items = list(layout.walk_children())
    buttons = [item.label or "" for item in items if isinstance(item, discord.ui.Button)]
    menus = [item for item in items if isinstance(item, discord.ui.Select)]
    titles = [menu.placeholder or "" for menu in menus]
    for labels_ in [buttons, titles, *([option.label for option in menu.options] for menu in menus)]:
        ours = [label for label in labels_ if label not in NASTY]
        yield from (f"{label!r} of {labels_}" for label in ours if not any(map(str.isalnum, label)))
        yield from (f"{label!r} twice in {labels_}" for label, n in Counter(labels_).items() if n > 1)
    for menu in menus:
        press, title = presses.parse(menu.custom_id), menu.placeholder or ""
        if press is not None and press.room in SLUGS and len(title) > PHONE_LETTERS:
            yield f"a phone shows {title[:PHONE_LETTERS]!r} of {title!r}"


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count skipped time as passed: the bot is never away."""
    monkeypatch.setattr(downtime, "SHORTEST_OUTAGE", inf)


@pytest.fixture
def bare_names(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Check that every sentence of every flow quotes the names in it.

    A test that shows sentences of its own clears what was found.
    """
    rewrite, run, bare_names = marks.rewrite, Workers.run, list[str]()

    async def run_here(workers: Workers, work: Callable[..., Any], *args: Any, **named: Any) -> Any:
        # A worker doesn't know of HARMLESS here.
        if work.__module__.startswith("cogs.tesla"):
            return work(*args, **named)
        return await run(workers, work, *args, **named)

    def looked_at(text: str, ours: Callable[[str], str], theirs: Callable[[str], str] = str) -> str:
        def noted(part: str) -> str:
            bare_names.extend([text] if NAMES.search(part) else [])
            return ours(part)

        return rewrite(text, noted, theirs)

    monkeypatch.setattr(marks, "rewrite", looked_at)
    monkeypatch.setattr(marks, "HARMLESS", re.compile("(?!)"))
    monkeypatch.setattr(Workers, "run", run_here)
    yield bare_names
    assert not bare_names, "people are named without `quote`"


@pytest.fixture
def drawers(request: pytest.FixtureRequest, is_drawn: bool) -> Workers:
    drawing: Workers = request.getfixturevalue("workers" if is_drawn else "sketchers")
    return drawing


@pytest.fixture
async def stage(
    store: Store, drawers: Workers, bare_names: list[str], caplog: pytest.LogCaptureFixture
) -> AsyncIterator[DiscordStage]:
    """Yield a server in which the bot runs on a fresh database.

    A test fails when the bot logs an error that it doesn't announce with `stage.trouble`.
    """
    env = await simulation(store, drawers)
    try:
        playing = DiscordStage(env)
        yield playing
        errors = [getattr(error, "original", error) for error in env.errors]
        announced = (DatabaseUnavailable, discord.HTTPException) if playing.trouble else ()
        assert [error for error in errors if not isinstance(error, (Refused, *announced))] == []
        logged = [r.getMessage() for r in caplog.get_records("call") if r.levelno >= logging.ERROR]
        assert playing.trouble or logged == []
        assert find_messages_without_nonce(env.backend) == []
        assert not playing.marked, "a mark was shown instead of what it marks"
    finally:
        await env.shutdown()


@pytest.fixture
async def place(stage: DiscordStage) -> Any:
    """Return the thread of a versus game in which Ann goes first."""
    return await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")


@pytest.fixture
async def desk(store: Store, drawers: Workers, bare_names: list[str]) -> AsyncIterator[Desk]:
    """Yield a table without Discord, for what a panel shows."""
    desk = Desk(store, drawers)
    yield desk
    await desk.parlour.close()


@pytest.fixture
async def table(desk: Desk) -> Table:
    """Return a versus game at the desk in which Ann goes first."""
    return await desk.open("Ann", "Bo", game="ribbon", mode="versus", first="host", ribbon_choice="random")
