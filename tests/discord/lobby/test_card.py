"""The card of a lobby: a press changes it in place, and how it tells and keeps time."""

import asyncio
from typing import Any

import discord
import pytest

from cogs.ui import press as presses
from cogs.ui.text import Interaction
from db.connection.writer import DatabaseUnavailable
from engines.game import Strength
from tables.clocks.pace import DAY, HOUR
from tests.discord.simulation import lose_answers
from tests.discord.stage import DiscordStage, ShownMessage, pick, read_message

pytestmark = [pytest.mark.usefixtures("patient")]


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


async def test_a_press_uploads_no_known_picture_and_a_slow_one_works(
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

    def at_once(interaction: Interaction) -> None:
        answer = presses._acknowledge(interaction)
        interaction.extras[presses.ACKNOWLEDGEMENT] = asyncio.create_task(answer)

    monkeypatch.setattr("cogs.ui.press.schedule_defer", at_once)

    assert "**Cy**" in (await press(lobby, "Cy", "Join")).text


async def test_a_refused_press_is_answered_in_private_and_names_cancelling(lobby: DiscordStage) -> None:
    before = lobby.card()

    refused = await lobby["Bo"].click(before.message, label="Cancel")

    assert refused.ephemeral
    assert lobby.card().text == before.text
    assert "The table is closed. Its game never began." in (await press(lobby, "Ann", "Cancel")).text


async def test_an_older_card_leads_to_the_one_of_now(lobby: DiscordStage) -> None:
    old = lobby.card().message
    lounge = lobby.guild.create_text_channel("lounge")
    lobby.env.inject_error("PATCH", f"/channels/{lobby.channel.id}/messages/*", status=403, code=50001)
    await lobby.admin.slash(lobby.channel, "admin move", channel=lounge)

    await lobby["Bo"].click(old, label="Join")

    assert "The game continues here" in read_message(lobby.channel.history()[-1]).text
    assert "**Bo**" in lobby.post(lounge).text


@pytest.mark.parametrize("answers", ["one lost", "three lost", "the card lost"])
async def test_a_table_whose_card_stands_or_comes_later_is_not_closed(
    stage: DiscordStage, answers: str
) -> None:
    if answers == "the card lost":
        stage.env.inject_error("POST", "/interactions/*/*/callback", status=502, times=1)
    else:
        times = 1 if answers == "one lost" else 3
        lose_answers(stage.env.backend, "POST", "/interactions/*/*/callback", times)

    await stage["Ann"].slash(stage.channel, "ribbon new")
    await stage.env.advance_time(30)

    assert (await stage.table()).phase == "lobby"
    assert len([post for post in stage.posts(stage.channel) if "Join" in post.buttons]) == 1
    assert "**Bo**" in (await press(stage, "Bo", "Join")).text


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


async def time_page(stage: DiscordStage, name: str = "Ann") -> Any:
    panel = await stage[name].click(stage.card().message, label="Options")
    await stage[name].click(panel.response, label="Pace and time")
    return panel.response


async def own_pace(stage: DiscordStage, typed: str) -> tuple[Any, Any]:
    """Type a pace of Ann's own; return the page, and the answer."""
    page = await time_page(stage)
    asked = await stage["Ann"].click(page, label="A pace of your own")
    return page, await stage["Ann"].submit_modal(asked, {"pace": typed})


def last_dm(stage: DiscordStage, name: str) -> ShownMessage:
    """Return the newest direct message that somebody has got."""
    return read_message(stage[name].user.dm_channel.history()[-1])


async def test_the_card_says_how_time_is_kept_and_the_options_are_on_two_pages(lobby: DiscordStage) -> None:
    text = lobby.card().text
    daily = "⏳ Daily: each player starts with 2 days of time and gets 1 day more each turn, up to 3 days. "
    assert daily in text
    assert " If someone is late, the others decide what happens." in text

    panel = await lobby["Ann"].click(lobby.card().message, label="Options")
    first = read_message(panel.response)
    assert set(first.menus) == {"set", "thinking", "finishers"}
    assert "Daily: " in first.text

    await lobby["Ann"].click(panel.response, label="Pace and time")
    second = read_message(panel.response)
    assert set(second.menus) == {"pace", "late", "full"}
    assert second.values("pace") == ["none", "live", "brisk", "daily", "relaxed", "weekly"]

    await lobby["Ann"].click(panel.response, label="Options of the game")
    assert set(read_message(panel.response).menus) == {"set", "thinking", "finishers"}


async def test_the_host_chooses_a_pace_and_what_becomes_of_who_is_late(lobby: DiscordStage) -> None:
    page = await time_page(lobby)

    await pick(lobby["Ann"], page, "pace", "brisk")
    await pick(lobby["Ann"], page, "late", "computer")
    await pick(lobby["Ann"], page, "full", "full")

    table = await lobby.table()
    assert (table.pace.name, table.when_late, table.starts_full) == ("brisk", "computer", True)
    assert "Brisk: each player starts with 12 hours" in lobby.card().text
    assert "If someone is late, a computer plays the turn" in lobby.card().text
    assert "The game starts when all 3 seats are taken." in lobby.card().text
    await pick(lobby["Ann"], page, "full", "hand")
    assert "The game starts when all" not in lobby.card().text

    await pick(lobby["Ann"], page, "pace", "none")
    assert set(read_message(page).menus) == {"pace", "full"}
    assert "No clock, but if somebody doesn't play for 3 days" in lobby.card().text


async def test_a_typed_pace_without_sense_is_answered_with_an_example(lobby: DiscordStage) -> None:
    for typed in ("soon", "3", "1m", "3d cap 2d"):
        _, answer = await own_pace(lobby, typed)
        opened = await lobby["Bo"].slash(lobby.channel, "ribbon new", pace=typed)
        for refused in (answer, opened):
            assert refused.ephemeral
            assert "`3d+12h cap 5d`" in read_message(refused.response).text
        assert (await lobby.table()).pace.name == "daily"

    page, _ = await own_pace(lobby, "3 days + 12 hours, cap 5d")

    assert (await lobby.table()).pace.name == "3d+12h cap 5d"
    custom = "each player starts with 3 days of time and gets 12 hours more each turn, up to 5"
    assert custom in lobby.card().text
    assert "3d+12h cap 5d" in read_message(page).values("pace")


async def test_forbidden_paces_are_not_offered(lobby: DiscordStage) -> None:
    await lobby.admin.slash(lobby.channel, "admin config", forbid_pace="live")
    page = await time_page(lobby)
    assert "live" not in read_message(page).values("pace")
    assert "A pace of your own" in read_message(page).buttons

    await lobby.admin.slash(lobby.channel, "admin config", forbid_pace="custom")
    asked = await lobby["Ann"].click(page, label="A pace of your own")
    late = await lobby["Ann"].submit_modal(asked, {"pace": "3d"})

    assert "doesn't allow that pace" in read_message(late.response).text
    assert "A pace of your own" not in read_message(await time_page(lobby)).buttons
    offered = await lobby["Ann"].autocomplete(lobby.channel, "ribbon new", "pace", "")
    assert [choice["value"] for choice in offered] == ["none", "brisk", "daily", "relaxed", "weekly"]


async def test_a_table_is_opened_with_all_of_it_and_starts_when_it_is_full(stage: DiscordStage) -> None:
    await stage["Ann"].slash(
        stage.channel,
        "ribbon new",
        mode="versus",
        pace="3d+12h cap 5d",
        when_late="computer",
        start_when_full=True,
    )

    text = stage.card().text
    assert (
        "Custom pace: each player starts with 3 days of time and gets 12 hours more each turn, up to 5"
        in text
    )
    assert "If someone is late, a computer plays the turn" in text
    assert "The game starts when all 3 seats are taken." in text
    await stage["Bo"].click(stage.card().message, label="Join")
    assert (await stage.table()).phase == "lobby"
    await stage["Cy"].click(stage.card().message, label="Join")
    assert (await stage.table()).phase == "play"
    assert "Take turn" in stage.post(stage.channel.threads[-1]).buttons
    assert not stage.card().buttons


async def test_others_are_told_and_change_nothing(lobby: DiscordStage) -> None:
    page = await time_page(lobby)

    answer = await lobby["Bo"].click(lobby.card().message, label="Options")
    assert answer.ephemeral
    assert "The host, Ann, can change it" in answer.response.content
    assert "Daily: " in answer.response.content

    await lobby["Bo"].click(lobby.card().message, label="Join")
    await lobby["Ann"].click(lobby.card().message, label="Leave")
    late = await pick(lobby["Ann"], page, "pace", "live")

    assert "Only the host, Bo" in late.response.content
    assert (await lobby.table()).pace.name == "daily"


async def test_once_the_game_has_begun_its_time_stands(lobby: DiscordStage) -> None:
    page = await time_page(lobby)
    await lobby["Bo"].click(lobby.card().message, label="Join")
    await lobby["Ann"].click(lobby.card().message, label="Start")

    for press in ("Options of the game", "A pace of your own"):
        answer = await lobby["Ann"].click(page, label=press)
        if press == "A pace of your own":
            answer = await lobby["Ann"].submit_modal(answer, {"pace": "3d"})
        assert answer.ephemeral
        assert "has already begun" in read_message(answer.response).text
    assert "has already begun" in (await pick(lobby["Ann"], page, "pace", "live")).response.content


async def test_a_lobby_without_a_word_expires_and_is_opened_again_from_its_card(lobby: DiscordStage) -> None:
    await lobby["Bo"].click(lobby.card().message, label="Join")
    old = lobby.card().message
    await lobby.wait(7 * DAY)

    assert (await lobby.table()).phase == "expired"
    assert "Nobody joined for a week" in lobby.card().text
    assert list(lobby.card().buttons) == ["Open it again"]
    stranger = await lobby["Dee"].click(lobby.card().message, label="Open it again")
    assert "Only people who sat here" in stranger.response.content

    message = lobby.card().message
    await lobby["Bo"].click(message, label="Open it again")

    assert (await lobby.table()).phase == "lobby"
    assert lobby.card().message.id == old.id
    assert "Join" in lobby.card().buttons
    assert (await lobby.table()).host_id == lobby["Ann"].id


async def test_the_host_is_told_by_dm_and_opens_it_again_there(lobby: DiscordStage) -> None:
    await lobby.wait(7 * DAY)

    refused = await lobby["Bo"].slash(lobby.channel, "table join", table=1)
    assert refused.ephemeral
    assert "nobody joined for a week" in refused.response.content
    message = last_dm(lobby, "Ann")
    assert "I closed **Ribbon Tangle**, table 1, because nobody joined for a week." in message.text
    opened = await lobby["Ann"].user.click(message.message, label="Open it again")
    assert "Table 1 is open again" in opened.response.content
    assert "Join" in lobby.card().buttons
    twice = await lobby["Ann"].user.click(message.message, label="Open it again")
    assert "already open again" in twice.response.content

    await lobby["Bo"].click(lobby.card().message, label="Join")
    await lobby["Ann"].click(lobby.card().message, label="Start")
    late = await lobby["Ann"].user.click(message.message, label="Open it again")

    assert "The game has already begun" in read_message(late.response).text
    assert len([m for m in lobby["Ann"].user.dm_channel.history() if "I closed" in read_message(m).text]) == 1


async def test_the_host_of_a_full_lobby_is_reminded_by_dm_and_starts_there(lobby: DiscordStage) -> None:
    for name, label in (("Bo", "Join"), ("Cy", "Join"), ("Cy", "Leave")):
        await lobby[name].click(lobby.card().message, label=label)
    await lobby.wait(HOUR)
    assert lobby["Ann"].user.dm_channel.history() == []
    await lobby["Cy"].click(lobby.card().message, label="Join")
    await lobby.wait(HOUR)

    message = last_dm(lobby, "Ann")
    assert "all players have joined **Ribbon Tangle**, table 1: Ann, Bo, Cy." in message.text
    begun = await lobby["Ann"].user.click(message.message, label="Start")
    assert "Table 1 begins" in begun.response.content
    assert (await lobby.table()).phase == "play"
    twice = await lobby["Ann"].user.click(message.message, label="Start")

    assert "has already begun" in twice.response.content
    assert "all players have joined" in read_message(lobby["Ann"].user.dm_channel.history()[0]).text
    assert not lobby.card().buttons


async def test_a_host_whose_dms_are_closed_is_reminded_in_the_channel(lobby: DiscordStage) -> None:
    dm = lobby["Ann"].user.dm_channel
    lobby.env.inject_error("POST", f"/channels/{dm.id}/messages", status=403, code=50007, times=None)
    for name in ("Bo", "Cy"):
        await lobby[name].click(lobby.card().message, label="Join")
    await lobby.wait(HOUR)

    message = lobby.post(lobby.channel)
    assert f"<@{lobby['Ann'].id}>" in message.text
    stranger = await lobby["Dee"].click(message.message, label="Start")
    assert "Only the host, Ann" in stranger.response.content
    begun = await lobby["Ann"].click(message.message, label="Start")

    assert "Table 1 begins" in begun.response.content
    assert (await lobby.table()).phase == "play"
