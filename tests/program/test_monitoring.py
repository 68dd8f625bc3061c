"""What the bot tells those who run it over HTTP, asked as Prometheus and an orchestrator ask."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

import monitoring
from db.store import Store
from engines.workers import Workers
from monitoring import STUCK, Monitor
from tables.runtime.meters import COMMITS
from tests.tables.house import ANN, BO, Clock, House


class Gateway:
    """Whether Discord can be reached, and has told of the servers that are known."""

    connected = True
    servers = True


class Asked:
    """A monitor that runs, and somebody who asks it."""

    def __init__(self, address: str, house: House, gateway: Gateway) -> None:
        self.address, self.house, self.gateway = address, house, gateway

    async def health(self) -> tuple[int, Any]:
        """The status and what it says."""
        async with aiohttp.ClientSession() as session, session.get(f"{self.address}/health") as answer:
            return answer.status, await answer.json()

    async def metrics(self) -> dict[str, float]:
        """Every number by its name and labels."""
        async with aiohttp.ClientSession() as session, session.get(f"{self.address}/metrics") as answer:
            families = text_string_to_metric_families(await answer.text())
        return {
            "".join([sample.name, *(f" {value}" for value in sample.labels.values())]): sample.value
            for family in families
            for sample in family.samples
        }


@pytest.fixture
async def asked(store: Store, workers: Workers) -> AsyncIterator[Asked]:
    """A monitor of a house in which nothing has happened yet."""
    house, gateway = House(store, workers, Clock()), Gateway()
    monitor = Monitor(store, workers, lambda: gateway.connected, house.clock, servers=lambda: gateway.servers)
    port = await monitor.start("127.0.0.1", 0)
    yield Asked(f"http://127.0.0.1:{port}", house, gateway)
    await monitor.stop()
    await house.stopped()


async def test_a_bot_that_is_well_says_so(asked: Asked) -> None:
    assert await asked.health() == (200, {"database": True, "gateway": True, "outbox": True, "servers": True})


async def test_a_lost_gateway_is_told(asked: Asked) -> None:
    asked.gateway.connected = False

    assert await asked.health() == (
        503,
        {"database": True, "gateway": False, "outbox": True, "servers": True},
    )
    assert (await asked.metrics())["parlour_gateway_connected"] == 0


async def test_servers_that_seem_gone_are_told(asked: Asked) -> None:
    asked.gateway.servers = False

    assert await asked.health() == (
        503,
        {"database": True, "gateway": True, "outbox": True, "servers": False},
    )


async def test_a_database_that_cannot_be_written_is_told(
    asked: Asked, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(_store: Store, _key: str, _value: str) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Store, "save_fact", broken)

    status, found = await asked.health()

    assert status == 503
    assert found == {"database": False, "gateway": True, "outbox": True, "servers": True}
    await asked.health()
    assert [record.getMessage() for record in caplog.records] == ["not healthy: database: disk full"]


async def test_a_post_that_nobody_shows_is_told(asked: Asked) -> None:
    table = await asked.house.gathered(ANN, BO)
    await asked.house.settled()
    await asked.house.store.ask(table.id, "board", 0, table.version, False, asked.house.clock.now)
    asked.house.clock.now += STUCK + 1

    assert await asked.health() == (
        503,
        {"database": True, "gateway": True, "outbox": False, "servers": True},
    )
    told = await asked.metrics()
    assert told["parlour_outbox_rows"] == 1
    assert told["parlour_outbox_age_seconds"] == STUCK + 1


async def test_tables_and_commits_are_counted(asked: Asked) -> None:
    before = (await asked.metrics())["parlour_commits_total"]
    await asked.house.started(ANN, BO)
    await asked.house.settled()
    asked.house.clock.now += 61

    told = await asked.metrics()

    assert told["parlour_tables play"] == 1
    assert told["parlour_commits_total"] > before
    assert told["parlour_commits_total"] == COMMITS._value.get()
    assert told["parlour_workers_waiting"] == 0
    assert told["parlour_workers_busy answer"] == 0


class Lag:
    """Notes how late the event loop was."""

    def __init__(self) -> None:
        self.measured: asyncio.Future[float] = asyncio.get_running_loop().create_future()

    def observe(self, seconds: float) -> None:
        """See `prometheus_client.Histogram`."""
        if not self.measured.done():
            self.measured.set_result(seconds)


async def test_the_lag_of_the_event_loop_is_measured(
    store: Store, workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    lag = Lag()
    monkeypatch.setattr(monitoring, "LAG_INTERVAL", 0.01)
    monkeypatch.setattr(monitoring, "LOOP_LAG_SECONDS", lag)
    monitor = Monitor(store, workers, lambda: True, Clock())

    await monitor.start("127.0.0.1", 0)
    seconds = await asyncio.wait_for(lag.measured, 20)
    await monitor.stop()

    assert 0 <= seconds < 20
