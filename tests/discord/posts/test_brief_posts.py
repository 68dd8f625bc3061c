"""Changes that leave the board as it is make a line below it, without a new picture."""

import re
from random import Random
from typing import Any

import pytest

from engines.registry import SLUGS
from tests.discord.games.test_tangle import type_placement
from tests.discord.stage import DiscordStage

pytestmark = [pytest.mark.usefixtures("patient")]

GAME: dict[str, Any] = {"mode": "versus", "first": "host", "ribbon_choice": "random"}


@pytest.fixture
async def place(stage: DiscordStage) -> Any:
    place = await stage.open("Ann", "Bo", **GAME)
    await stage.finish_turn("Ann", place)
    return place


async def test_an_administrators_deed_is_a_line_below_the_board(stage: DiscordStage, place: Any) -> None:
    board = stage.post(place)

    await stage.admin.slash(place, "admin pause", reason="a holiday")

    line = stage.post(place)
    assert line.message.id != board.message.id
    assert line.files == []
    assert "###" not in line.text
    assert "An admin paused the table." in line.text
    assert "a holiday" in line.text
    assert "Bo" not in line.text, "nobody is called to move during a pause"
    assert "Take turn" in line.buttons
    assert stage.posts(place)[-2].files == board.files
    assert stage.posts(place)[-2].buttons == {}

    await stage.admin.slash(place, "admin resume")

    resumed = stage.post(place)
    assert resumed.message.id != line.message.id, "it mentions somebody"
    assert [one.id for one in resumed.message.mentions] == [stage["Bo"].id]
    assert resumed.files == []
    assert "Take turn" not in stage.posts(place)[-2].buttons


async def test_several_deeds_in_a_row_are_one_post(stage: DiscordStage, place: Any) -> None:
    before = len(stage.posts(place))

    await stage.admin.slash(place, "admin deadline", player=stage["Bo"], by="2 days")
    await stage.admin.slash(place, "admin deadline", player=stage["Bo"], by="3 days")
    await stage.admin.slash(place, "admin pause")

    posts = stage.posts(place)
    assert len(posts) == before + 1
    assert len(posts[-1].text.splitlines()) >= 3
    assert posts[-1].files == []


async def test_the_next_turn_shows_the_board_and_repeats_no_line(stage: DiscordStage, place: Any) -> None:
    await stage.admin.slash(place, "admin deadline", player=stage["Bo"], by="2 days")
    line = stage.post(place).text.splitlines()[0]

    await stage.finish_turn("Bo", place)

    assert stage.post(place).files == ["ribbon-table.png"]
    assert line not in stage.post(place).text


async def test_a_new_name_on_the_board_is_a_new_board(stage: DiscordStage, place: Any) -> None:
    asked = await stage.admin.slash(place, "admin replace", player=stage["Ann"], by=stage["Cy"])
    assert asked.ephemeral
    for name in ("Bo", "Cy"):
        await stage[name].click(stage.post(place).message, label="Agree")

    assert stage.post(place).files == ["ribbon-table.png"]


async def test_a_line_is_posted_once_and_loses_its_buttons_later_though_the_bot_restarted(
    stage: DiscordStage, place: Any
) -> None:
    await stage.admin.slash(place, "admin pause")
    line, store, table = stage.post(place), stage.bot.app.parlour.store, await stage.table()
    before = len(stage.posts(place))
    await stage.restart()
    await stage.refresh("board")
    assert len(stage.posts(place)) == before
    assert stage.post(place).files == []
    await store.ask(1, "board", 0, table.version, True, 0.0)
    await stage.restart()
    assert stage.post(place).message.id == line.message.id

    await stage.admin.slash(place, "admin resume")

    retired = next(post for post in stage.posts(place) if post.message.id == line.message.id)
    assert not retired.buttons
    assert retired.text.strip() == line.text.splitlines()[0]


