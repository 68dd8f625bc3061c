"""Sentences about turns tried again, and about sandboxes."""

from cogs.core.presenter import presenter
from cogs.core.words import name_choices, name_expected
from engines.marks import capital
from engines.names import quote_player
from tables.core.table import Table
from tables.study.reviews import TurnLine, TurnReview

NOTHING_COUNTS = "-# Only you see this, and nothing counts. I've redrawn what you couldn't see."
SAME_CHOICE = "That's what I'd do, too."
AS_GOOD = "That's as good as mine."
NOT_THERE = "-# I can't compare that: it needs what you couldn't see, and I've redrawn it."
TOO_LONG = "I couldn't compare this in time. Open the turn once more, or try again in a while."


def turn_title(turn: int, *, is_new: bool) -> str:
    """Return the line above a turn that is tried again."""
    return (
        f"🔁 **Turn {turn} again.** What would you do now?\n{NOTHING_COUNTS}"
        if is_new
        else f"-# 🔁 Turn {turn} again"
    )


def sandbox_title(turn: int, *, is_new: bool, playing: str = "") -> str:
    """Return the line above a sandbox. With all sides, `playing` is the quoted name of the player to move."""
    where = f"after turn {turn}" if turn else "from the deal on"
    whose = f" You play **{playing}** now." if playing else ""
    if not is_new:
        return f"-# 🧪 Sandbox {where}.{whose}"
    return f"🧪 **Sandbox** {where}. I keep it for a day.{whose}\n{NOTHING_COUNTS}"


def value(table: Table, review: TurnReview, number: float | None) -> str:
    """Format what a position is worth. For example "60 %", "3 points ahead", or "unknown"."""
    if number is None:
        return "unknown"
    if review.is_chance:
        return f"{round(100 * number)} %"
    one, many = presenter(table).estimated
    size = f"{abs(number):.1f}".removesuffix(".0")
    text = f"{size} {one if size == '1' else many}"
    if len(table.seats) == 1 or table.game.is_team_game(table.options):
        return f"−{text}" if number < 0 else text
    return f"{text} {'behind' if number < 0 else 'ahead'}"


def choices(table: Table, line: TurnLine) -> str:
    """Name the moves of a turn, as a hint does. What is forced isn't named."""
    return capital("; ".join(name_choices(table, line.choices)) or "nothing") + "."


def verdict(table: Table, review: TurnReview) -> str:
    """Return what the computer thinks of a try, in two sentences."""
    own, what = value(table, review, review.own.value), "Your chance of winning is now"
    if not review.is_chance:
        what = "My estimate for you is"
    others, first = [], f"{what} **{own}**."
    if review.own.is_same_as(review.played):
        first = f"{first} You played the same then."
    elif review.is_possible:
        others.append(f"{value(table, review, review.played.value)} with the turn you played then")
    if not review.own.is_same_as(review.best):
        if is_as_good(table, review):
            first = f"{first} {AS_GOOD}"
        else:
            others.append(f"{value(table, review, review.best.value)} with my turn")
    return first if not others else f"{first} It would be {' and '.join(others)}."


def is_as_good(table: Table, review: TurnReview) -> bool:
    """Return True if a try is worth the computer's choice."""
    own, best = review.own.value, review.best.value
    if own is None or best is None:
        return False
    return own >= best or value(table, review, own) == value(table, review, best)


def expectation(table: Table, review: TurnReview) -> str:
    """Return what the computer expects next, or nothing."""
    if review.reply is None or not (named := name_expected(table, review.reply)):
        return ""
    seat = review.reply.seat
    if table.study is not None and seat == table.study.seat:
        return f"I'd go on like this: {named}."
    return f"I expect {quote_player(table.names, seat)} to {named}."
