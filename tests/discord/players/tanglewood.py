"""A turn of Tanglewood by clicks: place or draw, then whatever is asked, at random."""

from random import Random
from typing import Any

from tests.discord import players
from tests.discord.players import LEADS_AWAY, NOTES
from tests.discord.stage import AnyStage, ShownMessage, read_message

ASIDE = (*LEADS_AWAY, "Votes now")
BALLOTS = "Secret Ballots.**"
"""The end of the headline of a question about ballots."""
MOST = 12
DETOUR = 0.2
"""The probability of a longer way to a choice: its parts, one after the other."""

GAMES: list[tuple[tuple[str, ...], dict[str, Any]]] = [
    (("Ann", "Bo", "Cy", "Dee", "Eli"), {"length": "short", "first": "host"})
]
"""The people and the options of the whole games that are played by clicks."""


async def turn(stage: AnyStage, name: str, place: Any, rng: Random) -> None:
    """Answer until this player is done; ballots in the DM."""
    actor, message = stage[name], stage.post(place).message
    if "ballots to" in stage.post(place).text:
        actor = actor.user
        message = actor.dm_channel.history()[-1]
    result = await actor.click(message, label="Take turn")
    assert result.ephemeral or actor is not stage[name]
    asked = BALLOTS in read_message(result.response).text
    for _ in range(MOST):
        panel = read_message(result.response)
        if BALLOTS in panel.text and not asked:
            players.begin_next_turn()
        asked = BALLOTS in panel.text
        if not await press_on(actor, result.response, panel, rng):
            return


async def press_on(actor: Any, response: Any, panel: ShownMessage, rng: Random) -> bool:
    """Press something that leads on; return False if there is nothing."""
    for label in panel.buttons:
        is_sent = "Choose again" in panel.buttons and label.split()[0] in ("Place", "Draw")
        if label.startswith("Confirm") or (is_sent and rng.random() < 0.8):
            await actor.click(response, label=label)
            return True
    open_buttons = [
        label
        for label, button in panel.buttons.items()
        if not button.get("disabled") and label not in ASIDE and not label.startswith(NOTES)
    ]
    if panel.menus and ("drawn" not in panel.menus or not open_buttons or rng.random() < 0.3):
        is_whole = "whole" in panel.menus and rng.random() >= DETOUR
        menu = panel.menus["whole" if is_whole else [*panel.menus][-1]]
        values = [option["value"] for option in menu["options"]]
        picked = rng.sample(values, menu.get("max_values", 1))
        await actor.select(response, picked, custom_id=menu["custom_id"])
        return True
    if not open_buttons:
        return False
    await actor.click(response, label=rng.choice(open_buttons))
    return True
