"""Long loops on the event loop: in slices, between which others have their turn."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import TypeVar

SLICE = 64
"""Items of a slice; that of the slowest list takes a millisecond."""
T = TypeVar("T")


async def iterate_in_slices(items: Iterable[T]) -> AsyncIterator[T]:
    """Yield the items, and give way to other tasks after every `SLICE` of them."""
    for number, item in enumerate(items, start=1):
        yield item
        if not number % SLICE:
            await asyncio.sleep(0)
