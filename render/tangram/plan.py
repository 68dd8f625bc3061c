"""One city from above: its squares with their names, its pieces, and its marks."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image

from engines.tangram.legal.moves import TileCursor
from engines.tangram.moves import Fountain, TangramPlace
from engines.tangram.pieces.board import City, Rectangle, TangramLaid, Water
from engines.tangram.pieces.board import Piece as Placed
from engines.tangram.pieces.components import BOARD, FOUNTAIN, PRINTED
from engines.tangram.pieces.geometry import FILL, HEIGHT, SIDES, WIDTH, Square, TileForm, at, form
from render.core.canvas import Canvas, Point
from render.core.theme import Rgb
from render.tangram import pieces
from render.tangram.colours import TangramCanvas, TangramTheme

LABEL = 0.56
"""The room for the letters above a city and the numbers to its left, in squares."""
WALL = 0.09
"""The width of the wall around a city, in squares."""
LEAST = 34
"""The size of the smallest letters, in pixels: just legible in a picture of two cities' width."""


@dataclass(frozen=True, slots=True)
class CityPlan:
    """A city in a picture: the pixel at which its first square begins, and pixels to a square."""

    canvas: TangramCanvas
    at: tuple[int, int]
    unit: int

    def spot(self, column: float, row: float) -> Point:
        return self.at[0] + column * self.unit, self.at[1] + row * self.unit

    def ground(self) -> None:
        """Draw the wall, the empty squares, and their names."""
        theme = self.canvas.theme
        self.plots()
        size = round(0.44 * self.unit)
        off = WALL + (LABEL - WALL) / 2
        for column, letter in enumerate(BOARD.columns):
            self.canvas.word(self.spot(column + 0.5, -off), letter, size, theme.muted, weight=700)
        for row in range(HEIGHT):
            self.canvas.word(self.spot(-off, row + 0.5), str(row + 1), size, theme.muted, weight=700)

    def plots(self) -> None:
        wall = round(WALL * self.unit)
        self.canvas.image.paste(empty(self.canvas.theme, self.unit), (self.at[0] - wall, self.at[1] - wall))

    def city(self, city: City, pending: Sequence[Placed] = ()) -> None:
        """Draw the printed and laid pieces. `pending` ones are paler, in a dashed frame."""
        if city.start is not None:
            self._lay(lies(city.start), city.start.side, city.start.at)
        if city.board in PRINTED:
            printed = PRINTED[city.board]
            for side, squares in zip(SIDES, (printed.black, printed.green), strict=True):
                for square in squares:
                    self._lay(pieces.ONE, side, square)
        for placed in city.pieces:
            self._lay(lies(placed), matter_of(placed), placed.at)
        for placed in pending:
            self._lay(lies(placed), matter_of(placed), placed.at, 0.72)
        for placed in pending:
            self.draw_frame(placed, "pending")

    def _lay(self, form: TileForm, matter: pieces.Matter, square: Square, strength: float = 1) -> None:
        pieces.piece(self.canvas.theme, form, matter, self.unit).on(
            self.canvas, self.spot(*at(square)), strength
        )

    def draw_frame(self, placed: Placed, kind: pieces.Frame) -> None:
        pieces.frame(self.canvas.theme, lies(placed), kind, self.unit).on(
            self.canvas, self.spot(*at(placed.at))
        )

    def rectangle(self, block: Rectangle) -> None:
        (left, top), (right, bottom) = self._ends(block)
        thick = max(5, round(0.105 * self.unit))
        for colour, grow in ((self.canvas.theme.fresh, 2), (self.canvas.theme.survey, 0)):
            reach = thick / 2 + grow
            box = (left - reach, top - reach, right + reach, bottom + reach)
            self.canvas.box(box, colour, radius=reach, border=2 * reach)

    def area(self, block: Rectangle) -> None:
        (left, _), (right, y) = self._ends(block)
        x, label = (left + right) / 2, str(block.area)
        size = round(max(LEAST, 0.5 * self.unit))
        wide, high = 0.33 * size * len(label) + 0.24 * size, 0.6 * size
        for colour, grow in ((self.canvas.theme.fresh, 3), (self.canvas.theme.survey, 0)):
            box = (x - wide - grow, y - high - grow, x + wide + grow, y + high + grow)
            self.canvas.box(box, colour, radius=0.45 * size + grow)
        self.canvas.word((x, y), label, size, self.canvas.theme.white, weight=700)

    def _ends(self, block: Rectangle) -> tuple[Point, Point]:
        column, row = at(block.at)
        return self.spot(column, row), self.spot(column + block.width, row + block.height)

    def cursor(self, cursor: TileCursor, blocked: Sequence[tuple[int, int]] | None) -> None:
        """Draw the held tile over the city. `blocked` are the squares in the way, None if it fits."""
        theme = self.canvas.theme
        corner = self.spot(cursor.column, cursor.row)
        pieces.shadow(theme, cursor.form, self.unit).on(self.canvas, corner)
        matter: pieces.Matter = "water" if cursor.tile == FOUNTAIN else cursor.side
        kind: pieces.Frame = "fits" if blocked is None else "trouble"
        held = pieces.piece(theme, cursor.form, matter, self.unit)
        held.on(self.canvas, corner, 1 if blocked is None else 0.62)
        pieces.frame(theme, cursor.form, kind, self.unit).on(self.canvas, corner)
        for column, row in blocked or ():
            cross(self.canvas, self.spot(column + 0.5, row + 0.5), 0.27 * self.unit, theme.amber)
        if blocked is None:
            x, y = self.spot(cursor.column + cursor.form.width, cursor.row)
            tick(self.canvas, (x, y), 0.26 * self.unit, theme.fits)


