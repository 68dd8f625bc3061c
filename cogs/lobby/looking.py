"""Finding players: `/looking`, invitations, requests to a role, following a table."""

from collections.abc import Sequence

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core import time_words, words
from cogs.core.app import App, app_of, guild_of, name_of, ping_obstacle, table_link
from cogs.core.lookup import AnyTable, OpenTable, table_here
from cogs.core.presenter import presenter
from cogs.discord.messages import nonce_of, send
from cogs.discord.work import code_of, is_refusal
from cogs.lobby.lobby import close_unless_shown, place_here
from cogs.time import require_person
from cogs.ui.form import reply
from cogs.ui.page import PRIMARY, Button, Menu, Option, Page
from cogs.ui.press import NOT_OURS, Press, on_press, say
from cogs.ui.text import Interaction
from engines import marks, registry
from engines.words import join_words
from tables.clocks.pace import MINUTE, PACES, length_words, pace_words
from tables.core.table import Occupant, Refused, Table
from tables.lobby.looking import BAND, FINISHING, SHARED_HOURS, Match, Want, fewest
from tables.standings.ratings import FIRST

HEAD = (
    "### Looking for a game\nChoose games and paces. When enough people here want the same, "
    "I open a table and invite you all. Your search lasts a week."
)
ENDED = "**Your search has ended.** Choose games to begin another."
ANY = "any"
"""The value of a menu's first choice: all the others."""
OLD = "old"
"""The argument of a press on a panel that shows a search."""
WANTS = {
    Want.NEAR: (
        "Near my rating",
        f"Their rating is at most {BAND} away from yours. Newcomers count as {FIRST:,}",
    ),
    Want.HOURS: (
        "Awake when I am",
        f"You both usually play at the same time for at least {SHARED_HOURS} hours a day",
    ),
    Want.FINISH: (
        "People who finish",
        f"Newcomers, and people who finish at least {FINISHING} % of their games",
    ),
}
"""Titles and descriptions of the company that people can ask for."""


async def _page(app: App, guild_id: int, user_id: int, text: str = "") -> Page:
    wishes = await app.parlour.looking.of(guild_id, user_id)
    games, paces = {row.game for row in wishes}, set(wishes[0].paces if wishes else ())
    wants = set(wishes[0].wants if wishes else ())
    now = (
        f"You're looking for players of {join_words([registry.game(row.game).title for row in wishes])}."
        if wishes
        else "You aren't looking for a game."
    )
    lines = []
    for slug in registry.SLUGS:
        others = sum(row.user_id != user_id for row in await app.parlour.looking.looking(guild_id, slug))
        looking = (
            f"{others} {'other person is' if others == 1 else 'other people are'} looking"
            if others
            else "Nobody else is looking for a game yet"
        )
        wait = await app.parlour.looking.usual_wait(guild_id, slug)
        usually = "" if wait is None else f". The usual wait is {length_words(max(wait, MINUTE))}"
        who = f"{looking}. A game needs {fewest(slug)} people{usually}"
        lines.append(Option(registry.game(slug).title, slug, who, chosen=slug in games))
    speeds = [Option("Any pace", ANY, chosen=not paces)]
    speeds += [
        Option(name.capitalize(), name, pace_words(pace), chosen=name in paces)
        for name, pace in PACES.items()
        if pace.kept
    ]
    habits = await app.parlour.standings.habits(guild_id, user_id, viewer=user_id)
    about = "" if habits is None else f"-# You: {time_words.habits(habits, app.parlour.clock())}"
    page = Page(["\n".join([line for line in (HEAD, text, now, about) if line])])
    page.parts.append(
        Menu(Press("looking", "games", arg=OLD if wishes else ""), "Games you'd play", lines, 1, len(lines))
    )
    if wishes:
        page.parts.append(Menu(Press("looking", "paces"), "Paces", speeds, 1, len(speeds)))
        company = [Option("Anybody", ANY, "The shortest wait", chosen=not wants)]
        company += [Option(title, want, note, chosen=want in wants) for want, (title, note) in WANTS.items()]
        page.parts.append(Menu(Press("looking", "wants"), "With whom", company, 1, len(company)))
        page.parts.append([Button("Stop looking", Press("looking", "stop"))])
    return page


