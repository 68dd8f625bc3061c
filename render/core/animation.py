"""A game as an animation: a frame a turn, with a caption, in which what has changed is lit.

It is a GIF, which every client of Discord plays. All frames are in the colours of the game's palette, and
each holds only the pixels that differ from the frame before, so that few bytes are needed and nothing is
packed twice. Frames are drawn in batches, so that other work gets its turn in between; what one batch has to
know of those before it is its `Reel`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO
from math import sqrt
from struct import pack
from typing import Any

from PIL import Image, ImageChops, ImageSequence
from PIL.GifImagePlugin import getdata

from render.core.canvas import Canvas
from render.core.palette import CARD, HIGHLIGHT, INK, LINE, PAPER, Palette
from render.core.picture import Picture, alt_text

SMALLER = 2
"""Boards are shown at half their size: four pixels become one, which is sharp and takes a millisecond."""
LARGEST = 8_000_000
"""The most bytes of an animation."""
SPARE = 0.8
"""One that was too large is made so narrow that it should take this share of `LARGEST`."""
CAPTION = 48
"""How high the strip with the caption is."""
SHORTEST, LONGEST, BEARABLE = 0.35, 1.2, 60.0
"""A frame is shown for so many seconds, at least and at most; in between all take so long together."""
HELD = 4.5
"""The seconds for which the last frame is held."""
SAME = 255
"""The number of the colour that stands for what has not changed; no palette uses it."""
NAME = "replay.gif"


@dataclass(frozen=True, slots=True)
class Frame:
    """What a frame shows: a view, a caption, how much of the game is over (0 to 1); and for how long."""

    view: Any
    caption: str
    share: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Still:
    """A frame that has been drawn: its size, and for each pixel the number of its colour."""

    size: tuple[int, int]
    pixels: bytes


@dataclass(frozen=True, slots=True)
class Reel:
    """What a batch has drawn, and what the next one has to know.

    Attributes:
        opening: the very first frame, and its seconds; it is packed last, when the height of all is known.
        latest: the last frame so far, as high as the highest.
        blocks: the frames of this batch but for the opening, as they stand in the file.
    """

    opening: tuple[Still, float]
    latest: Still
    blocks: bytes


def seconds(frames: int) -> float:
    """For how long each of so many frames is shown.

    >>> seconds(20), seconds(100), seconds(300)
    (1.2, 0.6, 0.35)
    """
    return min(LONGEST, max(SHORTEST, BEARABLE / frames))


def drawn(slug: str, names: Sequence[str], frames: Sequence[Frame], before: Reel | None = None) -> Reel:
    """The next frames of an animation, after those of another batch; at least one."""
    stills = [_still(slug, names, frame) for frame in frames]
    times = [frame.seconds for frame in frames]
    if before is None:
        before = Reel((_still_of(stills[0]), times[0]), _still_of(stills[0]), b"")
        stills, times = stills[1:], times[1:]
    latest, blocks = _image(before.latest), []
    for still, time in zip(stills, times, strict=True):
        image = _as_high(slug, still, latest.height)
        blocks.append(_block(_as_high(slug, latest, image.height), image, time))
        latest = image
    return Reel(before.opening, _still_of(latest), b"".join(blocks))


def beginning(slug: str, last: Reel) -> bytes:
    """What the file begins with, up to its first frame: known when the last batch has been drawn.

    The blocks of all batches follow, and then `END`.
    """
    still, time = last.opening
    return _head(slug, last.latest.size) + _packed(
        _as_high(slug, _image(still), last.latest.size[1]), (0, 0), time
    )


END = b";"
"""What the file ends with."""


def narrower(slug: str, gif: bytes) -> bytes:
    """An animation in fewer bytes: made as narrow as it takes to have no more than `LARGEST`."""
    share, smaller = 1.0, gif
    while len(smaller) > LARGEST:
        # Half as many pixels take somewhat more than half the bytes, and a second pass takes as long as one.
        share *= sqrt(SPARE * LARGEST / len(smaller))
        smaller = _reduced(slug, gif, share)
    return smaller


def picture(gif: bytes, told: Sequence[str]) -> Picture:
    """A finished animation with what it shows, in sentences."""
    return Picture(gif, alt_text(list(told)), NAME)


def _still(slug: str, names: Sequence[str], frame: Frame) -> Image.Image:
    """A frame as it will be seen: the numbers of its colours, as an image of one band."""
    room = import_module(f"render.{slug}")
    table: Image.Image = room.table(frame.view, names).image.reduce(SMALLER)
    canvas = Canvas(table.width, CAPTION + table.height, PAPER)
    canvas.image.paste(table, (0, CAPTION))
    _caption(canvas, frame)
    return _numbers(room.PALETTE, canvas.image)


def _caption(canvas: Canvas, frame: Frame) -> None:
    width = canvas.image.width
    canvas.box((0, 0, width, CAPTION - 6), CARD)
    canvas.write((20, CAPTION / 2 - 3), frame.caption, 25, INK, weight=600, width=width - 40)
    canvas.box((0, CAPTION - 6, width, CAPTION), LINE)
    if frame.share:
        canvas.box((0, CAPTION - 6, frame.share * width, CAPTION), HIGHLIGHT)


def _numbers(palette: Palette, image: Image.Image) -> Image.Image:
    return Image.frombytes("L", image.size, palette.apply(image).tobytes())


def _image(still: Still) -> Image.Image:
    return Image.frombytes("L", still.size, still.pixels)


def _still_of(image: Image.Image) -> Still:
    return Still(image.size, image.tobytes())


def _palette(slug: str) -> Palette:
    palette: Palette = import_module(f"render.{slug}").PALETTE
    return palette


def _as_high(slug: str, image: Image.Image, height: int) -> Image.Image:
    """The frame with as much paper below it as is missing."""
    if image.height >= height:
        return image
    higher = Image.new("L", (image.width, height), _palette(slug).colours.index(PAPER))
    higher.paste(image, (0, 0))
    return higher


def _block(before: Image.Image, image: Image.Image, time: float) -> bytes:
    """A frame as what changes in the one before, which is as large."""
    difference = ImageChops.difference(before, image)
    left, top, right, bottom = difference.getbbox() or (0, 0, 1, 1)
    changed = image.crop((left, top, right, bottom))
    stays = difference.crop((left, top, right, bottom)).point([255] + [0] * 255)
    changed.paste(SAME, (0, 0, *changed.size), stays)
    return _packed(changed, (left, top), time, transparency=SAME)


def _packed(image: Image.Image, at: tuple[int, int], time: float, **more: int) -> bytes:
    """A frame, or a part of it, as it stands in a file; it stays when the next one comes."""
    return b"".join(getdata(image, at, duration=round(time * 1000), disposal=1, **more))


def _head(slug: str, size: tuple[int, int]) -> bytes:
    """What a file begins with: its size, its 256 colours, and that it is shown again and again."""
    colours = bytes(channel for colour in _palette(slug).colours for channel in colour)
    return b"".join(
        (
            b"GIF89a",
            pack("<HHBBB", *size, 0b1111_0111, 0, 0),
            colours.ljust(3 * 256, b"\0"),
            b"!\xff\x0bNETSCAPE2.0",
            pack("<BBHB", 3, 1, 0, 0),
        )
    )


def _reduced(slug: str, gif: bytes, share: float) -> bytes:
    """An animation in so much of its width and height."""
    palette, blocks = _palette(slug), []
    latest: Image.Image | None = None
    with Image.open(BytesIO(gif)) as film:
        size = round(film.width * share), round(film.height * share)
        for shown in ImageSequence.Iterator(film):
            image = _numbers(palette, shown.convert("RGB").resize(size, Image.Resampling.HAMMING))
            time = shown.info["duration"] / 1000
            blocks.append(_packed(image, (0, 0), time) if latest is None else _block(latest, image, time))
            latest = image
    return b"".join((_head(slug, size), *blocks, END))
