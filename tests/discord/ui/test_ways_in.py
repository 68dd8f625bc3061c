"""Every way in ends in an answer: errors before a command, forged numbers, two presses at once."""

import asyncio
from typing import Any

import pytest

from cogs.play import panel
from cogs.ui.press import NOT_OURS, Press
from tests.discord.stage import DiscordStage

pytestmark = pytest.mark.slow


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
