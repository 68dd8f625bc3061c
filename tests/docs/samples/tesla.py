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
from tests.docs.samples.stage import Sign, TeachingStage, draw_stages, with_loose

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
MINUS = "\u2212"


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
    alt = "Twelve hexagonal tiles around the name of the game; a closed, glowing circuit runs through them."
    return Picture(canvas.png(), alt, "tesla/cover.png")


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
    view, cell = played.last("fit"), "Z51"
    stages = []
    for lie, line, signs in (
        ("25", "wire on wire, blank on blank", ("yes", "yes")),
        ("05", "its wire meets a blank side", ("yes", "no")),
        ("12", "its blank side meets a wire", ("no", "yes")),
    ):
        good = "no" not in signs
        stages.append(
            TeachingStage(
                with_loose(view.board, cell, lie),
                "Fits" if good else "Doesn't fit",
                line,
                colour=LIGHT.ink if good else LIGHT.danger,
                tried=cell,
                signs=[Sign(cell, spot, sign) for spot, sign in zip(BESIDE, signs, strict=True)],
            )
        )
    alt = (
        "Three times the same two tiles with a third below and between them. First: its wire meets a wire, "
        "its blank side a blank side; it fits. Second: its wire meets a blank side; it doesn't fit. Third: "
        "its blank side meets a wire; it doesn't fit."
    )
    return Picture(draw_stages(stages, 470), alt, "tesla/fit.png")


def join() -> Picture:
    """Draw two circuits that become one, and its owner."""
    *_, before, after = played.views("join")
    stages = (
        TeachingStage(before.board, "1 marker each", "Ann's circuit is 4 long, Bo's is 3"),
        TeachingStage(after.board, "Ann's, 8 long", "4 beats 3: Bo's marker goes back unpaid", after.changes),
    )
    alt = (
        "Before: Ann's circuit of 4 and Bo's circuit of 3, each with one marker, and an empty cell between "
        "them. After a tile was placed there: one circuit of 8, Ann's, because her part was longer. "
        "Bo's marker is gone."
    )
    return Picture(draw_stages(stages, 460), alt, "tesla/join.png")


def ring() -> Picture:
    """Draw a ring of six that closes and pays."""
    *_, before, after = played.views("ring")
    signs = []
    for cell, marker in before.board.markers.items():
        spot = paths.marker_at("hex", before.board.tiles[cell].lie, marker.segment)
        signs.append(Sign(cell, spot, "+12"))
    placed = TeslaChanges(placed=after.changes.placed)
    stages = (
        TeachingStage(before.board, "Five of six", "with two markers of Ann's"),
        TeachingStage(
            after.board, "Closed: 2 \u00d7 6 a marker", "both go back; Ann gains 24", placed, signs=signs
        ),
    )
    alt = (
        "Before: five curves around an empty cell, a circuit of 5 with two of Ann's markers. After the sixth "
        "was placed: a closed ring of 6. Each marker has gone back and paid 12, twice the length."
    )
    return Picture(draw_stages(stages, 560), alt, "tesla/ring.png")


def replace() -> Picture:
    """Draw a replaced tile that cuts a circuit in two."""
    *_, before, after = played.views("cut")
    stages = (
        TeachingStage(before.board, "Bo's circuit is 6 long", "only its marked tile is safe"),
        TeachingStage(after.board, "Ann replaces a tile", "4 are left to Bo, 3 are free", after.changes),
    )
    alt = (
        "Before: a circuit of 6 with one marker of Bo's. Ann replaces the tile at its bend by one with two "
        "straights, which cuts it: the part with the marker is 4 long and Bo's, the other is 3 long and free."
    )
    return Picture(draw_stages(stages, 460), alt, "tesla/replace.png")


def mark() -> Picture:
    """Draw the cost and the gain of a marker, the circuit's lengths."""
    game = list(played.views("mark"))
    before = next(view for view in game if view.board.markers)
    after = game[-1]
    marked = TeslaChanges(marked=before.changes.marked)
    stages = (
        TeachingStage(before.board, f"Ann marks: {MINUS}3", "the circuit is 3 long", marked),
        TeachingStage(after.board, "Ann may take: +7", "four tiles later it is 7 long", after.changes),
    )
    alt = (
        "Before: a circuit of 3 on which Ann has put a marker, for 3 points. After four more tiles: "
        "the circuit is 7 long, and taking the marker back gains 7."
    )
    return Picture(draw_stages(stages, 500), alt, "tesla/mark.png")


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
