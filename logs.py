"""How the log is written: as lines for people or as JSON, each with the reference of what led to it."""

from __future__ import annotations

import logging

from pythonjsonlogger.json import JsonFormatter

from settings import Settings
from tables import trace

TEXT = "{asctime} {levelname:<7} {reference} {name}: {message}"
JSON = "{asctime}{levelname}{reference}{name}{message}"
NAMES = {"asctime": "time", "levelname": "level", "name": "logger"}


def hushed(level: int) -> dict[str, int]:
    """The levels of the libraries whose everyday lines are no help, or hold what nobody may read.

    aiosqlite logs every value that is written, discord.py every message that is sent, hands included.
    """
    return dict.fromkeys(("aiohttp.access", "aiosqlite", "alembic", "discord"), max(level, logging.WARNING))


def with_reference(record: logging.LogRecord) -> bool:
    """Write into a record what it belongs to; a filter, which lets every record pass."""
    record.reference = trace.reference.get()
    return True


def handler(form: str) -> logging.Handler:
    """Writes to the standard error stream, as `text` or as `json`."""
    found = logging.StreamHandler()
    found.addFilter(with_reference)
    if form == "json":
        found.setFormatter(JsonFormatter(JSON, style="{", rename_fields=NAMES))
    else:
        found.setFormatter(logging.Formatter(TEXT, style="{"))
    return found


def set_up(settings: Settings) -> None:
    """Write the log as the settings say."""
    level = getattr(logging, settings.log_level)
    root = logging.getLogger()
    root.setLevel(level)
    root.addHandler(handler(settings.log_format))
    for name, least in hushed(level).items():
        logging.getLogger(name).setLevel(least)
    if settings.discord_token is None:
        # The simulated Discord starts clients of its own, whose warnings are not about us.
        for name in ("discord.client", "discord.state"):
            logging.getLogger(name).setLevel(logging.ERROR)
