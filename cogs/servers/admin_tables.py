"""Administrators' actions at single tables: commands, pages, confirmations."""

from collections.abc import Awaitable, Callable
from typing import Any, Literal
from zlib import crc32

import discord
import msgspec
from discord import app_commands
from discord.ext import commands

from cogs.core import story, time_words
from cogs.core.app import app_of, missing_permissions, table_link, table_url
from cogs.core.lookup import AnyTable, OpenTable, log_action, require_admin, table_here
from cogs.core.presenter import presenter
from cogs.discord import messages
from cogs.play.tables import describe_table
from cogs.time import propose_replacement, seat_at
from cogs.ui.form import reply
from cogs.ui.page import DANGER, PLAIN, PRIMARY, Button, Page, Part, Pick
from cogs.ui.press import NOT_OURS, Press, in_panel, number_of, on_press
from cogs.ui.text import Interaction, Line, Remark
from engines.engine import select_readable
from engines.marks import quote_player
from tables.clocks.pace import DAY, BadPace, length_words, read_length
from tables.core.change import with_reason_entry
from tables.core.table import Imported, Phase, Refused, Table
from tables.parlour import Filters
from tables.play.decisions import NO_STEP
from tables.play.seats import Kick, kick_of
from tables.time import lateness, reading

Which = Literal["open", "finished", "closed"]
PHASES = {
    "open": (Phase.LOBBY, Phase.PLAY),
    "finished": (Phase.OVER,),
    "closed": (Phase.CLOSED, Phase.EXPIRED),
}
IDLE = {0: "Idle or not", 1: "Idle for a day", 3: "Idle for three days", 7: "Idle for a week"}


class Search(msgspec.Struct, frozen=True):
    """A search for tables: `game` is a slug, `member` a user id, `idle` days; empty for any."""

    which: str = "open"
    game: str = ""
    member: int = 0
    idle: int = 0

    @property
    def arg(self) -> str:
        return f"{self.which}.{self.game}.{self.member}.{self.idle}"

    @property
    def filters(self) -> Filters:
        return Filters(PHASES[self.which], self.game or None, self.member or None, self.idle * DAY or None)


async def table_page(interaction: Interaction, table: Table, search: Search, text: str = "") -> Page:
    """Return a table with its possible actions, below the last one's result."""
    app = app_of(interaction)
    lines = await describe_table(app, table)
    steps = await app.parlour.history.last_steps(table, 1)
    what, at = ("step", steps[0][-1].at) if steps else ("change", table.touched_at)
    lines.append(f"-# Last {what} <t:{at:.0f}:R>.")
    if why := time_words.refusal(table):
        lines.append(f"-# {why}.")
    ways = [
        Button("All tables", Press("admin", "list", 0, 1, search.arg)),
        Button("What admins did here", Press("audit", "page", table.id, 1)),
        Button("Go there", url=table_url(table)),
    ]
    done = [
        Button(label, Press("admin", "do", table.id, digest_of(table, verb), verb), style)
        for label, verb, style in _verbs(table)
    ]
    return Page([*([text] if text else []), "\n".join(lines), *([done] if done else []), ways])


def digest_of(table: Table, verb: str) -> int:
    """Return a digest of the facts that an action is about."""
    seats = [(one.name, one.user_id) for one in table.seats]
    waits = table.owing if verb == "skip" else ()
    return crc32(repr((str(table.phase), table.paused_at is None, seats, waits)).encode())


def _verbs(table: Table) -> list[tuple[str, str, discord.ButtonStyle]]:
    """Return a table's possible actions, named like their commands."""
    result: list[tuple[str, str, discord.ButtonStyle]] = []
    playing, paused, people = table.phase is Phase.PLAY, table.paused_at is not None, bool(table.people)
    if playing:
        result.append(("Resume…", "resume", PRIMARY) if paused else ("Pause…", "pause", PLAIN))
    if playing and people:
        result += [("Deadline…", "deadline", PLAIN), ("Replace…", "replace", PLAIN)]
    if playing or (table.phase is Phase.OVER and not isinstance(table.origin, Imported)):
        result.append(("Roll back…", "rollback", PLAIN))
    if playing or table.phase is Phase.LOBBY:
        result.append(("Move to…", "move", PLAIN))
    if playing and not paused and (table.awaited or set(table.owing) & set(table.offered_seats)):
        result.append(("Let a computer play this turn…", "skip", DANGER))
    if people and (playing or table.phase is Phase.LOBBY):
        result.append(("Kick…", "kick", DANGER))
    if playing or table.phase is Phase.LOBBY:
        result.append(("Close…", "close", DANGER))
    return result


