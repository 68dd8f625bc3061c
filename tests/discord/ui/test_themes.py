"""Pictures are light or dark as people and servers like, and drawn once even if several ask for one."""

import asyncio
from collections import Counter
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from cogs.core.pictures import Pictures, Shown
from engines.workers import Urgency, Workers
from render.core.canvas import Picture, draw
from render.core.theme import DARK, LIGHT, Rgb
from tests.discord.stage import DiscordStage, fill, read_message

pytestmark = pytest.mark.drawn


def paper_of(png: bytes) -> Rgb:
    with Image.open(BytesIO(png)) as image:
        shown = image.convert("RGB").getpixel((1, 1))
    assert isinstance(shown, tuple)
    return shown[0], shown[1], shown[2]


async def paper(message: Any) -> Rgb:
    (attachment,) = message.attachments
    return paper_of(await attachment.read())


async def open_table(stage: DiscordStage) -> Any:
    return await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")


async def test_a_persons_panels_answers_and_dms_are_dark(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "me theme", theme="dark")
    place = await open_table(stage)
    panel, _ = await stage.panel("Ann", place)
    answer = await stage["Ann"].slash(place, "ribbon board")
    others = await stage["Bo"].slash(place, "ribbon board")

    dm = stage["Ann"].user.dm_channel.history()[-1]
    assert [await paper(one) for one in (panel.response, answer.response, dm)] == [DARK.paper] * 3
    assert await paper(others.response) == await paper(stage.post(place).message) == LIGHT.paper


async def test_a_form_changes_a_persons_theme_and_changes_it_back(stage: DiscordStage) -> None:
    answer = await stage["Ann"].slash(stage.channel, "me settings")
    assert "**Pictures**: light" in read_message(answer.response).text

    await fill(stage["Ann"], answer.response, "Pictures, words and privacy", theme="dark")
    assert "**Pictures**: dark" in read_message(answer.response).text
    await fill(stage["Ann"], answer.response, "Pictures, words and privacy", theme="light")

    assert (await stage.bot.app.parlour.people.person(stage["Ann"].id)).theme == "light"


async def test_a_servers_posts_are_dark_and_private_pictures_are_not(stage: DiscordStage) -> None:
    changed = await stage.admin.slash(stage.channel, "admin config", theme="dark")
    assert "**Pictures in posts**: dark (was: light)" in read_message(changed.response).text

    place = await open_table(stage)
    answer, _ = await stage.panel("Ann", place)
    assert await paper(stage.post(place).message) == DARK.paper
    assert await paper(answer.response) == LIGHT.paper

    await stage.panel_flip("Ann", place)
    assert await paper(stage.post(place).message) == DARK.paper

    await stage.finish(place)

    pictures = [one for post in stage.posts(place) for one in post.message.attachments]
    assert pictures[-1].filename == "result.png"
    assert {paper_of(await one.read()) for one in pictures} == {DARK.paper}
    replay = await stage["Ann"].click(stage.post(place).message, label="Replay")
    with Image.open(BytesIO(await replay.response.attachments[0].read())) as film:
        assert film.convert("RGB").getpixel((5, film.height - 5)) == LIGHT.paper


async def test_the_cache_keeps_pictures_by_theme_and_name(stage: DiscordStage, workers: Workers) -> None:
    await open_table(stage)
    table, view = await stage.table(), await stage.view()
    light = Pictures(workers)
    dark = light.in_theme("dark").for_posts()

    boards = [await pictures.board(table, view) for pictures in (light, dark, light, dark)]

    papers = [paper_of(board.png) for board in boards if isinstance(board, Picture)]
    assert papers == [LIGHT.paper, DARK.paper, LIGHT.paper, DARK.paper]
    assert boards[0] is boards[2]
    assert boards[1] is boards[3]

    await stage.open("Ann", "Cy", mode="versus", first="host", ribbon_choice="random")
    pictures = Pictures(workers)
    view = await stage.view()

    one, other = [await pictures.board(await stage.table(number), view) for number in (1, 2)]

    assert picture_of(one).png != picture_of(other).png


class DrawnPictures:
    """Counts what the workers draw."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.pictures: Counter[str] = Counter()
        run_with = Workers.run_with

        async def counted(workers: Workers, urgency: Urgency, work: Any, *args: Any, **kwargs: Any) -> Any:
            if work is draw:
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
    place = await open_table(stage)
    before = drawings.pictures["board"]

    for _ in range(3):
        await stage["Bo"].slash(place, "ribbon board")
    assert drawings.pictures["board"] == before

    await stage.panel_flip("Ann", place)
    assert drawings.pictures["board"] > before


def picture_of(shown: Shown) -> Picture:
    assert isinstance(shown, Picture)
    return shown


async def test_several_requests_share_one_drawing_and_kept_bytes_are_limited(
    stage: DiscordStage, workers: Workers, drawings: DrawnPictures
) -> None:
    await open_table(stage)
    pictures = Pictures(workers)
    table, view = await stage.table(), await stage.view()
    before = drawings.pictures["board"]

    boards = await asyncio.gather(*(pictures.board(table, view) for _ in range(4)))

    assert drawings.pictures["board"] == before + 1
    assert len({picture_of(board).png for board in boards}) == 1

    size = len(picture_of(await Pictures(workers).board(table, view)).png)
    pictures = Pictures(workers, kept=size // 2)
    before = drawings.pictures["board"]

    for _ in range(2):
        await pictures.board(table, view)

    assert drawings.pictures["board"] == before + 2
