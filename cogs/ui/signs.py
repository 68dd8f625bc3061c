"""Signs in sentences: marks that become emoji where Discord knows them, and words everywhere else.

Whoever makes a sentence marks where a sign may stand. Only who shows the sentence turns marks into emoji, for
logs, files, pictures and what people type know words alone. A label can't hold an emoji of ours: its first
sign stands beside it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import discord

from cogs.ui.limits import BYTES, clip

_OPEN, _THEN, _CLOSE = "\ue000", "\ue001", "\ue002"
"""Letters that no language has: they enclose a sign's name and the word that stands for it."""
_MARK = re.compile(f"{_OPEN}([a-z0-9_]+){_THEN}([^{_OPEN}{_CLOSE}]*){_CLOSE}")
_MARK_WITH_LETTER = re.compile(rf"{_MARK.pattern}([A-Z]\b)?")
_FIRST_LETTER = re.compile(rf"\A(?:{_MARK.pattern}|[^\w{_OPEN}])*\w")

_SAID = {
    "✓ ": "chosen: ",
    "⚠️ ": "Warning: ",
    "°": " degrees",
    "−": "minus ",
    "×": " times ",
    " \u00b7 ": ", ",
    " / ": ", ",
    " → ": " to ",
}
"""Signs, and the words that are said for them."""
_SILENT = re.compile(
    "[\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\ufe0f\u200d]+ ?",
)
"""Arrows and emoji, which only adorn what is said."""

_RANGE = re.compile(r"(?<![-\w])([A-Z]{0,2}\d{1,2})-([A-Z]{0,2}\d{1,2})(?![-\w])")
"""From a place to another."""

_names: dict[str, str] = {}
_shown: dict[str, discord.PartialEmoji] = {}


def show(known: Mapping[str, discord.PartialEmoji]) -> None:
    """From now on these signs are shown, by their names, and no others."""
    _shown.clear()
    _shown.update(known)


def sign(name: str, word: str = "") -> str:
    """The mark of a sign that is shown in place of a word.

    >>> worded(f"You gain 2 {sign('tangle_n', 'N')}.")
    'You gain 2 N.'
    """
    return f"{_OPEN}{name}{_THEN}{word}{_CLOSE}"


def beside(name: str, text: str) -> str:
    """A text with the sign that is shown before it.

    >>> worded(f"{beside('seat_1', 'Ann')} flips 4.")
    'Ann flips 4.'
    """
    return sign(name) + text


def worded(text: str) -> str:
    """A sentence in words alone."""
    return _MARK.sub(r"\2", text)


def heard(text: str) -> str:
    """A sentence as a screen reader says it best: words alone, without emoji, arrows and signs for words.

    >>> heard("💡 **Hint:** turned 60°, −5 points at 4-5, 8 / 6 / 4.")
    '**Hint:** turned 60 degrees, minus 5 points at 4 to 5, 8, 6, 4.'
    """
    text = _MARK_WITH_LETTER.sub(_said, text)
    for sign_, word in _SAID.items():
        text = text.replace(sign_, word)
    return _SILENT.sub("", _RANGE.sub(r"\1 to \2", text))


def _said(mark: re.Match[str]) -> str:
    """A sign by its name in place of its letter, or by the word that it holds the place of."""
    return _names.get(mark[1], mark[2] + (mark[3] or ""))


def say_as(names: Mapping[str, str]) -> None:
    """Have signs that stand in place of a letter said by a name, where they are heard."""
    _names.update(names)


def signed(text: str, limit: int) -> str:
    """A sentence as Discord shows it, with its signs; in words, and clipped, where these take too much."""
    told = _signed(text)
    return told if len(told) <= limit else clip(worded(text), limit)


def _signed(text: str) -> str:
    """A sentence with its signs, however long that is."""
    return _MARK.sub(lambda mark: _told(mark[1], mark[2]), text)


def _told(name: str, word: str) -> str:
    emoji = _shown.get(name)
    if emoji is None:
        return word
    return str(emoji) if word else f"{emoji} "


def signed_together(texts: list[str], limit: int) -> list[str]:
    """Sentences with their signs, or in words where all their signs together would take too much."""
    lines = [_signed(text) for text in texts]
    fits = sum(map(len, lines)) <= limit and sum(len(line.encode()) for line in lines) <= BYTES
    return lines if fits else [worded(text) for text in texts]


def first_of(label: str) -> discord.PartialEmoji | None:
    """The sign that stands beside a label: the first that it names, where that is shown."""
    mark = _MARK.search(label)
    return None if mark is None else _shown.get(mark[1])


def shortened(text: str, limit: int) -> str:
    """A text of which at most so many letters are words, shortened at a line's end; its signs don't count.

    >>> worded(shortened(f"{beside('seat_1', 'Ann')}\\nBo\\nCy", 7))
    'Ann\\n…'
    """
    told = clip(worded(text), limit)
    for kept in (text, "\n".join([*text.split("\n")[: told.count("\n")], "…"])):
        if worded(kept) == told:
            return kept
    return told


def capital(text: str) -> str:
    """A text with its first letter, behind all signs, as a capital.

    >>> worded(capital(beside("tanglewood_neutral", "neutral")))
    'Neutral'
    """
    return _FIRST_LETTER.sub(lambda found: found[0][:-1] + found[0][-1].upper(), text)
