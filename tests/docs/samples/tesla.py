from collections.abc import Sequence

from PIL import Image

from engines.tesla import preview as previews
from engines.tesla.pieces.board import Circuit, CircuitId, End, TeslaBoard, TeslaLaid, at, name, neighbours
from engines.tesla.view import TeslaChanges, TeslaView
from render.core.canvas import Canvas, Picture
from render.tesla import board, hand, paths, preview, scene
from render.tesla.colours import THEMES
from render.tesla.scene import BoardScene
from render.tesla.tiles import Style
from tests.docs.samples import played
from tests.docs.samples.show import as_picture
from tests.docs.samples.stage import NOTHING, Sign, TeachingStage, draw_stages, with_loose

LIGHT = THEMES["light"]

NAMES = ("Ann", "Bo", "Cy", "Dee")
COVER = 400
COIL = (
    (2, -2),
    (2, -1),
    (2, 0),
    (1, 1),
    (0, 2),
    (-1, 2),
    (-2, 2),
    (-2, 1),
    (-2, 0),
    (-1, -1),
    (0, -2),
    (1, -2),
)
"""Twelve cells around seven, each a step of columns and rows away from the one in the middle."""
TRIED = "place W52 02-13-45"
"""The placement that the preview shows."""
BESIDE = ((-0.86, -0.5), (0.86, -0.5))
"""Points outside the two upper sides of a hexagon, where signs hide no wire."""


def cover() -> Picture:
    """Draw a ring of twelve that glows around the name."""
    result, size = _coil(), 2 * COVER
    shown = scene.area(result, rim=False)
    canvas, room = Canvas(size, size, LIGHT), (0, 0, size, size)
    laid = scene.lay_out(shown, 87, room)
    BoardScene(result, laid, shown, _currents(result), {}, TeslaChanges(), named=()).draw(canvas, room)
    canvas.write((COVER, COVER - 44), "Tesla's", 92, LIGHT.ink, weight=700, anchor="middle")
    canvas.write((COVER, COVER + 54), "Tangle", 92, LIGHT.ink, weight=700, anchor="middle")
    canvas.image = canvas.image.resize((COVER, COVER), Image.Resampling.LANCZOS)
    return as_picture(canvas.png(), "tesla/cover.png")


def _coil() -> TeslaBoard:
    """Return twelve tiles in a ring with one circuit through all. Short circuits are on their outer sides."""
    cells = [name(q, r) for q, r in COIL]
    tiles, circuits = {}, {1: Circuit(len(cells), ())}
    for index, cell in enumerate(cells):
        near = neighbours("hex", cell)
        through = sorted(near.index(cells[(index + step) % len(cells)]) for step in (-1, 1))
        # The cells of the ring are two steps off the start tile's.
        outer = [side for side in range(6) if max(map(abs, (*at(near[side]), sum(at(near[side]))))) > 2]
        short = outer[:2] if outer[1] - outer[0] == 1 else [outer[0], outer[-1]]
        number = len(circuits) + 1
        circuits[number] = Circuit(1, tuple(End(cell, side) for side in short))
        wires = sorted([(through, 1), (short, number)])
        lie = "-".join(f"{one}{two}" for (one, two), _ in wires)
        tiles[cell] = TeslaLaid(lie, tuple(circuit for _, circuit in wires))
    return TeslaBoard("hex", tiles, circuits)


def _currents(result: TeslaBoard) -> dict[CircuitId, Style]:
    """Colour the ring for the first seat, others in turn."""
    styles = {1: Style(LIGHT.live[0], 0, scene.RING_GLOW)}
    for number in range(2, len(result.circuits) + 1):
        seat = 1 + number % 3
        styles[number] = Style(LIGHT.live[seat], seat, scene.GLOW)
    return styles


def draw_hand() -> Picture:
    view = _from_its_seat()
    picture = hand(view, view.seat, NAMES)
    assert picture is not None
    return picture


def trial() -> Picture:
    view, move = _from_its_seat(), played.read(TRIED, "hex")
    for number, face in enumerate(view.hands[view.seat] or (), start=1):
        for fit in previews.fits(view, face):
            if fit.move == move:
                return preview(view, NAMES, fit, number)
    raise LookupError(TRIED)


def _from_its_seat() -> TeslaView:
    return played.last("board", played.last("board").seat)


def fits() -> Picture:
    """Draw a tile that fits, and two ways in which one doesn't."""
    view, cell, filed = played.last("fit"), "Z51", played.load_games()["fit"]
    stages = [
        TeachingStage(
            with_loose(view.board, cell, lie),
            *caption,
            colour=LIGHT.danger if "no" in signs else LIGHT.ink,
            tried=cell,
            signs=[Sign(cell, spot, sign) for spot, sign in zip(BESIDE, signs, strict=True)],
        )
        for lie, signs, caption in zip(
            ("25", "05", "12"), (("yes", "yes"), ("yes", "no"), ("no", "yes")), filed.captions, strict=True
        )
    ]
    return Picture(draw_stages(stages, 470), filed.alt, "tesla/fit.png")


def _draw_change(
    picture: str,
    height: int,
    game: str,
    before: TeslaView,
    changes: tuple[TeslaChanges, TeslaChanges],
    signs: Sequence[Sign] = (),
) -> Picture:
    """Draw a position, and the last of its game with signs."""
    filed, after = played.load_games()[game], played.last(game)
    stages = (
        TeachingStage(before.board, *filed.captions[0], changes[0]),
        TeachingStage(after.board, *filed.captions[1], changes[1], signs=signs),
    )
    return Picture(draw_stages(stages, height), filed.alt, f"tesla/{picture}.png")


def join() -> Picture:
    """Draw two circuits that become one, and its owner."""
    *_, before, after = played.views("join")
    return _draw_change("join", 460, "join", before, (NOTHING, after.changes))


def ring() -> Picture:
    """Draw a ring of six that closes and pays."""
    *_, before, after = played.views("ring")
    signs = []
    for cell, marker in before.board.markers.items():
        spot = paths.marker_at("hex", before.board.tiles[cell].lie, marker.segment)
        signs.append(Sign(cell, spot, "+12"))
    placed = TeslaChanges(placed=after.changes.placed)
    return _draw_change("ring", 560, "ring", before, (NOTHING, placed), signs)


def replace() -> Picture:
    """Draw a replaced tile that cuts a circuit in two."""
    *_, before, after = played.views("cut")
    return _draw_change("replace", 460, "cut", before, (NOTHING, after.changes))


def mark() -> Picture:
    """Draw the cost and the gain of a marker, the circuit's lengths."""
    before = next(view for view in played.views("mark") if view.board.markers)
    marked = TeslaChanges(marked=before.changes.marked)
    return _draw_change("mark", 500, "mark", before, (marked, played.last("mark").changes))


def pictures() -> dict[str, Picture]:
    return {
        "tesla/cover.png": cover(),
        "tesla/board.png": board(played.last("board"), NAMES),
        "tesla/four.png": board(played.last("four"), NAMES),
        "tesla/square.png": board(played.last("square"), NAMES),
        "tesla/hand.png": draw_hand(),
        "tesla/preview.png": trial(),
        "tesla/fit.png": fits(),
        "tesla/join.png": join(),
        "tesla/ring.png": ring(),
        "tesla/replace.png": replace(),
        "tesla/mark.png": mark(),
    }
