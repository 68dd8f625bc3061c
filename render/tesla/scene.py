"""The board itself: cells, tiles, wires, markers, tags, and the last changes."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import msgspec

from engines.game import BoardChange, Seat, is_quiet
from engines.tesla.pieces.board import (
    START,
    Cell,
    CircuitId,
    TeslaBoard,
    at,
    beyond,
    centre,
    circuit_name,
    column,
    neighbours,
    row_number,
)
from engines.tesla.pieces.components import Tiles, segments, shape, wire_mask
from engines.tesla.preview import Site
from engines.tesla.view import TeslaChanges
from engines.tesla.words import captions
from render.core.canvas import Box, Point
from render.core.theme import Rgb, mix
from render.tesla import paths, tags, tiles
from render.tesla.colours import TeslaCanvas, TeslaTheme
from render.tesla.tiles import Style

UNITS: tuple[int, ...] = (
    *range(6, 10),
    *range(10, 34, 2),
    *range(35, 47, 3),
    *range(48, 60, 4),
    *(61, 67, 74, 82, 92, 104, 118),
)
"""The possible sizes of tiles: from the middle of a hexagon to a corner, in pixels."""
BARE = 0.25
"""The margin around tiles without empty cells around them, for the ends of their wires."""


@dataclass(frozen=True, slots=True)
class Area:
    """The cells that a picture shows: all tiles and the empty cells around them, in units of a tile.

    Attributes:
        box: the bounds, seen from the middle of the start tile.
        cells: all of them.
        empty: the empty ones that touch a tile, in the order of their rows.
    """

    tiles: Tiles
    box: Box
    cells: tuple[Cell, ...]
    empty: tuple[Cell, ...]

    @property
    def width(self) -> float:
        return self.box[2] - self.box[0]

    @property
    def height(self) -> float:
        return self.box[3] - self.box[1]


def area(*boards: TeslaBoard, rim: bool = True) -> Area:
    """Return the area that fits all of these boards.

    The last one is the one to draw. Their tiles have the same shape. Without a `rim` it has no empty cells.
    """
    tiles = boards[0].shape
    taken = {cell for board in boards for cell in board.tiles} or {START}
    around = {near for cell in taken for near in neighbours(tiles, cell)} if rim else set()
    cells = tuple(sorted(taken | around))
    points = [paths.centre(tiles, cell) for cell in cells]
    spare = 0 if rim else BARE
    right, down = paths.APOTHEM + spare, (1.0 if tiles == "hex" else paths.APOTHEM) + spare
    xs, ys = [x for x, _ in points], [y for _, y in points]
    box = (min(xs) - right, min(ys) - down, max(xs) + right, max(ys) + down)
    free = set(cells) & {near for cell in boards[-1].tiles for near in neighbours(tiles, cell)}
    free -= set(boards[-1].tiles)
    return Area(tiles, box, cells, tuple(sorted(free, key=lambda cell: at(cell)[::-1])))


def near(board: TeslaBoard, cell: Cell, reach: float) -> TeslaBoard:
    """Return only the tiles within `reach` tile widths of a cell."""
    x, y = centre(board.shape, cell)

    def close(other: Cell) -> bool:
        there = centre(board.shape, other)
        return math.hypot(there[0] - x, there[1] - y) <= reach

    tiles = {other: laid for other, laid in board.tiles.items() if close(other)}
    return msgspec.structs.replace(board, tiles=tiles)


def around(board: TeslaBoard, cell: Cell, reach: float) -> tuple[TeslaBoard, Area]:
    """Return the part of a board around a cell, and its area. Only truly empty cells are empty."""
    here = near(board, cell, reach)
    shown = area(here)
    beside = {other: board.tiles[other] for other in shown.empty if other in board.tiles}
    empty = tuple(other for other in shown.empty if other not in beside)
    return msgspec.structs.replace(here, tiles={**here.tiles, **beside}), replace(shown, empty=empty)


@dataclass(frozen=True, slots=True)
class Grid:
    """A picture's cells.

    Attributes:
        unit: the pixels from the middle of a hexagon to a corner.
        centres: the pixel in the middle of each cell.
    """

    tiles: Tiles
    unit: int
    centres: Mapping[Cell, tuple[int, int]]

    def spot(self, cell: Cell, point: Point) -> Point:
        """Map a point of a tile, given in units around its middle."""
        x, y = self.centres[cell]
        return x + point[0] * self.unit, y + point[1] * self.unit


def unit_for(shown: Area, width: float, height: float) -> int:
    limit = min(width / shown.width, height / shown.height)
    return max((unit for unit in UNITS if unit <= limit), default=UNITS[0])


def lay_out(shown: Area, unit: int, room: Box) -> Grid:
    left, top, right, bottom = room
    x = (left + right - (shown.box[0] + shown.box[2]) * unit) / 2
    y = (top + bottom - (shown.box[1] + shown.box[3]) * unit) / 2
    centres = {}
    for cell in shown.cells:
        across, down = paths.centre(shown.tiles, cell)
        centres[cell] = round(x + across * unit), round(y + down * unit)
    return Grid(shown.tiles, unit, centres)


FREE_RING_GLOW, OFFERED_GLOW, GLOW, RING_GLOW = 0.5, 0.35, 0.42, 0.8
OWN_GLOW, OTHERS_SHARE = 1.0, 0.5
"""The glow of a player's own circuits, and the share of theirs that others keep beside them."""
RIGHT = 1
"""The right side, of hexagons and squares alike."""
LETTERS = 33
"""The size of letters, in pixels: just legible in a picture of this width."""
LARGE_LETTERS = 46
"""The most size of a cell name's letters if cells are large, as in a panel on a phone."""
MOST_ANCHORS = 4
"""The most markers or wires that a circuit's tag may be next to."""
NAMES_FROM = 56
"""From this size on, each cell shows its whole name; below, its column, and the rows are numbered."""
NUMBERS_FROM = 48
"""From this size of tiles on, several placed ones are numbered."""
MAKER_CORNER = 1
"""The corner of a tile with the mark of the seat that placed it; its number is in the last one."""
BESIDE = 22
"""The distance of a row number's middle from its row, in pixels."""


