"""Text in pictures: fonts, measures, wrapping.

A name may hold anything. Characters that could disturb the line (controls, direction marks) are removed;
those that no font has (emoji, many scripts) are drawn as a small chip that names them in letters.

Noto Sans draws Latin, Greek, Cyrillic and Devanagari in any weight; Noto Sans CJK draws Chinese, Japanese
and Korean names. Both come as packages, so that every machine draws the same.
"""

import os
import sys
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from struct import unpack_from

from PIL import ImageFont

from engines import marks
from engines.marks import JOINER, graphemes, is_flag_letter, is_plain

CAP_HEIGHT = 0.714
"""The height of Noto Sans's capitals, as a share of the size."""


class FontFace(Enum):
    """A font: its package, the file there, and its layout engine.

    The basic engine is the same on every machine. Devanagari and free-standing marks need the other one, for
    which Pillow uses a library of the system, if it is there.
    """

    TEXT = ("fontpkg_noto_sans", "files/NotoSans[wdth,wght].ttf", ImageFont.Layout.BASIC)
    SHAPED = ("fontpkg_noto_sans", "files/NotoSans[wdth,wght].ttf", ImageFont.Layout.RAQM)
    CJK = ("noto_cjk_sans_jp_regular", "NotoSansCJKjp-Regular.otf", ImageFont.Layout.BASIC)


@cache
def _path(face: FontFace) -> Path:
    package, file, _ = face.value
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise FileNotFoundError(f"the font package {package} is not installed")
    return Path(spec.origin).parent / file


@lru_cache(maxsize=128)
def font(face: FontFace, size: int, weight: int = 400) -> ImageFont.FreeTypeFont:
    """Load a font at a size in pixels. The weight counts for Noto Sans only."""
    file = str(_path(face))
    if face is FontFace.TEXT and sys.platform == "linux":
        # Before the first letter of every size and weight, FreeType looks through all the substitutions of a
        # font (its table GSUB) for 9 ms. The basic layout engine makes no use of them, so letters are set
        # from a copy in which that table can't be found: a file in memory, which goes with the process.
        file = f"/proc/self/fd/{_without_substitutions()}"
    loaded = ImageFont.truetype(file, size, layout_engine=face.value[2])
    if face is not FontFace.CJK:
        loaded.set_variation_by_axes([weight, 100])
    return loaded


@cache
def _without_substitutions() -> int:
    data = _path(FontFace.TEXT).read_bytes()
    (tables,) = unpack_from(">4xH", data)
    directory = data[: 12 + 16 * tables].replace(b"GSUB", b"GSU ")
    descriptor = os.memfd_create("letters")
    with open(descriptor, "wb", closefd=False) as copy:
        copy.write(directory)
        copy.write(memoryview(data)[len(directory) :])
    return descriptor


class Coverage:
    """The characters that a font file has a glyph for, as the ranges of its character map."""

    def __init__(self, path: Path) -> None:
        ranges = sorted(_ranges(_table(path, b"cmap")))
        self._first = [first for first, _ in ranges]
        self._last = [last for _, last in ranges]

    def __contains__(self, character: str) -> bool:
        point = ord(character)
        index = bisect_right(self._first, point) - 1
        return index >= 0 and point <= self._last[index]


@cache
def coverage(face: FontFace) -> Coverage:
    return Coverage(_path(face))


def _table(path: Path, tag: bytes) -> bytes:
    with path.open("rb") as file:
        (count,) = unpack_from(">4xH", file.read(12))
        directory = file.read(16 * count)
        for entry in range(0, len(directory), 16):
            name, offset, length = unpack_from(">4s4xII", directory, entry)
            if name == tag:
                file.seek(offset)
                return file.read(length)
    raise ValueError(f"{path.name} has no table {tag!r}")


def _ranges(cmap: bytes) -> list[tuple[int, int]]:
    """Return the ranges of the full (format 12) or basic (4) map."""
    (count,) = unpack_from(">2xH", cmap)
    offsets = [unpack_from(">4xI", cmap, 4 + 8 * index)[0] for index in range(count)]
    formats = {unpack_from(">H", cmap, offset)[0]: offset for offset in reversed(offsets)}
    if 12 in formats:
        start = formats[12]
        (groups,) = unpack_from(">12xI", cmap, start)
        return [unpack_from(">II", cmap, start + 16 + 12 * group) for group in range(groups)]
    start = formats[4]
    (doubled,) = unpack_from(">6xH", cmap, start)
    lasts = unpack_from(f">{doubled // 2}H", cmap, start + 14)
    firsts = unpack_from(f">{doubled // 2}H", cmap, start + 16 + doubled)
    return [(first, last) for first, last in zip(firsts, lasts, strict=True) if last != 0xFFFF]


LONGEST_CHIP = 12
NAMELESS = marks.NAMELESS


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


WIDTH_PER_LETTER = 37
"""A picture's width divided by its smallest letters: a panel shows it 265 pixels wide, and letters 7 high."""


def legible(width: int) -> int:
    """Return the smallest legible letter size for a picture's width, in pixels.

    >>> legible(1200)
    33
    """
    return -(-width // WIDTH_PER_LETTER)


def clean(text: str) -> str:
    r"""Return the text on one line, without invisible characters; see `engines.marks.clean`.

    >>> clean("  Ann\n\u202eB ")
    'Ann B'
    >>> clean("\u200b")
    '(no name)'
    """
    return marks.clean(text) or NAMELESS


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
        needs_shaping = any(
            "\u0900" <= one <= "\u097f" or unicodedata.category(one) in ("Mn", "Me", "Mc") for one in shown
        )
        return Run(RunKind.SHAPED if needs_shaping else RunKind.TEXT, shown)
    if shown and all(character in coverage(FontFace.CJK) for character in shown):
        return Run(RunKind.CJK, shown)
    return Run(RunKind.CHIP, stand_in(cluster))


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
    shortest, longest = 0, min(len(clusters), 200) - 1
    while shortest < longest:
        middle = (shortest + longest + 1) // 2
        if _line([*clusters[:middle], "…"], smallest, weight).width <= width:
            shortest = middle
        else:
            longest = middle - 1
    return _line([*graphemes("".join(clusters[:shortest]).rstrip()), "…"], smallest, weight)


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
