"""Finding players: invitations, requests to a role, following a table."""

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.app import app_of, name_of, ping_obstacle, table_link
from cogs.core.lookup import AnyTable, OpenTable, table_here
from cogs.core.presenter import presenter
from cogs.core.words import status
from cogs.discord.messages import nonce_of, send
from cogs.discord.work import code_of, is_refusal
from cogs.time.seats import require_person
from cogs.ui.answering import say
from cogs.ui.interaction import Interaction
from cogs.ui.page import PRIMARY, Button, Page
from cogs.ui.press import Press, on_press
from cogs.ui.reply import reply
from engines.names import quote
from tables.core.table import Refused

REFUSED = "Declined. I won't tell anyone, and I'll stop sending you this person's invitations."


class InvitationCommands(commands.GroupCog):
    """The part of the `/table` commands by which people find each other."""

    @app_commands.command(name="invite", description="Invite someone to a table that hasn't begun")
    @app_commands.guild_only()
    async def invite(
        self, interaction: Interaction, member: discord.Member, table: OpenTable | None = None
    ) -> None:
        require_person(member, interaction.user.id)
        target, parlour = await table_here(interaction, table), app_of(interaction).parlour
        await parlour.invitations.invite(target.id, interaction.user.id, member.id, name_of(member))
        parlour.outbox.wake(target.id)
        await say(interaction, f"I've invited {quote(name_of(member))} to table {target.id}.")

    @app_commands.command(name="follow", description="Get a DM when a game ends; use this again to stop")
    async def follow(self, interaction: Interaction, table: AnyTable | None = None) -> None:
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
    await say(interaction, f"I've asked around. {status(table)}")
