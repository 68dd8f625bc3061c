"""Commands for those who run a server: Manage Server, or the role that `/admin config` names."""

from __future__ import annotations

from typing import Any, Literal

import discord
import msgspec
from discord import app_commands
from discord.ext import commands

from cogs import terms, time_words, words
from cogs.app import app_of, link, named
from cogs.board import lines_of
from cogs.config import PaceKind, noted, told, with_limits, with_paces
from cogs.lookup import all_tables, is_admin, open_tables, table_here
from cogs.notice_board import notice_boards
from cogs.presenter import presenter
from cogs.seats import replaced
from cogs.ui.errors import say
from cogs.ui.limits import Line
from cogs.ui.page import Button, Page
from cogs.ui.press import Press, on_press
from cogs.ui.reply import reply
from engines.engine import readable
from engines.game import Strength
from tables.clocks.pace import BadPace, read_length, told_length
from tables.model import Phase, Refused, Table, WhenLate
from tables.reading import read_until

Interaction = discord.Interaction[Any]
KNOWN_BY_ALL = (
    "The game is over: all have seen every hand, and can work out from the seed what will be drawn. "
    "It goes on from there, and the ratings are worked out as if it had not ended."
)
PRIMARY, DANGER = discord.ButtonStyle.primary, discord.ButtonStyle.danger


async def require_admin(interaction: Interaction) -> None:
    """Raises Refused for anybody without Manage Server or the configured role."""
    if interaction.guild_id is None or not isinstance(interaction.user, discord.Member):
        raise Refused("That works in a server only.")
    if not await is_admin(interaction):
        raise Refused(
            "That is for those who run this server: Manage Server, or the role that they have named."
        )


async def _admins_table(interaction: Interaction, number: int | None) -> Table:
    await require_admin(interaction)
    return await table_here(interaction, number)


async def _table_to_take_back(interaction: Interaction, number: int | None) -> Table:
    """The table of a rollback: one that is open, or where there is none here one that is finished."""
    try:
        return await _admins_table(interaction, number)
    except Refused:
        await require_admin(interaction)
        return await table_here(interaction, number, (Phase.OVER,))


async def _record(interaction: Interaction, table_id: int | None, action: str, detail: str) -> None:
    parlour = app_of(interaction).parlour
    await parlour.audit(interaction.guild_id or 0, table_id, interaction.user.id, action, detail)


def _ask(table: Table, question: str, verb: str, arg: str = "") -> Page:
    row = [
        Button("Yes, do it", Press("admin", verb, table.id, table.version, arg), DANGER),
        Button("No", Press("admin", "no", table.id), PRIMARY),
    ]
    return Page([question, row])


async def _page(page: Page) -> Page:
    return page


