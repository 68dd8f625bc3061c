"""Your own tables: `/mine`, the digest, and your block list."""

from collections.abc import Mapping, Sequence

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core import time_words
from cogs.core.app import app_of, name_of, table_url
from cogs.review.record import line
from cogs.ui.form import reply
from cogs.ui.page import PLAIN, PRIMARY, Button, ButtonLine, Page, Part
from cogs.ui.press import Press, on_press, say
from cogs.ui.text import Interaction, anywhere
from engines import marks, registry, words
from engines.game import Seat
from tables.clocks.pace import DAY, Span, length_words
from tables.core.table import Refused, Table
from tables.core.turns import AwaitedPerson
from tables.lobby.invitations import MOST
from tables.people import Digest, Overview, RunningTable, WaitingTurn

TITLE = "### Your tables"
MINE, OTHERS, LOBBIES, ENDED = "Waiting for you", "Waiting for others", "Not started", "Ended this week"
LESSONS = "Games to learn"
ENDED_LATELY = "Ended since the last digest"
NOTHING = (
    "You aren't at any table. In a server, `/table list` shows tables to join. `/help` says how to open one."
)
NOBODY_WAITS = "No tables are waiting for you."
MORE = "-# … and {count} more."


def digest_title(gap: Span | None) -> str:
    """Return a digest's title, after a notice of a long outage."""
    if gap is None:
        return "### Your tables today"
    begin, end = gap
    return (
        f"### I'm back\nI was away for {length_words(end - begin)}. All clocks stopped, and nobody "
        "will be late in the next hour. Your tables:"
    )


def _title(table: Table) -> str:
    return f"**{registry.game(table.slug).title}** · [table {table.id}]({table_url(table)})"


def _names(table: Table, seats: Sequence[Seat]) -> str:
    return words.join_words([marks.quote_player(table.names, seat) for seat in seats])


def mine_line(standing: RunningTable, user_id: int) -> str:
    """Return a table's players and the time left."""
    table = standing.table
    others = [seat for seat, one in enumerate(table.seats) if one.user_id != user_id]
    company = f" · with {_names(table, others)}" if others else ""
    return f"{_title(table)}{company}\n{'' if standing.own is None else _time(table, standing.own)}"


def _time(table: Table, own: AwaitedPerson) -> str:
    if (blocked := time_words.obstacle(table)) is not None:
        return blocked
    if own.late is not None:
        return f"⏰ You're late: your time ran out <t:{own.late:.0f}:R>."
    if own.away is not None and not table.pace.one_sitting:
        return f"🌴 You're away until <t:{own.away:.0f}:D>. Your clock is stopped."
    if own.until is None or not table.pace.kept:
        return f"No clock. Your turn began <t:{table.clock(own.seat).begun:.0f}:R>."
    return f"{time_words.CLOCK} Due {time_words.moment(own.until)}."


def others_line(standing: RunningTable) -> str:
    """Return the players to move, and since when."""
    table = standing.table
    if table.paused_at is not None:
        until = "" if table.paused_until is None else f" until <t:{table.paused_until:.0f}:f>"
        return f"{_title(table)}: paused{until}"
    if (blocked := time_words.obstacle(table)) is not None:
        return f"{_title(table)}: {blocked}"
    people = [seat for seat in table.awaited if not table.clock(seat).deputy]
    if not people:
        is_free = set(table.owing) <= set(table.offered_seats)
        return f"{_title(table)}: {'a seat is free' if is_free else 'a computer player moves'}"
    since = min(table.clock(seat).begun for seat in people)
    return f"{_title(table)}: waiting for {_names(table, people)} · the turn began <t:{since:.0f}:R>"


def lobby_line(table: Table, user_id: int) -> str:
    host = " · you're the host" if table.host_id == user_id else ""
    return f"{_title(table)}: {table.taken} of {table.room} seats taken{host}"


def end_line(table: Table) -> str:
    return f"{_title(table)}: {_result(table)}, <t:{table.touched_at:.0f}:R>"


def _result(table: Table) -> str:
    outcome = table.outcome
    if outcome is None:
        return "closed without a result"
    if outcome.won is not None:
        return "won" if outcome.won else "lost"
    best = [seat for seat, place in enumerate(outcome.places) if place == 1]
    return f"won by {_names(table, best)}" if best else "nobody won"


