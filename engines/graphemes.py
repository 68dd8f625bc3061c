"""Text as editors save it, and its user-perceived characters."""

import unicodedata
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE

JOINER = "\u200d"
MARKS = {BOM_UTF8: "utf-8-sig", BOM_UTF16_LE: "utf-16", BOM_UTF16_BE: "utf-16"}
"""Encodings by the first bytes of a file."""


def find_encoding(data: bytes) -> str:
    """Return the encoding that a file's first bytes name; else UTF-8.

    >>> find_encoding(b"a"), find_encoding("a".encode("utf-16"))
    ('utf-8', 'utf-16')
    """
    return next((name for mark, name in MARKS.items() if data.startswith(mark)), "utf-8")


def decode_file(data: bytes) -> str:
    """Decode a text file as its first bytes say. Raises UnicodeDecodeError."""
    return data.decode(find_encoding(data))


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
