"""Tables played through several processes on one PostgreSQL server.

``python -m tests.benchmarks load`` finds the capacity of one process and of two, and the duration of a move
at half of it. ``python -m tests.benchmarks.load --help`` measures one setting, or soaks: for hours, at a
modest rate, with a line now and then. Posts go into a file, as there is no Discord.
"""

import argparse
import asyncio
import cProfile
import json
import os
import pstats
import resource
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from pathlib import Path
from random import Random
from statistics import quantiles
from typing import Any

import msgspec

from db.connection.opening import database_url
from db.connection.writer import DatabaseUnavailable
from db.processes import ShardPlan
from db.records import OutboxRow, PostRow
from db.store import Store
from engines.workers import Workers
from tables.core.outbox import Delivery
from tables.core.table import OPEN, Refused
from tables.parlour import Parlour
from tables.people import Digest
from tests.benchmarks.measure import Figure
from tests.benchmarks.startup import fill
from tests.db.server import own_server

ROOT = Path(__file__).resolve().parents[2]
SERVERS = 500
"""Servers that share the tables."""
AT_ONCE = 16
"""People who move at once in a process under full load."""
BY_DM = 0.1
"""The share of moves by DM, which Discord sends to the holder of shard 0."""
WARM = 10.0
"""Seconds before the measurement, in which a new process loads its tables."""
SWEEPS_APART = 5.0
ALL = 10_000
"""More steps than any game has."""
PARTS = ("engines", "tables", "db", "sqlalchemy", "asyncpg", "asyncio")


class LoadWish(msgspec.Struct, frozen=True):
    """A measurement to make: tables, processes, seconds, and moves a second in all.

    Without a rate the load is full. `every` is the seconds between reports. The `warm` seconds before don't
    count.
    """

    tables: int = 2000
    processes: int = 2
    seconds: float = 15.0
    rate: float = 0.0
    every: float = 0.0
    warm: float = WARM
    profiled: bool = False


USUAL = LoadWish()


class LoadReport(msgspec.Struct):
    """A process's work in a span of time, with its seconds, megabytes, and CPU seconds."""

    moves: int = 0
    refused: int = 0
    posts: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    server: float = 0.0
    memory: float = 0.0
    waits: list[float] = []
    parts: dict[str, float] = {}


class FileCourier:
    """A courier whose channel is a file, and which counts."""

    parlour: Parlour
    staying: asyncio.Task[None]
    """Holds the shard of this process, and keeps it."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_APPEND | os.O_CREAT | os.O_WRONLY)
        self.posts = 0

    async def show(self, row: OutboxRow, may_be_duplicate: bool) -> Delivery:
        table = await self.parlour.table(row.table_id)
        self.posts += 1
        os.write(self._file, f"{row.table_id} {row.kind} {row.target} {table.version}\n".encode())
        return Delivery(PostRow(row.table_id, row.kind, row.target, 1, self.posts, table.version, ""))

    async def digest(self, digest: Digest, may_be_duplicate: bool) -> None:
        """Do nothing: nobody has set an hour for one."""


class LoadPlayers:
    """The people who play through one process, mostly at tables of its own servers."""

    def __init__(
        self, parlour: Parlour, journal: FileCourier, wish: LoadWish, numbers: Sequence[int], index: int
    ) -> None:
        self._parlour = parlour
        self._journal = journal
        self._wish = wish
        self._rng = Random(index)
        self._all = numbers
        self._own = [number for number in numbers if parlour.store.shards.owns(guild_of(number))]
        self._by_dm = 0.0 if index else BY_DM * wish.processes
        self._done = LoadReport()
        self._since = (time.perf_counter(), time.process_time(), 0)
        self._busy: set[int] = set()

    def take_report(self) -> LoadReport:
        """Return the work since the last call."""
        done, self._done = self._done, LoadReport()
        wall, cpu, posts = self._since
        self._since = (time.perf_counter(), time.process_time(), self._journal.posts)
        done.seconds, done.cpu = self._since[0] - wall, self._since[1] - cpu
        done.posts = self._since[2] - posts
        done.memory = _memory()
        return done

    async def play(self) -> None:
        """Move again and again until cancelled, at the wished rate."""
        if not self._wish.rate:
            await asyncio.gather(*(self._on_and_on() for _ in range(AT_ONCE)))
        async with asyncio.TaskGroup() as group:
            at = time.perf_counter()
            while True:
                at += self._rng.expovariate(self._wish.rate / self._wish.processes)
                await asyncio.sleep(max(0.0, at - time.perf_counter()))
                group.create_task(self._move(at))

    async def _on_and_on(self) -> None:
        while True:
            await self._move(time.perf_counter())

    def _choose_table(self) -> int:
        """Return a table where nobody of this process is moving."""
        while True:
            number = self._rng.choice(self._all if self._rng.random() < self._by_dm else self._own)
            if number not in self._busy:
                return number

    async def _move(self, asked: float) -> None:
        """Make a move requested at `asked`; restart a game that has ended."""
        number = self._choose_table()
        self._busy.add(number)
        try:
            table = await self._parlour.table(number)
            if table.phase not in OPEN or not table.owing:
                await self._parlour.play.rollback(number, ALL, 1)
                return
            user = table.seats[table.owing[0]].user_id or 0
            moves = await self._parlour.play.moves(number, user)
            if moves:
                await self._parlour.play.move(number, user, [self._rng.choice(moves)], table.version)
                self._done.moves += 1
                self._done.waits.append(time.perf_counter() - asked)
        except (Refused, DatabaseUnavailable):  # somebody at another process was faster, or all wait too long
            self._done.refused += 1
        finally:
            self._busy.discard(number)


def guild_of(number: int) -> int:
    return ((number % SERVERS) << 22) + 1


def _memory() -> float:
    """Return the megabytes of this process's memory."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1024**2


