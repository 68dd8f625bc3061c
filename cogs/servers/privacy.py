"""`/privacy`: the data kept about a person, all of it as a file, and its erasure."""

from collections.abc import Sequence
from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.app import App, app_of, table_url
from cogs.discord.messages import nonce_of, send
from cogs.ui.form import reply
from cogs.ui.page import DANGER, PRIMARY, Button, Document, Page
from cogs.ui.press import Press, on_press
from cogs.ui.text import Interaction, anywhere

MOST_LINKS = 10
"""Tables that are named at most."""

TITLE = "### What I keep about you"
NOTHING = (
    "I keep nothing about you: you've never joined a table or changed a setting. I don't "
    "even see what you write in Discord.\n-# I don't say whether anyone has blocked you. "
    "`/privacy what:erase` also deletes any blocks against you."
)
SETTINGS = "- your settings (`/me`)"
SHOWN = {
    "notes": "your notes about tables",
    "studies": "sandboxes and turns you try again (for a day)",
    "puzzle_tries": "puzzles you tried",
    "puzzle_hints": "hints you took at puzzles",
    "puzzle_ratings": "your ratings in puzzles",
    "daily_plays": "deals of the day you played",
    "daily_points": "days with points in the deal of the day",
    "daily_repeats": "days you played past deals (until the day ends)",
    "daily_servers": "servers where I checked if you're a member, for the deal of the day",
    "daily_notices": "notices about the deal of the day",
    "lessons": "first-time notes you've seen",
    "results": "results of finished games",
    "ratings": "ratings",
    "cups": "your cups",
    "blocked": "people you have blocked",
    "following": "tables you follow",
    "invitations": "invitations to tables",
    "invited": "people you have invited",
    "unwanted": "people whose invitations you don't want",
    "looking_for": "games you're looking for",
    "administration": "what you did as an admin",
}
OTHERS = (
    "-# For each table: your id, your name there, your moves and their times, a turn you plan, and your "
    "standing answers. From your results and the times of your moves I work out how often you "
    "finish, how fast you answer and at what hours you play. I never see what people write or who's online."
)
RIGHTS = (
    "**Send me everything** sends you a file by DM. **Erase me** asks first. Anything "
    "else? Ask the people who run this bot."
)
SENT = "I've sent you everything by DM."
HERE = "I can't DM you, so here it is. Only you see this."
ABOVE = "Everything I keep about you."
ASK = (
    "### Erase you?{tables}\n"
    "- Your lobby seats become free. In games with others, a computer plays on for you. "
    "I close the games in which you're the only person. You drop out of cups.\n"
    "- All tables call you “a former player”. I delete your id, names, notes, "
    "settings, ratings and blocks. Your moves stay, because the games belong to others too.\n"
    "- Messages in Discord stay until someone deletes them. At open tables, I post a new board without your "
    "name.\n\n"
    "**You can't undo that.** You can play again any time, as someone new."
)
ERASED = (
    "Done. Nothing here is linked to you any more. I can't delete old messages in "
    "Discord: ask the server's admins."
)
UNCHANGED = "Nothing changed."


def open_tables_line(links: Sequence[str]) -> str:
    r"""Return somebody's open tables in a line; empty for none.

    >>> open_tables_line(["table 4"]), open_tables_line([])
    ("\nYou're at table 4.", '')
    """
    shown = list(links[:MOST_LINKS])
    if len(links) > MOST_LINKS:
        shown.append(f"{len(links) - MOST_LINKS} more")
    return f"\nYou're at {', '.join(shown[:-1])}{' and ' if shown[1:] else ''}{shown[-1]}." if shown else ""


EXPORT = Button("Send me everything", Press("privacy", "export"), PRIMARY)
ERASE = Button("Erase me", Press("privacy", "ask"), DANGER)


async def _overview_page(app: App, user_id: int) -> Page:
    kept = await app.parlour.data_export.count_data(user_id)
    if kept.nothing:
        return Page([NOTHING])
    lines = []
    if kept.tables:
        going = f" ({kept.open} still open)" if kept.open else ""
        lines.append(f"- your tables, past and present: **{kept.tables}**{going}")
    if "settings" in kept.rows:
        lines.append(SETTINGS)
    lines += [f"- {told}: **{kept.rows[name]}**" for name, told in SHOWN.items() if name in kept.rows]
    return Page([TITLE, "\n".join(lines), OTHERS, RIGHTS, [EXPORT, ERASE]])


async def _send_export(app: App, user: discord.abc.User) -> Page:
    """Send a person's data by DM; if that fails, in the answer."""
    file = await app.parlour.data_export.file(user.id)
    if file is None:
        return Page([NOTHING])
    document = Document(file.name, file.data)
    page = Page([ABOVE, document])
    try:
        dm = await app.bot.create_dm(discord.Object(user.id))
        await send(dm, page, nonce_of("data", user.id, app.parlour.clock()))
    except discord.Forbidden:
        return Page([HERE, document])
    return Page([SENT])


async def _erasure_question(app: App, user_id: int) -> Page:
    tables = await app.parlour.tables_of(user_id)
    seated = open_tables_line([f"[table {table.id}]({table_url(table)})" for table in tables])
    sure = Button("Yes, erase me", Press("privacy", "erase"), DANGER)
    return Page([ASK.format(tables=seated), [sure, Button("No", Press("privacy", "no"), PRIMARY)]])


class Privacy(commands.Cog):
    """The `/privacy` command; it works in servers and in DMs."""

    @anywhere
    @app_commands.command(description="See, export or erase your data")
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
    await app_of(interaction).parlour.eraser.erase(interaction.user.id)
    await reply(interaction, Page([ERASED]), edit=True)


@on_press("privacy", "no")
async def on_no(interaction: Interaction, press: Press) -> None:
    await reply(interaction, Page([UNCHANGED]), edit=True)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Privacy())
