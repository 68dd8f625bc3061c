"""A sandbox by clicks: from any turn of a finished game, and from one's own view of a running one."""

from random import Random
from typing import Any

import pytest

from cogs.ui.press import Press
from engines.registry import SLUGS
from tables.core.table import Phase
from tests.discord.stage import DiscordStage, read_message
from tests.discord.study.trying import finish_soon, make_choice, options_of

pytestmark = pytest.mark.slow


async def open_sandbox(stage: DiscordStage, name: str, turn: int, sides: str = "computers") -> Any:
    return await stage.send_press(name, Press("study", "open", 1, 0, f"{turn}.{sides}"))


@pytest.mark.any_game
@pytest.mark.parametrize("slug", SLUGS)
async def test_a_sandbox_of_every_game_is_played_to_its_end(stage: DiscordStage, slug: str) -> None:
    place = await stage.open("Ann", game=slug, **options_of(slug))
    await finish_soon(stage, "Ann")
    record = await stage["Ann"].slash(place, "table history", at=1)

    asked = await stage["Ann"].click(record.response, label="Try it alone")
    if slug != "ribbon":
        assert "Who plays the others?" in read_message(asked.response).text
        await stage["Ann"].click(asked.response, label="Computers")

    shown = read_message(asked.response)
    assert "Sandbox" in shown.text
    if "More" in shown.buttons:
        shown = await stage.unfold("Ann", asked)
    assert {"Start over", "Back to the game"} <= set(shown.buttons)
    assert (await finish_soon(stage, "Ann", 2)).phase is Phase.OVER
    version = (await stage.table(2)).version
    ended = read_message((await stage.send_press("Ann", Press("table", "turn", 2, version))).response)
    assert "Start over" in ended.buttons


@pytest.mark.any_game
@pytest.mark.parametrize("slug", [slug for slug in SLUGS if slug != "ribbon"])
async def test_one_person_plays_all_sides_of_a_sandbox(stage: DiscordStage, slug: str) -> None:
    await stage.open("Ann", game=slug, **options_of(slug))
    await finish_soon(stage, "Ann")
    await open_sandbox(stage, "Ann", 1, "all")
    moved, luck = set[int](), Random(2)

    with stage.env.time_context():
        for _ in range(60):
            table = await stage.table(2)
            seat = table.seat_of(stage["Ann"].id)
            moved.add(seat)
            await make_choice(stage, "Ann", 2, luck)
            if len(moved) == len(table.seats):
                break

    assert moved == set(range(len((await stage.table(2)).seats)))
    version = (await stage.table(2)).version
    panel = await stage.send_press("Ann", Press("table", "turn", 2, version))
    assert read_message(panel.response).files or read_message(panel.response).buttons


async def test_a_sandbox_that_is_left_is_still_there(stage: DiscordStage) -> None:
    await stage.open("Ann", game="tesla", computers=1)
    await finish_soon(stage, "Ann")
    await open_sandbox(stage, "Ann", 1)
    with stage.env.time_context():
        await make_choice(stage, "Ann", 2, Random(1))

    await open_sandbox(stage, "Ann", 1)
    assert (await stage.table(2)).version > 1
    await stage.send_press("Ann", Press("study", "anew", 1, 0, "1.computers"))
    assert (await stage.table(3)).version == 1


async def test_a_spectator_of_a_finished_game_has_a_sandbox_too(stage: DiscordStage) -> None:
    await stage.open("Ann", game="tesla", computers=1)
    await finish_soon(stage, "Ann")

    answer = await open_sandbox(stage, "Bo", 2)

    assert "Sandbox" in read_message(answer.response).text
    assert (await stage.table(2)).people == [stage["Bo"].id]


async def test_a_running_game_with_hints_has_a_sandbox_of_ones_own_view(stage: DiscordStage) -> None:
    place = await stage.open("Ann", game="tesla", computers=1)
    seen, version = await stage.view("Ann"), (await stage.table()).version
    record = await stage["Ann"].slash(place, "table history")
    assert "Try it alone" in read_message(record.response).buttons

    await open_sandbox(stage, "Ann", 0)

    tried = await stage.view("Ann", 2)
    assert tried.hands == seen.hands
    assert (await stage.table()).version == version


