"""Your own tables: `/mine`, the digest, and your block list."""

from collections.abc import Mapping, Sequence

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.app import app_of, name_of
from cogs.people import overview_words as words
from cogs.review.record import line
from cogs.ui.answering import say
from cogs.ui.form import reply
from cogs.ui.page import PLAIN, PRIMARY, Button, ButtonLine, Page, Part
from cogs.ui.press import Press, on_press
from cogs.ui.text import Interaction, anywhere
from engines.marks import quote
from engines.registry import game
from tables.clocks.pace import DAY
from tables.core.table import Refused, Table
from tables.lobby.invitations import MOST
from tables.people import Digest, Overview, RunningTable

LATELY = 7 * DAY
MOST_BUTTONS = 6
"""Tables with a button of their own."""
MOST_LINES = 12
"""Lines of a list at most."""


def overview_page(overview: Overview, user_id: int, lessons: Sequence[str] = ()) -> Page:
    """Return the waiting tables, with buttons, and all others.

    `lessons` are the games that they are learning alone.
    """
    if not any((overview.mine, overview.others, overview.lobbies, overview.ended)):
        return Page([words.NOTHING, *_lessons(lessons), [_again()]])
    page = Page([words.TITLE if overview.mine else f"{words.TITLE}\n{words.NOBODY_WAITS}"])
    notes = overview.notes
    others = [words.others(standing) + _note(notes, standing.table) for standing in overview.others]
    page.parts += _waiting(overview.mine, user_id, notes)
    page.parts += _list_parts(words.OTHERS, others)
    page.parts += _list_parts(
        words.LOBBIES, [words.lobby(t, user_id) + _note(notes, t) for t in overview.lobbies]
    )
    page.parts += _list_parts(
        words.ENDED, [words.end_line(table) + _note(notes, table) for table in overview.ended]
    )
    page.parts += _lessons(lessons)
    page.parts.append([_again()])
    return page


def digest_page(digest: Digest) -> Page:
    overview = digest.overview
    page = Page([words.digest_title(digest.gap)])
    page.parts += _waiting(overview.mine, digest.user_id, overview.notes)
    page.parts += _list_parts(words.ENDED_LATELY, [words.end_line(table) for table in overview.ended])
    page.parts.append([Button("My tables", digest_press(digest))])
    return page


def digest_press(digest: Digest) -> Press:
    """Return the press of a digest's button, which identifies the message."""
    return Press("mine", "list", 0, int(digest.due_at))


def _again() -> Button:
    return Button("Look again", Press("mine", "list"))


def _note(notes: Mapping[int, str], table: Table) -> str:
    return f"\n{line(notes[table.id])}" if table.id in notes else ""


def _waiting(mine: Sequence[RunningTable], user_id: int, notes: Mapping[int, str]) -> list[Part]:
    if not mine:
        return []
    parts: list[Part] = [f"**{words.MINE}**"]
    for number, standing in enumerate(mine[:MOST_BUTTONS]):
        table = standing.table
        press = Press("table", "turn", table.id, table.version)
        text = words.mine(standing, user_id) + _note(notes, table)
        parts.append(ButtonLine(text, Button(f"Open table {table.id}", press, PLAIN if number else PRIMARY)))
    further = [words.mine(one, user_id) + _note(notes, one.table) for one in mine[MOST_BUTTONS:]]
    return [*parts, "\n".join(further)] if further else parts


def _lessons(slugs: Sequence[str]) -> list[Part]:
    lines: list[Part] = [
        ButtonLine(
            words.lesson(slug), Button(f"Learn {game(slug).title}", Press("learn", "again", 0, 0, slug))
        )
        for slug in slugs
    ]
    return [f"**{words.LESSONS}**", *lines] if lines else []


def _list_parts(title: str, lines: Sequence[str]) -> list[Part]:
    if not lines:
        return []
    shown = [f"- {line}" for line in lines[:MOST_LINES]]
    if len(lines) > MOST_LINES:
        shown.append(words.MORE.format(count=len(lines) - MOST_LINES))
    return ["\n".join([f"**{title}**", *shown])]


async def _page(interaction: Interaction) -> Page:
    parlour, user_id = app_of(interaction).parlour, interaction.user.id
    overview = await parlour.overviews.of(user_id, parlour.clock() - LATELY)
    return overview_page(overview, user_id, await parlour.lessons.games_with_running_lessons(user_id))


class MineCommand(commands.Cog):
    """The `/mine` command: the asker's tables in all servers, also in DMs."""

    @anywhere
    @app_commands.command(name="mine", description="List your tables, starting with those that wait for you")
    async def mine(self, interaction: Interaction) -> None:
        await reply(interaction, await _page(interaction))


@on_press("mine", "list")
async def on_list(interaction: Interaction, press: Press) -> None:
    await reply(interaction, await _page(interaction), edit=True)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(MineCommand())


BLOCKED = (
    "You and {who} no longer see or join each other's tables. I don't tell them. `/me "
    "unblock` ends the block."
)
NOBODY = "You haven't blocked anyone. `/me block` hides someone's tables from you, and your tables from them."


class BlockCommands(commands.GroupCog):
    """The part of the `/me` commands that keeps people apart."""

    @app_commands.command(
        name="block", description="Block someone: you no longer see or join each other's tables"
    )
    @app_commands.describe(member="Who to block; I don't tell them")
    async def block(self, interaction: Interaction, member: discord.User) -> None:
        if member.bot:
            raise Refused("Bots don't join tables, so you can't block them.")
        await app_of(interaction).parlour.blocks.block(interaction.user.id, member.id)
        await say(interaction, BLOCKED.format(who=quote(name_of(member))))

    @app_commands.command(name="unblock", description="Unblock someone: you see each other's tables again")
    @app_commands.describe(member="Who to unblock")
    async def unblock(self, interaction: Interaction, member: discord.User) -> None:
        await app_of(interaction).parlour.blocks.unblock(interaction.user.id, member.id)
        await say(interaction, f"{quote(name_of(member))} is no longer blocked.")

    @app_commands.command(name="blocked", description="See whom you've blocked (nobody else sees this)")
    async def list_blocked(self, interaction: Interaction) -> None:
        numbers = await app_of(interaction).parlour.blocks.blocks_of(interaction.user.id)
        names = ", ".join(f"<@{user_id}>" for user_id in numbers)
        count = "1 person" if len(numbers) == 1 else f"{len(numbers)} people"
        await say(
            interaction, f"You've blocked {count} (you can block {MOST}): {names}" if numbers else NOBODY
        )
