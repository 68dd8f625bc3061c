"""Panels of puzzles, hints, solutions, and misses that say what lacked."""

import pytest

from cogs.puzzles.words import progress
from cogs.tanglewood.panel import NOTED
from engines.marks import to_plain
from engines.registry import SLUGS, game, move_names, puzzles
from engines.tanglewood.moves import Gather
from engines.tesla.words.previews import CHANGES_NOTHING
from tables.core.table import Occupant
from tables.puzzles.puzzles import PuzzleProgress
from tests.discord.puzzles.solving import miss, open_puzzle, press, puzzle_at, show, solve
from tests.discord.stage import BUTTON, GALLERY, DiscordStage, read_message

pytestmark = pytest.mark.slow
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


@pytest.mark.any_game
@pytest.mark.parametrize("slug", SLUGS)
async def test_a_puzzles_first_panel_names_the_game_and_what_is_given(stage: DiscordStage, slug: str) -> None:
    opened = await open_puzzle(stage, "Ann", slug)
    panel = read_message(opened.response)

    heading, given, *_ = panel.text.splitlines()
    assert f"**{game(slug).title} puzzle**" in heading
    assert given.startswith("-# ")
    assert GIVEN[slug] in panel.text
    await stage["Ann"].click(opened.response, label="More")
    assert {"Hint", "Solution", "Rules"} <= set(read_message(opened.response).buttons)


@pytest.mark.any_game
@pytest.mark.parametrize("slug", SLUGS)
async def test_the_whole_panel_of_a_puzzle_has_the_rules(stage: DiscordStage, slug: str) -> None:
    opened = await open_puzzle(stage, "Ann", slug)

    whole = read_message((await stage["Ann"].click(opened.response, label="More")).response)
    rules = read_message((await stage["Ann"].click(opened.response, label="Rules")).response)

    assert "Rules" in whole.buttons
    assert game(slug).title in rules.text


@pytest.mark.any_game
@pytest.mark.parametrize("slug", SLUGS)
async def test_what_is_given_is_there_in_words_too(stage: DiscordStage, slug: str) -> None:
    opened = await open_puzzle(stage, "Ann", slug)

    whole = read_message((await stage["Ann"].click(opened.response, label="More")).response)
    spoken = read_message((await stage["Ann"].click(whole.message, label="In words")).response)

    assert not spoken.files
    assert GIVEN[slug] in spoken.text


async def test_the_tile_page_of_a_puzzle_shows_the_whole_board_and_gives_no_advice(
    stage: DiscordStage,
) -> None:
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

    ended = read_message((await stage["Ann"].click(opened.response, label="End turn")).response)

    assert "Untangle" not in panel.text
    assert "End my turn anyway" not in ended.buttons


async def test_a_hint_costs_nothing_twice(stage: DiscordStage) -> None:
    await open_puzzle(stage, "Ann", "tesla")

    asked = await press(stage, "Ann", "hint", 1)
    hint = read_message((await stage["Ann"].click(asked.message, label="Show the hint")).response)
    again = await press(stage, "Ann", "hint", 1)

    assert "about a third as much" in asked.text
    assert {"Show the hint", "Back"} == set(asked.buttons)
    assert "Begin like this:" in hint.text
    assert again.text == hint.text


async def test_a_hint_that_is_only_asked_for_costs_nothing(stage: DiscordStage) -> None:
    await open_puzzle(stage, "Ann", "tesla")
    asked = await press(stage, "Ann", "hint", 1)
    await stage["Ann"].click(asked.message, label="Back")

    await solve(stage, "Ann", 1)
    await show(stage, "Ann", 1)

    (tried,) = (await stage.bot.app.parlour.store.puzzles.tries_of(stage["Ann"].id, "tesla")).values()
    assert not tried.hinted


async def test_a_hint_after_the_first_try_is_shown_at_once(stage: DiscordStage) -> None:
    await open_puzzle(stage, "Ann", "tesla")
    await press(stage, "Ann", "solution", 1)
    await press(stage, "Ann", "again", 1)

    assert "Begin like this:" in (await press(stage, "Ann", "hint", 2)).text


