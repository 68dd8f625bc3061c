from random import Random
from typing import Any

from tests.discord.stage import DiscordStage, read_message

GAMES: list[tuple[tuple[str, ...], dict[str, Any]]] = [
    (("Ann", "Bo"), {}),
    (("Ann", "Bo", "Cy"), {"last": "loses"}),
    (("Ann",), {"computers": 3}),
]
"""The people and the options of the whole games that are played by clicks."""


async def turn(stage: DiscordStage, name: str, place: Any, rng: Random) -> None:
    result, panel = await stage.panel(name, place)
    menu = rng.choice([c for c in panel.components if c.get("custom_id", "").startswith("tp:nim:take")])
    value = rng.choice(menu["options"])["value"]
    await stage[name].select(result.response, [value], custom_id=menu["custom_id"])
    assert read_message(result.response).text
