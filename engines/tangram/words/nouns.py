"""Names of Tangram City's things, with their signs."""

from collections.abc import Sequence

from engines.marks import with_icon
from engines.tangram.legal.moves import over
from engines.tangram.pieces import board
from engines.tangram.pieces.components import FOUNTAIN, START, TILES, TileId
from engines.words import join_words


def tile(number: TileId) -> str:
    """Return a tile's name, with its sign: "kite", "fountain"."""
    if number == FOUNTAIN:
        return with_icon("tangram_fountain", "fountain")
    if number == START:
        return "start piece"
    name = TILES[number].name
    return with_icon(f"tangram_black_{name}", name)


def tiles(numbers: Sequence[TileId]) -> str:
    """Return several tiles: "kite, bar and ramp"."""
    return join_words([f"**{tile(number)}**" for number in numbers])


def piece_place(piece: board.TangramLaid | board.Water) -> str:
    """Return a piece's place: "green on C4-D4"."""
    covered = over(piece).squares
    if isinstance(piece, board.Water):
        return covered
    return with_icon(f"tangram_{piece.side}_{TILES[piece.tile].name}", f"{piece.side} on {covered}")


def block(rectangle: board.Rectangle | None) -> str:
    """Return a rectangle by its sides: "4×5", "no full square"."""
    return "no full square" if rectangle is None else f"{rectangle.width}×{rectangle.height}"


def count_points(points: int) -> str:
    return "1 point" if points == 1 else f"{points} points"


def colours(counts: board.Balance) -> str:
    """Return a balance: "9 black, 6 green"."""
    black, green = with_icon("tangram_black_square", "black"), with_icon("tangram_green_square", "green")
    return f"{counts.black} {black}, {counts.green} {green}"


def city(built: board.City) -> str:
    """Return a city's largest rectangle and its balance."""
    best = board.largest_rectangle(built.built)
    size = "no full square yet"
    if best is not None:
        size = f"largest rectangle {block(best)} ({count_points(best.area)})"
    return f"{size}; {colours(board.balance(built))}"
