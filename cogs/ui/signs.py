"""Signs in sentences: marks that become emoji where Discord knows them, and words everywhere else.

Whoever makes a sentence marks where a sign may stand. Only who shows the sentence turns marks into emoji, for
logs, files, pictures and what people type know words alone. A label can't hold an emoji of ours: its first
sign stands beside it.

What people have written is quoted (`engines.names.quote`). Nothing in it is formatted in a text, and none of
it is said in other words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import discord

from cogs.ui.limits import BYTES, clip
from engines import names as quotes

_OPEN, _THEN, _CLOSE = "\ue000", "\ue001", "\ue002"
"""Letters that no language has: they enclose a sign's name and the word that stands for it."""
_MARK = re.compile(f"{_OPEN}([a-z0-9_]+){_THEN}([^{_OPEN}{_CLOSE}]*){_CLOSE}")
_MARK_WITH_LETTER = re.compile(rf"{_MARK.pattern}([A-Z]\b)?")
_FIRST_LETTER = re.compile(rf"\A(?:{_MARK.pattern}|[^\w{_OPEN}{quotes.OPEN}])*\w")
_FORMATS = re.compile(r"[\\*_~|`<>\[\]@:#]|\A[-+]|(?<=\A\d)\.|(?<=\A\d\d)\.")
"""What Discord would format in the words of people."""
_ESCAPED = re.compile(r"\\([^a-zA-Z0-9\s])")
_ISOLATE, _END = "\u2068", "\u2069"
"""They keep the order of words around a name that is read from right to left."""

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
    """A sentence in words alone, for a message."""
    return _to_text(_without_signs(text))


def _without_signs(text: str) -> str:
    return _MARK.sub(r"\2", text)


def unformatted(text: str) -> str:
    """Return a sentence in words alone for a picture or a file.

    >>> unformatted(f"{quotes.quote('a_b*')} wins!")
    'a_b* wins!'
    """
    return quotes.unquote(_without_signs(text))


def to_label(text: str) -> str:
    """Return a sentence in words alone for a label, a title or the name of a thread."""
    return quotes.rewrite(_without_signs(text), str, _isolated)


def _to_text(text: str) -> str:
    r"""Return a sentence in which Discord formats nothing that people wrote.

    >>> _to_text(f"**{quotes.quote('[a](https://x.y)')}** wins!")
    '**\\[a\\](https\\://x.y)** wins!'
    """
    return quotes.rewrite(text, str, lambda name: _isolated(_FORMATS.sub(r"\\\g<0>", name)))


def read(text: str) -> str:
    r"""Return the words of people as they wrote them, from a text that shows them and nothing else.

    >>> read(worded(quotes.quote("a_b*"))), read("a_b")
    ('a_b*', 'a_b')
    """
    return _ESCAPED.sub(r"\1", text.replace(_ISOLATE, "").replace(_END, ""))


def _isolated(name: str) -> str:
    return f"{_ISOLATE}{name}{_END}" if quotes.is_reversed(name) else name


def heard(text: str) -> str:
    """A sentence as a screen reader says it best: words alone, without emoji, arrows and signs for words.

    What people have written stays as it is, and stays quoted.

    >>> heard("💡 **Hint:** turned 60°, −5 points at 4-5, 8 / 6 / 4.")
    '**Hint:** turned 60 degrees, minus 5 points at 4 to 5, 8, 6, 4.'
    >>> unformatted(heard(f"🏆 {quotes.quote('🐱 4-5')} wins."))
    '🐱 4-5 wins.'
    """
    return quotes.rewrite(_MARK_WITH_LETTER.sub(_said, text), _in_words, quotes.requote)


def _in_words(text: str) -> str:
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
    told = _to_text(_signed(text))
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
    lines = [_to_text(_signed(text)) for text in texts]
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
    return clip(_without_signs(text), limit)


def capital(text: str) -> str:
    """A text with its first letter, behind all signs, as a capital.

    >>> worded(capital(beside("tanglewood_neutral", "neutral")))
    'Neutral'
    """
    return _FIRST_LETTER.sub(lambda found: found[0][:-1] + found[0][-1].upper(), text)
