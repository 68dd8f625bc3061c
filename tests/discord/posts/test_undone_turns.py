"""Posts whose story was taken back: the next post or the edited one says so, and tells the turn anew."""

from random import Random
from typing import Any

import pytest

from engines.registry import SLUGS
from tests.discord.games.test_tangle import type_placement
from tests.discord.stage import DiscordStage

pytestmark = [pytest.mark.usefixtures("patient"), pytest.mark.slow]
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


async def test_an_undo_and_a_rollback_between_two_posts_are_both_told_and_the_undone_picture_goes(
    stage: DiscordStage,
) -> None:
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
