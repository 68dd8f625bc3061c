"""What administrators do at single tables: the typed commands, the questions, and what is done."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core import time_words
from cogs.core.app import app_of, link, missing_permissions, named
from cogs.core.authority import require_admin, write_down
from cogs.core.lookup import AnyTable, OpenTable, table_here
from cogs.core.presenter import presenter
from cogs.core.story import lines_of
from cogs.servers.admin_page import Search, table_page
from cogs.time.seats import replaced
from cogs.ui.acknowledge import in_panel
from cogs.ui.interaction import Interaction
from cogs.ui.limits import Line
from cogs.ui.page import DANGER, PRIMARY, Button, Page, Part
from cogs.ui.press import NOT_OURS, Press, number_of, on_press
from cogs.ui.reply import reply
from engines.engine import readable
from engines.game import Seat
from tables.clocks.pace import BadPace, read_length, told_length
from tables.core.table import Phase, Refused, Table
from tables.play.seats import Kick, kick_of
from tables.time.reading import read_until

KNOWN_BY_ALL = (
    "The game is over: all have seen every hand, and can work out from the seed what will be drawn. "
    "It goes on from there, and the ratings are worked out as if it had not ended."
)
MOST_STEPS = 100


async def admins_table(interaction: Interaction, number: int | None) -> Table:
    """The table that an administrator means. Raises Refused for anybody else, and where there is none."""
    await require_admin(interaction)
    return await table_here(interaction, number)


async def _table_to_take_back(interaction: Interaction, number: int | None) -> Table:
    """The table of a rollback: one that is open, or where there is none here one that is finished."""
    await require_admin(interaction)
    try:
        return await table_here(interaction, number)
    except Refused:
        return await table_here(interaction, number, (Phase.OVER,))


def seat_at(table: Table, user_id: int) -> Seat:
    """The seat of a person at a table. Raises Refused for who doesn't sit there, or no longer."""
    seat = table.seat_of(user_id)
    if seat is None:
        raise Refused(f"<@{user_id}> doesn't sit at table {table.id}.")
    return seat


def back_to(table: Table) -> list[Button]:
    """The ways back from what was done at a table into the panel."""
    return [
        Button(f"Table {table.id}", Press("admin", "table", table.id)),
        Button("All tables", Press("admin", "list")),
    ]


async def answer(interaction: Interaction, table: Table, *parts: Part) -> None:
    """Ask for something more: in the panel with the ways back, or alone after a typed command."""
    ways = [back_to(table)] if in_panel(interaction) else []
    await reply(interaction, Page([*parts, *ways]), edit=True)


async def done(interaction: Interaction, table: Table, text: str) -> None:
    """Say what was done: in the panel above the table as it stands now, or alone after a typed command."""
    if not in_panel(interaction):
        return await reply(interaction, Page([text]), edit=True)
    now = await app_of(interaction).parlour.table(table.id)
    await reply(interaction, await table_page(interaction, now, Search(), text), edit=True)


async def _ask(
    interaction: Interaction, table: Table, question: str, verb: str, arg: str = "", *others: Button
) -> None:
    row = [
        Button("Yes, do it", Press("admin", verb, table.id, table.version, arg), DANGER),
        Button("No", Press("admin", "no", table.id), PRIMARY),
        *others,
    ]
    await reply(interaction, Page([question, row]), edit=True)


async def ask_close(interaction: Interaction, table: Table) -> None:
    """Ask whether a table is to be closed."""
    question = f"**Close table {table.id}?** Its game ends without a result. That can't be undone."
    await _ask(interaction, table, question, "close")


async def ask_kick(interaction: Interaction, table: Table, user_id: int) -> None:
    """Say what would become of a table without a player, and ask whether they are to be taken from it."""
    seat = seat_at(table, user_id)
    what = kick_of(table, user_id)
    question = f"**Kick {named(table.names, seat)} from table {table.id}?** {_without(table, user_id, what)}"
    await _ask(interaction, table, question, "kick", f"{user_id}.{what}")


def _without(table: Table, user_id: int, what: Kick) -> str:
    """What becomes of a table when somebody is taken from it, and whether that can be taken back."""
    match what:
        case Kick.COMPUTER:
            return "A computer plays on in their place. That can't be taken back."
        case Kick.CLOSES if table.phase is Phase.PLAY:
            return (
                "Nobody else plays there, so the table closes and its game ends without a result. "
                "That can't be taken back."
            )
        case Kick.CLOSES:
            return "Nobody else sits there, so the lobby closes."
        case Kick.FREE:
            after = "The seat is free then; they can join again."
            heir = next(seat for seat, one in enumerate(table.seats) if one.user_id not in (None, user_id))
            host = f" {named(table.names, heir)} becomes the host." if user_id == table.host_id else ""
            return f"{after}{host}"


