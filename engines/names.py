"""The words of people: names, notes and reasons, which appear as they are, never formatted.

All text that people write goes through `quote` before it becomes part of a sentence. Quoted words hold only
visible characters. The marks around them tell renderers not to format them, and readers aloud to leave them
as they are.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
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
            kept += [character] if kept and _joins(kept[-1]) else []
        elif category[0] != "C" or category == "Cn":
            kept.append(character)
    line = " ".join("".join(kept).strip(_JOINER).split())
    return line if any(map(_is_visible, line)) else ""


def _joins(before: str) -> bool:
    """Return True if a joiner after this character makes one sign."""
    return unicodedata.category(before) in ("So", "Sk", "Mn", "Cn")


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
    """Remove the marks around the words of people."""
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
    """Return a key that is equal for names that look alike."""
    return unicodedata.normalize("NFKC", clean(name)).casefold()
