"""A part of the land, large, with the candidates of a choice marked by their codes."""

from collections.abc import Sequence

from engines.tangle.view import TangleView
from render.core.canvas import Box, Canvas, Point
from render.tangle import ground, land
from render.tangle import layout as layouts
from render.tangle.colours import TangleCanvas, TangleTheme
from render.tangle.layout import PAD, SPACE, LandLayout

WIDTH, UNIT = 1200, 104
"""The largest width, and the most pixels of a half step."""
AROUND, SMALLEST = 1.7, (7.0, 5.2)
"""The land around the candidates, and the least part of it, in half steps."""


def focus(theme: TangleTheme, view: TangleView, areas: Sequence[str], spaces: Sequence[str]) -> TangleCanvas:
    """Draw the land around these areas and spaces. All of it if none are named."""
    layout = _layout(view.seats, UNIT)
    box = _window(layout, areas, spaces)
    if box[2] - box[0] > WIDTH:
        layout = layouts.fitting(view.seats, WIDTH, WIDTH)
        box = _window(layout, areas, spaces)
    left, top, right, bottom = (round(edge) for edge in box)
    shown = {
        code
        for code, (x, y), radius in layout.places()
        if left - radius < x < right + radius and top - radius < y < bottom + radius
    }
    canvas = Canvas.over(ground.land(theme, layout), theme)
    land.fill(canvas, view, layout, (*areas, *spaces), shown)
    for code in areas:
        x, y = layout.area(code)
        _tag(canvas, code, (x, y - (0.36 * layout.unit if code in view.tiles else 0)), layout.unit)
    for code in spaces:
        x, y = layout.space(code)
        _tag(canvas, code, (x, y - (SPACE + 0.04) * layout.unit), layout.unit)
    canvas.image = canvas.image.crop((left, top, right, bottom))
    return canvas


def _layout(seats: int, unit: int) -> LandLayout:
    left, _, right, _ = layouts.reach(seats)
    return LandLayout(seats, unit, round((right - left) * unit) + 2 * PAD)


def _window(layout: LandLayout, areas: Sequence[str], spaces: Sequence[str]) -> Box:
    """Return the part of the picture around everything named."""
    points = [layout.area(code) for code in areas] + [layout.space(code) for code in spaces]
    if not points:
        return 0, 0, layout.width, layout.height
    left, top, right, bottom = layouts.around(points, AROUND * layout.unit)
    left, right = _widen(left, right, SMALLEST[0] * layout.unit, layout.width)
    top, bottom = _widen(top, bottom, SMALLEST[1] * layout.unit, layout.height)
    return left, top, right, bottom


def _widen(low: float, high: float, least: float, most: float) -> tuple[float, float]:
    """Lengthen a stretch to `least`, and move it within its bounds."""
    missing = max(0.0, least - (high - low)) / 2
    low, high = low - missing, high + missing
    low, high = low - max(0.0, high - most), high - min(0.0, low)
    return max(0.0, low), min(most, high)


def _tag(canvas: TangleCanvas, code: str, at: Point, unit: int) -> None:
    x, y = at
    size = round(0.4 * unit)
    half, high = (0.31 * len(code) + 0.3) * size, 0.62 * size
    canvas.box((x - half - 3, y - high - 3, x + half + 3, y + high + 3), canvas.theme.black, radius=12)
    canvas.box((x - half, y - high, x + half, y + high), canvas.theme.gold, radius=10)
    canvas.word(at, code, size, canvas.theme.black, weight=700)