class Admin(commands.GroupCog, group_name="admin", group_description="For those who run this server"):
    """`/admin`: every step that can't be undone is asked about, written down, and told at the table."""

    @app_commands.command(name="tables", description="Every table of this server")
    @app_commands.guild_only()
    async def tables(
        self, interaction: Interaction, which: Literal["open", "finished", "closed"] = "open"
    ) -> None:
        """List tables of any phase."""
        await require_admin(interaction)
        phases = {
            "open": (Phase.LOBBY, Phase.PLAY),
            "finished": (Phase.OVER,),
            "closed": (Phase.CLOSED, Phase.EXPIRED),
        }[which]
        tables = await app_of(interaction).parlour.tables_in(interaction.guild_id or 0, phases, 26)
        if not tables:
            return await say(interaction, f"There is no {which} table in this server.")
        lines = [words.status(table) for table in tables[:25]] + ["… and more."] * (len(tables) > 25)
        await reply(interaction, _page(Page(["\n".join(lines)])))

    @app_commands.command(name="close", description="Close a table without a result")
    @app_commands.autocomplete(table=open_tables)
    @app_commands.guild_only()
    async def close(self, interaction: Interaction, table: int | None = None) -> None:
        """Ask, then close a table."""
        found = await _admins_table(interaction, table)
        question = f"**Close table {found.id}?** Its game ends without a result. That can't be undone."
        await reply(interaction, _page(_ask(found, question, "close")))

    @app_commands.command(name="kick", description="Take a player from a table; a computer plays on")
    @app_commands.autocomplete(table=open_tables)
    @app_commands.guild_only()
    async def kick(self, interaction: Interaction, player: discord.User, table: int | None = None) -> None:
        """Ask, then free a seat in a lobby, or give it to a computer player during a game."""
        found = await _admins_table(interaction, table)
        seat = found.seat_of(player.id)
        if seat is None:
            raise Refused(f"{player.display_name} doesn't sit at table {found.id}.")
        after = (
            "A computer player goes on for them." if found.phase is Phase.PLAY else "The seat is free then."
        )
        question = f"**Take {named(found.names, seat)} from table {found.id}?** {after}"
        await reply(interaction, _page(_ask(found, question, "kick", str(player.id))))

    @app_commands.command(name="replace", description="Let somebody play on for another, if all agree")
    @app_commands.describe(player="Whose seat it is", by="Who plays on")
    @app_commands.autocomplete(table=open_tables)
    @app_commands.guild_only()
    async def replace(
        self,
        interaction: Interaction,
        player: discord.User,
        by: discord.Member,
        table: int | None = None,
    ) -> None:
        """Propose that a member takes over a player's seat; all but the player are asked."""
        found = await _admins_table(interaction, table)
        told = await replaced(interaction, found, player, by)
        await _record(interaction, found.id, "replace", f"{player.id} by {by.id}")
        await say(interaction, told)

    @app_commands.command(name="skip", description="Let a computer make the move that everybody waits for")
    @app_commands.autocomplete(table=open_tables)
    @app_commands.guild_only()
    async def skip(self, interaction: Interaction, table: int | None = None) -> None:
        """Ask, then let a computer player make the turn of those who are waited for."""
        found = await _admins_table(interaction, table)
        if found.phase is not Phase.PLAY:
            raise Refused("Nobody is waited for: no game is going on at this table.")
        waited = ", ".join(named(found.names, seat) for seat in found.owing)
        question = f"**Play this turn of {waited} by computer?** That can't be undone."
        await reply(interaction, _page(_ask(found, question, "skip")))

    @app_commands.command(name="rollback", description="Take back the last steps of a game, its end as well")
    @app_commands.autocomplete(table=all_tables)
    @app_commands.guild_only()
    async def rollback(
        self,
        interaction: Interaction,
        steps: app_commands.Range[int, 1, 100] = 1,
        table: int | None = None,
    ) -> None:
        """Show what would be taken back, ask, then do it."""
        found = await _table_to_take_back(interaction, table)
        app = app_of(interaction)
        perspective = await app.parlour.play.perspective(found.id, None)
        taken = await app.parlour.history.last_steps(found, steps)
        if not taken:
            raise Refused("There is no step to take back.")
        told = lines_of(perspective.table, perspective.view, [row for step in taken for row in step])
        question = "\n".join([f"**Take back these steps of table {found.id}?**", *told])
        if found.phase is Phase.OVER:
            question += f"\n{KNOWN_BY_ALL}"
        await reply(interaction, _page(_ask(found, question, "rollback", str(len(taken)))))

    @app_commands.command(name="pause", description="Let a table stand still: no clock runs, nobody moves")
    @app_commands.describe(until="When it goes on by itself: 3 days, 2026-12-24, friday 18:00")
    @app_commands.autocomplete(table=open_tables)
    @app_commands.guild_only()
    async def pause(
        self, interaction: Interaction, until: Line | None = None, table: int | None = None
    ) -> None:
        """Pause a game, until a time or until somebody ends it."""
        found = await _admins_table(interaction, table)
        parlour, user = app_of(interaction).parlour, interaction.user.id
        ends = None
        if until is not None:
            ends = read_until(until, parlour.clock(), (await parlour.people.person(user)).zone)
        paused = await parlour.pauses.pause(found.id, user, ends, admin=True)
        await _record(interaction, paused.id, "pause", "" if ends is None else f"until {ends:.0f}")
        end = "" if ends is None else f" until {time_words.moment(ends)}"
        await say(
            interaction,
            f"Table {paused.id} is paused{end}. `/admin resume` ends it, or anybody there with **Go on**. "
            f"{link(paused)}",
        )

    @app_commands.command(name="resume", description="End the pause of a table")
    @app_commands.autocomplete(table=open_tables)
    @app_commands.guild_only()
    async def resume(self, interaction: Interaction, table: int | None = None) -> None:
        """End a pause, whoever has begun it."""
        found = await _admins_table(interaction, table)
        user = interaction.user.id
        going = await app_of(interaction).parlour.pauses.resume(found.id, user, admin=True)
        await _record(interaction, going.id, "resume", "")
        await say(interaction, f"Table {going.id} goes on; its clocks run again. {link(going)}")

    @app_commands.command(name="deadline", description="Give somebody more time")
    @app_commands.describe(
        player="Who gets more time", by="How much more: 1d12h, 3 days, 90 minutes; from a minute to 30 days"
    )
    @app_commands.autocomplete(table=open_tables)
    @app_commands.guild_only()
    async def deadline(
        self, interaction: Interaction, player: discord.User, by: Line, table: int | None = None
    ) -> None:
        """Put time into the bank of a seat."""
        found = await _admins_table(interaction, table)
        seat = found.seat_of(player.id)
        if seat is None:
            raise Refused(f"{player.display_name} doesn't sit at table {found.id}.")
        try:
            seconds = read_length(by)
        except BadPace as reason:
            raise Refused(str(reason)) from None
        parlour = app_of(interaction).parlour
        given = await parlour.lateness.give(found.id, interaction.user.id, seat, seconds)
        await _record(interaction, given.id, "deadline", f"{player.id}: {seconds:.0f} seconds")
        waited = {one.seat: one for one in await parlour.waited(given)}
        until = waited[seat].until if seat in waited else None
        now = "" if until is None else f" That is until {time_words.moment(until)}."
        await say(interaction, f"{named(given.names, seat)} gets {told_length(seconds)} more.{now}")

    @app_commands.command(
        name="config", description="Who may use /admin, where tables live, how time is kept"
    )
    @app_commands.describe(
        role="Members of this role may use /admin",
        tables_in="Each table in a thread of its own, or in the channel itself",
        clear_role="Nobody but Manage Server may use /admin",
        pace="The pace of new tables, if nobody says otherwise",
        forbid_pace="A pace at which nobody may play here; custom: all that are written by hand",
        allow_pace="A pace that was forbidden",
        when_late="What becomes of who is late at new tables, if nobody says otherwise",
        ask_role="The role that Ask around on a lobby card pings, at most once in six hours",
        most_tables="So many tables may be open here at once; 0 for any number",
        most_each="At so many of them one person may sit; 0 for as many as everywhere",
        rated="Whether new tables count for the ratings, if nobody says otherwise",
        rate_computers="Whether tables with computer players count as well",
    )
    @app_commands.autocomplete(pace=terms.paces)
    @app_commands.guild_only()
    async def config(
        self,
        interaction: Interaction,
        role: discord.Role | None = None,
        tables_in: Literal["threads", "channel"] | None = None,
        clear_role: bool = False,
        pace: terms.PaceName | None = None,
        forbid_pace: PaceKind | None = None,
        allow_pace: PaceKind | None = None,
        when_late: terms.Late | None = None,
        ask_role: discord.Role | None = None,
        most_tables: app_commands.Range[int, 0, 10_000] | None = None,
        most_each: app_commands.Range[int, 0, 20] | None = None,
        rated: bool | None = None,
        rate_computers: bool | None = None,
    ) -> None:
        """Show or change a server's settings."""
        await require_admin(interaction)
        parlour = app_of(interaction).parlour
        before = await parlour.settings(interaction.guild_id or 0)
        settings = with_paces(before, pace, forbid_pace, allow_pace)
        asked = None if ask_role is None else ask_role.id
        settings = with_limits(settings, asked, most_tables, most_each, rated, rate_computers)
        if role is not None or clear_role:
            if not interaction.permissions.manage_guild:
                raise Refused("Only members with Manage Server may say which role may use `/admin`.")
            settings = msgspec.structs.replace(
                settings, admin_role_id=None if clear_role else role and role.id
            )
        if tables_in is not None:
            settings = msgspec.structs.replace(settings, place=tables_in)
        if when_late is not None:
            settings = msgspec.structs.replace(settings, when_late=WhenLate(when_late).value)
        if settings != before:
            await parlour.store.save_guild(settings)
            await _record(interaction, None, "config", noted(settings))
        await reply(interaction, _page(Page(["\n".join(told(settings))])))

    @app_commands.command(name="board", description="One message that lists all open tables, kept up to date")
    @app_commands.describe(channel="Where it stands", off="Take it away")
    @app_commands.guild_only()
    async def board(
        self, interaction: Interaction, channel: discord.TextChannel | None = None, off: bool = False
    ) -> None:
        """Put up the notice board, take it away, or say where it stands."""
        await require_admin(interaction)
        boards, guild_id = notice_boards(interaction), interaction.guild_id or 0
        if off:
            await boards.take_down(guild_id)
            await _record(interaction, None, "board", "off")
            return await say(interaction, "The notice board is gone. `/admin board` puts up another.")
        if channel is None:
            return await say(interaction, await boards.where(guild_id))
        address = await boards.put_up(channel)
        await _record(interaction, None, "board", str(channel.id))
        if address is None:
            return await say(interaction, f"I can't post in {channel.mention} just now; I go on trying.")
        await say(interaction, f"The notice board stands in {channel.mention}: {address}")


