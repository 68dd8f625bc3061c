"""Random draws that depend on nothing but a seed and a counter.

The standard library promises the same `random()` on every version but not the same `shuffle`; a table's deal
must be checkable years later, so this module derives the draws from SHA-256.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")
SEED_SIZE = 32
"""Bytes."""


class Draws:
    """An endless stream of draws from ``(seed, counter)``.

    >>> Draws(b"seed", 0).shuffle("ABCDEF")
    ['B', 'D', 'F', 'E', 'A', 'C']
    >>> Draws(b"seed", 0).shuffle("ABCDEF") == Draws(b"seed", 0).shuffle("ABCDEF")
    True
    """

    def __init__(self, seed: bytes, counter: int) -> None:
        self._key = sha256(counter.to_bytes(8, "big") + seed).digest()
        self._block = 0

    def _word(self) -> int:
        word = sha256(self._key + self._block.to_bytes(8, "big")).digest()
        self._block += 1
        return int.from_bytes(word[:8], "big")

    def below(self, n: int) -> int:
        """Draw a number from 0 to n - 1, uniformly. Raises ValueError unless n > 0."""
        if n < 1:
            raise ValueError("a draw needs at least one outcome")
        limit = (1 << 64) - (1 << 64) % n
        while True:
            word = self._word()
            if word < limit:
                return word % n

    def shuffle(self, things: Sequence[T]) -> list[T]:
        """Return the things in random order (Fisher-Yates from the end). Leave the argument alone."""
        order = list(things)
        for last in range(len(order) - 1, 0, -1):
            pick = self.below(last + 1)
            order[last], order[pick] = order[pick], order[last]
        return order
