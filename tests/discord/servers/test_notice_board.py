import logging
from typing import Any

import discord
import pytest

from cogs.servers import audit, notice_board
from tables.clocks.pace import DAY, HOUR
from tables.servers.audit import entry_of
from tests.discord.stage import DiscordStage, ShownMessage, read_message

pytestmark = [pytest.mark.usefixtures("patient")]


@pytest.fixture
def news(stage: DiscordStage) -> Any:
    return stage.guild.create_text_channel("news")


@pytest.fixture
async def board(stage: DiscordStage, news: Any) -> Any:
    await stage.admin.slash(stage.channel, "admin board", channel=news)
    return news


def find_board(stage: DiscordStage, place: Any) -> ShownMessage:
    [only] = stage.posts(place)
    return only


async def minute(stage: DiscordStage) -> None:
    await stage.env.advance_time(70)


def edits(stage: DiscordStage, place: Any) -> int:
    prefix = f"/channels/{place.id}/messages/"
    return sum(r.method == "PATCH" and r.path.startswith(prefix) for r in stage.env.http_requests)


async def audit_lines(stage: DiscordStage) -> list[str]:
    """Return the audit log, newest first."""
    rows = await stage.bot.app.parlour.store.administration.audit(stage.guild.id)
    return [audit.line(entry_of(row)).split("> ", 2)[2] for row in rows]


async def test_a_board_is_put_up_with_permissions_only_and_taken_away(stage: DiscordStage, news: Any) -> None:
    stage.allow_admin(stage.guild.default_role)
    denied = discord.PermissionOverwrite(send_messages=False)
    silent = stage.guild.create_text_channel("silent", overwrites={stage.guild.default_role: denied})

    refused = await stage["Ann"].slash(stage.channel, "admin board", channel=news)
    answer = await stage.admin.slash(stage.channel, "admin board", channel=silent)

    assert "Only this server's admins can do that" in refused.response.content
    assert stage.posts(news) == []
    assert "I need View Channel, Send Messages" in answer.response.content
    assert await audit_lines(stage) == []

    none = await stage.admin.slash(stage.channel, "admin board")
    assert "This server has no notice board" in none.response.content

    answer = await stage.admin.slash(stage.channel, "admin board", channel=news)
    assert answer.ephemeral
    assert f"/{news.id}/{find_board(stage, news).message.id}" in answer.response.content
    assert "Tables of Parlour" in find_board(stage, news).text
    assert "No open tables. Start one with `/ribbon new`" in find_board(stage, news).text
    where = await stage.admin.slash(stage.channel, "admin board")
    assert f"<#{news.id}>" in where.response.content

    gone = await stage.admin.slash(stage.channel, "admin board", off=True)
    again = await stage.admin.slash(stage.channel, "admin board", off=True)

    assert "is gone" in gone.response.content
    assert "This server has no notice board" in again.response.content
    assert stage.posts(news) == []
    assert await audit_lines(stage) == [
        "removed the notice board.",
        f"put the notice board up in <#{news.id}>.",
    ]


async def test_it_shows_free_seats_whose_turn_it_is_and_who_is_late(stage: DiscordStage, board: Any) -> None:
    place = await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")
    begun = (await stage.table()).clock(0).begun
    await stage["Cy"].slash(stage.channel, "tesla new", pace="brisk")
    await stage["Ann"].slash(stage.channel, "ribbon new", mode="solo")
    await minute(stage)

    text = find_board(stage, board).text
    assert f"Ribbon Tangle** · table 1](https://discord.com/channels/{stage.guild.id}/{place.id})" in text
    assert f"▶️ Waiting for Ann. The turn began <t:{begun:.0f}:R>" in text
    assert f"table 2](https://discord.com/channels/{stage.guild.id}/{stage.channel.id}/" in text
    assert "Cy · **3 seats free**" in text
    assert "pace brisk" in text
    assert "full, about to start" in text
    assert list(find_board(stage, board).buttons) == ["Join table 2"]

    await stage.wait(2 * DAY + HOUR)
    await minute(stage)
    assert "⏰ Late: Ann. The turn began" in find_board(stage, board).text

    await stage.admin.slash(place, "admin pause", until="3 days")
    await minute(stage)

    assert "paused until <t:" in find_board(stage, board).text


