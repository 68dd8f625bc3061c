"""A turn of Nim by clicks."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.discord.stage import Stage, seen

GAMES: list[tuple[tuple[str, ...], dict[str, Any]]] = [
    (("Ann", "Bo"), {}),
    (("Ann", "Bo", "Cy"), {"last": "loses"}),
    (("Ann",), {"computers": 3}),
]
"""Who sits down, and the options, of the whole games that are played by clicks."""


async def turn(stage: Stage, name: str, place: Any, rng: Random) -> None:
    """Take from any heap."""
    result, panel = await stage.panel(name, place)
    menu = rng.choice([c for c in panel.components if c.get("custom_id", "").startswith("tp:nim:take")])
    value = rng.choice(menu["options"])["value"]
    await stage[name].select(result.response, [value], custom_id=menu["custom_id"])
    assert seen(result.response).text
