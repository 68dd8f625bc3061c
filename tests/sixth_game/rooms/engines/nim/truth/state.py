"""The whole truth of a game of Nim, and its deal."""

import msgspec

from engines.game import Seat
from engines.nim.pieces.board import Board


class Deal(msgspec.Struct, frozen=True):
    """The heaps and the first seat."""

    heaps: tuple[int, ...]
    first: Seat


class State(Board, kw_only=True):
    """The board and the seed."""

    seed: bytes