def lies(placed: Placed) -> TileForm:
    """Return a piece's form, from its top left square on."""
    match placed:
        case TangramLaid():
            return form(placed.tile, placed.side, placed.turn)
        case Water():
            return TileForm(((0, 0, FILL[placed.corner]),))


def piece_of(cursor: TileCursor) -> Placed:
    match cursor.move:
        case TangramPlace(tile, side, turn, square):
            return TangramLaid(tile, side, turn, square)
        case Fountain(square, corner):
            return Water(square, corner)


def matter_of(placed: Placed) -> pieces.Matter:
    return placed.side if isinstance(placed, TangramLaid) else "water"


def tick(canvas: TangramCanvas, centre: Point, radius: float, colour: Rgb) -> None:
    x, y = centre
    canvas.disc(centre, radius + 3, canvas.theme.fresh)
    canvas.disc(centre, radius, colour)
    left, right = (x - 0.48 * radius, y), (x + 0.52 * radius, y - 0.4 * radius)
    way = [left, (x - 0.1 * radius, y + 0.4 * radius), right]
    canvas.line(way, canvas.theme.fresh, 0.26 * radius)


def cross(canvas: TangramCanvas, centre: Point, radius: float, colour: Rgb) -> None:
    x, y = centre
    canvas.disc(centre, radius + 3, canvas.theme.black)
    canvas.disc(centre, radius, colour)
    reach = 0.42 * radius
    for lean in (-reach, reach):
        canvas.line([(x - reach, y - lean), (x + reach, y + lean)], canvas.theme.black, 0.28 * radius)


@lru_cache(maxsize=8)
def empty(theme: TangramTheme, unit: int) -> Image.Image:
    wall = round(WALL * unit)
    width, height = WIDTH * unit + 2 * wall, HEIGHT * unit + 2 * wall
    canvas = Canvas(width, height, theme)
    canvas.box((0, 0, width, height), theme.wall, radius=wall)
    canvas.box((2, 2, width - 2, height - 2), theme.stone, radius=wall - 2)
    canvas.box((wall, wall, width - wall, height - wall), theme.sand_line)
    for row in range(HEIGHT):
        for column in range(WIDTH):
            x, y = wall + column * unit, wall + row * unit
            canvas.box((x + 1, y + 1, x + unit - 1, y + unit - 1), theme.sand, radius=0.06 * unit)
    return canvas.image
