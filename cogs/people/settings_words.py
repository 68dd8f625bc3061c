"""Sentences about personal settings."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from engines.names import quote
from tables.core.people import Notices, Person
from tables.time.zones import zone_name

TITLE = "### Your settings\n-# For all your tables, in every server."
WHERE = {
    Notices.THREAD: "in the table's thread",
    Notices.DM: "by DM",
    Notices.BOTH: "in the thread and by DM",
    Notices.NONE: "nowhere",
}
WELL_KNOWN = (
    "UTC",
    "Europe/London",
    "Europe/Berlin",
    "Europe/Athens",
    "Africa/Lagos",
    "Africa/Johannesburg",
    "Asia/Dubai",
    "Asia/Kolkata",
    "Asia/Singapore",
    "Asia/Shanghai",
    "Asia/Tokyo",
    "Australia/Sydney",
    "Pacific/Auckland",
    "America/Sao_Paulo",
    "America/New_York",
    "America/Chicago",
    "America/Denver",
    "America/Los_Angeles",
)
"""Time zones that are offered before anybody has typed."""
ZONE_HELP = "A city or a name, like Berlin or America/New_York"
TIME_HELP = "Like 22:00, 22 or 10pm. Leave both empty for no quiet hours."
UNTIL_HELP = "When you're back: 2026-12-24, 24.12., 10 days, friday"
NOT_AWAY = "You aren't away."
BACK = "Welcome back! Your clocks run again."


def clock(minutes: int) -> str:
    """Format minutes as a time of day.

    >>> clock(7 * 60), clock(22 * 60 + 30)
    ('7:00', '22:30')
    """
    return f"{minutes // 60}:{minutes % 60:02d}"


def hour(number: int | None) -> str:
    return "off" if number is None else clock(number * 60)


def now_in(zone: str, now: float) -> str:
    wall = datetime.fromtimestamp(now, ZoneInfo(zone))
    return clock(wall.hour * 60 + wall.minute)


def _on(holds: bool) -> str:
    return "on" if holds else "off"


def notices(person: Person) -> str:
    return f"**Notices**: {WHERE[person.notices]}\n-# Where I tell you, once a turn, that it's your turn."


def reminders(person: Person) -> str:
    when = "I remind you when half of your time is left, and again at a tenth."
    return f"**Reminders**: {_on(person.reminders)}\n-# {when}"


def hands(person: Person) -> str:
    return f"**Hands by DM**: {_on(person.hands)}\n-# When this is off, press **My hand** under the board."


def quiet(person: Person) -> str:
    hours = f"{clock(person.quiet.begins)} to {clock(person.quiet.ends)}" if person.quiet else "none"
    return f"**Quiet hours**: {hours}\n-# I send you nothing then, and your clocks stop."


def zone(person: Person, now: float) -> str:
    name = quote(zone_name(person.zone))
    return (
        f"**Time zone**: {name} (now {now_in(person.zone, now)})\n-# For quiet hours, the digest, and dates."
    )


def digest(person: Person) -> str:
    return (
        f"**Digest**: {hour(person.digest_hour)}\n-# One DM a day lists the tables that wait for you "
        "and those that ended."
    )


def daily(person: Person) -> str:
    return (
        f"**Deal of the day**: {_on(person.daily)}\n-# One DM a day when your server posts the "
        "deal, but not in your quiet hours or once you've begun."
    )


def profile_visibility_line(person: Person) -> str:
    text = "you're on no leaderboard, and only you see your profile" if person.hidden else "everyone sees it"
    return f"**Your games**: {text}\n-# Your ratings and results. Your games count either way."


def in_words(person: Person) -> str:
    return (
        f"**Boards as text**: {_on(person.in_words)}\n-# Text instead of pictures in your panels, "
        "answers and DMs."
    )


def away(person: Person, now: float) -> str:
    until = person.away_until(now)
    note = f": {quote(person.away_note)}" if person.away_note else ""
    state = "no" if until is None else f"until <t:{until:.0f}:f>{note}"
    return (
        f"**Away**: {state}\n-# Your clocks stop, and I tell your tables. Your next move ends your "
        "holiday. At most 14 days at a time, 28 a year."
    )


def away_answer(person: Person, now: float) -> str:
    return (
        f"You're away until <t:{person.away_until(now) or now:.0f}:f>. Your clocks stop, except at "
        "*live* tables. Your next move or `/me back` ends your holiday early."
    )


def notes(on: bool) -> str:
    if on:
        return "Your panels explain new things again, in every game."
    return "Your panels no longer explain things. `/me notes on:True` brings the notes back."
