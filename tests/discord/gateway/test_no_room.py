"""A table that gets no thread, or whose thread is locked, goes on in its channel; else its clocks stand."""

from typing import Any

import discord
import pytest
from simcord.backend.models.channel import Overwrite
from simcord.enums import OverwriteType

from tables.clocks.pace import DAY, HOUR
from tables.core.table import BoardObstacle
from tests.discord.stage import DiscordStage, read_message

pytestmark = [pytest.mark.usefixtures("patient"), pytest.mark.slow]
THREADS = "/channels/*/messages/*/threads"
OPTIONS: dict[str, Any] = {"mode": "versus", "first": "host", "ribbon_choice": "random", "pace": "daily"}


def forbid(stage: DiscordStage, *names: str) -> None:
    bot = stage.env.backend.bot_user.id
    denied = discord.Permissions(**dict.fromkeys(names, True)).value
    taken = [Overwrite(bot, OverwriteType.MEMBER, deny=denied)] if names else []
    stage.env.backend.edit_channel(stage.channel.id, {}, overwrites=taken)


def lock(stage: DiscordStage, place: Any) -> None:
    """Lock a thread: Discord answers every post there with a missing permission."""
    stage.env.backend.edit_channel(place.id, {}, thread_metadata={"locked": True})
    stage.env.inject_error("POST", f"/channels/{place.id}/messages", status=403, code=50013, times=None)


@pytest.mark.parametrize(("status", "code"), [(400, 160006), (403, 50013), (403, 50001)])
async def test_without_room_for_a_thread_the_game_goes_on_in_the_channel(
    stage: DiscordStage, status: int, code: int
) -> None:
    stage.env.inject_error("POST", THREADS, status=status, code=code, times=None)
    await stage["Ann"].slash(stage.channel, "ribbon new", **OPTIONS)
    await stage["Bo"].click(stage.card().message, label="Join")
    await stage["Ann"].click(stage.card().message, label="Start")

    board = stage.post(stage.channel)
    assert "Take turn" in board.buttons
    assert (await stage.table()).obstacle is None
    assert any(
        "can't have a thread, so the game continues here" in one.text for one in stage.posts(stage.channel)
    )
    assert "The game is running below." in stage.card().text

    stage.env.backend.faults.clear()
    await stage.panel_flip("Ann", stage.channel)
    assert "Ann flips" in stage.post(stage.channel).text
    assert stage.channel.threads == []


@pytest.mark.parametrize(("status", "code"), [(403, 50013), (400, 160005)])
async def test_a_game_whose_thread_is_locked_goes_on_in_the_channel(
    stage: DiscordStage, status: int, code: int
) -> None:
    place = await stage.open("Ann", "Bo", **OPTIONS)
    lock(stage, place)
    stage.env.backend.faults.clear()
    stage.env.inject_error("POST", f"/channels/{place.id}/messages", status=status, code=code, times=None)

    await stage["Ann"].slash(stage.channel, "ribbon choose", choice="flip 3", table=1)

    assert " at 3 " in stage.post(stage.channel).text
    assert any(
        "Its thread is locked, so the game continues here" in p.text for p in stage.posts(stage.channel)
    )
    assert (await stage.table()).obstacle is None


async def test_a_thread_is_made_in_an_announcement_channel_whose_card_is_gone(stage: DiscordStage) -> None:
    news = stage.guild.create_news_channel("news")
    await stage["Ann"].slash(stage.channel, "ribbon new", mode="coop", computers=1)
    await stage["Ann"].click(stage.card().message, label="Start")

    await stage.admin.slash(stage.channel, "admin move", channel=news, table=1)
    await stage.env.advance_time(30)

    (thread,) = news.threads
    assert "Take turn" in stage.post(thread).buttons


async def block_board(stage: DiscordStage) -> Any:
    """Return a game whose board can't be shown anywhere any more."""
    place = await stage.open("Ann", "Bo", **OPTIONS)
    forbid(stage, "send_messages", "send_messages_in_threads")
    await stage["Ann"].slash(stage.channel, "ribbon choose", choice="flip 3", table=1)
    await stage["Ann"].slash(stage.channel, "ribbon end", table=1)
    await stage.env.advance_time(120)
    return place


async def test_every_command_says_what_is_wrong_and_what_to_do(stage: DiscordStage) -> None:
    await block_board(stage)

    assert (await stage.table()).obstacle is BoardObstacle.NO_PERMISSION
    shown = await stage["Bo"].slash(stage.channel, "table show", table=1)
    mine = await stage["Bo"].slash(stage.channel, "mine")
    tables = await stage.admin.slash(stage.channel, "admin tables")
    for text in (read_message(shown.response).text, read_message(mine.response).text, stage.card().text):
        assert "I can't show the board. I can't post in" in text
    assert "I can't show the board" in read_message(tables.response).text


async def test_each_player_hears_of_it_by_dm_once(stage: DiscordStage) -> None:
    await block_board(stage)
    for _ in range(4):
        await stage.env.advance_time(2000)

    for name in ("Ann", "Bo"):
        lines = [read_message(one).text for one in stage[name].user.dm_channel.history()]
        assert len([text for text in lines if "I can't show the board" in text]) == 1


async def test_nobody_is_late_while_the_board_cannot_be_shown(stage: DiscordStage) -> None:
    await block_board(stage)

    await stage.wait(9 * DAY)
    table = await stage.table()
    assert table.obstacle is not None
    assert all(clock.late is None for clock in table.clocks)

    forbid(stage)
    await stage.wait(HOUR)
    await stage.env.advance_time(60)
    table = await stage.table()
    assert table.obstacle is None
    assert all(clock.late is None for clock in table.clocks)
    with stage.env.time_context():
        [waited] = await stage.bot.app.parlour.waited_people(table)
    assert waited.left == pytest.approx(2 * DAY, abs=2 * HOUR)


async def test_it_goes_on_by_itself_when_the_board_can_be_shown_again(stage: DiscordStage) -> None:
    place = await block_board(stage)
    before = len(stage.posts(place))

    forbid(stage)
    await stage.wait(HOUR)
    await stage.env.advance_time(60)

    assert len(stage.posts(place)) == before + 1
    assert " at 3 " in stage.post(place).text
    assert "I can't show the board" not in stage.card().text
    assert "Bo has until" in stage.post(place).text


async def test_a_board_that_fails_for_a_moment_stops_no_clock(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", **OPTIONS)
    stage.env.inject_error("POST", "/channels/*", status=403, code=50013, times=2)

    await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")
    await stage.env.advance_time(60)

    assert (await stage.table()).obstacle is None
