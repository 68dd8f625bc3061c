from typing import Any

import pytest
from PIL import Image

from render.core import canvas as canvases
from render.core.canvas import Canvas, Point
from render.core.text import RunKind, TextLine
from render.core.theme import Theme
from tests.render.images import forget


@pytest.fixture
def text_sizes(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Record every text drawn, with its smallest size; cache nothing."""
    result = dict[str, int]()
    forget("render")
    draw, stamp = Canvas.draw_line, canvases.word_mask

    def note(text: str, size: int) -> None:
        result[text] = min(size, result.get(text, size))

    def draw_line(self: Canvas[Theme], at: Point, line: TextLine, *rest: Any) -> None:
        note("".join(run.text for run in line.runs if run.kind is not RunKind.CHIP), line.size)
        draw(self, at, line, *rest)

    def word_mask(text: str, size: int, *rest: Any) -> Image.Image:
        note(text, size)
        return stamp(text, size, *rest)

    monkeypatch.setattr(Canvas, "draw_line", draw_line)
    monkeypatch.setattr(canvases, "word_mask", word_mask)
    return result
