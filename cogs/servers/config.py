"""A server's settings: `/admin config`, `/admin board`, and the one function that changes them."""

from dataclasses import dataclass
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.app import app_of
from cogs.core.authority import log_action, require_admin
from cogs.core.settings import Change, PanelContext, change_by_options, with_options
from cogs.discord import reasons
from cogs.servers.controls import require_allowed_pace
from cogs.servers.notice_board import notice_boards
from cogs.servers.settings import SETTINGS, board_line, describe_changes
from cogs.ui.answering import say
from cogs.ui.interaction import Interaction
from cogs.ui.limits import Remark
from cogs.ui.page import Page
from cogs.ui.press import Press
from cogs.ui.reply import reply
from db.records.servers import ServerSettings
from tables.core.table import Refused

AS_BEFORE = "Nothing changed, because it was already like that."


@dataclass(frozen=True)
class SettingsResult:
    """The result of a change: its message, and its log entry (0: nothing changed)."""

    text: str
    entry: int = 0


async def change(
    interaction: Interaction, changed: Change[ServerSettings], reason: str = ""
) -> SettingsResult:
    """Change this server's settings, and log each difference.

    Raises:
        Refused: if the asker doesn't run the server, or `changed` refuses.
    """
    guild_id, parlour = await require_admin(interaction), app_of(interaction).parlour
    places = app_of(interaction).places

    def check_and_apply(before: ServerSettings) -> ServerSettings:
        after = changed(before)
        if after.place != before.place and after.place not in places:
            raise Refused("I can't make threads here, so games run in the channel itself.")
        require_allowed_pace(before, after)
        return after

    before, after = await parlour.store.change_guild(guild_id, check_and_apply)
    if after == before:
        return SettingsResult(AS_BEFORE)
    lines = describe_changes(before, after)
    return SettingsResult(
        "\n".join(lines), await log_action(interaction, None, "config", changes=lines, reason=reason)
    )


async def put_up(interaction: Interaction, channel: discord.TextChannel, reason: str = "") -> SettingsResult:
    """Post the notice board in a channel; return the message about it."""
    await require_admin(interaction)
    address = await notice_boards(interaction).put_up(channel)
    entry = await log_action(interaction, None, "board", channel=channel.id, reason=reason)
    if address is None:
        return SettingsResult(f"I can't post in {channel.mention} right now; I'll keep trying.", entry)
    return SettingsResult(f"The notice board is in {channel.mention}. [Go there]({address})", entry)


async def take_down(interaction: Interaction, reason: str = "") -> SettingsResult:
    """Remove the notice board; return the message about it."""
    await notice_boards(interaction).take_down(await require_admin(interaction))
    entry = await log_action(interaction, None, "board", what="off", reason=reason)
    return SettingsResult("The notice board is gone. `/admin board` puts up a new one.", entry)


class Config(commands.GroupCog):
    """The part of the `/admin` commands about the server as a whole."""

    @app_commands.command(
        name="config", description="Change this server's settings, like paces and who can use /admin"
    )
    @app_commands.guild_only()
    @app_commands.describe(reason=reasons.KEPT)
    @with_options(tuple(SETTINGS.values()))
    async def config(self, interaction: Interaction, *, reason: Remark | None = None, **typed: Any) -> None:
        guild_id = await require_admin(interaction)
        parlour = app_of(interaction).parlour
        named = {name for name, _ in interaction.namespace} - {"reason"}
        if not named:
            settings = await parlour.settings(guild_id)
            lines = [*(row.short(settings) for row in SETTINGS.values()), board_line(settings)]
            return await reply(interaction, Page(["\n".join(lines)]))
        rows = tuple(SETTINGS.values())
        done = await change(
            interaction, change_by_options(interaction, rows, typed), reasons.clean_reason(reason)
        )
        words = [row.words for row in rows if row.words.note and typed.get(row.name)]
        notes = [one.note for one in words if one.title in done.text]
        settings = await parlour.settings(guild_id)
        at = PanelContext(Press("admin", "config"), settings, interaction.guild, parlour.clock())
        warnings = [row.warning(at) for row in rows if named & row.words.options.keys()]
        await reply(interaction, Page([done.text, *notes, *(f"⚠ {one}" for one in warnings if one)]))

    @app_commands.command(name="board", description="Post a message that always shows all open tables")
    @app_commands.describe(
        channel="The channel for the notice board", off="Remove the notice board", reason=reasons.KEPT
    )
    @app_commands.guild_only()
    async def board(
        self,
        interaction: Interaction,
        channel: discord.TextChannel | None = None,
        off: bool = False,
        reason: Remark | None = None,
    ) -> None:
        guild_id = await require_admin(interaction)
        if off:
            return await say(interaction, (await take_down(interaction, reasons.clean_reason(reason))).text)
        if channel is None:
            return await say(interaction, await notice_boards(interaction).where(guild_id))
        await say(interaction, (await put_up(interaction, channel, reasons.clean_reason(reason))).text)
