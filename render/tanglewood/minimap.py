"""The forest as a small map that shows the location of a region."""

from collections.abc import Collection

from engines.tanglewood.pieces.components import COMPONENTS, REGIONS, Region
from render.core.canvas import Point
from render.core.palette import mix
from render.tanglewood.colours import TanglewoodCanvas


def forest(
    canvas: TanglewoodCanvas, centre: Point, wide: float, shaded: Collection[Region], letters: int = 0
) -> None:
    """Draw nine patches, some of them shaded. With letters of that size on them."""
    theme = canvas.theme
    columns, rows = COMPONENTS.board.columns, COMPONENTS.board.rows
    left, top = centre[0] - wide / 2, centre[1] - wide / 2 * rows / columns
    step = wide / columns
    gap = max(2.0, 0.07 * step)
    pad = 0.12 * step
    frame = (left - pad, top - pad, left + wide + pad, top + rows * step + pad)
    canvas.box(frame, theme.forest_edge, radius=0.32 * step)
    canvas.box((frame[0] + 2, frame[1] + 2, frame[2] - 2, frame[3] - 2), theme.forest, radius=0.3 * step)
    for region, facts in REGIONS.items():
        x, y = left + facts.column * step, top + facts.row * step
        floor, chosen = theme.ground(region), region in shaded
        box = (x + gap, y + gap, x + step - gap, y + step - gap)
        canvas.box(box, floor.edge if chosen else mix(floor.edge, floor.tint, 0.6), radius=0.24 * step)
        if not chosen:
            inner = (box[0] + 2, box[1] + 2, box[2] - 2, box[3] - 2)
            canvas.box(inner, floor.tint, radius=0.2 * step)
        if letters:
            ink = theme.card if chosen else mix(floor.edge, floor.tint, 0.3)
            canvas.word((x + step / 2, y + step / 2), region, letters, ink, weight=700)
