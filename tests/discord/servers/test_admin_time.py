"""Admins change time and settings, and give their reasons."""

from typing import Any

import pytest

from cogs.ui.press import Press
from tables.clocks.pace import DAY, HOUR
from tests.discord.stage import DiscordStage, fill, pick, read_message

pytestmark = [pytest.mark.usefixtures("patient")]


async def audit(stage: DiscordStage) -> list[tuple[str, str]]:
    """Return the audit log, newest first."""
    rows = await stage.bot.app.parlour.store.administration.audit(stage.guild.id)
    return [(row.action, row.detail) for row in rows]


async def test_a_pause_ends_at_the_time_that_was_said(stage: DiscordStage, place: Any) -> None:
    paused = await stage.admin.slash(place, "admin pause", until="in 72 hours")

    ends = (await stage.table()).paused_until
    assert ends == pytest.approx(stage.env.now().timestamp() + 3 * DAY, abs=5)
    assert f"until <t:{ends:.0f}:f>" in read_message(paused.response).text
    assert f"until <t:{ends:.0f}:f>" in stage.post(place).text
    await stage.wait(3 * DAY)

    assert (await stage.table()).paused_at is None
    assert "The pause is over" in stage.post(place).text


async def test_senseless_times_and_times_of_strangers_are_refused(stage: DiscordStage, place: Any) -> None:
    for until in ("soon", "90 days", "2020-01-01", "0 days", "31.2."):
        answer = await stage.admin.slash(place, "admin pause", until=until)
        assert answer.ephemeral
        assert "2026-12-24`" in answer.response.content
    assert (await stage.table()).paused_at is None

    for by in ("a while", "3", "-1d", "2 fortnights", "31 days", "0m"):
        answer = await stage.admin.slash(place, "admin deadline", player=stage["Ann"], by=by)
        assert answer.ephemeral
        assert "`1d12h`" in answer.response.content
    stage.allow_admin(stage.guild.default_role)
    stranger = await stage.admin.slash(place, "admin deadline", player=stage["Dee"], by="1d")
    refused = await stage["Ann"].slash(place, "admin deadline", player=stage["Ann"], by="1d")
    assert f"<@{stage['Dee'].id}> isn't at table 1" in stranger.response.content
    assert "Only this server's admins can do that" in refused.response.content
    assert await audit(stage) == []


async def test_a_lobby_and_a_finished_game_are_not_paused(stage: DiscordStage, place: Any) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new")
    lobby = await stage.admin.slash(stage.channel, "admin pause", table=2)
    assert "hasn't begun" in lobby.response.content

    await stage.finish(place)
    over = await stage.admin.slash(stage.channel, "admin pause", table=1)
    resumed = await stage.admin.slash(stage.channel, "admin resume", table=1)
    timed = await stage.admin.slash(stage.channel, "admin deadline", player=stage["Ann"], by="1d", table=1)

    assert "finished" in over.response.content
    assert "isn't paused" in resumed.response.content
    assert "finished" in timed.response.content


async def test_somebody_gets_more_time_which_ends_their_lateness(stage: DiscordStage, place: Any) -> None:
    table = await stage.table()
    until = table.clock(0).since + 2 * DAY
    assert f"Ann's move is due <t:{until:.0f}:R>" in stage.post(place).text

    answer = await stage.admin.slash(place, "admin deadline", player=stage["Ann"], by="1d12h")

    assert answer.ephemeral
    assert (
        f"Ann gets 1 day 12 hours more. They now have time until <t:{until + 1.5 * DAY:.0f}:f>"
        in read_message(answer.response).text
    )
    assert "An admin gave Ann 1 day 12 hours more to move." in stage.post(place).text
    assert f"Ann's move is due <t:{until + 1.5 * DAY:.0f}:R>" in stage.post(place).text
    log = read_message((await stage.admin.slash(place, "admin audit")).response).text
    assert f"<@{stage.admin.id}> gave <@{stage['Ann'].id}> 1 day 12 hours more at table 1." in log

    await stage.wait(3.5 * DAY + HOUR)
    assert "Ann is late" in stage.post(place).text
    assert "Wait" in stage.post(place).buttons

    await stage.admin.slash(place, "admin deadline", player=stage["Ann"], by="2 hours")

    assert "**Ann's time ran out**" not in stage.post(place).text
    assert "Wait" not in stage.post(place).buttons
    await stage.wait(2 * HOUR)
    assert "**Ann's time ran out**" in stage.post(place).text