class LookingCommand(commands.Cog):
    """The `/looking` command."""

    @app_commands.command(description="Find players: when enough people want the same game, I open a table")
    @app_commands.guild_only()
    async def looking(self, interaction: Interaction) -> None:
        await reply(
            interaction, await _page(app_of(interaction), guild_of(interaction).id, interaction.user.id)
        )


@on_press("looking", "games")
async def on_games(interaction: Interaction, press: Press) -> None:
    if not press.values or not set(press.values) <= set(registry.SLUGS):
        raise Refused(NOT_OURS)
    wishes = await app_of(interaction).parlour.looking.of(guild_of(interaction).id, interaction.user.id)
    kept = (wishes[0].paces, wishes[0].wants) if wishes else ((), ())
    text = "Your earlier search had ended. This is a new one." if press.arg == OLD and not wishes else ""
    await _look(interaction, press.values, *kept, text)


@on_press("looking", "paces")
async def on_paces(interaction: Interaction, press: Press) -> None:
    if not press.values or not set(press.values) <= {ANY, *PACES}:
        raise Refused(NOT_OURS)
    wishes = await app_of(interaction).parlour.looking.of(guild_of(interaction).id, interaction.user.id)
    if not wishes:
        return await _show_end(interaction)
    before, wants = wishes[0].paces, wishes[0].wants
    await _look(interaction, [row.game for row in wishes], _read_choices(press.values, before), wants)


@on_press("looking", "wants")
async def on_wants(interaction: Interaction, press: Press) -> None:
    if not press.values or not set(press.values) <= {ANY, *Want}:
        raise Refused(NOT_OURS)
    wishes = await app_of(interaction).parlour.looking.of(guild_of(interaction).id, interaction.user.id)
    if not wishes:
        return await _show_end(interaction)
    paces, before = wishes[0].paces, wishes[0].wants
    await _look(interaction, [row.game for row in wishes], paces, _read_choices(press.values, before))


def _read_choices(values: Sequence[str], before: Sequence[str]) -> list[str]:
    """Return what a menu's values ask for; nothing means any.

    The menu sends `ANY` with a new choice if it was marked, so it counts only if it is the new one.

    >>> _read_choices(["any", "near"], []), _read_choices(["any", "near"], ["near"])
    (['near'], [])
    """
    others = [value for value in values if value != ANY]
    return others if ANY not in values or not before else []


@on_press("looking", "stop")
async def stop(interaction: Interaction, press: Press) -> None:
    if not await app_of(interaction).parlour.looking.of(guild_of(interaction).id, interaction.user.id):
        return await _show_end(interaction)
    await _look(interaction, [], [], [])


async def _show_end(interaction: Interaction) -> None:
    page = await _page(app_of(interaction), guild_of(interaction).id, interaction.user.id, ENDED)
    await reply(interaction, page, edit=True)


async def _look(
    interaction: Interaction, games: Sequence[str], paces: Sequence[str], wants: Sequence[str], text: str = ""
) -> None:
    app, guild_id, user = app_of(interaction), guild_of(interaction).id, interaction.user
    if games:
        await place_here(
            interaction
        )  # where a table would open; better known before somebody is promised one
    match = await app.parlour.looking.look(guild_id, user.id, name_of(user), games, paces, wants)
    text = text if match is None else await _open(interaction, app, match)
    await reply(interaction, await _page(app, guild_id, user.id, text), edit=True)


