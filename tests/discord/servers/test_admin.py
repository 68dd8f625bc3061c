"""`/admin`: who may, what is asked first, what is written down and told."""

from typing import Any

import discord
import pytest
from simcord import SetupError

from cogs.ui.press import Press, list_presses
from tests.discord.stage import DiscordStage, read_message

pytestmark = pytest.mark.slow
MENUS = {
    "choose": "1",
    "game": "ribbon",
    "idle": "1",
    "whom": "1",
    "page": "time",
    "pace": "live",
    "forbid": "live",
    "late": "computer",
    "daily_hour": "7",
    "daily_games": "ribbon",
}
"""The menus of administrators, with something that can be chosen in each."""
ARGUMENTS = {
    "place": "threads",
    **dict.fromkeys(("computers", "hints", "rated", "rate_computers", "daily"), "1"),
}
"""The buttons that say how something is to be."""


@pytest.fixture
async def place(stage: DiscordStage) -> Any:
    """Return the thread of a versus game in which Ann goes first."""
    return await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")


async def audit(stage: DiscordStage) -> list[str]:
    """Return the audit log, newest first."""
    return [row.action for row in await stage.bot.app.parlour.store.administration.audit(stage.guild.id)]


async def test_discord_shows_the_commands_to_nobody_else(stage: DiscordStage, place: Any) -> None:
    with pytest.raises(SetupError, match="not visible"):
        await stage["Ann"].slash(stage.channel, "admin config")


async def test_nobody_else_may_whatever_everybody_is_shown(stage: DiscordStage, place: Any) -> None:
    stage.allow_admin(stage.guild.default_role)

    for command in ("panel", "tables", "close", "skip", "rollback", "config", "pause", "resume", "audit"):
        answer = await stage["Ann"].slash(place, f"admin {command}")
        assert answer.ephemeral
        assert "Only this server's admins can do that" in answer.response.content
    assert await audit(stage) == []


async def test_nobody_else_presses_the_buttons_of_administrators(stage: DiscordStage, place: Any) -> None:
    for room, verb in (one for one in list_presses() if one[0] in ("admin", "panel", "audit")):
        chosen = (MENUS[verb],) if verb in MENUS and room != "audit" else ()
        answer = await stage.send_press("Ann", Press(room, verb, 1, 1, ARGUMENTS.get(verb, ""), chosen))
        assert "Only this server's admins can do that" in answer.response.content, verb

    assert (await stage.table()).phase == "play"
    assert await audit(stage) == []


async def test_whom_the_integrations_of_the_server_name_may_too(stage: DiscordStage, place: Any) -> None:
    role = stage.guild.create_role("Croupier")
    croupier: Any = stage.guild.add_member(stage.env.create_user("cora"), roles=[role])
    stage.allow_admin(role, stage["Bo"])

    by_role = await croupier.slash(stage.channel, "admin close", table=1)
    by_name = await stage["Bo"].slash(stage.channel, "admin tables")
    await croupier.click(by_role.response, label="Yes, do it")

    assert "Ribbon Tangle" in read_message(by_name.response).text
    assert (await stage.table()).phase == "closed"


async def test_a_configured_role_may(stage: DiscordStage, place: Any) -> None:
    role = stage.guild.create_role("Croupier")
    croupier: Any = stage.guild.add_member(stage.env.create_user("cora"), roles=[role])
    stage.allow_admin(stage.guild.default_role)

    named = await stage.admin.slash(stage.channel, "admin config", role=role)
    listed = await croupier.slash(stage.channel, "admin tables")
    own = await croupier.slash(stage.channel, "admin config", clear_role=True)

    assert "Server Settings → Integrations" in read_message(named.response).text
    assert "Ribbon Tangle" in read_message(listed.response).text
    assert "Manage Server" in own.response.content
    assert await audit(stage) == ["config"]

    await stage.admin.slash(stage.channel, "admin config", clear_role=True)
    refused = await croupier.slash(stage.channel, "admin tables")
    assert "Only this server's admins can do that" in refused.response.content


