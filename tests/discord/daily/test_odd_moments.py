from typing import Any

import discord
import pytest
from msgspec.structs import replace

from cogs.daily import words
from cogs.discord.messages import nonce_of, send
from cogs.ui.page import Page
from cogs.ui.press import Press
from db.records import DailyDealRow, DailyPlayRow
from engines.analysis.daily import GOOD, MOST_SIGNS
from engines.registry import SLUGS
from tables.clocks.pace import DAY, HOUR, MINUTE, add_days, begins
from tables.daily import rules
from tests.db.rows import points_on
from tests.discord.daily import days
from tests.discord.stage import LOOKS_EVERY, DiscordStage, pick, read_message

pytestmark = [pytest.mark.usefixtures("patient")]


async def change_settings(stage: DiscordStage, **values: Any) -> None:
    await stage.bot.app.parlour.store.change_guild(stage.guild.id, lambda row: replace(row, **values))


def daily_messages(stage: DiscordStage, name: str) -> list[Any]:
    return [
        one for one in stage[name].user.dm_channel.history() if "Deal of the day" in read_message(one).text
    ]


async def log(stage: DiscordStage) -> str:
    return read_message((await stage.admin.slash(stage.channel, "admin audit")).response).text


async def test_a_play_counts_in_every_server_that_its_person_is_in(stage: DiscordStage) -> None:
    other = stage.env.create_guild("Elsewhere")
    channel = other.create_text_channel("daily")
    other.add_member(stage["Ann"].user)
    await days.turn_on(stage, "ribbon")
    await days.turn_on(stage, "ribbon", guild=other, channel=channel)

    await days.finish_play(stage, "Ann", 1)
    await days.finish_play(stage, "Bo", 2)
    await stage.env.advance_time(2 * LOOKS_EVERY)

    assert "Ann" in days.post(stage).text
    assert "Bo" in days.post(stage).text
    assert "1. Ann**" in days.post(stage, channel).text
    assert "Bo" not in days.post(stage, channel).text
    plays = await stage.bot.app.parlour.store.daily.plays_ended(days.today(stage), 0.0)
    assert len(plays) == 2


@pytest.mark.essential
async def test_a_day_can_be_turned_off_and_on_in_its_middle_and_at_its_end(stage: DiscordStage) -> None:
    await days.turn_on(stage, "ribbon")
    await days.finish_play(stage, "Ann", 1)
    await change_settings(stage, daily=False)
    await stage.env.advance_time(75)
    assert "turned the deal of the day off" in days.post(stage).text
    assert "Ann" not in days.post(stage).text
    answer = await stage["Bo"].slash(stage.channel, "daily play")
    assert "one try" in read_message(answer.response).text

    await change_settings(stage, daily=True)
    await stage.env.advance_time(75)
    assert len(days.posts(stage)) == 1
    assert "Ann" in days.post(stage).text
    assert "Play" in days.post(stage).buttons

    await change_settings(stage, daily=False)
    await days.next_day(stage)
    await days.next_day(stage)
    assert len(days.posts(stage)) == 1


@pytest.mark.essential
async def test_a_deleted_channel_turns_it_off_and_the_administrators_are_told(stage: DiscordStage) -> None:
    place = stage.guild.create_text_channel("daily")
    await days.turn_on(stage, "ribbon", channel=place)
    await stage.find_channel(place).delete()
    await stage.env.advance_time(75)
    await days.next_day(stage)

    assert "was turned off because its channel was deleted" in await log(stage)
    assert not (await stage.bot.app.parlour.settings(stage.guild.id)).daily
    assert (await log(stage)).count("deal of the day") == 1

    await days.turn_on(stage, "ribbon")
    assert len(days.posts(stage)) == 1


