"""An answer in Tangram City by clicks: where the panel proposes, or elsewhere, now and then aside."""

import re
from random import Random
from typing import Any

from tests.discord import players
from tests.discord.stage import AnyStage, read_message

PLACES = ("Place", "Place, show all")
EVERY = re.compile(r"Place (all \d|\d, set \d aside)$")
"""The label of the button that answers for all tiles."""
DETOUR = 0.25
"""The probability of a longer way to an answer."""

GAMES: list[tuple[tuple[str, ...], dict[str, Any]]] = [(("Ann", "Bo"), {"sides": "choose"})]
"""The people and the options of the whole games that are played by clicks."""


async def turn(stage: AnyStage, name: str, place: Any, rng: Random) -> None:
    """Answer every question; in the last round all three, and confirm."""
    result, panel = await stage.panel(name, place)
    if "Green" in panel.buttons:
        await stage[name].click(result.response, label=rng.choice(("Black", "Green")))
        return
    every = next((label for label in panel.buttons if EVERY.match(label)), None)
    if every is not None and rng.random() >= DETOUR:
        await stage[name].click(result.response, label=every)
    else:
        await answer(stage, name, result, rng)
    for _ in range(3):
        panel = read_message(result.response)
        if "Confirm" in panel.buttons:
            await stage[name].click(result.response, label="Confirm")
            return
        if not any("✓" in label for label in panel.buttons):
            return
        if "comes next" in panel.text:
            players.begin_next_turn()
        await answer(stage, name, result, rng)


async def answer(stage: AnyStage, name: str, result: Any, rng: Random) -> None:
    """Answer for the current tile. Use the panel's proposal, a small picture, or the list."""
    small = [label for label in read_message(result.response).buttons if re.fullmatch(r"Place at \d+", label)]
    if small and rng.random() < 0.4:
        await stage[name].click(result.response, label=rng.choice(small))
        return
    if rng.random() < DETOUR:
        panel = read_message(result.response)
        if "Next fit" in panel.buttons and not panel.buttons["Next fit"].get("disabled"):
            await stage[name].click(result.response, label="Next fit")
    panel = read_message(result.response)
    label = next((label for label in PLACES if label in panel.buttons), None)
    if label is not None and not panel.buttons[label].get("disabled"):
        await stage[name].click(result.response, label=label)
    elif "Set aside" in panel.buttons:
        await stage[name].click(result.response, label="Set aside")
        await stage[name].click(result.response, label="Yes, set it aside")
