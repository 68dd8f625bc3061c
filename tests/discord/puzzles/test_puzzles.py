"""Puzzles by clicks: opened, solved by any line, missed, hinted, explained, and rated once."""

import asyncio
from datetime import date
from itertools import pairwise
from random import Random

import pytest
from msgspec.structs import replace
from sqlalchemy import update

from cogs.ui.press import Press
from db import schema
from engines.analysis.puzzle_making import PuzzleEntry
from engines.game import Strength
from engines.registry import SLUGS, puzzles
from tables.core.table import encode
from tables.puzzles.puzzles import puzzle_of_day
from tests.discord.daily.days import next_day, post, today, turn_on
from tests.discord.puzzles.solving import open_puzzle, open_table, press, puzzle_at, show, solve
from tests.discord.stage import DiscordStage, read_message

pytestmark = pytest.mark.slow


@pytest.mark.any_game
@pytest.mark.parametrize("slug", SLUGS)
async def test_a_puzzle_of_every_game_is_solved_in_its_panel(stage: DiscordStage, slug: str) -> None:
    opened = await open_puzzle(stage, "Ann", slug)
    panel = read_message(opened.response)

    assert opened.ephemeral
    assert " puzzle**" in panel.text
    assert panel.text.count("Your first try counts for your rating.") == 1
    assert panel.files
    await solve(stage, "Ann", 1)
    result = await show(stage, "Ann", 1)

    assert "**Solved!** Your rating:" in result.text
    assert "Next puzzle" in result.buttons
    (row,) = await stage.bot.app.parlour.store.puzzles.players(stage["Ann"].id)
    assert (row.game, row.tried, row.solved) == (slug, 1, 1)


@pytest.mark.any_game
@pytest.mark.parametrize("slug", SLUGS)
async def test_the_solution_is_shown_with_its_reason(stage: DiscordStage, slug: str) -> None:
    await open_puzzle(stage, "Ann", slug)

    asked = await press(stage, "Ann", "ask", 1)
    assert "Show the solution" in asked.buttons
    shown = await press(stage, "Ann", "solution", 1)

    offer = puzzles(slug)
    assert offer is not None
    names = (await stage.table()).names
    assert shown.files
    assert len(shown.text.splitlines()) >= 3
    puzzle = await puzzle_at(stage, 1)
    assert offer.task(puzzle, names).rstrip(".") in shown.text
    assert (await stage.bot.app.parlour.store.puzzles.tries_of(stage["Ann"].id, slug))[
        puzzle.id
    ].solved is False


@pytest.mark.parametrize("slug", SLUGS)
async def test_a_puzzles_panel_gives_no_solution_away(stage: DiscordStage, slug: str) -> None:
    opened = await open_puzzle(stage, "Ann", slug)
    panel = read_message(opened.response)

    shown = " ".join([panel.text, *panel.buttons, *panel.menus]).lower()
    for word in ("best", "safe", "good fits", "place all"):
        assert word not in shown


async def test_the_next_puzzle_is_another_one(stage: DiscordStage) -> None:
    await open_puzzle(stage, "Ann", "tesla")
    first = await puzzle_at(stage, 1)
    await solve(stage, "Ann", 1)
    await show(stage, "Ann", 1)

    await press(stage, "Ann", "next", 0, "tesla")

    assert (await puzzle_at(stage, 2)).id != first.id


async def test_an_open_puzzle_comes_back(stage: DiscordStage) -> None:
    await open_puzzle(stage, "Ann", "tesla")
    await open_puzzle(stage, "Ann", "tesla")

    assert await open_table(stage, "Ann") == 1


async def test_without_a_game_the_open_puzzle_comes_back(stage: DiscordStage) -> None:
    await open_puzzle(stage, "Ann", "tangle")

    await stage["Ann"].slash(stage.channel, "puzzle")

    assert await open_table(stage, "Ann") == 1


async def test_nobody_passes_over_a_puzzle_by_opening_another_games(stage: DiscordStage) -> None:
    await open_puzzle(stage, "Ann", "tesla")
    first = await puzzle_at(stage, 1)

    await open_puzzle(stage, "Ann", "tangle")
    await open_puzzle(stage, "Ann", "tesla")

    assert await puzzle_at(stage, await open_table(stage, "Ann")) == first


async def test_a_second_try_counts_for_nothing(stage: DiscordStage) -> None:
    await open_puzzle(stage, "Ann", "tesla")
    await press(stage, "Ann", "solution", 1)
    before = await stage.bot.app.parlour.store.puzzles.players(stage["Ann"].id)

    await press(stage, "Ann", "again", 1)
    assert "Your first try counts" not in (await show(stage, "Ann", 2)).text
    await solve(stage, "Ann", 2)
    result = await show(stage, "Ann", 2)

    assert "**Solved!** This try doesn't count, because it isn't your first." in result.text
    assert "Your rating" not in result.text
    assert await stage.bot.app.parlour.store.puzzles.players(stage["Ann"].id) == before


