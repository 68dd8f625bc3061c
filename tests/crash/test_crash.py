"""Two processes of the bot are killed outright, again and again, while people play.

`CRASH_KILLS` in the environment says how often.
"""

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
from typing import Any

import pytest

from tables.clocks.pace import Rest
from tables.core.history import EntryKind
from tables.core.people import Person
from tables.core.table import Phase, StudyKind, Table
from tables.parlour import Parlour
from tables.runtime import LONGEST_PAUSE
from tests.conftest import EVERY_DATABASE
from tests.crash.worker import SLUG, Lines, open_parlour
from tests.often import often
from tests.served import own_database
from tests.tables.account import Account, Standing

ROOT = Path(__file__).resolve().parents[2]
FEW = 20
"""Kills from which on everything was surely used."""
KILLS = int(os.environ.get("CRASH_KILLS") or often(3, 30))


@pytest.fixture(params=EVERY_DATABASE)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/parlour.db"
        return
    with own_database() as own:
        yield own


@pytest.fixture
def server(tmp_path: Path, address: str) -> Iterator[Popen[str]]:
    """Yield a loaded server that forks the processes that play."""
    command = [sys.executable, "-m", "tests.crash.worker", str(tmp_path), address]
    with Popen(command, cwd=ROOT, stdin=PIPE, stdout=PIPE, text=True) as running:
        yield running


def play_and_kill(server: Popen[str], seed: int, rng: Random) -> None:
    """Let them play some moves, then kill both at random moments."""
    assert server.stdin is not None
    assert server.stdout is not None
    print(seed, file=server.stdin, flush=True)
    while (said := server.stdout.readline()) == "acknowledged\n":
        pass
    processes = [int(word) for word in said.split()]
    for _ in range(rng.randint(1, 40)):
        assert server.stdout.readline() == "acknowledged\n"
    for process in rng.sample(processes, len(processes)):
        moment = time.perf_counter() + rng.random() * 0.01
        while time.perf_counter() < moment:
            pass
        os.kill(process, signal.SIGKILL)
    ended = 0
    while ended < len(processes):
        said = server.stdout.readline()
        ended += said == f"ended by {signal.SIGKILL.value}\n"
        assert said == "acknowledged\n" or said.startswith(f"ended by {signal.SIGKILL.value}"), said


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
    tmp_path: Path, address: str, server: Popen[str]
) -> None:
    rng = Random(2018)
    for seed in range(KILLS):
        play_and_kill(server, seed, rng)

    parlour, channel = await open_parlour(tmp_path, address)
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

    await check_rooms(parlour, Lines(tmp_path / "rooms").all())
    assert await store.outbox_due(time.time() + LONGEST_PAUSE) == []
    posts = Counter(tuple(line.values()) for line in channel.lines.all())
    assert [post for post, times in posts.items() if times > 1] == []
    await parlour.close()
    await parlour.store.close()


async def check_rooms(parlour: Parlour, lines: list[dict[str, Any]]) -> None:
    """Check that nothing acknowledged is lost or counted twice."""
    by_room: dict[str, list[dict[str, Any]]] = {}
    for line in lines:
        by_room.setdefault(line["room"], []).append(line)
    assert KILLS < FEW or by_room.keys() == {"plan", "gone", "taken", "closed", "try", "sandbox"}
    for line in {(line["table"], line["user"]): line for line in by_room.get("plan", [])}.values():
        table = await parlour.table(line["table"])
        seat = table.seat_of(line["user"])
        later = [row for row in await parlour.store.actions(table.id) if row.version > line["version"]]
        if seat is not None and table.phase is Phase.PLAY and not any(row.seat == seat for row in later):
            assert table.plan_of(seat) is not None, f"a plan that was sent is lost: {line}"
    for line in by_room.get("gone", []):
        rows = await parlour.store.entries(line["table"], [EntryKind.HAND_OVER])
        assert [row.actor_id for row in rows] == [line["user"]], f"a seat was given up twice or never: {line}"
    for line in by_room.get("taken", []):
        table = await parlour.table(line["table"])
        rows = await parlour.store.entries(table.id, [EntryKind.TAKE_OVER])
        assert len(rows) == 1, f"a seat was taken twice or never: {line}"
        assert table.phase is Phase.CLOSED or table.seat_of(line["user"]) is not None
    for line in by_room.get("closed", []):
        assert (await parlour.table(line["table"])).phase is Phase.CLOSED
    tries = Counter((line["user"], line["puzzle"]) for line in by_room.get("try", []))
    for user in {user for user, _ in tries}:
        kept = await parlour.puzzles._store.tries_of(user, SLUG)
        assert {puzzle for one, puzzle in tries if one == user} <= kept.keys(), "a try is lost"
        (player,) = [one for one in await parlour.puzzles._store.players(user) if one.game == SLUG]
        assert player.tried == len(kept), "a try was counted twice, or not"
    for kind, room in ((StudyKind.SANDBOX, "sandbox"), (StudyKind.PUZZLE, "try")):
        for user in {line["user"] for line in by_room.get(room, [])}:
            newest = await parlour.studies.newest(user, kind)
            assert newest is not None
            await parlour._repository.state_at(newest, newest.version)
