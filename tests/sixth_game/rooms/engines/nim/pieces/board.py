"""Public facts of a position of Nim: state and view both hold them."""

from collections.abc import Iterator

import msgspec

from engines.game import Outcome, Seat
from engines.nim.moves import Take
from engines.nim.options import Options


class Board(msgspec.Struct):
    """The heaps, whose turn it is, who is out, and how it ended."""

    options: Options
    seats: int
    heaps: list[int]
    seat: Seat
    turn: int = 1
    out: list[Seat] = []
    last: Take | None = None
    outcome: Outcome | None = None

    @property
    def playing(self) -> list[Seat]:
        return [seat for seat in range(self.seats) if seat not in self.out]


def takes(board: Board) -> Iterator[Take]:
    """Yield every legal move, heap by heap. Rules: Turn."""
    for heap, stones in enumerate(board.heaps, start=1):
        for number in range(1, stones + 1):
            yield Take(heap, number)
