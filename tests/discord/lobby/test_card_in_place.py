"""A press on a lobby card changes the card, as Discord shows it: without attachments of its own."""

import asyncio
from typing import Any

import discord
import pytest

from cogs.ui import answering
from cogs.ui.text import Interaction
from db.connection.availability import DatabaseUnavailable
from engines.game import Strength
from tables.clocks.pace import DAY
from tests.discord.stage import DiscordStage, ShownMessage, pick, read_message
from tests.discord.strictness import lose_answers

pytestmark = [pytest.mark.usefixtures("patient"), pytest.mark.slow]


@pytest.fixture
async def lobby(stage: DiscordStage) -> DiscordStage:
    """Return a lobby of Ann's in the channel."""
    await stage["Ann"].slash(stage.channel, "ribbon new", mode="versus")
    return stage


def covers(card: ShownMessage) -> list[str]:
    """Return the names of the small pictures on a card."""
    urls = [one["media"]["url"] for one in card.components if one.get("type") == 11]
    return [url.rsplit("/", 1)[1].partition("?")[0] for url in urls]


async def press(stage: DiscordStage, name: str, label: str) -> ShownMessage:
    """Press a button or choose a computer; the card itself must answer."""
    card = stage.card()
    if label in list(Strength):
        result = await pick(stage[name], card.message, "computer", label)
    else:
        result = await stage[name].click(card.message, label=label)
    assert not result.ephemeral, read_message(result.response).text
    changed = stage.card()
    assert changed.message.id == card.message.id
    assert covers(changed) == covers(card) != []
    return changed


async def test_each_press_changes_the_card_in_place(lobby: DiscordStage) -> None:
    assert "**Bo**" in (await press(lobby, "Bo", "Join")).text
    assert "**Bo**" not in (await press(lobby, "Bo", "Leave")).text
    assert "(computer, easy)" in (await press(lobby, "Ann", "easy")).text
    assert "computer, easy" not in (await press(lobby, "Ann", "Remove computer")).text
    assert "(computer, casual)" in (await press(lobby, "Ann", "casual")).text
    assert "computer, casual" not in (await press(lobby, "Ann", "Remove computer")).text
    await press(lobby, "Bo", "Join")
    assert "The game has begun" in (await press(lobby, "Ann", "Start")).text


async def test_a_press_uploads_no_picture_that_the_card_has(
    lobby: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    uploaded: list[str] = []
    sent = discord.File.to_dict

    def noted(file: discord.File, index: int) -> dict[str, Any]:
        uploaded.append(file.filename)
        return sent(file, index)

    monkeypatch.setattr(discord.File, "to_dict", noted)

    await press(lobby, "Bo", "Join")

    assert uploaded == []


async def test_a_cancelled_table_says_so_on_its_card(lobby: DiscordStage) -> None:
    assert "The table is closed. Its game never began." in (await press(lobby, "Ann", "Cancel")).text


async def test_an_expired_table_is_opened_again_on_its_card(lobby: DiscordStage) -> None:
    await lobby.wait(8 * DAY)
    assert "Nobody joined" in lobby.card().text

    assert "Join" in (await press(lobby, "Ann", "Open it again")).buttons


async def test_options_open_a_private_panel_and_change_the_card(lobby: DiscordStage) -> None:
    panel = await lobby["Ann"].click(lobby.card().message, label="Options")
    assert panel.ephemeral

    before = lobby.card()

    await pick(lobby["Ann"], panel.response, "thinking", "quick")

    assert lobby.card().message.id == before.message.id
    assert lobby.card().text != before.text
    assert covers(lobby.card()) == covers(before) != []


async def test_a_slow_press_still_changes_the_card(
    lobby: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def at_once(interaction: Interaction) -> None:
        answer = answering._acknowledge(interaction)
        interaction.extras[answering.ACKNOWLEDGEMENT] = asyncio.create_task(answer)

    monkeypatch.setattr("cogs.ui.answering.schedule_defer", at_once)

    assert "**Bo**" in (await press(lobby, "Bo", "Join")).text


async def test_a_refused_press_is_answered_in_private(lobby: DiscordStage) -> None:
    before = lobby.card()

    refused = await lobby["Bo"].click(before.message, label="Cancel")

    assert refused.ephemeral
    assert lobby.card().text == before.text


async def test_an_older_card_leads_to_the_one_of_now(lobby: DiscordStage) -> None:
    old = lobby.card().message
    lounge = lobby.guild.create_text_channel("lounge")
    lobby.env.inject_error("PATCH", f"/channels/{lobby.channel.id}/messages/*", status=403, code=50001)
    await lobby.admin.slash(lobby.channel, "admin move", channel=lounge)

    await lobby["Bo"].click(old, label="Join")

    assert "The game continues here" in read_message(lobby.channel.history()[-1]).text
    assert "**Bo**" in lobby.post(lounge).text


async def test_a_press_whose_answer_was_lost_is_no_failure(lobby: DiscordStage) -> None:
    lobby.env.inject_error("POST", "/interactions/*/*/callback", status=400, code=40060)

    await lobby["Bo"].click(lobby.card().message, label="Join")
    await lobby.env.advance_time(11)

    assert "**Bo**" in lobby.card().text


@pytest.mark.parametrize("times", [1, 3])
async def test_a_table_whose_card_stands_is_not_closed(stage: DiscordStage, times: int) -> None:
    lose_answers(stage.env.backend, "POST", "/interactions/*/*/callback", times)

    await stage["Ann"].slash(stage.channel, "ribbon new")
    await stage.env.advance_time(30)

    assert (await stage.table()).phase == "lobby"
    assert len([post for post in stage.posts(stage.channel) if "Join" in post.buttons]) == 1
    assert "**Bo**" in (await press(stage, "Bo", "Join")).text


async def test_a_card_that_discord_lost_comes_with_the_outbox(stage: DiscordStage) -> None:
    stage.env.inject_error("POST", "/interactions/*/*/callback", status=502, times=1)

    await stage["Ann"].slash(stage.channel, "ribbon new")
    await stage.env.advance_time(30)

    assert (await stage.table()).phase == "lobby"
    assert len([post for post in stage.posts(stage.channel) if "Join" in post.buttons]) == 1


async def test_a_card_that_stands_says_that_its_table_was_closed(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.trouble = True
    parlour = stage.bot.app.parlour

    async def refuse(*_args: Any, **_more: Any) -> None:
        raise DatabaseUnavailable("no space left", "full")

    with monkeypatch.context() as broken:
        broken.setattr(parlour, "note_post", refuse)
        await stage["Ann"].slash(stage.channel, "ribbon new")
    await stage.env.advance_time(30)

    assert (await stage.table()).phase == "closed"
    assert "Its game never began" in stage.card().text
    assert not stage.card().buttons
