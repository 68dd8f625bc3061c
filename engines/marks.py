"""Signs in sentences: marks that become emoji where Discord knows them, and words everywhere else.

A sentence's author marks the places of its signs. Only its final display turns marks into emoji; logs,
files, pictures and typed text use words.

People's own words are quoted (`engines.names.quote`): they are never formatted or reworded.
"""

import re
from collections.abc import Callable, Mapping

from engines import names as quotes

_OPEN, _THEN, _CLOSE = "\ue000", "\ue001", "\ue002"
"""Letters that no language has: they enclose a sign's name and its word."""
_MARK = re.compile(f"{_OPEN}([a-z0-9_]+){_THEN}([^{_OPEN}{_CLOSE}]*){_CLOSE}")
_MARK_WITH_LETTER = re.compile(rf"{_MARK.pattern}([A-Z]\b)?")
_FIRST_LETTER = re.compile(rf"\A(?:{_MARK.pattern}|[^\w{_OPEN}{quotes.OPEN}])*\w")

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
_SILENT = re.compile("[\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\ufe0f\u200d]+ ?")
"""Arrows and emoji that are mere ornament."""
_RANGE = re.compile(r"(?<![-\w])([A-Z]{0,2}\d{1,2})-([A-Z]{0,2}\d{1,2})(?![-\w])")
"""A range of places."""

_names: dict[str, str] = {}


def sign(name: str, word: str = "") -> str:
    """Return the mark of a sign that replaces a word.

    >>> to_plain(f"You gain 2 {sign('tangle_n', 'N')}.")
    'You gain 2 N.'
    """
    return f"{_OPEN}{name}{_THEN}{word}{_CLOSE}"


def with_icon(name: str, text: str) -> str:
    """Return a text with a sign before it.

    >>> to_plain(f"{with_icon('seat_1', 'Ann')} flips 4.")
    'Ann flips 4.'
    """
    return sign(name) + text


def to_words(text: str) -> str:
    """Return a sentence with words for signs; people's words stay quoted."""
    return _MARK.sub(r"\2", text)


def to_plain(text: str) -> str:
    """Return a sentence in words alone for a picture or a file.

    >>> to_plain(f"{quotes.quote('a_b*')} wins!")
    'a_b* wins!'
    """
    return quotes.unquote(to_words(text))


def to_signs(text: str, show: Callable[[str, str], str]) -> str:
    """Replace each mark by what `show` returns for its name and word."""
    return _MARK.sub(lambda mark: show(mark[1], mark[2]), text)


def first_sign(text: str) -> str | None:
    mark = _MARK.search(text)
    return None if mark is None else mark[1]


def to_speech(text: str) -> str:
    """Return a sentence for a screen reader, without symbols.

    People's own words stay as they are, and stay quoted.

    >>> to_speech("💡 **Hint:** turned 60°, −5 points at 4-5, 8 / 6 / 4.")
    '**Hint:** turned 60 degrees, minus 5 points at 4 to 5, 8, 6, 4.'
    >>> to_plain(to_speech(f"🏆 {quotes.quote('🐱 4-5')} wins."))
    '🐱 4-5 wins.'
    """
    return quotes.rewrite(_MARK_WITH_LETTER.sub(_spell_sign, text), _spell_symbols, quotes.requote)


def _spell_symbols(text: str) -> str:
    for symbol, word in _SPOKEN.items():
        text = text.replace(symbol, word)
    return _SILENT.sub("", _RANGE.sub(r"\1 to \2", text))


def _spell_sign(mark: re.Match[str]) -> str:
    """Return a sign's spoken name, or else its word."""
    return _names.get(mark[1], mark[2] + (mark[3] or ""))


def say_as(names: Mapping[str, str]) -> None:
    """Register spoken names for signs that replace a letter."""
    _names.update(names)


def capital(text: str) -> str:
    """Capitalise the first letter of a text, after its signs.

    >>> to_plain(capital(with_icon("tanglewood_neutral", "neutral")))
    'Neutral'
    """
    return _FIRST_LETTER.sub(lambda found: found[0][:-1] + found[0][-1].upper(), text)
