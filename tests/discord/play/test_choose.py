"""The command `choose` of every game: who can use it, and what it takes."""

from __future__ import annotations

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
