"""A turn of Tesla's Tangle by clicks: tiles where the panel proposes, a marker and the end, often at once."""

import re
from random import Random
from typing import Any

from tests.discord.stage import AnyStage, pick, read_message

MARKERS = ("Confirm", "Yes, ")
USUAL = (", end turn", " and win")
OTHER = 0.2
"""The probability of another tile than the proposed one."""
DETOUR = 0.2
"""The probability of a longer way to the same end."""
AWAY = "No more markers"

GAMES: list[tuple[tuple[str, ...], dict[str, Any]]] = [(("Ann", "Bo"), {"win": 30, "tiles": "square"})]
"""The people and the options of the whole games that are played by clicks."""


async def turn(stage: AnyStage, name: str, place: Any, rng: Random) -> None:
    result, _ = await stage.panel(name, place)
    for left in reversed(range(rng.randint(1, 3))):
        if await lay(stage, name, result, rng, is_last=left == 0 and rng.random() >= DETOUR):
            return
    panel = read_message(result.response)
    usual = next((label for label in panel.buttons if label.endswith(USUAL)), None)
    if usual is not None and rng.random() >= DETOUR:
        await stage[name].click(result.response, label=usual)
        return
    if "Marker" in panel.buttons:
        await stage[name].click(result.response, label="Marker")
        await mark(stage, name, result, rng)
    if "End turn" in read_message(result.response).buttons:
        await stage[name].click(result.response, label="End turn")
        if "End my turn" in read_message(result.response).buttons:
            await stage[name].click(result.response, label="End my turn")


async def lay(stage: AnyStage, name: str, result: Any, rng: Random, *, is_last: bool = False) -> bool:
    """Lay a tile where the panel proposes, sometimes another; ignore a replay.

    Return True if the turn ends with it: the last one, if the panel offers both.
    """
    others = [label for label in read_message(result.response).buttons if re.match(r"Tile \d", label)]
    if others and rng.random() < OTHER:
        await stage[name].click(result.response, label=rng.choice(others))
    buttons = read_message(result.response).buttons
    if "Place" not in buttons:
        return False
    ending = next((label for label in buttons if is_last and label.startswith("Place, ")), None)
    await stage[name].click(result.response, label=ending or "Place")
    if ending is None and AWAY in read_message(result.response).buttons:
        await stage[name].click(result.response, label=AWAY)
    return ending is not None


async def mark(stage: AnyStage, name: str, result: Any, rng: Random) -> None:
    """Take the best marker if it pays, else mark a short circuit."""
    panel = read_message(result.response)
    lines = panel.menus["circuit"]["options"] if "circuit" in panel.menus else []
    taking = [line for line in lines if line["label"].startswith("Take") and points(line) >= 5]
    putting = [line for line in lines if line["label"].startswith("Put")]
    chosen = max(taking or putting, key=points, default=None)
    if chosen is None:
        await stage[name].click(result.response, label="Back")
        return
    if not chosen.get("default"):
        await pick(stage[name], result.response, "circuit", chosen["value"])
    labels = [label for label in read_message(result.response).buttons if label.startswith(MARKERS)]
    confirm = labels[0] if rng.random() < DETOUR else labels[-1]
    await stage[name].click(result.response, label=confirm)


def points(line: dict[str, Any]) -> int:
    """Return the gain of a marker menu's line; negative if it costs."""
    sign, number = line["label"].rsplit(": ", 1)[1][0], line["label"].rsplit(": ", 1)[1][1:]
    return int(number) if sign == "+" else -int(number)