@on_press("admin", "no")
async def no_pressed(interaction: Interaction, press: Press) -> None:
    """Leave everything as it is."""
    await reply(interaction, _page(Page(["Nothing has changed."])), edit=True)


async def _confirmed(interaction: Interaction, press: Press, *, same_version: bool = True) -> Table:
    table = await _admins_table(interaction, press.table)
    if same_version and table.version != press.moment:
        raise Refused("The table has moved on since you were asked; use the command again.")
    return table


async def _done(interaction: Interaction, table: Table, action: str, detail: str, text: str) -> None:
    await _record(interaction, table.id, action, detail)
    await reply(interaction, _page(Page([text])), edit=True)


@on_press("admin", "close")
async def close_pressed(interaction: Interaction, press: Press) -> None:
    """Close the table."""
    table = await _confirmed(interaction, press, same_version=False)
    await app_of(interaction).parlour.play.close(table.id, interaction.user.id)
    await _done(interaction, table, "close", "", f"Table {table.id} is closed.")


@on_press("admin", "kick")
async def kick_pressed(interaction: Interaction, press: Press) -> None:
    """Take the player from the table."""
    table = await _confirmed(interaction, press, same_version=False)
    parlour = app_of(interaction).parlour
    seat = table.seat_of(press.number)
    if seat is None:
        raise Refused("They don't sit at this table any more.")
    name = named(table.names, seat)
    if table.phase is Phase.PLAY:
        await parlour.play.hand_over(table.id, seat, interaction.user.id, Strength.STRONG)
    else:
        await parlour.lobby.kick(table.id, seat, interaction.user.id)
        parlour.outbox.wake(table.id)
    await _done(interaction, table, "kick", press.arg, f"{name} no longer sits at table {table.id}.")


@on_press("admin", "skip")
async def skip_pressed(interaction: Interaction, press: Press) -> None:
    """Let a computer player make the turn."""
    table = await _confirmed(interaction, press)
    app = app_of(interaction)
    steps = await app.parlour.play.skip(table.id, interaction.user.id)
    perspective = await app.parlour.play.perspective(table.id, None)
    told = [
        presenter(table).event_line(event, perspective.view, table.names)
        for step in steps
        for event in readable(step.events, None)
    ]
    text = "\n".join(["Played by computer:", *(line for line in told if line is not None)])
    await _done(interaction, table, "skip", f"{len(steps)} steps", text)


@on_press("admin", "rollback")
async def rollback_pressed(interaction: Interaction, press: Press) -> None:
    """Take the steps back."""
    table = await _confirmed(interaction, press)
    await app_of(interaction).parlour.play.rollback(table.id, press.number, interaction.user.id)
    await _done(interaction, table, "rollback", press.arg, f"Table {table.id} stands as it did before.")


async def setup(bot: commands.Bot) -> None:
    """Add the cog to a bot."""
    await bot.add_cog(Admin())