async def ask_skip(interaction: Interaction, table: Table) -> None:
    """Ask whether a computer is to make the turn of those who are waited for."""
    if table.phase is not Phase.PLAY:
        raise Refused("Nobody is waited for: no game is going on at this table.")
    waited = ", ".join(named(table.names, seat) for seat in table.owing)
    question = f"**Play this turn of {waited} by computer?** `/admin rollback` can take it back."
    await _ask(interaction, table, question, "skip")


async def ask_rollback(interaction: Interaction, table: Table, steps: int) -> None:
    """Show what would be taken back, and ask."""
    app = app_of(interaction)
    perspective = await app.parlour.play.perspective(table.id, None)
    taken = await app.parlour.history.last_steps(table, steps)
    if not taken:
        raise Refused("There is no step to take back.")
    told = lines_of(perspective.table, perspective.view, [row for step in taken for row in step])
    question = "\n".join([f"**Take back these steps of table {table.id}?**", *told])
    if table.phase is Phase.OVER:
        question += f"\n{KNOWN_BY_ALL}"
    one_more = Button("One step more", Press("admin", "steps", table.id, 0, str(steps + 1)))
    others = [one_more] if len(taken) == steps < MOST_STEPS else []
    await _ask(interaction, table, question, "rollback", str(len(taken)), *others)


async def pause(interaction: Interaction, table: Table, until: str) -> None:
    """Pause a game until a time that was typed, or with nothing typed until somebody ends it."""
    parlour, user = app_of(interaction).parlour, interaction.user.id
    ends = None
    if until:
        ends = read_until(until, parlour.clock(), (await parlour.people.person(user)).zone)
    paused = await parlour.pauses.pause(table.id, user, ends, admin=True)
    await write_down(interaction, paused.id, "pause", until=ends)
    end = "" if ends is None else f" until {time_words.moment(ends)}"
    text = (
        f"Table {paused.id} is paused{end}. It goes on with `/admin resume`, **Resume** in the panel, "
        f"or when anybody there presses **Go on**. {link(paused)}"
    )
    await done(interaction, paused, text)


async def resume(interaction: Interaction, table: Table) -> None:
    """End a pause, whoever has begun it."""
    going = await app_of(interaction).parlour.pauses.resume(table.id, interaction.user.id, admin=True)
    await write_down(interaction, going.id, "resume")
    await done(interaction, going, f"Table {going.id} goes on; its clocks run again. {link(going)}")


async def give(interaction: Interaction, table: Table, user_id: int, by: str) -> None:
    """Put time into the bank of a player, as much as was typed."""
    seat = seat_at(table, user_id)
    try:
        seconds = read_length(by)
    except BadPace as reason:
        raise Refused(str(reason)) from None
    parlour = app_of(interaction).parlour
    given = await parlour.lateness.give(table.id, interaction.user.id, user_id, seconds)
    await write_down(interaction, given.id, "deadline", person=user_id, seconds=seconds)
    waited = {one.seat: one for one in await parlour.waited(given)}
    until = waited[seat].until if seat in waited else None
    now = "" if until is None else f" That is until {time_words.moment(until)}."
    await done(interaction, given, f"{named(given.names, seat)} gets {told_length(seconds)} more.{now}")


async def replace(interaction: Interaction, table: Table, user_id: int, by: discord.Member) -> None:
    """Propose that a member takes over a player's seat; all but the player are asked."""
    told = await replaced(interaction, table, user_id, by)
    await write_down(interaction, table.id, "replace", person=user_id, by=by.id)
    await done(interaction, table, told)


async def move(interaction: Interaction, table: Table, channel: discord.abc.GuildChannel | None) -> None:
    """Let a table live in another channel. Raises Refused where it can't."""
    if not isinstance(channel, discord.TextChannel):
        raise Refused("Tables live in text channels; choose another one.")
    missing = missing_permissions(channel.permissions_for(channel.guild.me))
    if missing:
        raise Refused(f"I need these permissions in {channel.mention} first: {', '.join(missing)}.")
    moved = await app_of(interaction).parlour.moving.move(table.id, interaction.user.id, channel.id)
    app_of(interaction).parlour.outbox.wake(moved.id)
    await write_down(interaction, moved.id, "move", channel=channel.id)
    await done(interaction, moved, f"Table {moved.id} goes on in {channel.mention}.")


