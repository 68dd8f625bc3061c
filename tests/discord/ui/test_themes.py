"""Pictures are light or dark: as each person likes in private, and as a server likes in posts."""

from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from cogs.core.pictures import Pictures
from engines.workers import Workers
from render.core.canvas import Picture
from render.core.theme import DARK, LIGHT, Rgb
from tests.discord.stage import DiscordStage, read_message

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


async def test_one_press_changes_a_persons_theme_and_another_changes_it_back(stage: DiscordStage) -> None:
    answer = await stage["Ann"].slash(stage.channel, "me settings")
    assert "**Pictures**: light" in read_message(answer.response).text

    await stage["Ann"].click(answer.response, label="Make pictures dark")
    assert "**Pictures**: dark" in read_message(answer.response).text
    await stage["Ann"].click(answer.response, label="Make pictures light")

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


async def test_a_result_and_a_replay_are_in_the_servers_theme_and_in_the_askers(stage: DiscordStage) -> None:
    await stage.admin.slash(stage.channel, "admin config", theme="dark")
    place = await open_table(stage)
    await stage.finish(place)

    pictures = [one for post in stage.posts(place) for one in post.message.attachments]
    assert pictures[-1].filename == "result.png"
    assert {paper_of(await one.read()) for one in pictures} == {DARK.paper}
    replay = await stage["Ann"].click(stage.post(place).message, label="Replay")
    with Image.open(BytesIO(await replay.response.attachments[0].read())) as film:
        assert film.convert("RGB").getpixel((5, film.height - 5)) == LIGHT.paper


async def test_the_cache_keeps_a_picture_for_each_theme(stage: DiscordStage, workers: Workers) -> None:
    await open_table(stage)
    table, view = await stage.table(), await stage.view()
    light = Pictures(workers)
    dark = light.in_theme("dark").for_posts()

    boards = [await pictures.board(table, view) for pictures in (light, dark, light, dark)]

    papers = [paper_of(board.png) for board in boards if isinstance(board, Picture)]
    assert papers == [LIGHT.paper, DARK.paper, LIGHT.paper, DARK.paper]
    assert boards[0] is boards[2]
    assert boards[1] is boards[3]
