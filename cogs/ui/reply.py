"""Private answers, in a message of their own or in place of the panel that was pressed."""

from collections.abc import Awaitable, Callable
from functools import partial

import discord

from cogs.ui.acknowledge import claim_response, in_panel
from cogs.ui.files import files_of
from cogs.ui.interaction import Interaction
from cogs.ui.listening import wants_text
from cogs.ui.page import Page

Change = Callable[[Page], Awaitable[None]]


async def reply(interaction: Interaction, page: Page, *, edit: bool = False) -> None:
    """Answer privately; with `edit`, in place of the pressed page.

    A public message is never edited for one person: then the answer is a new message.
    """
    page.is_spoken = page.is_spoken or wants_text(interaction)
    if not (edit and in_panel(interaction)):
        await reply_updatable(interaction, page)
    elif await claim_response(interaction):
        await page.send_with(
            lambda view, files: interaction.response.edit_message(
                view=view, attachments=files, allowed_mentions=page.mentions_to_allow()
            )
        )
    else:
        await _change(interaction, page)


async def reply_updatable(interaction: Interaction, page: Page) -> Change:
    """Answer with a private page; return a function that replaces it. That works for 15 minutes."""
    page.is_spoken = page.is_spoken or wants_text(interaction)
    allowed = page.mentions_to_allow()
    if await claim_response(interaction):
        await page.send_with(
            lambda view, files: interaction.response.send_message(
                view=view, files=files, ephemeral=True, allowed_mentions=allowed
            )
        )
    elif interaction.response.type is discord.InteractionResponseType.deferred_channel_message:
        await _change(interaction, page)
    else:
        sent = await page.send_with(
            lambda view, files: interaction.followup.send(
                view=view, files=files, ephemeral=True, allowed_mentions=allowed, wait=True
            )
        )
        return partial(_change, sent)
    return partial(_change, interaction)


async def _change(answer: Interaction | discord.WebhookMessage, page: Page) -> None:
    edit = answer.edit if isinstance(answer, discord.WebhookMessage) else answer.edit_original_response
    await page.send_with(
        lambda view, files: edit(view=view, attachments=files, allowed_mentions=page.mentions_to_allow())
    )


async def redraw(interaction: Interaction, page: Page) -> None:
    """Replace the public message that was pressed by a page.

    The press must be registered as `in_place`. Pictures of the same name stay as they are.
    """
    if await claim_response(interaction):
        change: Callable[..., Awaitable[object]] = interaction.response.edit_message
    else:
        change = interaction.edit_original_response
    await page.send_with(
        lambda view, files: change(view=view, attachments=files, allowed_mentions=page.mentions_to_allow()),
        files_of(interaction.message),
    )
