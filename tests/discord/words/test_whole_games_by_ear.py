"""Whole games of every kind are played by somebody who reads nothing but words and labels."""

from random import Random
from typing import Any

import pytest

from tests.discord.stage import DiscordStage
from tests.discord.words.listener import Listener

pytestmark = pytest.mark.slow
TURNS = 400
LONG = pytest.mark.thorough
GAMES = [
    pytest.param("ribbon", ("Ann",), {"mode": "solo"}),
    pytest.param("ribbon", ("Ann", "Bo"), {"mode": "versus", "ribbon_choice": "after_hand"}, marks=LONG),
    pytest.param("ribbon", ("Ann", "Bo", "Cy"), {"mode": "coop"}, marks=LONG),
    pytest.param("tangram", ("Ann",), {}, marks=LONG),
    pytest.param("tangram", ("Ann", "Bo"), {"sides": "choose"}, marks=LONG),
    pytest.param("tesla", ("Ann", "Bo"), {"win": 30}, marks=LONG),
    pytest.param("tanglewood", ("Ann", "Bo", "Cy"), {"length": "short"}, marks=LONG),
    pytest.param("tangle", ("Ann", "Bo"), {"round_limit": 30, "upkeep": "asked"}, marks=LONG),
]


@pytest.mark.parametrize(("slug", "people", "options"), GAMES)
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