async def test_somebody_joins_from_the_board(stage: DiscordStage, board: Any) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new", mode="versus")
    await minute(stage)

    answer = await stage["Bo"].click(find_board(stage, board).message, label="Join table 1")
    assert answer.ephemeral
    assert "You're at table 1 now" in answer.response.content
    assert "Bo" in stage.card().text
    again = await stage["Bo"].click(find_board(stage, board).message, label="Join table 1")
    assert "already" in again.response.content
    await minute(stage)
    assert "Ann, Bo · **1 seat free**" in find_board(stage, board).text

    await stage["Ann"].click(stage.card().message, label="Cancel")
    late = await stage["Cy"].click(find_board(stage, board).message, label="Join table 1")
    await minute(stage)

    assert late.ephemeral
    assert "closed" in late.response.content
    assert "No open tables" in find_board(stage, board).text


async def test_it_is_edited_once_a_minute_at_most_and_if_changed(stage: DiscordStage, board: Any) -> None:
    await minute(stage)
    assert edits(stage, board) == 0

    await stage["Ann"].slash(stage.channel, "ribbon new")
    await stage.env.advance_time(20)
    assert edits(stage, board) == 1
    for name in ("Bo", "Cy"):
        await stage[name].click(stage.card().message, label="Join")
        await stage.env.advance_time(12)
    assert edits(stage, board) == 1
    await minute(stage)
    assert edits(stage, board) == 2
    await stage["Cy"].click(stage.card().message, label="Leave")
    await stage["Cy"].click(stage.card().message, label="Join")
    await minute(stage)

    assert edits(stage, board) == 2
    assert "Ann, Bo, Cy" in find_board(stage, board).text


async def test_a_step_that_changes_nothing_on_it_edits_nothing(stage: DiscordStage, board: Any) -> None:
    place = await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")
    await minute(stage)
    await stage.panel_flip("Ann", place)
    await minute(stage)
    before = edits(stage, board)

    await stage["Bo"].slash(place, "ribbon choose", choice="flip 9")
    await minute(stage)

    assert edits(stage, board) == before


async def test_a_deleted_board_is_made_anew(stage: DiscordStage, board: Any) -> None:
    stage.env.backend.delete_message(board.id, find_board(stage, board).message.id)

    await stage["Ann"].slash(stage.channel, "ribbon new")
    await minute(stage)

    assert "Ribbon Tangle" in find_board(stage, board).text
    await stage["Bo"].click(stage.card().message, label="Join")
    await minute(stage)
    assert "Ann, Bo" in find_board(stage, board).text


async def test_a_board_that_failed_at_once_is_put_up_later(stage: DiscordStage, news: Any) -> None:
    stage.env.inject_error("POST", f"/channels/{news.id}/messages", status=500, times=1)

    answer = await stage.admin.slash(stage.channel, "admin board", channel=news)
    assert "I'll keep trying" in answer.response.content
    assert stage.posts(news) == []
    await minute(stage)

    assert "Tables of Parlour" in find_board(stage, news).text


