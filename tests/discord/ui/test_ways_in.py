"""Every way in ends in an answer, and one that takes longer than a moment is announced first."""

import asyncio
from typing import Any

import discord
import pytest

from cogs.play import panel
from cogs.ui import answering
from cogs.ui.press import NOT_OURS, Press
from cogs.ui.text import Interaction
from tables.play.play import Perspective, Play
from tests.discord.stage import DiscordStage, pick, read_message


async def fail(*_: Any, **_more: Any) -> None:
    raise KeyError("broken")


@pytest.mark.parametrize("step", ["note_text_wish", "may_proceed"])
async def test_an_error_before_a_command_is_answered_and_the_bot_can_stop(
    stage: DiscordStage, step: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stage.trouble = True
    with monkeypatch.context() as patched:
        patched.setattr(f"cogs.ui.answering.{step}", fail)
        answer = await stage["Ann"].slash(stage.channel, "help")

    assert "Sorry, something went wrong" in answer.response.content
    assert "KeyError" in caplog.text
    await asyncio.wait_for(stage.bot.work.wait_until_idle(), 1)


@pytest.mark.parametrize(
    ("room", "verb"), [("table", "turn"), ("table", "more"), ("cup", "show"), ("record", "turn")]
)
@pytest.mark.parametrize(("field", "number"), [("table", 2**31), ("table", 2**63), ("moment", 2**63)])
async def test_a_number_that_no_database_holds_is_refused(
    stage: DiscordStage, room: str, verb: str, field: str, number: int
) -> None:
    await stage.open("Ann", "Bo", mode="coop", first="host")

    answer = await stage.send_press(
        "Ann", Press(room, verb, number if field == "table" else 1, number if field == "moment" else 0)
    )

    assert answer.response.content == NOT_OURS


async def test_a_puzzle_that_another_press_replaced_shows_the_newest(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage["Ann"].slash(stage.channel, "puzzle", game="ribbon")
    puzzles, made = stage.bot.app.parlour.puzzles, panel.solo_page
    numbers = list[int]()

    async def replace_first(app: Any, user_id: int, perspective: Any) -> Any:
        if not numbers:
            again = await puzzles.open_again(perspective.table, perspective.table.seats[perspective.me])
            numbers.append(again.id)
            await app.parlour.table(perspective.table.id)
        numbers.append(perspective.table.id)
        return await made(app, user_id, perspective)

    monkeypatch.setattr(panel, "solo_page", replace_first)

    answer = await stage.send_press("Ann", Press("puzzle", "next", 0, 0, "ribbon"))

    assert "There's no table" not in answer.response.content
    assert len(set(numbers)) == 1


RIBBON: dict[str, Any] = {"mode": "versus", "first": "host", "ribbon_choice": "random"}


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Check that every interaction is acknowledged first; return their names."""
    acknowledged: list[str] = []

    def at_once(interaction: Interaction) -> None:
        acknowledged.append(interaction.user.display_name)
        interaction.extras[answering.ACKNOWLEDGEMENT] = asyncio.create_task(
            answering._acknowledge(interaction)
        )

    monkeypatch.setattr("cogs.ui.answering.schedule_defer", at_once)
    return acknowledged


async def test_a_turn_is_taken_although_every_answer_is_late(
    stage: DiscordStage, impatient: list[str]
) -> None:
    place = await stage.open("Ann", "Bo", **RIBBON)

    result, panel = await stage.panel("Ann", place)
    result = await pick(stage["Ann"], result.response, "flip", panel.values("flip")[0])

    assert impatient == ["Ann", "Bo", "Ann", "Ann", "Ann"]
    assert "**Done.**" in read_message(result.response).text
    assert (await stage.due()) == ["Bo"]
    assert "Ann flips" in stage.post(place).text


@pytest.mark.usefixtures("impatient")
async def test_a_late_refusal_is_private(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", **RIBBON)

    stranger = await stage["Cy"].click(stage.post(place).message, label="Take turn")
    typed = await stage["Bo"].slash(place, "ribbon choose", choice="flip 1")

    for answer in (stranger, typed):
        assert answer.ephemeral
    assert "You don't play at this table" in stranger.response.content
    assert (await stage.due()) == ["Ann"]


@pytest.mark.usefixtures("impatient")
async def test_rules_opened_from_a_panel_leave_the_panel_alone(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", **RIBBON)
    more = await stage["Ann"].click(stage.post(place).message, label="More")
    before = read_message(more.response).text

    history = await stage["Ann"].click(more.response, label="History")

    assert "before turn 1" in read_message(history.followups[0]).text
    assert read_message(more.response).text == before


@pytest.mark.usefixtures("impatient")
async def test_a_lobby_is_filled_and_started_although_every_answer_is_late(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new", mode="versus")
    await stage["Bo"].click(stage.card().message, label="Join")
    assert "Bo" in stage.card().text

    await stage["Ann"].click(stage.card().message, label="Start")

    assert (await stage.table()).phase == "play"
    assert "Take turn" in stage.post(stage.channel.threads[-1]).buttons


@pytest.mark.usefixtures("impatient")
async def test_a_late_rematch_is_still_announced_to_the_others(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", mode="coop", first="host")
    await stage.finish(place)

    await stage["Bo"].click(stage.post(place).message, label="Rematch")

    assert f"<@{stage['Ann'].id}>, Bo wants to play again at table 2." in stage.post(place).text


async def test_an_answer_that_takes_longer_than_a_moment_is_announced_within_a_second(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = await stage.open("Ann", "Bo", **RIBBON)
    perspective = Play.perspective

    async def slow(play: Play, table_id: int, user_id: int | None) -> Perspective:
        await asyncio.sleep(1.2)
        return await perspective(play, table_id, user_id)

    monkeypatch.setattr(Play, "perspective", slow)
    result = await stage["Ann"].click(stage.post(place).message, label="Take turn")

    first, *_ = [r for r in reversed(stage.env.http_requests) if r.path.endswith("/callback")]
    assert first.json is not None
    assert first.json["type"] == discord.InteractionResponseType.deferred_channel_message.value
    assert result.ephemeral
    assert "flip" in read_message(result.response).menus
