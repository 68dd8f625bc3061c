"""Puzzles by clicks: opened, solved by any line, missed, hinted, explained, and rated once."""

import asyncio
from datetime import date
from itertools import pairwise
from random import Random

import pytest
from msgspec.structs import replace
from sqlalchemy import update

from cogs.puzzles import progress
from cogs.tanglewood.panel import NOTED
from cogs.ui.page import PLAIN
from cogs.ui.press import Press
from db import schema
from engines.analysis.puzzle_making import PuzzleEntry
from engines.game import Strength
from engines.marks import to_plain
from engines.registry import SLUGS, game, move_names, puzzles
from engines.tanglewood.moves import Gather
from engines.tesla.words.previews import CHANGES_NOTHING
from tables.core.table import Occupant, encode
from tables.puzzles import PuzzleProgress, puzzle_of_day
from tests.discord.daily.days import next_day, post, today, turn_on
from tests.discord.learning.alone import miss, open_puzzle, open_table, press, puzzle_at, show, solve
from tests.discord.stage import BUTTON, GALLERY, DiscordStage, read_message


@pytest.mark.parametrize("slug", SLUGS)
async def test_a_puzzle_says_what_is_given_in_its_panel_and_in_words_without_advice_and_is_solved(
    stage: DiscordStage, slug: str
) -> None:
    opened = await open_puzzle(stage, "Ann", slug)
    panel = read_message(opened.response)
    assert panel.files
    whole = read_message((await stage["Ann"].click(opened.response, label="More")).response)
    spoken = read_message((await stage["Ann"].click(whole.message, label="In words")).response)
    await solve(stage, "Ann", 1)
    result = await show(stage, "Ann", 1)

    heading, given, *_ = panel.text.splitlines()
    assert opened.ephemeral
    assert f"**{game(slug).title} puzzle**" in heading
    assert given.startswith("-# ")
    assert GIVEN[slug] in panel.text
    assert panel.text.count("Your first try counts for your rating.") == 1
    shown = " ".join([panel.text, *panel.buttons, *panel.menus]).lower()
    for word in ("best", "safe", "good fits", "place all"):
        assert word not in shown
    assert {"Hint", "Solution", "Rules"} <= set(whole.buttons)
    assert not spoken.files
    assert GIVEN[slug] in spoken.text
    assert "**Solved!** Your rating:" in result.text
    assert "Next puzzle" in result.buttons
    (row,) = await stage.bot.app.parlour.store.puzzles.players(stage["Ann"].id)
    assert (row.game, row.tried, row.solved) == (slug, 1, 1)


@pytest.mark.essential
async def test_an_open_puzzle_comes_back_until_it_ends_or_leaves_its_file(stage: DiscordStage) -> None:
    await open_puzzle(stage, "Ann", "tesla")
    first = await puzzle_at(stage, 1)
    await stage["Ann"].slash(stage.channel, "puzzle")
    assert await open_table(stage, "Ann") == 1

    await open_puzzle(stage, "Ann", "tangle")
    await open_puzzle(stage, "Ann", "tesla")
    again = await open_table(stage, "Ann")
    assert await puzzle_at(stage, again) == first

    await solve(stage, "Ann", again)
    await show(stage, "Ann", again)
    await press(stage, "Ann", "next", 0, "tesla")

    assert (await puzzle_at(stage, await open_table(stage, "Ann"))).id != first.id

    parlour = stage.bot.app.parlour
    table = await stage.table(await open_table(stage, "Ann"))
    gone = encode(replace(table.study, puzzle="gone"))
    await parlour.store.studies._execute(update(schema.tables).values(origin=gone))
    parlour.invalidate_all()

    opened = await open_puzzle(stage, "Ann", "tesla")

    assert " puzzle**" in read_message(opened.response).text


@pytest.mark.essential
async def test_an_early_solution_is_a_miss_and_goes_with_its_person(stage: DiscordStage) -> None:
    await open_puzzle(stage, "Ann", "tesla")
    asked = await press(stage, "Ann", "ask", 1)
    assert "This is your first try at this puzzle, so it counts as a miss." in asked.text
    assert {"Show the solution", "Back"} == set(asked.buttons)
    solution = await press(stage, "Ann", "solution", 1)
    before = await stage.bot.app.parlour.store.puzzles.players(stage["Ann"].id)
    assert "today" not in (await press(stage, "Ann", "mine")).text

    await press(stage, "Ann", "again", 1)
    assert "Your first try counts" not in (await show(stage, "Ann", 2)).text
    assert "Begin like this:" in (await press(stage, "Ann", "hint", 2)).text
    assert "1. " in (await press(stage, "Ann", "ask", 2)).text
    await solve(stage, "Ann", 2)
    result = await show(stage, "Ann", 2)
    mine = (await press(stage, "Ann", "mine")).text

    assert "**Solved!** This try doesn't count, because it isn't your first." in result.text
    assert "Your rating" not in result.text
    assert "My puzzles" in solution.buttons
    assert "My puzzles" in result.buttons
    assert await stage.bot.app.parlour.store.puzzles.players(stage["Ann"].id) == before
    assert "0 of 1 puzzle solved at the first try" in mine
    assert "You've solved a puzzle today." in mine

    parlour, who = stage.bot.app.parlour, stage["Ann"].id

    with stage.env.time_context():
        await parlour.eraser.erase(who)

    assert await parlour.store.puzzles.players(who) == []
    assert await parlour.store.puzzles.tries_of(who, "tesla") == {}


