"""The turning points of a game: the largest swings of the strong computer's estimate."""

import re
from collections.abc import Collection, Sequence

from cogs.core import lookup, story
from cogs.core.app import App
from cogs.core.presenter import presenter
from cogs.ui.form import reply, reply_updatable
from cogs.ui.page import Button, ButtonLine, Page, Part
from cogs.ui.press import Press, on_press
from cogs.ui.text import Interaction, shorten, without_icons
from engines.game import IllegalMove, Outcome, Seat
from engines.marks import player_name, quote_player
from tables.core.table import OPEN, Phase, Refused, Table
from tables.learning import LEAST_SWING, Swing, counts_together, table_swings
from tables.play.play import Perspective
from tables.review.record import Record, RecordedTurn

MOST_SWINGS, MOST_LINES = 2, 3
"""The turns in the answer, and the lines of each."""
DECISION_LENGTH = 110
"""Characters of the decisive turn on a result card."""
DEEDS = re.compile(r", (?:and )?(?=[a-z]+s )| and (?=[a-z]+s )")
"""Separates two deeds of a turn; a verb follows."""
OLD_RULES = "This game began under older rules, so I can't replay it."
TRY_AGAIN = "**Try again.** I'd have played {} better. What would you do now?"
NO_TURN = "-# I wouldn't have played any of your turns much better."
COMPARING = "-# I'm checking if I'd have played any of your turns better…"
STILL_COMPARING = "-# I'm still checking your turns in another game. Ask again in a minute."
NOTHING = "No single turn decided this game. As the computer sees it, no turn changed anyone's chances much."


@on_press("table", "why")
async def on_why(interaction: Interaction, press: Press) -> None:
    await answer_why(interaction, press.table)


async def answer_why(interaction: Interaction, table_id: int) -> None:
    """Answer what decided a game.

    Turns to try are added when they are known. Raise Refused if the game is in progress, has no result, or
    was played by older rules.
    """
    app, perspective = await lookup.asker_perspective(interaction, table_id)
    parts, praised = await _turning_point_parts(app, perspective)
    studies, table, seat = app.parlour.studies, perspective.table, perspective.seat
    if seat is None:
        return await reply(interaction, Page(parts))
    missed = await studies.recall_missed_turns(table, seat)
    if missed is not None or not app.parlour.record.reveals(table):
        return await reply(interaction, Page([*parts, *_turns_to_try(table, missed, praised)]))
    if studies.is_comparing(interaction.user.id):
        return await reply(interaction, Page([*parts, STILL_COMPARING]))
    change = await reply_updatable(interaction, Page([*parts, COMPARING]))
    missed = await studies.find_missed_turns(table, seat)
    await change(Page([*parts, *_turns_to_try(table, missed, praised)]))


async def _turning_point_parts(app: App, perspective: Perspective) -> tuple[list[Part], set[int]]:
    """Return what decided a game for the asker, or its winner.

    With it the numbers of the turns that are praised.
    """
    table, outcome = perspective.table, perspective.table.outcome
    if outcome is None and table.phase not in OPEN:
        raise Refused("This game ended without a result.")
    try:
        turns, estimates = await app.parlour.record.estimates(table)
    except IllegalMove:
        raise Refused(OLD_RULES) from None
    assert outcome is not None
    seat = _subject_seat(perspective.seat, outcome)
    entries = decisive(table_swings(table, outcome, estimates, seat), won=_has_won(outcome, seat))
    if not entries:
        return [NOTHING], set()
    lines = [await _swing_line(app, perspective, turns, swing) for swing in entries]
    praised = {turns[swing.turn].number for swing in entries if swing.change > 0}
    mine = perspective.seat == seat or table.game.is_team_game(table.options)
    whose = "Your" if mine else f"**{quote_player(table.names, seat)}**'s"
    what = "chance of winning" if table.game.chance_scale else "lead over the others"
    what = "position" if counts_together(table) else what
    heading = f"**What decided the game**\n-# {whose} {what}, as the strong computer sees it."
    return [heading, *lines], praised


def _turns_to_try(table: Table, found: Sequence[int] | None, praised: Collection[int]) -> list[Part]:
    """Return buttons for the viewer's own turns that brought them least.

    A turn that is `praised` isn't called worse in the same breath.
    """
    if found is None:
        return []
    if not found:
        return [NO_TURN]
    missed = [number for number in found if number not in praised]
    if not missed:
        return []
    row = [
        Button(f"Turn {number}", Press("study", "turn", table.id, 0, str(number)), emoji="🔁")
        for number in missed
    ]
    return [TRY_AGAIN.format("these turns" if len(missed) > 1 else "this turn"), row]


async def describe_decision(app: App, table: Table) -> str:
    if table.outcome is None or len(table.seats) == 1 or table.outcome.won is not None:
        return ""
    try:
        turns, estimates = await app.parlour.record.estimates(table)
    except IllegalMove:
        return ""
    winner = table.outcome.places.index(1)
    entries = decisive(table_swings(table, table.outcome, estimates, winner), won=True)
    if not entries:
        return ""
    turn = turns[max(entries, key=lambda one: one.change).turn]
    record = app.parlour.record
    before = await record.view(table, turn.after, None) if turn.after else None
    after = await record.view(table, turn.version, None)
    text = story.decisive_sentence(table, before, after, await record.entries(table, turn), winner)
    return f"Turn {turn.number} decided the game: {shorten_deeds(text, DECISION_LENGTH)}" if text else ""


