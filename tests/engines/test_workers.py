"""Worker processes: they give back what was asked for, can be replaced, and are never left behind."""

import asyncio
import multiprocessing
import operator
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from engines.workers import Urgency, WorkerOutOfMemory, Workers, WorkerTimeout
from tests.conftest import SharedWorkers

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 20.0
BOT_WITH_A_BUSY_WORKER = """
import asyncio, os, time
from engines.workers import Urgency, Workers

async def main():
    workers = Workers(2)
    print(await workers.run(os.getpid), flush=True)
    await workers.run(time.sleep, 1000)

if __name__ == "__main__":
    asyncio.run(main())
"""


DIE_ONCE = """(
    open({mark!r}, "x") and __import__("signal").raise_signal(9)
    if not __import__("os").path.exists({mark!r}) else "done"
)"""


@pytest.fixture
def pool() -> Iterator[Workers]:
    """Yield workers of the test's own, which it may kill."""
    workers = Workers(1)
    yield workers
    workers.close()


async def test_a_result_comes_from_another_process_and_a_single_worker_thinks_too(workers: Workers) -> None:
    assert await workers.run(int, "2a", base=16) == 42
    assert await workers.run(os.getpid) != os.getpid()
    assert await workers.run_with(Urgency.LONG, operator.mul, 6, 7) == 42


async def test_an_exception_of_the_work_reaches_the_caller(workers: Workers) -> None:
    with pytest.raises(ValueError, match="no such card"):
        await workers.run(int, "no such card")

    assert await workers.run(abs, -2) == 2


async def test_the_event_loop_goes_on_meanwhile(workers: Workers) -> None:
    await workers.start()
    working = asyncio.create_task(workers.run(time.sleep, 0.2))
    turns = 0
    while not working.done():
        turns += 1
        await asyncio.sleep(0)

    assert turns > 100


async def test_many_wishes_at_once_start_one_set_of_workers(pool: Workers) -> None:
    numbers = await asyncio.gather(*(pool.run(os.getpid) for _ in range(20)))

    assert len(set(numbers)) == 1


