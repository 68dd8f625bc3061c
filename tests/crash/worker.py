"""Plays through the real store until it is killed: ``python -m tests.crash.worker <folder> <address>``.

For every seed on standard input two processes are forked off that play. The first acts for the server, the
other for people who play from elsewhere. Their numbers come on standard output, then a line for each
acknowledged move; what ended them comes last. Every acknowledged move is a line of `acknowledged`, every
other acknowledged deed one of `rooms`, every post that people saw one of `channel`.
"""

import asyncio
import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, ParamSpec, TypeVar

from db.processes import TIMESTAMP
from db.records import OutboxRow, PostRow
from db.store import Store
from engines.game import Strength
from engines.registry import game
from engines.ribbon.pieces.components import RibbonOptions
from engines.workers import Urgency, Workers
from tables.core.outbox import Delivery
from tables.core.table import OPEN, Occupant, Phase, Refused, Table
from tables.parlour import Parlour
from tables.people import Digest
from tables.play import plans

P = ParamSpec("P")
R = TypeVar("R")
TABLES = 4
PROCESSES = 2
SWEEPS_APART = 0.2
GUILD, CHANNEL = 1 << (TIMESTAMP + 1), 2
"""A server of the first of two shards."""
SLUG, PLANNED = "ribbon", "tanglewood"
"""The games that are played; turns of the second can be planned."""
PAUSE = 0.02
"""Seconds between two deeds of a kind, on average."""


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