KNOWN_BY_ALL = (
    "The game is over, so everyone has seen every hand and can work out the coming draws "
    "from the seed. Undoing these steps continues the game"
)
UNRATED = ", and its result no longer counts for the ratings"
MOST_STEPS = 100


async def admins_table(interaction: Interaction, number: int | None) -> Table:
    await require_admin(interaction)
    return await table_here(interaction, number)


async def _table_to_take_back(interaction: Interaction, number: int | None) -> Table:
    """Return a rollback's table: an open one, else a finished one."""
    await require_admin(interaction)
    try:
        return await table_here(interaction, number)
    except Refused:
        return await table_here(interaction, number, (Phase.OVER,))


def back_to(table: Table) -> list[Button]:
    return [
        Button(f"Table {table.id}", Press("admin", "table", table.id)),
        Button("All tables", Press("admin", "list")),
    ]


async def answer(interaction: Interaction, table: Table, *parts: Part) -> None:
    """Ask for more, in the panel or after a typed command."""
    ways = [back_to(table)] if in_panel(interaction) else []
    await reply(interaction, Page([*parts, *ways]), edit=True)


async def report_done(
    interaction: Interaction, table: Table, text: str, above: str | None = None, reason: str = ""
) -> None:
    """Report an action, in the panel or after a typed command.

    `above` replaces the text in the panel, where the table below says the rest.
    """
    if not in_panel(interaction):
        return await reply(interaction, Page([text, *messages.part(reason)]), edit=True)
    now = await app_of(interaction).parlour.table(table.id)
    result = text if above is None else above
    await reply(interaction, await table_page(interaction, now, Search(), result), edit=True)


def _confirmation(table: Table, verb: str, arg: str = "") -> Press:
    return Press("admin", verb, table.id, table.version, arg)


async def ask_close(interaction: Interaction, table: Table, reason: str = "") -> None:
    ends = "The game ends without a result." if table.phase is Phase.PLAY else "The lobby disappears."
    question = f"**Close table {table.id}?** {ends} You can't undo that."
    page = Page(messages.confirmation(question, _confirmation(table, "close"), "close", reason))
    await reply(interaction, page, edit=True)


async def ask_kick(interaction: Interaction, table: Table, user_id: int, reason: str = "") -> None:
    seat = seat_at(table, user_id)
    what = kick_of(table, user_id)
    follows = _kick_consequences(table, user_id, what)
    if what is Kick.COMPUTER and await app_of(interaction).parlour.vacancies.has_takers(table.id):
        follows = "People looking for a game can take the seat. If nobody takes it, a computer does. "
        follows += "You can't undo this."
    question = f"**Kick {quote_player(table.names, seat)} from table {table.id}?** {follows}"
    press = _confirmation(table, "kick", f"{user_id}.{what}")
    page = Page(messages.confirmation(question, press, f"kick.{user_id}", reason))
    await reply(interaction, page, edit=True)


def _kick_consequences(table: Table, user_id: int, what: Kick) -> str:
    match what:
        case Kick.COMPUTER:
            return "A computer takes their seat. You can't undo this."
        case Kick.CLOSES if table.phase is Phase.PLAY:
            return "Nobody else is playing, so the table would close without a result. You can't undo that."
        case Kick.CLOSES:
            return "Nobody else is there, so the lobby closes."
        case Kick.FREE:
            after = "They can join again."
            heir = next(seat for seat, one in enumerate(table.seats) if one.user_id not in (None, user_id))
            host = f" {quote_player(table.names, heir)} becomes the host." if user_id == table.host_id else ""
            return f"{after}{host}"


async def ask_skip(interaction: Interaction, table: Table, reason: str = "") -> None:
    """Confirm that a computer makes the turn of those to move."""
    if table.phase is not Phase.PLAY:
        raise Refused("No game is running here, so nobody has to move.")
    waited = ", ".join(quote_player(table.names, seat) for seat in table.owing)
    question = f"**Let a computer play {waited}'s turn?** `/admin rollback` can undo it."
    page = Page(messages.confirmation(question, _confirmation(table, "skip"), "skip", reason))
    await reply(interaction, page, edit=True)


async def _undoable_steps(interaction: Interaction, table: Table, steps: int) -> tuple[int, list[str]]:
    app = app_of(interaction)
    perspective = await app.parlour.play.perspective(table.id, None)
    taken = await app.parlour.history.last_steps(table, steps)
    if not taken:
        raise Refused(NO_STEP)
    rows = [row for step in taken for row in step]
    return len(taken), story.lines_of(perspective.table, perspective.view, rows)


