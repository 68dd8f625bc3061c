"""A turn of Ribbon Tangle by clicks, at random among what the panel offers, but never to lose."""

from collections.abc import Iterator
from random import Random
from typing import Any

from tests.discord.stage import AnyStage, ShownMessage, pick, read_message

RIBBONS = ("Green", "Orange", "Purple")

GAMES: list[tuple[tuple[str, ...], dict[str, Any]]] = [
    (("Ann", "Bo"), {"mode": "versus", "ribbon_choice": "blind"}),
    (("Ann", "Bo", "Cy"), {"mode": "versus", "ribbon_choice": "after_hand", "first": "host"}),
    (("Ann", "Bo", "Cy"), {"mode": "coop", "first": "host"}),
    (("Ann",), {"mode": "solo", "difficulty": "medium"}),
]
"""The people and the options of the whole games that are played by clicks."""


async def turn(stage: AnyStage, name: str, place: Any, rng: Random) -> None:
    result, panel = await stage.panel(name, place)
    for _ in range(8):
        if "flip" in panel.menus:
            await pick(
                stage[name], result.response, "flip", rng.choice(sorted(panel.values("flip"), key=int))
            )
        elif "End turn" in panel.buttons or "End turn and win" in panel.buttons:
            await _arrange(stage, name, result, rng)
            return
        elif "Yes, a tie" in panel.buttons:
            await stage[name].click(result.response, label=rng.choice(["Yes, a tie", "No, play on"]))
            return
        elif choices := [label for label in panel.buttons if label in RIBBONS or label.startswith("Hand ")]:
            await stage[name].click(result.response, label=rng.choice(choices))
            return
        else:
            return
        panel = read_message(result.response)
        if "Take turn" in panel.buttons:
            return


async def _arrange(stage: AnyStage, name: str, result: Any, rng: Random) -> None:
    safe = list(_drafts(read_message(result.response), rng))
    for swap in [None, *safe]:
        panel = read_message(result.response)
        if "Clear" in panel.buttons:
            await stage[name].click(result.response, label="Clear")
        if swap is not None:
            await pick(stage[name], result.response, "swap", swap)
        panel = read_message(result.response)
        if "would lose" not in panel.text and "Clear " not in panel.text.split("\n")[0]:
            break
    panel = read_message(result.response)
    label = "End turn and win" if "End turn and win" in panel.buttons else "End turn"
    await stage[name].click(result.response, label=label)
    if "End my turn anyway" in read_message(result.response).buttons:
        await stage[name].click(result.response, label="End my turn anyway")


def _drafts(panel: ShownMessage, rng: Random) -> Iterator[str]:
    if "swap" in panel.menus:
        values = panel.values("swap")
        rng.shuffle(values)
        yield from values[:4]