async def test_the_settings_are_told_in_plain_lines(stage: DiscordStage) -> None:
    shown = await stage.admin.slash(stage.channel, "admin config")

    assert read_message(shown.response).text.strip().splitlines() == [
        "**Channels for new tables**: every channel",
        "**Who can open tables**: everyone",
        "**Games run in**: threads of their own",
        "**Pictures in posts**: light",
        "**Who can use `/admin`**: only members with Manage Server",
        "**Usual pace**: daily "
        "(each player starts with 2 days of time and gets 1 day more each turn, up to 3 days)",
        "**Forbidden paces**: none",
        "**When someone is late**: the others decide what happens",
        "**Limit of open tables**: no limit",
        "**Limit of open tables per person**: 20",
        "**Computer players**: allowed",
        "**Hints**: on request",
        "**Rated**: yes",
        "**Rate games with computers**: no",
        "**Ask around pings**: nobody",
        "**Channel for the deal of the day**: none",
        "**Deal of the day**: off",
        "**Hour of the daily deal**: 9:00",
        "**Time zone**: UTC",
        "**Games for the deal of the day**: all",
        "**Puzzle of the day**: off",
        "**Notice board**: none",
    ]


async def test_a_server_has_a_pace_and_a_rule_of_its_own(stage: DiscordStage) -> None:
    shown = await stage.admin.slash(
        stage.channel, "admin config", pace="Weekly", forbid_pace="live", when_late="computer"
    )
    text = read_message(shown.response).text
    assert "weekly (each player starts with 14 days" in text
    assert "**Forbidden paces**: live (was: none)" in text
    assert "a computer plays the turn" in text

    await stage["Ann"].slash(stage.channel, "ribbon new")
    refused = await stage["Bo"].slash(stage.channel, "ribbon new", pace="live")

    assert "Weekly: " in stage.card().text
    assert "a computer plays the turn" in stage.card().text
    assert "doesn't allow that pace" in refused.response.content
    [(action, detail)] = await audit(stage)
    assert action == "config"
    assert "**Forbidden paces**: live (was: none)" in detail

    allowed = await stage.admin.slash(stage.channel, "admin config", allow_pace="live")
    assert "**Forbidden paces**: none (was: live)" in read_message(allowed.response).text
    await stage["Bo"].slash(stage.channel, "ribbon new", pace="live")
    assert (await stage.table(2)).pace.name == "live"


CONTRADICTIONS: list[tuple[dict[str, str], str]] = [
    ({"pace": "soonish"}, "`3d+12h cap 5d`"),
    ({"pace": "4m"}, "`3d+12h cap 5d`"),
    ({"forbid_pace": "daily"}, "Choose another usual pace first, like `/admin config pace:none`"),
    ({"pace": "live", "forbid_pace": "live"}, "`/admin config pace:live allow_pace:live`"),
    ({"pace": "3d+1d", "forbid_pace": "custom"}, "allow_pace:custom`"),
    ({"forbid_pace": "live", "allow_pace": "live"}, "Use one of the two options"),
]


async def test_settings_that_contradict_themselves_are_refused(stage: DiscordStage) -> None:
    for options, why in CONTRADICTIONS:
        answer = await stage.admin.slash(stage.channel, "admin config", **options)
        assert answer.ephemeral
        assert why in answer.response.content

    assert (await stage.bot.app.parlour.settings(stage.guild.id)).pace == "daily"
    assert await audit(stage) == []
    for typed, paces in (("we", ["weekly"]), ("3d + 12h", ["3d+12h cap 4d"])):
        offered = await stage.admin.autocomplete(stage.channel, "admin config", "pace", typed)
        assert [choice["value"] for choice in offered] == paces


WHY = "Ann asked me *twice*"
TOLD = "↳ Reason: Ann asked me \\*twice\\*"


async def log(stage: DiscordStage) -> str:
    """Return the log, newest first."""
    return read_message((await stage.admin.slash(stage.channel, "admin audit")).response).text


