"""Places where a tile or a fountain fits, and the cursor that holds one over the city."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Literal

import msgspec

from engines.game import IllegalMove, repeat
from engines.tangram.legal import sentences
from engines.tangram.moves import Fountain, TangramPlace
from engines.tangram.pieces.board import City, Piece, TangramLaid, Water
from engines.tangram.pieces.components import FOUNTAIN, TileId
from engines.tangram.pieces.geometry import (
    CORNERS,
    FILL,
    HEIGHT,
    SQUARES,
    TURNS,
    WHOLE,
    WIDTH,
    Corner,
    Quarters,
    Side,
    Square,
    TileForm,
    Turn,
    at,
    canonical_turn,
    form,
    fountain_quarters,
    name_of,
    spots,
    square_bits,
)
from engines.words import join_words


@cache
def lying(tile: TileId) -> tuple[tuple[Quarters, TangramLaid], ...]:
    """Return every way to lay a tile on an empty board, with quarters."""
    return tuple((spot.quarters, TangramLaid(tile, spot.side, spot.turn, spot.at)) for spot in spots(tile))


@cache
def _placing(tile: TileId) -> tuple[tuple[Quarters, TangramPlace], ...]:
    return tuple((spot.quarters, TangramPlace(tile, spot.side, spot.turn, spot.at)) for spot in spots(tile))


FOUNTAINS: tuple[tuple[Quarters, Water], ...] = tuple(
    (fountain_quarters(square, corner), Water(square, corner)) for square in SQUARES for corner in CORNERS
)
"""Every half square, squares in reading order, with the quarters of a fountain there."""
_FOUNTAIN_MOVES = tuple((quarters, Fountain(water.at, water.corner)) for quarters, water in FOUNTAINS)


def tile_fits(city: City, tile: TileId) -> list[TangramLaid]:
    """List every way to lay a tile into a city, in the order of `geometry.spots`."""
    built = city.built
    return [laid for quarters, laid in lying(tile) if not quarters & built]


def placements(city: City, tile: TileId) -> list[TangramPlace]:
    """List the moves of `tile_fits`, in the same order."""
    built = city.built
    return [move for quarters, move in _placing(tile) if not quarters & built]


def fits_somewhere(city: City, tile: TileId) -> bool:
    return _fits_beside(city.built, tile)


@lru_cache(maxsize=4096)
def _fits_beside(built: Quarters, tile: TileId) -> bool:
    return any(not quarters & built for quarters, _ in lying(tile))


def fountain_fits(city: City) -> list[Water]:
    """List every free half square, squares in reading order."""
    built = city.built
    return [water for quarters, water in FOUNTAINS if not quarters & built]


def fountains(city: City) -> list[Fountain]:
    """List the moves of `fountain_fits`, in the same order."""
    built = city.built
    return [move for quarters, move in _FOUNTAIN_MOVES if not quarters & built]


def fountain_fits_somewhere(city: City) -> bool:
    built = city.built
    return any(not quarters & built for quarters, _ in FOUNTAINS)


def check_tile(city: City, tile: TileId, side: Side, turn: Turn, square: Square) -> None:
    """Raise IllegalMove, naming the squares, if a tile would stick out or overlap.

    Sticking out is checked first; the squares are in reading order. Rules: Placing tiles.
    """
    try:
        column, row = at(square)
    except ValueError:
        raise _no_square(square) from None
    cells = form(tile, side, turn).cells
    out = [
        name_of(column + dx, row + dy) for dx, dy, _ in cells if column + dx >= WIDTH or row + dy >= HEIGHT
    ]
    if out:
        raise IllegalMove(sentences.STICKS_OUT.format(places=join_words(out)))
    _check_free(city, [(column + dx, row + dy, quarters) for dx, dy, quarters in cells])


def check_fountain(city: City, square: Square, corner: Corner) -> None:
    """Raise IllegalMove, naming the square, if a fountain would overlap something. Rules: Fountains."""
    if corner not in CORNERS:
        raise IllegalMove(sentences.NO_CORNER)
    try:
        quarters = fountain_quarters(square, corner)
    except ValueError:
        raise _no_square(square) from None
    if quarters & city.built:
        _check_free(city, [(*at(square), FILL[corner])])


def _check_free(city: City, cells: Iterable[tuple[int, int, Quarters]]) -> None:
    """Raise IllegalMove, naming built squares and halves, if any cell overlaps them."""
    built = [
        _part_of_square(column, row, city.built >> 4 * (row * WIDTH + column) & WHOLE)
        for column, row, quarters in cells
        if square_bits(column, row, quarters) & city.built
    ]
    if built:
        raise IllegalMove(sentences.already_built(built))


def _part_of_square(column: int, row: int, quarters: Quarters) -> str:
    """Name a square, or its half that these quarters fill: "the top right half of C4"."""
    name = next((f"the {CORNER_NAMES[one]} half of " for one in CORNERS if FILL[one] == quarters), "")
    return name + name_of(column, row)


def _no_square(square: str) -> IllegalMove:
    return IllegalMove(sentences.NO_SQUARE.format(square=repeat(square)))


Nudge = Literal["left", "up", "down", "right", "turn", "flip"]
CORNER_NAMES: dict[Corner, str] = {"7": "top right", "J": "bottom right", "L": "bottom left", "r": "top left"}
_STEPS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class TileCursor(msgspec.Struct, frozen=True):
    """A held tile, and the square under its top left; columns and rows count from 0.

    `tile` is `FOUNTAIN` for a fountain, whose corner `turn` says: 0 is the top right one.
    """

    tile: TileId
    side: Side = "black"
    turn: Turn = 0
    column: int = 0
    row: int = 0

    @property
    def form(self) -> TileForm:
        """The quarters that it fills of each square."""
        if self.tile == FOUNTAIN:
            return TileForm(((0, 0, FILL[self.corner]),))
        return form(self.tile, self.side, self.turn)

    @property
    def corner(self) -> Corner:
        return CORNERS[self.turn // 90]

    @property
    def at(self) -> str:
        """The square under its top left."""
        return name_of(self.column, self.row)

    @property
    def move(self) -> TangramPlace | Fountain:
        """The answer that lays it here, in the rules' canonical form."""
        if self.tile == FOUNTAIN:
            return Fountain(self.at, self.corner)
        return TangramPlace(self.tile, self.side, canonical_turn(self.tile, self.side, self.turn), self.at)

    @property
    def named(self) -> TileCursor:
        """The same cursor with the lowest turn that looks the same."""
        if self.tile == FOUNTAIN:
            return self
        return msgspec.structs.replace(self, turn=canonical_turn(self.tile, self.side, self.turn))

    def nudge(self, nudge: Nudge) -> TileCursor:
        """Move one step, turn or flip; stay inside the city.

        >>> TileCursor(6, column=6).nudge("right").column, TileCursor(6, column=6).nudge("turn").column
        (6, 5)
        """
        if nudge == "turn":
            other = msgspec.structs.replace(self, turn=TURNS[(self.turn // 90 + 1) % 4])
        elif nudge == "flip":
            other = msgspec.structs.replace(self, side="green" if self.side == "black" else "black")
        else:
            dx, dy = _STEPS[nudge]
            other = msgspec.structs.replace(self, column=self.column + dx, row=self.row + dy)
        return other.inside()

    def inside(self) -> TileCursor:
        """Move the cursor into the city, as little as needed."""
        lies = self.form
        column = max(0, min(self.column, WIDTH - lies.width))
        return msgspec.structs.replace(self, column=column, row=max(0, min(self.row, HEIGHT - lies.height)))

    def trouble(self, city: City) -> str | None:
        """Return the rules' reason why it can't be laid here. None if it fits."""
        try:
            if self.tile == FOUNTAIN:
                check_fountain(city, self.at, self.corner)
            else:
                check_tile(city, self.tile, self.side, self.turn, self.at)
        except IllegalMove as reason:
            return str(reason)
        return None

    @property
    def squares(self) -> str:
        """The squares that it covers, as people read them. "C3-D3", "C3, D3, C4"; one half for a fountain."""
        if self.tile == FOUNTAIN:
            return _part_of_square(self.column, self.row, FILL[self.corner])
        cells = self.form.cells
        names = [name_of(self.column + dx, self.row + dy) for dx, dy, _ in cells]
        straight = len({dx for dx, _, _ in cells}) == 1 or len({dy for _, dy, _ in cells}) == 1
        return f"{names[0]}-{names[-1]}" if straight and len(names) > 1 else ", ".join(names)


def squares_of_start(piece: TangramLaid) -> str:
    """Return the squares of a start piece, as people read them.

    >>> squares_of_start(TangramLaid(4, "black", 90, "E2"))
    'F2 and the bottom right half of E2'
    """
    column, row = at(piece.at)
    cells = form(piece.tile, piece.side, piece.turn).cells
    parts = sorted(cells, key=lambda cell: cell[2] != WHOLE)
    return join_words([_part_of_square(column + dx, row + dy, quarters) for dx, dy, quarters in parts])


def over(piece: Piece) -> TileCursor:
    """Return a cursor at the place of a piece.

    >>> over(TangramLaid(6, "green", 90, "C4"))
    TileCursor(tile=6, side='green', turn=90, column=2, row=3)
    """
    column, row = at(piece.at)
    match piece:
        case TangramLaid():
            return TileCursor(piece.tile, piece.side, piece.turn, column, row)
        case Water():
            return TileCursor(FOUNTAIN, turn=TURNS[CORNERS.index(piece.corner)], column=column, row=row)
