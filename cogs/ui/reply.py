"""Private answers: at once where the page is quick, with a sign of life where a picture takes longer."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import discord

from cogs.ui.page import Page

PATIENCE = 1.0


async def reply(
    interaction: discord.Interaction[Any], building: Coroutine[Any, Any, Page], *, edit: bool = False
) -> None:
    """Answer with a page that only this person sees; with `edit`, in place of the one that was pressed.

    A page that is not ready after a second is announced first, so that Discord never gives up on us.
    What everybody sees is never edited for one person: then the answer is a message of its own.
    """
    edit = edit and interaction.message is not None and interaction.message.flags.ephemeral
    task = asyncio.ensure_future(building)
    done, _ = await asyncio.wait({task}, timeout=PATIENCE)
    response = interaction.response
    if not done and not response.is_done():
        await (response.defer() if edit else response.defer(ephemeral=True, thinking=True))
    page = await task
    if response.is_done():
        await interaction.edit_original_response(
            view=page.view(), attachments=page.files(), allowed_mentions=page.allowed()
        )
    elif edit:
        await response.edit_message(
            view=page.view(), attachments=page.files(), allowed_mentions=page.allowed()
        )
    else:
        await response.send_message(
            view=page.view(), files=page.files(), ephemeral=True, allowed_mentions=page.allowed()
        )
