from itertools import product
from typing import Any

import pytest
from simcord.components import walk_components

from cogs.core.pictures import Pictures
from cogs.play import assembly as since
from cogs.ui.press import NOT_OURS, Press, parse
from tests.discord.stage import DiscordStage, pick, read_message

VERSUS: dict[str, Any] = {"mode": "versus", "first": "host", "ribbon_choice": "random"}


@pytest.fixture
async def place(stage: DiscordStage) -> Any:
    place = await stage.open("Ann", "Bo", "Cy", **VERSUS)
    for name in ("Ann", "Bo", "Cy"):
        await stage[name].slash(place, "me notes", on=False)
    return place


async def test_history_shows_the_last_turn_and_leads_to_any_other(stage: DiscordStage, place: Any) -> None:
    await stage.finish_turn("Ann", place)
    await stage.finish_turn("Bo", place)
    now = (await stage.view("Ann")).circle

    answer = await stage["Ann"].slash(place, "table history")
    last = read_message(answer.response)
    await stage["Ann"].click(answer.response, label="Previous turn")
    first = read_message(answer.response)
    await stage["Ann"].click(answer.response, label="Previous turn")
    deal = read_message(answer.response)

    assert answer.ephemeral
    assert "**Turn 2 of 2** · table 1 · Bo" in last.text
    assert "Bo flips" in last.text
    assert last.buttons["Next turn"].get("disabled")
    assert "**Turn 1 of 2** · table 1 · Ann" in first.text
    assert "Bo" not in first.text.partition("\n")[2]
    assert "the deal, before turn 1**" in deal.text
    assert deal.buttons["Previous turn"].get("disabled")
    assert last.files == first.files == deal.files == ["ribbon-table.png"]
    assert [len([c for c in shown.alts if c]) for shown in (last, first, deal)] == [1, 1, 1]
    assert sum(card is not None for card in now) == 2


async def test_a_turn_is_named_or_jumped_to_and_each_refused_form_opens_itself_until_it_is_sent(
    stage: DiscordStage, place: Any
) -> None:
    for name in ("Ann", "Bo", "Cy"):
        await stage.finish_turn(name, place)

    named = await stage["Bo"].slash(place, "table history", at=1)
    await stage["Bo"].click(named.response, label="My last turn")
    own = read_message(named.response)
    form = await stage["Bo"].click(named.response, label="Jump to turn")
    await stage["Bo"].submit_modal(form, {"turn": "3"})
    jumped = read_message(named.response)
    refused = []
    for typed in ("soon", "later"):
        form = await stage["Bo"].click(named.response, label="Jump to turn")
        refused.append(await stage["Bo"].submit_modal(form, {"turn": typed}))
    said, told = refused[0], read_message(refused[0].response)
    assert said.ephemeral
    assert "Choose a turn from 0 to 3." in told.text
    press = told.buttons["Try again"]["custom_id"]
    again = await stage["Bo"].click(said.response, label="Try again")
    (line,) = [part for part in walk_components(again.modal["components"]) if part["type"] == 4]
    await stage["Bo"].submit_modal(again, {"turn": "0"})
    late = await stage.send_press("Bo", parse(press) or Press("form", "again"))

    assert "**Turn 2 of 3** · table 1 · Bo" in own.text
    assert "**Turn 3 of 3** · table 1 · Cy" in jumped.text
    assert line["value"] == "soon"
    assert "I no longer have what you typed" in late.response.content


async def test_hands_are_opened_when_the_game_is_over_and_not_before(stage: DiscordStage, place: Any) -> None:
    await stage.finish_turn("Ann", place)
    running = await stage["Bo"].slash(place, "table history", at=1)
    forged = await stage.send_press("Bo", Press("record", "hands", 1, 0, "1h"))
    for name in ("Ann", "Bo"):
        await stage.bot.app.parlour.play.resign(1, stage[name].id)
    await stage.env.settle()

    finished = await stage["Bo"].slash(place, "table history", at=1)
    await stage["Bo"].click(finished.response, label="Open all hands")
    opened = read_message(finished.response)
    files = opened.files
    await stage["Bo"].click(finished.response, label="Hide the hands")

    assert "Open all hands" not in read_message(running.response).buttons
    assert "once the game is over" in forged.response.content
    assert files == ["ribbon-table.png", *(f"{n}-ribbon-hand.png" for n in (1, 2, 3))]
    assert "**Turn 1 of" in opened.text
    assert read_message(finished.response).files == ["ribbon-table.png"]


