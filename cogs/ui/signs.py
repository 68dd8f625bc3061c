"""Signs in sentences: marks that become emoji where Discord knows them, and words everywhere else.

A sentence's author marks the places of its signs. Only its final display turns marks into emoji, for logs,
files, pictures and typed text use words. A label can't hold an emoji of ours: its first sign becomes the
button's emoji.

People's own words are quoted (`engines.names.quote`): they are never formatted or reworded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import discord

from cogs.ui.limits import BYTES, clip
from engines import names as quotes

_OPEN, _THEN, _CLOSE = "\ue000", "\ue001", "\ue002"
"""Letters that no language has: they enclose a sign's name and its word."""
_MARK = re.compile(f"{_OPEN}([a-z0-9_]+){_THEN}([^{_OPEN}{_CLOSE}]*){_CLOSE}")
_MARK_WITH_LETTER = re.compile(rf"{_MARK.pattern}([A-Z]\b)?")
_FIRST_LETTER = re.compile(rf"\A(?:{_MARK.pattern}|[^\w{_OPEN}{quotes.OPEN}])*\w")
_FORMATS = re.compile(r"[\\*_~|`<>\[\]@:#]|\A[-+]|(?<=\A\d)\.|(?<=\A\d\d)\.")
"""Characters in people's words that Discord would format."""
_ESCAPED = re.compile(r"\\([^a-zA-Z0-9\s])")
_ISOLATE, _END = "\u2068", "\u2069"
"""Isolate a right-to-left name, so that the words around it keep their order."""

_SPOKEN = {
    "✓ ": "chosen: ",
    "⚠️ ": "Warning: ",
    "°": " degrees",
    "−": "minus ",
    "×": " times ",
    " \u00b7 ": ", ",
    " / ": ", ",
    " → ": " to ",
}
"""Signs, and the words that a screen reader says for them."""
_SILENT = re.compile(
    "[\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\ufe0f\u200d]+ ?",
)
"""Arrows and emoji that are mere ornament."""

_RANGE = re.compile(r"(?<![-\w])([A-Z]{0,2}\d{1,2})-([A-Z]{0,2}\d{1,2})(?![-\w])")
"""A range of places."""

_names: dict[str, str] = {}
_shown: dict[str, discord.PartialEmoji] = {}


def show(known: Mapping[str, discord.PartialEmoji]) -> None:
    """Show exactly these signs from now on, by their names."""
    _shown.clear()
    _shown.update(known)


def sign(name: str, word: str = "") -> str:
    """Return the mark of a sign that replaces a word.

    >>> without_icons(f"You gain 2 {sign('tangle_n', 'N')}.")
    'You gain 2 N.'
    """
    return f"{_OPEN}{name}{_THEN}{word}{_CLOSE}"


def with_icon(name: str, text: str) -> str:
    """Return a text with a sign before it.

    >>> without_icons(f"{with_icon('seat_1', 'Ann')} flips 4.")
    'Ann flips 4.'
    """
    return sign(name) + text


def without_icons(text: str) -> str:
    """Return a sentence in words alone, for a message."""
    return _to_text(_without_signs(text))


def _without_signs(text: str) -> str:
    return _MARK.sub(r"\2", text)


def to_plain(text: str) -> str:
    """Return a sentence in words alone for a picture or a file.

    >>> to_plain(f"{quotes.quote('a_b*')} wins!")
    'a_b* wins!'
    """
    return quotes.unquote(_without_signs(text))


def to_label(text: str) -> str:
    """Return a sentence in words, for labels, titles and threads."""
    return quotes.rewrite(_without_signs(text), str, _isolate)


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


def to_speech(text: str) -> str:
    """Return a sentence for a screen reader, without symbols.

    People's own words stay as they are, and stay quoted.

    >>> to_speech("💡 **Hint:** turned 60°, −5 points at 4-5, 8 / 6 / 4.")
    '**Hint:** turned 60 degrees, minus 5 points at 4 to 5, 8, 6, 4.'
    >>> to_plain(to_speech(f"🏆 {quotes.quote('🐱 4-5')} wins."))
    '🐱 4-5 wins.'
    """
    return quotes.rewrite(_MARK_WITH_LETTER.sub(_sign_to_speech, text), _in_words, quotes.requote)


def _in_words(text: str) -> str:
    for sign_, word in _SPOKEN.items():
        text = text.replace(sign_, word)
    return _SILENT.sub("", _RANGE.sub(r"\1 to \2", text))


def _sign_to_speech(mark: re.Match[str]) -> str:
    """Return a sign's spoken name, or else its word."""
    return _names.get(mark[1], mark[2] + (mark[3] or ""))


def say_as(names: Mapping[str, str]) -> None:
    """Register spoken names for signs that replace a letter."""
    _names.update(names)


def with_signs(text: str, limit: int) -> str:
    """Return a sentence with signs; if too long, in clipped words."""
    result = _to_text(_all_signs(text))
    return result if len(result) <= limit else clip(without_icons(text), limit)


def _all_signs(text: str) -> str:
    """Return a sentence with its signs, of any length."""
    return _MARK.sub(lambda mark: _emoji_or_word(mark[1], mark[2]), text)


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
    mark = _MARK.search(label)
    return None if mark is None else _shown.get(mark[1])


def shorten(text: str, limit: int) -> str:
    r"""Shorten a text to `limit` letters, signs not counted.

    >>> without_icons(shorten(f"{with_icon('seat_1', 'Ann')}\nBo\nCy", 7))
    'Ann\n…'
    """
    result = clip(without_icons(text), limit)
    for kept in (text, "\n".join([*text.split("\n")[: result.count("\n")], "…"])):
        if without_icons(kept) == result:
            return kept
    return clip(_without_signs(text), limit)


def capital(text: str) -> str:
    """Capitalise the first letter of a text, after its signs.

    >>> without_icons(capital(with_icon("tanglewood_neutral", "neutral")))
    'Neutral'
    """
    return _FIRST_LETTER.sub(lambda found: found[0][:-1] + found[0][-1].upper(), text)
