"""`/privacy`: the data kept about a person, all of it as a file, and its erasure."""

from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.app import App, app_in, app_of, table_url
from cogs.discord.messages import nonce_of, send
from cogs.posts.board import erase_story
from cogs.servers import privacy_words as words
from cogs.ui.interaction import Interaction
from cogs.ui.page import DANGER, PRIMARY, Button, Document, Page
from cogs.ui.places import anywhere
from cogs.ui.press import Press, on_press
from cogs.ui.reply import reply

EXPORT = Button("Send me everything", Press("privacy", "export"), PRIMARY)
ERASE = Button("Erase me", Press("privacy", "ask"), DANGER)


async def _overview_page(app: App, user_id: int) -> Page:
    kept = await app.parlour.data_export.count_data(user_id)
    if kept.nothing:
        return Page([words.NOTHING])
    return Page([words.TITLE, words.data_lines(kept), words.OTHERS, words.RIGHTS, [EXPORT, ERASE]])


async def _send_export(app: App, user: discord.abc.User) -> Page:
    """Send a person's data by DM; if that fails, in the answer."""
    file = await app.parlour.data_export.file(user.id)
    if file is None:
        return Page([words.NOTHING])
    document = Document(file.name, file.data)
    page = Page([words.ABOVE, document])
    try:
        dm = await app.bot.create_dm(discord.Object(user.id))
        await send(dm, page, nonce_of("data", user.id, app.parlour.clock()))
    except discord.Forbidden:
        return Page([words.HERE, document])
    return Page([words.SENT])


async def _erasure_question(app: App, user_id: int) -> Page:
    tables = await app.parlour.tables_of(user_id)
    seated = words.open_tables_line([f"[table {table.id}]({table_url(table)})" for table in tables])
    sure = Button("Yes, erase me", Press("privacy", "erase"), DANGER)
    return Page([words.ASK.format(tables=seated), [sure, Button("No", Press("privacy", "no"), PRIMARY)]])


async def _erase(app: App, user_id: int) -> Page:
    await app.parlour.eraser.erase(user_id)
    return Page([words.ERASED])


class Privacy(commands.Cog):
    """The `/privacy` command; it works in servers and in DMs."""

    @anywhere
    @app_commands.command(name="privacy", description="See, export or erase your data")
    @app_commands.describe(what="See your data (the default), get it as a file, or erase it")
    async def privacy(
        self, interaction: Interaction, what: Literal["show", "export", "erase"] = "show"
    ) -> None:
        app, user = app_of(interaction), interaction.user
        match what:
            case "show":
                await reply(interaction, await _overview_page(app, user.id))
            case "export":
                await reply(interaction, await _send_export(app, user))
            case "erase":
                await reply(interaction, await _erasure_question(app, user.id))


@on_press("privacy", "export")
async def on_export(interaction: Interaction, press: Press) -> None:
    await reply(interaction, await _send_export(app_of(interaction), interaction.user))


@on_press("privacy", "ask")
async def on_ask(interaction: Interaction, press: Press) -> None:
    await reply(interaction, await _erasure_question(app_of(interaction), interaction.user.id), edit=True)


@on_press("privacy", "erase")
async def on_erase(interaction: Interaction, press: Press) -> None:
    await reply(interaction, await _erase(app_of(interaction), interaction.user.id), edit=True)


@on_press("privacy", "no")
async def on_no(interaction: Interaction, press: Press) -> None:
    await reply(interaction, Page([words.UNCHANGED]), edit=True)


async def setup(bot: commands.Bot) -> None:
    """Add the cog; have an erasure clean our posts' memos."""
    app_in(bot).parlour.eraser.untold = erase_story
    await bot.add_cog(Privacy())
