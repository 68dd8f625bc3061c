"""A turn of Tesla's Tangle by clicks: some tiles where the panel proposes, then a marker, then the end."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.discord.stage import Stage, pick, seen

MARKERS = ("Confirm", "Yes, ")
AWAY = "Leave the rest in the supply"

GAMES: list[tuple[tuple[str, ...], dict[str, Any]]] = [
    (("Ann", "Bo"), {"win": 30, "tiles": "square"}),
]
"""Who sits down, and the options, of the whole games that are played by clicks."""


async def turn(stage: Stage, name: str, place: Any, rng: Random) -> None:
    """Take a whole turn."""
    result, _ = await stage.panel(name, place)
    for _ in range(rng.randint(1, 3)):
        await lay(stage, name, result, rng)
    panel = seen(result.response)
    if "Marker" in panel.buttons:
        await stage[name].click(result.response, label="Marker")
        await mark(stage, name, result)
    if "End turn" in seen(result.response).buttons:
        await stage[name].click(result.response, label="End turn")
        if "End my turn" in seen(result.response).buttons:
            await stage[name].click(result.response, label="End my turn")


async def lay(stage: Stage, name: str, result: Any, rng: Random) -> None:
    """Lay a tile where the panel proposes, and leave a replay alone."""
    tiles = [label for label in seen(result.response).buttons if label.startswith("Tile ")]
    if not tiles:
        return
    await stage[name].click(result.response, label=rng.choice(tiles))
    label = "Place" if "Place" in seen(result.response).buttons else "Back"
    await stage[name].click(result.response, label=label)
    if AWAY in seen(result.response).buttons:
        await stage[name].click(result.response, label=AWAY)


async def mark(stage: Stage, name: str, result: Any) -> None:
    """Take the marker that brings most, if that is enough, else put one on a short circuit."""
    panel = seen(result.response)
    lines = panel.menus["circuit"]["options"] if "circuit" in panel.menus else []
    taking = [line for line in lines if line["label"].startswith("Take") and points(line) >= 5]
    putting = [line for line in lines if line["label"].startswith("Put")]
    chosen = max(taking or putting, key=points, default=None)
    if chosen is None:
        await stage[name].click(result.response, label="Back")
        return
    await pick(stage[name], result.response, "circuit", chosen["value"])
    confirm = next(label for label in seen(result.response).buttons if label.startswith(MARKERS))
    await stage[name].click(result.response, label=confirm)


def points(line: dict[str, Any]) -> int:
    """What a line of the marker menu brings; less than nothing where it costs."""
    sign, number = line["label"].rsplit(": ", 1)[1][0], line["label"].rsplit(": ", 1)[1][1:]
    return int(number) if sign == "+" else -int(number)