def shorten_deeds(text: str, length: int) -> str:
    """Leave out a turn's earlier deeds if they're too long.

    The last one decides.

    >>> shorten_deeds("Bo lays a tile at Z48, replaces tiles at A1 and B2 and takes back a marker (+26)", 60)
    'Bo lays a tile at Z48 … takes back a marker (+26)'
    >>> shorten_deeds("Bo lays tiles at Z48, A1 and B2 and takes back a marker (+26)", 40)
    'Bo … takes back a marker (+26)'
    """
    if len(without_icons(text)) <= length:
        return text
    first, *_, last = DEEDS.split(text) if DEEDS.search(text) else (text, "")
    for start in (first, first.partition(" ")[0]):
        if last and len(without_icons(f"{start} … {last}")) <= length:
            return f"{start} … {last}"
    return shorten(text, length)


async def find_turning_points(record: Record, table: Table, viewer: Seat | None) -> dict[int, str]:
    """Return what a finished game's decisive turns changed, by their numbers."""
    outcome = table.outcome
    if table.phase is not Phase.OVER or outcome is None:
        return {}
    try:
        turns, estimates = await record.estimates(table)
    except IllegalMove:
        return {}
    seat = _subject_seat(viewer, outcome)
    entries = decisive(table_swings(table, outcome, estimates, seat), won=_has_won(outcome, seat))
    return {turns[swing.turn].number: _describe_swing(table, seat, swing) for swing in entries}


def _describe_swing(table: Table, seat: Seat, swing: Swing) -> str:
    is_team, change = table.game.is_team_game(table.options), format_swing(table, swing)
    name = "The team" if is_team and len(table.seats) > 1 else player_name(table.names, seat)
    if is_team:
        return f"{name}'s chances change by {change}."
    return f"{name}'s chance of winning goes {change}." if swing.chances else f"{change} for {name}."


def _subject_seat(viewer: Seat | None, outcome: Outcome) -> Seat:
    if viewer is not None:
        return viewer
    return outcome.places.index(1) if 1 in outcome.places else 0


def _has_won(outcome: Outcome, seat: Seat) -> bool:
    return outcome.places[seat] == 1 if outcome.won is None else outcome.won


def decisive(result: Sequence[Swing], *, won: bool) -> list[Swing]:
    """Return the largest swings, a loser's downwards, in order.

    A swing that leaves nothing open comes before larger ones: whoever made it let the end happen.

    >>> decisive([Swing(1, 2.0), Swing(2, -7.0), Swing(3, 4.0), Swing(4, 5.0)], won=True)
    [Swing(turn=3, change=4.0, chances=None), Swing(turn=4, change=5.0, chances=None)]
    """
    way = [swing for swing in result if (swing.change if won else -swing.change) >= LEAST_SWING]
    settling = [one for one in way if one.chances is not None and round(100 * one.chances[1]) in (0, 100)]
    largest = sorted(way, key=lambda swing: (swing not in settling, -abs(swing.change)))[:MOST_SWINGS]
    return sorted(largest, key=lambda swing: swing.turn)


async def _swing_line(
    app: App, perspective: Perspective, turns: Sequence[RecordedTurn], swing: Swing
) -> ButtonLine:
    table, seat, record, turn = perspective.table, perspective.seat, app.parlour.record, turns[swing.turn]
    before = await record.view(table, turn.after, seat) if turn.after else None
    after = await record.view(table, turn.version, seat)
    lines = story.whole_turn(table, before, after, await record.entries(table, turn), seat)
    wins = _name_win(perspective, turn) if turn is turns[-1] else ""
    head = f"**Turn {turn.number}: {format_swing(table, swing)}{wins}**"
    see = Button(f"See turn {turn.number}", Press("record", "turn", table.id, 0, str(turn.number)))
    return ButtonLine("\n".join([head, *most_important(lines)]), see)


def _name_win(perspective: Perspective, turn: RecordedTurn) -> str:
    """Return that the turn's player wins by it; nothing if others do."""
    outcome = perspective.table.outcome
    if outcome is None or outcome.won is not None or outcome.places.count(1) != 1:
        return ""
    winner = outcome.places.index(1)
    if turn.seats[-1:] != (winner,):
        return ""
    mine = winner == perspective.seat
    return ", and you win" if mine else f", and {quote_player(perspective.table.names, winner)} wins"


def most_important(lines: Sequence[str]) -> list[str]:
    """Return the most important lines, bold ones first, in order.

    >>> most_important(["Ann draws.", "Bo draws.", "Cy draws.", "**Dee wins.**"])
    ['Ann draws.', 'Bo draws.', '**Dee wins.**']
    """
    first = sorted(range(len(lines)), key=lambda place: ("**" not in lines[place], place))[:MOST_LINES]
    return [lines[place] for place in sorted(first)]


def format_swing(table: Table, swing: Swing) -> str:
    """Format a change: "from 62 to 41%", or "−9 votes"."""
    if swing.chances is not None:
        before, now = (round(100 * chance) for chance in swing.chances)
        return f"from {before} to {now}%"
    change = swing.change
    one, many = presenter(table).estimated
    size = f"{abs(change):.0f}" if abs(change) >= 10 else f"{abs(change):.1f}".removesuffix(".0")
    return f"{'+' if change > 0 else '−'}{size} {one if size == '1' else many}"
