"""Hints by clicks: told in a panel, made by one press, forbidden where they are, counted at the end."""

import re
from random import Random
from typing import Any

import pytest

from cogs.ui.press import NOT_OURS, Press
from engines.registry import SLUGS, game
from tests.discord.stage import DiscordStage, ShownMessage, read_message
from tests.often import often

STEPS = often(3, 12)
"""The number of steps by hints in a game."""


def button_ids(shown: ShownMessage, verb: str) -> list[str]:
    ids = (str(part.get("custom_id", "")) for part in shown.components)
    return [one for one in ids if f":table:{verb}:" in one]


async def open_hints(stage: DiscordStage, name: str, place: Any) -> tuple[Any, ShownMessage]:
    result, panel = await stage.panel(name, place)
    if "Hint" not in panel.buttons:
        await stage.unfold(name, result)
    await stage[name].click(result.response, label="Hint")
    return result.response, read_message(result.response)


@pytest.mark.any_game
@pytest.mark.parametrize("slug", SLUGS)
async def test_every_hint_of_every_game_is_made_by_one_press(stage: DiscordStage, slug: str) -> None:
    least = {"computers": max(1, game(slug).seats[0] - 1)}
    options: dict[str, Any] = {"mode": "solo"} if slug == "ribbon" else least
    place = await stage.open("Ann", game=slug, **options)
    rng = Random(4)

    for _ in range(STEPS):
        if "Take turn" not in stage.post(place).buttons:
            break
        panel, hints = await open_hints(stage, "Ann", place)
        if "More" in hints.buttons:
            await stage["Ann"].click(panel, label="More")
        ids = button_ids(read_message(panel), "follow")
        assert 1 <= len(ids) <= 3
        assert "1.** " in hints.text
        before = (await stage.table()).version

        await stage["Ann"].click(panel, custom_id=rng.choice(ids))

        assert (await stage.table()).version > before
        while "Take turn" in stage.post(place).buttons and await stage.due() != ["Ann"]:
            await stage.env.settle()


@pytest.mark.essential
async def test_a_hint_tells_the_whole_turn_and_the_visible_part_of_its_answer(stage: DiscordStage) -> None:
    place = await stage.open("Ann", mode="versus", computers=1, first="host", ribbon_choice="random")
    told = list[str]()

    await stage.finish_turn("Ann", place)
    for _ in range(4):
        await stage.panel_flip("Ann", place)
        _, hints = await open_hints(stage, "Ann", place)
        told += re.findall(r"Then I'd expect (.*)", hints.text)
        await stage.finish_turn("Ann", place)
        if "Take turn" not in stage.post(place).buttons:
            break

    assert told
    assert all(re.fullmatch(r".*Ada.* to flip \d+\..*", line) for line in told)


async def test_back_leads_to_the_turn_and_strangers_and_late_presses_get_no_hint(stage: DiscordStage) -> None:
    place = await stage.open("Ann", mode="solo")
    panel, hints = await open_hints(stage, "Ann", place)
    assert "Begin with **hand" in hints.text
    old, table = button_ids(hints, "follow")[0], await stage.table()
    await stage["Ann"].click(panel, label="Back")
    assert "Which hand do you use" in read_message(panel).text
    assert (await stage.table()).version == table.version

    panel, _ = await open_hints(stage, "Ann", place)
    stranger = await stage["Dee"].slash(place, "table hint")
    wrong = await stage.send_press("Ann", Press("table", "advised", table.id, table.moment, "7"))
    nonsense = await stage.send_press("Ann", Press("table", "advised", table.id, table.moment, "x"))
    await stage.act("Ann", place, Random(1))
    await stage["Ann"].click(panel, custom_id=old)

    assert "Hints are for your own moves" in read_message(stranger.response).text
    assert "out of date" in read_message(wrong.response).text
    assert NOT_OURS in read_message(nonsense.response).text
    assert "has changed" in read_message(panel).text


