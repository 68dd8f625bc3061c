"""Monitoring over HTTP: Prometheus metrics and a health check."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web
from prometheus_client import Counter, Gauge, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_1_0_0

from db.store import Store
from engines.workers import Urgency, Workers
from host.settings import BadSettings
from tables.runtime import LOOP_LAG_SECONDS, LogOnce

log = logging.getLogger(__name__)
LAG_INTERVAL = 0.5
"""Seconds between two measurements of the event loop's lag."""
PATIENCE = 5.0
"""Seconds after which a database that hasn't written counts as not writable."""
STUCK = 600.0
"""Seconds that a post may be due before the outbox counts as stuck."""
COUNT_CACHE_SECONDS = 60.0
"""Seconds for which the count of tables is cached: it takes longer with more of them."""

OUTBOX_ROWS = Gauge("parlour_outbox_rows", "Posts that wait to be sent")
OUTBOX_AGE = Gauge("parlour_outbox_age_seconds", "How long the oldest due post has waited")
WORKERS_BUSY = Gauge("parlour_workers_busy", "Busy workers, by task", ["urgency"])
WORKERS_WAITING = Gauge("parlour_workers_waiting", "Tasks that wait for a worker")
WORKER_TIMEOUTS = Counter("parlour_worker_timeouts", "Tasks that took too long, by task", ["urgency"])
TABLES = Gauge("parlour_tables", "Tables, by state", ["phase"])
SHARDS_HELD = Gauge("parlour_shards_held", "Shards this process holds")
CONNECTED = Gauge("parlour_gateway_connected", "Whether Discord's gateway is connected")


class Monitor:
    """Serves `/metrics` and `/health` of a running bot."""

    def __init__(
        self,
        store: Store,
        workers: Workers,
        connected: Callable[[], bool],
        clock: Callable[[], float],
        *,
        servers: Callable[[], bool] = lambda: True,
    ) -> None:
        self._store = store
        self._workers = workers
        self._connected = connected
        self._clock = clock
        self._servers = servers
        self._counted = 0.0
        self._runner: web.AppRunner | None = None
        self._lag: asyncio.Task[None] | None = None
        self._log_once = LogOnce()
        workers.timed_out = lambda urgency: WORKER_TIMEOUTS.labels(urgency.name.lower()).inc()

    async def start(self, host: str, port: int) -> int:
        """Listen; return the port, which the system chooses if `port` is 0.

        Raise OSError if the address can't be used.
        """
        app = web.Application()
        app.router.add_get("/metrics", self._metrics)
        app.router.add_get("/health", self._health)
        self._runner = web.AppRunner(app)
        await self._runner.setup()
        await web.TCPSite(self._runner, host, port).start()
        self._lag = asyncio.create_task(self._measure_lag(), name="event loop lag")
        return int(self._runner.addresses[0][1])

    async def stop(self) -> None:
        if self._lag is not None:
            self._lag.cancel()
            await asyncio.gather(self._lag, return_exceptions=True)
        if self._runner is not None:
            await self._runner.cleanup()

    async def _measure_lag(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            asked = loop.time()
            await asyncio.sleep(LAG_INTERVAL)
            LOOP_LAG_SECONDS.observe(max(0.0, loop.time() - asked - LAG_INTERVAL))

    async def _metrics(self, _request: web.Request) -> web.Response:
        rows, oldest = await self._store.outbox_depth()
        OUTBOX_ROWS.set(rows)
        OUTBOX_AGE.set(self._age(oldest))
        for urgency in Urgency:
            WORKERS_BUSY.labels(urgency.name.lower()).set(self._workers.busy(urgency))
        WORKERS_WAITING.set(self._workers.waiting)
        CONNECTED.set(self._connected())
        SHARDS_HELD.set(len(self._store.shards.held))
        if abs(self._clock() - self._counted) > COUNT_CACHE_SECONDS:
            self._counted = self._clock()
            for phase, number in (await self._store.phases()).items():
                TABLES.labels(phase).set(number)
        return web.Response(body=generate_latest(), headers={"Content-Type": CONTENT_TYPE_PLAIN_1_0_0})

    async def _health(self, _request: web.Request) -> web.Response:
        entries: dict[str, bool | int] = {
            "database": await self._works(
                "database", self._store.save_fact("health", f"{self._clock():.0f}")
            ),
            "gateway": self._connected(),
            "outbox": await self._works("outbox", self._flowing()),
            "servers": self._servers(),
        }
        status = 200 if all(entries.values()) else 503
        if unreadable := len(self._store.unreadable):
            entries["unreadable_rows"] = unreadable
        return web.Response(status=status, text=json.dumps(entries), content_type="application/json")

    async def _works(self, name: str, what: Awaitable[Any]) -> bool:
        """Return True if something succeeds soon."""
        try:
            # What takes longer is not cancelled: in the middle of a look into the database that would cost
            # the pool its connection.
            asked = asyncio.ensure_future(what)
            done, _ = await asyncio.wait({asked}, timeout=PATIENCE)
            if not done:
                raise TimeoutError
            asked.result()
        except Exception as error:  # whatever is wrong, the answer is that it isn't well
            if self._log_once.note_failure(name, error):
                log.warning("not healthy: %s: %s", name, error or type(error).__name__)
            return False
        self._log_once.note_success(name)
        return True

    async def _flowing(self) -> None:
        _, oldest = await self._store.outbox_depth()
        if self._age(oldest) > STUCK:
            raise TimeoutError("the outbox is stuck")

    def _age(self, due_at: float | None) -> float:
        return 0.0 if due_at is None else max(0.0, self._clock() - due_at)


async def listen(monitor: Monitor, host: str, port: int) -> None:
    """Start a monitor at the settings' address. Raise BadSettings if the address can't be used."""
    try:
        port = await monitor.start(host, port)
    except OSError as error:
        raise BadSettings(f"METRICS_PORT: {host}:{port} can't be used: {error.strerror or error}.") from None
    log.info("metrics and health at http://%s:%s", host, port)
