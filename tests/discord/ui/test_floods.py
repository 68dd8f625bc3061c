"""Flooding the bot brings one warning and then silence, and nobody else feels it."""

from typing import Any

import pytest

from cogs.ui import press
from tests.discord.stage import DiscordStage
from tests.tables.servers.test_servers import record_statements

FREE = 5


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch, tireless: None) -> None:
    """Use a bucket of few presses, to make a flood soon."""
    monkeypatch.setattr(press, "PRESSES", FREE)


async def flood(stage: DiscordStage, place: Any) -> list[Any]:
    """Press a button until Ann is ignored; return the answers."""
    message = stage.post(place).message
    return [await stage["Ann"].click(message, label="Rules") for _ in range(2 * FREE)]


async def test_a_flood_is_answered_once_and_only_who_floods_waits(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", mode="versus", ribbon_choice="random")

    answers = await flood(stage, place)

    entries = [answer for answer in answers if answer.response and press.FLOODING in answer.response.content]
    assert len(entries) == 1
    assert entries[0].ephemeral
    assert all(answer.acknowledged for answer in answers)
    assert answers[-1].response is None or answers[-1].response.id == stage.post(place).message.id

    answer = await stage["Bo"].click(stage.post(place).message, label="Rules")

    assert press.FLOODING not in answer.response.content

    answer = await stage["Ann"].slash(place, "table list")

    assert press.FLOODING in answer.response.content

    await stage.env.advance_time(press.SECONDS)
    answer = await stage["Ann"].slash(place, "table show")

    assert press.FLOODING not in answer.response.content
    assert answer.ephemeral


async def test_each_command_of_a_flood_gets_its_sentence(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", mode="versus", ribbon_choice="random")

    answers = [await stage["Cy"].slash(place, "table list") for _ in range(FREE + 2)]

    for answer in answers[FREE:]:
        assert press.FLOODING in answer.response.content
        assert answer.ephemeral


async def test_fast_typing_gets_no_suggestions_and_no_query(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "cup new", game="ribbon", players=8)
    ann, bo = stage["Ann"], stage["Bo"]
    for _ in range(FREE):
        assert await ann.autocomplete(stage.channel, "cup show", "cup", "")

    with record_statements() as asked:
        offered = await ann.autocomplete(stage.channel, "cup show", "cup", "")

    assert offered == []
    assert asked == []
    assert await bo.autocomplete(stage.channel, "cup show", "cup", "")
    await stage.env.advance_time(press.SECONDS)
    assert await ann.autocomplete(stage.channel, "cup show", "cup", "")
