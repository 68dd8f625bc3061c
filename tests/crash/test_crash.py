"""The bot is killed outright, again and again, while people play."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from subprocess import PIPE, Popen

import pytest

from tables.clocks.rest import Rest
from tables.core.people import Person
from tables.core.table import Table
from tables.parlour import Parlour
from tables.runtime.retries import LONGEST_PAUSE
from tests.crash.worker import Lines, open_parlour
from tests.often import often
from tests.tables.account import Account, Standing

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
KILLS = often(3, 30)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Popen[str]]:
    """Yield a loaded server that forks the processes that play."""
    command = [sys.executable, "-m", "tests.crash.worker", str(tmp_path)]
    with Popen(command, cwd=ROOT, stdin=PIPE, stdout=PIPE, text=True) as running:
        yield running


def play_and_kill(server: Popen[str], seed: int, rng: Random) -> None:
    """Let it play until some acknowledged moves, then kill it at random."""
    assert server.stdin is not None
    assert server.stdout is not None
    print(seed, file=server.stdin, flush=True)
    process = int(server.stdout.readline())
    for _ in range(rng.randint(1, 40)):
        assert server.stdout.readline() == "acknowledged\n"
    moment = time.perf_counter() + rng.random() * 0.01
    while time.perf_counter() < moment:
        pass
    os.kill(process, signal.SIGKILL)
    said = iter(server.stdout.readline, f"ended by {signal.SIGKILL.value}\n")
    assert set(said) <= {"acknowledged\n"}


async def clocks_are_right(parlour: Parlour, table: Table) -> None:
    """Check that clocks match the history and run for the right seats."""
    standing = Standing(
        {user: Person(user) for user in table.people}, await parlour._repository.time.downtime.gaps()
    )
    account = await Account(table, standing).finish(parlour)
    now = parlour.clock()
    for seat, clock in enumerate(table.clocks):
        assert clock.runs == (seat in table.awaited)
        assert clock.settle(now, Rest()).left == pytest.approx(account.bank_left(seat, now), abs=1)


async def test_nothing_is_lost_halved_or_shown_twice_when_the_bot_is_killed(
    tmp_path: Path, server: Popen[str]
) -> None:
    rng = Random(2018)
    for seed in range(KILLS):
        play_and_kill(server, seed, rng)

    parlour, channel = await open_parlour(tmp_path)
    await parlour.resume()
    await parlour.outbox.finish()
    store = parlour.store

    acknowledged = Lines(tmp_path / "acknowledged").all()
    assert len(acknowledged) >= KILLS
    for line in acknowledged:
        table = await parlour.table(line["table"])
        state, _ = await parlour._repository.state_at(table, line["version"])
        assert sha256(state).hexdigest() == line["state"], f"an acknowledged move is lost: {line}"

    for number in sorted({line["table"] for line in acknowledged}):
        row = await store.table(number)
        actions = await store.actions(number)
        assert row is not None
        assert [action.version for action in actions] == list(range(1, row.version + 1))
        await parlour._repository.state_at(await parlour.table(number), row.version)
        await clocks_are_right(parlour, await parlour.table(number))
        turns = [action.version for action in actions if '"turn_ended"' in action.events]
        shown = [line["version"] for line in channel.lines.all() if line["table"] == number]
        assert max(shown) >= max(turns, default=0), f"the last turn of table {number} was never shown"

    assert await store.outbox_due(time.time() + LONGEST_PAUSE) == []
    posts = Counter(tuple(line.values()) for line in channel.lines.all())
    assert [post for post, times in posts.items() if times > 1] == []
    await parlour.close()
    await parlour.store.close()
