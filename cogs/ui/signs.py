"""Shows marked sentences (`engines.marks`) at Discord: with the emoji it knows, or in words.

A label can't hold an emoji of ours: its first sign becomes the button's emoji.
"""

import re
from collections.abc import Mapping

import discord

from cogs.ui.limits import BYTES, clip
from engines import names as quotes
from engines.marks import first_sign, to_signs, to_words

_FORMATS = re.compile(r"[\\*_~|`<>\[\]@:#]|\A[-+]|(?<=\A\d)\.|(?<=\A\d\d)\.")
"""Characters in people's words that Discord would format."""
_ESCAPED = re.compile(r"\\([^a-zA-Z0-9\s])")
_ISOLATE, _END = "\u2068", "\u2069"
"""Isolate a right-to-left name, so that the words around it keep their order."""

_shown: dict[str, discord.PartialEmoji] = {}


def show(known: Mapping[str, discord.PartialEmoji]) -> None:
    """Show exactly these signs from now on, by their names."""
    _shown.clear()
    _shown.update(known)


def without_icons(text: str) -> str:
    """Return a sentence in words alone, for a message."""
    return _to_text(to_words(text))


def to_label(text: str) -> str:
    """Return a sentence in words, for labels, titles and threads."""
    return quotes.rewrite(to_words(text), str, _isolate)


def _to_text(text: str) -> str:
    r"""Return a sentence in which Discord formats nothing that people wrote.

    >>> _to_text(f"**{quotes.quote('[a](https://x.y)')}** wins!")
    '**\\[a\\](https\\://x.y)** wins!'
    """
    return quotes.rewrite(text, str, lambda name: _isolate(_FORMATS.sub(r"\\\g<0>", name)))


def read(text: str) -> str:
    """Return people's own words from a text that shows nothing else.

    >>> read(without_icons(quotes.quote("a_b*"))), read("a_b")
    ('a_b*', 'a_b')
    """
    return _ESCAPED.sub(r"\1", text.replace(_ISOLATE, "").replace(_END, ""))


def _isolate(name: str) -> str:
    return f"{_ISOLATE}{name}{_END}" if quotes.is_reversed(name) else name


def with_signs(text: str, limit: int) -> str:
    """Return a sentence with signs; if too long, in clipped words."""
    result = _to_text(_all_signs(text))
    return result if len(result) <= limit else clip(without_icons(text), limit)


def _all_signs(text: str) -> str:
    """Return a sentence with its signs, of any length."""
    return to_signs(text, _emoji_or_word)


def _emoji_or_word(name: str, word: str) -> str:
    emoji = _shown.get(name)
    if emoji is None:
        return word
    return str(emoji) if word else f"{emoji} "


def with_signs_together(texts: list[str], limit: int) -> list[str]:
    """Return sentences with signs; in words if too long together."""
    lines = [_to_text(_all_signs(text)) for text in texts]
    fits = sum(map(len, lines)) <= limit and sum(len(line.encode()) for line in lines) <= BYTES
    return lines if fits else [without_icons(text) for text in texts]


def first_emoji(label: str) -> discord.PartialEmoji | None:
    """Return the emoji of a label's first sign, if shown."""
    name = first_sign(label)
    return None if name is None else _shown.get(name)


def shorten(text: str, limit: int) -> str:
    r"""Shorten a text to `limit` letters, signs not counted.

    >>> from engines.marks import with_icon
    >>> without_icons(shorten(f"{with_icon('seat_1', 'Ann')}\nBo\nCy", 7))
    'Ann\n…'
    """
    result = clip(without_icons(text), limit)
    for kept in (text, "\n".join([*text.split("\n")[: result.count("\n")], "…"])):
        if without_icons(kept) == result:
            return kept
    return clip(to_words(text), limit)
