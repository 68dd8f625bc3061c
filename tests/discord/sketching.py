"""Pictures for tests that look at none: of the right size, under the right words, in little time.

Drawing is most of what a flow costs. A sketch goes through all of a picture's code, but nothing is painted:
Pillow's brushes are put away in a process that does nothing else. Flows begin alike, so what computers think
of a position is remembered, too.
"""

import asyncio
import os
import pickle
from collections.abc import Callable
from functools import cache, partial
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import msgspec
from PIL import Image, ImageDraw

from cogs.core import pictures
from cogs.tanglewood import draft as tanglewood
from cogs.tangram import draft as tangram
from engines import engine
from engines.ribbon.preview import safe_drafts
from engines.workers import Urgency, Workers
from render.core.canvas import Picture

P = ParamSpec("P")
R = TypeVar("R")
BRUSHES = ("ellipse", "line", "pieslice", "point", "polygon", "rectangle", "rounded_rectangle", "text")
REMEMBERED: set[Callable[..., Any]] = {
    engine.think,
    engine.chart_steps,
    engine.estimate_steps,
    tangram.look,
    tangram.best_answers,
    tanglewood.best_choices,
    safe_drafts,
}
"""Functions of positions that many flows call; their arguments alone decide the result."""


class Memory:
    """Answers that some test was given, in memory and in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._answers: dict[str, bytes] = {}
        folder.mkdir(exist_ok=True)

    def find(self, key: str) -> bytes | None:
        """Return a pickled answer, or None."""
        file = self._folder / key
        if key not in self._answers and file.exists():
            self._answers[key] = file.read_bytes()
        return self._answers.get(key)

    def keep(self, key: str, answer: bytes) -> None:
        self._answers[key] = answer
        unfinished = self._folder / f"{key}.{os.getpid()}"
        unfinished.write_bytes(answer)
        unfinished.rename(self._folder / key)


class Sketchers(Workers):
    """A process that sketches pictures, before others that do everything else."""

    def __init__(self, others: Workers, memory: Memory) -> None:
        super().__init__(1)
        self._others = others
        self._memory = memory

    async def run_with(self, urgency: Urgency, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        if work is pictures._draw:
            return await super().run_with(urgency, partial(sketch, work), *args, **kwargs)
        if work in REMEMBERED:
            return await self._remember(urgency, work, *args, **kwargs)
        return await self._others.run_with(urgency, work, *args, **kwargs)

    async def _remember(self, urgency: Urgency, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        key = sha256(msgspec.msgpack.encode((work.__qualname__, args, kwargs))).hexdigest()
        before = self._memory.find(key)
        if before is None:
            answer = await self._others.run_with(urgency, work, *args, **kwargs)
            self._memory.keep(key, pickle.dumps(answer))
            return answer
        await asyncio.sleep(0)
        again: R = pickle.loads(before)  # noqa: S301  this class wrote it
        return again


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
