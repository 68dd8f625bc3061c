"""One reference in every log line, from a request to what was written and posted."""

import secrets
from contextvars import ContextVar

reference: ContextVar[str] = ContextVar("reference", default="-")
"""The reference of this task; `-` for the bot's own work."""


def begin() -> str:
    """Start a new reference for this task and all that it starts."""
    new = secrets.token_hex(4)
    reference.set(new)
    return new
