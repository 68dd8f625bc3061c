"""Keeps background work going through every error, caches reads, counts and times."""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, Generic, TypeVar

import cachetools
from cachetools import LRUCache
from prometheus_client import Counter, Histogram

from db.connection.writer import CommitUnknown as CommitUnknown
from db.connection.writer import DatabaseUnavailable as DatabaseUnavailable

log = logging.getLogger(__name__)
REMEMBERED = 10_000
"""The most failures remembered; a forgotten one is logged again."""


class TryLater(Exception):
    """Raised if Discord can't be reached now: an outage, a rate limit, a missing permission.

    `seconds` is the shortest wait, if known.
    """

    def __init__(self, reason: str, seconds: float = 0.0) -> None:
        super().__init__(reason)
        self.seconds = seconds


async def wait_for_end(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Wait until tasks and their callbacks have ended, however they end. Cancelling this cancels them."""
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(0)  # for of tasks that had ended before, newer Pythons answer without a pause


class Together(asyncio.TaskGroup):
    """Runs work at once, and ends all of it before it raises the first error.

    `asyncio.gather` would leave the rest running, with its database connections.
    """

    async def __aexit__(self, *ending: Any) -> None:
        try:
            await super().__aexit__(*ending)
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None


class LogOnce:
    """Knows what fails now, and logs each cause once, until it works again or changes."""

    def __init__(self) -> None:
        self._known: LRUCache[Hashable, str] = LRUCache(REMEMBERED)

    def note_failure(self, what: Hashable, error: Exception) -> bool:
        """Note a failure; return True if it should be logged.

        An unavailable database has been logged already.
        """
        if isinstance(error, DatabaseUnavailable):
            return False
        cause = f"{type(error).__name__}: {error}"
        known = self._known.get(what)
        self._known[what] = cause
        return known != cause

    def note_success(self, what: Hashable) -> bool:
        """Note a success, or the end of attempts. Return True if it had failed before."""
        return self._known.pop(what, None) is not None


class Background:
    """Runs background work by name, and logs each failure once."""

    def __init__(self) -> None:
        self._log_once = LogOnce()

    async def run(self, name: str, work: Awaitable[object]) -> bool:
        """Await work; return True if it succeeded. It raises only a cancellation."""
        try:
            await work
        except TryLater as reason:
            if self._log_once.note_failure(name, reason):
                log.warning("%s has to wait: %s", name, reason)
            return False
        except Exception as error:  # the loop behind it must not end, whatever happened this time
            if self._log_once.note_failure(name, error):
                log.exception("%s failed, and will be tried again", name)
            return False
        if self._log_once.note_success(name):
            log.info("%s works again", name)
        return True


FIRST_PAUSE = 5.0
LONGEST_PAUSE = 900.0
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
        return not is_paused(self._known.get(key, (0, 0.0))[1], self._clock())

    def seconds_left(self, key: K) -> float:
        return max(0.0, self._known.get(key, (0, 0.0))[1] - self._clock())

    def note_failure(self, key: K, at_least: float = 0.0) -> None:
        """Let something wait twice as long as the last time."""
        failures = self.failures(key)
        seconds = min(max(pause(failures), at_least), LONGEST_PAUSE)
        self._known[key] = failures + 1, self._clock() + seconds

    def wait(self, key: K, seconds: float) -> None:
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


SLICE = 64
"""Items of a slice; that of the slowest list takes a millisecond."""


async def iterate_in_slices(items: Iterable[T]) -> AsyncIterator[T]:
    """Yield the items, and give way to other tasks after every `SLICE` of them."""
    for number, item in enumerate(items, start=1):
        yield item
        if not number % SLICE:
            await asyncio.sleep(0)


V = TypeVar("V")


class Cache(Generic[K, V]):
    """Caches what was read, unless it was invalidated or put since the read began.

    So a slow read never brings back old data.
    """

    def __init__(self, kept: cachetools.Cache[K, V]) -> None:
        """`kept` decides the size, the lifetime, and what goes first."""
        self._kept = kept
        # All readings of a key since it was last invalidated or put share one object.
        self._readings: dict[K, object] = {}

    def get(self, key: K) -> V | None:
        return self._kept.get(key)

    def put(self, key: K, value: V) -> None:
        """Cache what has just been written. It is newer than any running read."""
        self._readings.pop(key, None)
        self._kept[key] = value

    def invalidate(self, key: K | None = None) -> None:
        """Forget a key, or with None all, in running reads too."""
        if key is None:
            self._readings.clear()
            self._kept.clear()
        else:
            self._readings.pop(key, None)
            self._kept.pop(key, None)

    async def read(self, key: K, read: Callable[[], Awaitable[V]]) -> V:
        async def one(_: list[K]) -> Mapping[K, V]:
            return {key: await read()}

        return (await self.read_all([key], one))[key]

    async def read_all(
        self, keys: Iterable[K], read: Callable[[list[K]], Awaitable[Mapping[K, V]]]
    ) -> dict[K, V]:
        """Return cached values, and those that one `read` returns for the other keys.

        Keys without a value are left out. Raises whatever `read` raises.
        """
        wanted = list(keys)
        result = {key: value for key in wanted if (value := self._kept.get(key)) is not None}
        missing = [key for key in wanted if key not in result]
        if missing:
            result |= await self._read(missing, read)
        return result

    async def _read(self, keys: list[K], read: Callable[[list[K]], Awaitable[Mapping[K, V]]]) -> dict[K, V]:
        begun = {key: self._readings.setdefault(key, object()) for key in keys}
        valid = set[K]()
        try:
            values = dict(await read(keys))
        finally:
            for key, reading in begun.items():
                if self._readings.get(key) is reading:
                    del self._readings[key]
                    valid.add(key)
        for key in keys:
            if key not in valid and (newer := self._kept.get(key)) is not None:
                values[key] = newer
            elif key in valid and key in values:
                self._kept[key] = values[key]
        return values


INTERACTIONS = Counter("parlour_interactions", "People's requests, by outcome", ["kind", "outcome"])
ANSWER_SECONDS = Histogram(
    "parlour_answer_seconds",
    "Time from an interaction's arrival to its first answer",
    ["kind"],
    buckets=(0.05, 0.1, 0.25, 0.5, 0.8, 1.5, 3, 10),
)
POST_SECONDS = Histogram(
    "parlour_post_seconds",
    "Time from a commit to the message that shows it",
    ["kind"],
    buckets=(0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300, 900),
)
RETRIES = Counter("parlour_post_retries", "Posts that failed and that I'll try again", ["kind"])
COMMITS = Counter("parlour_commits", "Table steps that were saved")
LOOP_LAG_SECONDS = Histogram(
    "parlour_loop_lag_seconds",
    "How late the event loop came back, compared with the planned time",
    buckets=(0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5),
)


reference: ContextVar[str] = ContextVar("reference", default="-")
"""The reference of this task; `-` for the bot's own work."""


def begin_reference() -> None:
    """Start a new reference for this task and all that it starts."""
    reference.set(secrets.token_hex(4))
