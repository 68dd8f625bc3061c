"""A cache of what was read from the database, valid until somebody changes it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping
from typing import Generic, TypeVar

import cachetools

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Cache(Generic[K, V]):
    """Keeps what was read, unless it was invalidated or put again since the reading began.

    So a reading that takes its time never brings back what has been written meanwhile.
    """

    def __init__(self, kept: cachetools.Cache[K, V]) -> None:
        """`kept` says how much is kept, for how long, and what goes first."""
        self._kept = kept
        # One object a key stands for all readings of it since it was last invalidated or put.
        self._readings: dict[K, object] = {}

    def get(self, key: K) -> V | None:
        """What is kept under a key; None for nothing."""
        return self._kept.get(key)

    def put(self, key: K, value: V) -> None:
        """Keep what has just been written: it is newer than whatever is being read."""
        self._readings.pop(key, None)
        self._kept[key] = value

    def invalidate(self, key: K | None = None) -> None:
        """Keep nothing under a key, or with None under any, that was read or began to be read before."""
        if key is None:
            self._readings.clear()
            self._kept.clear()
        else:
            self._readings.pop(key, None)
            self._kept.pop(key, None)

    async def read(self, key: K, read: Callable[[], Awaitable[V]]) -> V:
        """What is kept under a key, or else what `read` finds; raises whatever that raises."""

        async def one(_: list[K]) -> Mapping[K, V]:
            return {key: await read()}

        return (await self.read_all([key], one))[key]

    async def read_all(
        self, keys: Iterable[K], read: Callable[[list[K]], Awaitable[Mapping[K, V]]]
    ) -> dict[K, V]:
        """What is kept under several keys, and what `read` finds under the others, at one go.

        A key under which it finds nothing is left out. Raises whatever `read` raises.
        """
        wanted = list(keys)
        found = {key: value for key in wanted if (value := self._kept.get(key)) is not None}
        missing = [key for key in wanted if key not in found]
        if missing:
            found |= await self._read(missing, read)
        return found

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
