"""A cache of database reads, valid until somebody changes the data."""

from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping
from typing import Generic, TypeVar

import cachetools

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
        """Return the cached value; None if there is none."""
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
        """Return the cached value, or what `read` returns; raises whatever that raises."""

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