async def test_a_hint_that_is_shown_makes_a_puzzle_worth_less_once_and_one_that_is_asked_for_costs_nothing(
    stage: DiscordStage,
) -> None:
    gains = {}
    for name, label in (("Ann", "Show the hint"), ("Bo", "Back")):
        await open_puzzle(stage, name, "tesla")
        number = await open_table(stage, name)
        asked = await press(stage, name, "hint", number)
        assert "Show the first step?" in asked.text
        assert "about a third as much" in asked.text
        assert {"Show the hint", "Back"} == set(asked.buttons)
        hint = read_message((await stage[name].click(asked.message, label=label)).response)
        if name == "Ann":
            assert "Begin like this:" in hint.text
            assert (await press(stage, name, "hint", number)).text == hint.text
            await stage.restart()
        await solve(stage, name, number)
        await show(stage, name, number)
        (row,) = await stage.bot.app.parlour.store.puzzles.players(stage[name].id)
        gains[name] = row.mu

    assert gains["Ann"] < gains["Bo"]
    mine = [(await press(stage, name, "mine")).text for name in ("Ann", "Bo")]
    told = "1 of 1 puzzle solved at the first try, with a hint"
    assert [told in text for text in mine] == [True, False]


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


async def test_a_forged_press_changes_nothing(stage: DiscordStage) -> None:
    await stage.open("Ann", game="ribbon", mode="solo")

    forged = [("next", 0, "chess"), ("day", 0, "2099-01-01.tesla"), ("day", 0, "soon"), ("hint", 99, "")]
    for verb, number, arg in [*forged, *((verb, 1, "") for verb in ("solution", "show_hint", "again"))]:
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


async def test_a_puzzle_in_a_dm_has_no_channel_no_clock_and_no_substitute(stage: DiscordStage) -> None:
    ann = stage["Ann"].user
    await ann.slash("puzzle", game="tesla")

    shown = read_message((await ann.slash("table show", table=1)).response)
    left = read_message((await ann.slash("table leave", table=1)).response)

    assert "Table 1** (only you see it)" in shown.text
    assert "the others" not in shown.text
    assert {"Resign", "Stay"} == set(left.buttons)


GIVEN = {
    "ribbon": "Your cards:",
    "tesla": "You win at 50 points, or when",
    "tangram": "As it is now, your city would score",
    "tanglewood": "in all.",
    "tangle": "Your cards:",
}
"""A part of each game's line below the task."""
MISSES = {
    "ribbon": "Still tangled: ",
    "tesla": "you haven't won: you have",
    "tangram": "You scored ",
    "tanglewood": " votes.",
    "tangle": "You still lack ",
}
"""A part of what each game says of a miss."""


async def test_a_puzzles_tile_page_shows_the_whole_board_without_advice(stage: DiscordStage) -> None:
    opened = await open_puzzle(stage, "Ann", "tesla")
    panel = read_message(opened.response)
    styles = set()

    for _ in range(12):
        assert "no good place" not in panel.text
        assert "⚠️" not in panel.text
        styles.add(panel.buttons["Place"]["style"])
        panel = read_message((await stage["Ann"].click(panel.message, label="Next place")).response)
        if CHANGES_NOTHING in panel.text:
            break

    assert CHANGES_NOTHING in panel.text
    assert len({*styles, panel.buttons["Place"]["style"]}) == 1


async def test_a_ribbon_puzzle_judges_no_turn_before_its_end(stage: DiscordStage) -> None:
    opened = await open_puzzle(stage, "Ann", "ribbon")
    panel = read_message(opened.response)

    assert panel.buttons["End turn"]["style"] == PLAIN.value
    asked = await stage["Ann"].click(opened.response, label="End turn")
    assert "You haven't swapped or exchanged a card." in read_message(asked.response).text
    ended = read_message((await stage["Ann"].click(asked.response, label="End turn")).response)

    assert "Untangle" not in panel.text
    assert "End my turn anyway" not in ended.buttons
    assert "Not quite." in ended.text


