"""A turn of Tangle by clicks: a root somewhere, then whatever is asked, several areas by one menu."""

from random import Random
from typing import Any

from tests.discord.players import LEADS_AWAY, NOTES
from tests.discord.stage import MENU, AnyStage, ShownMessage, read_message

SENDS = ("Place it", "Confirm")
CLOSES = (
    *("Lay no", "Plant no", "Put no", "Grow no", "Swap no", "Offer no", "Cast no", "Do no"),
    *("Keep your mana", "Take over no", "Take nothing", "Leave ", "End the turn", "Go on"),
)
"""The first words of buttons that send what is chosen, or choose nothing."""
DETOUR = 0.6
"""The probability that somebody who could have chosen several at once goes on choosing."""
OTHER_ROOT = 0.4
"""The probability of choosing among the roots; of five, that chooses another one in half of the turns."""
CLOSING = 0.4
"""The probability of choosing nothing."""
MOST = 40

GAMES: list[tuple[tuple[str, ...], dict[str, Any]]] = [
    (("Ann",), {"computers": 2, "centre": "random", "round_limit": 30})
]
"""The people and the options of the whole games that are played by clicks."""


async def turn(stage: AnyStage, name: str, place: Any, rng: Random) -> None:
    result, _ = await stage.panel(name, place)
    for _ in range(MOST):
        if not await press_on(stage[name], result.response, read_message(result.response), rng):
            return


def closing(panel: ShownMessage, closes: str) -> float:
    """Return the probability of closing a question."""
    several = any(one.get("max_values", 1) > 1 for one in panel.components if one.get("type") == MENU)
    return 1 - DETOUR if several and "no more" in closes else CLOSING


async def press_on(actor: Any, response: Any, panel: ShownMessage, rng: Random) -> bool:
    """Press something that leads on; return False if there is nothing."""
    ready = [label for label, button in panel.buttons.items() if not button.get("disabled")]
    sends = next((label for label in ready if label.startswith(SENDS)), None)
    closes = next((label for label in ready if label.startswith(CLOSES)), None)
    keeps = next((label for label in ready if label.startswith(("Keep all", "Keep it"))), None)
    if sends or keeps or (closes and rng.random() < closing(panel, closes)):
        await actor.click(response, label=sends or keeps or closes)
        return True
    aside = ("Drop", "Take turn", "From ", NOTES, *CLOSES)
    answers = [label for label in ready if label not in LEADS_AWAY and not label.startswith(aside)]
    roots = [label for label in ready if label.startswith("From ")]
    if roots and rng.random() < OTHER_ROOT:
        await actor.click(response, label=rng.choice(roots))
        return True
    # The menus of spaces and of trees at home have the same verb.
    menus = [one for one in panel.components if one.get("type") == MENU]
    if menus:
        menu = rng.choice(menus)
        offered = [option["value"] for option in menu["options"][:8]]
        wanted = rng.randint(menu.get("min_values", 1), min(len(offered), menu.get("max_values", 1)))
        await actor.select(response, rng.sample(offered, wanted), custom_id=menu["custom_id"])
        return True
    if answers:
        await actor.click(response, label=rng.choice(answers))
        return True
    if closes or "Drop all" in ready:
        await actor.click(response, label=closes or "Drop all")
        return True
    return False
