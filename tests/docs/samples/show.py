from functools import cache
from io import BytesIO
from pathlib import Path

import msgspec
from PIL import Image

from render.core.canvas import Picture

FILE = Path(__file__).with_name("pictures.toml")


class FiledPicture(msgspec.Struct, frozen=True):
    """A picture's alt text, captions and city, as `pictures.toml` has them."""

    alt: str
    captions: tuple[tuple[str, str], ...] = ()
    city: str = ""


@cache
def load_pictures() -> dict[str, FiledPicture]:
    return msgspec.toml.decode(FILE.read_bytes(), type=dict[str, FiledPicture])


def as_picture(png: bytes, name: str, **facts: object) -> Picture:
    """Return a picture with its description on file. Facts fill its gaps."""
    return Picture(png, load_pictures()[name].alt.format(**facts), name)


def open_image(picture: Picture | None) -> Image.Image:
    assert picture is not None
    return Image.open(BytesIO(picture.png)).convert("RGB")
