"""The command `choose` of every game: who can use it, and what it takes."""

from __future__ import annotations

from typing import Any

import pytest

from engines.game import Game
from engines.registry import SLUGS, game
from tests.discord.stage import DiscordStage

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("slug", SLUGS)
async def test_only_a_choice_of_the_player_to_move_counts(stage: DiscordStage, slug: str) -> None:
    players = ("Ann", "Bo", "Cy")[: max(2, min(game(slug).seats))]
    place = await stage.open(*players, game=slug)
    command, due = f"{slug} choose", await stage.due()
    listed = {
        name: [one["value"] for one in await stage[name].autocomplete(place, command, "choice", "")]
        for name in (*players, "Dee")
    }
    common = listed[due[0]][-1][:2]

    for choice in (" ", "no such move"):
        await stage.refuses(due[0], place, [(command, {"choice": choice}, "That isn't one of the choices")])
    await stage.refuses(due[0], place, [(command, {"choice": common}, "choices fit that. Pick one")])
    # Where turns are planned, a choice of somebody who waits goes into their plan.
    planning = set(players) - set(due) if type(game(slug)).ahead is not Game.ahead else set[str]()
    for name in listed.keys() - due - planning:
        text = "You don't play at this table" if name == "Dee" else f"It's **{due[0]}**'s turn"
        await stage.refuses(name, place, [(command, {"choice": listed[due[0]][0]}, text)])

    assert all(
        1 < len(listed[name]) <= 25 if name in due else not listed[name] for name in listed.keys() - planning
    )
    version = (await stage.table()).version
    for name in planning:
        answer = await stage[name].slash(place, command, choice=listed[name][0])
        assert answer.ephemeral
        assert ((await stage.table()).version, await stage.due()) == (version, due)
    await stage[due[0]].slash(place, command, choice=listed[due[0]][-1].upper())
    assert (await stage.table()).version > version


async def open_waiting(stage: DiscordStage) -> tuple[Any, str, str]:
    """Open a table; return its place, mover and waiter."""
    place = await stage.open("Ann", "Bo", game="tesla")
    (mover,) = await stage.due()
    return place, mover, "Bo" if mover == "Ann" else "Ann"


async def test_a_choice_out_of_turn_that_fits_nothing_says_whose_turn_it_is(stage: DiscordStage) -> None:
    place, mover, other = await open_waiting(stage)

    text = f"It's **{mover}**'s turn. You can plan yours. That isn't one of the choices."
    await stage.refuses(other, place, [("tesla choose", {"choice": "no such move"}, text)])


async def test_a_choice_after_a_whole_plan_says_whose_turn_it_is(stage: DiscordStage) -> None:
    place, mover, other = await open_waiting(stage)
    asked = await stage[other].slash(place, "tesla choose", choice="end the turn")
    await stage[other].click(asked.response, label="End my turn")

    assert await stage[other].autocomplete(place, "tesla choose", "choice", "") == []
    planned = f"It's **{mover}**'s turn. Yours is planned: **Take turn** shows your plan."
    for command, options in (("tesla choose", {"choice": "end your turn"}), ("tesla done", {})):
        await stage.refuses(other, place, [(command, options, planned)])
