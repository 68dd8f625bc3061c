"""The start: settings, log, database and the bot; practice mode without a token."""

import asyncio
import gc
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

from cogs.discord.gateway import DISCORD_ERRORS, explain_exit
from db.connection import trouble, writer
from db.processes import DividedOtherwise, TakenOver
from db.store import Store
from db.subjects.servers import ForeignDatabase
from engines.workers import Workers
from host.client import ParlourBot
from host.monitoring import Monitor, listen, set_up
from host.settings import PRACTICE_SETTING, BadSettings, Settings, load
from tables.clocks.clock import TrustedClock

log = logging.getLogger("parlour")
UNUSABLE = (trouble.AlreadyInUse, BadSettings, trouble.DatabaseUnreachable, DividedOtherwise, ForeignDatabase)
"""Errors that make a start impossible; their texts say what to do."""


def spare_the_collector() -> None:
    """Exempt the start's objects from garbage collection, which blocks the event loop."""
    gc.collect()
    gc.freeze()


async def run(settings: Settings) -> None:
    token = settings.discord_token
    if token is None:
        raise BadSettings("DISCORD_TOKEN is missing.")
    stop = stop_event()
    store = await Store.open(settings.database_url, settings.database_pool, settings.database_timeout)
    workers = Workers(settings.workers, memory_mb=settings.worker_memory_mb)
    monitor: Monitor | None = None
    clock = TrustedClock()
    bot = ParlourBot(
        store,
        workers,
        invites=True,
        kept_days=settings.keep_removed_days,
        signs=True,
        plan=None if settings.shard_count is None else settings.plan,
        clock=clock,
    )
    try:
        async with join_processes(bot, settings) as staying, bot:
            if settings.metrics_port is not None:
                monitor = Monitor(
                    store,
                    workers,
                    lambda: bot.connected or bot.gateway.is_standby,
                    clock,
                    servers=lambda: not bot.app.parlour.servers.doubtful_servers,
                )
                await listen(monitor, settings.metrics_host, settings.metrics_port)
            running = asyncio.create_task(_start(bot, token.get_secret_value()))
            stopping = asyncio.create_task(stop.wait())
            await asyncio.wait({running, stopping, staying}, return_when=asyncio.FIRST_COMPLETED)
            stopping.cancel()
            # It can wait for hours at the start; if it is done, this changes nothing.
            running.cancel()
            if not bot.gateway.is_standby and not running.done():
                await bot.close()
            with suppress(asyncio.CancelledError):
                await running
    finally:
        if monitor is not None:
            await monitor.stop()
        workers.close()
        await store.close()


async def _start(bot: ParlourBot, token: str) -> None:
    """Run the bot once it has a shard. Until then it is a standby."""
    await bot.gateway.begin()
    await bot.start(token)


@asynccontextmanager
async def join_processes(bot: ParlourBot, settings: Settings) -> AsyncIterator[asyncio.Task[None]]:
    """Join the other processes, if any; the yielded task ends with that.

    Raises:
        DividedOtherwise, TakenOver: at the end, if that was the reason for it.
    """
    alone = settings.database_url.startswith("sqlite")
    presence = None if alone else bot.gateway.join(settings.database_url)
    staying = asyncio.create_task(_for_ever() if presence is None else presence.stay(), name="presence")
    try:
        yield staying
    finally:
        staying.cancel()
        await asyncio.gather(staying, return_exceptions=True)
        if presence is not None:
            await presence.release()
    if not staying.cancelled():
        staying.result()


async def _for_ever() -> None:
    await asyncio.Event().wait()


def stop_event() -> asyncio.Event:
    """Return an event that the first Ctrl-C or termination sets.

    A second one ends the process at once, with exit code 1. If the event loop can't handle signals, on
    Windows, they end the program as `main` says.
    """
    stop = asyncio.Event()

    def on_signal() -> None:
        if stop.is_set():
            os._exit(1)
        log.info("stopping; press again to quit at once")
        stop.set()

    with suppress(NotImplementedError):  # what asyncio raises on Windows
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, on_signal)
    return stop


def main(arguments: Sequence[str] = ()) -> int:
    """Run an operator's command; without one, start as the settings say.

    The exit code is 2 if the settings can't be used, or not on this database.
    """
    if arguments:
        from host.operate import main as operate

        return operate(arguments)
    # A termination ends it as Ctrl-C does, which some shells let the background ignore.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda _number, _frame: signal.raise_signal(signal.SIGINT))
    try:
        settings = load()
        set_up(settings)
        if settings.discord_token is None:
            from host.practice import practise

            spare_the_collector()
            with trouble.hold_file(settings.practice_database_url, PRACTICE_SETTING):
                asyncio.run(practise(settings))
        else:
            spare_the_collector()
            with trouble.hold_file(settings.database_url):
                asyncio.run(run(settings))
    except UNUSABLE as reason:
        print(reason, file=sys.stderr)
        return 2
    except TakenOver as reason:
        print(reason, file=sys.stderr)
        return 1
    except writer.DatabaseUnavailable as reason:
        is_practice = settings.discord_token is None
        url = settings.practice_database_url if is_practice else settings.database_url
        label = trouble.DatabaseLabel.of(url, PRACTICE_SETTING if is_practice else trouble.SETTING)
        print(trouble.describe_unavailable(label, reason), file=sys.stderr)
        return 1
    except DISCORD_ERRORS as reason:
        sentence, code = explain_exit(reason)
        print(sentence, file=sys.stderr)
        return code
    except KeyboardInterrupt:
        pass
    return 0
