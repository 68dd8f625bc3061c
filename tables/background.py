"""Work that is done again and again by itself, and goes on whatever it meets."""

from __future__ import annotations

import logging
from collections.abc import Awaitable

log = logging.getLogger(__name__)


class Background:
    """Runs background work by name. What goes wrong is told once, until it works again or fails otherwise."""

    def __init__(self) -> None:
        self._failing: dict[str, str] = {}

    async def run(self, name: str, work: Awaitable[object]) -> bool:
        """Await the work; whether it succeeded. Nothing but a cancellation is raised."""
        try:
            await work
        except Exception as error:  # the loop behind it must not end, whatever happened this time
            kind = f"{type(error).__name__}: {error}"
            if self._failing.get(name) != kind:
                log.exception("%s failed, and will be tried again", name)
            self._failing[name] = kind
            return False
        if self._failing.pop(name, None) is not None:
            log.info("%s works again", name)
        return True
