from io import BytesIO

from PIL import Image

from render.core.canvas import Picture
from render.core.theme import Rgb

CLOSE = 4
"""The most that a pixel may differ from a colour in red, green or blue."""


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
