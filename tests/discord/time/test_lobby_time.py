"""The lobby and time: the pace, what happens to who is late, when it starts, and lobbies that expire."""

from typing import Any

import pytest

from tables.clocks.pace import DAY, HOUR
from tests.discord.stage import DiscordStage, ShownMessage, pick, read_message

pytestmark = [pytest.mark.usefixtures("patient"), pytest.mark.slow]


@pytest.fixture
async def lobby(stage: DiscordStage) -> DiscordStage:
    """Return a lobby of Ann's in the channel."""
    await stage["Ann"].slash(stage.channel, "ribbon new", mode="versus")
    return stage


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


async def test_the_card_says_how_time_is_kept(lobby: DiscordStage) -> None:
    text = lobby.card().text

    assert (
        "⏳ Daily: each player starts with 2 days of time and gets 1 day more each turn, up to 3 days. "
        in text
    )
    assert " If someone is late, the others decide what happens." in text


async def test_the_options_are_on_two_pages(lobby: DiscordStage) -> None:
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


async def test_without_a_clock_there_is_nothing_to_choose_about_lateness(lobby: DiscordStage) -> None:
    page = await time_page(lobby)

    await pick(lobby["Ann"], page, "pace", "none")

    assert set(read_message(page).menus) == {"pace", "full"}
    assert "No clock, but if somebody doesn't play for 3 days" in lobby.card().text


async def test_the_host_types_a_pace(lobby: DiscordStage) -> None:
    page, _ = await own_pace(lobby, "3 days + 12 hours, cap 5d")

    assert (await lobby.table()).pace.name == "3d+12h cap 5d"
    assert (
        "each player starts with 3 days of time and gets 12 hours more each turn, up to 5"
        in lobby.card().text
    )
    assert "3d+12h cap 5d" in read_message(page).values("pace")


@pytest.mark.parametrize("typed", ["soon", "3", "1m", "3d cap 2d"])
async def test_a_pace_that_makes_no_sense_is_answered_with_an_example(
    lobby: DiscordStage, typed: str
) -> None:
    _, answer = await own_pace(lobby, typed)
    opened = await lobby["Bo"].slash(lobby.channel, "ribbon new", pace=typed)

    for refused in (answer, opened):
        assert refused.ephemeral
        assert "`3d+12h cap 5d`" in read_message(refused.response).text
    assert (await lobby.table()).pace.name == "daily"


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


async def test_a_table_is_opened_with_all_of_it(stage: DiscordStage) -> None:
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


async def test_it_starts_by_itself_when_the_last_seat_is_taken(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new", mode="versus", start_when_full=True)
    await stage["Bo"].click(stage.card().message, label="Join")
    assert (await stage.table()).phase == "lobby"

    await stage["Cy"].click(stage.card().message, label="Join")

    assert (await stage.table()).phase == "play"
    assert "Take turn" in stage.post(stage.channel.threads[-1]).buttons
    assert not stage.card().buttons


async def test_a_computer_may_take_the_last_seat(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new", mode="versus", start_when_full=True)
    await stage["Bo"].click(stage.card().message, label="Join")

    await pick(stage["Ann"], stage.card().message, "computer", "strong")

    assert (await stage.table()).phase == "play"


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


async def test_an_expired_lobby_takes_nobody(lobby: DiscordStage) -> None:
    await lobby.wait(7 * DAY)

    answer = await lobby["Bo"].slash(lobby.channel, "table join", table=1)

    assert answer.ephemeral
    assert "nobody joined for a week" in answer.response.content


async def test_the_host_of_a_full_lobby_is_reminded_by_dm_and_starts_there(lobby: DiscordStage) -> None:
    for name in ("Bo", "Cy"):
        await lobby[name].click(lobby.card().message, label="Join")
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


async def test_a_lobby_that_is_full_no_more_needs_no_reminder(lobby: DiscordStage) -> None:
    for name in ("Bo", "Cy"):
        await lobby[name].click(lobby.card().message, label="Join")
    await lobby["Cy"].click(lobby.card().message, label="Leave")

    await lobby.wait(HOUR)

    assert lobby["Ann"].user.dm_channel.history() == []


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
