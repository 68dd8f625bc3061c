"""Posts about several turns: a line each, and what must not be lost."""

from random import Random
from typing import Any

import msgspec
import pytest

from cogs.core import story
from cogs.core.folding import fit_height
from cogs.core.presenter import presenter_of
from cogs.core.story import turn_lines, turn_views
from cogs.posts import board
from cogs.ui.text import without_icons
from engines.marks import sign, with_icon
from engines.ribbon import GAME
from engines.ribbon.moves import RibbonEliminated, RibbonTurnEnded
from engines.ribbon.pieces.board import RibbonTangle
from engines.ribbon.words import event_lines
from tests.discord.desk import Desk
from tests.discord.stage import DiscordStage
from tests.engines.ribbon.arrange import begin


@pytest.fixture
async def place(stage: DiscordStage) -> Any:
    return await stage.open("Ann", game="tesla", computers=2, strength="medium", win=30)


def turns_in(post: str) -> list[str]:
    lines = [line for line in post.splitlines() if line.removeprefix("**").startswith(("Ann", "Ada", "Ivo"))]
    return [line for line in lines if "**: " not in line]


async def test_a_post_has_a_line_a_turn_and_the_record_every_line(
    stage: DiscordStage, place: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "HIGHEST", 2000)  # no turn is cut
    await stage.act("Ann", place, Random(1))
    await stage.wait(5)

    story = turns_in(stage.post(place).text)

    assert len(story) == 3
    assert all(" and draws " in line for line in story)
    assert "↳" not in stage.post(place).text

    rows = await stage.bot.app.parlour.store.actions(1, 0, 10**6)
    whole = [row for row in rows if row.kind in ("move", "forced")]

    table, view = await stage.table(), await stage.view()
    views = await turn_views(stage.bot.app.parlour.record, table, view, whole)
    assert len(turn_lines(table, view, views, whole)) < len(whole)


@pytest.mark.parametrize("most", [0, 760])
async def test_a_high_post_cuts_or_counts_earlier_turns_and_tells_the_last_whole(
    stage: DiscordStage, place: Any, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "HIGHEST", most)

    await stage.act("Ann", place, Random(1))
    await stage.wait(5)

    text = stage.post(place).text
    *earlier, last = turns_in(text)
    assert len(earlier) == (2 if most else 0)
    assert all(line.endswith(" …") and ". " not in line for line in earlier)
    assert ("See **More** for 2 earlier lines." in text) is not most
    assert last.endswith(".")


@pytest.mark.parametrize(("left", "most"), [("lakes 1 and enchantments 3", 90), ("lakes 2", 30)])
def test_a_long_post_tells_of_upkeep_that_is_one_step_away(left: str, most: int) -> None:
    steps = f" Steps left until upkeep: {left}."
    lines = [f"Ann rests. New in the row: Mossy Path and Leaf.{steps} Round 2 begins."]

    (line,) = fit_height(lines, 1, most, presenter_of("tangle").shown)

    assert line == f"Ann rests.{steps if most > 30 else ''} Round 2 begins."


def test_the_highest_post_of_tangle_keeps_losses_and_warnings_in_short() -> None:
    lines = [
        "↳ Bo loses the lake at A4, and keeps A5 for 1 (can't pay 2).",
        "**Before Ann's next turn, everyone pays upkeep** for each bush or meadow.",
    ]

    short = fit_height(lines, 2, 0, presenter_of("tangle").shown, presenter_of("tangle").losses)

    assert short == ["↳ Bo loses A4.", "**Before Ann's next turn, everyone pays upkeep**."]


def test_a_line_counts_the_tangles_of_who_was_still_in_then() -> None:
    state = begin("ABCDEFGHIJKLMNOPQR", 3, mode="versus")
    view = msgspec.structs.replace(GAME.view(state, None), out=(1,), ribbons=("green", "orange", "purple"))
    ended = RibbonTurnEnded(0, (RibbonTangle(1, "orange"),))
    gone = RibbonEliminated(1, (RibbonTangle(1, "orange"),))

    then = event_lines.before(view, gone)

    assert "Ada has 1 tangle." in without_icons(
        event_lines.event_line(ended, then, ["Ann", "Ada", "Cy"]) or ""
    )
    assert "Ada" not in without_icons(event_lines.event_line(ended, view, ["Ann", "Ada", "Cy"]) or "")


async def test_what_a_vote_brings_to_all_is_nobodys_result(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", "Cy", game="tanglewood", length="short")
    rng = Random(5)
    while (await stage.view()).phase != "ballots":
        await stage.act((await stage.due())[0], place, rng)
    before = (await stage.view()).votes
    while not (await stage.view()).scorings:
        await stage.act((await stage.due())[0], place, rng)

    lines = [line for post in stage.posts(place) for line in post.text.splitlines() if "Ballots: " in line]

    assert (await stage.view()).votes != before
    assert lines
    assert not any(line.startswith("**") for line in lines)


async def test_a_story_has_icons_of_players_and_resources_alone(desk: Desk) -> None:
    table = await desk.open("Ann", "Bo", game="tangle")
    who, resource = with_icon("seat_1", "Ann"), sign("tangle_n", "N")
    told = f"{who} moves a {with_icon('tangle_root', 'root')} and gains 1 {resource}."

    text = story._drop_icons_of_nouns(told, table, await desk.view())

    assert text == f"{who} moves a root and gains 1 {resource}."