async def _open(interaction: Interaction, app: App, match: Match) -> str:
    """Open a table for matched people, and ask them to join. Return the result in a sentence."""
    _, channel_id = await place_here(interaction)
    host = Occupant(name_of(interaction.user), interaction.user.id)
    try:
        table = await app.parlour.looking.open(match, channel_id, host)
    except Refused as reason:
        title = registry.game(match.game).title
        return f"Enough people want to play {title}, but I couldn't open a table. {reason}"
    async with close_unless_shown(app, table):
        await app.parlour.refresh(table.id, "lobby", fresh=True)
    others = [row for row in match.people if row.user_id != host.user_id]
    names = join_words([marks.quote(row.name) for row in others])
    return f"**{table.game.title}, table {table.id}, is open** below. {names} can join."


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(LookingCommand())


async def invite(interaction: Interaction, member: discord.Member, table: Table) -> None:
    parlour = app_of(interaction).parlour
    await parlour.invitations.invite(table.id, interaction.user.id, member.id, name_of(member))
    parlour.outbox.wake(table.id)
    await say(interaction, f"I've invited {marks.quote(name_of(member))} to table {table.id}.")


REFUSED = "Declined. I won't tell anyone, and I'll stop sending you this person's invitations."


class InvitationCommands(commands.GroupCog):
    """The part of the `/table` commands by which people find each other."""

    @app_commands.command(description="Invite someone to a table that hasn't begun")
    async def invite(self, interaction: Interaction, member: discord.Member, table: OpenTable = None) -> None:
        require_person(member, interaction.user.id)
        await invite(interaction, member, await table_here(interaction, table))

    @app_commands.command(description="Get a DM when a game ends; use this again to stop")
    async def follow(self, interaction: Interaction, table: AnyTable = None) -> None:
        target = await table_here(interaction, table)
        follows = await app_of(interaction).parlour.invitations.follow(target.id, interaction.user.id)
        text = "I'll DM you how the game ends" if follows else "you no longer follow it"
        await say(interaction, f"Table {target.id}: {text}. {table_link(target)}")


@on_press("company", "refuse")
async def refuse(interaction: Interaction, press: Press) -> None:
    """Refuse an invitation; its sender can send no more by DM."""
    await app_of(interaction).parlour.invitations.want(press.table, interaction.user.id, wanted=False)
    again = Button("Allow them again", Press("company", "want", press.table))
    await reply(interaction, _result_page(REFUSED, again), edit=True)


@on_press("company", "want")
async def want(interaction: Interaction, press: Press) -> None:
    await app_of(interaction).parlour.invitations.want(press.table, interaction.user.id, wanted=True)
    await reply(interaction, _result_page("I'll tell you when they invite you again."), edit=True)


def _result_page(text: str, *buttons: Button) -> Page:
    return Page([text, list(buttons)] if buttons else [text])


@on_press("lobby", "ask")
async def ask_around(interaction: Interaction, press: Press) -> None:
    parlour, channel, guild = app_of(interaction).parlour, interaction.channel, interaction.guild
    number = await parlour.invitations.require_asking(press.table, interaction.user.id)
    table = await parlour.table(press.table)
    role = None if guild is None else guild.get_role(number)
    if role is None:
        raise Refused(
            "The role to ping no longer exists. An admin can choose another with `/admin config ask_role:`."
        )
    if why := ping_obstacle(role, interaction.app_permissions):
        raise Refused(why)
    if not isinstance(channel, discord.abc.Messageable):
        raise Refused("I can't write here.")
    free = table.room - table.taken
    seats = f"{free} {'seat is' if free == 1 else 'seats are'} free"
    text = f"{role.mention} **{table.game.title}**, table {table.id}: {seats}.\n-# {presenter(table).tagline}"
    join = Button("Join", Press("lobby", "join", table.id, 0, "asked"), PRIMARY)
    at = await parlour.invitations.note_asking(table.guild_id)
    try:
        await send(channel, Page([text, [join]], roles=[role.id]), nonce_of("ask", interaction.id))
    except discord.HTTPException as error:
        if not is_refusal(error):
            raise
        await parlour.invitations.forget_asking(table.guild_id, at)
        code = code_of(error)
        raise Refused(f"Discord refused my ping (code {code}). You can ask again at any time.") from error
    await say(interaction, f"I've asked around. {words.status(table)}")
