from typing import Any

import discord
import pytest

from cogs.ui.press import parse
from db.records import AuditRow
from tables.clocks.pace import DAY, next_hour
from tests.discord.stage import DiscordStage, ShownMessage, fill, pick, read_message, submit

ENTITY_MENUS = (5, 6, 8)


@pytest.fixture
async def panel(stage: DiscordStage) -> Any:
    return (await stage.admin.slash(stage.channel, "admin panel")).response


async def settings(stage: DiscordStage) -> Any:
    return await stage.bot.app.parlour.settings(stage.guild.id)


async def page(stage: DiscordStage, panel: Any, name: str) -> ShownMessage:
    await pick(stage.admin, panel, "page", name)
    return read_message(panel)


async def pick_from_menu(stage: DiscordStage, panel: Any, verb: str, *whom: Any) -> Any:
    """Pick members, roles or channels in one of Discord's own menus."""
    for component in read_message(panel).components:
        press = parse(component.get("custom_id", ""))
        if press is not None and press.verb == verb and component["type"] in ENTITY_MENUS:
            return await stage.admin.select(panel, list(whom), custom_id=component["custom_id"])
    raise AssertionError(f"there is no {verb}")


async def press_button(stage: DiscordStage, panel: Any, label: str) -> Any:
    return await stage.admin.click(panel, label=label)


async def log(stage: DiscordStage, **options: Any) -> str:
    """Return the log, newest first."""
    return read_message((await stage.admin.slash(stage.channel, "admin audit", **options)).response).text


async def change(stage: DiscordStage, panel: Any, name: str, label: str, **values: Any) -> Any:
    """Change settings in the form of a page."""
    await page(stage, panel, name)
    return await fill(stage.admin, panel, label, values)


async def test_each_page_changes_its_settings_in_a_form(stage: DiscordStage, panel: Any) -> None:
    players, lounge = stage.guild.create_role("Players"), stage.guild.create_text_channel("lounge")
    assert "### Tables of this server" in read_message(panel).text
    assert "**Channels for new tables**: every channel" in (await page(stage, panel, "opening")).text

    await change(
        stage, panel, "opening", "New tables", open_in=[lounge], open_role=[players], place="channel"
    )
    times = {"pace": "weekly", "forbid": ["live", "custom"], "late": "computer"}
    await change(stage, panel, "time", "Paces and late players", **times)
    limits = {"most_tables": "12", "most_each": "3", "computers": "off", "hints": "off"}
    await change(stage, panel, "limits", "Limits, computers and hints", **limits)
    await change(stage, panel, "ratings", "Ratings", rated="off")
    await change(stage, panel, "calls", "Role to ask around", asked=[players])
    await pick_from_menu(stage, panel, "board", lounge)
    assert "Tables of Parlour" in stage.post(lounge).text
    assert "The notice board is in" in read_message(panel).text
    await pick_from_menu(stage, panel, "board")
    assert stage.posts(lounge) == []
    await change(stage, panel, "admins", "Choose a role", role=[players])

    known = await settings(stage)
    assert (known.open_in, known.open_role_id, known.place) == ((lounge.id,), players.id, "channel")
    assert (known.pace, known.forbidden_paces, known.when_late) == ("weekly", ("live", "custom"), "computer")
    assert (known.most_tables, known.most_each, known.computers, known.hints) == (12, 3, False, False)
    assert (known.rated, known.asked_role_id, known.admin_role_id) == (False, players.id, players.id)
    assert f"**Who can use `/admin`**: <@&{players.id}>" in read_message(panel).text
    assert f"**Channels for new tables**: <#{lounge.id}> (was: every channel)" in await log(stage)
    assert len([m for m in stage.channel.history(viewer=stage.admin) if m.flags.ephemeral]) == 2


async def test_limits_are_numbers_and_the_next_deals_time_is_shown(stage: DiscordStage, panel: Any) -> None:
    first = read_message(panel).menus["page"]["id"]

    await page(stage, panel, "limits")
    answer = await fill(stage.admin, panel, "Limits, computers and hints", most_tables="many")
    again = (await page(stage, panel, "opening")).menus["page"]

    assert "“many” isn't a number from 1 to 10,000" in read_message(answer.response).text
    assert (await settings(stage)).most_tables is None
    assert again["id"] != first
    assert [option["value"] for option in again["options"] if option.get("default")] == ["opening"]

    before = await page(stage, panel, "daily")
    assert "The next deal comes" not in before.text

    await fill(stage.admin, panel, "When and where", daily_channel=[stage.channel])

    known = await settings(stage)
    with stage.env.time_context():
        at = next_hour(stage.bot.app.parlour.clock(), known.daily_hour, known.zone)
    assert f"The next deal comes <t:{at:.0f}:f>" in read_message(panel).text


