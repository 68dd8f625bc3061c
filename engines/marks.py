"""Text in sentences: signs that become emoji, quoted names, and characters as people count them.

A sentence's author marks the places of its signs. Only its final display turns marks into emoji; logs,
files, pictures and typed text use words.

People's own words are quoted (`engines.marks.quote`): they are never formatted or reworded.

All text that people write goes through `quote` before it becomes part of a sentence. Quoted words hold only
visible characters. The marks around them tell renderers not to format them, and readers aloud to leave them
as they are.
"""

import re
import unicodedata
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import count

OPEN, CLOSE = "\ue003", "\ue004"
"""Private-use characters that enclose the words of people."""
NAMELESS = "(no name)"
_QUOTED = re.compile(f"{OPEN}([^{OPEN}{CLOSE}]*)(?:{CLOSE}|\\Z)")
_JOINER = "\u200d"
_MOST_MARKS = 2
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that show nothing but aren't spaces."""
HARMLESS = re.compile(r"[^\W\d_](?:[^\W_]|[ ',.()…])+")
"""Names that read the same everywhere, so they need no marks."""


def clean(text: str) -> str:
    r"""Return the text on one line, without invisible characters.

    Empty if nothing is visible. Drops controls, direction marks, lone surrogates, private letters and towers
    of accents.

    >>> clean("  Ann\n\u202eB "), clean("\u200b"), clean("a\u200db")
    ('Ann B', '', 'ab')
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode("utf-8")):
        category = unicodedata.category(character)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if category in ("Zs", "Zl", "Zp") or character in "\t\n\r\v\f":
            kept.append(" ")
        elif character in _BLANK or marks > _MOST_MARKS:
            continue
        elif character == _JOINER:
            kept += [character] if kept and unicodedata.category(kept[-1]) in ("So", "Sk", "Mn", "Cn") else []
        elif category[0] != "C" or category == "Cn":
            kept.append(character)
    line = " ".join("".join(kept).strip(_JOINER).split())
    return line if any(map(_is_visible, line)) else ""


def _is_visible(character: str) -> bool:
    category = unicodedata.category(character)
    return category[0] not in "CZM" or category == "Cn"  # emoji that are newer than this Python


def quote(text: str, fallback: str = NAMELESS) -> str:
    r"""Clean and mark people's words, so that they appear unchanged.

    >>> quote("Ann"), quote("*Ann*")
    ('Ann', '\ue003*Ann*\ue004')
    """
    shown = clean(text) or fallback
    return shown if not shown or (HARMLESS.fullmatch(shown) and not is_reversed(shown)) else requote(shown)


def quote_player(names: Sequence[str], seat: int) -> str:
    """Mark the name of a seat's player, numbered if it is taken."""
    return quote(player_name(names, seat))


def quote_players(names: Sequence[str]) -> list[str]:
    return list(map(quote, _display_names(tuple(names))))


def player_name(names: Sequence[str], seat: int) -> str:
    """Return a seat's display name; no two players share one.

    >>> player_name(["Sam", "", "Sam"], 2), player_name(["Sam", "", "Sam"], 1)
    ('Sam (2)', 'Player 2')
    """
    return _display_names(tuple(names))[seat]


@lru_cache(maxsize=1024)
def _display_names(names: tuple[str, ...]) -> tuple[str, ...]:
    texts: list[str] = []
    for number, name in enumerate(names, start=1):
        texts.append(make_distinct(clean(name) or f"Player {number}", texts))
    return tuple(texts)


def requote(shown: str) -> str:
    """Mark words of people that `rewrite` has found."""
    return f"{OPEN}{shown}{CLOSE}"


def unquote(text: str) -> str:
    return text.replace(OPEN, "").replace(CLOSE, "")


def rewrite(text: str, ours: Callable[[str], str], theirs: Callable[[str], str] = str) -> str:
    """Apply one function to our words and another to those of people.

    >>> rewrite(f"we {quote('*they*')}", str.upper)
    'WE *they*'
    """
    parts = _QUOTED.split(text)
    return "".join(theirs(part) if number % 2 else ours(unquote(part)) for number, part in enumerate(parts))


def is_reversed(text: str) -> bool:
    """Return True if the text has right-to-left letters."""
    return not text.isascii() and any(unicodedata.bidirectional(one) in ("R", "AL", "AN") for one in text)


def make_distinct(name: str, taken: Iterable[str]) -> str:
    """Make a name unique by adding a number if somebody else has it.

    >>> make_distinct("Sam", ["Ann"]), make_distinct("sam", ["Sam", "Sam (2)"])
    ('Sam', 'sam (3)')
    """
    known = set(map(_lookalike_key, taken))
    names = (name if number == 1 else f"{name} ({number})" for number in count(1))
    return next(one for one in names if _lookalike_key(one) not in known)


def _lookalike_key(name: str) -> str:
    return unicodedata.normalize("NFKC", clean(name)).casefold()


_OPEN, _THEN, _CLOSE = "\ue000", "\ue001", "\ue002"
"""Letters that no language has: they enclose a sign's name and its word."""
_MARK = re.compile(f"{_OPEN}([a-z0-9_]+){_THEN}([^{_OPEN}{_CLOSE}]*){_CLOSE}")
_MARK_WITH_LETTER = re.compile(rf"{_MARK.pattern}([A-Z]\b)?")
_FIRST_LETTER = re.compile(rf"\A(?:{_MARK.pattern}|[^\w{_OPEN}{OPEN}])*\w")

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

    >>> to_plain(f"{quote('a_b*')} wins!")
    'a_b* wins!'
    """
    return unquote(to_words(text))


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
    >>> to_plain(to_speech(f"🏆 {quote('🐱 4-5')} wins."))
    '🐱 4-5 wins.'
    """
    named = _MARK_WITH_LETTER.sub(lambda mark: _names.get(mark[1], mark[2] + (mark[3] or "")), text)
    return rewrite(named, _spell_symbols, requote)


def _spell_symbols(text: str) -> str:
    for symbol, word in _SPOKEN.items():
        text = text.replace(symbol, word)
    return _SILENT.sub("", _RANGE.sub(r"\1 to \2", text))


def say_as(names: Mapping[str, str]) -> None:
    """Register spoken names for signs that replace a letter."""
    _names.update(names)


def capital(text: str) -> str:
    """Capitalise the first letter of a text, after its signs.

    >>> to_plain(capital(with_icon("tanglewood_neutral", "neutral")))
    'Neutral'
    """
    return _FIRST_LETTER.sub(lambda found: found[0][:-1] + found[0][-1].upper(), text)


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
        last = texts[-1] if texts else ""
        is_half_flag = len(last) == 1 and is_flag_letter(last)
        if last and (
            _extends(character) or last.endswith(JOINER) or (is_half_flag and is_flag_letter(character))
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
