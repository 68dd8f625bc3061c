"""What administrators did: written down with its details, and read back, old rows too."""

from __future__ import annotations

import re

import msgspec
from msgspec.structs import replace

from db.records import AuditRow
from db.store import Store
from tables.core.table import Refused, encode

PAGE = 10
"""Entries a page of the log."""
OLD = {
    "deadline": r"(?P<person>\d+): (?P<seconds>\d+) seconds",
    "kick": r"(?P<person>\d+)",
    "replace": r"(?P<person>\d+) by (?P<by>\d+)",
    "skip": r"(?P<steps>\d+) steps",
    "rollback": r"(?P<steps>\d+)",
    "pause": r"until (?P<until>\d+)",
    "board": r"(?P<channel>\d+)",
    "cup": r"(?P<what>[a-z]+)(?: (?P<person>\d+))?: cup (?P<cup>\d+)",
}
"""How details stood in the log before they were JSON, by what was done."""


class Details(msgspec.Struct, frozen=True, omit_defaults=True):
    """What there is to tell of an action besides what it was.

    `person` is whom it was done to and `by` who takes their place, both user ids; `seconds` is what
    somebody was given, `until` when a pause ends; `steps` were taken back or played by a computer; `channel`
    is where something stands now; `reason` is why it was done, in the words of who did it; `cup` is the
    number of one, and `what` was done to it; `changes` are settings as they were and are since.
    """

    person: int | None = None
    by: int | None = None
    seconds: float | None = None
    until: float | None = None
    steps: int | None = None
    channel: int | None = None
    cup: int | None = None
    what: str = ""
    reason: str = ""
    changes: tuple[str, ...] = ()


class AuditEntry(msgspec.Struct, frozen=True):
    """One thing that somebody has done as an administrator, at a table or in a whole server."""

    action: str
    table_id: int | None
    actor_id: int
    at: float
    details: Details


class Audit:
    """The log of what administrators have done, of each server for itself."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def write(self, row: AuditRow) -> int:
        """Write down what was done, and give back the number of the entry."""
        return await self._store.administration.add_audit(row)

    async def explain(self, number: int, guild_id: int, actor_id: int, reason: str) -> None:
        """Give an entry of the log its reason. Raises Refused for anybody who hasn't done it there."""
        await self._store.administration.change_audit(
            number, lambda row: with_reason(row, guild_id, actor_id, reason)
        )

    async def page(
        self, guild_id: int, table_id: int | None, actor_id: int | None, page: int
    ) -> tuple[list[AuditEntry], bool]:
        """A page of a server's log, counted from 1, the newest first, and whether there is another after it.

        With `table_id` only what was done at that table, with `actor_id` only what that person has done.
        """
        skip = (page - 1) * PAGE
        rows = await self._store.administration.audit(guild_id, table_id, actor_id, skip, PAGE + 1)
        return [entry_of(row) for row in rows[:PAGE]], len(rows) > PAGE


def with_reason(row: AuditRow | None, guild_id: int, actor_id: int, reason: str) -> AuditRow:
    """An entry with its reason; an empty one takes it away.

    Raises:
        Refused: where there is no such entry, or somebody else has done it, or elsewhere.
    """
    if row is None or (row.guild_id, row.actor_id) != (guild_id, actor_id):
        raise Refused("Only the person who changed that can give a reason for it.")
    return replace(row, detail=encode(replace(_details(row), reason=reason)))


def entry_of(row: AuditRow) -> AuditEntry:
    """What a row of the log tells.

    >>> known = entry_of(AuditRow(1, 7, 2, "deadline", "3: 600 seconds", 0.0)).details
    >>> known.person, known.seconds
    (3, 600.0)
    """
    return AuditEntry(row.action, row.table_id, row.actor_id, row.at, _details(row))


def _details(row: AuditRow) -> Details:
    try:
        return msgspec.json.decode(row.detail or "{}", type=Details)
    except msgspec.DecodeError:  # written by an old version
        found = re.fullmatch(OLD.get(row.action, r"(?!)"), row.detail)
        if found is None:
            return Details(what=row.detail)
        return msgspec.convert(found.groupdict(), type=Details, strict=False)
