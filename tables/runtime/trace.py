"""One reference from what somebody asked for to what was written and shown: it stands in every log line."""

from __future__ import annotations

import secrets
from contextvars import ContextVar

reference: ContextVar[str] = ContextVar("reference", default="-")
"""The reference of what is being done in this task; `-` for what the bot does on its own."""


def begin() -> str:
    """Go by a new reference from now on, in this task and all that it starts."""
    new = secrets.token_hex(4)
    reference.set(new)
    return new
