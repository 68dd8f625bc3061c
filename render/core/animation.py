"""A game as an animation: a frame a turn, with a caption, and its changes highlighted.

It is a GIF, which every client of Discord plays. All frames are in the colours of the game's palette, and
each holds only the pixels that differ from the frame before, which saves bytes and packs nothing twice.
Frames are drawn in batches, so that other work gets its turn in between; a `Reel` carries what one batch
needs from those before it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO
from math import sqrt
from struct import pack
from typing import Any

from PIL import Image, ImageChops, ImageSequence
from PIL.GifImagePlugin import getdata

from engines.words import alt_text
from render.core.canvas import Canvas, Picture
from render.core.theme import Palette, Theme

SMALLER = 2
"""Boards have half their size here: four pixels become one, which is sharp and takes a millisecond."""
LARGEST = 8_000_000
"""The most bytes of an animation."""
SPARE = 0.8
"""An animation that was too large is narrowed to this share of `LARGEST`."""
CAPTION = 48
"""The height of the strip with the caption."""
SHORTEST, LONGEST, BEARABLE = 0.35, 1.2, 60.0
"""Least and most seconds of a frame; in between, the third number is the length of all frames."""
LAST_FRAME_SECONDS = 4.5
"""The seconds of the last frame."""
SAME = 255
"""The colour number of unchanged pixels; no palette uses it."""
NAME = "replay.gif"


@dataclass(frozen=True, slots=True)
class Frame:
    """The content of a frame: a view, a caption, the finished share of the game (0 to 1), its duration."""

    view: Any
    caption: str
    share: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Still:
    """A drawn frame: its size, and for each pixel the number of its colour."""

    size: tuple[int, int]
    pixels: bytes


@dataclass(frozen=True, slots=True)
class Reel:
    """The result of a batch, and the input for the next one.

    Attributes:
        opening: the very first frame, and its seconds; it is packed last, when the height of all is known.
        latest: the last frame so far, as high as the highest.
        blocks: the frames of this batch except the opening, as in the file.
    """

    opening: tuple[Still, float]
    latest: Still
    blocks: bytes


def seconds(frames: int) -> float:
    """Return the duration of each frame, in seconds.

    >>> seconds(20), seconds(100), seconds(300)
    (1.2, 0.6, 0.35)
    """
    return min(LONGEST, max(SHORTEST, BEARABLE / frames))


def draw_frames(
    slug: str, names: Sequence[str], frames: Sequence[Frame], before: Reel | None = None, theme: str = "light"
) -> Reel:
    """Draw the next frames, at least one, after those of another batch."""
    colours = _theme_of(slug, theme)
    room, stills = import_module(f"render.{slug}"), []
    for frame in frames:
        table: Image.Image = room.table(frame.view, names, theme=colours).image.reduce(SMALLER)
        width = table.width
        canvas = Canvas(width, CAPTION + table.height, colours)
        canvas.image.paste(table, (0, CAPTION))
        canvas.box((0, 0, width, CAPTION - 6), colours.card)
        canvas.write((20, CAPTION / 2 - 3), frame.caption, 25, colours.ink, weight=600, width=width - 40)
        canvas.box((0, CAPTION - 6, width, CAPTION), colours.line)
        if frame.share:
            canvas.box((0, CAPTION - 6, frame.share * width, CAPTION), colours.highlight)
        stills.append(_numbers(colours.palette, canvas.image))
    times = [frame.seconds for frame in frames]
    if before is None:
        before = Reel((_still_of(stills[0]), times[0]), _still_of(stills[0]), b"")
        stills, times = stills[1:], times[1:]
    latest, blocks = _image(before.latest), []
    for still, time in zip(stills, times, strict=True):
        image = _as_high(colours, still, latest.height)
        blocks.append(_block(_as_high(colours, latest, image.height), image, time))
        latest = image
    return Reel(before.opening, _still_of(latest), b"".join(blocks))


def beginning(slug: str, last: Reel, theme: str = "light") -> bytes:
    """Return the file's beginning, once the last batch is drawn.

    The blocks of all batches follow, and then `END`.
    """
    (still, time), colours = last.opening, _theme_of(slug, theme)
    image = _as_high(colours, _image(still), last.latest.size[1])
    return _head(colours, last.latest.size) + _pack(image, (0, 0), time)


END = b";"
"""The last byte of the file."""


def narrower(slug: str, gif: bytes, theme: str = "light") -> bytes:
    """Narrow an animation until it has no more than `LARGEST` bytes."""
    share, smaller = 1.0, gif
    while len(smaller) > LARGEST:
        # Half as many pixels take somewhat more than half the bytes, and a second pass takes as long as one.
        share *= sqrt(SPARE * LARGEST / len(smaller))
        colours = _theme_of(slug, theme)
        palette, blocks = colours.palette, []
        latest: Image.Image | None = None
        with Image.open(BytesIO(gif)) as film:
            size = round(film.width * share), round(film.height * share)
            for shown in ImageSequence.Iterator(film):
                image = _numbers(palette, shown.convert("RGB").resize(size, Image.Resampling.HAMMING))
                time = shown.info["duration"] / 1000
                blocks.append(_pack(image, (0, 0), time) if latest is None else _block(latest, image, time))
                latest = image
        smaller = b"".join((_head(colours, size), *blocks, END))
    return smaller


def picture(gif: bytes, lines: Sequence[str]) -> Picture:
    return Picture(gif, alt_text(list(lines)), NAME)


def _numbers(palette: Palette, image: Image.Image) -> Image.Image:
    return Image.frombytes("L", image.size, palette.apply(image).tobytes())


def _image(still: Still) -> Image.Image:
    return Image.frombytes("L", still.size, still.pixels)


def _still_of(image: Image.Image) -> Still:
    return Still(image.size, image.tobytes())


def _theme_of(slug: str, name: str) -> Theme:
    theme: Theme = import_module(f"render.{slug}").THEMES[name]
    return theme


def _as_high(theme: Theme, image: Image.Image, height: int) -> Image.Image:
    """Add paper below the frame up to that height."""
    if image.height >= height:
        return image
    higher = Image.new("L", (image.width, height), theme.palette.colours.index(theme.paper))
    higher.paste(image, (0, 0))
    return higher


def _block(before: Image.Image, image: Image.Image, time: float) -> bytes:
    """Pack a frame as its changes from the one before."""
    difference = ImageChops.difference(before, image)
    left, top, right, bottom = difference.getbbox() or (0, 0, 1, 1)
    changed = image.crop((left, top, right, bottom))
    stays = difference.crop((left, top, right, bottom)).point([255] + [0] * 255)
    changed.paste(SAME, (0, 0, *changed.size), stays)
    return _pack(changed, (left, top), time, transparency=SAME)


def _pack(image: Image.Image, at: tuple[int, int], time: float, **more: int) -> bytes:
    """Pack a frame, or a part of it, for the file. It stays when the next one comes."""
    return b"".join(getdata(image, at, duration=round(time * 1000), disposal=1, **more))


def _head(theme: Theme, size: tuple[int, int]) -> bytes:
    """Return the file's header: its size, its 256 colours, and endless repetition."""
    colours = bytes(channel for colour in theme.palette.colours for channel in colour)
    return b"".join(
        (
            b"GIF89a",
            pack("<HHBBB", *size, 0b1111_0111, 0, 0),
            colours.ljust(3 * 256, b"\0"),
            b"!\xff\x0bNETSCAPE2.0",
            pack("<BBHB", 3, 1, 0, 0),
        )
    )
