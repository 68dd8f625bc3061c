"""The fonts, loaded on first use, and the characters that each of them has.

Noto Sans draws Latin, Greek, Cyrillic and Devanagari in any weight; Noto Sans CJK draws Chinese, Japanese
and Korean names. Both come as packages, so that every machine draws the same.
"""

import os
import sys
from bisect import bisect_right
from enum import Enum
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from struct import unpack_from

from PIL import ImageFont

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
    file = _plain() if face is FontFace.TEXT else str(_path(face))
    loaded = ImageFont.truetype(file, size, layout_engine=face.value[2])
    if face is not FontFace.CJK:
        loaded.set_variation_by_axes([weight, 100])
    return loaded


def _plain() -> str:
    """Return the file of Noto Sans for the basic layout engine.

    Before the first letter of every size and weight, FreeType looks through all the substitutions of a font
    (its table GSUB) for 9 ms. The basic engine makes no use of them, so letters are set from a copy in which
    that table can't be found: a file in memory, which goes with the process.
    """
    if sys.platform != "linux":
        return str(_path(FontFace.TEXT))
    return f"/proc/self/fd/{_without_substitutions()}"


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
    """Return the characters that a face can draw."""
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
