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
from tests.discord.stage import (
    DiscordStage,
    ShownMessage,
    fill,
    form_of,
    pick,
    read_message,
    submit,
    values_of,
)

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


async def change_time(stage: DiscordStage, **values: Any) -> Any:
    """Change the time rules in Ann's form; return the answer."""
    return await fill(stage["Ann"], stage.card().message, "Pace and time", values)


def last_dm(stage: DiscordStage, name: str) -> ShownMessage:
    """Return the newest direct message that somebody has got."""
    return read_message(stage[name].user.dm_channel.history()[-1])


async def test_the_card_says_how_time_is_kept_and_has_two_forms(lobby: DiscordStage) -> None:
    text = lobby.card().text
    daily = "⏳ Daily: each player starts with 2 days of time and gets 1 day more each turn, up to 3 days. "
    assert daily in text
    assert " If someone is late, the others decide what happens." in text

    options = form_of(await lobby["Ann"].click(lobby.card().message, label="Options"))
    time = form_of(await lobby["Ann"].click(lobby.card().message, label="Pace and time"))

    assert list(options) == ["mode", "difficulty", "ribbon_choice", "first", "thinking"]
    assert list(time) == ["pace", "own_pace", "late", "full", "finishers"]
    assert values_of(time["pace"]) == ["none", "live", "brisk", "daily", "relaxed", "weekly"]
    assert values_of(time["pace"], chosen=True) == ["daily"]


async def test_the_host_changes_four_rules_at_once_on_the_card_itself(lobby: DiscordStage) -> None:
    answer = await change_time(lobby, pace="brisk", late="computer", full="full", finishers="80")

    assert not answer.ephemeral
    table = await lobby.table()
    changed = table.pace.name, table.when_late, table.starts_full, table.finishers
    assert changed == ("brisk", "computer", True, 80)
    assert "Brisk: each player starts with 12 hours" in lobby.card().text
    assert "If someone is late, a computer plays the turn" in lobby.card().text
    assert "The game starts when all 3 seats are taken." in lobby.card().text
    await change_time(lobby, full="hand", pace="none")
    assert "The game starts when all" not in lobby.card().text
    assert "No clock, but if somebody doesn't play for 3 days" in lobby.card().text


async def test_a_typed_pace_without_sense_is_answered_with_an_example(lobby: DiscordStage) -> None:
    for typed in ("soon", "3", "1m", "3d cap 2d"):
        answer = await change_time(lobby, own_pace=typed, late="computer")
        opened = await lobby["Bo"].slash(lobby.channel, "ribbon new", pace=typed)
        for refused in (answer, opened):
            assert refused.ephemeral
            assert "`3d+12h cap 5d`" in read_message(refused.response).text
        assert ((await lobby.table()).pace.name, (await lobby.table()).when_late) == ("daily", "others")
        again = form_of(await lobby["Ann"].click(answer.response, label="Try again"))
        assert again["own_pace"]["value"] == typed
        assert values_of(again["late"], chosen=True) == ["computer"]

    await change_time(lobby, own_pace="3 days + 12 hours, cap 5d")

    assert (await lobby.table()).pace.name == "3d+12h cap 5d"
    custom = "each player starts with 3 days of time and gets 12 hours more each turn, up to 5"
    assert custom in lobby.card().text
    form = form_of(await lobby["Ann"].click(lobby.card().message, label="Pace and time"))
    assert values_of(form["pace"], chosen=True) == ["3d+12h cap 5d"]


async def test_a_form_sent_again_leads_to_the_card(lobby: DiscordStage) -> None:
    refused = await change_time(lobby, own_pace="soon")

    await fill(lobby["Ann"], refused.response, "Try again", own_pace="2d")

    assert (await lobby.table()).pace.name == "2d+0m cap 2d"
    assert "Custom pace: each player has 2 days of time" in lobby.card().text
    assert "The game continues here" in read_message(refused.response).text


async def test_forbidden_paces_are_not_offered(lobby: DiscordStage) -> None:
    await lobby.admin.slash(lobby.channel, "admin config", forbid_pace="live")
    old = await lobby["Ann"].click(lobby.card().message, label="Pace and time")
    assert "live" not in values_of(form_of(old)["pace"])
    assert "own_pace" in form_of(old)

    await lobby.admin.slash(lobby.channel, "admin config", forbid_pace="custom")
    late = await submit(lobby["Ann"], old, own_pace="3d")

    assert "doesn't allow that pace" in read_message(late.response).text
    new = await lobby["Ann"].click(lobby.card().message, label="Pace and time")
    assert "own_pace" not in form_of(new)
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
    form = await lobby["Ann"].click(lobby.card().message, label="Pace and time")

    answer = await lobby["Bo"].click(lobby.card().message, label="Options")
    assert answer.ephemeral
    assert "Only the host, Ann, can change this" in answer.response.content
    assert "Daily: " in answer.response.content

    await lobby["Bo"].click(lobby.card().message, label="Join")
    await lobby["Ann"].click(lobby.card().message, label="Leave")
    late = await submit(lobby["Ann"], form, pace="live")

    assert "Only the host, Bo" in read_message(late.response).text
    assert (await lobby.table()).pace.name == "daily"


async def test_once_the_game_has_begun_its_time_stands(lobby: DiscordStage) -> None:
    forms = [
        await lobby["Ann"].click(lobby.card().message, label=label) for label in ("Options", "Pace and time")
    ]
    await lobby["Bo"].click(lobby.card().message, label="Join")
    await lobby["Ann"].click(lobby.card().message, label="Start")

    for form in forms:
        answer = await submit(lobby["Ann"], form)
        assert answer.ephemeral
        assert "has already begun" in read_message(answer.response).text


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