async def ask_rollback(interaction: Interaction, table: Table, steps: int, reason: str = "") -> None:
    number, lines = await _undoable_steps(interaction, table, steps)
    question = "\n".join([f"**Undo these steps at table {table.id}?**", *lines])
    if table.phase is Phase.OVER:
        rows = await app_of(interaction).parlour.standings.count_table(table.id)
        question += f"\n{KNOWN_BY_ALL}{UNRATED if any(row.counts for row in rows) else ''}."
    one_more = Button("One more step", Press("admin", "steps", table.id, 0, str(steps + 1)))
    others = [one_more] if number == steps < MOST_STEPS else []
    press = _confirmation(table, "rollback", str(number))
    page = Page(messages.confirmation(question, press, f"rollback.{number}", reason, *others))
    await reply(interaction, page, edit=True)


async def pause(interaction: Interaction, table: Table, until: str, reason: str = "") -> None:
    parlour, user = app_of(interaction).parlour, interaction.user.id
    ends = None
    if until:
        ends = reading.read_until(until, parlour.clock(), (await parlour.people.person(user)).zone)
    paused = await parlour.pauses.pause(table.id, user, ends, admin=True, reason=reason)
    await log_action(interaction, paused.id, "pause", until=ends, reason=reason)
    end = "" if ends is None else f" until {time_words.moment(ends)}"
    text = f"Table {paused.id} is paused{end}. Only admins can resume it, with `/admin resume`."
    await report_done(interaction, paused, f"{text} {table_link(paused)}", above="Done.", reason=reason)


async def resume(interaction: Interaction, table: Table, reason: str = "") -> None:
    """End a pause, whoever began it."""
    pauses = app_of(interaction).parlour.pauses
    going = await pauses.resume(table.id, interaction.user.id, admin=True, reason=reason)
    await log_action(interaction, going.id, "resume", reason=reason)
    text = f"Table {going.id} continues, and its clocks run again."
    await report_done(interaction, going, f"{text} {table_link(going)}", above=text, reason=reason)


async def give(interaction: Interaction, table: Table, user_id: int, by: str, reason: str = "") -> None:
    """Add a typed amount of time to a player's bank."""
    seat = seat_at(table, user_id)
    try:
        seconds = read_length(by)
    except BadPace as error:
        raise Refused(str(error)) from None
    parlour = app_of(interaction).parlour
    given = (
        await parlour.decide(
            table.id,
            with_reason_entry(lateness.extend_time, interaction.user.id, reason),
            actor_id=interaction.user.id,
            user_id=user_id,
            seconds=seconds,
        )
    ).table
    await log_action(interaction, given.id, "deadline", person=user_id, seconds=seconds, reason=reason)
    waited = {one.seat: one for one in await parlour.waited_people(given)}
    until = waited[seat].until if seat in waited else None
    now = "" if until is None else f" They now have time until {time_words.moment(until)}."
    text = f"{quote_player(given.names, seat)} gets {length_words(seconds)} more.{now}"
    await report_done(interaction, given, text, reason=reason)


async def replace(
    interaction: Interaction, table: Table, user_id: int, by: discord.Member, reason: str = ""
) -> None:
    """Propose a seat's new player; ask all but the old one."""
    text = await propose_replacement(interaction, table, user_id, by, reason)
    await log_action(interaction, table.id, "replace", person=user_id, by=by.id, reason=reason)
    await report_done(interaction, table, text, reason=reason)


async def move(
    interaction: Interaction, table: Table, channel: discord.abc.GuildChannel | None, reason: str = ""
) -> None:
    if not isinstance(channel, discord.TextChannel):
        raise Refused("A table needs a text channel. Choose another one.")
    missing = missing_permissions(channel.permissions_for(channel.guild.me))
    if missing:
        raise Refused(f"I need these permissions in {channel.mention} first: {', '.join(missing)}.")
    moving = app_of(interaction).parlour.moving
    moved = await moving.move(table.id, interaction.user.id, channel.id, reason)
    app_of(interaction).parlour.outbox.wake(moved.id)
    await log_action(interaction, moved.id, "move", channel=channel.id, reason=reason)
    await report_done(interaction, moved, f"Table {moved.id} continues in {channel.mention}.", reason=reason)


