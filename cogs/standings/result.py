"""The result card of a finished game, made from its record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cogs.core.app import App
from cogs.core.presenter import presenter
from engines.game import IllegalMove, Outcome, Seat
from engines.marks import to_plain
from engines.words import plural
from render.core.picture import Picture
from render.result import PlacedSeat, ResultCard
from tables.core.table import Table
from tables.review.record import RecordedTurn

MINUTE, HOUR, DAY = 60, 3600, 86_400


async def result_card(app: App, table: Table, view: Any) -> Picture:
    """Return a finished game's card; the view hides nothing.

    Raises:
        ValueError: if the game was called off or is in progress.
    """
    if table.outcome is None:
        raise ValueError(f"table {table.id} has no result")
    speaker = presenter(table)
    result = ResultCard(
        title=table.game.title,
        number=table.id,
        options=speaker.summary(table.options, len(table.seats)),
        length=length(await app.parlour.record.turns(table)),
        told=to_plain(speaker.words.result(view, table.names)),
        seats=rank_seats(table.outcome),
        colours=tuple(speaker.colours(view, app.pictures.theme)),
        charted=speaker.charted,
        tallies=await _tallies(app, table),
        cover=speaker.cover().png,
    )
    return await app.pictures.result(result, table.names)


async def _tallies(app: App, table: Table) -> tuple[tuple[int | None, ...], ...]:
    try:
        entries = await app.parlour.record.tallies(table)
    except IllegalMove:
        # A game that began under older rules still gets its last post, without a chart.
        return ()
    return tuple(tally for tally in entries if tally is not None)


def rank_seats(outcome: Outcome) -> tuple[PlacedSeat, ...]:
    """Return all seats, the best first; a team has no places."""
    seats = range(len(outcome.places))

    def rank(seat: Seat) -> tuple[bool, int]:
        place = outcome.places[seat]
        return place is None, place or 0

    return tuple(
        PlacedSeat(
            seat,
            outcome.places[seat] if outcome.won is None else None,
            None if outcome.scores is None else outcome.scores[seat],
        )
        for seat in (seats if outcome.won is not None else sorted(seats, key=rank))
    )


def length(turns: Sequence[RecordedTurn]) -> str:
    """Return the number of turns of a game, and its duration.

    >>> length([RecordedTurn(0, 1, 0, (), 0.0), RecordedTurn(1, 2, 1, (0,), 300.0)])
    '1 turn in 5 minutes'
    """
    spent = turns[-1].at - turns[0].at
    for unit, noun in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        if spent >= unit:
            return f"{plural(turns[-1].number, 'turn')} in {plural(round(spent / unit), noun)}"
    return plural(turns[-1].number, "turn")
