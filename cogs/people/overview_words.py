"""Sentences about a person's tables: the list, the digest, the next table."""

from collections.abc import Sequence

from cogs.core import time_words
from cogs.core.app import table_url
from cogs.core.time_words import CLOCK, moment
from engines.game import Seat
from engines.marks import quote_player
from engines.registry import game
from engines.words import join_words
from tables.clocks.pace import Span, length_words
from tables.core.table import Table
from tables.core.turns import AwaitedPerson
from tables.people import RunningTable, WaitingTurn

TITLE = "### Your tables"
MINE, OTHERS, LOBBIES, ENDED = "Waiting for you", "Waiting for others", "Not started", "Ended this week"
LESSONS = "Games to learn"
ENDED_LATELY = "Ended since the last digest"
NOTHING = (
    "You aren't at any table. In a server, `/table list` shows tables to join. `/help` says how to open one."
)
NOBODY_WAITS = "No tables wait for you."
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
    return f"**{game(table.slug).title}** · [table {table.id}]({table_url(table)})"


def _names(table: Table, seats: Sequence[Seat]) -> str:
    return join_words([quote_player(table.names, seat) for seat in seats])


def mine(standing: RunningTable, user_id: int) -> str:
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
    return f"{CLOCK} Due {moment(own.until)}."


def others(standing: RunningTable) -> str:
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


def lobby(table: Table, user_id: int) -> str:
    host = " · you're the host" if table.host_id == user_id else ""
    return f"{_title(table)}: {table.taken} of {table.room} seats taken{host}"


def lesson(slug: str) -> str:
    return f"**{game(slug).title}** · no deadline"


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
    return f"-# **{game(turn.slug).title}**, table {turn.table_id}, is waiting for you too{due}."
