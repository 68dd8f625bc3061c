"""The tiles and the numbers of the game, read once from ``tangram.toml``.

Nothing elsewhere depends on the shapes themselves: whoever owns the printed game can replace the
tiles and the boards in the data file, and everything else follows.
"""

from typing import Literal

import msgspec

from engines.component_data import load_components

TileId = int
"""The number of a tile and of its card, 1 to 23."""

BoardSide = str
"""The name of a side of a board: ``"3-green"`` is the other side of ``"3-black"``.

Before a side is chosen, it's the board's: ``"3"``. The sides of old boards are ``"3a"`` and ``"3b"``.
"""


class CityBoard(msgspec.Struct, frozen=True):
    """The city board: the letters of its columns, the number of its rows."""

    columns: str
    rows: int


class TangramRounds(msgspec.Struct, frozen=True):
    """The numbers of rounds, cards and fountains, and everybody's initial score."""

    regular: int
    cards_regular: int
    cards_final: int
    fountains: int
    start_points: int


class TangramScoring(msgspec.Struct, frozen=True):
    """The bonuses at the end; `balance` is (distance at most, points), the closest first."""

    planning_bonus: int
    balance: tuple[tuple[int, int], ...]


class TangramTile(msgspec.Struct, frozen=True):
    """A kind of tile, drawn black side up; `twin` marks one that looks like another."""

    id: TileId
    name: str
    shape: tuple[str, ...]
    twin: bool = False


class StartPiece(msgspec.Struct, frozen=True):
    """The start piece of a board's black side: a tile's shape, its place and its turn."""

    board: str
    tile: TileId
    turn: Literal[0, 90, 180, 270]
    at: str


class Printed(msgspec.Struct, frozen=True):
    """A printed side of an old board: its squares that are built from the start, by colour."""

    side: BoardSide
    black: tuple[str, ...]
    green: tuple[str, ...]


class TangramComponents(msgspec.Struct, frozen=True):
    """The content of ``tangram.toml``."""

    board: CityBoard
    rounds: TangramRounds
    scoring: TangramScoring
    tile: tuple[TangramTile, ...]
    start: tuple[StartPiece, ...]
    printed: tuple[Printed, ...]


COMPONENTS = load_components("tangram", TangramComponents)
BOARD = COMPONENTS.board
ROUNDS = COMPONENTS.rounds
SCORING = COMPONENTS.scoring
TILES: dict[TileId, TangramTile] = {tile.id: tile for tile in COMPONENTS.tile}
START_PIECES: dict[str, StartPiece] = {start.board: start for start in COMPONENTS.start}
"""The start piece of each board."""
PRINTED: dict[BoardSide, Printed] = {side.side: side for side in COMPONENTS.printed}
LAST_ROUND = ROUNDS.regular + 1
FOUNTAIN: TileId = 0
"""The number of the fountain in lists of tiles."""
START: TileId = -1
"""The number of the start piece in lists of tiles."""
