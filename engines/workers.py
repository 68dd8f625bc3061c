"""Work that would hold the event loop: it runs in processes of its own, and comes back as a value."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
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


class Workers:
    """A few worker processes, started when first needed and replaced when one dies."""

    def __init__(self, count: int = 2) -> None:
        self._count = count
        self._pool: ProcessPoolExecutor | None = None

    def _running(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._count, mp_context=multiprocessing.get_context("spawn"), initializer=_start_worker
            )
        return self._pool

    async def run(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Carry out a module-level function with values that can be pickled, off the event loop.

        Raises whatever the function raises. When a worker was killed from outside, the work is done
        once more in a new one.
        """
        loop = asyncio.get_running_loop()
        pool = self._running()
        try:
            return await loop.run_in_executor(pool, partial(work, *args, **kwargs))
        except BrokenProcessPool:
            if self._pool is pool:
                self._pool = None
                pool.shutdown(wait=False)
            return await loop.run_in_executor(self._running(), partial(work, *args, **kwargs))

    def close(self) -> None:
        """Stop the workers; what they were doing is given up."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None