class AdminTables(commands.GroupCog):
    """The part of the `/admin` commands that is about one table."""

    @app_commands.command(name="close", description="Close a table without a result")
    @app_commands.guild_only()
    async def close(self, interaction: Interaction, table: OpenTable | None = None) -> None:
        await ask_close(interaction, await admins_table(interaction, table))

    @app_commands.command(
        name="kick", description="Take a player from a table; asks first, and says what happens"
    )
    @app_commands.guild_only()
    async def kick(
        self, interaction: Interaction, player: discord.User, table: OpenTable | None = None
    ) -> None:
        await ask_kick(interaction, await admins_table(interaction, table), player.id)

    @app_commands.command(name="replace", description="Let somebody play on for another, if all agree")
    @app_commands.describe(player="Whose seat it is", by="Who plays on")
    @app_commands.guild_only()
    async def replace(
        self,
        interaction: Interaction,
        player: discord.User,
        by: discord.Member,
        table: OpenTable | None = None,
    ) -> None:
        await replace(interaction, await admins_table(interaction, table), player.id, by)

    @app_commands.command(name="skip", description="Let a computer make the move that everybody waits for")
    @app_commands.guild_only()
    async def skip(self, interaction: Interaction, table: OpenTable | None = None) -> None:
        await ask_skip(interaction, await admins_table(interaction, table))

    @app_commands.command(name="rollback", description="Take back the last steps of a game, its end as well")
    @app_commands.guild_only()
    async def rollback(
        self,
        interaction: Interaction,
        steps: app_commands.Range[int, 1, MOST_STEPS] = 1,
        table: AnyTable | None = None,
    ) -> None:
        await ask_rollback(interaction, await _table_to_take_back(interaction, table), steps)

    @app_commands.command(name="pause", description="Let a table stand still: no clock runs, nobody moves")
    @app_commands.describe(until="When it goes on by itself: 3 days, 2026-12-24, friday 18:00")
    @app_commands.guild_only()
    async def pause(
        self, interaction: Interaction, until: Line | None = None, table: OpenTable | None = None
    ) -> None:
        await pause(interaction, await admins_table(interaction, table), until or "")

    @app_commands.command(name="resume", description="End the pause of a table")
    @app_commands.guild_only()
    async def resume(self, interaction: Interaction, table: OpenTable | None = None) -> None:
        await resume(interaction, await admins_table(interaction, table))

    @app_commands.command(name="deadline", description="Give somebody more time")
    @app_commands.describe(
        player="Who gets more time", by="How much more: 1d12h, 3 days, 90 minutes; from a minute to 30 days"
    )
    @app_commands.guild_only()
    async def deadline(
        self, interaction: Interaction, player: discord.User, by: Line, table: OpenTable | None = None
    ) -> None:
        await give(interaction, await admins_table(interaction, table), player.id, by)

    @app_commands.command(name="move", description="Let a table live in another channel, in a new thread")
    @app_commands.describe(channel="Where it goes on")
    @app_commands.guild_only()
    async def move(
        self, interaction: Interaction, channel: discord.TextChannel, table: OpenTable | None = None
    ) -> None:
        """Move a table: its old thread leads to the new one and is archived."""
        await move(interaction, await admins_table(interaction, table), channel)


@on_press("admin", "no")
async def no_pressed(interaction: Interaction, press: Press) -> None:
    await done(interaction, await admins_table(interaction, press.table), "Nothing has changed.")


@on_press("admin", "steps")
async def steps_pressed(interaction: Interaction, press: Press) -> None:
    table = await _table_to_take_back(interaction, press.table)
    await ask_rollback(interaction, table, min(max(press.number, 1), MOST_STEPS))


async def _done(interaction: Interaction, table: Table, action: str, text: str, **details: Any) -> None:
    await write_down(interaction, table.id, action, **details)
    await done(interaction, table, text)


@on_press("admin", "close")
async def close_pressed(interaction: Interaction, press: Press) -> None:
    table = await admins_table(interaction, press.table)
    await app_of(interaction).parlour.play.close(table.id, interaction.user.id)
    await _done(interaction, table, "close", f"Table {table.id} is closed.")


@on_press("admin", "kick")
async def kick_pressed(interaction: Interaction, press: Press) -> None:
    table = await admins_table(interaction, press.table)
    whom, _, told = press.arg.partition(".")
    if told not in list(Kick):
        raise Refused(NOT_OURS)
    user_id, what = number_of(whom), Kick(told)
    name = named(table.names, seat_at(table, user_id))
    await app_of(interaction).parlour.kick(table.id, user_id, interaction.user.id, what)
    text = {
        Kick.COMPUTER: f"{name} no longer plays at table {table.id}; a computer plays on.",
        Kick.FREE: f"{name} no longer sits at table {table.id}.",
        Kick.CLOSES: f"{name} was the last person at table {table.id}, so it is closed.",
    }[what]
    await _done(interaction, table, "kick", text, person=user_id)


@on_press("admin", "skip")
async def skip_pressed(interaction: Interaction, press: Press) -> None:
    table = await admins_table(interaction, press.table)
    app = app_of(interaction)
    steps = await app.parlour.play.skip(table.id, interaction.user.id, press.moment)
    perspective = await app.parlour.play.perspective(table.id, None)
    lines = [
        presenter(table).event_line(event, perspective.view, table.names)
        for step in steps
        for event in readable(step.events, None)
    ]
    text = "\n".join(["Played by computer:", *(line for line in lines if line is not None)])
    await _done(interaction, table, "skip", text, steps=len(steps))


@on_press("admin", "rollback")
async def rollback_pressed(interaction: Interaction, press: Press) -> None:
    table = await admins_table(interaction, press.table)
    await app_of(interaction).parlour.play.rollback(table.id, press.number, interaction.user.id, press.moment)
    await _done(
        interaction, table, "rollback", f"Table {table.id} stands as it did before.", steps=press.number
    )
