"""A server's settings in words: the name of each, its value and its effect."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cogs.core import time_words
from db.records import ServerSettings
from engines.registry import game
from tables.clocks.pace import NONE, pace_words, read_pace
from tables.core.guards import MOST_OPEN
from tables.core.table import WhenLate
from tables.lobby.opening import channels
from tables.time.zones import zone_name

OVERRIDE = (
    "Members with this role can use the admin buttons right away. To show them `/admin` too, allow "
    "the role in **Server Settings → Integrations**."
)
"""A step to take in addition when a role was set."""


AS_BEFORE = "Nothing changed: it was already like that."


@dataclass(frozen=True)
class Setting:
    """One setting in words: its title, its value, and its effect."""

    title: str
    stands: Callable[[ServerSettings], str]
    effect: str


def _role(role: int | None, nobody: str) -> str:
    return nobody if role is None else f"<@&{role}>"


def _open_in(settings: ServerSettings) -> str:
    return ", ".join(f"<#{channel}>" for channel in channels(settings)) or "every channel"


def _pace(settings: ServerSettings) -> str:
    pace = read_pace(settings.pace)
    return f"{pace.name} ({pace_words(pace)})"


def pace_kind(name: str) -> str:
    """Return a forbidden pace's name.

    >>> pace_kind("daily"), pace_kind("none")
    ('daily', 'none (no clock)')
    """
    return "none (no clock)" if name == NONE.name else name


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"


SETTINGS = {
    "open_in": Setting(
        "Channels for new tables",
        _open_in,
        "Admins can open tables anywhere. Running cups go on.",
    ),
    "open_role": Setting(
        "Who can open tables",
        lambda settings: _role(settings.open_role_id, "everyone"),
        "Everyone can still join tables.",
    ),
    "place": Setting(
        "Tables live in",
        lambda settings: "threads of their own" if settings.place == "threads" else "the channel itself",
        (
            "If you choose threads, I make one for each game under its lobby card. Open tables stay "
            "where they are."
        ),
    ),
    "role": Setting(
        "Who can use `/admin`",
        lambda settings: _role(settings.admin_role_id, "only members with Manage Server"),
        "Members with Manage Server always can, and so can anyone allowed in Integrations.",
    ),
    "pace": Setting("Usual pace", _pace, "For new tables, unless the host chooses another."),
    "forbidden": Setting(
        "Forbidden paces",
        lambda settings: ", ".join(map(pace_kind, settings.forbidden_paces)) or "all are allowed",
        "New tables can't use these. *Custom* means any pace that a host types.",
    ),
    "late": Setting(
        "When someone is late",
        lambda settings: time_words.WHEN_LATE[WhenLate(settings.when_late)],
        "At new tables, unless the host chooses otherwise.",
    ),
    "most_tables": Setting(
        "Open tables at once",
        lambda settings: str(settings.most_tables or "any number"),
        "While this many are open, nobody can open another.",
    ),
    "most_each": Setting(
        "Open tables per person",
        lambda settings: str(settings.most_each or MOST_OPEN),
        "How many open tables in this server one person can be at.",
    ),
    "computers": Setting(
        "Computer players",
        lambda settings: "allowed" if settings.computers else "not at new tables",
        "Can hosts add them? A computer still takes over for players who leave or are late.",
    ),
    "hints": Setting(
        "Hints",
        lambda settings: "on request" if settings.hints else "none",
        "The computer says what it would do. In rated games against others, only if the host allowed hints.",
    ),
    "rated": Setting(
        "Rated",
        lambda settings: _yes(settings.rated),
        "Do new tables count for the ratings? The host can choose otherwise.",
    ),
    "rate_computers": Setting(
        "Rated with computer players",
        lambda settings: _yes(settings.rate_computers),
        "Do games that began with a computer player count?",
    ),
    "asked": Setting(
        "Ask around",
        lambda settings: _role(settings.asked_role_id, "nobody"),
        "The role that **Ask around** on a lobby card pings, at most once every six hours.",
    ),
    "daily": Setting(
        "Deal of the day",
        lambda settings: "on" if settings.daily and settings.daily_channel_id else "off",
        (
            "One deal a day, the same for everyone, and everyone plays it alone. My one post a day "
            "later shows the results."
        ),
    ),
    "daily_channel": Setting(
        "Deal of the day, channel",
        lambda settings: "none" if settings.daily_channel_id is None else f"<#{settings.daily_channel_id}>",
        "Choosing a channel turns the deal of the day on.",
    ),
    "daily_hour": Setting(
        "Deal of the day, hour",
        lambda settings: f"{settings.daily_hour}:00 ({zone_name(settings.zone)})",
        "When I post the deal. Everywhere, it changes at 0:00 UTC.",
    ),
    "daily_games": Setting(
        "Deal of the day, games",
        lambda settings: ", ".join(game(slug).title for slug in settings.daily_games) or "all",
        (
            "Each day has its own order of games, the same in all servers. I deal the first one that "
            "you've chosen here."
        ),
    ),
    "board": Setting(
        "Notice board",
        lambda settings: "none" if settings.board_channel_id is None else f"<#{settings.board_channel_id}>",
        "One message with all open tables, always up to date.",
    ),
}


def short(name: str, settings: ServerSettings) -> str:
    """Return a setting's value in a line.

    >>> short("place", ServerSettings(1))
    '**Tables live in**: threads of their own'
    """
    known = SETTINGS[name]
    return f"**{known.title}**: {known.stands(settings)}"


def whole(name: str, settings: ServerSettings) -> str:
    """Return a setting's value, with its effect below."""
    return f"{short(name, settings)}\n-# {SETTINGS[name].effect}"


def settings_lines(settings: ServerSettings) -> list[str]:
    return [short(name, settings) for name in SETTINGS]


def changes(before: ServerSettings, after: ServerSettings) -> tuple[str, ...]:
    """Return the changes, a line for each setting.

    >>> changes(ServerSettings(1, most_tables=2), ServerSettings(1, most_tables=3))
    ('**Open tables at once**: 2 → 3',)
    """
    return tuple(
        f"{short(name, before)} → {known.stands(after)}"
        for name, known in SETTINGS.items()
        if known.stands(before) != known.stands(after)
    )