async def test_a_picked_entry_can_be_removed(stage: DiscordStage, panel: Any) -> None:
    players, lounge = stage.guild.create_role("Players"), stage.guild.create_text_channel("lounge")
    await stage.admin.slash(
        stage.channel, "admin config", open_in=lounge, open_role=players, ask_role=players, computers=False
    )

    await page(stage, panel, "opening")
    await fill(stage.admin, panel, "New tables", open_in=[], open_role=[])
    typed = await stage.admin.slash(stage.channel, "admin config", clear_ask_role=True, open_in=lounge)
    emptied = await stage.admin.slash(stage.channel, "admin config", not_in=lounge)

    assert (
        f"**Channels for new tables**: <#{lounge.id}> (was: every channel)"
        in read_message(typed.response).text
    )
    assert (
        f"**Channels for new tables**: every channel (was: <#{lounge.id}>)"
        in read_message(emptied.response).text
    )
    known = await settings(stage)
    assert (known.open_in, known.open_role_id, known.asked_role_id) == ((), None, None)


async def test_two_admins_change_different_lines_of_one_form(stage: DiscordStage, panel: Any) -> None:
    await page(stage, panel, "limits")
    slow = await stage.admin.click(panel, label="Limits, computers and hints")
    await stage.admin.slash(stage.channel, "admin config", hints=False)

    await submit(stage.admin, slow, most_each="3")

    known = await settings(stage)
    assert (known.most_each, known.hints) == (3, False)


async def test_only_some_open_tables_and_only_in_some_channels(stage: DiscordStage) -> None:
    players, lounge = stage.guild.create_role("Players"), stage.guild.create_text_channel("lounge")
    await stage.admin.slash(stage.channel, "admin config", open_in=lounge, open_role=players, computers=False)
    member: Any = stage.guild.add_member(stage.env.create_user("pia"), roles=[players])

    stranger = await stage["Ann"].slash(lounge, "ribbon new")
    elsewhere = await member.slash(stage.channel, "ribbon new")
    cup = await member.slash(stage.channel, "cup new", game="ribbon")
    computers = await member.slash(lounge, "ribbon new", computers=1)
    await member.slash(lounge, "ribbon new")
    await stage.admin.slash(stage.channel, "ribbon new")

    assert f"Only members of <@&{players.id}> can open tables" in stranger.response.content
    assert f"Open yours in <#{lounge.id}>" in elsewhere.response.content
    assert f"Open yours in <#{lounge.id}>" in cup.response.content
    assert "Computer players are off" in computers.response.content
    assert [(await stage.table(number)).channel_id for number in (1, 2)] == [lounge.id, stage.channel.id]


@pytest.mark.usefixtures("patient")
@pytest.mark.essential
async def test_a_rematch_a_fork_and_a_reopened_lobby_are_opened_tables_too(stage: DiscordStage) -> None:
    place = await stage.open("Ann", game="ribbon", mode="solo")
    await stage.finish(place)
    await stage["Ann"].slash(stage.channel, "ribbon new")
    card = stage.card().message
    await stage.wait(7 * DAY + 60)
    await stage.admin.slash(stage.channel, "admin config", open_role=stage.guild.create_role("Players"))

    rematch = await stage["Ann"].click(stage.post(place).message, label="Rematch")
    fork = await stage["Ann"].slash(stage.channel, "table fork", at=0, table=1)
    again = await stage["Ann"].click(card, label="Open it again")

    ann = stage["Ann"].user
    by_dm = await ann.click(ann.dm_channel.history()[-1], label="Open it again")

    for answer in (rematch, fork, again, by_dm):
        assert "open tables here" in answer.response.content
    assert (await stage.table(2)).phase == "expired"
    await stage.admin.slash(stage.channel, "admin config", open_role=stage.guild.default_role)
    await ann.click(ann.dm_channel.history()[-1], label="Open it again")
    assert (await stage.table(2)).phase == "lobby"


async def test_tables_are_found_by_filters_and_paged(stage: DiscordStage, place: Any, panel: Any) -> None:
    for _ in range(10):
        await stage["Cy"].slash(stage.channel, "ribbon new")
    await stage["Dee"].slash(stage.channel, "tesla new")

    first = await page(stage, panel, "tables")
    assert len(first.values("choose")) == 10
    assert first.values("choose")[0] == "1"
    await press_button(stage, panel, "Next page")
    assert read_message(panel).values("choose") == ["11", "12"]
    await pick(stage.admin, panel, "game", "tesla")
    assert read_message(panel).values("choose") == ["12"]
    await pick(stage.admin, panel, "game", "any")
    await pick_from_menu(stage, panel, "member", stage["Ann"])
    assert read_message(panel).values("choose") == ["1"]
    await pick_from_menu(stage, panel, "member", stage["Bo"])
    assert "This server has no open table like that" in read_message(panel).text
    await pick_from_menu(stage, panel, "member")
    await pick(stage.admin, panel, "idle", "3")
    assert "This server has no open table like that" in read_message(panel).text
    await press_button(stage, panel, "Finished")
    assert "This server has no finished table" in read_message(panel).text

    typed = await stage.admin.slash(stage.channel, "admin tables", waiting_for=stage["Ann"], game="ribbon")
    assert read_message(typed.response).values("choose") == ["1"]


