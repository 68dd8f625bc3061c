from typing import Any

import discord
import pytest
from simcord import SetupError

from cogs.ui.press import Press, list_presses
from db.records import ServerSettings
from tests.discord.stage import DiscordStage, fill, read_message

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


async def audit(stage: DiscordStage) -> list[str]:
    """Return the audit log, newest first."""
    return [row.action for row in await stage.bot.app.parlour.store.administration.audit(stage.guild.id)]


async def test_nobody_else_uses_commands_or_buttons_of_administrators(
    stage: DiscordStage, place: Any
) -> None:
    with pytest.raises(SetupError, match="not visible"):
        await stage["Ann"].slash(stage.channel, "admin config")

    stage.allow_admin(stage.guild.default_role)

    for command in ("panel", "tables", "close", "skip", "rollback", "config", "pause", "resume", "audit"):
        answer = await stage["Ann"].slash(place, f"admin {command}")
        assert answer.ephemeral
        assert "Only this server's admins can do that" in answer.response.content
    assert await audit(stage) == []

    for room, verb in (one for one in list_presses() if one[0] in ("admin", "panel", "audit")):
        chosen = (MENUS[verb],) if verb in MENUS and room != "audit" else ()
        answer = await stage.send_press("Ann", Press(room, verb, 1, 1, ARGUMENTS.get(verb, ""), chosen))
        assert "Only this server's admins can do that" in answer.response.content, verb

    assert (await stage.table()).phase == "play"
    assert await audit(stage) == []


async def test_whom_the_integrations_name_may_close_a_table_by_its_question(
    stage: DiscordStage, place: Any
) -> None:
    role = stage.guild.create_role("Croupier")
    croupier: Any = stage.guild.add_member(stage.env.create_user("cora"), roles=[role])
    stage.allow_admin(role, stage["Bo"])

    by_role = await croupier.slash(stage.channel, "admin close", table=1)
    by_name = await stage["Bo"].slash(stage.channel, "admin tables")
    assert "Ribbon Tangle" in read_message(by_name.response).text
    assert (await stage.table()).phase == "play"
    await croupier.click(by_role.response, label="Yes, do it")

    assert (await stage.table()).phase == "closed"
    told = stage.post(place)
    assert told.text.count("closed the table") == told.text.count("without a result") == 1
    assert "Take turn" not in told.buttons
    assert await audit(stage) == ["close"]


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


