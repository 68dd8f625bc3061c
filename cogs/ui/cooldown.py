"""A rate limit for people: one warning, and then no press counts until they slow down."""

from collections.abc import Callable

from cachetools import LRUCache

PRESSES, SECONDS = 20, 10.0
"""Free presses within these seconds; after that, one each time the bucket refills."""
REMEMBERED = 10_000
FLOODING = "You're too fast, so I skipped that. Wait a few seconds."


class Cooldown:
    """A token bucket of presses for each person."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._buckets: LRUCache[int, tuple[float, float, bool]] = LRUCache(REMEMBERED)

    def take(self, user_id: int) -> tuple[bool, bool]:
        """Take a press from a person's bucket; return (had one, warn now).

        >>> now = 0.0
        >>> cooldown = Cooldown(lambda: now)
        >>> [cooldown.take(7) for _ in range(PRESSES + 2)][-3:]
        [(True, False), (False, True), (False, False)]
        >>> now = SECONDS / PRESSES
        >>> cooldown.take(7)
        (True, False)
        """
        now = self._clock()
        left, at, result = self._buckets.get(user_id, (float(PRESSES), now, False))
        left = min(float(PRESSES), left + max(0.0, now - at) * PRESSES / SECONDS)
        if left < 1.0:
            self._buckets[user_id] = (left, now, True)
            return False, not result
        self._buckets[user_id] = (left - 1.0, now, False)
        return True, False
