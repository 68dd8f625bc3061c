"""Who presses faster than anybody reads is told so once, and then not answered until they slow down."""

from __future__ import annotations

from collections.abc import Callable

from cachetools import LRUCache

PRESSES, SECONDS = 20, 10.0
"""This many presses are free within this many seconds; after that one for each that time gives back."""
REMEMBERED = 10_000
FLOODING = "That was too fast for me, so I skipped it. Wait a few seconds."


class Cooldown:
    """A bucket of presses for each person, which fills up again on its own."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._buckets: LRUCache[int, tuple[float, float, bool]] = LRUCache(REMEMBERED)

    def take(self, user_id: int) -> tuple[bool, bool]:
        """Take a press out of a person's bucket: whether there was one, and if not, whether to say so.

        >>> now = 0.0
        >>> cooldown = Cooldown(lambda: now)
        >>> [cooldown.take(7) for _ in range(PRESSES + 2)][-3:]
        [(True, False), (False, True), (False, False)]
        >>> now = SECONDS / PRESSES
        >>> cooldown.take(7)
        (True, False)
        """
        now = self._clock()
        left, at, told = self._buckets.get(user_id, (float(PRESSES), now, False))
        left = min(float(PRESSES), left + max(0.0, now - at) * PRESSES / SECONDS)
        if left < 1.0:
            self._buckets[user_id] = (left, now, True)
            return False, not told
        self._buckets[user_id] = (left - 1.0, now, False)
        return True, False