async def test_a_bots_role_and_threads_where_there_are_none_are_refused(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = stage.guild.create_role("A bot")
    monkeypatch.setattr(discord.Role, "is_bot_managed", lambda role: role.id == bots.id)

    refused = await stage.admin.slash(stage.channel, "admin config", open_role=bots)

    assert "belongs to a bot" in refused.response.content
    assert await audit(stage) == []

    await stage.admin.slash(stage.channel, "admin config", tables_in="channel")
    stage.bot.app.places = ("channel",)

    refused = await stage.admin.slash(stage.channel, "admin config", tables_in="threads")

    assert "I can't make threads here" in refused.response.content


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


async def test_a_press_that_a_move_concerns_renews_an_old_page(stage: DiscordStage, place: Any) -> None:
    page = await show_table(stage)
    await stage.panel_flip("Ann", place)
    assert (await stage.admin.click(page, label="Pause…")).modal is not None

    await stage.admin.click(page, label="Let a computer play this turn…")

    renewed = read_message(page).text
    assert "The table has changed. Here it is now." in renewed
    assert "Bo" in renewed
    await stage.admin.click(page, label="Let a computer play this turn…")
    assert "**Let a computer play Bo's turn?**" in read_message(page).text


@pytest.mark.parametrize("is_rated", [True, False])
async def test_a_rollback_of_a_finished_game_names_its_rating(stage: DiscordStage, is_rated: bool) -> None:
    place = await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random", rated=is_rated)
    await stage.finish(place)

    asked = read_message((await stage.admin.slash(place, "admin rollback")).response).text

    assert ("its result no longer counts for the ratings" in asked) == is_rated


async def test_the_answer_tells_the_change_and_nothing_else(stage: DiscordStage) -> None:
    await stage.admin.slash(stage.channel, "admin config", most_tables=2)

    changed = await stage.admin.slash(stage.channel, "admin config", most_tables=3, hints=False)
    same = await stage.admin.slash(stage.channel, "admin config", computers=True)

    changes = ["**Limit of open tables**: 3 (was: 2)", "**Hints**: none (was: on request)"]
    assert read_message(changed.response).text.splitlines()[:3] == changes
    assert "Nothing changed, because it was already like that." in read_message(same.response).text
    log = read_message((await stage.admin.slash(stage.channel, "admin audit")).response).text
    assert f"changed the settings. {'; '.join(changes)}." in log


async def test_a_server_with_a_forbidden_pace_can_change_what_else_it_likes(stage: DiscordStage) -> None:
    odd = ServerSettings(stage.guild.id, pace="daily", forbidden_paces=("daily",))
    await stage.bot.app.parlour.store.save_guild(odd)

    changed = await stage.admin.slash(stage.channel, "admin config", hints=False)
    refused = await stage.admin.slash(stage.channel, "admin config", forbid_pace="weekly")

    assert "**Hints**: none (was: on request)" in read_message(changed.response).text
    assert "so you can't forbid it" in refused.response.content


COOP: dict[str, Any] = {"mode": "coop", "first": "host", "ribbon_choice": "random"}


async def ask_kick(stage: DiscordStage, name: str) -> Any:
    player = stage[name]
    return (await stage.admin.slash(stage.channel, "admin kick", player=player, table=1)).response


async def kick(stage: DiscordStage, name: str) -> str:
    question = await ask_kick(stage, name)
    return read_message((await stage.admin.click(question, label="Yes, do it")).response).text


def find_mentions(stage: DiscordStage, place: Any) -> list[str]:
    """Return the people that the newest post mentions."""
    return [user.display_name for user in stage.post(place).message.mentions]


async def test_a_kick_that_would_do_something_else_by_now_is_not_carried_out(stage: DiscordStage) -> None:
    await stage.open("Ann", "Bo", **COOP)
    question = await ask_kick(stage, "Ann")
    asked = "**Kick Ann from table 1?** A computer takes their seat. You can't undo this."
    assert asked in read_message(question).text
    await kick(stage, "Bo")

    answer = await stage.admin.click(question, label="Yes, do it")

    assert "has changed" in answer.response.content
    table = await stage.table()
    assert (table.phase, table.seat_of(stage["Ann"].id)) == ("play", 0)


async def test_a_kick_offers_the_seat_to_people_who_look_as_its_question_says(stage: DiscordStage) -> None:
    await stage.open("Ann", "Bo", mode="versus", ribbon_choice="random")
    search = await stage["Cy"].slash(stage.channel, "looking")
    await fill(stage["Cy"], search.response, "Choose games", games=["ribbon"])

    question = await ask_kick(stage, "Ann")
    assert "People looking for a game can take the seat" in read_message(question).text
    await stage.admin.click(question, label="Yes, do it")

    assert "I'm offering Ann's seat at table 1 to people looking" in read_message(question).text


async def test_the_last_persons_kick_closes_the_table_and_makes_nobody_win(stage: DiscordStage) -> None:
    place = await stage.open("Ann", computers=1, mode="versus")

    question = await ask_kick(stage, "Ann")
    assert "the table would close without a result" in read_message(question).text
    await stage.admin.click(question, label="Yes, do it")

    assert "was the last one at table 1, so it's closed" in read_message(question).text

    table = await stage.table()
    assert (table.phase, table.outcome) == ("closed", None)
    assert (
        "removed the last player from the table, so the game ends without a result" in stage.post(place).text
    )


async def test_a_hosts_kick_announces_the_next_or_closes_the_lobby(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "tesla new", computers=1)
    await stage["Bo"].click(stage.card().message, label="Join")

    question = await ask_kick(stage, "Ann")
    assert "They can join again. Bo becomes the host." in read_message(question).text
    await stage.admin.click(question, label="Yes, do it")

    assert (await stage.table()).host_id == stage["Bo"].id
    result = stage["Ann"].user.dm_channel.history()[-1]
    assert (
        "An admin removed you from **Tesla's Tangle**, table 1, before its game began."
        in read_message(result).text
    )

    question = await ask_kick(stage, "Bo")
    assert "Nobody else is there, so the lobby closes." in read_message(question).text
    await stage.admin.click(question, label="Yes, do it")

    assert (await stage.table()).phase == "closed"


async def test_a_kick_mentions_the_player_to_move_once_and_a_leaver_never(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", "Cy", **COOP)
    assert find_mentions(stage, place) == ["Ann"]
    more = await stage["Cy"].click(stage.post(place).message, label="More")
    leaving = await stage["Cy"].click(more.response, label="Leave the game")
    await stage["Cy"].click(leaving.response, label="Let a computer take my seat")
    assert find_mentions(stage, place) == []

    await kick(stage, "Bo")

    assert find_mentions(stage, place) == ["Ann"]
    assert "An admin removed Bo from the table. A computer player takes the seat." in stage.post(place).text
