"""The log of a game as text, as you might write it by hand."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

from cogs.core.app import App
from cogs.core.plain_text import instant, plain
from cogs.core.presenter import presenter
from cogs.core.story import record_lines
from cogs.core.words import CALLED_OFF
from engines.game import Seat
from engines.names import player_name
from tables.core.table import Phase, Table
from tables.review.record import RecordedTurn

AT_ONCE = 8
"""Turns whose positions are replayed at once."""


async def log_of(app: App, table: Table, seat: Seat | None) -> str:
    """Return the log that a seat (None: everybody) may read. Raise Refused if the game has not begun."""
    turns = await app.parlour.record.turns(table)
    parts = [_head(table, turns)]
    async for part in _turn_texts(app, table, turns, seat):
        parts.append(part)
    parts.append(_end(table, await app.parlour.record.view(table, turns[-1].version, seat)))
    return "\n\n".join(parts) + "\n"


def _head(table: Table, turns: Sequence[RecordedTurn]) -> str:
    over = f", over {instant(turns[-1].at)}" if table.phase is Phase.OVER else ""
    lines = [
        f"{table.game.title}, table {table.id}",
        plain(presenter(table).describe_game(table.options, len(table.seats))),
        f"Players: {', '.join(name_player(table, seat) for seat in range(len(table.seats)))}",
        f"Begun {instant(turns[0].at)}{over}",
    ]
    return "\n".join(lines)


def _end(table: Table, view: Any) -> str:
    if table.phase is Phase.PLAY:
        return "The game isn't over yet."
    if table.outcome is None:
        return CALLED_OFF
    return f"The end: {plain(presenter(table).words.result(view, table.names))}"


def name_player(table: Table, seat: Seat) -> str:
    """Return a seat's player, with the strength of a computer."""
    occupant = table.seats[seat]
    name = player_name(table.names, seat)
    return f"{name} (computer, {occupant.strength})" if occupant.computer else name


async def _turn_texts(
    app: App, table: Table, turns: Sequence[RecordedTurn], seat: Seat | None
) -> AsyncIterator[str]:
    """Yield each turn with its lines, as of its own moment."""
    for begin in range(0, len(turns), AT_ONCE):
        some = turns[begin : begin + AT_ONCE]
        views = await app.parlour.record.views(table, some, seat)
        for turn, view in zip(some, views, strict=True):
            rows = await app.parlour.record.entries(table, turn)
            lines = await record_lines(app.parlour.record, table, view, rows, seat)
            result = "\n".join(f"  {line}" for text in lines for line in plain(text).splitlines())
            if result or not _is_answering(table):
                yield f"{_title(table, turn)}\n{result}".rstrip()


def _title(table: Table, turn: RecordedTurn) -> str:
    """Return a turn's number, player (everybody if simultaneous) and time."""
    name = f"Turn {turn.number}" if turn.number else "The start"
    if turn.seats and not table.game.simultaneous:
        name += f": {', '.join(player_name(table.names, seat) for seat in turn.seats)}"
    return f"{name}, {instant(turn.at)}"


def _is_answering(table: Table) -> bool:
    """Return True if a secret, simultaneous turn may be in progress."""
    return table.game.simultaneous and table.phase is not Phase.OVER