class SameProcess(Workers):
    """Workers of a process that is killed before others would have started."""

    async def run_with(self, urgency: Urgency, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        return work(*args, **kwargs)


async def open_parlour(folder: Path, address: str, process: int | None = None) -> tuple[Parlour, FileChannel]:
    """Open a database's parlour, as one of two processes or alone."""
    channel = FileChannel(folder)
    store = await Store.open(address)
    if process is not None:
        store.shards.divide(PROCESSES, [process])
    channel.parlour = Parlour(store, SameProcess(1), channel, time.time)
    return channel.parlour, channel


async def play(parlour: Parlour, host: int, acknowledged: Lines, rng: Random) -> None:
    """Play at a host's tables for ever, one after the other."""
    while True:
        try:
            table = await seat_people(parlour, host)
            users = [user for seat in table.owing if (user := table.seats[seat].user_id) is not None]
            moves = await parlour.play.moves(table.id, users[0]) if users else []
            if not moves:  # the other process was faster
                await asyncio.sleep(PAUSE)
                continue
            perspective, _ = await parlour.play.move(table.id, users[0], [rng.choice(moves)], table.moment)
        except Refused:  # or is now
            await asyncio.sleep(PAUSE)
            continue
        table = perspective.table
        state, _ = await parlour._repository.state_at(table, table.version)
        acknowledged.add({"table": table.id, "version": table.version, "state": sha256(state).hexdigest()})
        # In one write, or a kill could come between the word and the end of its line.
        os.write(sys.stdout.fileno(), b"acknowledged\n")


async def seat_people(parlour: Parlour, host: int) -> Table:
    """Return these people's running table, which may begin now."""
    tables = [table for table in await parlour.tables_of(host, tuple(Phase)) if table.study is None]
    if not tables:
        slug = (SLUG, PLANNED)[host // 10 % 2]
        names = ("Ann", "Bo") if slug == SLUG else ("Ann", "Bo", "Cy")
        people = tuple(Occupant(name, host + one) for one, name in enumerate(names))
        options = RibbonOptions(ribbon_choice="random") if slug == SLUG else game(slug).Options()
        table = await parlour.lobby.create(GUILD, CHANNEL, people[0], slug, options, people[1:])
    else:
        table = max(tables, key=lambda one: one.id)
    if table.phase is Phase.OVER:
        table = await parlour.lobby.rematch(table.id, host)
    if table.phase is Phase.LOBBY:
        table = await parlour.lobby.start(table.id, table.host_id)
    return table


async def plan_ahead(parlour: Parlour, table: Table, acknowledged: Lines, rng: Random) -> None:
    while True:
        await asyncio.sleep(rng.expovariate(1 / PAUSE))
        user = rng.choice(table.people)
        try:
            moves = await parlour.plans.moves(table.id, user)
            planning = await parlour.plans.perspective(table.id, user)
            if planning is None:
                continue
            if moves and (planning.plan is None or rng.random() < 0.5):
                await parlour.decide(
                    table.id, plans.add_choice, user_id=user, moves=[rng.choice(moves)], seen=None
                )
            elif planning.plan is not None and not planning.plan.is_sent:
                await parlour.decide(table.id, plans.send, user_id=user, seen=planning.table.moment)
                version = (await parlour.table(table.id)).version
                acknowledged.add({"room": "plan", "table": table.id, "user": user, "version": version})
        except Refused:  # it's their turn now
            continue


async def give_seats_away(parlour: Parlour, number: int, acknowledged: Lines) -> None:
    first = 1000 * (number + 1)
    people = tuple(Occupant(name, first + one) for one, name in enumerate(("Cy", "Dee", "Eli")))
    cy, dee, eli = (person.user_id or 0 for person in people)
    while True:
        await asyncio.sleep(PAUSE)
        running = [table for table in await parlour.tables_of(dee) if table.phase in OPEN]
        if not running:
            options = RibbonOptions(ribbon_choice="random")
            await parlour.lobby.create(GUILD, CHANNEL, people[0], SLUG, options, people[1:2])
            continue
        table = running[0]
        if table.phase is Phase.LOBBY:
            await parlour.lobby.start(table.id, table.host_id)
        elif table.seat_of(cy) is not None:
            await parlour.looking.look(GUILD, eli, "Eli", [SLUG], ())
            offer = await parlour.vacancies.find_offer(table.id)
            await parlour.play.hand_over(table.id, cy, cy, Strength.EASY, offer)
            acknowledged.add({"room": "gone", "table": table.id, "user": cy})
        elif table.offered_seats:
            await parlour.take_offered_seat(table.id, eli, "Eli", table.offered_seats[0])
            acknowledged.add({"room": "taken", "table": table.id, "user": eli})
        else:
            await parlour.play.close(table.id, dee)
            acknowledged.add({"room": "closed", "table": table.id})


async def solve_puzzles(parlour: Parlour, number: int, acknowledged: Lines, rng: Random) -> None:
    person = Occupant("Fay", 1000 * (number + 1) + 10)
    user = person.user_id or 0
    while True:
        await asyncio.sleep(rng.expovariate(1 / PAUSE))
        table = await parlour.puzzles.open(person, SLUG)
        moves = await parlour.play.moves(table.id, user)
        if moves:
            table = (await parlour.play.move(table.id, user, [rng.choice(moves)]))[0].table
        result, study = await parlour.puzzles.settle(table, user), table.study
        if result is not None and study is not None:
            acknowledged.add({"room": "try", "user": user, "puzzle": study.puzzle, "rating": result.rating})


async def try_out(parlour: Parlour, source: Table, acknowledged: Lines, rng: Random) -> None:
    host = source.seats[0]
    user = host.user_id or 0
    while True:
        await asyncio.sleep(rng.expovariate(1 / PAUSE))
        try:
            turns = await parlour.record.turns(await parlour.table(source.id))
            table = await parlour.studies.play_on(
                source.id, rng.randrange(len(turns) or 1), host, all_sides=True, anew=rng.random() < 0.5
            )
            moves = await parlour.play.moves(table.id, user)
            if moves:
                await parlour.play.move(table.id, user, [rng.choice(moves)])
        except (Refused, IndexError):  # no turn yet, nothing left there, or another press was faster
            continue
        acknowledged.add({"room": "sandbox", "table": table.id, "user": user})


async def sweep(parlour: Parlour) -> None:
    while True:
        await parlour.resume()
        await asyncio.sleep(SWEEPS_APART)


async def main(folder: Path, address: str, seed: int, process: int) -> None:
    """Continue where the last run was killed."""
    parlour, _ = await open_parlour(folder, address, process)
    moves, deeds = Lines(folder / "acknowledged"), Lines(folder / "rooms")
    rng = Random(f"{seed}.{process}")
    hosts = [10 * seat + 1 for seat in range(TABLES)]
    if process == 0:
        for host in hosts:
            with suppress(Refused):  # the other process was faster
                await seat_people(parlour, host)
    tables = [table for host in hosts for table in await parlour.tables_of(host)][:TABLES]
    await asyncio.gather(
        sweep(parlour),
        *(play(parlour, host, moves, rng) for host in hosts),
        *(plan_ahead(parlour, table, deeds, rng) for table in tables),
        *(try_out(parlour, table, deeds, rng) for table in tables[:1]),
        give_seats_away(parlour, process, deeds),
        solve_puzzles(parlour, process, deeds, rng),
    )


def serve(folder: Path, address: str) -> None:
    """Fork two processes for every seed, and report their last signals."""
    for line in sys.stdin:
        children = []
        for process in range(PROCESSES):
            child = os.fork()
            if child == 0:
                asyncio.run(main(folder, address, int(line), process))
            children.append(child)
        print(*children, flush=True)
        for child in children:
            _, status = os.waitpid(child, 0)
            print(f"ended by {os.WTERMSIG(status) if os.WIFSIGNALED(status) else None}", flush=True)


if __name__ == "__main__":
    serve(Path(sys.argv[1]), sys.argv[2])