async def test_a_missing_permission_is_told_once_and_the_post_follows_it(stage: DiscordStage) -> None:
    silent: Any = {stage.guild.default_role: discord.PermissionOverwrite(send_messages=False)}
    place = stage.guild.create_text_channel("daily", overwrites=silent)
    await days.turn_on(stage, "ribbon", channel=place)
    await stage.env.advance_time(75)

    assert (await log(stage)).count("can't come to") == 1
    assert days.posts(stage, place) == []
    panel = (await stage.admin.slash(stage.channel, "admin panel")).response
    await pick(stage.admin, panel, "page", "daily")
    assert "I need Send Messages" in read_message(panel).text
    await stage.find_channel(place).edit(overwrites={})
    await stage.env.advance_time(LOOKS_EVERY)
    assert len(days.posts(stage, place)) == 1


async def test_down_over_the_hour_for_days_there_is_one_post_and_no_avalanche(stage: DiscordStage) -> None:
    await days.turn_on(stage, "ribbon")
    first = days.today(stage)
    await days.finish_play(stage, "Ann", 1)
    parlour = stage.bot.app.parlour
    await parlour.close()
    stage.env.backend.advance_clock(5 * DAY)
    with stage.env.time_context():
        await stage.env.restart_bot(type(stage.bot)(parlour.store, parlour.workers))
    await stage.env.settle()
    await days.finish_results(stage)

    assert len(days.posts(stage)) == 2
    assert "results" in days.posts(stage)[0].text
    assert add_days(first, 5) == days.today(stage)
    assert len(await points_on(stage.bot.app.parlour.store, stage.guild.id, first)) == 1


async def test_a_changed_hour_never_makes_a_second_post_for_a_date(stage: DiscordStage) -> None:
    await days.turn_on(stage, "ribbon")
    for hour in (23, 5, 0):
        await change_settings(stage, daily_hour=hour)
        await stage.wait(2 * HOUR)

    assert len(days.posts(stage)) == 1


async def test_a_post_comes_at_its_hour_in_the_zone_of_the_server(stage: DiscordStage) -> None:
    await change_settings(stage, zone="Asia/Tokyo")
    await days.turn_on(stage, "ribbon", hour=15)
    await days.next_day(stage)
    before = len(days.posts(stage))
    assert days.now(stage) < begins(days.today(stage)) + HOUR

    await stage.wait(begins(days.today(stage)) + 6 * HOUR - 60 - days.now(stage))
    assert len(days.posts(stage)) == before
    await stage.wait(90)
    assert len(days.posts(stage)) == before + 1


@pytest.mark.parametrize("day", ["2026-03-29", "2026-10-25"])
async def test_on_days_when_the_clocks_change_there_is_one_post(stage: DiscordStage, day: str) -> None:
    await change_settings(stage, zone="Europe/Berlin")
    await days.turn_on(stage, "ribbon", hour=2)
    await stage.wait(begins(add_days(day, -1)) - 12 * HOUR - days.now(stage))
    before = len(days.posts(stage))

    entries = []
    for _ in range(3):
        for _ in range(4):
            await stage.wait(6 * HOUR - LOOKS_EVERY)
        entries.append(len(days.posts(stage)) - before)

    assert entries == [1, 2, 3]
    assert len({one.text.splitlines()[0] for one in days.posts(stage)}) == len(days.posts(stage))


async def test_an_erased_person_vanishes_from_posts_and_their_streak_goes(stage: DiscordStage) -> None:
    await days.turn_on(stage, "ribbon")
    await days.finish_play(stage, "Ann", 1)
    await days.finish_play(stage, "Bo", 2)
    await days.next_day(stage)
    await days.finish_play(stage, "Ann", 3)
    await stage.env.advance_time(2 * LOOKS_EVERY)
    old, new = days.posts(stage)
    assert "Ann" in old.text
    assert "Ann" in new.text

    async with stage.run_by_itself() as parlour:
        await parlour.eraser.erase(stage["Ann"].id)
    await stage.env.advance_time(MINUTE + 3 * LOOKS_EVERY)

    old, new = days.posts(stage)
    assert "Ann" not in old.text + new.text + str(old.alts)
    assert "Bo" in old.text
    daily = stage.bot.app.parlour.daily
    with stage.env.time_context():
        assert await daily.streak(stage["Ann"].id) == 0
    assert await stage.bot.app.parlour.store.personal.counts(stage["Ann"].id) == {}