async def at_table(stage: DiscordStage, panel: Any, label: str, number: int = 1) -> Any:
    if "page" in read_message(panel).menus:
        await page(stage, panel, "tables")
    else:
        await press_button(stage, panel, "All tables")
    await pick(stage.admin, panel, "choose", str(number))
    return await press_button(stage, panel, label)


@pytest.mark.essential
async def test_the_panel_does_all_for_a_table(stage: DiscordStage, place: Any, panel: Any) -> None:
    form = await at_table(stage, panel, "Pause…")
    await stage.admin.submit_modal(form, {"until": "3 days"})
    assert "The table is paused until" in read_message(panel).text
    assert "Resume…" in read_message(panel).buttons
    form = await at_table(stage, panel, "Resume…")
    await stage.admin.submit_modal(form, {"reason": "they *asked*"})
    assert "Table 1 continues" in read_message(panel).text
    assert "↳ Reason: they \\*asked\\*" in stage.post(place).text

    form = await at_table(stage, panel, "Deadline…")
    await stage.admin.submit_modal(form, {"by": "1d"})
    assert "Ann gets 1 day more." in read_message(panel).text

    await at_table(stage, panel, "Let a computer play this turn…")
    await press_button(stage, panel, "Yes, do it")
    assert "The computer played" in read_message(panel).text
    assert await stage.due() == ["Bo"]
    assert "An admin let a computer play Ann's turn" in stage.post(place).text
    assert "Ann flips" in stage.post(place).text
    assert not (await stage.table()).seats[0].computer
    await at_table(stage, panel, "Roll back…")
    await press_button(stage, panel, "Yes, do it")
    assert await stage.due() == ["Ann"]

    await at_table(stage, panel, "Replace…")
    await pick(stage.admin, panel, "whom", str(stage["Ann"].id))
    await pick_from_menu(stage, panel, "by", stage["Dee"])
    assert "I've asked" in read_message(panel).text

    await at_table(stage, panel, "Kick…")
    await pick(stage.admin, panel, "whom", str(stage["Bo"].id))
    await press_button(stage, panel, "No")
    assert "Nothing changed" in read_message(panel).text
    await at_table(stage, panel, "Kick…")
    await pick(stage.admin, panel, "whom", str(stage["Bo"].id))
    await press_button(stage, panel, "Yes, do it")
    assert "A computer takes Bo's seat at table 1." in read_message(panel).text
    await at_table(stage, panel, "What admins did here")
    await press_button(stage, panel, "Table 1")
    assert "What admins did here" in read_message(panel).buttons
    await at_table(stage, panel, "Close…")
    await press_button(stage, panel, "Yes, do it")

    assert (await stage.table()).phase == "closed"
    text = await log(stage, table=1)
    for deed in ("closed table 1", "1 step at table 1", "paused table 1 until", "ended the pause of table 1"):
        assert deed in text
    assert f"gave <@{stage['Ann'].id}> 1 day more at table 1" in text


async def test_steps_that_showed_something_are_rolled_back_by_one_step_more(
    stage: DiscordStage, place: Any
) -> None:
    await stage.panel_flip("Ann", place)
    await stage["Bo"].slash(place, "ribbon choose", choice="flip 9")
    asked = await stage.admin.slash(place, "admin rollback")
    assert " at 9" in read_message(asked.response).text

    await press_button(stage, asked.response, "One more step")
    assert "One more step" in read_message(asked.response).buttons
    await press_button(stage, asked.response, "Yes, do it")

    assert (await stage.view()).circle == (None,) * 12
    assert await stage.due() == ["Ann"]
    assert "An admin undid some steps" in stage.post(place).text
    await stage.finish(place)


async def test_a_table_that_has_ended_is_left_alone(stage: DiscordStage, place: Any, panel: Any) -> None:
    await at_table(stage, panel, "Close…")
    other = await stage.admin.slash(place, "admin close")
    await stage.admin.click(other.response, label="Yes, do it")

    late = await press_button(stage, panel, "Yes, do it")

    assert "was closed" in late.response.content
    assert "Close…" not in read_message(other.response).buttons
    assert (await log(stage)).count("closed table 1") == 1


