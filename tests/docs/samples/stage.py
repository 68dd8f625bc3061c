"""Pictures that teach Tesla's Tangle: positions side by side, each with a sentence or two below it."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from engines.tesla.pieces.board import Cell, Circuit, End, TeslaBoard, TeslaLaid, neighbours
from engines.tesla.pieces.components import Lie, segments, shape, wire_mask
from engines.tesla.view import TeslaChanges
from render.core.canvas import Canvas, Point
from render.core.theme import Rgb
from render.tesla import scene
from render.tesla.colours import THEMES, TeslaCanvas
from render.tesla.scene import BoardScene

LIGHT = THEMES["light"]

NAMES = ("Ann", "Bo")
WIDTH, MARGIN = 1100, 22
CAPTION = 96
"""The part of a picture's height that its captions take."""
NOTHING = TeslaChanges()


@dataclass(frozen=True, slots=True)
class Sign:
    """A small plate on a board: a tick for ``yes``, a cross for ``no``, else what it says.

    `at` is a point of the cell's tile, in units of its size around its middle.
    """

    cell: Cell
    at: Point
    text: str


@dataclass(frozen=True, slots=True)
class TeachingStage:
    """A position in a teaching picture, and its caption.

    Attributes:
        tried: the cell of a tile that is laid for a try.
    """

    board: TeslaBoard
    headline: str
    line: str
    changes: TeslaChanges = NOTHING
    colour: Rgb = LIGHT.ink
    tried: Cell | None = None
    signs: Sequence[Sign] = ()


def draw_stages(stages: Sequence[TeachingStage], height: int) -> bytes:
    """Draw positions side by side in the same frame. Of two, an arrow leads from the first to the second."""
    canvas = Canvas(WIDTH, height, LIGHT)
    each = WIDTH / len(stages)
    boards = [stage.board for stage in stages]
    unit = scene.unit_for(
        scene.area(*boards, rim=False), each - 2 * MARGIN - 24, height - CAPTION - 2 * MARGIN
    )
    for number, stage in enumerate(stages):
        left = number * each
        _board(canvas, stage, boards, unit, (left + MARGIN, MARGIN, left + each - MARGIN, height - CAPTION))
        _captions(canvas, stage, (left + each / 2, height), each - 20)
    if len(stages) == 2:
        canvas.badge((WIDTH / 2, (height - CAPTION) / 2), 26, "\u203a", LIGHT.highlight)
    return canvas.png()


def _board(
    canvas: TeslaCanvas,
    stage: TeachingStage,
    boards: Sequence[TeslaBoard],
    unit: int,
    room: tuple[float, float, float, float],
) -> None:
    shown = scene.area(*boards, stage.board, rim=False)
    laid = scene.lay_out(shown, unit, room)
    styles, tags = scene.live(LIGHT, stage.board), scene.lengths(stage.board)
    picture = BoardScene(stage.board, laid, shown, styles, tags, stage.changes, stage.tried, named=())
    picture.draw(canvas, room)
    for sign in stage.signs:
        _sign(canvas, laid.spot(sign.cell, sign.at), sign.text)


def _captions(canvas: TeslaCanvas, stage: TeachingStage, foot: Point, width: float) -> None:
    x, y = foot
    headline, colour = stage.headline, stage.colour
    canvas.write((x, y - 66), headline, 30, colour, weight=700, anchor="middle", width=width)
    canvas.write((x, y - 28), stage.line, 26, LIGHT.muted, anchor="middle", width=width)


def _sign(canvas: TeslaCanvas, at: Point, text: str) -> None:
    x, y = at
    half = 21 if text in ("yes", "no") else 34
    canvas.box((x - half - 3, y - 24, x + half + 3, y + 24), LIGHT.paper, radius=24)
    canvas.box(
        (x - half, y - 21, x + half, y + 21), LIGHT.danger if text == "no" else LIGHT.highlight, radius=21
    )
    if text == "yes":
        canvas.line([(x - 9, y), (x - 2, y + 8), (x + 10, y - 8)], LIGHT.card, 5)
    elif text == "no":
        for lean in (-8, 8):
            canvas.line([(x - 8, y - lean), (x + 8, y + lean)], LIGHT.card, 5)
    else:
        canvas.word(at, text, 28, LIGHT.card, weight=700)


def with_loose(board: TeslaBoard, cell: Cell, lie: Lie) -> TeslaBoard:
    """Return a board with one more tile, even if it doesn't fit. Its wires are circuits of their own."""
    tiles, near = shape(board.shape), neighbours(board.shape, cell)
    touching = {End(near[side], tiles.opposite(side)): side for side in range(tiles.sides)}
    circuits = {}
    met = set()
    for number, circuit in board.circuits.items():
        meeting = [end for end in circuit.ends if end in touching and wire_mask(lie) >> touching[end] & 1]
        met |= {touching[end] for end in meeting}
        ends = tuple(end for end in circuit.ends if end not in meeting)
        circuits[number] = msgspec.structs.replace(circuit, ends=ends)
    first = max(circuits, default=0) + 1
    for number, pair in enumerate(segments(lie), start=first):
        circuits[number] = Circuit(1, tuple(End(cell, side) for side in pair if side not in met))
    laid = TeslaLaid(lie, tuple(range(first, first + len(segments(lie)))))
    return TeslaBoard(board.shape, board.tiles | {cell: laid}, circuits, board.markers)