@pytest.mark.parametrize(
    "deed", ["close", "kick", "skip", "rollback", "pause", "resume", "deadline", "move", "replace"]
)
async def test_every_deed_tells_players_its_reason(deed: str, stage: DiscordStage, place: Any) -> None:
    lounge = stage.guild.create_text_channel("lounge")
    options: dict[str, Any] = {
        "kick": {"player": stage["Bo"]},
        "deadline": {"player": stage["Ann"], "by": "1d"},
        "move": {"channel": lounge},
        "replace": {"player": stage["Bo"], "by": stage["Dee"]},
    }.get(deed, {})
    if deed == "rollback":
        await stage.panel_flip("Ann", place)
    if deed == "resume":
        await stage.admin.slash(place, "admin pause")

    answer = (await stage.admin.slash(place, f"admin {deed}", reason=WHY, table=1, **options)).response
    if "Yes, do it" in read_message(answer).buttons:
        assert TOLD.removeprefix("↳ ") in read_message(answer).text
        await stage.admin.click(answer, label="Yes, do it")

    where = lounge.threads[0] if deed == "move" else place
    assert TOLD in stage.post(where).text
    assert "Reason: Ann asked me \\*twice\\*" in await log(stage)


async def test_only_who_changed_a_setting_on_the_panel_gives_its_reason(stage: DiscordStage) -> None:
    async with stage.run_by_itself() as parlour:
        entry = await parlour.write_down(stage.guild.id, None, stage["Bo"].id, "config", what="place")

    for number in (entry, 0, 2**62):
        form = await stage.send_press_as(stage.admin, Press("panel", "why", arg=f"{number} opening"))
        answer = await stage.admin.submit_modal(form, {"reason": WHY})
        assert "Only the person who changed that can give a reason" in read_message(answer.response).text

    assert "Reason" not in await log(stage)

    panel = (await stage.admin.slash(stage.channel, "admin panel")).response
    await pick(stage.admin, panel, "page", "opening")
    await fill(stage.admin, panel, "New tables", place="channel")

    assert "**Games run in**: the channel itself (was: threads of their own)" in read_message(panel).text
    form = await stage.admin.click(panel, label="Give a reason")
    await stage.admin.submit_modal(form, {"reason": WHY})

    assert "The audit log shows the reason." in read_message(panel).text
    assert "the channel itself (was: threads of their own). Reason: Ann asked me \\*twice\\*" in await log(
        stage
    )


async def test_a_reason_is_given_in_the_panel_and_changed(stage: DiscordStage, place: Any) -> None:
    panel = (await stage.admin.slash(stage.channel, "admin panel")).response
    await pick(stage.admin, panel, "page", "tables")
    await pick(stage.admin, panel, "choose", "1")
    await stage.admin.click(panel, label="Close…")
    form = await stage.admin.click(panel, label="Give a reason")
    await stage.admin.submit_modal(form, {"reason": "nobody moves"})
    assert "Reason: nobody moves" in read_message(panel).text
    form = await stage.admin.click(panel, label="Change the reason")
    await stage.admin.submit_modal(form, {"reason": "nobody  has moved"})

    await stage.admin.click(panel, label="Yes, do it")

    assert "↳ Reason: nobody has moved" in stage.post(place).text
    assert (await stage.table()).phase == "closed"


