"""Limits on texts: people's input, and Discord's messages."""

from collections.abc import Sequence

from discord import app_commands

MESSAGE = 2000
"""Characters of a plain message."""

PAGE = 4000
"""Characters of all texts of a page together."""

BYTES = 9500
"""Bytes of all texts of a page together. Discord is reported to fail above about 10,170."""

Word = app_commands.Range[str, 1, 16]
"""A typed option that names one thing: a place, a card, a colour."""

REMARK = 200
"""Characters of a remark on one line."""

Remark = app_commands.Range[str, 1, REMARK]
"""A typed option with a remark on one line."""

Line = app_commands.Range[str, 1, 100]
"""A typed option that repeats one of autocomplete's lines, which have at most this length."""


def clip(text: str, limit: int) -> str:
    r"""Shorten a text longer than the limit, at a line's end.

    >>> clip("one\ntwo\nthree", 9)
    'one\n…'
    >>> clip("one", 3)
    'one'
    """
    if len(text) <= limit:
        return text
    return text[: limit - 2].rsplit("\n", 1)[0] + "\n…"


def clip_together(texts: Sequence[str], limit: int = PAGE) -> list[str]:
    r"""Shorten the longest texts to `limit` characters and `BYTES` bytes.

    >>> clip_together(["a\nb\nc\nd", "e"], 6)
    ['a\n…', 'e']
    >>> [len(text) for text in clip_together(["漢" * 2000, "字" * 2000])]
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
    """Return the largest length per text that fits them together."""
    room = limit
    for number, length in enumerate(lengths):
        share = room // (len(lengths) - number)
        if length > share:
            return share
        room -= length
    return limit
