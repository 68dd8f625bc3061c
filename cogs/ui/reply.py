"""Private answers, in a message of their own or in place of the panel that was pressed."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

import discord

from cogs.ui.acknowledge import in_panel, unanswered
from cogs.ui.page import Page


async def reply(
    interaction: discord.Interaction[Any], building: Coroutine[Any, Any, Page], *, edit: bool = False
) -> None:
    """Answer with a page that only this person sees; with `edit`, in place of the one that was pressed.

    What everybody sees is never edited for one person: then the answer is a message of its own.
    """
    page = await building
    edit = edit and in_panel(interaction)
    response = interaction.response
    allowed = page.allowed()
    if await unanswered(interaction):
        if edit:
            await response.edit_message(view=page.view(), attachments=page.files(), allowed_mentions=allowed)
        else:
            await response.send_message(
                view=page.view(), files=page.files(), ephemeral=True, allowed_mentions=allowed
            )
    elif edit or response.type is discord.InteractionResponseType.deferred_channel_message:
        await interaction.edit_original_response(
            view=page.view(), attachments=page.files(), allowed_mentions=allowed
        )
    else:
        await interaction.followup.send(
            view=page.view(), files=page.files(), ephemeral=True, allowed_mentions=allowed
        )