async def test_the_role_of_a_bot_is_no_role_for_people(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = stage.guild.create_role("A bot")
    monkeypatch.setattr(discord.Role, "is_bot_managed", lambda role: role.id == bots.id)

    refused = await stage.admin.slash(stage.channel, "admin config", open_role=bots)

    assert "belongs to a bot" in refused.response.content
    assert await audit(stage) == []


async def test_where_there_are_no_threads_tables_stay_in_their_channel(stage: DiscordStage) -> None:
    await stage.admin.slash(stage.channel, "admin config", tables_in="channel")
    stage.bot.app.places = ("channel",)

    refused = await stage.admin.slash(stage.channel, "admin config", tables_in="threads")

    assert "I can't make threads here" in refused.response.content


async def test_a_table_is_closed_after_a_question(stage: DiscordStage, place: Any) -> None:
    asked = await stage.admin.slash(stage.channel, "admin close", table=1)
    assert (await stage.table()).phase == "play"

    await stage.admin.click(asked.response, label="Yes, do it")

    assert (await stage.table()).phase == "closed"
    told = stage.post(place).text
    assert told.count("closed the table") == 1
    assert told.count("without a result") == 1
    assert "Take turn" not in stage.post(place).buttons
    assert await audit(stage) == ["close"]


async def test_no_means_no(stage: DiscordStage, place: Any) -> None:
    asked = await stage.admin.slash(stage.channel, "admin close", table=1)

    await stage.admin.click(asked.response, label="No")

    assert (await stage.table()).phase == "play"
    assert await audit(stage) == []


async def test_a_lobby_is_closed_too(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new")

    asked = await stage.admin.slash(stage.channel, "admin close", table=1)
    await stage.admin.click(asked.response, label="Yes, do it")

    assert (await stage.table()).phase == "closed"
    assert not stage.card().buttons


async def test_a_kicked_players_seat_goes_to_a_computer(stage: DiscordStage, place: Any) -> None:
    asked = await stage.admin.slash(stage.channel, "admin kick", player=stage["Ann"], table=1)
    await stage.admin.click(asked.response, label="Yes, do it")

    table = await stage.table()
    assert table.seats[0].computer
    assert "An admin removed Ann from the table" in "\n".join(p.text for p in stage.posts(place))
    assert await stage.due() == ["Bo"]
    assert await audit(stage) == ["kick"]


async def test_somebody_is_kicked_from_a_lobby(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new")
    await stage["Bo"].click(stage.card().message, label="Join")

    asked = await stage.admin.slash(stage.channel, "admin kick", player=stage["Bo"], table=1)
    await stage.admin.click(asked.response, label="Yes, do it")

    assert (await stage.table()).names == ["Ann"]
    assert "Bo" not in stage.card().text


async def test_a_turn_is_skipped_by_letting_a_computer_play_it(stage: DiscordStage, place: Any) -> None:
    asked = await stage.admin.slash(stage.channel, "admin skip", table=1)
    assert "Ann" in read_message(asked.response).text

    await stage.admin.click(asked.response, label="Yes, do it")

    assert await stage.due() == ["Bo"]
    assert "An admin let a computer play Ann's turn" in stage.post(place).text
    assert "Ann flips" in stage.post(place).text
    assert not (await stage.table()).seats[0].computer
    assert await audit(stage) == ["skip"]


async def test_a_question_is_void_once_the_table_has_moved_on(stage: DiscordStage, place: Any) -> None:
    asked = await stage.admin.slash(stage.channel, "admin skip", table=1)
    await stage.panel_flip("Ann", place)

    answer = await stage.admin.click(asked.response, label="Yes, do it")

    assert "has changed" in answer.response.content
    assert await stage.due() == ["Bo"]


async def test_steps_that_showed_something_are_rolled_back(stage: DiscordStage, place: Any) -> None:
    await stage.panel_flip("Ann", place)
    await stage["Bo"].slash(place, "ribbon choose", choice="flip 9")
    assert (await stage.view()).circle[8] is not None

    asked = await stage.admin.slash(place, "admin rollback", steps=2)
    assert " at 9" in read_message(asked.response).text
    await stage.admin.click(asked.response, label="Yes, do it")

    view = await stage.view()
    assert view.circle == (None,) * 12
    assert await stage.due() == ["Ann"]
    assert "An admin undid some steps" in stage.post(place).text
    assert await audit(stage) == ["rollback"]
    await stage.finish(place)


async def test_a_finished_game_goes_on_after_a_rollback_to_its_end(stage: DiscordStage, place: Any) -> None:
    await stage.finish(place)

    asked = await stage.admin.slash(place, "admin rollback")
    assert "The game is over, so everyone has seen every hand" in read_message(asked.response).text
    await stage.admin.click(asked.response, label="Yes, do it")

    assert (await stage.table()).phase == "play"
    assert "Take turn" in stage.post(place).buttons
    assert await audit(stage) == ["rollback"]
    await stage.finish(place)


async def test_a_closed_table_is_not_rolled_back(stage: DiscordStage, place: Any) -> None:
    asked = await stage.admin.slash(place, "admin close")
    await stage.admin.click(asked.response, label="Yes, do it")

    answer = await stage.admin.slash(place, "admin rollback", table=1)

    assert answer.ephemeral
    assert "There's nothing to undo" in answer.response.content


async def test_tables_can_live_in_the_channel_itself(stage: DiscordStage) -> None:
    await stage.admin.slash(stage.channel, "admin config", tables_in="channel")

    await stage["Ann"].slash(stage.channel, "ribbon new", mode="solo")
    await stage["Ann"].click(stage.card().message, label="Start")

    assert stage.channel.threads == []
    assert "Take turn" in stage.post(stage.channel).buttons
    await stage.finish(stage.channel)


async def test_the_list_tells_open_from_finished_tables(stage: DiscordStage, place: Any) -> None:
    empty = await stage.admin.slash(stage.channel, "admin tables", which="finished")
    assert "no finished table" in read_message(empty.response).text

    await stage.finish(place)

    listed = await stage.admin.slash(stage.channel, "admin tables", which="finished")
    assert "finished" in read_message(listed.response).text


async def test_another_servers_tables_are_out_of_reach(stage: DiscordStage, place: Any) -> None:
    elsewhere = stage.env.create_guild("Elsewhere")
    channel = elsewhere.create_text_channel("games")
    role = elsewhere.create_role("Boss", permissions=discord.Permissions(manage_guild=True))
    boss: Any = elsewhere.add_member(stage.env.create_user("boss"), roles=[role])

    answer = await boss.slash(channel, "admin close", table=1)

    assert "no table 1 in this server" in answer.response.content
    assert (await stage.table()).phase == "play"


async def show_table(stage: DiscordStage) -> Any:
    return (await stage.send_press_as(stage.admin, Press("admin", "table", 1))).response


async def test_a_table_s_page_says_when_somebody_last_moved(stage: DiscordStage, place: Any) -> None:
    await stage.panel_flip("Ann", place)
    moved = (await stage.table()).touched_at
    await stage.wait(3600)
    await stage.admin.slash(stage.channel, "admin pause", table=1)

    shown = read_message(await show_table(stage)).text

    assert (await stage.table()).touched_at >= moved + 3600
    assert f"-# Last step <t:{moved:.0f}:R>." in shown


async def test_an_outdated_page_of_a_table_is_renewed_by_a_press(stage: DiscordStage, place: Any) -> None:
    page = await show_table(stage)
    await stage.panel_flip("Ann", place)

    await stage.admin.click(page, label="Let a computer play this turn…")

    renewed = read_message(page).text
    assert "The table has changed. Here it is now." in renewed
    assert "Bo" in renewed
    await stage.admin.click(page, label="Let a computer play this turn…")
    assert "**Let a computer play Bo's turn?**" in read_message(page).text


async def test_a_pause_is_not_held_up_by_a_move(stage: DiscordStage, place: Any) -> None:
    page = await show_table(stage)
    await stage.panel_flip("Ann", place)

    form = await stage.admin.click(page, label="Pause…")

    assert form.modal is not None


@pytest.mark.parametrize("is_rated", [True, False])
async def test_a_rollback_of_a_finished_game_says_what_becomes_of_its_rating(
    stage: DiscordStage, is_rated: bool
) -> None:
    place = await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random", rated=is_rated)
    await stage.finish(place)

    asked = read_message((await stage.admin.slash(place, "admin rollback")).response).text

    assert ("its result no longer counts for the ratings" in asked) == is_rated
