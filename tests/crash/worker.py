"""Plays through the real store until it is killed: ``python -m tests.crash.worker <folder>``.

For every seed on standard input a process is forked off that plays. It tells its number on standard
output, and then in a line each time that another move was acknowledged; what ended it comes last. Every
acknowledged move is a line of `acknowledged`, every post that people saw a line of `channel`.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from db.records.tables import OutboxRow, PostRow
from db.store import Store
from engines.ribbon.options import RibbonOptions
from engines.workers import Workers
from tables.core.outbox import Delivery
from tables.core.table import Occupant, Table
from tables.parlour import Parlour
from tables.people.overview import Digest

TABLES = 4


class Lines:
    """A file of JSON lines to which each line is added whole."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = os.open(path, os.O_APPEND | os.O_CREAT | os.O_WRONLY)

    def add(self, line: dict[str, Any]) -> None:
        """Add a line; it outlives the process."""
        os.write(self._file, (json.dumps(line) + "\n").encode())

    def all(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._path.read_text().splitlines()]


class FileChannel:
    """A courier whose channel is a file. Like Discord's it can be read, and takes whatever is sent."""

    parlour: Parlour

    def __init__(self, folder: Path) -> None:
        self.lines = Lines(folder / "channel")

    async def show(self, row: OutboxRow, may_be_duplicate: bool) -> Delivery:
        """Post the row, unless an earlier attempt got through."""
        table = await self.parlour.table(row.table_id)
        if may_be_duplicate:
            for number, line in enumerate(self.lines.all()):
                same = (line["table"], line["kind"], line["target"]) == (row.table_id, row.kind, row.target)
                if same and line["version"] >= row.version:
                    return Delivery(self._post(row, number, line["version"]))
        self.lines.add(
            {"table": row.table_id, "kind": row.kind, "target": row.target, "version": table.version}
        )
        return Delivery(self._post(row, 0, table.version))

    async def digest(self, digest: Digest, may_be_duplicate: bool) -> None:
        """Send nothing: no digest is due."""
        raise AssertionError(digest.user_id)

    @staticmethod
    def _post(row: OutboxRow, number: int, version: int) -> PostRow:
        return PostRow(row.table_id, row.kind, row.target, 1, number, version, "")


async def open_parlour(folder: Path) -> tuple[Parlour, FileChannel]:
    """Open the parlour of the folder's database."""
    channel = FileChannel(folder)
    store = await Store.open(f"sqlite:///{folder}/parlour.db")
    channel.parlour = Parlour(store, Workers(1), channel, time.time)
    return channel.parlour, channel


async def state_of(parlour: Parlour, table: Table) -> str:
    """Return the hash of a table's state, replayed from the database."""
    state, _ = await parlour._repository.state_at(table, table.version)
    return sha256(state).hexdigest()


async def play(parlour: Parlour, table: Table, acknowledged: Lines, rng: Random) -> None:
    """Play at a table for ever; after each game play its rematch."""
    while True:
        if not table.owing:
            again = await parlour.lobby.rematch(table.id, table.people[0])
            table = await parlour.lobby.start(again.id, table.people[0])
        user = table.seats[table.owing[0]].user_id
        assert user is not None
        move = rng.choice(await parlour.play.moves(table.id, user))
        perspective, _ = await parlour.play.move(table.id, user, [move])
        table = perspective.table
        loaded = await parlour._repository.load(table.id)
        assert loaded.position is not None
        acknowledged.add(
            {
                "table": table.id,
                "version": table.version,
                "state": sha256(loaded.position.state).hexdigest(),
            }
        )
        # In one write, or a kill could come between the word and the end of its line.
        os.write(sys.stdout.fileno(), b"acknowledged\n")


async def seat_people(parlour: Parlour, seat: int) -> Table:
    """Return these people's table: the last one, started, or a new one."""
    host = 10 * seat + 1
    tables = await parlour.tables_of(host)
    if tables:
        table = tables[0]
    else:
        people = (Occupant("Ann", host), Occupant("Bo", host + 1))
        table = await parlour.lobby.create(
            1, 2, people[0], "ribbon", RibbonOptions(ribbon_choice="random"), people[1:]
        )
    if table.deal is None:
        table = await parlour.lobby.start(table.id, table.host_id)
    return table


async def main(folder: Path, seed: int) -> None:
    """Continue where the last run was killed."""
    parlour, _ = await open_parlour(folder)
    acknowledged = Lines(folder / "acknowledged")
    await parlour.resume()
    tables = [await seat_people(parlour, seat) for seat in range(TABLES)]
    await asyncio.gather(*(play(parlour, table, acknowledged, Random(seed + table.id)) for table in tables))


def serve(folder: Path) -> None:
    """Fork a process for every seed, and report its last signal."""
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            print(os.getpid(), flush=True)
            asyncio.run(main(folder, int(line)))
        _, status = os.waitpid(child, 0)
        print(f"ended by {os.WTERMSIG(status) if os.WIFSIGNALED(status) else None}", flush=True)


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