async def _parlour(address: str, wish: LoadWish, index: int, journal: FileCourier) -> Parlour:
    """Return a process's parlour, which acts for one shard of several."""
    store = await Store.open(address)
    journal.parlour = Parlour(store, Workers(1), journal, time.time)
    presence = journal.parlour.ownership.join(address, ShardPlan(wish.processes, (index,), 1))
    journal.staying = asyncio.create_task(presence.stay())
    await presence.wait_for_shards()
    return journal.parlour


async def work(address: str, index: int, wish: LoadWish) -> None:
    """Play through one process, and print its work as lines of JSON."""
    with tempfile.TemporaryDirectory() as folder:
        journal = FileCourier(Path(folder) / "channel")
        parlour = await _parlour(address, wish, index, journal)
        players = LoadPlayers(parlour, journal, wish, range(2, wish.tables + 1), index)
        sweeping = asyncio.create_task(_sweep(parlour))
        playing = asyncio.create_task(players.play())
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        threading.Thread(target=_leave_with_parent, daemon=True).start()
        await asyncio.wait({playing, sweeping}, timeout=wish.warm)
        players.take_report()
        profile = cProfile.Profile()
        if wish.profiled:
            profile.enable()
        left = wish.seconds
        while left > 0:
            span = min(left, wish.every or left)
            await asyncio.wait({playing, sweeping}, timeout=span)
            left -= span
            if playing.done():
                playing.result()
            report = players.take_report()
            if wish.profiled:
                profile.disable()
                report.parts = parts_of(profile)
            print(msgspec.json.encode(report).decode(), flush=True)
        playing.cancel()
        sweeping.cancel()
        await asyncio.gather(playing, sweeping, return_exceptions=True)
        await parlour.close()
        await parlour.store.close()
        os._exit(0)


def _leave_with_parent() -> None:
    sys.stdin.read()
    os._exit(1)


async def _sweep(parlour: Parlour) -> None:
    while True:
        await parlour.resume()
        await asyncio.sleep(SWEEPS_APART)


def parts_of(profile: cProfile.Profile) -> dict[str, float]:
    """Return the seconds of each room, and of the libraries below."""
    counts: Counter[str] = Counter()
    entries: dict[Any, Any] = pstats.Stats(profile).stats  # type: ignore[attr-defined]  # typeshed lacks it
    for (file, _, _), (_, _, own, _, _) in entries.items():
        named = [part for part in PARTS if f"/{part}/" in file]
        counts[named[0] if named else "all else"] += own
    return dict(counts)


@asynccontextmanager
async def start_processes(address: str, wish: LoadWish) -> AsyncIterator[list[asyncio.subprocess.Process]]:
    """Start the processes of a wish, and wait until they play."""
    pipe = asyncio.subprocess.PIPE
    text = msgspec.json.encode(wish).decode()
    entries = []
    for index in range(wish.processes):
        command = [sys.executable, "-m", "tests.benchmarks.load", "--work", address, str(index), text]
        entries.append(
            await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdin=pipe, stdout=pipe, limit=2**26)
        )
    try:
        for process in entries:
            await _line(process)
        for process in entries:
            assert process.stdin is not None
            process.stdin.write(b"\n")
        yield entries
    finally:
        for process in entries:
            if process.returncode is None:
                process.kill()
            await process.wait()


async def _line(process: asyncio.subprocess.Process) -> bytes:
    assert process.stdout is not None
    line = await process.stdout.readline()
    if not line:
        raise RuntimeError("a process of the benchmark has ended")
    return line


