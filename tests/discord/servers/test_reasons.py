"""Reasons in players' messages and the log; pauses that hold; what a rollback took back."""

from typing import Any

import pytest

from cogs.ui.press import Press
from tests.discord.stage import DiscordStage, pick, read_message

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


async def test_a_setting_changed_on_the_panel_is_told_and_can_be_given_a_reason(stage: DiscordStage) -> None:
    panel = (await stage.admin.slash(stage.channel, "admin panel")).response
    await pick(stage.admin, panel, "page", "opening")
    await stage.admin.click(panel, label="Run games in the channel")

    assert "**Games run in**: the channel itself (was: threads of their own)" in read_message(panel).text
    form = await stage.admin.click(panel, label="Give a reason")
    await stage.admin.submit_modal(form, {"reason": WHY})

    assert "The audit log shows the reason." in read_message(panel).text
    assert "the channel itself (was: threads of their own). Reason: Ann asked me \\*twice\\*" in await log(
        stage
    )


async def test_nobody_gives_a_reason_for_what_another_has_done(stage: DiscordStage) -> None:
    async with stage.run_by_itself() as parlour:
        entry = await parlour.write_down(stage.guild.id, None, stage["Bo"].id, "config", what="place")

    for number in (entry, 0, 2**62):
        form = await stage.send_press_as(stage.admin, Press("panel", "why", arg=f"{number} opening"))
        answer = await stage.admin.submit_modal(form, {"reason": WHY})
        assert "Only the person who changed that can give a reason" in read_message(answer.response).text

    assert "Reason" not in await log(stage)


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


async def test_a_pause_of_an_administrator_is_ended_by_no_player(stage: DiscordStage, place: Any) -> None:
    await stage.admin.slash(place, "admin pause", reason="a quarrel")
    post = stage.post(place)
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

    await stage.admin.slash(place, "admin resume")

    assert not (await stage.table()).held
    await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")
    assert " at 3 " in stage.post(place).text


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
