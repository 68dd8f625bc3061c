"""Logging as text or JSON, each line with the reference of its cause."""

import logging

from pythonjsonlogger.json import JsonFormatter

from db.connection.availability import DatabaseUnavailable
from host.settings import Settings
from tables.runtime import reference

TEXT = "{asctime} {levelname:<7} {reference} {name}: {message}"
JSON = "{asctime}{levelname}{reference}{name}{message}"
REPEATED = ("We are being rate limited", "Global rate limit", "Webhook ID %s is rate limited")
"""Beginnings of discord.py's lines that are repeated at every retry."""
LOGGED_ELSEWHERE = (
    "We are being rate limited. %s %s responded with 429. Timeout",
    "Attempting a reconnect",
    "Failed to connect for shard_id",
    "Shard ID %s has stopped responding",
    "An error occurred while stopping the gateway",
)
"""Beginnings of discord.py's lines about what the bot logs itself: a long rate limit, a lost gateway."""
FILTERED = (
    "discord.app_commands.tree",
    "discord.client",
    "discord.gateway",
    "discord.http",
    "discord.shard",
    "discord.webhook.async_",
)
REPEAT_AFTER = 3600.0
"""Seconds of silence after which such a line is logged again; retries come sooner."""
NAMES = {"asctime": "time", "levelname": "level", "name": "logger"}


def library_levels(level: int) -> dict[str, int]:
    """Return the levels of libraries with useless or secret lines.

    aiosqlite logs every value that is written, discord.py every message that is sent, hands included.
    """
    return dict.fromkeys(("aiohttp.access", "aiosqlite", "alembic", "discord"), max(level, logging.WARNING))


class RepeatFilter(logging.Filter):
    """Passes the first of the lines that discord.py writes at every retry.

    Drops what is logged elsewhere: reconnects, long rate limits, and an unusable database.
    """

    def __init__(self) -> None:
        super().__init__()
        self._said_at: dict[tuple[str, type[BaseException] | None], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True unless a line is dropped, or repeated within an hour."""
        if record.exc_info and isinstance(record.exc_info[1], DatabaseUnavailable):
            return False
        said = str(record.msg)
        if said.startswith(LOGGED_ELSEWHERE):
            return False
        if not said.startswith(REPEATED):
            return True
        cause = said, record.exc_info[0] if record.exc_info else None
        before = self._said_at.get(cause)
        self._said_at[cause] = record.created
        return before is None or abs(record.created - before) > REPEAT_AFTER


def with_reference(record: logging.LogRecord) -> bool:
    """Add the reference to a record; a filter that passes every record."""
    record.reference = reference.get()
    return True


def handler(form: str) -> logging.Handler:
    """Return a handler for standard error, in `text` or `json` form."""
    result = logging.StreamHandler()
    result.addFilter(with_reference)
    if form == "json":
        result.setFormatter(JsonFormatter(JSON, style="{", rename_fields=NAMES))
    else:
        result.setFormatter(logging.Formatter(TEXT, style="{"))
    return result


def set_up(settings: Settings) -> None:
    level = getattr(logging, settings.log_level)
    root = logging.getLogger()
    root.setLevel(level)
    root.addHandler(handler(settings.log_format))
    for name, least in library_levels(level).items():
        logging.getLogger(name).setLevel(least)
    for name in FILTERED:
        logging.getLogger(name).addFilter(RepeatFilter())
    if settings.discord_token is None:
        # The simulated Discord starts clients of its own, whose warnings are not about us.
        for name in ("discord.client", "discord.state"):
            logging.getLogger(name).setLevel(logging.ERROR)
