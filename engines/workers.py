"""Work that would hold the event loop: it runs in processes of its own, and comes back as a value."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def _start_worker() -> None:
    # Ctrl-C reaches the whole group, but only the bot decides when its workers stop; and a bot that
    # was killed outright must not leave them behind.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _greet() -> None:
    """What a worker does first: nothing, but then it is there."""


class Workers:
    """A few worker processes, started when first needed and replaced when one dies."""

    def __init__(self, count: int = 2) -> None:
        self._count = count
        self._pool: ProcessPoolExecutor | None = None
        self._starting = threading.Lock()

    def _start(self) -> ProcessPoolExecutor:
        with self._starting:
            pool = self._pool
            if pool is None:
                spawn = multiprocessing.get_context("spawn")
                pool = ProcessPoolExecutor(self._count, mp_context=spawn, initializer=_start_worker)
                wait([pool.submit(_greet) for _ in range(self._count)])
                self._pool = pool
            return pool

    async def start(self) -> ProcessPoolExecutor:
        """Have the workers running; starting them takes a while, and a thread of its own."""
        pool = self._pool
        return pool if pool is not None else await asyncio.to_thread(self._start)

    async def run(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Carry out a module-level function with values that can be pickled, off the event loop.

        Raises whatever the function raises. When a worker was killed from outside, the work is done
        once more in a new one.
        """
        loop = asyncio.get_running_loop()
        call = partial(work, *args, **kwargs)
        pool = await self.start()
        try:
            return await loop.run_in_executor(pool, call)
        except BrokenProcessPool:
            if self._pool is pool:
                self._pool = None
                pool.shutdown(wait=False)
            return await loop.run_in_executor(await self.start(), call)

    def close(self) -> None:
        """Stop the workers; what they were doing is given up."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None
