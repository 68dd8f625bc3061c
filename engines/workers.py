"""Work that would hold the event loop: it runs in processes of its own, and comes back as a value."""

from __future__ import annotations

import asyncio
import heapq
import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from enum import IntEnum
from functools import partial
from itertools import count
from typing import ParamSpec, TypeVar

log = logging.getLogger(__name__)
P = ParamSpec("P")
R = TypeVar("R")


class Urgency(IntEnum):
    """Who goes first when all workers are busy."""

    ANSWER = 0
    """Somebody has pressed a button and waits."""
    POST = 1
    """A table is to be shown."""
    LONG = 2
    """It takes its time: a computer player thinks, a replay is drawn. Never in all the workers at once, where
    there are several."""


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def _start_worker() -> None:
    # Ctrl-C, and often a termination, reaches the whole group, but only the bot decides when its
    # workers stop; and a bot that was killed outright must not leave them behind.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _greet() -> None:
    """What a worker does first: nothing, but then it is there."""


class Workers:
    """A few worker processes, started when first needed and replaced when one dies.

    No more is handed to them than they can do at once; what waits is taken by its urgency, then by its age.
    """

    def __init__(self, number: int = 2) -> None:
        self._number = number
        self._pool: ProcessPoolExecutor | None = None
        self._starting = threading.Lock()
        self._busy = dict.fromkeys(Urgency, 0)
        self._waiting: list[tuple[Urgency, int, asyncio.Future[None]]] = []
        self._ticket = count()

    def _start(self) -> ProcessPoolExecutor:
        with self._starting:
            pool = self._pool
            if pool is None:
                spawn = multiprocessing.get_context("spawn")
                pool = ProcessPoolExecutor(self._number, mp_context=spawn, initializer=_start_worker)
                wait([pool.submit(_greet) for _ in range(self._number)])
                self._pool = pool
            return pool

    async def start(self) -> ProcessPoolExecutor:
        """Have the workers running; starting them takes a while, and a thread of its own."""
        pool = self._pool
        return pool if pool is not None else await asyncio.to_thread(self._start)

    async def run(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Carry out a module-level function for somebody who waits; see `run_with`."""
        return await self.run_with(Urgency.ANSWER, work, *args, **kwargs)

    async def run_with(self, urgency: Urgency, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Carry out a module-level function with values that can be pickled, off the event loop.

        Raises whatever the function raises. When a worker was killed from outside, the work is done
        once more in a new one, and the log is told.
        """
        loop = asyncio.get_running_loop()
        call = partial(work, *args, **kwargs)
        async with self._place(urgency):
            pool = await self.start()
            try:
                return await loop.run_in_executor(pool, call)
            except BrokenProcessPool:
                if self._pool is pool:
                    log.warning("a worker process was killed; others take its place, and do its work again")
                    self._pool = None
                    pool.shutdown(wait=False)
                return await loop.run_in_executor(await self.start(), call)

    @asynccontextmanager
    async def _place(self, urgency: Urgency) -> AsyncIterator[None]:
        """Wait for a worker that may do work of that urgency, and hold it meanwhile."""
        if self._free(urgency):
            self._busy[urgency] += 1
        else:
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            heapq.heappush(self._waiting, (urgency, next(self._ticket), turn))
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._release(urgency)
                raise
        try:
            yield
        finally:
            self._release(urgency)

    def _free(self, urgency: Urgency) -> bool:
        if sum(self._busy.values()) >= self._number:
            return False
        return urgency is not Urgency.LONG or self._busy[urgency] < max(1, self._number - 1)

    def _release(self, urgency: Urgency) -> None:
        self._busy[urgency] -= 1
        while self._waiting and self._free(self._waiting[0][0]):
            following, _, turn = heapq.heappop(self._waiting)
            if not turn.done():
                self._busy[following] += 1
                turn.set_result(None)

    def busy(self, urgency: Urgency) -> int:
        """How many workers do work of that urgency."""
        return self._busy[urgency]

    @property
    def waiting(self) -> int:
        """How much waits for a worker."""
        return len(self._waiting)

    def close(self) -> None:
        """Stop the workers; what they were doing is given up."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None
