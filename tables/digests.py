"""Digests: one message a day, at a person's hour, about the tables that wait for them and what ended."""

from __future__ import annotations

import logging
from collections.abc import Callable

from msgspec.structs import replace

from db.records import PersonRow
from tables.background import Background
from tables.clocks.pace import DAY
from tables.clocks.rest import Span
from tables.downtime import LONG
from tables.habits import Habits
from tables.outbox import Courier, TryLater, pause
from tables.overview import Digest, Overviews
from tables.people import Notices, Person, from_row
from tables.repository import Repository

log = logging.getLogger(__name__)
FURTHEST = 7 * DAY
"""A digest tells of nothing that has ended longer ago."""


class Digests:
    """Sends each digest that is due, once, at a time when its person may be written to."""

    def __init__(self, repository: Repository, habits: Habits, courier: Courier) -> None:
        self._repository = repository
        self._habits = habits
        self._courier = courier
        self._overviews = Overviews(repository)
        self._clock: Callable[[], float] = repository.clock
        self._started_at = self._clock()
        self._background = Background()
        self._attempts: dict[int, tuple[int, float]] = {}

    async def sweep(self) -> None:
        """Send what is due; what fails is tried again after growing pauses, and keeps no other."""
        for row in await self._repository.store.digests_due(self._clock(), limit=1000):
            await self._background.run(f"the digest of {row.user_id}", self._due(row))

    async def _due(self, row: PersonRow) -> None:
        person, now = from_row(row), self._clock()
        attempts, not_before = self._attempts.get(person.user_id, (0, 0.0))
        if person.digest_at is None or now < not_before or person.awake_at(now) > now:
            return
        digest = await self._digest(person, person.digest_at, now)
        if digest is not None:
            # Whatever happens now, it may have got through.
            self._attempts[person.user_id] = attempts + 1, now + pause(attempts)
            maybe_sent = attempts > 0 or digest.due_at < self._started_at
            try:
                await self._courier.digest(digest, maybe_sent)
            except TryLater as reason:
                log.warning("the digest of %s: not sent yet: %s", person.user_id, reason)
                seconds = max(reason.seconds, pause(attempts))
                self._attempts[person.user_id] = attempts + 1, now + seconds
                return
        await self._habits.change(person.user_id, lambda known: _digested(known, person, now))
        self._attempts.pop(person.user_id, None)

    async def _digest(self, person: Person, due_at: float, now: float) -> Digest | None:
        """What there is to tell a person; None when that is nothing."""
        gap = await self._gap(person, now)
        if person.digest_hour is None and (gap is None or person.notices is Notices.NONE):
            return None
        since = max(now - FURTHEST, now - DAY if person.digested_at is None else person.digested_at)
        overview = await self._overviews.of(person.user_id, since)
        if not overview.mine and not overview.ended:
            return None
        return Digest(person.user_id, due_at, overview, gap)

    async def _gap(self, person: Person, now: float) -> Span | None:
        """The long gap that nobody has told a person of yet."""
        gaps = await self._repository.time.downtime.gaps()
        if not gaps or gaps[-1][1] - gaps[-1][0] <= LONG or gaps[-1][1] < now - FURTHEST:
            return None
        told = person.digested_at is not None and person.digested_at >= gaps[-1][1]
        return None if told else gaps[-1]


def _digested(known: Person, told: Person, now: float) -> Person:
    """The person after a digest, with the next one; what they have set meanwhile stays."""
    due = known.digest_at if known.digest_at != told.digest_at else known.next_digest(now)
    return replace(known, digest_at=due, digested_at=now)