class AdminTables(commands.GroupCog):
    """The part of the `/admin` commands about one table; its players see the reasons."""

    @app_commands.command(description="Close a table without a result")
    @app_commands.describe(reason=messages.TO_PLAYERS)
    async def close(self, interaction: Interaction, table: OpenTable = None, reason: Remark = "") -> None:
        await ask_close(interaction, await admins_table(interaction, table), reason)

    @app_commands.command(description="Remove a player from a table (I ask you to confirm first)")
    @app_commands.describe(reason=messages.TO_PLAYERS)
    async def kick(
        self, interaction: Interaction, player: discord.User, table: OpenTable = None, reason: Remark = ""
    ) -> None:
        result = await admins_table(interaction, table)
        await ask_kick(interaction, result, player.id, reason)

    @app_commands.command(description="Give a player's seat to someone else, if all agree")
    @app_commands.describe(
        player="Whose seat", by="Who gets the seat and plays on", reason=messages.TO_PLAYERS
    )
    async def replace(
        self,
        interaction: Interaction,
        player: discord.User,
        by: discord.Member,
        table: OpenTable = None,
        reason: Remark = "",
    ) -> None:
        result = await admins_table(interaction, table)
        await replace(interaction, result, player.id, by, reason)

    @app_commands.command(description="Let a computer play the move everyone is waiting for")
    @app_commands.describe(reason=messages.TO_PLAYERS)
    async def skip(self, interaction: Interaction, table: OpenTable = None, reason: Remark = "") -> None:
        await ask_skip(interaction, await admins_table(interaction, table), reason)

    @app_commands.command(description="Roll back a game's last steps, even if it's over")
    @app_commands.describe(reason=messages.TO_PLAYERS)
    async def rollback(
        self,
        interaction: Interaction,
        steps: app_commands.Range[int, 1, MOST_STEPS] = 1,
        table: AnyTable = None,
        reason: Remark = "",
    ) -> None:
        result = await _table_to_take_back(interaction, table)
        await ask_rollback(interaction, result, steps, reason)

    @app_commands.command(description="Pause a table: clocks stop, nobody can move")
    @app_commands.describe(
        until="When the game resumes: 3 days, 2026-12-24, friday 18:00", reason=messages.TO_PLAYERS
    )
    async def pause(
        self,
        interaction: Interaction,
        until: Line | None = None,
        table: OpenTable = None,
        reason: Remark = "",
    ) -> None:
        result = await admins_table(interaction, table)
        await pause(interaction, result, until or "", reason)

    @app_commands.command(description="End the pause of a table")
    @app_commands.describe(reason=messages.TO_PLAYERS)
    async def resume(self, interaction: Interaction, table: OpenTable = None, reason: Remark = "") -> None:
        await resume(interaction, await admins_table(interaction, table), reason)

    @app_commands.command(description="Extend someone's deadline")
    @app_commands.describe(
        player="Whose deadline",
        by="By how much, like 1d12h, 3 days or 90 minutes (at most 30 days)",
        reason=messages.TO_PLAYERS,
    )
    async def deadline(
        self,
        interaction: Interaction,
        player: discord.User,
        by: Line,
        table: OpenTable = None,
        reason: Remark = "",
    ) -> None:
        result = await admins_table(interaction, table)
        await give(interaction, result, player.id, by, reason)

    @app_commands.command(description="Move a table to another channel, in a new thread")
    @app_commands.describe(channel="The channel where the game continues", reason=messages.TO_PLAYERS)
    async def move(
        self,
        interaction: Interaction,
        channel: discord.TextChannel,
        table: OpenTable = None,
        reason: Remark = "",
    ) -> None:
        """Move a table: its old thread links to the new one."""
        result = await admins_table(interaction, table)
        await move(interaction, result, channel, reason)


@on_press("admin", "no")
async def on_no(interaction: Interaction, press: Press) -> None:
    await report_done(interaction, await admins_table(interaction, press.table), "Nothing changed.")


@on_press("admin", "steps")
async def on_steps(interaction: Interaction, press: Press) -> None:
    table = await _table_to_take_back(interaction, press.table)
    await ask_rollback(interaction, table, _steps_of(press.arg), messages.read_reason(interaction))


async def _log_and_report(
    interaction: Interaction, table: Table, action: str, text: str, **details: Any
) -> None:
    await log_action(interaction, table.id, action, reason=messages.read_reason(interaction), **details)
    await report_done(interaction, table, text)


@on_press("admin", "close")
async def on_close(interaction: Interaction, press: Press) -> None:
    table = await admins_table(interaction, press.table)
    play, reason = app_of(interaction).parlour.play, messages.read_reason(interaction)
    await play.close(table.id, interaction.user.id, reason=reason)
    await _log_and_report(interaction, table, "close", "Done.")


