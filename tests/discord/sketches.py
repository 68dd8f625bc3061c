"""Sketches of pictures: their sizes without their drawing. Processes that sketch load nothing else."""

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from io import BytesIO
from typing import Any, TypeVar

import msgspec
from PIL import Image, ImageDraw

from render.core.canvas import Picture

R = TypeVar("R")
BRUSHES = ("ellipse", "line", "pieslice", "point", "polygon", "rectangle", "rounded_rectangle", "text")


def sketch(draw: Callable[..., R], *args: Any) -> R:
    """Draw with nothing on the brushes. Pictures of different things still differ."""
    put_brushes_away()
    picture = draw(*args)
    if isinstance(picture, Picture):
        object.__setattr__(picture, "png", picture.png + sha256(msgspec.json.encode(args)).digest())
    return picture


@cache
def put_brushes_away() -> None:
    """Let Pillow paint nothing any more in this process."""

    def paint(*_: Any, **__: Any) -> None:
        pass

    pack = Image.Image.save

    @cache
    def pack_blank(size: tuple[int, int]) -> bytes:
        file = BytesIO()
        pack(Image.new("1", size), file, "PNG")
        return file.getvalue()

    def save(image: Image.Image, file: Any, *args: Any, **options: Any) -> None:
        if image.mode == "1":  # as `quantize` makes them
            file.write(pack_blank(image.size))
        else:
            pack(image, file, *args, **options)

    for brush in BRUSHES:
        setattr(ImageDraw.ImageDraw, brush, paint)
    replaced: dict[str, Callable[..., Any]] = {
        "paste": paint,
        "quantize": lambda image, *_, **__: Image.new("1", image.size),
        "reduce": lambda image, factor, *_: Image.new(
            image.mode, [-(-side // factor) for side in image.size]
        ),
        "resize": lambda image, size, *_, **__: Image.new(image.mode, size),
        "transform": lambda image, size, *_, **__: Image.new(image.mode, size),
        "filter": lambda image, *_: image.copy(),
        "save": save,
    }
    for method, instead in replaced.items():
        setattr(Image.Image, method, instead)
