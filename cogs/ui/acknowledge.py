"""Acknowledges interactions whose answer takes longer than a moment."""

import asyncio

import discord

from cogs.ui.interaction import Interaction
from cogs.ui.work import note_answer, work_of

ACKNOWLEDGE_AFTER = 0.8
"""Seconds after which an unanswered interaction is acknowledged; Discord gives up after 3."""
TIMER, ACKNOWLEDGEMENT, IN_PLACE = "timer", "acknowledgement", "in place"


def schedule_defer(interaction: Interaction) -> None:
    """Acknowledge the interaction in a moment, unless it is answered first.

    Called as it arrives. Whoever answers by other means than `reply` and `say` calls `claim_response` first.
    """

    def late() -> None:
        interaction.extras[ACKNOWLEDGEMENT] = asyncio.create_task(_acknowledge(interaction))

    interaction.extras[TIMER] = asyncio.get_running_loop().call_later(ACKNOWLEDGE_AFTER, late)


async def _acknowledge(interaction: Interaction) -> None:
    note_answer(interaction)
    try:
        if in_panel(interaction) or interaction.extras.get(IN_PLACE):
            await interaction.response.defer()
        else:
            await interaction.response.defer(ephemeral=True, thinking=True)
    except (discord.HTTPException, discord.InteractionResponded) as error:
        work_of(interaction).answer_failed(interaction, error)


def keep_message(interaction: Interaction) -> None:
    """Note an edit in place: the acknowledgement shows no new message."""
    interaction.extras[IN_PLACE] = True


async def claim_response(interaction: Interaction) -> bool:
    """Return True if unanswered; cancel the acknowledgement."""
    timer = interaction.extras.pop(TIMER, None)
    if timer is not None:
        timer.cancel()
    acknowledgement = interaction.extras.get(ACKNOWLEDGEMENT)
    if acknowledgement is not None:
        await acknowledgement
    note_answer(interaction)
    return not interaction.response.is_done()


def in_panel(interaction: Interaction) -> bool:
    """Return True if the press came from a private message."""
    return interaction.message is not None and interaction.message.flags.ephemeral
