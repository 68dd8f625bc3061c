"""Attempts that failed: how long each waits for the next, and how what is due comes up in rounds."""

from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Generic, TypeVar

from cachetools import LRUCache

FIRST_PAUSE = 5.0
LONGEST_PAUSE = 900.0
REMEMBERED = 10_000
"""Keys that are remembered at most; what is forgotten may be tried at once."""
K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
A = TypeVar("A")


def pause(attempts: int) -> float:
    """Return the seconds to wait after some failed attempts.

    >>> [pause(n) for n in (0, 1, 2, 20)]
    [5.0, 10.0, 20.0, 900.0]
    """
    return min(FIRST_PAUSE * 2.0 ** min(attempts, 10), LONGEST_PAUSE)


def is_paused(until: float, now: float) -> bool:
    """Return True during a pause, unless the clock was set back.

    >>> [is_paused(1000.0, now) for now in (995.0, 1000.0, 1000.0 - 3600.0)]
    [True, False, False]
    """
    return now < until <= now + LONGEST_PAUSE


class Retries(Generic[K]):
    """Notes for each key how often in a row it failed, and when it may be tried again."""

    def __init__(self, clock: Callable[[], float], kept: int = REMEMBERED) -> None:
        self._clock = clock
        self._known: LRUCache[K, tuple[int, float]] = LRUCache(kept)

    def failures(self, key: K) -> int:
        """Return how often in a row something failed."""
        return self._known.get(key, (0, 0.0))[0]

    def is_due(self, key: K) -> bool:
        """Return True if something may be tried now."""
        return not is_paused(self._known.get(key, (0, 0.0))[1], self._clock())

    def seconds_left(self, key: K) -> float:
        """Return how long something waits for its next attempt."""
        return max(0.0, self._known.get(key, (0, 0.0))[1] - self._clock())

    def note_failure(self, key: K, at_least: float = 0.0) -> None:
        """Let something wait twice as long as the last time."""
        failures = self.failures(key)
        seconds = min(max(pause(failures), at_least), LONGEST_PAUSE)
        self._known[key] = failures + 1, self._clock() + seconds

    def wait(self, key: K, seconds: float) -> None:
        """Let what has just failed wait some seconds at least."""
        failures, until = self._known.get(key, (0, 0.0))
        self._known[key] = failures, max(until, self._clock() + min(seconds, LONGEST_PAUSE))

    def note_success(self, key: K, apart: float = 0.0) -> None:
        """Forget failures. With `apart`, the next attempt waits that many seconds all the same."""
        if apart:
            self._known[key] = 0, self._clock() + apart
        else:
            self._known.pop(key, None)


class RoundRobin(Generic[T, A]):
    """Takes what is due some at a time, each time behind the last; after the end, from the start again.

    So what fails whenever it is tried holds up nothing that is due later.
    """

    def __init__(self, most: int, key: Callable[[T], A]) -> None:
        """Take `most` rows at a time; `key` is what they are sorted by."""
        self._most = most
        self._key = key
        self._after: A | None = None

    async def next_rows(self, read: Callable[[int, A | None], Awaitable[Sequence[T]]]) -> Sequence[T]:
        """Return the next rows, which `read` finds by their number and the key of the last one."""
        rows = await read(self._most, self._after)
        if not rows and self._after is not None:
            rows = await read(self._most, None)
        self._after = self._key(rows[-1]) if len(rows) >= self._most else None
        return rows