async def test_a_kick_or_a_closing_lobby_tells_its_people_why(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new")
    await stage["Bo"].click(stage.card().message, label="Join")

    for command, options in (("kick", {"player": stage["Bo"]}), ("close", {})):
        answer = await stage.admin.slash(
            stage.channel, f"admin {command}", reason="too late", table=1, **options
        )
        await stage.admin.click(answer.response, label="Yes, do it")

    texts = {name: read_message(stage[name].user.dm_channel.history()[-1]).text for name in ("Ann", "Bo")}
    assert (
        "An admin closed **Ribbon Tangle**, table 1, before its game began.\n↳ Reason: too late"
        in texts["Ann"]
    )
    assert (
        "An admin removed you from **Ribbon Tangle**, table 1, before its game began.\n↳ Reason: too late"
        in texts["Bo"]
    )


@pytest.mark.essential
async def test_a_pause_of_an_administrator_is_ended_by_no_player(stage: DiscordStage, place: Any) -> None:
    paused = await stage.admin.slash(place, "admin pause", reason="a quarrel")
    assert paused.ephemeral
    only = "Table 1 is paused. Only admins can resume it, with `/admin resume`."
    assert only in read_message(paused.response).text
    post = stage.post(place)
    assert "An admin paused the table." in post.text
    assert "Go on" not in post.buttons
    more = await stage["Ann"].click(post.message, label="More")
    assert "Go on" not in read_message(more.response).buttons
    assert "Only an admin can end the pause" in post.text

    for press in (
        Press("late", "on", 1, 99),
        Press("late", "pause", 1, 99),
        Press("late", "matter", 1, 99, "end"),
    ):
        refused = await stage.send_press("Ann", press)
        assert (
            f"<@{stage.admin.id}> paused this table. Only an admin can end the pause."
            in refused.response.content
        )
        assert "Reason: a quarrel" in refused.response.content
    moved = await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")
    assert "An admin paused the table. Only an admin can end the pause." in moved.response.content
    assert (await stage.table()).held

    going = await stage.admin.slash(place, "admin resume")
    twice = await stage.admin.slash(place, "admin resume")

    assert "Table 1 continues" in read_message(going.response).text
    assert "An admin ended the pause" in stage.post(place).text
    assert "isn't paused" in twice.response.content
    assert [action for action, _ in await audit(stage)] == ["resume", "pause"]
    assert not (await stage.table()).held
    await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")
    assert " at 3." in stage.post(place).text


async def test_a_pause_of_players_becomes_an_administrators(stage: DiscordStage, place: Any) -> None:
    more = await stage["Ann"].click(stage.post(place).message, label="More")
    await stage["Ann"].click(more.response, label="Pause the table")
    await stage["Bo"].click(stage.post(place).message, label="Agree")
    assert "Go on" in stage.post(place).buttons

    await stage.admin.slash(place, "admin pause")

    assert "Go on" not in stage.post(place).buttons
    again = await stage.admin.slash(place, "admin pause")
    assert "already paused" in again.response.content


async def test_which_steps_a_rollback_undid_is_told_to_all_and_in_the_record(
    stage: DiscordStage, place: Any
) -> None:
    await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")
    await stage["Bo"].slash(place, "ribbon choose", choice="flip 9")
    asked = (await stage.admin.slash(place, "admin rollback", steps=2, reason=WHY)).response
    await stage.admin.click(asked, label="Yes, do it")
    post, answer = stage.post(place).text, read_message(asked).text

    history = await stage["Ann"].slash(place, "table history")
    lines = await stage["Ann"].click(history.response, label="All lines")
    written = (await stage["Ann"].slash(place, "table log")).response
    result, _ = await stage.panel("Ann", place)

    (attachment,) = written.attachments
    log_file = (await attachment.read()).decode()

    assert " at 3" in post
    assert " at 9" in post
    assert "↳ Undone: Ann flips" in post
    assert " at 3" in answer
    assert " at 9" in answer
    assert "**Undone:**" in answer
    for text in (read_message(history.response).text, read_message(lines.response).text, log_file):
        assert "↳ Undone: Ann flips" in text
        assert "↳ Undone: Bo flips" in text
        assert "Reason: Ann asked me" in text
    assert "What happened" in (await stage.unfold("Ann", result)).buttons


async def test_the_log_keeps_the_reason_of_a_setting_or_notice_board(stage: DiscordStage) -> None:
    await stage.admin.slash(stage.channel, "admin config", most_tables=3, reason=WHY)
    only = await stage.admin.slash(stage.channel, "admin config", reason=WHY)
    await stage.admin.slash(stage.channel, "admin board", channel=stage.channel, reason="so that all see it")
    await stage.admin.slash(stage.channel, "admin board", off=True, reason="too many")

    text = await log(stage)
    assert "3 (was: no limit). Reason: Ann asked me \\*twice\\*" in text
    assert f"put the notice board up in <#{stage.channel.id}>. Reason: so that all see it" in text
    assert "removed the notice board. Reason: too many" in text
    assert "Limit of open tables" in read_message(only.response).text


async def test_a_post_tells_a_pause_or_proposal_once(stage: DiscordStage, place: Any) -> None:
    await stage.admin.slash(place, "admin pause", until="3 days")
    paused = stage.post(place).text
    await stage.admin.slash(place, "admin resume")
    more = await stage["Ann"].click(stage.post(place).message, label="More")
    await stage["Ann"].click(more.response, label="Pause the table")
    proposed = stage.post(place).text
    await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")
    later = stage.post(place).text

    assert paused.count("until <t:") == paused.count("No clocks run") == 1
    assert "Reason" not in paused + await log(stage)
    assert proposed.count("pause") == 1
    assert "🤝 <@" in proposed
    assert "🤝 **Proposed: a pause.** In favour: Ann. <@" in later
