"""The result card of a finished game, made from its record."""

from collections.abc import Sequence
from typing import Any

from cogs.core.app import App
from cogs.core.lookup import asker_perspective
from cogs.core.presenter import presenter
from cogs.review.turning_points import describe_decision
from cogs.ui.answering import say
from cogs.ui.interaction import Interaction
from cogs.ui.press import Press, on_press
from engines.captions import ordinal
from engines.game import IllegalMove, Outcome, Seat
from engines.marks import to_plain, to_words
from engines.names import quote_player
from engines.words import plural
from render.chart import number_text
from render.core.picture import Picture
from render.result import PlacedSeat, ResultCard
from tables.core.table import Refused, Table
from tables.review.record import RecordedTurn

MINUTE, HOUR, DAY = 60, 3600, 86_400


async def result_card(app: App, table: Table, view: Any) -> Picture:
    """Return a finished game's card; the view hides nothing.

    Raises:
        ValueError: if the game was called off or is in progress.
    """
    if table.outcome is None:
        raise ValueError(f"table {table.id} has no result")
    speaker, board = presenter(table), await app.pictures.board(table, view)
    result = ResultCard(
        title=table.game.title,
        number=table.id,
        options=speaker.describe_game(table.options, len(table.seats)),
        length=length(await app.parlour.record.turns(table)),
        told=to_plain(speaker.words.result(view, table.names)),
        seats=rank_seats(table.outcome),
        colours=tuple(speaker.colours(view, app.pictures.theme)),
        charted=speaker.charted,
        tallies=await _tallies(app, table),
        decided=to_plain(await describe_decision(app, table)),
        board=board.png if isinstance(board, Picture) else b"",
    )
    return await app.pictures.result(result, table.names)


@on_press("table", "share")
async def on_share(interaction: Interaction, press: Press) -> None:
    """Show a finished game's result as text to paste anywhere."""
    app, perspective = await asker_perspective(interaction, press.table)
    table = perspective.table
    if table.outcome is None:
        raise Refused("You can share a game's result once it's over.")
    spent = length(await app.parlour.record.turns(table))
    view = (await app.parlour.play.perspective(table.id, None)).view
    text = shareable_text(table, view, spent, await describe_decision(app, table))
    await say(interaction, f"{text}\n-# Hold the message to copy it, or forward the post with the card.")


def shareable_text(table: Table, view: Any, spent: str, decided: str) -> str:
    """Return a result as lines of plain text."""
    assert table.outcome is not None
    lines = [f"{table.game.title} \u00b7 {presenter(table).words.result(view, table.names)}"]
    if table.outcome.won is None and len(table.seats) > 1:
        placed = [one for one in rank_seats(table.outcome) if one.place is not None]
        lines.append(
            " \u00b7 ".join(f"{ordinal(one.place or 0)} {_name_and_score(table, one)}" for one in placed)
        )
    lines.append(spent)
    return to_words("\n".join([*lines, decided] if decided else lines))


def _name_and_score(table: Table, placed: PlacedSeat) -> str:
    name = quote_player(table.names, placed.seat)
    return name if placed.score is None else f"{name} {number_text(placed.score)}"


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
