"""Names and lines of text: made safe, cut between characters, and fitted into a width.

A name may hold anything. Characters that could disturb the line (controls, direction marks) are removed;
those that no font has (emoji, many scripts) are drawn as a small chip that names them in letters.
"""

import unicodedata
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from engines import names
from engines.graphemes import JOINER, graphemes, is_flag_letter, is_plain
from render.core.fonts import FontFace, coverage, font

LONGEST_CHIP = 12
NAMELESS = names.NAMELESS


class RunKind(Enum):
    """The way to draw a run of text."""

    TEXT = FontFace.TEXT
    SHAPED = FontFace.SHAPED
    CJK = FontFace.CJK
    CHIP = None


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring characters that are drawn alike; a chip's text is its label."""

    kind: RunKind
    text: str


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of text, ready to be drawn: its runs, the size and weight they fit in, its width."""

    runs: tuple[Run, ...]
    size: int
    weight: int
    width: float


SHARE = 45
"""A picture's width divided by its smallest letters; a phone shows it some 350 points wide."""


def legible(width: int) -> int:
    """Return the smallest legible letter size for a picture's width, in pixels.

    >>> legible(1200)
    27
    """
    return -(-width // SHARE)


def clean(text: str) -> str:
    r"""Return the text on one line, without invisible characters; see `engines.names.clean`.

    >>> clean("  Ann\n\u202eB ")
    'Ann B'
    >>> clean("\u200b")
    '(no name)'
    """
    return names.clean(text) or NAMELESS


def stand_in(cluster: str) -> str:
    r"""Return a chip's label for a character that no font has.

    A short name, else its code.

    >>> stand_in("🦊"), stand_in("م"), stand_in("🇩🇪"), stand_in("\ue000")
    ('fox', 'meem', 'DE', 'U+E000')
    """
    if all(is_flag_letter(character) for character in cluster):
        return "".join(chr(ord(character) - 0x1F1E6 + ord("A")) for character in cluster)
    name = unicodedata.name(cluster[0], "").lower()
    if not name:
        return f"U+{ord(cluster[0]):04X}"
    for lead in ("letter ", "syllable ", "ideograph-", "sign "):
        name = name.rpartition(lead)[2]
    short = name.removesuffix(" face").removesuffix(" symbol").removeprefix("face with ")
    while len(short) > LONGEST_CHIP and " " in short:
        short = short.rpartition(" ")[0]
    return short[:LONGEST_CHIP]


@lru_cache(maxsize=4096)
def _run(cluster: str) -> Run:
    shown = "".join(c for c in cluster if c != JOINER and not 0xFE00 <= ord(c) <= 0xFE0F and c != "\u20e3")
    if shown and all(character in coverage(FontFace.TEXT) for character in shown):
        return Run(RunKind.SHAPED if any(map(_needs_shaping, shown)) else RunKind.TEXT, shown)
    if shown and all(character in coverage(FontFace.CJK) for character in shown):
        return Run(RunKind.CJK, shown)
    return Run(RunKind.CHIP, stand_in(cluster))


def _needs_shaping(character: str) -> bool:
    return "\u0900" <= character <= "\u097f" or unicodedata.category(character) in ("Mn", "Me", "Mc")


def runs(clusters: list[str]) -> tuple[Run, ...]:
    """Group the characters into runs of one font, or one chip."""
    text = "".join(clusters)
    if text and is_plain(text):
        return (Run(RunKind.TEXT, text),)
    entries: list[Run] = []
    for cluster in clusters:
        run = _run(cluster)
        if entries and run.kind is entries[-1].kind is not RunKind.CHIP:
            entries[-1] = Run(run.kind, entries[-1].text + run.text)
        else:
            entries.append(run)
    return tuple(entries)


def chip_size(size: int) -> int:
    """Return a chip's letter size in a line of that size."""
    return max(9, round(size * 0.62))


def chip_padding(size: int) -> int:
    """Return the padding beside a chip's letters. Half of it again stays free outside."""
    return max(3, round(size * 0.18))


def width_of(run: Run, size: int, weight: int) -> float:
    """Return how far a run moves the pen."""
    if run.kind.value is None:
        return font(FontFace.TEXT, chip_size(size), 600).getlength(run.text) + 3 * chip_padding(size)
    if run.kind is RunKind.SHAPED:
        return font(run.kind.value, size, weight).getlength(run.text)
    return sum(map(_advances(run.kind.value, size, weight).__getitem__, run.text))


class _Advances(dict[str, float]):
    """Caches the advance of each character; with the basic layout engine it is the same anywhere."""

    def __init__(self, face: FontFace, size: int, weight: int) -> None:
        super().__init__()
        self._font = font(face, size, weight)

    def __missing__(self, character: str) -> float:
        """Measure a character when it is first asked for."""
        self[character] = self._font.getlength(character)
        return self[character]


@lru_cache(maxsize=128)
def _advances(face: FontFace, size: int, weight: int) -> _Advances:
    return _Advances(face, size, weight)


def _line(clusters: list[str], size: int, weight: int) -> TextLine:
    result = runs(clusters)
    return TextLine(result, size, weight, sum(width_of(run, size, weight) for run in result))


@lru_cache(maxsize=2048)
def fit(text: str, width: float, size: int, weight: int = 400, smallest: int = 0) -> TextLine:
    """Clean the text and fit it.

    Shrink down to `smallest` first, then cut with an ellipsis. Without `smallest` it may shrink to two
    thirds of the size.
    """
    clusters = graphemes(clean(text))
    smallest = smallest or round(size * 2 / 3)
    line = _line(clusters[:200], size, weight)
    while line.width > width and line.size > smallest:
        line = _line(clusters[:200], line.size - 1, weight)
    if line.width <= width:
        return line
    return _cut_clusters(clusters, width, smallest, weight)


def _cut_clusters(clusters: list[str], width: float, size: int, weight: int) -> TextLine:
    shortest, longest = 0, min(len(clusters), 200) - 1
    while shortest < longest:
        middle = (shortest + longest + 1) // 2
        if _line([*clusters[:middle], "…"], size, weight).width <= width:
            shortest = middle
        else:
            longest = middle - 1
    kept = "".join(clusters[:shortest]).rstrip()
    return _line([*graphemes(kept), "…"], size, weight)


def wrap(text: str, width: float, size: int, weight: int = 400) -> list[str]:
    """Break the text into lines within a width.

    A single word that is wider stays whole. A no-break space keeps its neighbours in one word.

    >>> wrap("one two", 5, 20)
    ['one', 'two']
    """
    lines: list[str] = []
    gap, pen = _advances(FontFace.TEXT, size, weight)[" "], 0.0
    for word in text.split(" "):
        wide = fit(word, 10_000, size, weight).width if word else 0
        if lines and pen + gap + wide <= width:
            lines[-1] += f" {word}"
            pen += gap + wide
        else:
            lines.append(word)
            pen = wide
    return lines