@pytest.mark.essential
async def test_results_leave_out_people_who_left_the_server(stage: DiscordStage) -> None:
    await days.turn_on(stage, "ribbon")
    await days.finish_play(stage, "Ann", 1)
    await days.finish_play(stage, "Bo", 2)
    await stage.env.advance_time(2 * LOOKS_EVERY)
    assert "Ann" in days.post(stage).text
    stage.guild.remove_member(stage["Ann"])
    await days.next_day(stage)

    assert "Ann" not in days.posts(stage)[0].text
    assert "Bo" in days.posts(stage)[0].text


async def test_a_hidden_person_is_in_no_post_and_keeps_a_streak(stage: DiscordStage) -> None:
    await days.turn_on(stage, "ribbon")
    await stage["Ann"].slash(stage.channel, "me hide", hidden=True)
    await days.finish_play(stage, "Ann", 1)
    await stage.env.advance_time(2 * LOOKS_EVERY)

    assert "Ann" not in days.post(stage).text
    calendar = await stage["Ann"].slash(stage.channel, "daily calendar")
    assert "Your streak: 1 day" in read_message(calendar.response).text


async def test_the_calendar_comes_after_a_play_and_can_be_leafed_or_heard(stage: DiscordStage) -> None:
    await days.turn_on(stage, "ribbon")
    await days.finish_play(stage, "Ann", 1)
    end = await days.begin_play(stage, "Ann")

    calendar = await stage["Ann"].click(end.response, label="Calendar")
    before = await stage["Ann"].click(calendar.response, label="Previous month")

    assert "Replay" in read_message(end.response).buttons
    assert calendar.response.id != end.response.id
    assert before.response.id == calendar.response.id
    assert read_message(before.response).files == ["calendar.png"]

    await stage["Ann"].slash(stage.channel, "me words")
    heard = read_message((await stage["Ann"].slash(stage.channel, "daily calendar")).response)
    assert not heard.files
    assert ": finished" in heard.text


async def test_a_wish_gets_one_notice_a_day_after_quiet_hours(stage: DiscordStage) -> None:
    await days.turn_on(stage, "ribbon")
    await stage["Ann"].slash(stage.channel, "me daily", on=True)
    await stage["Ann"].slash(stage.channel, "me quiet", **{"from": "0:00", "to": "7:00"})
    await stage["Bo"].slash(stage.channel, "me zone", zone="UTC")
    other = stage.env.create_guild("Elsewhere")
    other.add_member(stage["Ann"].user)
    await days.turn_on(stage, "ribbon", guild=other, channel=other.create_text_channel("daily"))

    await days.next_day(stage)
    assert daily_messages(stage, "Ann") == []
    await stage.wait(begins(days.today(stage)) + 7 * HOUR + 60 - days.now(stage))
    await stage.env.advance_time(30)

    assert len(daily_messages(stage, "Ann")) == 1
    assert daily_messages(stage, "Bo") == []


async def test_forged_presses_and_commands_change_nothing_and_tell_nothing_of_anothers_play(
    stage: DiscordStage,
) -> None:
    await days.turn_on(stage, "ribbon")
    await days.begin_play(stage, "Ann")
    table = await days.table_of(stage, "Ann")
    tomorrow = add_days(days.today(stage), 1)
    for verb in ("play", "share", "standing", "calendar"):
        for arg in (
            "",
            "x",
            "2026-02-30.ribbon",
            f"{days.today(stage)}.chess",
            "9999-12-31.ribbon",
            f"{tomorrow}.ribbon",
        ):
            answer = await stage.send_press("Bo", Press("daily", verb, 0, 0, arg))
            assert answer.ephemeral
            assert "Ann" not in answer.response.content
    for room, verb in (
        ("table", "turn"),
        ("table", "board"),
        ("table", "hand"),
        ("table", "history"),
        ("table", "replay"),
        ("table", "verify"),
        ("table", "why"),
        ("table", "export"),
        ("record", "turn"),
        ("ribbon", "flip"),
        ("daily", "dm"),
    ):
        answer = await stage.send_press("Bo", Press(room, verb, table.id, table.version, "0"))
        assert answer.ephemeral
        assert answer.response.content, (room, verb)
        assert not read_message(answer.response).files, (room, verb)
    for command in ("show", "board", "history", "export", "replay"):
        for who in (stage["Bo"], stage.admin, stage["Ann"]):
            answer = await who.slash(stage.channel, f"table {command}", table=table.id)
            assert answer.ephemeral
            assert "no table" in answer.response.content.lower()
    assert (await days.table_of(stage, "Ann")).version == table.version


