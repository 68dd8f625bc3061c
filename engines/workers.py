"""Runs work that would block the event loop in worker processes, and returns its result."""

import asyncio
import heapq
import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from enum import IntEnum
from functools import partial
from itertools import count
from typing import Any, ParamSpec, TypeVar

log = logging.getLogger(__name__)
P = ParamSpec("P")
R = TypeVar("R")


class Urgency(IntEnum):
    """Priority of work when all workers are busy."""

    ANSWER = 0
    """Somebody pressed a button and waits."""
    POST = 1
    """A table needs a new post."""
    LONG = 2
    """Slow work, such as a computer player's. If there are several workers, it never takes all of them."""
    STUDY = 3
    """One decision of the strong computer, in a turn that somebody studies. Counts as long."""
    REPLAY = 4
    """A piece of a replay. Counts as long, and goes last."""


DEADLINES: Mapping[Urgency, float] = {
    Urgency.ANSWER: 20.0,
    Urgency.POST: 20.0,
    Urgency.LONG: 60.0,
    Urgency.STUDY: 60.0,
    Urgency.REPLAY: 60.0,
}
"""Seconds that work of each urgency may take, many times what it takes on a slow machine."""
MEMORY_MB = 2048
"""Megabytes that a worker process may use, many times what it needs."""


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


if sys.platform == "win32":

    def _limit_memory(megabytes: int) -> None:
        """Do nothing: Windows has no such limit."""

else:
    import resource

    def _limit_memory(megabytes: int) -> None:
        """Make allocations beyond the limit fail, in this process."""
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        limit = megabytes * 1024 * 1024
        if most != resource.RLIM_INFINITY:
            limit = min(limit, most)
        with suppress(ValueError, OSError):  # what systems without this limit raise
            resource.setrlimit(resource.RLIMIT_DATA, (limit, most))


def _start_worker(memory_mb: int) -> None:
    # Ctrl-C, and often a termination, reaches the whole group, but only the bot decides when its
    # workers stop; and a bot that was killed outright must not leave them behind.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    _limit_memory(memory_mb)


class WorkerTimeout(Exception):
    """Work exceeded the time limit of its urgency; its process was ended."""


class WorkerOutOfMemory(Exception):
    """Work needed more memory than a worker may use; its process was replaced."""


class Worker:
    """One process, started when first needed, and replaced after it ends or is killed."""

    def __init__(self, memory_mb: int = MEMORY_MB) -> None:
        self._memory_mb = memory_mb
        self._pool: ProcessPoolExecutor | None = None
        self._pid: int | None = None
        self._starting = threading.Lock()
        self._is_closed = False

    def _start(self) -> ProcessPoolExecutor:
        with self._starting:
            if self._is_closed:
                raise BrokenProcessPool("the workers are closed")
            pool = self._pool
            if pool is None:
                spawn = multiprocessing.get_context("spawn")
                pool = ProcessPoolExecutor(
                    1, mp_context=spawn, initializer=_start_worker, initargs=(self._memory_mb,)
                )
                self._pid = pool.submit(os.getpid).result()
                self._pool = pool
            return pool

    async def start(self) -> ProcessPoolExecutor:
        """Start the process if necessary, in a thread of its own."""
        pool = self._pool
        return pool if pool is not None else await asyncio.to_thread(self._start)

    def replace(self, pool: ProcessPoolExecutor) -> None:
        """Replace the process for later work, unless that has happened already."""
        if self._pool is pool:
            self._pool = None
            pool.shutdown(wait=False)

    def kill(self) -> None:
        for child in multiprocessing.active_children():
            if child.pid == self._pid:
                child.kill()

    def close(self) -> None:
        """End the process and wait until it is gone."""
        self._is_closed = True
        with self._starting:
            if self._pool is not None:
                self.kill()
                self._pool.shutdown(wait=True)
                self._pool = None


