"""`/admin panel`: a server's settings by page, and links to its tables and its audit log."""

from discord import app_commands
from discord.ext import commands

from cogs.core.app import app_of
from cogs.core.lookup import require_admin
from cogs.core.settings import Change, PressContext, existing_ids
from cogs.discord import messages
from cogs.servers import admin_list, admin_tables, audit, controls
from cogs.servers import settings as config
from cogs.servers.settings import PAGES, SETTINGS, WORDS
from cogs.ui.form import InputForm, Typed, ask, reply
from cogs.ui.page import Button, Page, Pick
from cogs.ui.press import NOT_OURS, Press, number_of, on_press
from cogs.ui.text import Interaction
from db.records import ServerSettings
from engines.marks import clean
from tables.core.table import Refused

HEAD = "### Running the tables of this server"
BOARD_PAGE = "calls"


async def show_panel(interaction: Interaction, name: str, done: config.SettingsResult | None = None) -> None:
    """Show a page of the panel below the last change.

    A logged change can get a reason.

    Raise Refused if the asker doesn't run the server.
    """
    parlour = app_of(interaction).parlour
    settings = await parlour.settings(await require_admin(interaction))
    now, page = parlour.clock(), Page([f"{HEAD}\n{done.text}" if done is not None else HEAD])
    if done is not None and done.entry:
        page.parts.append([Button("Give a reason", Press("panel", "why", arg=f"{done.entry} {name}"))])
    page.parts.append(admin_list.ways(name))
    for row in PAGES[name]:
        page.parts += row.parts("panel", settings, interaction.guild, now)
    if name == BOARD_PAGE:
        chosen = existing_ids(interaction.guild, [settings.board_channel_id])
        page.parts.append(f"{config.board_line(settings)}\n-# {WORDS['board'].effect}")
        page.parts.append(Pick(Press("panel", "board"), WORDS["board"].labels["menu"], "channel", chosen))
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
        await show_panel(answered, name, config.SettingsResult("The audit log shows the reason."))

    await ask(interaction, InputForm("Why?", [messages.KEPT_FIELD], on_filled))


@on_press("panel", *SETTINGS)
async def on_setting(interaction: Interaction, press: Press) -> None:
    async def save(answered: Interaction, changed: Change[ServerSettings]) -> None:
        await show_panel(answered, config.PAGE_OF[press.verb], await config.change(answered, changed))

    settings = await app_of(interaction).parlour.settings(await require_admin(interaction))
    await SETTINGS[press.verb].answer(PressContext(interaction, press, settings, save))


@on_press("panel", "board")
async def on_board(interaction: Interaction, press: Press) -> None:
    await require_admin(interaction)
    if not press.values or interaction.guild is None:
        return await show_panel(interaction, BOARD_PAGE, await config.take_down(interaction))
    channel = controls.require_text_channel(interaction.guild, press.choice_number, "The notice board")
    await show_panel(interaction, BOARD_PAGE, await config.put_up(interaction, channel))


@app_commands.default_permissions(manage_guild=True)
class Admin(
    AdminPanel,
    admin_list.AdminList,
    admin_tables.AdminTables,
    audit.AuditLog,
    config.Config,
    group_name="admin",
    group_description="For admins of this server",
):
    """The `/admin` commands: irreversible steps are confirmed, logged, and reported at the table.

    Discord shows the commands to Manage Server, and to those whom a server's Integrations allow.
    """


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Admin())
