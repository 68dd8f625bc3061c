"""A table that can't be shown: it is closed again, and neither counts for anybody nor is in the way."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from db.connection.availability import DatabaseUnavailable
from tests.discord.review.test_taking import kitchen
from tests.discord.stage import DiscordStage, pick, read_message

Way = Callable[[DiscordStage, Any], Awaitable[Any]]
WAYS: dict[str, Way] = {
    "command": lambda stage, _: stage["Ann"].slash(stage.channel, "ribbon new"),
    "with computers": lambda stage, _: stage["Ann"].slash(stage.channel, "ribbon new", computers=1),
    "lesson": lambda stage, _: stage["Ann"].slash(stage.channel, "ribbon learn"),
    "deal by hand": lambda stage, _: stage["Ann"].slash(
        stage.channel, "table import", file=("deal.json", kitchen())
    ),
    "fork": lambda stage, _: stage["Ann"].slash(stage.channel, "table fork", at=1, table=1),
}


@pytest.fixture
async def over(stage: DiscordStage) -> Any:
    """Return the thread of a finished game of Ann and Bo."""
    place = await stage.open("Ann", "Bo", mode="coop", first="host")
    await stage.finish(place)
    return place


def unreachable(stage: DiscordStage) -> None:
    """Make Discord refuse all answers and messages."""
    stage.trouble = True
    for route in ("/interactions/*/callback", "/channels/*/messages", "/webhooks/*"):
        stage.env.inject_error(
            "POST", route, status=403, code=50013, message="Missing Permissions", times=None
        )


@pytest.mark.parametrize("way", WAYS)
async def test_a_table_that_cannot_be_shown_is_closed_again(stage: DiscordStage, over: Any, way: str) -> None:
    unreachable(stage)

    await WAYS[way](stage, over)

    assert (await stage.table(2)).phase == "closed"
    assert await stage.bot.app.parlour.store.tables_in(stage.guild.id, ("lobby", "play"), 10) == []


async def test_a_closed_lobby_names_who_sat_there_and_no_free_seat(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.trouble = True

    async def full(*_: Any) -> None:
        raise DatabaseUnavailable("no space left", "full")

    with monkeypatch.context() as broken:
        broken.setattr(stage.bot.app.parlour.lobby, "add_computer", full)
        await stage["Ann"].slash(stage.channel, "ribbon learn")
    await stage["Ann"].slash(stage.channel, "table import", file=("deal.json", kitchen()))
    await stage["Ann"].click(stage.card().message, label="Cancel")

    listed = read_message((await stage.admin.slash(stage.channel, "admin tables", which="closed")).response)
    offered = await stage["Ann"].autocomplete(stage.channel, "table show", "table", "")

    assert (await stage.table(1)).names == ["Ann", ""]
    assert listed.text.count(" with Ann · closed") == 2
    assert [one["description"] for one in listed.menus["choose"]["options"]] == ["Ann", "Ann"]
    assert sorted(one["name"] for one in offered) == ["1 · Ribbon Tangle: Ann", "2 · Ribbon Tangle: Ann"]


async def test_after_a_rematch_that_was_closed_there_may_be_another(stage: DiscordStage, over: Any) -> None:
    end = stage.post(over).message
    await stage["Ann"].click(end, label="Rematch")
    await stage["Ann"].click(stage.card().message, label="Cancel")

    await stage["Bo"].click(end, label="Rematch")

    assert (await stage.table(3)).phase == "lobby"
    assert (await stage.table(3)).names == ["Bo", "Ann"]


async def test_a_lesson_has_its_computer_where_computers_are_off(stage: DiscordStage) -> None:
    await stage.admin.slash(stage.channel, "admin config", computers=False)

    await stage["Ann"].slash(stage.channel, "tesla learn")
    refused = await stage["Ann"].slash(stage.channel, "tesla new", computers=1)

    assert (await stage.table(1)).phase == "play"
    assert "Computer players are off" in refused.response.content


async def test_a_table_of_a_match_whose_card_cannot_be_asked_for_is_closed_again(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = await stage["Ann"].slash(stage.channel, "looking")
    await pick(stage["Ann"], mine.response, "games", "tesla")
    theirs = await stage["Bo"].slash(stage.channel, "looking")

    async def full(*_: Any, **__: Any) -> None:
        raise DatabaseUnavailable("no space left", "full")

    monkeypatch.setattr(stage.bot.app.parlour, "refresh", full)
    await pick(stage["Bo"], theirs.response, "games", "tesla")

    assert (await stage.table(1)).phase == "closed"
