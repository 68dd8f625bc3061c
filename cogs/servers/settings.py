"""A server's settings: the `/admin` panel, `config` and `board`, and what changes them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core import settings as panels
from cogs.core import time_words
from cogs.core.app import app_of, ping_obstacle
from cogs.core.lookup import log_action, require_admin
from cogs.discord import messages
from cogs.lobby.terms import LATE_MEANS
from cogs.servers import admin_list, admin_tables, audit, controls, notice_board
from cogs.ui.form import InputForm, Typed, ask, reply
from cogs.ui.page import Button, Page, Pick
from cogs.ui.press import NOT_OURS, Press, number_of, on_press, say
from cogs.ui.text import Interaction, Remark
from db.records import ServerSettings
from engines.marks import clean
from tables.core.table import Refused

WORDS = panels.load_words(Path(__file__).with_suffix(".toml"))
LATE_ABOUT = {str(rule): words for rule, words in LATE_MEANS.items()}
HOURS = {str(hour): f"{hour}:00" for hour in range(24)}


@dataclass(frozen=True)
class AskedRole(panels.RoleSetting[ServerSettings]):
    """Chooses the role that **Ask around** pings, or none."""

    def warning(self, at: panels.PanelContext[ServerSettings]) -> str:
        role = None if at.guild is None else at.guild.get_role(at.settings.asked_role_id or 0)
        return "" if role is None else ping_obstacle(role, role.guild.me.guild_permissions)


def _require_manage_server(interaction: Interaction) -> None:
    if not interaction.permissions.manage_guild:
        raise Refused("Only members with Manage Server can choose the role for `/admin`.")


PAGES: dict[str, tuple[panels.Group[ServerSettings], ...]] = {
    "opening": (
        panels.Group(
            "opening",
            "New tables",
            (
                controls.OpenChannels("open_in", WORDS),
                panels.RoleSetting("open_role", WORDS, "open_role_id"),
                panels.Selection("place", WORDS),
                panels.Selection("theme", WORDS),
            ),
        ),
    ),
    "admins": (
        panels.Group(
            "admins",
            "Choose a role",
            (panels.RoleSetting("role", WORDS, "admin_role_id", _require_manage_server),),
        ),
    ),
    "time": (
        panels.Group(
            "time",
            "Paces and late players",
            (
                controls.UsualPace("pace", WORDS),
                controls.ForbiddenPaces("forbid", WORDS),
                panels.Selection(
                    "late", WORDS, "when_late", texts=time_words.WORDS["when_late"], about=LATE_ABOUT
                ),
            ),
        ),
    ),
    "limits": (
        panels.Group(
            "limits",
            "Limits, computers and hints",
            (
                controls.Limit("most_tables", WORDS, most=10_000),
                controls.Limit("most_each", WORDS, most=20),
                panels.Switch("computers", WORDS),
                panels.Switch("hints", WORDS),
            ),
        ),
    ),
    "ratings": (
        panels.Group(
            "ratings", "Ratings", (panels.Switch("rated", WORDS), panels.Switch("rate_computers", WORDS))
        ),
    ),
    "calls": (panels.Group("asked", "Role to ask around", (AskedRole("asked", WORDS, "asked_role_id"),)),),
    "daily": (
        panels.Group(
            "daily",
            "When and where",
            (
                controls.DailyChannel("daily_channel", WORDS, "daily_channel_id"),
                controls.DailySwitch("daily", WORDS),
                controls.DailyHour("daily_hour", WORDS, saved=int, texts=HOURS),
                controls.ServerZone("zone", WORDS),
            ),
        ),
        panels.Group(
            "deals",
            "Games and puzzle",
            (controls.DailyGames("daily_games", WORDS), panels.Switch("daily_puzzle", WORDS)),
        ),
    ),
}
"""The groups of settings on each page of the panel."""
GROUPS = {group.name: group for groups in PAGES.values() for group in groups}
PAGE_OF = {group.name: page for page, groups in PAGES.items() for group in groups}
SETTINGS = {row.name: row for group in GROUPS.values() for row in group.rows}


def describe_changes(before: ServerSettings, after: ServerSettings) -> tuple[str, ...]:
    """Return the changes, a line for each setting.

    >>> describe_changes(ServerSettings(1, most_tables=2), ServerSettings(1, most_tables=3))
    ('**Limit of open tables**: 3 (was: 2)',)
    """
    return tuple(
        f"{row.short(after)} (was: {row.value(before, 0)})"
        for row in SETTINGS.values()
        if row.value(before, 0) != row.value(after, 0)
    )


def board_line(settings: ServerSettings) -> str:
    channel, words = settings.board_channel_id, WORDS["board"]
    return f"**{words.title}**: {words.values['none'] if channel is None else f'<#{channel}>'}"


AS_BEFORE = "Nothing changed, because it was already like that."


@dataclass(frozen=True)
class SettingsResult:
    """The result of a change: its message, and its log entry (0: nothing changed)."""

    text: str
    entry: int = 0


async def change(
    interaction: Interaction, changed: panels.Change[ServerSettings], reason: str = ""
) -> SettingsResult:
    """Change this server's settings, and log each difference.

    Raise Refused if the asker doesn't run the server, or `changed` refuses.
    """
    guild_id, parlour = await require_admin(interaction), app_of(interaction).parlour
    places = app_of(interaction).places

    def check_and_apply(before: ServerSettings) -> ServerSettings:
        after = changed(before)
        if after.place != before.place and after.place not in places:
            raise Refused("I can't make threads here, so games run in the channel itself.")
        controls.require_allowed_pace(before, after)
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
    address = await notice_board.notice_boards(interaction).put_up(channel)
    entry = await log_action(interaction, None, "board", channel=channel.id, reason=reason)
    if address is None:
        return SettingsResult(f"I can't post in {channel.mention} right now. I'll keep trying.", entry)
    return SettingsResult(f"The notice board is in {channel.mention}. [Go there]({address})", entry)


async def take_down(interaction: Interaction, reason: str = "") -> SettingsResult:
    await notice_board.notice_boards(interaction).take_down(await require_admin(interaction))
    entry = await log_action(interaction, None, "board", what="off", reason=reason)
    return SettingsResult("The notice board is gone. `/admin board` puts up a new one.", entry)


class Config(commands.GroupCog):
    """The part of the `/admin` commands about the server as a whole."""

    @app_commands.command(description="Change this server's settings, like paces and who can use /admin")
    @app_commands.describe(reason=messages.KEPT)
    @panels.with_options(tuple(SETTINGS.values()))
    async def config(self, interaction: Interaction, *, reason: Remark = "", **typed: Any) -> None:
        guild_id = await require_admin(interaction)
        parlour = app_of(interaction).parlour
        named = {name for name, _ in interaction.namespace} - {"reason"}
        if not named:
            settings = await parlour.settings(guild_id)
            lines = [*(row.short(settings) for row in SETTINGS.values()), board_line(settings)]
            return await reply(interaction, Page(["\n".join(lines)]))
        rows = tuple(SETTINGS.values())
        done = await change(interaction, panels.change_by_options(interaction, rows, typed), reason)
        words = [row.words for row in rows if row.words.note and typed.get(row.name)]
        notes = [one.note for one in words if one.title in done.text]
        settings = await parlour.settings(guild_id)
        at = panels.PanelContext(settings, interaction.guild, parlour.clock())
        warnings = [row.warning(at) for row in rows if named & row.words.options.keys()]
        await reply(interaction, Page([done.text, *notes, *(f"⚠ {one}" for one in warnings if one)]))

    @app_commands.command(description="Post a message that always shows all open tables")
    @app_commands.describe(
        channel="The channel for the notice board", off="Remove the notice board", reason=messages.KEPT
    )
    async def board(
        self,
        interaction: Interaction,
        channel: discord.TextChannel | None = None,
        off: bool = False,
        reason: Remark = "",
    ) -> None:
        guild_id = await require_admin(interaction)
        if off:
            return await say(interaction, (await take_down(interaction, reason)).text)
        if channel is None:
            return await say(interaction, await notice_board.notice_boards(interaction).where(guild_id))
        await say(interaction, (await put_up(interaction, channel, reason)).text)


HEAD = "### Running the tables of this server"
BOARD_PAGE, BOARD_MENU = "calls", "Choose a channel, or none to have no board"


async def show_panel(interaction: Interaction, name: str, done: SettingsResult | None = None) -> None:
    """Show a page of the panel below the last change.

    A logged change can get a reason.

    Raise Refused if the asker doesn't run the server.
    """
    parlour = app_of(interaction).parlour
    settings = await parlour.settings(await require_admin(interaction))
    at = panels.PanelContext(settings, interaction.guild, parlour.clock())
    page = Page([f"{HEAD}\n{done.text}" if done is not None else HEAD])
    if done is not None and done.entry:
        page.parts.append([Button("Give a reason", Press("panel", "why", arg=f"{done.entry} {name}"))])
    page.parts.append(admin_list.ways(name))
    for group in PAGES[name]:
        page.parts += group.parts("panel", at)
    if name == BOARD_PAGE:
        known = panels.existing_ids(interaction.guild, [settings.board_channel_id])
        chosen = [number_of(one) for one in known.splitlines()]
        page.parts.append(f"{board_line(settings)}\n-# {WORDS['board'].effect}")
        page.parts.append(Pick(Press("panel", "board"), BOARD_MENU, "channel", chosen))
    await reply(interaction, page, edit=True)


class AdminPanel(commands.GroupCog):
    """The part of the `/admin` commands that opens the panel."""

    @app_commands.command(description="See tables, settings and the audit log on one panel")
    async def panel(self, interaction: Interaction) -> None:
        await admin_list.show_list(interaction, admin_tables.Search())


@on_press("panel", "page")
async def on_page(interaction: Interaction, press: Press) -> None:
    match press.choice:
        case admin_list.TABLES:
            await admin_list.show_list(interaction, admin_tables.Search())
        case admin_list.AUDIT:
            await audit.show(interaction, None, None, 1)
        case name if name in PAGES:
            await show_panel(interaction, name)
        case _:
            raise Refused(NOT_OURS)


@on_press("panel", "why")
async def on_why(interaction: Interaction, press: Press) -> None:
    """Ask for the reason of an action, and log it."""
    await require_admin(interaction)
    number, _, name = press.arg.partition(" ")
    entry = number_of(number)
    if name not in PAGES:
        raise Refused(NOT_OURS)

    async def on_filled(answered: Interaction, typed: Typed) -> None:
        guild_id, why = await require_admin(answered), clean(typed["reason"])
        await app_of(answered).parlour.audit.explain(entry, guild_id, answered.user.id, why)
        await show_panel(answered, name, SettingsResult("The audit log shows the reason."))

    await ask(interaction, InputForm("Why?", [messages.KEPT_FIELD], on_filled))


@on_press("panel", *GROUPS)
async def on_group(interaction: Interaction, press: Press) -> None:
    async def save(answered: Interaction, changed: panels.Change[ServerSettings]) -> None:
        await show_panel(answered, PAGE_OF[press.verb], await change(answered, changed))

    parlour = app_of(interaction).parlour
    settings = await parlour.settings(await require_admin(interaction))
    at = panels.PanelContext(settings, interaction.guild, parlour.clock())
    await GROUPS[press.verb].ask(interaction, at, save)


@on_press("panel", "board")
async def on_board(interaction: Interaction, press: Press) -> None:
    await require_admin(interaction)
    if not press.values or interaction.guild is None:
        return await show_panel(interaction, BOARD_PAGE, await take_down(interaction))
    channel = controls.require_text_channel(interaction.guild, press.choice_number, "The notice board")
    await show_panel(interaction, BOARD_PAGE, await put_up(interaction, channel))


@app_commands.default_permissions(manage_guild=True)
class Admin(
    AdminPanel,
    admin_list.AdminList,
    admin_tables.AdminTables,
    audit.AuditLog,
    Config,
    group_name="admin",
    group_description="For admins of this server",
):
    """The `/admin` commands: irreversible steps are confirmed, logged, and reported at the table.

    Discord shows the commands to Manage Server, and to those whom a server's Integrations allow.
    """


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Admin())
