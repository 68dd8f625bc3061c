"""Background work: repeated on its own, and kept going whatever it meets."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Hashable, Iterable
from typing import Any

from cachetools import LRUCache

from db.connection.availability import DatabaseUnavailable

log = logging.getLogger(__name__)
REMEMBERED = 10_000
"""Failures that are remembered at most; of one that is forgotten the log is told again."""


class TryLater(Exception):
    """Discord can't be reached now: an outage, a rate limit, a missing permission that may come back.

    `seconds` is how long to wait at least, if that is known.
    """

    def __init__(self, reason: str, seconds: float = 0.0) -> None:
        super().__init__(reason)
        self.seconds = seconds


async def ended(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Wait until tasks have ended, however they do, and what was to be called then has been called.

    Who is cancelled meanwhile cancels them.
    """
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(0)  # for of tasks that had ended before, newer Pythons answer without a pause


class LogOnce:
    """What fails now, and why: of a cause the log is told once, until it works again or fails otherwise."""

    def __init__(self) -> None:
        self._known: LRUCache[Hashable, str] = LRUCache(REMEMBERED)

    def failed(self, what: Hashable, error: Exception) -> bool:
        """Note that something has failed; whether the log is to be told.

        Of a database that can't be used it has been told where that was found.
        """
        if isinstance(error, DatabaseUnavailable):
            return False
        cause = f"{type(error).__name__}: {error}"
        known = self._known.get(what)
        self._known[what] = cause
        return known != cause

    def recovered(self, what: Hashable) -> bool:
        """Note that something has worked, or is not tried any more; whether it had failed before."""
        return self._known.pop(what, None) is not None


class Background:
    """Runs background work by name. What goes wrong is told once, until it works again or fails otherwise."""

    def __init__(self) -> None:
        self._log_once = LogOnce()

    async def run(self, name: str, work: Awaitable[object]) -> bool:
        """Await the work; whether it succeeded. Nothing but a cancellation is raised."""
        try:
            await work
        except TryLater as reason:
            if self._log_once.failed(name, reason):
                log.warning("%s has to wait: %s", name, reason)
            return False
        except Exception as error:  # the loop behind it must not end, whatever happened this time
            if self._log_once.failed(name, error):
                log.exception("%s failed, and will be tried again", name)
            return False
        if self._log_once.recovered(name):
            log.info("%s works again", name)
        return True
