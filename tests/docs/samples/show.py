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


def pack_small(picture: Picture) -> Picture:
    """Pack a picture with the most effort."""
    file = BytesIO()
    Image.open(BytesIO(picture.png)).save(file, "PNG", compress_level=9)
    return Picture(file.getvalue(), picture.alt, picture.name)


def open_image(picture: Picture | None) -> Image.Image:
    assert picture is not None
    return Image.open(BytesIO(picture.png)).convert("RGB")
