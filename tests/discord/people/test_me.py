from typing import Any

import pytest

from cogs.people.settings import WORDS as PERSONAL
from cogs.servers.settings import WORDS as SERVER
from cogs.ui.press import Press
from tables.core.people import Notices, Person
from tests.discord.stage import DiscordStage, ShownMessage, pick, read_message


async def person(stage: DiscordStage, name: str = "Ann") -> Person:
    return await stage.bot.app.parlour.people.person(stage[name].id)


async def panel(stage: DiscordStage, name: str = "Ann") -> tuple[Any, ShownMessage]:
    answer = await stage[name].slash(stage.channel, "me settings")
    assert answer.ephemeral
    return answer, read_message(answer.response)


async def press(stage: DiscordStage, answer: Any, label: str, name: str = "Ann") -> Any:
    return await stage[name].click(answer.response, label=label)


async def type_command(stage: DiscordStage, command: str, **options: Any) -> str:
    answer = await stage["Ann"].slash(stage.channel, f"me {command}", **options)
    assert answer.ephemeral
    return read_message(answer.response).text


async def test_the_panel_explains_each_setting_and_changes_it_in_place(stage: DiscordStage) -> None:
    answer, shown = await panel(stage)
    for line in ("**Notices**: in the table's thread", "**Reminders**: on", "**Hands by DM**: on"):
        assert line in shown.text
    for line in ("**Quiet hours**: none", "**Time zone**: UTC (now ", "**Digest**: off", "**Away**: no"):
        assert line in shown.text
    assert shown.values("where") == ["thread", "dm", "both", "none"]
    assert shown.values("digest") == ["off", *map(str, range(24))]

    await pick(stage["Ann"], answer.response, "where", "both")
    await pick(stage["Ann"], answer.response, "digest", "7")
    old, _ = await panel(stage)
    await press(stage, answer, "Reminders: turn off")
    await press(stage, old, "Reminders: turn off")
    await press(stage, answer, "Hands by DM: turn off")

    known = await person(stage)
    assert (known.notices, known.digest_hour, known.reminders, known.hands) == (Notices.BOTH, 7, False, False)
    text = read_message(answer.response).text
    assert "**Notices**: in the thread and by DM" in text
    assert "**Digest**: 7:00" in text
    assert "**Reminders**: off" in text
    assert len([m for m in stage.channel.history(viewer=stage["Ann"]) if m.flags.ephemeral]) == 2


async def test_quiet_hours_and_zone_are_typed_into_forms(stage: DiscordStage) -> None:
    answer, shown = await panel(stage)

    form = await press(stage, answer, "Quiet hours")
    said = await stage["Ann"].submit_modal(form, {"from": "dusk", "to": "dawn"})
    assert "`22:00`" in read_message(said.response).text
    assert said.ephemeral
    assert read_message(answer.response).text == shown.text

    form = await press(stage, answer, "Time zone")
    await stage["Ann"].submit_modal(form, {"zone": "berlin"})
    form = await press(stage, answer, "Quiet hours")
    await stage["Ann"].submit_modal(form, {"from": "10pm", "to": "7"})

    text = read_message(answer.response).text
    assert "**Time zone**: Europe/Berlin (now " in text
    assert "**Quiet hours**: 22:00 to 7:00" in text
    quiet = (await person(stage)).quiet
    assert quiet is not None
    assert (quiet.begins, quiet.ends, quiet.zone) == (22 * 60, 7 * 60, "Europe/Berlin")

    form = await press(stage, answer, "Quiet hours")
    await stage["Ann"].submit_modal(form, {"from": "", "to": ""})
    assert (await person(stage)).quiet is None


