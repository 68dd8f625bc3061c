"""Pictures are drawn once, even if several ask for one at the same time."""

import asyncio
from collections import Counter
from typing import Any

import pytest

from cogs.core.pictures import Pictures, Shown
from engines.workers import Urgency, Workers
from render.core.canvas import Picture
from tests.discord.stage import DiscordStage

pytestmark = pytest.mark.drawn


class DrawnPictures:
    """Counts what the workers draw."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.pictures: Counter[str] = Counter()
        run_with = Workers.run_with

        async def counted(workers: Workers, urgency: Urgency, work: Any, *args: Any, **kwargs: Any) -> Any:
            if work.__name__ == "_draw":
                self.pictures[args[1]] += 1
            return await run_with(workers, urgency, work, *args, **kwargs)

        monkeypatch.setattr(Workers, "run_with", counted)


@pytest.fixture(autouse=True)
def picture_cache() -> None:
    """Begin each test here with no picture."""


@pytest.fixture
def drawings(monkeypatch: pytest.MonkeyPatch) -> DrawnPictures:
    return DrawnPictures(monkeypatch)


async def test_an_unchanged_board_is_not_redrawn(stage: DiscordStage, drawings: DrawnPictures) -> None:
    place = await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")
    before = drawings.pictures["board"]

    for _ in range(3):
        await stage["Bo"].slash(place, "ribbon board")
    assert drawings.pictures["board"] == before

    await stage.panel_flip("Ann", place)
    assert drawings.pictures["board"] > before


def picture_of(shown: Shown) -> Picture:
    assert isinstance(shown, Picture)
    return shown


async def test_several_requests_share_one_drawing(
    stage: DiscordStage, workers: Workers, drawings: DrawnPictures
) -> None:
    await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")
    pictures = Pictures(workers)
    table, view = await stage.table(), await stage.view()
    before = drawings.pictures["board"]

    boards = await asyncio.gather(*(pictures.board(table, view) for _ in range(4)))

    assert drawings.pictures["board"] == before + 1
    assert len({picture_of(board).png for board in boards}) == 1


async def test_kept_bytes_are_limited(stage: DiscordStage, workers: Workers, drawings: DrawnPictures) -> None:
    await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")
    table, view = await stage.table(), await stage.view()
    size = len(picture_of(await Pictures(workers).board(table, view)).png)
    pictures = Pictures(workers, kept=size // 2)
    before = drawings.pictures["board"]

    for _ in range(2):
        await pictures.board(table, view)

    assert drawings.pictures["board"] == before + 2


async def test_names_change_a_picture(stage: DiscordStage, workers: Workers, drawings: DrawnPictures) -> None:
    await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")
    await stage.open("Ann", "Cy", mode="versus", first="host", ribbon_choice="random")
    pictures = Pictures(workers)
    view = await stage.view()

    one, other = [await pictures.board(await stage.table(number), view) for number in (1, 2)]

    assert picture_of(one).png != picture_of(other).png