class Workers:
    """A few worker processes, started when first needed and replaced when one dies or takes too long.

    Each gets one piece of work at a time; waiting work is taken by its urgency, then by its age.
    """

    def __init__(
        self, number: int = 2, deadlines: Mapping[Urgency, float] = DEADLINES, memory_mb: int = MEMORY_MB
    ) -> None:
        self._number = number
        self._deadlines = deadlines
        self._memory_mb = memory_mb
        self._workers = [Worker(memory_mb) for _ in range(number)]
        self._idle = list(self._workers)
        self._busy = dict.fromkeys(Urgency, 0)
        self._waiting: list[tuple[Urgency, int, asyncio.Future[Worker]]] = []
        self._ticket = count()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False
        self.timed_out: Callable[[Urgency], object] = lambda urgency: None

    async def start(self) -> None:
        await asyncio.gather(*(worker.start() for worker in self._workers))

    async def run(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run a module-level function for somebody who waits; see `run_with`."""
        return await self.run_with(Urgency.ANSWER, work, *args, **kwargs)

    async def run_with(self, urgency: Urgency, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run a module-level function with picklable values, off the event loop.

        Raises whatever the function raises. When a worker was killed from outside, the work is done once
        more in a new one, and a warning is logged. A worker stays busy until its work is done, even if
        nobody waits for the result any more.

        Raises:
            WorkerTimeout: if it takes longer than its urgency allows; other work goes on.
            WorkerOutOfMemory: if it needs more memory than a worker may use; other work goes on.
            BrokenProcessPool: if it ends its worker twice.
        """
        worker = await self._acquire(urgency)
        doing = asyncio.create_task(self._run_with_retry(worker, urgency, partial(work, *args, **kwargs)))
        self._tasks.add(doing)
        doing.add_done_callback(lambda done: self._finish(worker, urgency, done))
        return await asyncio.shield(doing)

    def _finish(self, worker: Worker, urgency: Urgency, doing: asyncio.Task[Any]) -> None:
        self._tasks.discard(doing)
        _retrieve_exception(doing)
        self._release(worker, urgency)

    async def _run_with_retry(self, worker: Worker, urgency: Urgency, call: Callable[[], R]) -> R:
        try:
            return await self._run_once(worker, urgency, call)
        except BrokenProcessPool:
            if self._closed:
                raise
            log.warning("a worker process was killed; a new one repeats its work")
        try:
            return await self._run_once(worker, urgency, call)
        except BrokenProcessPool:
            if not self._closed:
                log.error("%s killed its worker process twice, so I gave up; check the memory", _name(call))
            raise

    async def _run_once(self, worker: Worker, urgency: Urgency, call: Callable[[], R]) -> R:
        pool, seconds = await worker.start(), self._deadlines[urgency]
        try:
            future = asyncio.get_running_loop().run_in_executor(pool, call)
            done, _ = await asyncio.wait([future], timeout=seconds)
            if done:
                return future.result()
        except BrokenProcessPool:
            worker.replace(pool)
            raise
        except MemoryError as error:
            worker.kill()
            worker.replace(pool)
            text = "%s needed more memory than a worker may use (%d MB), so its worker process was replaced"
            log.error(text, _name(call), self._memory_mb)
            raise WorkerOutOfMemory(f"{_name(call)} needed more than {self._memory_mb} MB") from error
        future.add_done_callback(_retrieve_exception)
        worker.kill()
        worker.replace(pool)
        log.error("%s took longer than %g s, so its worker process was ended", _name(call), seconds)
        self.timed_out(urgency)
        raise WorkerTimeout(f"{_name(call)} took longer than {seconds:g} s")

    async def _acquire(self, urgency: Urgency) -> Worker:
        """Wait for a worker that may do work of that urgency. The caller releases it."""
        if self._free(urgency):
            self._busy[urgency] += 1
            return self._idle.pop()
        turn: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (urgency, next(self._ticket), turn))
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._release(turn.result(), urgency)
            raise

    def _free(self, urgency: Urgency) -> bool:
        if not self._idle:
            return False
        long_running = sum(number for kind, number in self._busy.items() if kind >= Urgency.LONG)
        return urgency < Urgency.LONG or long_running < max(1, self._number - 1)

    def _release(self, worker: Worker, urgency: Urgency) -> None:
        self._busy[urgency] -= 1
        self._idle.append(worker)
        while self._waiting and self._free(self._waiting[0][0]):
            following, _, turn = heapq.heappop(self._waiting)
            if not turn.done():
                self._busy[following] += 1
                turn.set_result(self._idle.pop())

    def busy(self, urgency: Urgency) -> int:
        return self._busy[urgency]

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def close(self) -> None:
        """Stop the workers and drop their work."""
        self._closed = True
        for worker in self._workers:
            worker.close()


def _name(call: Callable[[], Any]) -> str:
    """Name the work without its arguments, which may be secret."""
    work = call.func if isinstance(call, partial) else call
    return f"{work.__module__}.{work.__qualname__}"


def _retrieve_exception(future: asyncio.Future[Any]) -> None:
    """Retrieve the exception of abandoned work, so that asyncio doesn't warn about it."""
    if not future.cancelled():
        future.exception()
