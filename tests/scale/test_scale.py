"""Three processes and a standby play two hundred tables on one server; one is killed in the middle."""

import asyncio
import json
import os
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from db.processes.shards import shard_of
from engines.game import Strength
from engines.ribbon.pieces.components import RibbonOptions
from tables.clocks.pace import NONE, read_pace
from tables.core.history import EntryKind
from tables.core.table import Occupant, Terms
from tables.parlour import Parlour
from tests.crash.worker import Lines
from tests.scale.process import EACH, SHARDS, open_parlour

pytestmark = [pytest.mark.slow, pytest.mark.thorough]
ROOT = Path(__file__).resolve().parents[2]
TABLES, TIMED = 160, 40
"""The number of tables with players, and of tables that only wait for a deadline."""
BEFORE, AFTER = 6.0, 8.0
"""Seconds of play before the kill, and after the standby has taken over."""
TAKEN_WITHIN = 10.0
PACE = read_pace("5m")


class ScaleProcess:
    """One of the processes, and what it says."""

    def __init__(self, running: asyncio.subprocess.Process) -> None:
        self._running = running
        self.pid = running.pid
        self.holds: set[int] = set()

    async def says(self) -> str:
        """Return its next line; note the shards that it holds."""
        assert self._running.stdout is not None
        line = (await self._running.stdout.readline()).decode().strip()
        assert line, f"process {self.pid} has ended"
        if line != "ready":
            self.holds = {int(word) for word in line.split()}
        return line

    async def holding(self) -> None:
        """Wait until it holds as many shards as it may."""
        while len(self.holds) < EACH:
            await self.says()

    async def ready(self) -> None:
        while await self.says() != "ready":
            continue

    async def wait_for_end(self, number: signal.Signals) -> int:
        if self._running.returncode is None:
            self._running.send_signal(number)
        return await self._running.wait()


@asynccontextmanager
async def start_process(folder: Path, address: str, seed: int) -> AsyncIterator[ScaleProcess]:
    command = [sys.executable, "-m", "tests.scale.process", str(folder), address, str(seed)]
    pipe = asyncio.subprocess.PIPE
    running = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdin=pipe, stdout=pipe)
    process = ScaleProcess(running)
    try:
        yield process
    finally:
        await process.wait_for_end(signal.SIGKILL)


async def furnish(folder: Path, address: str) -> None:
    """Open tables in many servers. At some there is a computer; at others nobody plays and time runs out."""
    shifted = Shifted()
    parlour = await open_parlour(folder, address, shifted)
    rng = Random(7)
    for number in range(TABLES + TIMED):
        timed = number >= TABLES
        # Their time ends while the processes play, some of them around the kill.
        shift = rng.uniform(5.0, BEFORE + AFTER) - PACE.bank if timed else 0.0
        shifted.by = shift
        await begin(parlour, number, Terms(PACE if timed else NONE))
    await parlour.close()
    await parlour.store.close()


class Shifted:
    """The time, some seconds earlier or later."""

    by = 0.0

    def __call__(self) -> float:
        return time.time() + self.by


async def begin(parlour: Parlour, number: int, terms: Terms) -> None:
    """Begin a game of two; every eighth has a computer too."""
    people = (Occupant("Ann", 10 * number + 1), Occupant("Bo", 10 * number + 2))
    guild_id = ((number % 37) << 22) + 11
    options = RibbonOptions(ribbon_choice="random")
    table = await parlour.lobby.create(guild_id, 2, people[0], "ribbon", options, people[1:], terms=terms)
    if number % 8 == 0 and terms.pace is NONE:
        await parlour.lobby.add_computer(table.id, people[0].user_id or 0, Strength.MEDIUM)
    await parlour.lobby.start(table.id, people[0].user_id or 0)


