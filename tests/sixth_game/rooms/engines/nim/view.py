"""One viewer's knowledge of a game of Nim: all of it but the seed."""

from engines.game import Seat
from engines.nim.pieces.board import Board


class View(Board):
    """The board, and who looks at it."""

    viewer: Seat | None = None
