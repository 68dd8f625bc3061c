"""A cache of database reads, and counters, timers and references for operators."""

import secrets
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping
from contextvars import ContextVar
from typing import Generic, TypeVar

import cachetools
from prometheus_client import Counter, Histogram

K = TypeVar("K", bound=Hashable)
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


INTERACTIONS = Counter("parlour_interactions", "Requests of people, by outcome", ["kind", "outcome"])
ANSWER_SECONDS = Histogram(
    "parlour_answer_seconds",
    "From the arrival of an interaction to its first answer",
    ["kind"],
    buckets=(0.05, 0.1, 0.25, 0.5, 0.8, 1.5, 3, 10),
)
POST_SECONDS = Histogram(
    "parlour_post_seconds",
    "From the commit to the message that shows it",
    ["kind"],
    buckets=(0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300, 900),
)
RETRIES = Counter("parlour_post_retries", "Posts that I couldn't show and will try again", ["kind"])
COMMITS = Counter("parlour_commits", "Table steps that were saved")
LOOP_LAG_SECONDS = Histogram(
    "parlour_loop_lag_seconds",
    "How late the event loop came back, compared with the planned time",
    buckets=(0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5),
)


reference: ContextVar[str] = ContextVar("reference", default="-")
"""The reference of this task; `-` for the bot's own work."""


def begin() -> str:
    """Start a new reference for this task and all that it starts."""
    new = secrets.token_hex(4)
    reference.set(new)
    return new