async def measure_spans(address: str, wish: LoadWish) -> AsyncGenerator[LoadReport, None]:
    """Yield the work of all processes together, after each span."""
    async with start_processes(address, wish) as processes:
        await asyncio.sleep(wish.warm)
        spent = server_cpu(address)
        spans = max(1, round(wish.seconds / wish.every)) if wish.every else 1
        for _ in range(spans):
            each = [msgspec.json.decode(await _line(process), type=LoadReport) for process in processes]
            before, spent = spent, server_cpu(address)
            yield LoadReport(
                server=spent - before,
                moves=sum(told.moves for told in each),
                refused=sum(told.refused for told in each),
                posts=sum(told.posts for told in each),
                seconds=max(told.seconds for told in each),
                cpu=sum(told.cpu for told in each),
                memory=max(told.memory for told in each),
                waits=[wait for told in each for wait in told.waits],
                parts=each[0].parts,
            )


def row_of(report: LoadReport) -> dict[str, float]:
    """Return a span's figures: rates a second, and milliseconds."""
    cuts = quantiles(report.waits, n=100) if len(report.waits) > 1 else [0.0] * 99
    return {
        "moves/s": round(report.moves / report.seconds, 1),
        "posts/s": round(report.posts / report.seconds, 1),
        "p50 ms": round(1000 * cuts[49], 1),
        "p95 ms": round(1000 * cuts[94], 1),
        "p99 ms": round(1000 * cuts[98], 1),
        "CPU ms a move": round(1000 * report.cpu / max(1, report.moves), 2),
        "MB": round(report.memory, 1),
        "refused": report.refused,
    }


async def _once(wish: LoadWish) -> LoadReport:
    """Return the work of all processes, on a server without old posts."""
    with own_server() as server:
        await fill(server.address, wish.tables, guild_of)
        async with aclosing(measure_spans(server.address, wish)) as spans:
            return await anext(spans)


def server_cpu(address: str) -> float:
    """Return the CPU seconds of a server's open connections."""
    home = database_url(address).query["host"]
    assert isinstance(home, str)
    parent = Path(home, "data", "postmaster.pid").read_text(encoding="utf-8").split()[0]
    spent = 0
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            fields = file.read_text(encoding="utf-8").rpartition(")")[2].split()
            if fields[1] == parent:
                spent += int(fields[11]) + int(fields[12])
    return spent / os.sysconf("SC_CLK_TCK")


def measure() -> Iterator[Figure]:
    """Yield the capacity of one and two processes, and moves at half."""
    one = asyncio.run(_once(LoadWish(processes=1)))
    two = asyncio.run(_once(LoadWish(processes=2)))
    most = two.moves / two.seconds
    half = asyncio.run(_once(LoadWish(processes=2, rate=most / 2)))
    profiled = asyncio.run(_once(LoadWish(processes=1, profiled=True)))
    alone = one.moves / one.seconds
    yield Figure("one process: moves", [alone], "moves/s")
    yield Figure("two processes: moves", [most], "moves/s")
    yield Figure("two processes / one", [most / alone], "ratio", ">= 1.5")
    yield Figure("two processes: posts", [two.posts / two.seconds], "posts/s")
    yield Figure("one process: CPU of a move, its posts included", [1000 * one.cpu / one.moves], "ms CPU")
    yield Figure("one process: CPU of the server for a move", [1000 * one.server / one.moves], "ms CPU")
    spent = sum(profiled.parts.values())
    for part, seconds in sorted(profiled.parts.items(), key=lambda item: -item[1]):
        yield Figure(f"of that in {part}", [100 * seconds / spent], "%")
    cuts = quantiles(half.waits, n=100)
    for share in (50, 95, 99):
        aim = "<= 50" if share == 99 else None
        yield Figure(
            f"a move at half of the most, {share}th in a hundred", [1000 * cuts[share - 1]], "ms", aim
        )


async def soak(address: str, wish: LoadWish) -> None:
    began = time.time()
    async for report in measure_spans(address, wish):
        print(json.dumps({"s": round(time.time() - began), **row_of(report)}), flush=True)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser("tests.benchmarks.load", description=__doc__)
    parser.add_argument("--work", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--tables", type=int, default=USUAL.tables)
    parser.add_argument("--processes", type=int, default=USUAL.processes)
    parser.add_argument("--seconds", type=float, default=USUAL.seconds)
    parser.add_argument(
        "--rate", type=float, default=0.0, help="moves a second in all; 0: as many as there can be"
    )
    parser.add_argument("--every", type=float, default=0.0, help="a line every so many seconds")
    given = parser.parse_args(arguments)
    if given.work is not None:
        address, index, text = given.work
        asyncio.run(work(address, int(index), msgspec.json.decode(text, type=LoadWish)))
        return
    wish = LoadWish(given.tables, given.processes, given.seconds, given.rate, given.every)
    with own_server() as server:
        asyncio.run(fill(server.address, wish.tables, guild_of))
        asyncio.run(soak(server.address, wish))


if __name__ == "__main__":
    main(sys.argv[1:])
