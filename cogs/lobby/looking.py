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
from cogs.ui.form import Field, InputForm, Typed, ask, reply
from cogs.ui.page import PRIMARY, Button, Option, Page
from cogs.ui.press import Press, on_press, say
from cogs.ui.text import Interaction
from db.records import WishRow
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
        f"Newcomers, and people who finish at least {FINISHING}% of their games",
    ),
}
"""Titles and descriptions of the company that people can ask for."""


async def _page(app: App, guild_id: int, user_id: int, text: str = "") -> Page:
    wishes = await app.parlour.looking.of(guild_id, user_id)
    chosen = []
    if wishes:
        paces = join_words(wishes[0].paces) or "any"
        company = [f"“{WANTS[Want(want)][0]}”" for want in wishes[0].wants]
        chosen = [f"Paces: {paces}. With: {join_words(company) or 'anybody'}."]
    now = (
        f"You're looking for players of {join_words([registry.game(row.game).title for row in wishes])}."
        if wishes
        else "You aren't looking for a game."
    )
    habits = await app.parlour.standings.habits(guild_id, user_id, viewer=user_id)
    about = "" if habits is None else f"-# Your record: {time_words.habits(habits, app.parlour.clock())}"
    change = Button("Change my search" if wishes else "Choose games", Press("looking", "choose"), PRIMARY)
    stop = [Button("Stop looking", Press("looking", "stop"))] if wishes else []
    return Page(["\n".join([line for line in (HEAD, text, now, *chosen, about) if line]), [change, *stop]])


async def _fields(app: App, guild_id: int, user_id: int, wishes: Sequence[WishRow]) -> list[Field]:
    """Return the choices of a search: games, paces, and company."""
    lines = []
    for slug in registry.SLUGS:
        others = sum(row.user_id != user_id for row in await app.parlour.looking.looking(guild_id, slug))
        looking = f"{others} looking" if others else "Nobody else is looking yet"
        wait = await app.parlour.looking.usual_wait(guild_id, slug)
        usually = "" if wait is None else f". The usual wait is {length_words(max(wait, MINUTE))}"
        who = f"{looking}. A game needs {fewest(slug)} people{usually}"
        lines.append(Option(registry.game(slug).title, slug, who))
    speeds = [Option(name.capitalize(), name, pace_words(pace)) for name, pace in PACES.items() if pace.kept]
    company = [Option(title, want, note) for want, (title, note) in WANTS.items()]
    chosen = "\n".join(row.game for row in wishes)
    paces = "\n".join(wishes[0].paces) if wishes else ""
    wants = "\n".join(wishes[0].wants) if wishes else ""
    return [
        Field("games", "Games you'd play", "", chosen, required=True, options=lines, most=len(lines)),
        Field("paces", "Paces", "Leave it empty for any pace", paces, options=speeds, most=len(speeds)),
        Field("wants", "Players", "Leave it empty for the shortest wait", wants, options=company, most=3),
    ]


class LookingCommand(commands.Cog):
    """The `/looking` command."""

    @app_commands.command(description="Find players: when enough people want the same game, I open a table")
    @app_commands.guild_only()
    async def looking(self, interaction: Interaction) -> None:
        await reply(
            interaction, await _page(app_of(interaction), guild_of(interaction).id, interaction.user.id)
        )


@on_press("looking", "choose")
async def on_choose(interaction: Interaction, press: Press) -> None:
    app, guild_id, user_id = app_of(interaction), guild_of(interaction).id, interaction.user.id
    wishes = await app.parlour.looking.of(guild_id, user_id)

    async def on_filled(answered: Interaction, filled: Typed) -> None:
        has_ended = bool(wishes) and not await app.parlour.looking.of(guild_id, user_id)
        text = "Your earlier search ended, so this is a new one." if has_ended else ""
        games, paces, wants = (filled[name].splitlines() for name in ("games", "paces", "wants"))
        await _look(answered, games, paces, wants, text)

    fields = await _fields(app, guild_id, user_id, wishes)
    await ask(interaction, InputForm("Looking for a game", fields, on_filled))


@on_press("looking", "stop")
async def stop(interaction: Interaction, press: Press) -> None:
    app, guild_id, user_id = app_of(interaction), guild_of(interaction).id, interaction.user.id
    if not await app.parlour.looking.of(guild_id, user_id):
        return await reply(interaction, await _page(app, guild_id, user_id, ENDED), edit=True)
    await _look(interaction, [], [], [])


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

    @app_commands.command(description="Get a DM when a game ends. Use this again to stop")
    async def follow(self, interaction: Interaction, table: AnyTable = None) -> None:
        target = await table_here(interaction, table)
        follows = await app_of(interaction).parlour.invitations.follow(target.id, interaction.user.id)
        text = "I'll DM you how the game ends" if follows else "you no longer follow it"
        await say(interaction, f"Table {target.id}: {text}. {table_link(target)}")


@on_press("company", "refuse")
async def refuse(interaction: Interaction, press: Press) -> None:
    """Refuse an invitation; its sender can send no more by DM."""
    await app_of(interaction).parlour.invitations.want(press.table, interaction.user.id, wanted=False)
    again = Button("Allow invitations again", Press("company", "want", press.table))
    await reply(interaction, _result_page(REFUSED, again), edit=True)


@on_press("company", "want")
async def want(interaction: Interaction, press: Press) -> None:
    await app_of(interaction).parlour.invitations.want(press.table, interaction.user.id, wanted=True)
    await reply(interaction, _result_page("I'll send you this person's invitations again."), edit=True)


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
