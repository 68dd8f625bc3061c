"""One player's city: its pieces, its fully built squares, its score."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache

import msgspec

from engines.tangram.pieces.components import PRINTED, SCORING, START_PIECES, BoardSide, TileId
from engines.tangram.pieces.geometry import (
    HEIGHT,
    SIDES,
    TURNS,
    WIDTH,
    Corner,
    Quarters,
    Side,
    Square,
    Turn,
    at,
    canonical_turn,
    form,
    fountain_quarters,
    name_of,
    quarters_printed,
    tile_quarters,
)


class TangramLaid(msgspec.Struct, frozen=True, tag="tile"):
    """A tile in a city."""

    tile: TileId
    side: Side
    turn: Turn
    at: Square

    @property
    def quarters(self) -> Quarters:
        return tile_quarters(self.tile, self.side, self.turn, self.at)


class Water(msgspec.Struct, frozen=True, tag="fountain"):
    """A fountain in a city."""

    at: Square
    corner: Corner

    @property
    def quarters(self) -> Quarters:
        return fountain_quarters(self.at, self.corner)


Piece = TangramLaid | Water


def _start_pieces() -> Iterator[tuple[BoardSide, TangramLaid]]:
    """Yield each side with its start piece: green mirrors black."""
    for board, start in START_PIECES.items():
        column, row = at(start.at)
        for side in SIDES:
            turn = start.turn if side == "black" else TURNS[-start.turn // 90]
            turn = canonical_turn(start.tile, side, turn)
            left = column if side == "black" else WIDTH - column - form(start.tile, side, turn).width
            yield f"{board}-{side}", TangramLaid(start.tile, side, turn, name_of(left, row))


START_SIDES: dict[BoardSide, TangramLaid] = dict(_start_pieces())
"""Every side of the boards with a start piece, and its piece."""


class City(msgspec.Struct, frozen=True, dict=True):
    """The pieces of a city, in the order of placing.

    `board` is the side of its board that lies up, or before it is chosen the board; None if plain.
    """

    pieces: tuple[Piece, ...] = ()
    board: BoardSide | None = None

    @property
    def start(self) -> TangramLaid | None:
        return None if self.board is None else START_SIDES.get(self.board)

    @property
    def built(self) -> Quarters:
        return self._by_colour[0]

    @property
    def black(self) -> Quarters:
        return self._by_colour[1]

    @property
    def green(self) -> Quarters:
        return self._by_colour[2]

    @cached_property
    def _by_colour(self) -> tuple[Quarters, Quarters, Quarters]:
        """Return the quarters of all, of black, and of green pieces."""
        if self.pieces:
            return City(self.pieces[:-1], self.board).add(self.pieces[-1])._by_colour
        if self.board in PRINTED:
            black, green = quarters_printed(self.board, "black"), quarters_printed(self.board, "green")
            return black | green, black, green
        if self.start is None:
            return 0, 0, 0
        quarters = self.start.quarters
        return (quarters, quarters, 0) if self.start.side == "black" else (quarters, 0, quarters)

    def turn(self, side: Side) -> City:
        """Turn a board up whose side has been chosen."""
        return City(self.pieces, f"{self.board}-{side}")

    def add(self, piece: Piece) -> City:
        """Add a piece, which must fit."""
        grown, quarters = City((*self.pieces, piece), self.board), piece.quarters
        built, black, green = self._by_colour
        match piece:
            case TangramLaid(side="black"):
                black |= quarters
            case TangramLaid():
                green |= quarters
        vars(grown)["_by_colour"] = built | quarters, black, green
        return grown


def piece_on(city: City, side: Side) -> TangramLaid:
    """Return the start piece on a side of the city's board."""
    return START_SIDES[f"{city.board}-{side}"]


ONES: Quarters = sum(1 << 4 * square for square in range(WIDTH * HEIGHT))
"""The north quarter of every square: a set of squares is a set of these bits."""


def full_squares(quarters: Quarters) -> Quarters:
    return quarters & quarters >> 1 & quarters >> 2 & quarters >> 3 & ONES


def squares_touched(quarters: Quarters) -> Quarters:
    return (quarters | quarters >> 1 | quarters >> 2 | quarters >> 3) & ONES


class Rectangle(msgspec.Struct, frozen=True):
    """A block of squares: its top left one, its columns and rows."""

    at: Square
    width: int
    height: int

    @property
    def area(self) -> int:
        return self.width * self.height


_ROW_MASK = (1 << 4 * WIDTH) - 1


@lru_cache(maxsize=1 << WIDTH)
def _longest(row: Quarters) -> tuple[int, int]:
    """Return the start and length of a row's first longest run."""
    best, start, length = (0, 0), 0, 0
    for column in range(WIDTH):
        if row >> 4 * column & 1:
            start = column if length == 0 else start
            length += 1
            best = max(best, (length, -start))
        else:
            length = 0
    return -best[1], best[0]


def largest_rectangle(built: Quarters) -> Rectangle | None:
    """Find the largest fully built rectangle, on ties the topmost, then leftmost.

    Or None. Rules: Scoring a round.
    """
    area, start, top, length, height = _largest(full_squares(built))
    return Rectangle(name_of(start, top), length, height) if area else None


def largest_area(whole: Quarters) -> int:
    """Return the area of the largest rectangle within some squares. 0 without any."""
    return _largest(whole)[0]


@lru_cache(maxsize=4096)
def _largest(whole: Quarters) -> tuple[int, int, int, int, int]:
    """Return area, first column, first row, columns and rows of the largest rectangle."""
    best = (0, 0, 0, 0, 0)
    rows = [whole >> 4 * WIDTH * row & _ROW_MASK for row in range(HEIGHT)]
    for top in range(HEIGHT):
        common = _ROW_MASK
        for height in range(1, HEIGHT - top + 1):
            common &= rows[top + height - 1]
            if not common:
                break
            start, length = _longest(common)
            if length * height > best[0]:
                best = (length * height, start, top, length, height)
    return best


class Balance(msgspec.Struct, frozen=True):
    """The numbers of squares that count for black and for green."""

    black: int
    green: int

    @property
    def distance(self) -> int:
        return abs(self.black - self.green)

    @property
    def bonus(self) -> int:
        """The bonus points at the end. Rules: The end.

        >>> Balance(9, 9).bonus, Balance(9, 7).bonus, Balance(9, 4).bonus
        (20, 10, 0)
        """
        return next((points for most, points in SCORING.balance if self.distance <= most), 0)


def balance(city: City) -> Balance:
    """Count the full squares of one colour alone. Rules: Balance."""
    return balance_of(city.black, city.green, full_squares(city.built))


def balance_of(black: Quarters, green: Quarters, whole: Quarters = ONES) -> Balance:
    """Return the balance of the colours' quarters on some squares."""
    with_black, with_green = squares_touched(black), squares_touched(green)
    return Balance(
        (whole & with_black & ~with_green).bit_count(), (whole & with_green & ~with_black).bit_count()
    )


def distance_of(black: Quarters, green: Quarters, whole: Quarters = ONES) -> int:
    with_black, with_green = squares_touched(black), squares_touched(green)
    return abs((whole & with_black).bit_count() - (whole & with_green).bit_count())


def is_complete(city: City) -> bool:
    return full_squares(city.built) == ONES


class Score(msgspec.Struct, frozen=True):
    """A city's score in a round, and its position."""

    rectangle: Rectangle | None
    balance: Balance

    @property
    def points(self) -> int:
        """The area of the largest rectangle."""
        return 0 if self.rectangle is None else self.rectangle.area


def score(city: City) -> Score:
    return Score(largest_rectangle(city.built), balance(city))