async def test_work_whose_worker_is_killed_is_done_once_more_and_told_once(
    pool: Workers, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    mark = str(tmp_path / "mark")

    done, three = await asyncio.gather(pool.run(eval, DIE_ONCE.format(mark=mark)), pool.run(abs, -3))

    assert (done, three) == ("done", 3)
    assert [record.getMessage().partition(";")[0] for record in caplog.records] == [
        "a worker process was killed"
    ]


async def test_work_that_kills_workers_is_given_up(pool: Workers, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(BrokenProcessPool):
        await pool.run(signal.raise_signal, signal.SIGKILL)

    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == [
        "_signal.raise_signal killed its worker process twice, so I gave up; check the memory"
    ]
    assert await pool.run(abs, -3) == 3


@pytest.fixture
def small() -> Iterator[Workers]:
    workers = Workers(2, memory_mb=400)
    yield workers
    workers.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")
async def test_work_that_needs_too_much_memory_fails_and_its_worker_is_replaced(
    small: Workers, caplog: pytest.LogCaptureFixture
) -> None:
    await small.start()
    before = {await small.run(os.getpid) for _ in range(4)}

    with pytest.raises(WorkerOutOfMemory, match="needed more than 400 MB"):
        await small.run(operator.mul, b" ", 500_000_000)

    after = await small.run(os.getpid)
    assert after not in before
    assert len(await small.run(operator.mul, b" ", 10_000_000)) == 10_000_000
    assert [record.getMessage() for record in caplog.records] == [
        "_operator.mul needed more memory than a worker may use (400 MB), so its worker process was replaced"
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")
async def test_other_work_goes_on_while_a_worker_runs_out_of_memory(small: Workers) -> None:
    await small.start()
    other = asyncio.create_task(small.run(time.sleep, 0.5))
    await asyncio.sleep(0)

    with pytest.raises(WorkerOutOfMemory):
        await small.run(operator.mul, b" ", 500_000_000)

    await other
    assert await asyncio.gather(*(small.run(operator.mul, 6, 7) for _ in range(4))) == [42] * 4


@pytest.fixture
def hasty() -> Iterator[Workers]:
    workers = Workers(2, {Urgency.ANSWER: PATIENCE, Urgency.POST: PATIENCE, Urgency.LONG: 2.0})
    yield workers
    workers.close()


async def test_a_slow_job_ends_with_its_worker(hasty: Workers, caplog: pytest.LogCaptureFixture) -> None:
    await hasty.start()
    before = await hasty.run_with(Urgency.LONG, os.getpid)
    counted: list[Urgency] = []
    hasty.timed_out = counted.append

    with pytest.raises(WorkerTimeout, match=r"time\.sleep took longer than 2 s"):
        await hasty.run_with(Urgency.LONG, time.sleep, 1000)

    assert await hasty.run_with(Urgency.LONG, os.getpid) != before
    assert await is_gone(before)
    assert counted == [Urgency.LONG]
    assert [record.getMessage() for record in caplog.records] == [
        "time.sleep took longer than 2 s, so its worker process was ended"
    ]


async def test_long_work_of_others_goes_on_after_the_deadline_of_what_hangs(hasty: Workers) -> None:
    await hasty.start()
    hanging = asyncio.create_task(hasty.run_with(Urgency.LONG, time.sleep, 1000))
    await asyncio.sleep(0)

    other = await hasty.run(os.getpid)
    number = await asyncio.wait_for(hasty.run_with(Urgency.LONG, operator.mul, 6, 7), PATIENCE)

    assert number == 42
    assert isinstance((await asyncio.gather(hanging, return_exceptions=True))[0], WorkerTimeout)
    os.kill(other, 0)  # whose process it was that has not been disturbed


async def test_a_worker_that_is_busy_for_nobody_any_more_is_handed_nothing_else(pool: Workers) -> None:
    await pool.start()
    given_up = asyncio.create_task(pool.run(time.sleep, 0.3))
    for _ in range(10):
        await asyncio.sleep(0)

    given_up.cancel()
    await asyncio.gather(given_up, return_exceptions=True)

    assert pool.busy(Urgency.ANSWER) == 1
    assert await pool.run(abs, -3) == 3
    assert pool.busy(Urgency.ANSWER) == 0


async def test_a_hanging_task_does_not_delay_the_stop(pool: Workers) -> None:
    worker = await pool.run(os.getpid)
    hanging = asyncio.create_task(pool.run(time.sleep, 1000))
    for _ in range(10):
        await asyncio.sleep(0)

    pool.close()

    with pytest.raises(BrokenProcessPool):
        await hanging
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)


async def is_gone(process: int) -> bool:
    """Wait until a process is gone; return False if it stays."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        await asyncio.to_thread(multiprocessing.active_children)  # reaps those that have ended
    return False


async def test_ctrl_c_stops_no_worker_and_one_killed_while_idle_is_replaced(pool: Workers) -> None:
    worker = await pool.run(os.getpid)

    os.kill(worker, signal.SIGINT)

    assert await pool.run(os.getpid) == worker

    before = await pool.run(os.getpid)

    os.kill(before, signal.SIGKILL)

    assert await pool.run(os.getpid) != before


async def test_closing_before_or_while_a_process_starts_leaves_none_behind() -> None:
    Workers().close()
    others = set(multiprocessing.active_children())
    workers = Workers(2)
    starting = asyncio.create_task(workers.start())
    await asyncio.sleep(0.05)

    workers.close()

    starting.cancel()
    await asyncio.gather(starting, return_exceptions=True)
    assert set(multiprocessing.active_children()) <= others
    with pytest.raises(BrokenProcessPool):
        await workers.run(os.getpid)


def test_workers_do_not_outlive_a_bot_that_was_killed() -> None:
    command = [sys.executable, "-c", BOT_WITH_A_BUSY_WORKER]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as bot:
        assert bot.stdout is not None
        worker = int(bot.stdout.readline())
        bot.kill()
        try:
            # Its workers have inherited its output, which ends when the last of them has.
            bot.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.kill(worker, signal.SIGKILL)
            raise


class Holding:
    """Work that holds a worker until it is let go; `began` are the names in the order of their start."""

    def __init__(self, pool: Workers) -> None:
        self.began: list[str] = []
        self.may_end: dict[str, asyncio.Event] = {}
        self._pool = pool

    def hand_in(self, urgency: Urgency, name: str) -> asyncio.Task[None]:
        self.may_end[name] = asyncio.Event()

        async def held() -> None:
            worker = await self._pool._acquire(urgency)
            self.began.append(name)
            await self.may_end[name].wait()
            self._pool._release(worker, urgency)

        return asyncio.create_task(held())

    async def let_go(self, name: str) -> None:
        self.may_end[name].set()
        for _ in range(4):
            await asyncio.sleep(0)


@pytest.fixture
async def holding() -> Holding:
    """Return three busy workers with a post and an answer waiting.

    Two think, one draws, and two thoughts wait as well.
    """
    held = Holding(Workers(3))
    for urgency, name in [
        (Urgency.LONG, "thought 1"),
        (Urgency.LONG, "thought 2"),
        (Urgency.LONG, "thought 3"),
        (Urgency.POST, "post 1"),
        (Urgency.LONG, "thought 4"),
        (Urgency.POST, "post 2"),
        (Urgency.ANSWER, "answer 1"),
        (Urgency.ANSWER, "answer 2"),
    ]:
        held.hand_in(urgency, name)
        await asyncio.sleep(0)
    return held


async def test_one_worker_never_thinks_and_answers_posts_and_thoughts_go_in_order(holding: Holding) -> None:
    assert holding.began == ["thought 1", "thought 2", "post 1"]
    answers, posts, thoughts = ("answer 1", "answer 2"), ("post 2",), ("thought 2", "thought 3", "thought 4")
    for name in ("post 1", "thought 1", *answers, *posts, *thoughts):
        await holding.let_go(name)

    assert holding.began[3:] == ["answer 1", "answer 2", "post 2", "thought 3", "thought 4"]


@pytest.mark.parametrize("urgency", [Urgency.REPLAY, Urgency.STUDY])
async def test_a_computers_move_goes_before_twenty_replays_or_studies_that_wait(urgency: Urgency) -> None:
    holding = Holding(Workers(2))
    for number in range(20):
        holding.hand_in(urgency, f"piece {number}")
        await asyncio.sleep(0)
    holding.hand_in(Urgency.LONG, "thought")
    await asyncio.sleep(0)

    await holding.let_go("piece 0")

    assert holding.began == ["piece 0", "thought"]


async def test_replays_and_thoughts_leave_a_worker_to_answers_and_an_abandoned_one_is_freed() -> None:
    holding = Holding(Workers(3))
    for urgency, name in [
        (Urgency.REPLAY, "replay 1"),
        (Urgency.LONG, "thought"),
        (Urgency.REPLAY, "replay 2"),
        (Urgency.ANSWER, "answer"),
    ]:
        holding.hand_in(urgency, name)
        await asyncio.sleep(0)

    assert holding.began == ["replay 1", "thought", "answer"]

    holding = Holding(Workers(1))
    holding.hand_in(Urgency.ANSWER, "first")
    await asyncio.sleep(0)
    given_up = holding.hand_in(Urgency.ANSWER, "given up")
    holding.hand_in(Urgency.ANSWER, "last")
    await asyncio.sleep(0)

    given_up.cancel()
    await holding.let_go("first")

    assert holding.began == ["first", "last"]


def test_shared_workers_are_free_again_when_a_loop_was_closed_on_their_work() -> None:
    shared = SharedWorkers(1)
    loop = asyncio.new_event_loop()
    loop.run_until_complete(shared.start())
    left = loop.create_task(shared.run(abs, -6))
    loop.run_until_complete(asyncio.sleep(0))
    for task in asyncio.all_tasks(loop):
        task._log_destroy_pending = False  # type: ignore[attr-defined]
    loop.close()

    assert asyncio.run(asyncio.wait_for(shared.run(operator.mul, 6, 7), PATIENCE)) == 42
    assert not left.done()
    shared.close()