@dataclass(frozen=True, slots=True)
class BoardScene:
    """A board with the style of its drawing.

    Attributes:
        board: its tiles are the visible ones; markers and circuits may be outside.
        styles: the look of each circuit's wires.
        labels: the text of each circuit's tag.
        changes: the last changes, which are outlined.
        news: the same by the seats that made them, with their points.
        tried: the cell of a tried tile; `number` is the one it has in the hand.
        named: the empty cells with their names in them; all of them if None.
    """

    board: TeslaBoard
    grid: Grid
    area: Area
    styles: Mapping[CircuitId, Style]
    labels: Mapping[CircuitId, str]
    changes: TeslaChanges
    tried: Cell | None = None
    number: int | None = None
    named: Collection[Cell] | None = None
    news: tuple[BoardChange, ...] = ()

    def draw(self, canvas: TeslaCanvas, room: Box) -> None:
        """Draw all of it, from the table up. Tags stay in the room."""
        self._cells(canvas)
        theme, kind, unit = canvas.theme, self.grid.tiles, self.grid.unit
        for piece in (tiles.shadow(theme, kind, unit), tiles.slate(theme, kind, unit)):
            for cell in self.board.tiles:
                self._paste(canvas, piece, cell)
        if self.tried is not None:
            for piece in (tiles.shadow(theme, kind, unit, True), tiles.slate(theme, kind, unit, True)):
                self._paste(canvas, piece, self.tried)
        latest = [cell for cell in self.changes.placed if cell in self.board.tiles]
        for cell in latest:
            shade = self._shade(canvas.theme, cell, "placed")
            colour = None if shade == canvas.theme.latest else shade
            self._paste(canvas, tiles.outline(canvas.theme, kind, unit, colour=colour), cell)
        if self.tried is not None:
            self._paste(canvas, tiles.outline(canvas.theme, kind, unit, dashed=True), self.tried)
        self._wires(canvas)
        placed = self.place_tags(room)
        for tag in placed:
            tag.lead(canvas)
        self._markers(canvas)
        for cell in latest:
            seat = next((one.seat for one in self.news if (one.place, one.kind) == (cell, "placed")), None)
            if seat is not None:
                spot, shade = self._number_at(cell, MAKER_CORNER), self._shade(canvas.theme, cell, "placed")
                # Without a disc, so that nobody takes it for a marker.
                canvas.emblem(seat, spot, 0.8 * max(tags.LEAST_MAKER, 0.26 * self.grid.unit), shade)
        for cell, number in self._tile_numbers():
            tags.number(canvas, self._number_at(cell), str(number))
        for tag in placed:
            tag.draw(canvas)
        gains: dict[Cell, list[BoardChange]] = {}
        for change in self.news:
            if change.points > 0 and change.place in self.board.tiles:
                gains.setdefault(change.place, []).append(change)
        for cell, changes in gains.items():
            x, y = self.grid.centres[cell]
            for number, change in enumerate(changes):
                at = (x, y + (number - (len(changes) - 1) / 2) * 2.4 * tags.GAIN)
                tags.gain(canvas, change.seat or 0, at, change.points)

    def _shade(self, theme: TeslaTheme, cell: Cell, kind: str) -> Rgb:
        """Return the colour of a change, paler among many."""
        change = next((one for one in self.news if (one.place, one.kind) == (cell, kind)), None)
        if change is None or change.seat is None:
            return theme.latest
        colour = theme.seats[change.seat]
        return mix(colour, theme.slate_edge, 0.45) if is_quiet(change, self.news) else colour

    def _paste(self, canvas: TeslaCanvas, piece: paths.TeslaPiece, cell: Cell) -> None:
        x, y = self.grid.centres[cell]
        canvas.image.paste(piece.image, (x + piece.step[0], y + piece.step[1]), piece.mask)

    def _cells(self, canvas: TeslaCanvas) -> None:
        kind, unit = self.grid.tiles, self.grid.unit
        for cell in self.area.empty:
            self._paste(canvas, tiles.socket(canvas.theme, kind, unit), cell)
        whole, letters = names_fit(unit), name_letters(unit)
        named = [cell for cell in self.area.empty if self.named is None or cell in self.named]
        for cell in named:
            text = cell if whole else column(at(cell)[0])
            # Its name keeps away from wires that end beside it.
            left, shift = shape(kind).opposite(RIGHT), 0
            for side, other, way in ((RIGHT, left, -1), (left, RIGHT, 1)):
                near = self.board.tiles.get(beyond(kind, cell, side))
                if near is not None and wire_mask(near.lie) >> other & 1:
                    shift += way
            canvas.word(self.grid.spot(cell, (0.1 * shift, 0)), text, letters, canvas.theme.muted, weight=500)
        if named and not whole:
            for row, spots in self._row_ends().items():
                for end in spots:
                    canvas.word(end, str(row_number(row)), LETTERS, canvas.theme.ink, weight=600)

    def _row_ends(self) -> dict[int, tuple[Point, Point]]:
        rows = dict[int, list[tuple[int, int]]]()
        for cell in self.area.cells:
            rows.setdefault(at(cell)[1], []).append(self.grid.centres[cell])
        off = paths.APOTHEM * self.grid.unit + BESIDE
        return {
            row: ((min(spots)[0] - off, min(spots)[1]), (max(spots)[0] + off, min(spots)[1]))
            for row, spots in rows.items()
        }

    def _wires(self, canvas: TeslaCanvas) -> None:
        kind, unit = self.grid.tiles, self.grid.unit
        for cell, laid in self.board.tiles.items():
            bowed = paths.is_bowed(kind, laid.lie)
            pairs = [
                (segment, self.styles[circuit])
                for segment, circuit in zip(segments(laid.lie), laid.circuits, strict=True)
            ]
            for segment, style in pairs:
                if style.glow:
                    self._paste(
                        canvas, tiles.glow(kind, segment, style.current.glow, style.glow, unit, bowed), cell
                    )
            for segment, style in pairs:
                look = style.current, style.pattern
                self._paste(canvas, tiles.wire(canvas.theme, kind, segment, *look, unit, bowed), cell)
        for number, circuit in self.board.circuits.items():
            for end in circuit.ends:
                if end.cell in self.board.tiles:
                    knob = tiles.knob(canvas.theme, kind, end.side, self.styles[number].current, unit)
                    self._paste(canvas, knob, end.cell)

    def token_at(self, cell: Cell) -> Point:
        laid, marker = self.board.tiles[cell], self.board.markers[cell]
        return self.grid.spot(cell, paths.marker_at(self.grid.tiles, laid.lie, marker.segment))

    def _markers(self, canvas: TeslaCanvas) -> None:
        theme = canvas.theme
        radius = tags.token_radius(self.grid.unit)
        for cell in self._marker_cells():
            marker, spot = self.board.markers[cell], self.token_at(cell)
            if cell in self.changes.marked:
                canvas.disc(spot, radius + 8, theme.slate_edge)
                canvas.disc(spot, radius + 6, theme.latest)
            tags.token(canvas, marker.seat, spot, radius)
        for cell in self.changes.taken:
            if cell in self.board.tiles and cell not in self.board.markers:
                middle, shade = self.grid.centres[cell], self._shade(theme, cell, "taken")
                canvas.disc(middle, radius + 3, theme.slate_edge, hole=radius - 5)
                canvas.disc(middle, radius + 1, shade, hole=radius - 3)

    def _marker_cells(self) -> list[Cell]:
        return [cell for cell in self.board.markers if cell in self.board.tiles]

    def _number_at(self, cell: Cell, corner: int = -1) -> Point:
        reach = 0.8
        x, y = paths.corners(self.grid.tiles)[corner if self.grid.tiles == "hex" else corner + 2]
        return self.grid.spot(cell, (x * reach, y * reach))

    def _tile_numbers(self) -> list[tuple[Cell, int]]:
        """Return the numbered tiles: several placed ones, or a tried one."""
        if self.tried is not None and self.number is not None:
            return [(self.tried, self.number)]
        placed = self.changes.placed
        makers = {one.seat for one in self.news if one.kind == "placed"}
        if len(placed) < 2 or self.grid.unit < NUMBERS_FROM or len(makers) > 1:
            return []
        return [(cell, number) for number, cell in enumerate(placed, start=1)]

    def place_tags(self, room: Box) -> list[tags.PlacedTag]:
        entries = []
        for circuit, text in self.labels.items():
            owner, anchors = self.board.owner(circuit), self._anchors(circuit)
            entries.append(tags.Tag(circuit_name(circuit), text, owner, anchors, LETTERS))
        return tags.place(entries, self._busy(room), room, tags.token_radius(self.grid.unit) + 6)

    def _anchors(self, circuit: CircuitId) -> tuple[Point, ...]:
        """Return some markers of a circuit, else some wires' middles."""
        markers = [cell for cell in self.board.circuits[circuit].markers if cell in self.board.tiles]
        if markers:
            return tuple(self.token_at(cell) for cell in markers[:MOST_ANCHORS])
        entries = []
        for cell, laid in self.board.tiles.items():
            if circuit in laid.circuits:
                segment = segments(laid.lie)[laid.circuits.index(circuit)]
                entries.append(self.grid.spot(cell, paths.marker_at(self.grid.tiles, laid.lie, segment)))
        return tuple(entries[:: math.ceil(len(entries) / MOST_ANCHORS)])

    def _busy(self, room: Box) -> tags.Busy:
        """Map what tags should not cover, and what they must not."""
        unit, kind = self.grid.unit, self.grid.tiles
        busy = tags.Busy(round(room[2]), round(room[3]))
        for cell in self.area.empty:
            busy.disc(self.grid.centres[cell], unit * 0.55, 55)
        for cell in self.board.tiles:
            busy.disc(self.grid.centres[cell], unit * 0.8, 35)
        for cell, laid in self.board.tiles.items():
            for way in paths.wires(kind, laid.lie):
                busy.line(
                    [self.grid.spot(cell, point) for point in way[:: max(1, len(way) // 4)]], unit * 0.25, 110
                )
        radius = tags.token_radius(unit)
        for cell in self._marker_cells():
            busy.disc(self.token_at(cell), radius + tags.COARSE, tags.FULL)
        for spot in chain.from_iterable(() if names_fit(unit) else self._row_ends().values()):
            busy.disc(spot, BESIDE, 140)
        for cell, _ in self._tile_numbers():
            busy.disc(self._number_at(cell), tags.NUMBER + 2, tags.FULL)
        for change in self.news:
            if change.place in self.board.tiles and (change.points > 0 or change.kind == "placed"):
                spot = self._number_at(change.place, MAKER_CORNER)
                busy.disc(self.grid.centres[change.place] if change.points else spot, tags.GAIN, tags.FULL)
        return busy


def names_fit(unit: int) -> bool:
    return unit >= NAMES_FROM


def name_letters(unit: int) -> int:
    """Return the letter size of a name in an empty cell.

    >>> name_letters(50), name_letters(100), name_letters(200)
    (33, 40, 46)
    """
    return max(LETTERS, min(LARGE_LETTERS, round(0.4 * unit)))


def lengths(board: TeslaBoard, named: Collection[CircuitId] = ()) -> dict[CircuitId, str]:
    """Return the tag of every marked or named circuit. Its length, as it counts."""
    shown = {one: each for one, each in board.circuits.items() if each.markers or one in named}
    return {number: captions.length(circuit) for number, circuit in shown.items()}


def offers(board: TeslaBoard, sites: Sequence[Site]) -> dict[CircuitId, str]:
    """Return the tag of every circuit to choose from: its value. Of many the least get only a letter."""
    values = {site.circuit: (bool(site.mine), board.circuits[site.circuit].value) for site in sites}
    first = sorted(values, key=lambda circuit: values[circuit], reverse=True)[: tags.CROWDED_ABOVE]
    return {circuit: str(values[circuit][1]) if circuit in first else "" for circuit in [*first, *values]}


def live(theme: TeslaTheme, board: TeslaBoard, own: Seat | None = None) -> dict[CircuitId, Style]:
    """Return every circuit's style: bare if free, else its seat's current.

    A ring glows more, and so do the circuits of a seat that looks at its `own`.
    """
    result = {}
    for number, circuit in board.circuits.items():
        owner = board.owner(number)
        if owner is None:
            result[number] = Style(theme.free, glow=FREE_RING_GLOW if circuit.closed else 0)
        else:
            glow = OWN_GLOW if owner == own else RING_GLOW if circuit.closed else GLOW
            others = 1.0 if own is None or owner == own else OTHERS_SHARE
            result[number] = Style(theme.live[owner], owner, glow * others)
    return result


def spotlit(theme: TeslaTheme, board: TeslaBoard, chosen: Collection[CircuitId]) -> dict[CircuitId, Style]:
    """Return every circuit's style during a choice. The chosen shine, the others are subdued."""
    styles = live(theme, board)
    for number, style in styles.items():
        if number in chosen:
            styles[number] = style if style.pattern is not None else Style(theme.ready, glow=OFFERED_GLOW)
        else:
            styles[number] = Style(
                theme.faint if style.pattern is None else theme.fade(style.current), style.pattern
            )
    return styles