def next_table(turn: WaitingTurn) -> str:
    due = "" if turn.until is None else f", due <t:{turn.until:.0f}:R>"
    return f"-# **{registry.game(turn.slug).title}**, table {turn.table_id}, is waiting for you too{due}."


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
        return Page([NOTHING, *_lessons(lessons), [_again()]])
    page = Page([TITLE if overview.mine else f"{TITLE}\n{NOBODY_WAITS}"])
    notes = overview.notes
    others = [others_line(standing) + _note(notes, standing.table) for standing in overview.others]
    page.parts += _waiting(overview.mine, user_id, notes)
    page.parts += _list_parts(OTHERS, others)
    page.parts += _list_parts(LOBBIES, [lobby_line(t, user_id) + _note(notes, t) for t in overview.lobbies])
    page.parts += _list_parts(ENDED, [end_line(table) + _note(notes, table) for table in overview.ended])
    page.parts += _lessons(lessons)
    page.parts.append([_again()])
    return page


def digest_page(digest: Digest) -> Page:
    overview = digest.overview
    page = Page([digest_title(digest.gap)])
    page.parts += _waiting(overview.mine, digest.user_id, overview.notes)
    page.parts += _list_parts(ENDED_LATELY, [end_line(table) for table in overview.ended])
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
    parts: list[Part] = [f"**{MINE}**"]
    for number, standing in enumerate(mine[:MOST_BUTTONS]):
        table = standing.table
        press = Press("table", "turn", table.id, table.version)
        text = mine_line(standing, user_id) + _note(notes, table)
        parts.append(ButtonLine(text, Button(f"Open table {table.id}", press, PLAIN if number else PRIMARY)))
    further = [mine_line(one, user_id) + _note(notes, one.table) for one in mine[MOST_BUTTONS:]]
    return [*parts, "\n".join(further)] if further else parts


def _lessons(slugs: Sequence[str]) -> list[Part]:
    lines: list[Part] = [
        ButtonLine(
            f"**{registry.game(slug).title}** · no deadline",
            Button(f"Learn {registry.game(slug).title}", Press("learn", "again", 0, 0, slug)),
        )
        for slug in slugs
    ]
    return [f"**{LESSONS}**", *lines] if lines else []


def _list_parts(title: str, lines: Sequence[str]) -> list[Part]:
    if not lines:
        return []
    shown = [f"- {line}" for line in lines[:MOST_LINES]]
    if len(lines) > MOST_LINES:
        shown.append(MORE.format(count=len(lines) - MOST_LINES))
    return ["\n".join([f"**{title}**", *shown])]


async def _page(interaction: Interaction) -> Page:
    parlour, user_id = app_of(interaction).parlour, interaction.user.id
    overview = await parlour.overviews.of(user_id, parlour.clock() - LATELY)
    return overview_page(overview, user_id, await parlour.lessons.games_with_running_lessons(user_id))


class MineCommand(commands.Cog):
    """The `/mine` command: the asker's tables in all servers, also in DMs."""

    @anywhere
    @app_commands.command(description="List your tables, starting with those waiting for you")
    async def mine(self, interaction: Interaction) -> None:
        await reply(interaction, await _page(interaction))


@on_press("mine", "list")
async def on_list(interaction: Interaction, press: Press) -> None:
    await reply(interaction, await _page(interaction), edit=True)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(MineCommand())


BLOCKED = (
    "You and {who} can't see or join each other's tables now. I won't tell them. `/me "
    "unblock` ends the block."
)
NOBODY = "You haven't blocked anyone. `/me block` hides someone's tables from you, and your tables from them."


class BlockCommands(commands.GroupCog):
    """The part of the `/me` commands that keeps people apart."""

    @app_commands.command(description="Block someone: you can no longer see or join each other's tables")
    @app_commands.describe(member="Who to block (I won't tell them)")
    async def block(self, interaction: Interaction, member: discord.User) -> None:
        if member.bot:
            raise Refused("Bots don't join tables, so you can't block them.")
        await app_of(interaction).parlour.blocks.block(interaction.user.id, member.id)
        await say(interaction, BLOCKED.format(who=marks.quote(name_of(member))))

    @app_commands.command(description="Unblock someone: you see each other's tables again")
    @app_commands.describe(member="Who to unblock")
    async def unblock(self, interaction: Interaction, member: discord.User) -> None:
        await app_of(interaction).parlour.blocks.unblock(interaction.user.id, member.id)
        await say(interaction, f"{marks.quote(name_of(member))} is no longer blocked.")

    @app_commands.command(name="blocked", description="See who you've blocked (nobody else sees this)")
    async def list_blocked(self, interaction: Interaction) -> None:
        numbers = await app_of(interaction).parlour.blocks.blocks_of(interaction.user.id)
        names = ", ".join(f"<@{user_id}>" for user_id in numbers)
        count = "1 person" if len(numbers) == 1 else f"{len(numbers)} people"
        await say(
            interaction, f"You've blocked {count} (the limit is {MOST}): {names}" if numbers else NOBODY
        )