async def test_a_tesla_puzzle_asks_before_a_turn_with_nothing_done_ends(stage: DiscordStage) -> None:
    opened = await open_puzzle(stage, "Ann", "tesla")

    assert read_message(opened.response).buttons["End turn"]["style"] == PLAIN.value
    asked = await stage["Ann"].click(opened.response, label="End turn")

    assert "You haven't placed a tile or used a marker." in read_message(asked.response).text


@pytest.mark.any_game
@pytest.mark.parametrize("slug", SLUGS)
async def test_a_solution_is_numbered_by_its_moves_and_a_miss_says_what_lacks_and_can_be_undone(
    stage: DiscordStage, slug: str
) -> None:
    await open_puzzle(stage, "Ann", slug)
    puzzle, names = await puzzle_at(stage, 1), (await stage.table()).names
    offer = puzzles(slug)
    assert offer is not None

    asked = await press(stage, "Ann", "ask", 1)
    shown = await press(stage, "Ann", "solution", 1)

    assert "Show the solution" in asked.buttons
    assert shown.files
    assert offer.task(puzzle, names).rstrip(".") in shown.text
    step, *_ = offer.steps(puzzle)
    first = to_plain(move_names(slug).move_name(step.move, step.before, names))
    lines = [line for line in shown.text.splitlines() if line[:1].isdigit()]
    assert lines[0].startswith("1. ")
    assert first[1:] in lines[0]
    assert len(lines) <= 12
    kinds = [one.get("type") for one in shown.components]
    assert kinds.index(BUTTON) < kinds.index(GALLERY)
    tries = await stage.bot.app.parlour.store.puzzles.tries_of(stage["Ann"].id, slug)
    assert tries[puzzle.id].solved is False

    await press(stage, "Ann", "again", 1)
    await miss(stage, "Ann", 2)

    missed = await show(stage, "Ann", 2)
    undone = read_message((await stage["Ann"].click(missed.message, label="Undo")).response)

    assert MISSES[slug] in missed.text
    assert {"Undo", "Try again", "Solution", "Next puzzle", "My puzzles"} == set(missed.buttons)
    assert "More" in undone.buttons
    assert (await stage.table(2)).owing


@pytest.mark.parametrize("solves", [True, False])
async def test_ones_own_puzzles_and_profile_name_ratings_and_streak_that_others_do_not_see(
    stage: DiscordStage, solves: bool
) -> None:
    assert "haven't tried a puzzle" in (await press(stage, "Ann", "mine")).text
    await open_puzzle(stage, "Ann", "tesla")
    await (solve if solves else miss)(stage, "Ann", 1)
    await show(stage, "Ann", 1)
    mine = (await press(stage, "Ann", "mine")).text

    profile = read_message((await stage["Ann"].slash(stage.channel, "profile")).response)
    theirs = await stage["Bo"].slash(stage.channel, "profile", member=stage["Ann"].user)

    assert f"{int(solves)} of 1 puzzle solved at the first try\n" in f"{mine}\n"
    assert ("You've solved a puzzle today." in mine) is solves
    rating = mine.partition("Tesla's Tangle: **")[2].partition("**")[0]
    puzzles_line = f"Puzzles · {int(solves)} of 1 solved · Tesla's Tangle {int(rating):,}"
    assert puzzles_line in profile.text
    assert profile.files
    assert "Puzzles" not in read_message(theirs.response).text


@pytest.mark.parametrize(
    ("streak", "today", "line"),
    [
        (1, True, "You've solved a puzzle today."),
        (1, False, "You solved a puzzle yesterday."),
        (3, False, "You've solved a puzzle on 3 days in a row."),
    ],
)
def test_a_streak_of_one_day_is_today_or_yesterday(streak: int, today: bool, line: str) -> None:
    assert progress(PuzzleProgress(streak, (), today)) == [line]


async def test_tanglewood_explains_no_votes_in_lines_that_name_none(stage: DiscordStage) -> None:
    offer = puzzles("tanglewood")
    assert offer is not None
    shifting = next(one for one in offer.puzzles if isinstance(one.solution[-1], Gather))
    app, person = stage.bot.app, Occupant("Ann", stage["Ann"].id)
    with stage.env.time_context():
        table = await app.parlour.puzzles._begin(person, "tanglewood", shifting.id)
        await app.parlour.play.move(table.id, stage["Ann"].id, shifting.solution[:-1])
    panel = await show(stage, "Ann", table.id)
    (menu,) = panel.menus.values()

    picks = [option["value"] for option in menu["options"]][: menu["max_values"]]
    chosen = await stage["Ann"].select(panel.message, picks, custom_id=menu["custom_id"])
    whole = await stage["Ann"].click(chosen.response, label="More")

    assert "Who goes where?" in {menu["placeholder"] for menu in read_message(whole.response).menus.values()}
    assert NOTED not in read_message(whole.response).text
