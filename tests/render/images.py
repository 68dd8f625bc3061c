"""Compares pictures: their pixels, and their bytes in processes that hash and draw otherwise."""

import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageChops

from render.core.canvas import Box, Picture
from render.core.theme import Rgb

CLOSE = 4
"""The most that a pixel may differ from a colour in red, green or blue."""
KIBIBYTE = 1024
LONG_NAMES = ("W" * 200, "👩‍👩‍👧‍👦" * 40, "\u202e山田\n" * 30, "مرحبا", "देवनागरी")
HOUSE = Path(__file__).parents[2]


def open_image(picture: Picture | None) -> Image.Image:
    assert picture is not None
    return Image.open(BytesIO(picture.png)).convert("RGB")


def difference(one: Picture, two: Picture) -> Box | None:
    return ImageChops.difference(open_image(one), open_image(two)).getbbox()


def inside(inner: Box | None, outer: Box) -> bool:
    """Return True if something differs, and nothing outside that box."""
    return inner is not None and (
        outer[0] <= inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2] and inner[3] <= outer[3]
    )


def count_pixels(picture: Picture | None, colour: Rgb) -> int:
    """Count the pixels in a colour, without those on soft edges.

    The palette is looked at, and not a million pixels.
    """
    assert picture is not None
    image = Image.open(BytesIO(picture.png))
    assert image.mode == "P"
    shades = image.getpalette("RGB") or []
    return sum(
        number
        for number, index in image.getcolors() or []
        if isinstance(index, int)
        and all(
            abs(part - wanted) <= CLOSE
            for part, wanted in zip(shades[3 * index : 3 * index + 3], colour, strict=True)
        )
    )


def has_colour(image: Image.Image, at: tuple[float, float], colour: Rgb, reach: int = 26) -> bool:
    """Return True if about that colour is near a point."""
    x, y = round(at[0]), round(at[1])
    shades = image.crop((x - reach, y - reach, x + reach, y + reach)).getcolors(10_000) or []
    return any(
        isinstance(shade, tuple) and sum(abs(a - b) for a, b in zip(shade, colour, strict=True)) <= 12
        for _, shade in shades
    )


def forget(room: str) -> None:
    """Clear every cache of the functions in a room."""
    for name, module in list(sys.modules.items()):
        if name == room or name.startswith(f"{room}."):
            for result in vars(module).values():
                clear = getattr(result, "cache_clear", None)
                if clear is not None:
                    clear()


def hashes(drawing: str) -> set[str]:
    """Return what functions that draw pictures, given as an expression, draw in two processes and orders."""
    program = f"""
import sys
from hashlib import sha256
from tests.render import test_any_game, test_result, test_sheets

draw = {drawing}
drawn = [None] * len(draw)
for index in range(len(draw))[:: int(sys.argv[1])]:
    drawn[index] = [sha256(picture.png).hexdigest() for picture in draw[index]()]
print(drawn)
"""
    return {
        subprocess.run(
            [sys.executable, "-c", program, order],
            cwd=HOUSE,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed, order in (("0", "1"), ("42", "-1"))
    }
