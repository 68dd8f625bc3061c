"""Whole games by clicks and by ear: every mode, and every option that changes what can be pressed."""

from random import Random
from typing import Any

import pytest

from tests.discord.players import games_of
from tests.discord.stage import DiscordStage
from tests.discord.ui.listener import Listener
from tests.engines.cases import CASES

LONG = pytest.mark.thorough
"""Long games are played by clicks in thorough runs; in all others the short ones show how a game ends."""
GAMES = [
    pytest.param(people, {"game": case.slug, **options}, marks=LONG if case.weight > 1 else ())
    for case in CASES
    for people, options in games_of(case.slug)
]


@pytest.mark.parametrize(("people", "options"), GAMES, ids=str)
@pytest.mark.essential
async def test_a_whole_game_is_played_by_clicks(
    stage: DiscordStage, people: tuple[str, ...], options: dict[str, Any]
) -> None:
    place = await stage.open(*people, **options)

    await stage.finish(place)

    table = await stage.table()
    assert table.phase == "over"
    verified = await stage[people[0]].slash(place, "table verify")
    assert "It matches" in verified.response.content


@pytest.mark.essential
@pytest.mark.parametrize("boards", ["start", pytest.param("plain", marks=pytest.mark.thorough)])
async def test_the_first_steps_of_a_full_table_are_taken_by_clicks(stage: DiscordStage, boards: str) -> None:
    place = await stage.open("Ann", "Bo", "Cy", "Dee", "Eli", game="tangram", boards=boards)

    for _ in range(3):
        await stage.next_post(place)

    assert (await stage.view()).step == 4


@pytest.mark.parametrize("mode", ["versus", "coop"])
async def test_computers_take_their_turns_themselves_in_one_post(stage: DiscordStage, mode: str) -> None:
    place = await stage.open("Ann", mode=mode, computers=2, first="host", ribbon_choice="random")
    before = len(stage.posts(place))

    while "Rematch" not in stage.post(place).buttons:
        assert await stage.due() == ["Ann"]
        rng_posts = len(stage.posts(place))
        await stage.finish_turn("Ann", place)
        assert len(stage.posts(place)) == rng_posts + 1

    assert len(stage.posts(place)) > before


async def test_each_turn_pings_its_player_in_a_post_that_later_loses_notice_and_buttons(
    stage: DiscordStage,
) -> None:
    place = await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")
    assert [user.id for user in stage.post(place).message.mentions] == [stage["Ann"].id]
    await stage.finish_turn("Ann", place)
    assert [user.id for user in stage.post(place).message.mentions] == [stage["Bo"].id]

    await stage.finish(place)

    *older, newest = stage.posts(place)
    assert len(older) >= 3
    assert all(not post.buttons and "<@" not in post.text and post.files for post in older)
    assert newest.buttons


TURNS = 400
HEARD = [
    pytest.param("ribbon", ("Ann",), {"mode": "solo"}),
    pytest.param("ribbon", ("Ann", "Bo"), {"mode": "versus", "ribbon_choice": "after_hand"}, marks=LONG),
    pytest.param("ribbon", ("Ann", "Bo", "Cy"), {"mode": "coop"}, marks=LONG),
    pytest.param("tangram", ("Ann",), {}, marks=LONG),
    pytest.param("tangram", ("Ann", "Bo"), {"sides": "choose"}, marks=LONG),
    pytest.param("tesla", ("Ann", "Bo"), {"win": 30}, marks=LONG),
    pytest.param("tanglewood", ("Ann", "Bo", "Cy"), {"length": "short"}, marks=LONG),
    pytest.param("tangle", ("Ann", "Bo"), {"round_limit": 30, "upkeep": "asked"}, marks=LONG),
]


@pytest.mark.parametrize(("slug", "people", "options"), HEARD)
async def test_a_whole_game_is_played_by_ear(
    stage: DiscordStage, slug: str, people: tuple[str, ...], options: dict[str, Any]
) -> None:
    listeners = {}
    for name in people:
        await stage[name].slash(stage.channel, "me words")
        listeners[name] = Listener(stage, name, slug, Random(name))
    place = await stage.open(*people, game=slug, **options)

    for _ in range(TURNS):
        if "Rematch" in stage.post(place).buttons:
            break
        await listeners[(await stage.due())[0]].turn(place)

    assert (await stage.table()).phase == "over"
    assert all(listener.read for listener in listeners.values())
