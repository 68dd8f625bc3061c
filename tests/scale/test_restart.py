"""The server is restarted, and crashes, while people play: no acknowledged move is lost or made twice."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from db.connection.availability import DatabaseUnavailable
from db.processes.presence import Presence
from db.processes.shards import ShardPlan
from db.store import Store
from engines.ribbon.pieces.components import RibbonOptions
from engines.workers import Workers
from tables.clocks.pace import NONE
from tables.core.table import OPEN, Occupant, Refused, Terms
from tables.parlour import Parlour, ParlourCourier
from tests.db.server import PostgresServer, own_server
from tests.scale.process import SharedChannel

pytestmark = [pytest.mark.slow, pytest.mark.thorough]
TABLES = 24
GUILD = 11
EACH = 60
"""The number of acknowledged moves between two restarts."""


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    with own_server() as started:
        yield started


@pytest.fixture
async def parlour(server: PostgresServer, tmp_path: Path) -> AsyncIterator[Parlour]:
    channel = SharedChannel(tmp_path)
    opened = channel.parlour = Parlour(await Store.open(server.address), Workers(1), channel, time.time)
    yield opened
    await opened.close()
    await opened.store.close()


@pytest.fixture
async def presence(server: PostgresServer, parlour: Parlour) -> AsyncIterator[Presence]:
    result = parlour.ownership.join(server.address, ShardPlan(1, (0,), 1))
    staying = asyncio.create_task(result.stay())
    await result.wait_for_shards()
    yield result
    assert not staying.done()
    staying.cancel()
    await asyncio.gather(staying, return_exceptions=True)
    await result.release()


class Players:
    """People who play at all tables for ever, and try again where the database can't be used."""

    def __init__(self, parlour: Parlour) -> None:
        self._parlour = parlour
        self.acknowledged: list[tuple[int, int, str]] = []
        self.refused = 0
        self._more = asyncio.Event()

    async def play(self, number: int, rng: Random) -> None:
        while True:
            await asyncio.sleep(0.01)
            try:
                await self._move(number, rng)
            except DatabaseUnavailable:
                self.refused += 1

    async def _move(self, number: int, rng: Random) -> None:
        table = await self._parlour.table(number)
        if table.phase not in OPEN:
            await self._parlour.play.rollback(number, 1000, 1)
            return
        user = table.seats[table.owing[0]].user_id or 0
        move = rng.choice(await self._parlour.play.moves(number, user))
        try:
            seen, _ = await self._parlour.play.move(number, user, [move], table.version)
        except Refused:
            # The move before may have been written although the server could not say so any more.
            self._parlour._repository.forget(number)
            return
        loaded = await self._parlour._repository.load(number)
        assert loaded.position is not None
        state = sha256(loaded.position.state).hexdigest()
        self.acknowledged.append((number, seen.table.version, state))
        self._more.set()

    async def until(self, count: int) -> None:
        async with asyncio.timeout(60):
            while len(self.acknowledged) < count:
                self._more.clear()
                await self._more.wait()


async def sweep(parlour: Parlour) -> None:
    while True:
        await parlour.resume()
        await asyncio.sleep(0.2)


async def test_a_restart_under_load_loses_nothing(
    parlour: Parlour, presence: Presence, server: PostgresServer
) -> None:
    numbers = []
    for number in range(TABLES):
        people = (Occupant("Ann", 10 * number + 1), Occupant("Bo", 10 * number + 2))
        table = await parlour.lobby.create(
            GUILD,
            2,
            people[0],
            "ribbon",
            RibbonOptions(ribbon_choice="random"),
            people[1:],
            terms=Terms(NONE),
        )
        numbers.append((await parlour.lobby.start(table.id, people[0].user_id or 0)).id)
    players = Players(parlour)
    tasks: list[asyncio.Task[Any]] = [
        asyncio.create_task(players.play(number, Random(number))) for number in numbers
    ]
    tasks.append(asyncio.create_task(sweep(parlour)))

    for words in (("restart",), ("stop", "start"), ("restart",)):
        await players.until(len(players.acknowledged) + EACH)
        for word in words:
            await asyncio.to_thread(server.control, word)
    await players.until(len(players.acknowledged) + EACH)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    async with asyncio.timeout(30):
        await presence.wait_for_shards()
        while await parlour.store.outbox_due(time.time() + 1000):
            await parlour.store.downtime.hasten(time.time() + 1000, time.time(), {})
            await parlour.resume()
            await parlour.outbox.finish()

    made = Counter((number, version) for number, version, _ in players.acknowledged)
    assert [move for move, times in made.items() if times > 1] == []
    assert players.refused > 0
    courier = cast(ParlourCourier, parlour.outbox._courier)
    fresh = Parlour(parlour.store, parlour.workers, courier, time.time)
    for number in numbers:
        table = await fresh.table(number)
        actions = await fresh.store.actions(number)
        assert [action.version for action in actions] == list(range(1, table.version + 1))
    for number, version, text in players.acknowledged:
        state, _ = await fresh._repository.state_at(await fresh.table(number), version)
        assert sha256(state).hexdigest() == text, f"table {number}: version {version} is another"
