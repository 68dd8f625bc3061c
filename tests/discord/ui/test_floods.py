"""Who floods the bot is told once, then ignored, and nobody else feels it."""

from __future__ import annotations

from typing import Any

import pytest

from cogs.ui import cooldown
from tests.discord.stage import Stage
from tests.tables.servers.test_personal import asked_of_the_database

FREE = 5


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch, tireless: None) -> None:
    """A bucket of few presses, so that a flood is soon made."""
    monkeypatch.setattr(cooldown, "PRESSES", FREE)


async def flooded(stage: Stage, place: Any) -> list[Any]:
    """What Ann gets for pressing a button again and again until she is ignored."""
    message = stage.post(place).message
    return [await stage["Ann"].click(message, label="Rules") for _ in range(2 * FREE)]


async def test_a_flood_is_answered_once_and_then_silently(stage: Stage) -> None:
    place = await stage.open("Ann", "Bo", mode="versus", ribbon_choice="random")

    answers = await flooded(stage, place)

    told = [answer for answer in answers if answer.response and cooldown.FLOODING in answer.response.content]
    assert len(told) == 1
    assert told[0].ephemeral
    assert all(answer.acknowledged for answer in answers)
    assert answers[-1].response is None or answers[-1].response.id == stage.post(place).message.id


async def test_a_flood_of_one_person_is_felt_by_nobody_else(stage: Stage) -> None:
    place = await stage.open("Ann", "Bo", mode="versus", ribbon_choice="random")
    await flooded(stage, place)

    answer = await stage["Bo"].click(stage.post(place).message, label="Rules")

    assert cooldown.FLOODING not in answer.response.content


async def test_who_waits_is_answered_again(stage: Stage) -> None:
    place = await stage.open("Ann", "Bo", mode="versus", ribbon_choice="random")
    await flooded(stage, place)

    await stage.env.advance_time(cooldown.SECONDS)
    answer = await stage["Ann"].slash(place, "table show")

    assert cooldown.FLOODING not in answer.response.content
    assert answer.ephemeral


async def test_a_typed_flood_is_ended_too(stage: Stage) -> None:
    place = await stage.open("Ann", "Bo", mode="versus", ribbon_choice="random")

    answers = [await stage["Cy"].slash(place, "table list") for _ in range(FREE + 2)]

    assert cooldown.FLOODING in answers[FREE].response.content
    assert not answers[FREE + 1].acknowledged


async def test_who_types_too_fast_is_offered_nothing_and_the_database_is_not_asked(stage: Stage) -> None:
    await stage["Ann"].slash(stage.channel, "cup new", game="ribbon", players=8)
    ann, bo = stage["Ann"], stage["Bo"]
    for _ in range(FREE):
        assert await ann.autocomplete(stage.channel, "cup show", "cup", "")

    with asked_of_the_database() as asked:
        offered = await ann.autocomplete(stage.channel, "cup show", "cup", "")

    assert offered == []
    assert asked == []
    assert await bo.autocomplete(stage.channel, "cup show", "cup", "")
    await stage.env.advance_time(cooldown.SECONDS)
    assert await ann.autocomplete(stage.channel, "cup show", "cup", "")