async def test_a_sandbox_of_a_running_game_begins_where_the_game_is(stage: DiscordStage) -> None:
    await stage.open("Ann", game="tesla", computers=1)
    luck = Random(3)
    turns = await stage.bot.app.parlour.record.turns(await stage.table())
    await open_sandbox(stage, "Ann", turns[-1].number)
    with stage.env.time_context():
        await make_choice(stage, "Ann", 1, luck)
    turns = await stage.bot.app.parlour.record.turns(await stage.table())

    await open_sandbox(stage, "Ann", turns[-1].number)

    study, seat = (await stage.table(3)).study, (await stage.table()).seat_of(stage["Ann"].id)
    assert study is not None
    assert study.version == turns[-1].version
    assert await stage.bot.app.parlour.hints.hints_by_seat(1) == {seat: 2}


async def test_who_plays_all_sides_answers_for_one_after_the_other(stage: DiscordStage) -> None:
    await stage.open("Ann", game="tangram", computers=1)
    await finish_soon(stage, "Ann")
    opened = await open_sandbox(stage, "Ann", 2, "all")
    before = await stage.table(2)
    owner = before.names[before.seat_of(stage["Ann"].id) or 0]
    assert f"You play **{owner}** now." in read_message(opened.response).text
    with stage.env.time_context():
        await make_choice(stage, "Ann", 2, Random(1))
    after = await stage.table(2)

    assert after.moment != before.moment
    assert after.seat_of(stage["Ann"].id) != before.seat_of(stage["Ann"].id)


async def test_a_rated_game_against_others_has_no_sandbox(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", game="tesla")
    record = await stage["Ann"].slash(place, "table history")

    answer = await open_sandbox(stage, "Ann", 0)

    assert "Try it alone" not in read_message(record.response).buttons
    assert "Rated games against others have hints only if" in answer.response.content


@pytest.mark.parametrize("arg", ["", "x.all", "1.nobody", "9999999.all", "50.all"])
async def test_a_forged_press_opens_nothing(stage: DiscordStage, arg: str) -> None:
    await stage.open("Ann", game="ribbon", mode="solo")
    await finish_soon(stage, "Ann")

    answer = await stage.send_press("Ann", Press("study", "open", 1, 0, arg))

    assert answer.ephemeral
    assert answer.response.content
    assert await stage.bot.app.parlour.store.studies.of_person(stage["Ann"].id, "sandbox") is None


async def test_a_sandbox_goes_with_its_person(stage: DiscordStage) -> None:
    await stage.open("Ann", game="ribbon", mode="solo")
    await finish_soon(stage, "Ann")
    await open_sandbox(stage, "Ann", 1, "all")
    parlour = stage.bot.app.parlour

    with stage.env.time_context():
        await parlour.eraser.erase(stage["Ann"].id)

    assert await parlour.store.studies.of_person(stage["Ann"].id, "sandbox") is None


async def ask_for_sandbox(stage: DiscordStage, turn: int) -> str:
    asked = await stage.send_press("Ann", Press("study", "sandbox", 1, 0, str(turn)))
    return read_message(asked.response).text


async def test_the_question_before_a_sandbox_says_what_becomes_of_the_open_one(stage: DiscordStage) -> None:
    await stage.open("Ann", game="tesla", computers=1)
    await finish_soon(stage, "Ann")
    assert "replaces" not in await ask_for_sandbox(stage, 1)

    await open_sandbox(stage, "Ann", 1)

    same = await ask_for_sandbox(stage, 1)
    assert "**Computers** goes on with the sandbox that you have. **I play all sides** replaces it." in same
    other = await ask_for_sandbox(stage, 2)
    assert "This replaces the sandbox that you have, after turn 1 of table 1." in other
    await open_sandbox(stage, "Ann", 2, "all")
    mine = await ask_for_sandbox(stage, 2)
    assert "**I play all sides** goes on with the sandbox that you have. **Computers** replaces it." in mine
