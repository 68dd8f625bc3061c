"""A process of several that play: ``python -m tests.scale.process <folder> <address> <seed>``.

It takes free shards, says which it holds, and plays at all tables: at those of its own servers most, at the
others less, as those do who play from their DMs. It plays until somebody stops or kills it. Every
acknowledged move is a line of `acknowledged`, every post that people saw a line of `channel`, both with the
process that did it.
"""

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from random import Random

from db.processes.shards import ShardPlan
from db.records import OutboxRow, PostRow
from db.store import Store
from engines.workers import Workers
from tables.core import downtime
from tables.core.outbox import Delivery
from tables.core.table import OPEN, Refused
from tables.parlour import Parlour
from tables.people.overview import Digest
from tests.crash.worker import Lines

SHARDS, EACH = 6, 2
SWEEPS_APART = 0.5
PAUSE = 3.0
"""Seconds between two moves at a table of its own servers, on average."""
SELDOM = 4
"""The factor by which a process's moves at tables of other servers are rarer."""
ENDS_WITHIN = 10.0


class SharedChannel:
    """A courier whose channel is a file that all processes share; each line names who posted it."""

    parlour: Parlour

    def __init__(self, folder: Path) -> None:
        self.lines = Lines(folder / "channel")

    async def show(self, row: OutboxRow, may_be_duplicate: bool) -> Delivery:
        """Post the row, unless an earlier attempt got through."""
        table = await self.parlour.table(row.table_id)
        # The edit of a post and a fresh one of the same version are two things to show.
        slot = {"table": row.table_id, "kind": row.kind, "target": row.target, "fresh": row.fresh}
        if may_be_duplicate:
            for number, line in enumerate(self.lines.all()):
                if (
                    all(line[name] == value for name, value in slot.items())
                    and line["version"] >= row.version
                ):
                    return Delivery(self._post(row, number, line["version"]))
        self.lines.add({**slot, "version": table.version, "by": os.getpid(), "guild": table.guild_id})
        return Delivery(self._post(row, 0, table.version))

    async def digest(self, digest: Digest, may_be_duplicate: bool) -> None:
        """Send nothing: no digest is due."""
        raise AssertionError(digest.user_id)

    @staticmethod
    def _post(row: OutboxRow, number: int, version: int) -> PostRow:
        return PostRow(row.table_id, row.kind, row.target, 1, number, version, "")


async def open_parlour(folder: Path, address: str, clock: Callable[[], float] = time.time) -> Parlour:
    """Open a parlour on the database without any shards."""
    channel = SharedChannel(folder)
    channel.parlour = Parlour(await Store.open(address), Workers(1), channel, clock)
    channel.parlour.store.shards.divide(SHARDS)
    return channel.parlour


async def play(parlour: Parlour, table_id: int, acknowledged: Lines, rng: Random) -> None:
    while True:
        table = await parlour.table(table_id)
        own = parlour.store.shards.owns(table.guild_id)
        await asyncio.sleep(rng.expovariate(1 / (PAUSE if own else PAUSE * SELDOM)))
        table = await parlour.table(table_id)
        if table.phase not in OPEN:
            return
        people = [user for seat in table.owing if (user := table.seats[seat].user_id) is not None]
        if not people:  # a computer player owes the move
            continue
        moves = await parlour.play.moves(table_id, people[0])
        if not moves:  # somebody at another process was faster
            continue
        try:
            perspective, _ = await parlour.play.move(table_id, people[0], [rng.choice(moves)], table.version)
        except Refused:  # or is now
            continue
        version = perspective.table.version
        state, _ = await parlour._repository.state_at(perspective.table, version)
        own = parlour.store.shards.owns(table.guild_id)
        line = {"table": table_id, "version": version, "state": sha256(state).hexdigest()}
        acknowledged.add({**line, "by": os.getpid(), "own": own})


async def sweep(parlour: Parlour) -> None:
    while True:
        await parlour.resume()
        await asyncio.sleep(SWEEPS_APART)


def leave_with_the_test() -> None:
    """End when the test is gone: its end closes our input."""
    sys.stdin.read()
    os._exit(1)


async def main(folder: Path, address: str, seed: int) -> None:
    downtime.SHORTEST_OUTAGE = 1e9  # the deadlines of this test were set before anybody was there
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    parlour = await open_parlour(folder, address)

    async def claimed(held: frozenset[int]) -> None:
        await parlour.ownership.take(held)
        print(*sorted(held), flush=True)

    presence = parlour.ownership.join(address, ShardPlan(SHARDS, None, EACH), claimed)
    tables = await parlour._all(await parlour.store._tables(limit=1000))
    numbers = [table.id for table in tables if not table.pace.kept]
    acknowledged = Lines(folder / "acknowledged")
    staying = asyncio.create_task(presence.stay())
    sweeping = asyncio.create_task(sweep(parlour))
    players = [
        asyncio.create_task(play(parlour, number, acknowledged, Random(f"{seed}.{number}")))
        for number in numbers
    ]
    print("ready", flush=True)
    for task in (staying, sweeping, *players):
        task.add_done_callback(lambda done: None if done.cancelled() or not done.exception() else stop.set())
    await stop.wait()
    for task in (sweeping, *players):
        task.cancel()
    ended = await asyncio.gather(sweeping, *players, return_exceptions=True)
    with suppress(TimeoutError):  # whoever takes its shards shows the rest
        async with asyncio.timeout(ENDS_WITHIN):
            await parlour.close()
    staying.cancel()
    await asyncio.gather(staying, return_exceptions=True)
    await presence.release()
    await parlour.store.close()
    parlour.workers.close()
    for error in ended:
        if isinstance(error, Exception):
            raise error


if __name__ == "__main__":
    threading.Thread(target=leave_with_the_test, daemon=True).start()
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