async def test_a_hint_for_a_whole_turn_says_that_it_ends_the_turn(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", mode="coop", first="host")
    await stage.finish_turn("Ann", place)
    await stage.panel_flip("Bo", place)
    panel, hints = await open_hints(stage, "Bo", place)
    first = next(line for line in hints.text.splitlines() if line.startswith("**1.**"))
    assert "nd the turn" in first
    assert hints.files == ["ribbon-table.png"]
    assert "**2.**" not in hints.text

    await stage["Bo"].click(panel, label="More")
    whole = read_message(panel)
    assert "**2.**" in whole.text
    assert "The picture shows the first move" in whole.text

    await stage["Bo"].click(panel, label="Do 1")

    assert await stage.due() == ["Ann"]


async def test_rated_games_against_others_and_tables_opened_so_have_none(stage: DiscordStage) -> None:
    rated = await stage.open("Ann", "Bo", first="host", ribbon_choice="random")
    result, _ = await stage.panel("Ann", rated)
    panel = await stage.unfold("Ann", result)
    said = await stage["Ann"].slash(rated, "table hint")
    silent = await stage.open("Ann", mode="solo", hints="forbidden")
    result, _ = await stage.panel("Ann", silent)
    without = await stage.unfold("Ann", result)
    refused = await stage["Ann"].slash(silent, "table hint")
    open_ones = await stage.open("Ann", "Bo", first="host", ribbon_choice="random", hints="allowed")
    result, _ = await stage.panel("Ann", open_ones)
    allowed = await stage.unfold("Ann", result)

    assert "Hint" not in panel.buttons
    assert "Rated games against others have hints only if" in read_message(said.response).text
    assert "Hint" not in without.buttons
    assert "Hints are off at this table" in read_message(refused.response).text
    assert "Hint" in allowed.buttons


async def test_a_server_that_forbids_hints_has_none_and_opens_no_table_with_them(stage: DiscordStage) -> None:
    place = await stage.open("Ann", mode="solo")
    await stage.admin.slash(stage.channel, "admin config", hints=False)
    result, _ = await stage.panel("Ann", place)
    panel = await stage.unfold("Ann", result)
    said = await stage["Ann"].slash(stage.channel, "ribbon new", hints="allowed")

    assert "Hint" not in panel.buttons
    assert "Hints are off in this server" in read_message(said.response).text


async def test_the_end_says_how_many_hints_were_taken_and_what_decided_it(stage: DiscordStage) -> None:
    place = await stage.open("Ann", mode="solo")
    early = await stage["Ann"].slash(place, "table why")
    await open_hints(stage, "Ann", place)
    await open_hints(stage, "Ann", place)
    await stage.finish(place)
    post = stage.post(place)
    why = await stage["Ann"].click(post.message, label="What decided it")
    message = read_message(why.response)

    assert "once it's over" in read_message(early.response).text
    assert "Ann took 1 hint." in post.text
    assert why.ephemeral
    assert "Your position, as the strong computer sees it" in message.text
    assert "per cent" in message.text
    (see, *_) = [label for label in message.buttons if label.startswith("See turn ")]
    await stage["Ann"].click(why.response, label=see)
    assert "· table 1 ·" in read_message(why.response).text


def chances(text: str) -> list[tuple[int, int]]:
    """Return the chances in per cent before and after each decisive turn."""
    return [(int(before), int(after)) for before, after in re.findall(r"from (\d+) to (\d+) %", text)]


async def test_everyone_reads_what_decided_it_from_their_own_side(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")
    await stage.finish(place)
    table = await stage.table()
    assert table.outcome is not None
    winner, loser = (table.names[table.outcome.places.index(rank)] for rank in (1, 2))
    entries = {}
    for name in (winner, loser, "Cy"):
        answer = await stage[name].slash(place, "table why", table=1)
        entries[name] = read_message(answer.response).text

    assert "Your chance of winning" in entries[loser]
    assert all(before > after for before, after in chances(entries[loser]))
    assert all(before < after for before, after in chances(entries[winner]))
    assert chances(entries[winner])[-1][1] == 100
    assert f"**{winner}**'s chance of winning" in entries["Cy"]
    assert "Hints:" not in stage.post(place).text


async def test_a_game_that_was_called_off_was_decided_by_nothing(stage: DiscordStage) -> None:
    place = await stage.open("Ann", mode="solo")
    asked = await stage.admin.slash(place, "admin close")
    await stage.admin.click(asked.response, label="Yes, do it")

    said = await stage["Ann"].slash(place, "table why", table=1)

    assert "ended without a result" in read_message(said.response).text
    assert "What decided it" not in stage.post(place).buttons


async def test_the_turn_that_wins_says_so_in_what_decided_it(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", game="tesla", opening="rulebook", win=30)
    await stage.finish(place)
    table = await stage.table()
    assert table.outcome is not None
    winner = table.names[table.outcome.places.index(1)]
    asked = {name: await stage[name].slash(place, "table why", table=1) for name in (winner, "Cy")}
    own, others = (read_message(one.response).text for one in asked.values())

    assert ", and you win**" in own
    assert f", and {winner} wins**" in others
    assert len(re.findall("wins?\\*\\*", own + others)) == 2


async def test_a_single_hint_is_called_the_computers_move(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = await stage.open("Ann", mode="solo")
    hints = stage.bot.app.parlour.hints
    advise = hints.advice

    async def one(table_id: int, user_id: int) -> Any:
        return (await advise(table_id, user_id))[:1]

    monkeypatch.setattr(hints, "advice", one)
    _, shown = await open_hints(stage, "Ann", place)

    assert "The strong computer's move" in shown.text
    assert "best move first" not in shown.text
