"""Sentences for files: without Discord's formatting."""

import re
from datetime import UTC, datetime

from engines.marks import to_plain
from engines.names import requote, rewrite

_MARKS = re.compile(
    r"\\(?P<escaped>[^a-zA-Z0-9\s])"
    r"|<t:(?P<instant>-?\d+)(?::[tTdDfFR])?>"
    r"|(?P<mark>\*\*|__|~~|`|^-# |^#{1,3} )",
    re.MULTILINE,
)


def plain(text: str) -> str:
    """Return a text without Markdown and signs, with instants in UTC.

    >>> from engines.names import quote
    >>> plain(f"**{quote('Ann__B')}** flips 4; until <t:0:f>.")
    'Ann__B flips 4; until 1 Jan 1970, 00:00 UTC.'
    """
    return to_plain(rewrite(text, lambda ours: _MARKS.sub(_plain, ours), requote))


def _plain(match: re.Match[str]) -> str:
    if match["instant"] is not None:
        return instant(float(match["instant"]))
    return match["escaped"] or ""


def instant(at: float) -> str:
    """Return an instant in UTC, to the minute.

    >>> instant(60.0)
    '1 Jan 1970, 00:01 UTC'
    """
    moment = datetime.fromtimestamp(at, UTC)
    return f"{moment.day} {moment:%b %Y, %H:%M} UTC"
