"""Sentences about the deal of the day."""

from collections.abc import Sequence
from datetime import date
from textwrap import wrap

from db.records import DailyDealRow, DailyPlayRow, DailySum
from engines import marks, registry
from tables.clocks.pace import ends
from tables.daily import POINTS, PlacedPlay, rules

SIGN = "🗓️"
MOST_LISTED = 20
"""The most finishers that a post names."""
PHONE_WIDTH = 32
"""Fixed-width characters in a line on a phone."""
OFF = "This server has turned the deal of the day off. `/daily play` still opens today's deal."
NOBODY = "Nobody has finished yet."
NOT_HERE = "I'm not a member of this server, so it has no results. `/daily calendar` shows your own days."
NOT_ON = "This server has no deal of the day. An admin can turn it on: `/admin panel`, page **Daily**."
NOT_FINISHED = "You can't share a result yet, because you haven't finished this deal. `/daily play` opens it."
CLOSED_DMS = "I can't DM you, but **Take turn** works here too."
POINTS_RULE = (
    f"The day's first {len(POINTS)} places get {', '.join(map(str, POINTS[:-1]))} and "
    f"{POINTS[-1]} points. Everyone else who finishes in time gets 1 point. Tied players "
    "share the better place."
)
POINTS_NOTE = f"-# {POINTS_RULE} Ratings don't change."


def format_day(day: str) -> str:
    """Return a day as people say it.

    >>> format_day("2026-11-03")
    'Tuesday 3 November'
    """
    known = date.fromisoformat(day)
    return f"{known:%A} {known.day} {known:%B}"


def month(day: str) -> str:
    """Return the month of a day.

    >>> month("2026-11-03")
    'November 2026'
    """
    return f"{date.fromisoformat(day):%B %Y}"


def format_duration(seconds: float) -> str:
    """Return how long a play took.

    >>> format_duration(20), format_duration(119), format_duration(3 * 3600 + 125)
    ('under a minute', '1 min', '3 h 2 min')
    """
    minutes = int(seconds) // 60
    if minutes < 1:
        return "under a minute"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if hours else f"{minutes} min"


def moves(number: int) -> str:
    """
    >>> moves(1), moves(38)
    ('1 move', '38 moves')
    """
    return f"{number} {'move' if number == 1 else 'moves'}"


def heading(day: str) -> str:
    return f"### {SIGN} Deal of the day · {format_day(day)}"


def title(deal: DailyDealRow) -> str:
    return f"**{registry.game(deal.game).title}** ({deal.level})"


def line(play: DailyPlayRow) -> str:
    """Return a play in one line, without spoilers."""
    return f"{play.said} · {effort(play)}"


def effort(play: DailyPlayRow) -> str:
    return " · ".join([moves(play.moves), format_duration(play.seconds), play.signs]).removesuffix(" · ")


def shareable_text(deal: DailyDealRow, play: DailyPlayRow) -> str:
    lines = [
        "Tangle Parlour",
        f"Deal of the day, {deal.day}",
        f"{registry.game(deal.game).title} ({deal.level})",
        play.said,
        f"{moves(play.moves)}, {format_duration(play.seconds)}",
        play.signs,
    ]
    return "\n".join(line for text in lines for line in wrap(text, PHONE_WIDTH))


def ranking_lines(result: Sequence[PlacedPlay], most: int = MOST_LISTED) -> list[str]:
    """Return a line per finisher, the best first, and a count.

    Each begins in bold: otherwise Discord renumbers the lines of a list, ties too.
    """
    lines = [f"**{one.place}. {marks.quote(one.play.name)}** · {line(one.play)}" for one in result[:most]]
    if len(result) > most:
        lines.append(f"-# … and {len(result) - most} more. **Standing** shows them.")
    return lines


def finishers(number: int) -> str:
    """Return the number of finishers as a sentence.

    >>> finishers(1), finishers(3)
    ('1 person has finished', '3 people have finished')
    """
    return "1 person has finished" if number == 1 else f"{number} people have finished"


def begins(deal: DailyDealRow, *, today: bool) -> str:
    """Return the line above the first panel of a play."""
    head = f"{SIGN} **{format_day(deal.day)}**: {title(deal)}"
    if not today:
        return f"{head}\n-# This is a past deal, just for you. It doesn't count, and you can play it again."
    return (
        f"{head}\n-# Everyone gets this deal and one try. It ends <t:{ends(deal.day):.0f}:R>. "
        "Nobody sees your board before then. **Undo** works until you see something new."
    )


def legend(slug: str) -> str:
    return f"-# {rules(slug).legend}."


def promise(text: str) -> str:
    """Return the proof of a current day, which hides the seed."""
    return (
        "I set this deal before anyone played. The code below proves it. It's the SHA-256 of a secret salt "
        f"and seed:\n`{text}`\nWhen the day is over, **Check the deal** shows the salt and the seed too."
    )


def proof(deal: DailyDealRow, text: str) -> str:
    """Return the proof for the promise of a past day."""
    return (
        f"Code: `{text}`\nSalt: `{deal.salt}`\nSeed: `{deal.seed}`\nThe code is the SHA-256 of the "
        "salt and the seed, joined as bytes. Anyone who deals from the seed gets this deal."
    )


def sum_lines(rows: Sequence[DailySum], viewer: int, most: int = 10) -> str:
    """Return a week's or a month's standings, with the viewer's line."""
    lines = []
    for number, row in enumerate(rows, start=1):
        if number <= most or row.user_id == viewer:
            name = marks.quote(row.name)
            days = "1 day" if row.days == 1 else f"{row.days} days"
            own = " (you)" if row.user_id == viewer else ""
            lines.append(f"**{number}. {name}**{own} · {row.points} points · {days}")
    return "\n".join(lines) or "-# No points yet. You get them when the day ends."


def streak(days: int) -> str:
    """
    >>> streak(0), streak(1), streak(12)
    ('No streak yet', 'Your streak: 1 day', 'Your streak: 12 days')
    """
    if not days:
        return "No streak yet"
    return f"Your streak: {'1 day' if days == 1 else f'{days} days'}"