async def test_history_refuses_odd_turns_and_leads_to_the_panel(stage: DiscordStage, place: Any) -> None:
    for verb, arg in product(("turn", "jump", "hands", "mine"), ("", "h", "-1", "x", "1hh", "12345678", "²")):
        answer = await stage.send_press("Ann", Press("record", verb, 1, 0, arg))
        assert answer.ephemeral
        assert answer.response.content == NOT_OURS

    begun = read_message((await stage["Bo"].slash(place, "table history")).response)
    assert "the deal, before turn 1**" in begun.text
    for label in ("Previous turn", "Next turn", "Jump to turn"):
        assert begun.buttons[label].get("disabled")
    await stage.finish_turn("Ann", place)

    beyond = read_message((await stage["Dee"].slash(place, "table history", at=99)).response)
    assert "**Turn 1 of 1**" in beyond.text
    assert "My last turn" not in beyond.buttons

    answer = await stage["Ann"].slash(place, "table history")
    assert "Take turn" not in read_message(answer.response).buttons
    await stage["Ann"].click(answer.response, label="All lines")
    lines = read_message(answer.response)
    assert "page 1 of 1" in lines.text
    assert "Ann flips" in lines.text
    await stage["Ann"].click(answer.response, label="Turn by turn")
    assert "**Turn 1 of 1**" in read_message(answer.response).text

    answer = await stage["Bo"].slash(place, "table history")
    await stage["Bo"].click(answer.response, label="Take turn")
    assert "Flip a card" in read_message(answer.response).text


async def test_a_panel_tells_and_its_picture_marks_what_others_did(
    stage: DiscordStage, place: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, fresh = await stage.panel("Ann", place)
    for name in ("Ann", "Bo", "Cy"):
        await stage.finish_turn(name, place)
    drawn: list[Any] = []
    special = Pictures.special

    async def noting(pictures: Pictures, table: Any, what: str, view: Any, *args: Any) -> Any:
        drawn.append(view)
        return await special(pictures, table, what, view, *args)

    monkeypatch.setattr(Pictures, "special", noting)
    before = await stage.view("Bo")

    result, panel = await stage.panel("Ann", place)

    (shown,) = drawn
    assert len(shown.marked) == 2
    assert before.marked < shown.marked
    whole = await stage.unfold("Ann", result)

    assert "Since your last step" not in fresh.text + panel.text
    asked, _, since_then = whole.text.partition("**Since your last step**")
    assert "Flip a card" in asked
    assert "Bo flips" in since_then
    assert "Cy flips" in since_then
    assert "Ann flips" not in whole.text

    await pick(stage["Ann"], result.response, "flip", panel.values("flip")[0])
    assert "Since your last step" not in read_message(result.response).text


async def test_missed_turns_are_a_press_away_and_the_newest_told(
    stage: DiscordStage, place: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage["Cy"].slash(place, "me notes", on=False)
    for name in ("Ann", "Bo"):
        await stage.finish_turn(name, place)

    result, _ = await stage.panel("Cy", place)
    whole = await stage.unfold("Cy", result)
    result, panel = await stage.panel("Cy", place)
    await stage["Cy"].click(result.response, label="What happened")

    assert since.FROM_START not in panel.text
    assert "\n**What has happened so far**\n" in whole.text
    assert "Ann flips" in read_message(result.response).text

    monkeypatch.setattr(since, "LINES", 1)
    for name in ("Cy",):
        await stage.finish_turn(name, place)

    result, _ = await stage.panel("Ann", place)
    panel = await stage.unfold("Ann", result)
    lines = panel.text.partition(since.SINCE)[2].split("\n")
    await stage["Ann"].click(result.response, label="All that happened")

    assert lines[1].startswith("-# To see ")
    assert read_message(result.response).text.startswith("**Turn 2 of 3** · table 1 · Bo")


async def test_a_note_is_written_in_a_command_or_a_window_and_shown_in_panel_and_list(
    stage: DiscordStage, place: Any
) -> None:
    typed = await stage["Ann"].slash(place, "table note", text="# keep *N*\n@everyone")
    result, _ = await stage.panel("Ann", place)
    panel = await stage.unfold("Ann", result)
    listed = await stage["Ann"].slash(place, "mine")
    others = await stage["Bo"].slash(place, "mine")
    form = await stage.send_press("Ann", Press("table", "note", 1))
    erased = await stage["Ann"].submit_modal(form, {"note": ""})
    _, without = await stage.panel("Ann", place)

    assert typed.ephemeral
    assert "I've saved your note about table 1" in typed.response.content
    line = "-# 📝 \\# keep \\*N\\* · \\@everyone"
    assert line in panel.text
    assert line in read_message(listed.response).text
    assert "📝" not in read_message(others.response).text
    assert erased.response.content == "Your note about table 1 is gone."
    assert "📝" not in without.text


"""Random games of each game to look back at; fewer of a heavy one."""
"""Every so-manieth turn of a game is looked at."""