async def test_a_hint_tells_the_first_step_and_makes_it_worth_less(stage: DiscordStage) -> None:
    gains = {}
    for name, hinted in (("Ann", True), ("Bo", False)):
        await open_puzzle(stage, name, "tesla")
        number = await open_table(stage, name)
        if hinted:
            assert "Show the first step?" in (await press(stage, name, "hint", number)).text
            assert "Begin like this:" in (await press(stage, name, "show_hint", number)).text
            await stage.restart()
        await solve(stage, name, number)
        await show(stage, name, number)
        (row,) = await stage.bot.app.parlour.store.puzzles.players(stage[name].id)
        gains[name] = row.mu

    assert gains["Ann"] < gains["Bo"]


async def test_tries_at_the_same_time_all_count(stage: DiscordStage) -> None:
    parlour, names = stage.bot.app.parlour, ("Ann", "Bo", "Cy")
    for name in names:
        await press(stage, name, "day", 0, f"{today(stage)}.tesla")
    for number, name in enumerate(names, start=1):
        await solve(stage, name, number)
    puzzle = await puzzle_at(stage, 1)
    tables = [await stage.table(number) for number in (1, 2, 3)]

    with stage.env.time_context():
        people = [stage[name].id for name in names]
        tried = [parlour.puzzles.settle(table, who) for table, who in zip(tables, people, strict=True)]
        results = await asyncio.gather(*tried)

    assert {table.study.puzzle for table in tables} == {puzzle.id}
    assert all(result is not None and result.is_first for result in results)
    level = await parlour.store.puzzles.level("tesla", puzzle.id)
    assert level is not None
    assert level.tried == 3


async def test_puzzles_are_solved_in_a_dm(stage: DiscordStage) -> None:
    opened = await stage["Ann"].user.slash("puzzle", game="ribbon")

    assert " puzzle**" in read_message(opened.response).text


async def test_a_server_can_have_a_puzzle_under_the_deal_of_the_day(stage: DiscordStage) -> None:
    await turn_on(stage, "tesla")
    assert "Puzzle" not in post(stage).buttons
    answer = await stage.admin.slash(stage.channel, "admin config", daily_puzzle=True)
    assert "comes with the next deal of the day" in read_message(answer.response).text
    await next_day(stage)

    shown = post(stage)
    await stage["Bo"].click(shown.message, label="Puzzle")
    opened = await stage["Cy"].click(shown.message, label="Puzzle")

    assert "Puzzle of the day" in shown.text
    assert opened.ephemeral
    assert " puzzle**" in read_message(opened.response).text
    puzzles_open = [await puzzle_at(stage, await open_table(stage, name)) for name in ("Bo", "Cy")]
    assert puzzles_open[0].id == puzzles_open[1].id


async def test_my_puzzles_name_ratings_and_streak(stage: DiscordStage) -> None:
    assert "haven't tried a puzzle" in (await press(stage, "Ann", "mine")).text
    await open_puzzle(stage, "Ann", "tesla")
    await solve(stage, "Ann", 1)
    await show(stage, "Ann", 1)

    mine = await press(stage, "Ann", "mine")

    assert "Tesla's Tangle: **" in mine.text
    assert "1 of 1 puzzle solved at the first try\n" in mine.text
    assert "You've solved a puzzle today." in mine.text


async def test_an_erased_person_leaves_no_tries(stage: DiscordStage) -> None:
    await open_puzzle(stage, "Ann", "tesla")
    await press(stage, "Ann", "solution", 1)
    parlour, who = stage.bot.app.parlour, stage["Ann"].id

    with stage.env.time_context():
        await parlour.eraser.erase(who)

    assert await parlour.store.puzzles.players(who) == []
    assert await parlour.store.puzzles.tries_of(who, "tesla") == {}


@pytest.mark.parametrize(
    ("verb", "number", "arg"),
    [
        ("next", 0, "chess"),
        ("day", 0, "2099-01-01.tesla"),
        ("day", 0, "soon"),
        ("solution", 1, ""),
        ("hint", 99, ""),
        ("show_hint", 1, ""),
        ("again", 1, ""),
    ],
)
async def test_a_forged_press_changes_nothing(stage: DiscordStage, verb: str, number: int, arg: str) -> None:
    await stage.open("Ann", game="ribbon", mode="solo")

    answer = await stage.send_press("Ann", Press("puzzle", verb, number, 0, arg))

    assert answer.ephemeral
    assert answer.response.content
    assert await stage.bot.app.parlour.store.puzzles.players(stage["Ann"].id) == []


