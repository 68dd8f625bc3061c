"""The finished form of every game's pictures."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Picture:
    """A finished picture.

    Attributes:
        png: the file's bytes.
        alt: its content in words; at most `engines.captions.ALT_LIMIT` characters.
        name: the file name for the upload. It says what kind of picture this is and nothing else.
    """

    png: bytes
    alt: str
    name: str
