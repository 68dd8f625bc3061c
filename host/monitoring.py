"""Logs, each line with the reference of its cause; Prometheus metrics and a health check."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web
from prometheus_client import Counter, Gauge, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_1_0_0
from pythonjsonlogger.json import JsonFormatter

from db.connection.writer import DatabaseUnavailable
from db.store import Store
from engines.workers import Urgency, Workers
from host.settings import BadSettings, Settings
from tables.runtime import LOOP_LAG_SECONDS, LogOnce, reference

TEXT = "{asctime} {levelname:<7} {reference} {name}: {message}"
JSON = "{asctime}{levelname}{reference}{name}{message}"
REPEATED = ("We are being rate limited", "Global rate limit", "Webhook ID %s is rate limited")
"""Beginnings of discord.py's lines that are repeated at every retry."""
LOGGED_ELSEWHERE = (
    "We are being rate limited. %s %s responded with 429. Timeout",
    "Attempting a reconnect",
    "Failed to connect for shard_id",
    "Shard ID %s has stopped responding",
    "An error occurred while stopping the gateway",
)
"""Beginnings of discord.py's lines about what the bot logs itself: a long rate limit, a lost gateway."""
FILTERED = (
    "discord.app_commands.tree",
    "discord.client",
    "discord.gateway",
    "discord.http",
    "discord.shard",
    "discord.webhook.async_",
)
REPEAT_AFTER = 3600.0
"""Seconds of silence after which such a line is logged again; retries come sooner."""
NAMES = {"asctime": "time", "levelname": "level", "name": "logger"}


def library_levels(level: int) -> dict[str, int]:
    """Return the levels of libraries with useless or secret lines.

    aiosqlite logs every value that is written, discord.py every message that is sent, hands included.
    """
    return dict.fromkeys(("aiohttp.access", "aiosqlite", "alembic", "discord"), max(level, logging.WARNING))


class RepeatFilter(logging.Filter):
    """Passes the first of the lines that discord.py writes at every retry.

    Drops what is logged elsewhere: reconnects, long rate limits, and an unusable database.
    """

    def __init__(self) -> None:
        super().__init__()
        self._said_at: dict[tuple[str, type[BaseException] | None], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True unless a line is dropped, or repeated within an hour."""
        if record.exc_info and isinstance(record.exc_info[1], DatabaseUnavailable):
            return False
        said = str(record.msg)
        if said.startswith(LOGGED_ELSEWHERE):
            return False
        if not said.startswith(REPEATED):
            return True
        cause = said, record.exc_info[0] if record.exc_info else None
        before = self._said_at.get(cause)
        self._said_at[cause] = record.created
        return before is None or abs(record.created - before) > REPEAT_AFTER


def with_reference(record: logging.LogRecord) -> bool:
    """Add the reference to a record; a filter that passes every record."""
    record.reference = reference.get()
    return True


def handler(form: str) -> logging.Handler:
    """Return a handler for standard error, in `text` or `json` form."""
    result = logging.StreamHandler()
    result.addFilter(with_reference)
    if form == "json":
        result.setFormatter(JsonFormatter(JSON, style="{", rename_fields=NAMES))
    else:
        result.setFormatter(logging.Formatter(TEXT, style="{"))
    return result


def set_up(settings: Settings) -> None:
    level = getattr(logging, settings.log_level)
    root = logging.getLogger()
    root.setLevel(level)
    root.addHandler(handler(settings.log_format))
    for name, least in library_levels(level).items():
        logging.getLogger(name).setLevel(least)
    for name in FILTERED:
        logging.getLogger(name).addFilter(RepeatFilter())
    if settings.discord_token is None:
        # The simulated Discord starts clients of its own, whose warnings are not about us.
        for name in ("discord.client", "discord.state"):
            logging.getLogger(name).setLevel(logging.ERROR)


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