async def test_after_a_look_nothing_is_asked_of_servers_where_nothing_has_changed(
    stage: DiscordStage, board: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new")
    await minute(stage)
    asked: list[Any] = []
    store = stage.bot.app.parlour.store
    boards = store.boards

    async def counted(guild_ids: Any = None) -> Any:
        asked.append(guild_ids)
        return await boards(guild_ids)

    monkeypatch.setattr(store, "boards", counted)
    await minute(stage)
    assert asked == []
    await stage["Bo"].click(stage.card().message, label="Join")
    await minute(stage)

    assert asked == [[stage.guild.id]]


async def test_it_outlives_settings_and_moves_only_with_its_channel(stage: DiscordStage, board: Any) -> None:
    before = find_board(stage, board).message.id

    await stage.admin.slash(stage.channel, "admin board", channel=board)
    await stage.admin.slash(stage.channel, "admin config", pace="weekly")
    config = await stage.admin.slash(stage.channel, "admin config")
    await stage["Ann"].slash(stage.channel, "ribbon new")
    await minute(stage)
    assert f"<#{board.id}>" in read_message(config.response).text
    assert find_board(stage, board).message.id == before

    other = stage.guild.create_text_channel("other")
    await stage.admin.slash(stage.channel, "admin board", channel=other)
    assert stage.posts(board) == []
    assert "Tables of Parlour" in find_board(stage, other).text


async def test_when_its_channel_is_deleted_it_is_given_up_once(stage: DiscordStage, board: Any) -> None:
    await stage.find_channel(board).delete()
    await stage["Ann"].slash(stage.channel, "ribbon new")
    await minute(stage)
    await minute(stage)

    assert await audit_lines(stage) == [
        "gave up the notice board because its channel was deleted.",
        f"put the notice board up in <#{board.id}>.",
    ]
    where = await stage.admin.slash(stage.channel, "admin board")
    assert "This server has no notice board" in where.response.content


async def test_after_a_restart_it_is_found_and_brought_up_to_date(stage: DiscordStage, board: Any) -> None:
    before = find_board(stage, board).message.id
    await stage["Ann"].slash(stage.channel, "ribbon new")

    await stage.restart()
    await minute(stage)

    assert find_board(stage, board).message.id == before
    assert "Ribbon Tangle" in find_board(stage, board).text

    await stage.bot.app.parlour.store.save_board(stage.guild.id, board.id, None, board.id)

    await stage.restart()
    await minute(stage)

    assert find_board(stage, board).message.id == before
    assert (await stage.bot.app.parlour.settings(stage.guild.id)).board_message_id == before


@pytest.mark.parametrize(("status", "code"), [(500, 0), (403, 50013)])
async def test_a_failure_is_logged_once_and_retried(
    stage: DiscordStage, board: Any, status: int, code: int, caplog: pytest.LogCaptureFixture
) -> None:
    stage.trouble = True
    stage.env.inject_error("PATCH", f"/channels/{board.id}/messages/*", status=status, code=code, times=3)
    await stage["Ann"].slash(stage.channel, "ribbon new")

    await stage.env.advance_time(600)

    assert "Ribbon Tangle" in find_board(stage, board).text
    records = [r for r in caplog.records if r.levelno >= logging.WARNING and "notice board" in r.getMessage()]
    assert len(records) == 1
    assert records[0].exc_info is None


async def test_lines_that_do_not_fit_are_counted(
    stage: DiscordStage, board: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notice_board, "LOBBIES", 2)
    monkeypatch.setattr(notice_board, "GAMES", 1)
    for _ in range(3):
        await stage["Ann"].slash(stage.channel, "ribbon new")
    for _ in range(3):
        await stage["Bo"].slash(stage.channel, "ribbon new", mode="solo")
        await stage["Bo"].click(stage.card().message, label="Start")
    await minute(stage)

    text = find_board(stage, board).text
    assert "`/table list` shows 1 more lobby." in text
    assert "`/table list` shows 2 more games." in text
    assert "table 3]" in text
    assert "table 1]" not in text


@pytest.mark.thorough
async def test_a_server_with_many_tables_has_a_valid_board(stage: DiscordStage, board: Any) -> None:
    for name in ("Ann", "Bo", "Cy"):
        for number in range(20):
            await stage[name].slash(stage.channel, "ribbon new" if number % 2 else "tesla new", computers=1)
            if number % 3:
                await stage[name].click(stage.card().message, label="Start")
    await minute(stage)

    assert len(find_board(stage, board).components) <= 40
    assert len(find_board(stage, board).text) <= 4000
    assert "more lobbies" in find_board(stage, board).text
    assert "more games" in find_board(stage, board).text