@on_press("admin", "kick")
async def on_kick(interaction: Interaction, press: Press) -> None:
    table = await admins_table(interaction, press.table)
    whom, _, result = press.arg.partition(".")
    if result not in list(Kick):
        raise Refused(NOT_OURS)
    user_id, what = number_of(whom), Kick(result)
    name = quote_player(table.names, seat_at(table, user_id))
    parlour, reason = app_of(interaction).parlour, messages.read_reason(interaction)
    seat = table.seat_of(user_id)
    after = await parlour.kick(table.id, user_id, interaction.user.id, what, reason)
    heir = "I'm offering" if seat in after.offered_seats else "A computer takes"
    to = " to people looking for a game" if seat in after.offered_seats else ""
    text = {
        Kick.COMPUTER: f"{heir} {name}'s seat at table {table.id}{to}.",
        Kick.FREE: f"I removed {name} from table {table.id}.",
        Kick.CLOSES: f"{name} was the last one at table {table.id}, so it's closed.",
    }[what]
    await _log_and_report(interaction, table, "kick", text, person=user_id)


@on_press("admin", "skip")
async def on_skip(interaction: Interaction, press: Press) -> None:
    table = await admins_table(interaction, press.table)
    app = app_of(interaction)
    reason = messages.read_reason(interaction)
    steps = await app.parlour.play.skip(table.id, interaction.user.id, press.moment, reason)
    perspective = await app.parlour.play.perspective(table.id, None)
    lines = [
        presenter(table).words.event_line(event, perspective.view, table.names)
        for step in steps
        for event in select_readable(step.events, None)
    ]
    # A computer that waited for somebody to take its seat moves after this.
    head = "The computer played:" if steps else "The computer plays now."
    text = "\n".join([head, *(line for line in lines if line is not None)])
    people = [user_id for seat in table.owing if (user_id := table.seats[seat].user_id) is not None]
    person = people[0] if len(people) == 1 else None
    await _log_and_report(interaction, table, "skip", text, steps=len(steps), person=person)


@on_press("admin", "rollback")
async def on_rollback(interaction: Interaction, press: Press) -> None:
    table = await admins_table(interaction, press.table)
    number, lines = await _undoable_steps(interaction, table, press.number)
    play, reason = app_of(interaction).parlour.play, messages.read_reason(interaction)
    await play.rollback(table.id, number, interaction.user.id, press.moment, reason)
    await _log_and_report(interaction, table, "rollback", "\n".join(["**Undone:**", *lines]), steps=number)


@on_press("admin", "why")
async def on_why(interaction: Interaction, press: Press) -> None:
    """Ask for a reason, then ask for confirmation again."""
    table = await _table_to_take_back(interaction, press.table)
    verb, _, arg = press.arg.partition(".")
    if verb not in QUESTIONS:
        raise Refused(NOT_OURS)

    async def again(answered: Interaction, reason: str) -> None:
        await QUESTIONS[verb](answered, await _table_to_take_back(answered, table.id), arg, reason)

    await messages.ask_why(interaction, again)


async def ask_replace(interaction: Interaction, table: Table, user_id: int, reason: str = "") -> None:
    name = quote_player(table.names, seat_at(table, user_id))
    text = f"**Who should take {name}'s seat?** Then I'll ask the others at the table if they agree."
    pick = Pick(Press("admin", "by", table.id, 0, str(user_id)), "Who takes over?", "member", least=1)
    row = [messages.button("admin", table.id, f"replace.{user_id}", reason), *back_to(table)]
    await reply(interaction, Page([text, *messages.part(reason), pick, row]), edit=True)


async def ask_move(interaction: Interaction, table: Table, reason: str = "") -> None:
    text = (
        f"**Where should table {table.id} continue?** I'll make a new thread there, "
        "put a link to it in the old thread, and close the old one."
    )
    pick = Pick(Press("admin", "where", table.id), "Which channel?", "channel", least=1)
    row = [messages.button("admin", table.id, "move", reason), *back_to(table)]
    await reply(interaction, Page([text, *messages.part(reason), pick, row]), edit=True)


QUESTIONS: dict[str, Callable[[Interaction, Table, str, str], Awaitable[None]]] = {
    "kick": lambda asked, table, arg, reason: ask_kick(asked, table, number_of(arg), reason),
    "rollback": lambda asked, table, arg, reason: ask_rollback(asked, table, _steps_of(arg), reason),
    "close": lambda asked, table, _, reason: ask_close(asked, table, reason),
    "skip": lambda asked, table, _, reason: ask_skip(asked, table, reason),
    "replace": lambda asked, table, arg, reason: ask_replace(asked, table, number_of(arg), reason),
    "move": lambda asked, table, _, reason: ask_move(asked, table, reason),
}
"""The questions to repeat once a reason is given."""


def _steps_of(arg: str) -> int:
    return min(max(number_of(arg), 1), MOST_STEPS)
