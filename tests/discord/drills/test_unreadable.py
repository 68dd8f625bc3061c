"""A table that can't be read: its people and administrators read that, everybody else plays on."""

from typing import Any

import pytest
from sqlalchemy import text

from tests.discord.stage import DiscordStage, read_message

UNREADABLE = "I can't read this table; the bot's operator has been told."


@pytest.fixture
async def places(stage: DiscordStage) -> tuple[Any, Any]:
    """Open a table and damage its row, and open another beside it."""
    broken = await stage.open("Ann", "Bo", mode="coop", first="host")
    healthy = await stage.open("Cy", "Dee", mode="coop", first="host")
    store = stage.bot.app.parlour.store
    await store._execute(text("update tables set clocks = '{' where id = 1"))
    stage.trouble = True
    await stage.restart()
    return broken, healthy


async def test_its_people_and_administrators_read_that(stage: DiscordStage, places: tuple[Any, Any]) -> None:
    broken, _ = places

    _, panel = await stage.panel("Ann", broken)
    assert panel.text == UNREADABLE
    typed = await stage["Bo"].slash(broken, "table show", table=1)
    assert typed.response.content == UNREADABLE
    asked = await stage.admin.slash(stage.channel, "admin close", table=1)
    assert asked.response.content == UNREADABLE


async def test_lists_leave_it_out(stage: DiscordStage, places: tuple[Any, Any]) -> None:
    for who, command in (("Ann", "table list"), ("Cy", "table list"), ("Ann", "mine"), ("Cy", "mine")):
        shown = read_message((await stage[who].slash(stage.channel, command)).response)
        assert "Sorry" not in shown.text
        assert ("able 2" in shown.text) == (command == "table list" or who == "Cy")
    listed = read_message((await stage.admin.slash(stage.channel, "admin tables")).response)
    assert "able 2" in listed.text


async def test_the_others_play_on(stage: DiscordStage, places: tuple[Any, Any]) -> None:
    _, healthy = places

    await stage["Cy"].slash(healthy, "ribbon choose", choice="flip 1")

    assert (await stage.table(2)).version > 2