@pytest.mark.any_game
@pytest.mark.parametrize("slug", SLUGS)
async def test_a_solution_is_numbered_by_the_names_of_its_moves(stage: DiscordStage, slug: str) -> None:
    await open_puzzle(stage, "Ann", slug)
    puzzle, names = await puzzle_at(stage, 1), (await stage.table()).names
    offer = puzzles(slug)
    assert offer is not None

    shown = await press(stage, "Ann", "solution", 1)

    step, *_ = offer.steps(puzzle)
    first = to_plain(move_names(slug).move_name(step.move, step.before, names))
    lines = [line for line in shown.text.splitlines() if line[:1].isdigit()]
    assert lines[0].startswith("1. ")
    assert first[1:] in lines[0]
    assert len(lines) <= 12
    kinds = [one.get("type") for one in shown.components]
    assert kinds.index(BUTTON) < kinds.index(GALLERY)


@pytest.mark.any_game
@pytest.mark.parametrize("slug", SLUGS)
async def test_a_miss_says_what_lacks_and_can_be_undone(stage: DiscordStage, slug: str) -> None:
    await open_puzzle(stage, "Ann", slug)
    await miss(stage, "Ann", 1)

    missed = await show(stage, "Ann", 1)
    undone = read_message((await stage["Ann"].click(missed.message, label="Undo")).response)

    assert MISSES[slug] in missed.text
    assert {"Undo", "Try again", "Solution", "Next puzzle", "My puzzles"} == set(missed.buttons)
    assert "More" in undone.buttons
    assert (await stage.table()).owing


async def test_every_end_of_a_puzzle_leads_to_my_puzzles(stage: DiscordStage) -> None:
    await open_puzzle(stage, "Ann", "tesla")
    solution = await press(stage, "Ann", "solution", 1)
    await press(stage, "Ann", "again", 1)
    await solve(stage, "Ann", 2)

    solved = await show(stage, "Ann", 2)

    assert "My puzzles" in solution.buttons
    assert "My puzzles" in solved.buttons


async def test_my_puzzles_say_which_solutions_took_a_hint(stage: DiscordStage) -> None:
    await open_puzzle(stage, "Ann", "tesla")
    await press(stage, "Ann", "show_hint", 1)
    await solve(stage, "Ann", 1)
    await show(stage, "Ann", 1)

    mine = await press(stage, "Ann", "mine")

    assert "1 of 1 puzzle solved at the first try, with a hint" in mine.text


@pytest.mark.parametrize("solves", [True, False])
async def test_a_profile_names_the_ratings_of_puzzles(stage: DiscordStage, solves: bool) -> None:
    await open_puzzle(stage, "Ann", "tesla")
    await (solve if solves else miss)(stage, "Ann", 1)
    await show(stage, "Ann", 1)
    mine = await press(stage, "Ann", "mine")

    profile = read_message((await stage["Ann"].slash(stage.channel, "profile")).response)

    rating = mine.text.partition("Tesla's Tangle: **")[2].partition("**")[0]
    puzzles_line = f"Puzzles · {int(solves)} of 1 solved · Tesla's Tangle {int(rating):,}"
    assert puzzles_line in profile.text
    assert profile.files


async def test_a_profile_without_games_shows_puzzles_to_oneself_alone(stage: DiscordStage) -> None:
    await open_puzzle(stage, "Ann", "tesla")
    await solve(stage, "Ann", 1)
    await show(stage, "Ann", 1)

    theirs = await stage["Bo"].slash(stage.channel, "profile", member=stage["Ann"].user)

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


async def test_a_solution_before_the_first_try_says_that_it_is_a_miss(stage: DiscordStage) -> None:
    await open_puzzle(stage, "Ann", "tesla")

    asked = await press(stage, "Ann", "ask", 1)

    assert "This is your first try at this puzzle, so it counts as a miss." in asked.text
    assert {"Show the solution", "Back"} == set(asked.buttons)


async def test_a_solution_after_the_first_try_is_shown_at_once(stage: DiscordStage) -> None:
    await open_puzzle(stage, "Ann", "tesla")
    await press(stage, "Ann", "solution", 1)
    await press(stage, "Ann", "again", 1)

    assert "1. " in (await press(stage, "Ann", "ask", 2)).text