async def test_nothing_is_lost_doubled_or_delivered_by_two_when_a_process_of_several_is_killed(
    tmp_path: Path, database: str
) -> None:
    await furnish(tmp_path, database)
    async with AsyncExitStack() as stack:
        three = [
            await stack.enter_async_context(start_process(tmp_path, database, seed)) for seed in range(3)
        ]
        await asyncio.gather(*(process.holding() for process in three))
        standby = await stack.enter_async_context(start_process(tmp_path, database, 3))
        await standby.ready()
        assert standby.holds == set()

        await asyncio.sleep(BEFORE)
        killed = three[1]
        freed = set(killed.holds)
        await killed.wait_for_end(signal.SIGKILL)
        async with asyncio.timeout(TAKEN_WITHIN):
            await standby.holding()
        assert standby.holds == freed

        await asyncio.sleep(AFTER)
        left = [process for process in (*three, standby) if process is not killed]
        codes = await asyncio.gather(*(process.wait_for_end(signal.SIGTERM) for process in left))
    assert codes == [0, 0, 0]

    parlour = await open_parlour(tmp_path, database)
    await parlour.ownership.take(range(SHARDS))
    await parlour.resume()
    await parlour.computers.finish()
    await parlour.outbox.finish()
    acknowledged = Lines(tmp_path / "acknowledged").all()
    shown = Lines(tmp_path / "channel").all()
    try:
        await every_acknowledged_move_is_there_once(parlour, acknowledged)
        await every_post_was_shown_once(parlour, shown)
        await every_deadline_was_met_once(parlour)
        nothing_was_delivered_by_two(shown, three, killed, standby, freed)
    finally:
        await parlour.close()
        await parlour.store.close()
        parlour.workers.close()
    foreign = sum(not line["own"] for line in acknowledged) / len(acknowledged)
    assert 0.2 < foreign < 0.6, foreign
    print(json.dumps({"moves": len(acknowledged), "posts": len(shown), "from elsewhere": round(foreign, 2)}))


async def every_acknowledged_move_is_there_once(parlour: Parlour, lines: list[dict[str, object]]) -> None:
    """Check that each acknowledged move has its own version."""
    assert len(lines) > TABLES / 2
    made = Counter((line["table"], line["version"]) for line in lines)
    assert [move for move, times in made.items() if times > 1] == []
    by_table: dict[int, dict[int, object]] = defaultdict(dict)
    for line in lines:
        by_table[int(str(line["table"]))][int(str(line["version"]))] = line["state"]
    for number, versions in by_table.items():
        table = await parlour.table(number)
        actions = await parlour.store.actions(number)
        assert [action.version for action in actions] == list(range(1, table.version + 1))
        for version, result in versions.items():
            state, _ = await parlour._repository.state_at(table, version)
            assert sha256(state).hexdigest() == result, f"table {number}: version {version} is another"


async def every_post_was_shown_once(parlour: Parlour, lines: list[dict[str, object]]) -> None:
    """Check that nothing waits, and last turns were posted once."""
    assert await parlour.store.outbox_due(time.time() + 1e6) == []
    slot = ("table", "kind", "target", "fresh", "version")
    posts = Counter(tuple(line[name] for name in slot) for line in lines)
    assert [post for post, times in posts.items() if times > 1] == []
    last: Counter[int] = Counter()
    for line in lines:
        if line["kind"] == "board":
            number = int(str(line["table"]))
            last[number] = max(last[number], int(str(line["version"])))
    for number in range(1, TABLES + TIMED + 1):
        actions = await parlour.store.actions(number)
        turns = [action.version for action in actions if '"turn_ended"' in action.events]
        assert last[number] >= max(turns, default=1), f"the last turn of table {number} was never shown"


async def every_deadline_was_met_once(parlour: Parlour) -> None:
    """Check that each late player got exactly one notice."""
    for number in range(TABLES + 1, TABLES + TIMED + 1):
        kinds = [action.kind for action in await parlour.store.actions(number)]
        assert kinds.count(EntryKind.LATE) == 1, f"table {number}: {kinds}"


def nothing_was_delivered_by_two(
    lines: list[dict[str, object]],
    three: list[ScaleProcess],
    killed: ScaleProcess,
    standby: ScaleProcess,
    freed: set[int],
) -> None:
    """Check that each shard has one posting process.

    After the kill the standby takes the place of the dead one.
    """
    by_shard: dict[int, list[int]] = defaultdict(list)
    for line in lines:
        by, shard = int(str(line["by"])), shard_of(int(str(line["guild"])), SHARDS)
        if by != os.getpid() and (not by_shard[shard] or by_shard[shard][-1] != by):
            by_shard[shard].append(by)
    for process in three:
        for shard in process.holds - freed:
            assert by_shard[shard] == [process.pid]
    for shard in freed:
        assert by_shard[shard] == [killed.pid, standby.pid]
