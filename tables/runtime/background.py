"""Background work that repeats and survives every error."""

import asyncio
import logging
from collections.abc import Awaitable, Hashable, Iterable
from typing import Any

from cachetools import LRUCache

from db.connection.availability import DatabaseUnavailable

log = logging.getLogger(__name__)
REMEMBERED = 10_000
"""The most failures remembered; a forgotten one is logged again."""


class TryLater(Exception):
    """Raised if Discord can't be reached now: an outage, a rate limit, a missing permission.

    `seconds` is the shortest wait, if known.
    """

    def __init__(self, reason: str, seconds: float = 0.0) -> None:
        super().__init__(reason)
        self.seconds = seconds


async def wait_for_end(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Wait until tasks and their callbacks have ended, however they end. Cancelling this cancels them."""
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(0)  # for of tasks that had ended before, newer Pythons answer without a pause


class Together(asyncio.TaskGroup):
    """Runs work at once, and ends all of it before it raises the first error.

    `asyncio.gather` would leave the rest running, with its database connections.
    """

    async def __aexit__(self, *ending: Any) -> None:
        try:
            await super().__aexit__(*ending)
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None


class LogOnce:
    """Knows what fails now, and logs each cause once, until it works again or changes."""

    def __init__(self) -> None:
        self._known: LRUCache[Hashable, str] = LRUCache(REMEMBERED)

    def note_failure(self, what: Hashable, error: Exception) -> bool:
        """Note a failure; return True if it should be logged.

        An unavailable database has been logged already.
        """
        if isinstance(error, DatabaseUnavailable):
            return False
        cause = f"{type(error).__name__}: {error}"
        known = self._known.get(what)
        self._known[what] = cause
        return known != cause

    def note_success(self, what: Hashable) -> bool:
        """Note a success, or the end of attempts. Return True if it had failed before."""
        return self._known.pop(what, None) is not None


class Background:
    """Runs background work by name, and logs each failure once."""

    def __init__(self) -> None:
        self._log_once = LogOnce()

    async def run(self, name: str, work: Awaitable[object]) -> bool:
        """Await work; return True if it succeeded. It raises only a cancellation."""
        try:
            await work
        except TryLater as reason:
            if self._log_once.note_failure(name, reason):
                log.warning("%s has to wait: %s", name, reason)
            return False
        except Exception as error:  # the loop behind it must not end, whatever happened this time
            if self._log_once.note_failure(name, error):
                log.exception("%s failed, and will be tried again", name)
            return False
        if self._log_once.note_success(name):
            log.info("%s works again", name)
        return True