async def test_a_line_in_the_middle_of_a_turn_tells_and_shows_nothing_of_it(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", game="tesla")
    mover = (await stage.due())[0]
    await stage.finish_turn(mover, place)
    mover, board = (await stage.due())[0], stage.post(place)
    choices = await stage[mover].autocomplete(place, "tesla choose", "choice", "place")
    await stage[mover].slash(place, "tesla choose", choice=choices[0]["value"])

    await stage.admin.slash(place, "admin deadline", player=stage[mover], by="2 days")

    line = stage.post(place)
    assert line.files == []
    assert "places" not in line.text
    assert stage.posts(place)[-2].message.id == board.message.id

    await stage.finish_turn(mover, place)

    assert re.search(rf"{mover}( \(.*\))? places", stage.post(place).text.replace("*", ""))
    assert "2 days" not in stage.post(place).text.splitlines()[1]


async def test_a_seat_given_up_in_somebody_elses_turn_is_told_once(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", "Cy", game="tesla")
    await stage.finish_turn((await stage.due())[0], place)
    mover = (await stage.due())[0]
    other = next(name for name in ("Ann", "Bo", "Cy") if name != mover)
    choices = await stage[mover].autocomplete(place, "tesla choose", "choice", "place")
    await stage[mover].slash(place, "tesla choose", choice=choices[0]["value"])
    asked = await stage.admin.slash(place, "admin kick", player=stage[other])
    await stage.admin.click(asked.response, label="Yes, do it")
    told = len(stage.posts(place))

    await stage.finish_turn(mover, place)

    assert f"An admin removed {other}" not in "".join(post.text for post in stage.posts(place)[told:])


async def test_a_turn_that_a_computer_finished_says_who_did_what(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", "Cy", game="tesla")
    await stage.finish_turn((await stage.due())[0], place)
    mover = (await stage.due())[0]
    choices = await stage[mover].autocomplete(place, "tesla choose", "choice", "place")
    await stage[mover].slash(place, "tesla choose", choice=choices[0]["value"])

    asked = await stage.admin.slash(place, "admin kick", player=stage[mover])
    await stage.admin.click(asked.response, label="Yes, do it")

    _, own, taken, finished, *_ = stage.post(place).text.splitlines()
    assert own.startswith((f"{mover} replaces", f"{mover} places"))
    assert taken.startswith(f"An admin removed {mover}")
    assert finished.removeprefix("**").startswith((f"{mover} (computer) ", f"{mover} (computer): "))


TAKEN = "Ann takes this back:"


async def open_told_turn(stage: DiscordStage, slug: str) -> Any:
    """Return the thread of Ann's lesson, after a post about her turn."""
    await stage["Ann"].slash(stage.channel, f"{slug} learn")
    place, rng = stage.channel.threads[-1], Random(1)
    while not any("Ann" in one.text and "Your lesson begins" not in one.text for one in stage.posts(place)):
        if "Ann" in await stage.due():
            await stage.act("Ann", place, rng)
        await stage.wait(5)
    return place


@pytest.mark.any_game
@pytest.mark.parametrize("slug", SLUGS)
async def test_a_post_says_what_was_taken_back_and_the_next_tells_only_what_was_done_instead(
    stage: DiscordStage, slug: str
) -> None:
    place = await open_told_turn(stage, slug)

    await stage["Ann"].slash(place, "table undo")
    await stage.wait(5)
    said = stage.post(place).text
    await stage.next_post(place, seed=2)
    later = stage.post(place).text

    assert TAKEN in said
    assert "↳ Undone: " in said
    assert TAKEN not in later
    assert "Undone" not in later


async def test_a_turn_of_which_a_step_was_taken_back_is_told_anew_from_its_start(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "tangle learn")
    place = stage.channel.threads[-1]
    choices = ("earth on C6", "stop", "cast Windfall", "stop", "lakes 1")
    await type_placement(stage, "Ann", place, "B5", "CE", *choices)
    await stage.wait(5)
    told = stage.post(place).text.splitlines()[1]

    await stage["Ann"].slash(place, "table undo")
    await stage.wait(5)
    said = stage.post(place).text
    await stage["Ann"].slash(place, "tangle choose", choice="enchantments 1")
    await stage.wait(5)

    undone, *_ = [line for line in said.splitlines() if line.startswith("↳ Undone: ")]
    assert "tracker of lakes" in told
    assert "tracker of lakes" in undone
    assert "moves a" not in undone
    assert "Windfall" not in undone
    assert stage.post(place).text.splitlines()[1] == told.replace(
        "tracker of lakes", "tracker of enchantments"
    )


async def test_an_undo_and_a_rollback_between_posts_are_told_without_the_picture(stage: DiscordStage) -> None:
    place = await open_told_turn(stage, "tesla")
    old, posts = stage.post(place), len(stage.posts(place))

    async with stage.bot.app.parlour.outbox.hold([1]):
        await stage["Ann"].slash(place, "table undo")
        asked = (await stage.admin.slash(place, "admin rollback", table=1)).response
        await stage.admin.click(asked, label="Yes, do it")
    await stage.wait(5)

    assert old.alts
    assert TAKEN in stage.post(place).text
    assert "An admin undid some steps." in stage.post(place).text
    assert len(stage.posts(place)) == posts + 1
    assert not stage.posts(place)[-2].alts
