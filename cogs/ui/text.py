"""Texts in Discord: their limits and signs, and who hears them.

A label can't hold an emoji of ours: its first sign becomes the button's emoji.

Answers to people who listen have no signs, which a screen reader would spell out. That they listen is noted
once, when an interaction begins, so that making or sending a page needs no lookup.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

import discord
from discord import app_commands

from engines import marks as quotes

MESSAGE = 2000
"""Characters of a plain message."""

PAGE_LETTERS = 4000
"""Characters of all texts of a page together."""

PAGE_BYTES = 9500
"""Bytes of all texts of a page together. Discord is reported to fail above about 10,170."""

Word = app_commands.Range[str, 1, 16]
"""A typed option that names one thing: a place, a card, a colour."""

REMARK = 200
"""Characters of a remark on one line."""

Line = app_commands.Range[str, 1, 100]
"""A typed option that repeats one of autocomplete's lines, which have at most this length."""


def clip_text(text: str, limit: int) -> str:
    r"""Shorten a text longer than the limit, at a line's end.

    >>> clip_text("one\ntwo\nthree", 9)
    'one\n…'
    >>> clip_text("one", 3)
    'one'
    """
    if len(text) <= limit:
        return text
    return text[: limit - 2].rsplit("\n", 1)[0] + "\n…"


def clip_together(texts: Sequence[str], limit: int = PAGE_LETTERS) -> list[str]:
    r"""Shorten the longest texts to `limit` characters and `PAGE_BYTES` bytes.

    >>> clip_together(["a\nb\nc\nd", "e"], 6)
    ['a\n…', 'e']
    >>> [len(text) for text in clip_together(["漢" * 2000, "字" * 2000])]
    [1583, 1583]
    """
    while True:
        share = _share(sorted(map(len, texts)), limit)
        clipped = [clip_text(text, share) for text in texts]
        size = sum(len(text.encode()) for text in clipped)
        if size <= PAGE_BYTES:
            return clipped
        limit = min(limit - 1, limit * PAGE_BYTES // size)


def _share(lengths: Sequence[int], limit: int) -> int:
    """Return the largest length per text that fits them together."""
    room = limit
    for number, length in enumerate(lengths):
        share = room // (len(lengths) - number)
        if length > share:
            return share
        room -= length
    return limit


_FORMATS = re.compile(r"[\\*_~|`<>\[\]@:#]|\A[-+]|(?<=\A\d)\.|(?<=\A\d\d)\.")
"""Characters in people's words that Discord would format."""
_LAST_STOP = re.compile(r"(<a?:\w+:\d+>)\.$", re.MULTILINE)
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
    return _to_text(quotes.to_words(text))


def to_label(text: str) -> str:
    """Return a sentence in words, for labels, titles and threads."""
    return quotes.rewrite(quotes.to_words(text), str, _isolate)


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
    return result if len(result) <= limit else clip_text(without_icons(text), limit)


def _all_signs(text: str) -> str:
    """Replace marks by icons. A full stop after a line's last icon would wrap alone, so it goes."""
    return _LAST_STOP.sub(r"\1", quotes.to_signs(text, _emoji_or_word))


def _emoji_or_word(name: str, word: str) -> str:
    emoji = _shown.get(name)
    if emoji is None:
        return word
    return str(emoji) if word else f"{emoji} "


def with_signs_together(texts: list[str], limit: int) -> list[str]:
    """Return the texts with icons, or in words if they're too long."""
    lines = [_to_text(_all_signs(text)) for text in texts]
    fits = sum(map(len, lines)) <= limit and sum(len(line.encode()) for line in lines) <= PAGE_BYTES
    return lines if fits else [without_icons(text) for text in texts]


def first_emoji(label: str) -> discord.PartialEmoji | None:
    name = quotes.first_sign(label)
    return None if name is None else _shown.get(name)


def shorten(text: str, limit: int) -> str:
    r"""Shorten a text to `limit` letters, signs not counted.

    >>> from engines.marks import with_icon
    >>> without_icons(shorten(f"{with_icon('seat_1', 'Ann')}\nBo\nCy", 7))
    'Ann\n…'
    """
    result = clip_text(without_icons(text), limit)
    for kept in (text, "\n".join([*text.split("\n")[: result.count("\n")], "…"])):
        if without_icons(kept) == result:
            return kept
    return clip_text(quotes.to_words(text), limit)


T = TypeVar("T")
SERVERS = app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False)
ADDED_TO_SERVERS = app_commands.AppInstallationType(guild=True, user=False)
"""The default of every command."""


def also_in_dms(command: T) -> T:
    return app_commands.allowed_contexts(guilds=True, dms=True)(command)


def anywhere(command: T) -> T:
    """Offer a command anywhere, also to people who added the app."""
    everywhere = app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    return app_commands.allowed_installs(guilds=True, users=True)(everywhere(command))


Interaction = discord.Interaction[Any]
"""A press, a command or a form that somebody has sent."""


class _CleanText(app_commands.Transformer):
    """Reads a text without marks, on one line, of a limited length."""

    min_value = 1  # of the length, for discord.py
    max_value = REMARK

    async def transform(self, _interaction: Interaction, value: str) -> str:
        return quotes.clean(value)


Remark = app_commands.Transform[str, _CleanText]
"""A typed option with a remark."""


IN_WORDS = "in words"
"""The key of the note in an interaction's extras."""
Hears = Callable[[Interaction], Awaitable[bool]]
_asked: list[Hears] = []


def register_text_check(hears: Hears) -> Hears:
    _asked.append(hears)
    return hears


async def note_text_wish(interaction: Interaction) -> None:
    interaction.extras[IN_WORDS] = any([await hears(interaction) for hears in _asked])


def wants_text(interaction: Interaction) -> bool:
    return bool(interaction.extras.get(IN_WORDS))
