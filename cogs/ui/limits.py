"""How long texts may be: what people may type, and what Discord takes of an answer."""

from __future__ import annotations

from collections.abc import Sequence

from discord import app_commands

MESSAGE = 2000
"""The characters of a plain message."""

PAGE = 4000
"""The characters of all texts of a page together."""

BYTES = 9500
"""The bytes of all texts of a page together. Discord is reported to fail above about 10,170."""

Word = app_commands.Range[str, 1, 16]
"""A typed option that names one thing: a place, a card, a colour."""

REMARK = 200
"""The characters of what somebody says about something, in a line."""

Remark = app_commands.Range[str, 1, REMARK]
"""A typed option that says something in a line."""

Line = app_commands.Range[str, 1, 100]
"""A typed option that repeats one of the lines that autocomplete offers, which are as long at most."""


def clip(text: str, limit: int) -> str:
    """The text, shortened at a line's end where it is longer than the limit.

    >>> clip("one\\ntwo\\nthree", 9)
    'one\\n…'
    >>> clip("one", 3)
    'one'
    """
    if len(text) <= limit:
        return text
    return text[: limit - 2].rsplit("\n", 1)[0] + "\n…"


def clipped_together(texts: Sequence[str], limit: int = PAGE) -> list[str]:
    """Shorten the longest texts until all together have at most `limit` characters, and `BYTES` bytes.

    >>> clipped_together(["a\\nb\\nc\\nd", "e"], 6)
    ['a\\n…', 'e']
    >>> [len(text) for text in clipped_together(["漢" * 2000, "字" * 2000])]
    [1583, 1583]
    """
    while True:
        share = _share(sorted(map(len, texts)), limit)
        clipped = [clip(text, share) for text in texts]
        size = sum(len(text.encode()) for text in clipped)
        if size <= BYTES:
            return clipped
        limit = min(limit - 1, limit * BYTES // size)


def _share(lengths: Sequence[int], limit: int) -> int:
    """The most that each text may have, so that all of these lengths, shortest first, fit together."""
    room = limit
    for number, length in enumerate(lengths):
        share = room // (len(lengths) - number)
        if length > share:
            return share
        room -= length
    return limit