@pytest.mark.parametrize("slug", ["tanglewood", "tangle"])
async def test_an_undone_step_leaves_the_others_where_they_are(stage: DiscordStage, slug: str) -> None:
    await open_puzzle(stage, "Ann", slug)
    parlour, puzzle = stage.bot.app.parlour, await puzzle_at(stage, 1)
    with stage.env.time_context():
        await parlour.play.move(1, stage["Ann"].id, puzzle.solution[:1])
        await parlour.play.undo(1, stage["Ann"].id)

    await solve(stage, "Ann", 1)

    assert not [one for one in (await stage.table()).seats if one.computer]
    assert "Solved!" in (await show(stage, "Ann", 1)).text


async def test_a_hint_is_remembered_with_the_puzzle(stage: DiscordStage) -> None:
    day = f"{today(stage)}.tesla"
    await press(stage, "Ann", "day", 0, day)
    await press(stage, "Ann", "show_hint", 1)
    await open_puzzle(stage, "Ann", "ribbon")
    await press(stage, "Ann", "day", 0, day)

    await solve(stage, "Ann", 3)
    await show(stage, "Ann", 3)

    puzzle = await puzzle_at(stage, 3)
    tries = await stage.bot.app.parlour.store.puzzles.tries_of(stage["Ann"].id, "tesla")
    assert tries[puzzle.id].hinted


async def test_a_later_solution_counts_for_the_streak_alone(stage: DiscordStage) -> None:
    await open_puzzle(stage, "Ann", "tesla")
    await press(stage, "Ann", "solution", 1)
    assert "today" not in (await press(stage, "Ann", "mine")).text
    await press(stage, "Ann", "again", 1)
    await solve(stage, "Ann", 2)
    await show(stage, "Ann", 2)

    mine = (await press(stage, "Ann", "mine")).text

    assert "0 of 1 puzzle solved at the first try" in mine
    assert "You've solved a puzzle today." in mine


async def test_a_puzzle_that_left_its_file_gives_way_to_another(stage: DiscordStage) -> None:
    await open_puzzle(stage, "Ann", "tesla")
    parlour = stage.bot.app.parlour
    table = await stage.table()
    gone = encode(replace(table.study, puzzle="gone"))
    await parlour.store.studies._execute(update(schema.tables).values(origin=gone))
    parlour.invalidate_all()

    opened = await open_puzzle(stage, "Ann", "tesla")

    assert " puzzle**" in read_message(opened.response).text


async def reveal(stage: DiscordStage, name: str, number: int) -> None:
    """Make moves until one shows something new, without ending the try."""
    parlour, who, luck = stage.bot.app.parlour, stage[name].id, Random(1)
    with stage.env.time_context():
        for _ in range(200):
            move = luck.choice(await parlour.play.moves(number, who))
            _, steps = await parlour.play.move(number, who, [move])
            is_over = (await parlour.puzzles.judge(await parlour.table(number))).is_over
            if not is_over and any(step.reveals for step in steps):
                return
            if is_over:
                await parlour.play.undo(number, who)
    raise AssertionError("nothing shows anything")


@pytest.mark.parametrize("way", ["undo", "again"])
async def test_what_an_undone_step_showed_counts_like_a_hint(stage: DiscordStage, way: str) -> None:
    await open_puzzle(stage, "Ann", "tangram")
    await reveal(stage, "Ann", 1)

    if way == "undo":
        with stage.env.time_context():
            await stage.bot.app.parlour.play.undo(1, stage["Ann"].id)
        number = 1
    else:
        await press(stage, "Ann", "again", 1)
        number = await open_table(stage, "Ann")
    await solve(stage, "Ann", number)
    await show(stage, "Ann", number)

    puzzle = await puzzle_at(stage, number)
    tries = await stage.bot.app.parlour.store.puzzles.tries_of(stage["Ann"].id, "tangram")
    assert tries[puzzle.id].hinted


def test_the_puzzle_of_the_day_comes_again_only_after_all_others() -> None:
    entries = [PuzzleEntry(f"p{number}", Strength.EASY, moves=1) for number in range(23)]
    first = date(2026, 1, 1).toordinal() // 23 * 23

    days = [puzzle_of_day(entries, str(date.fromordinal(first + day))).id for day in range(23 * 12)]

    assert all(len(set(days[start : start + 23])) == 23 for start in range(0, len(days), 23))
    assert all(one != two for one, two in pairwise(days))


async def test_a_puzzle_in_a_dm_has_no_channel_no_clock_and_no_computer_to_leave_it_to(
    stage: DiscordStage,
) -> None:
    ann = stage["Ann"].user
    await ann.slash("puzzle", game="tesla")

    shown = read_message((await ann.slash("table show", table=1)).response)
    left = read_message((await ann.slash("table leave", table=1)).response)

    assert "Table 1** that only you see" in shown.text
    assert "the others" not in shown.text
    assert {"Resign", "Stay"} == set(left.buttons)