async def test_a_holiday_is_told_at_the_table_and_ends_by_a_button(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")
    answer, _ = await panel(stage)
    form = await press(stage, answer, "I'll be away")
    await stage["Ann"].submit_modal(form, {"until": "3 days", "note": "skiing in\n the *Alps*"})

    assert "**Away**: until <t:" in read_message(answer.response).text
    history = await stage["Bo"].slash(place, "table history")
    assert "Ann is away until <t:" in read_message(history.response).text
    assert "skiing in the \\*Alps\\*." in read_message(history.response).text

    await press(stage, answer, "I'm back")
    assert "**Away**: no" in read_message(answer.response).text
    again = await stage["Ann"].slash(stage.channel, "me back")
    assert again.response.content == "You aren't away."


async def test_everything_can_be_typed(stage: DiscordStage) -> None:
    assert "by DM" in await type_command(stage, "notices", where="dm", reminders=False, hands=False)
    assert "Asia/Tokyo (now " in await type_command(stage, "zone", zone="Asia/Tokyo")
    assert "22:30 to 6:00" in await type_command(stage, "quiet", **{"from": "22:30", "to": "6am"})
    assert "**Digest**: 20:00" in await type_command(stage, "digest", hour="20")
    assert "**Away**: until <t:" in await type_command(stage, "away", until="2 weeks", note="far off")
    known = await person(stage)
    assert known.away_note == "far off"
    assert (known.notices, known.reminders, known.hands) == (Notices.DM, False, False)

    assert "Welcome back" in await type_command(stage, "back")
    assert "**Quiet hours**: none" in await type_command(stage, "quiet", **{"from": "off"})
    assert "**Digest**: off" in await type_command(stage, "digest", hour="off")


async def test_impossible_input_gets_a_sentence(stage: DiscordStage) -> None:
    refused: list[tuple[str, dict[str, str], str]] = [
        ("zone", {"zone": "Atlantis"}, "`Europe/Berlin`"),
        ("zone", {"zone": "America"}, "several time zones"),
        ("quiet", {"from": "22:00"}, "`22:00`"),
        ("quiet", {"from": "20", "to": "9"}, "10 hours a day at most"),
        ("away", {"until": "someday"}, "`10 days`"),
        ("away", {"until": "15 days"}, "at most 14 days"),
        ("away", {"until": "2001-01-01"}, "in the past"),
    ]

    for command, options, answer in refused:
        assert answer in await type_command(stage, command, **options)
        assert await person(stage) == Person(stage["Ann"].id)


async def test_zones_are_offered_with_the_time_there(stage: DiscordStage) -> None:
    known = await stage["Ann"].autocomplete(stage.channel, "me zone", "zone", "")
    result = await stage["Ann"].autocomplete(stage.channel, "me zone", "zone", "new y")
    many = await stage["Ann"].autocomplete(stage.channel, "me zone", "zone", "a")

    assert known[0]["value"] == "UTC"
    assert [choice["value"] for choice in result] == ["America/New_York"]
    assert result[0]["name"].startswith("America/New_York (")
    assert len(many) == 25


async def test_hands_come_by_dm_only_to_who_wants_them(stage: DiscordStage) -> None:
    await type_command(stage, "notices", hands=False)

    await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")

    assert stage["Ann"].user.dm_channel.history() == []
    assert len(stage["Bo"].user.dm_channel.history()) == 1


async def test_the_button_of_an_older_panel_ends_a_holiday(stage: DiscordStage) -> None:
    await type_command(stage, "away", until="3 days")

    await stage.send_press_as(stage["Ann"], Press("me", "back"), stage.channel)

    assert (await person(stage)).away_until(stage.bot.app.parlour.clock()) is None


@pytest.mark.parametrize(
    ("command", "label", "field"),
    [
        ("words", "Show boards as pictures", "in_words"),
        ("hide", "Show my games to all", "hidden"),
        ("daily", "Deal of the day: turn off", "daily"),
    ],
)
async def test_a_button_undoes_a_setting(stage: DiscordStage, command: str, label: str, field: str) -> None:
    await stage["Ann"].slash(stage.channel, f"me {command}")
    again = await stage["Ann"].slash(stage.channel, f"me {command}")
    assert getattr(await person(stage), field)

    await stage["Ann"].click(again.response, label=label)

    assert not getattr(await person(stage), field)


DOING = ("I send", "I show", "I post", "I remind", "This message", "The computer says", "When this is on")


@pytest.mark.parametrize("name", [*PERSONAL, *SERVER])
def test_a_setting_that_is_off_is_not_described_as_if_it_worked(name: str) -> None:
    words = [one[name] for one in (PERSONAL, SERVER) if name in one]

    assert not any(one.effect.startswith(DOING) for one in words)


def test_a_page_of_settings_never_refers_to_itself() -> None:
    assert not any("page **" in f"{one.effect} {one.note}" for one in SERVER.values())