async def test_in_a_dm_a_deal_is_played_as_well(stage: DiscordStage) -> None:
    await days.turn_on(stage, "ribbon")
    panel = await days.begin_play(stage, "Ann")
    await stage["Ann"].click(panel.response, label="Play by DM")

    answer = await stage["Ann"].user.click(daily_messages(stage, "Ann")[-1], label="Play")

    assert any(label.startswith("Hand ") for label in read_message(answer.response).buttons)


async def test_a_post_that_could_not_be_noted_is_found_by_the_time_of_its_claim(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.trouble = True
    store = stage.bot.app.parlour.store.daily

    async def lost(*_args: object, **_values: object) -> None:
        raise discord.RateLimited(1.0)

    with monkeypatch.context() as broken:
        broken.setattr(store, "save_post", lost)
        await days.turn_on(stage, "ribbon")
    assert len(days.posts(stage)) == 1
    for number in range(40):
        await send(stage.find_channel(stage.channel), Page([f"Message {number}"]), nonce_of("other", number))

    await stage.restart()
    await stage.env.advance_time(600)

    assert len(days.posts(stage)) == 1
    row = await stage.bot.app.parlour.store.daily.post(stage.guild.id, days.today(stage))
    assert row is not None
    assert row.message_id == days.posts(stage)[0].message.id


@pytest.mark.parametrize("deleted", [False, True])
async def test_points_are_given_even_if_results_stay_unseen(stage: DiscordStage, deleted: bool) -> None:
    await days.turn_on(stage, "ribbon")
    day = days.today(stage)
    await days.finish_play(stage, "Ann", 1)
    await stage.env.advance_time(2 * LOOKS_EVERY)
    if deleted:
        stage.env.backend.delete_message(stage.channel.id, days.post(stage).message.id)
        stage.env.inject_error(
            "POST", f"/channels/{stage.channel.id}/messages", status=403, code=50013, times=None
        )
    else:
        stage.env.inject_error(
            "PATCH", f"/channels/{stage.channel.id}/messages/*", status=403, code=50013, times=None
        )

    await days.next_day(stage)
    await stage.env.advance_time(60)

    assert len(await points_on(stage.bot.app.parlour.store, stage.guild.id, day)) == 1
    row = await stage.bot.app.parlour.store.daily.post(stage.guild.id, day)
    assert row is not None
    assert row.closed_at is not None


@pytest.mark.parametrize("slug", SLUGS)
def test_shared_text_is_no_wider_than_a_phone(slug: str) -> None:
    signs = GOOD * MOST_SIGNS
    play = DailyPlayRow(
        1,
        "2026-11-24",
        slug,
        0,
        1,
        "Ann",
        0.0,
        said="won on the tie-break",
        moves=200,
        seconds=86_000,
        signs=signs,
    )
    for level in rules(slug).levels:
        deal = DailyDealRow("2026-11-24", slug, level.name, 2, "{}", "", "")

        lines = words.shareable_text(deal, play).splitlines()

        assert max(len(line) for line in lines) <= 32
        assert lines[:2] == ["Tangle Parlour", "Deal of the day, 2026-11-24"]
        assert lines[-3:] == ["won on the tie-break", "200 moves, 23 h 53 min", signs]
