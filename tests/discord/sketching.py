"""Pictures for tests that look at none: of the right size, under the right words, in little time.

Drawing is most of what a flow costs. A sketch goes through all of a picture's code, but nothing is painted:
Pillow's brushes are put away in a process that does nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from hashlib import sha256
from typing import Any, ParamSpec, TypeVar

import msgspec
from PIL import Image, ImageDraw

from cogs.core import pictures
from engines.workers import Urgency, Workers
from render.core.picture import Picture

P = ParamSpec("P")
R = TypeVar("R")
BRUSHES = ("ellipse", "line", "pieslice", "point", "polygon", "rectangle", "rounded_rectangle", "text")


class Sketchers(Workers):
    """A process that sketches pictures, before others that do everything else."""

    def __init__(self, others: Workers) -> None:
        super().__init__(1)
        self._others = others

    async def run_with(self, urgency: Urgency, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        if work is pictures._draw:
            return await super().run_with(urgency, partial(sketch, work), *args, **kwargs)
        return await self._others.run_with(urgency, work, *args, **kwargs)


def sketch(draw: Callable[..., R], *args: Any) -> R:
    """Draw with nothing on the brushes.

    Pictures of different things still differ.
    """
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
    }
    for method, instead in replaced.items():
        setattr(Image.Image, method, instead)
