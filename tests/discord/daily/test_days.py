"""A day from its post to its results, with everything that people press."""

from random import Random
from typing import Any

import pytest

from cogs.daily.words import format_day
from tests.db.rows import points_on
from tests.discord.daily.days import (
    begin_play,
    finish_play,
    next_day,
    play_of,
    post,
    posts,
    table_of,
    today,
    turn_on,
)
from tests.discord.stage import DiscordStage, pick, read_message

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("patient")]


async def click_through(stage: DiscordStage, name: str, result: Any, seed: int = 1) -> Any:
    """Play Ribbon Tangle alone by clicks in one panel, to the end."""
    rng = Random(seed)
    for _ in range(200):
        panel = read_message(result.response)
        if "Share" in panel.buttons or "Standing" in panel.buttons:
            return panel
        if "flip" in panel.menus:
            await pick(stage[name], result.response, "flip", rng.choice(panel.values("flip")))
        elif "End my turn anyway" in panel.buttons:
            await stage[name].click(result.response, label="End my turn anyway")
        elif "Send it and win" in panel.buttons:
            await stage[name].click(result.response, label="Send it and win")
        elif "End turn" in panel.buttons:
            await stage[name].click(result.response, label="End turn")
        else:
            hand = next(label for label in panel.buttons if label.startswith("Hand "))
            await stage[name].click(result.response, label=hand)
    raise AssertionError("the play did not end")


async def test_a_deal_is_posted_played_in_one_panel_and_told_without_spoilers(stage: DiscordStage) -> None:
    await turn_on(stage, "ribbon")
    assert "Nobody has finished yet." in post(stage).text
    before = len(stage.posts(stage.channel))

    result = await begin_play(stage, "Ann")
    assert "one try" in read_message(result.response).text
    panel = await click_through(stage, "Ann", result)

    assert "angled" in panel.text
    assert "moves" in panel.text
    await stage.env.advance_time(12)
    assert len(stage.posts(stage.channel)) == before
    assert not stage.channel.threads
    assert "**1. Ann**" in post(stage).text
    shared = await stage["Ann"].click(post(stage).message, label="Share")
    play = await play_of(stage, "Ann")
    assert shared.ephemeral
    assert play.signs in shared.response.content
    assert today(stage) in shared.response.content


async def test_the_results_come_into_the_post_when_the_day_is_over(stage: DiscordStage) -> None:
    await turn_on(stage, "ribbon")
    day = today(stage)
    await finish_play(stage, "Ann", 1)
    await finish_play(stage, "Bo", 2)
    promise = await stage.bot.app.parlour.daily.deal(day, "ribbon")
    shown = stage.bot.app.parlour.daily.promise(promise)
    early = await stage["Ann"].click(post(stage).message, label="Check the deal")
    assert shown in early.response.content
    assert promise.seed not in early.response.content
    assert shown not in post(stage).text

    await next_day(stage)

    first, second = posts(stage)
    assert "results" in first.text
    assert "Ann" in first.text
    assert "Bo" in first.text
    assert "strong computer" in first.text
    checked = await stage["Bo"].click(first.message, label="Check the deal")
    assert checked.ephemeral
    assert all(part in checked.response.content for part in (shown, promise.seed, promise.salt))
    assert shown not in first.text
    assert [name.split(".")[-1] for name in first.files] == ["png", "gif"]
    assert f"/{first.message.id})" in second.text
    points = await points_on(stage.bot.app.parlour.store, stage.guild.id, day)
    assert sorted(row.points for row in points)[-1] == 10
    assert (await table_of(stage, "Ann", day)).day == day


async def test_only_days_with_a_deal_are_offered(stage: DiscordStage) -> None:
    await turn_on(stage, "ribbon")
    first = today(stage)
    assert await stage["Ann"].autocomplete(stage.channel, "daily play", "day", "") == []

    await next_day(stage)

    offered = await stage["Ann"].autocomplete(stage.channel, "daily play", "day", "")
    assert [one["value"] for one in offered] == [first]


async def test_every_line_of_the_days_is_understood(stage: DiscordStage) -> None:
    await turn_on(stage, "ribbon")
    first = today(stage)
    await next_day(stage)
    (line,) = await stage["Ann"].autocomplete(stage.channel, "daily play", "day", "")

    for typed in (line["name"], line["name"].partition(" (")[0], first):
        answer = await stage["Ann"].slash(stage.channel, "daily play", day=typed)
        assert format_day(first) in read_message(answer.response).text
