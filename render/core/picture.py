"""The finished form of every game's pictures."""

from __future__ import annotations

from dataclasses import dataclass

ALT_LIMIT = 1024
"""Discord's limit for the description of an attachment."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A finished picture.

    Attributes:
        png: the file's bytes.
        alt: its content in words; at most `ALT_LIMIT` characters.
        name: the file name for the upload. It says what kind of picture this is and nothing else.
    """

    png: bytes
    alt: str
    name: str


def alt_text(sentences: list[str]) -> str:
    """Join the sentences within the limit.

    Drop the last ones if it gets too long.

    >>> alt_text(["Turn 3.", "Ann to move."])
    'Turn 3. Ann to move.'
    """
    text = ""
    for sentence in sentences:
        longer = f"{text} {sentence}".strip()
        if len(longer) > ALT_LIMIT:
            break
        text = longer
    return text or sentences[0][: ALT_LIMIT - 1] + "…"
