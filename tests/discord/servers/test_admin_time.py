from typing import Any

import pytest

from tables.clocks.pace import DAY, HOUR
from tests.discord.stage import DiscordStage, read_message

pytestmark = [pytest.mark.usefixtures("patient")]


async def audit(stage: DiscordStage) -> list[tuple[str, str]]:
    """Return the audit log, newest first."""
    rows = await stage.bot.app.parlour.store.administration.audit(stage.guild.id)
    return [(row.action, row.detail) for row in rows]


@pytest.mark.essential
async def test_a_table_is_paused_and_goes_on(stage: DiscordStage, place: Any) -> None:
    paused = await stage.admin.slash(place, "admin pause")
    assert paused.ephemeral
    assert (
        "Table 1 is paused. Only admins can resume it, with `/admin resume`."
        in read_message(paused.response).text
    )
    assert "An admin paused the table." in stage.post(place).text
    refused = await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")
    assert "An admin paused the table" in refused.response.content

    again = await stage.admin.slash(place, "admin pause")
    assert "already paused" in again.response.content
    going = await stage.admin.slash(place, "admin resume")
    assert "Table 1 continues" in read_message(going.response).text
    assert "An admin ended the pause" in stage.post(place).text
    twice = await stage.admin.slash(place, "admin resume")

    assert "isn't paused" in twice.response.content
    assert [action for action, _ in await audit(stage)] == ["resume", "pause"]
    await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")
    assert " at 3 " in stage.post(place).text


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


async def test_somebody_gets_more_time(stage: DiscordStage, place: Any) -> None:
    table = await stage.table()
    until = table.clock(0).since + 2 * DAY
    assert f"Ann has until <t:{until:.0f}:f>" in stage.post(place).text

    answer = await stage.admin.slash(place, "admin deadline", player=stage["Ann"], by="1d12h")

    assert answer.ephemeral
    assert (
        f"Ann gets 1 day 12 hours more. They now have time until <t:{until + 1.5 * DAY:.0f}:f>"
        in read_message(answer.response).text
    )
    assert "An admin gave Ann 1 day 12 hours more to move." in stage.post(place).text
    assert f"Ann has until <t:{until + 1.5 * DAY:.0f}:f>" in stage.post(place).text
    log = read_message((await stage.admin.slash(place, "admin audit")).response).text
    assert f"<@{stage.admin.id}> gave <@{stage['Ann'].id}> 1 day 12 hours more at table 1." in log


async def test_extra_time_ends_the_lateness(stage: DiscordStage, place: Any) -> None:
    await stage.wait(2 * DAY + HOUR)
    assert "Ann is late" in stage.post(place).text
    assert "Wait" in stage.post(place).buttons

    await stage.admin.slash(place, "admin deadline", player=stage["Ann"], by="2 hours")

    assert "**Ann has been late**" not in stage.post(place).text
    assert "Wait" not in stage.post(place).buttons
    await stage.wait(2 * HOUR)
    assert "**Ann has been late**" in stage.post(place).text


async def test_the_settings_are_told_in_plain_lines(stage: DiscordStage) -> None:
    shown = await stage.admin.slash(stage.channel, "admin config")

    assert read_message(shown.response).text.strip().splitlines() == [
        "**Channels for new tables**: every channel",
        "**Who can open tables**: everyone",
        "**Games run in**: threads of their own",
        "**Pictures in posts**: light",
        "**Who can use `/admin`**: only members with Manage Server",
        "**Usual pace**: daily, "
        "so each player starts with 2 days of time and gets 1 day more each turn, up to 3 days",
        "**Paces that nobody can choose**: none",
        "**When someone is late**: the others decide what happens",
        "**Limit of open tables**: no limit",
        "**Limit of open tables per person**: 20",
        "**Computer players**: allowed",
        "**Hints**: on request",
        "**Rated**: yes",
        "**Rate games with computers**: no",
        "**Ask around pings**: nobody",
        "**Deal of the day**: off",
        "**Channel for the deal of the day**: none",
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
    assert "weekly, so each player starts with 14 days" in text
    assert "**Paces that nobody can choose**: live (was: none)" in text
    assert "a computer plays the turn" in text

    await stage["Ann"].slash(stage.channel, "ribbon new")
    refused = await stage["Bo"].slash(stage.channel, "ribbon new", pace="live")

    assert "Weekly: " in stage.card().text
    assert "a computer plays the turn" in stage.card().text
    assert "doesn't allow that pace" in refused.response.content
    [(action, detail)] = await audit(stage)
    assert action == "config"
    assert "**Paces that nobody can choose**: live (was: none)" in detail

    allowed = await stage.admin.slash(stage.channel, "admin config", allow_pace="live")
    assert "**Paces that nobody can choose**: none (was: live)" in read_message(allowed.response).text
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