async def test_a_game_moves_to_another_channel_where_the_bot_posts(stage: DiscordStage, place: Any) -> None:
    role: Any = stage.guild.default_role
    denied = {role: discord.PermissionOverwrite(send_messages=False)}
    hidden = stage.guild.create_text_channel("hidden", overwrites=denied)
    refused = await stage.admin.slash(place, "admin move", channel=hidden)
    assert "I need these permissions in" in refused.response.content
    assert (await stage.table()).channel_id == stage.channel.id
    lounge = stage.guild.create_text_channel("lounge")

    answer = await stage.admin.slash(place, "admin move", channel=lounge)

    assert f"continues in <#{lounge.id}>" in read_message(answer.response).text
    (thread,) = lounge.threads
    assert "moved the table here" in stage.post(thread).text
    assert "Take turn" in stage.post(thread).buttons
    address = f"https://discord.com/channels/{stage.guild.id}/{thread.id}"
    assert f"has moved. [The game continues here]({address})" in stage.post(place).text
    assert all("Take turn" not in post.buttons for post in stage.posts(place))
    assert stage.is_archived(place)
    assert f"moved table 1 to <#{lounge.id}>" in await log(stage)
    await stage.finish(thread)


async def test_a_move_is_told_in_the_old_thread_after_the_new(stage: DiscordStage, place: Any) -> None:
    lounge = stage.guild.create_text_channel("lounge")
    before = len(stage.posts(place))
    stage.env.inject_error("POST", f"/channels/{lounge.id}/messages/*/threads", status=500, times=2)

    await stage.admin.slash(place, "admin move", channel=lounge)
    assert lounge.threads == []
    assert len(stage.posts(place)) == before
    await stage.env.advance_time(60)

    assert len(stage.posts(place)) == before + 1
    assert stage.is_archived(place)
    assert stage.post(lounge.threads[0]).text.count("moved the table here") == 1


async def test_a_game_moves_away_from_a_channel_that_was_deleted(stage: DiscordStage, place: Any) -> None:
    lounge = stage.guild.create_text_channel("lounge")
    with stage.env.time_context():
        await stage.find_channel(stage.channel).delete()
    await stage.env.settle()

    await stage.admin.slash(lounge, "admin move", channel=lounge, table=1)

    assert (await stage.table()).channel_id == lounge.id
    assert "Take turn" in stage.post(lounge.threads[-1]).buttons


async def test_a_game_that_lives_in_a_channel_itself_moves_too(stage: DiscordStage) -> None:
    lounge = stage.guild.create_text_channel("lounge")
    await stage.admin.slash(stage.channel, "admin config", tables_in="channel")
    await stage["Ann"].slash(stage.channel, "ribbon new", mode="solo")
    await stage["Ann"].click(stage.card().message, label="Start")

    await stage.admin.slash(stage.channel, "admin move", channel=lounge)

    assert "has moved" in stage.post(stage.channel).text
    await stage.finish(lounge)


async def test_a_lobby_moves_with_its_card(stage: DiscordStage, panel: Any) -> None:
    lounge = stage.guild.create_text_channel("lounge")
    await stage["Ann"].slash(stage.channel, "ribbon new")
    number = stage.card().message.id

    await at_table(stage, panel, "Move to…")
    await pick_from_menu(stage, panel, "where", lounge)
    await stage["Bo"].click(stage.post(lounge).message, label="Join")

    (old,) = (post for post in stage.posts(stage.channel) if post.message.id == number)
    assert "has moved" in old.text
    assert not old.files
    assert (await stage.table()).names == ["Ann", "Bo"]
    await stage["Ann"].click(stage.post(lounge).message, label="Start")
    assert len(lounge.threads) == 1


async def test_the_log_is_read_page_by_page(stage: DiscordStage) -> None:
    async with stage.run_by_itself() as parlour:
        for number in range(1, 36):
            row = AuditRow(
                stage.guild.id,
                number,
                stage.admin.id,
                "kick",
                f'{{"person":{stage["Ann"].id}}}',
                number * 60.0,
            )
            await parlour.store.administration.add_audit(row)
        await parlour.write_down(77, 1, stage.admin.id, "close")
    shown = (await stage.admin.slash(stage.channel, "admin audit")).response

    pages = [read_message(shown)]
    while not pages[-1].buttons["Next page"].get("disabled"):
        await press_button(stage, shown, "Next page")
        pages.append(read_message(shown))
    await press_button(stage, shown, "Previous page")

    assert [one.text.count(" removed ") for one in pages] == [10, 10, 10, 5]
    assert f"<t:2100:R> <@{stage.admin.id}> removed <@{stage['Ann'].id}> from table 35." in pages[0].text
    assert "page 3" in read_message(shown).text
    assert (await log(stage, table=7)).count(" removed ") == 1
    assert "Nothing here yet" in await log(stage, by=stage["Bo"])
