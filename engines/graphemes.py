"""User-perceived characters of a text."""

from __future__ import annotations

import unicodedata

JOINER = "\u200d"


def is_plain(text: str) -> bool:
    """Return True if every letter is a character by itself."""
    return text.isascii() and text.isprintable()


def graphemes(text: str) -> list[str]:
    r"""Split into user-perceived characters.

    Marks, joined emoji, skin tones and flags stay together.

    >>> [len(cluster) for cluster in graphemes("e\u0301a")]
    [2, 1]
    >>> len(graphemes("👩‍👧🇩🇪👍🏽"))
    3
    """
    if is_plain(text):
        return list(text)
    texts: list[str] = []
    for character in text:
        if texts and (
            _extends(character) or texts[-1].endswith(JOINER) or _completes_flag(texts[-1], character)
        ):
            texts[-1] += character
        else:
            texts.append(character)
    return texts


def _extends(character: str) -> bool:
    return (
        character == JOINER
        or unicodedata.category(character) in ("Mn", "Me", "Mc")
        or "\U0001f3fb" <= character <= "\U0001f3ff"
    )


def is_flag_letter(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _completes_flag(cluster: str, character: str) -> bool:
    return len(cluster) == 1 and is_flag_letter(cluster) and is_flag_letter(character)
