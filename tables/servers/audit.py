"""The audit log: writes administrators' actions, and reads them."""

import msgspec
from msgspec.structs import replace

from db.records import AuditRow
from db.store import Store
from tables.core.table import Refused, encode

PAGE = 10
"""Entries a page of the log."""


class Details(msgspec.Struct, frozen=True, omit_defaults=True):
    """The details of an action.

    `person` is whom it was done to and `by` who takes their place, both user ids; `seconds` is extra time,
    `until` the end of a pause; `steps` were undone or played by a computer; `channel` is the new place;
    `reason` is the administrator's; `cup` is a cup's number, and `what` was done to it; `changes` are
    settings before and after.
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
    """One administrator's action, at a table or in a server."""

    action: str
    table_id: int | None
    actor_id: int
    at: float
    details: Details


class Audit:
    """The audit log of each server."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def write(self, row: AuditRow) -> int:
        return await self._store.administration.add_audit(row)

    async def explain(self, number: int, guild_id: int, actor_id: int, reason: str) -> None:
        """Add the reason to an entry. Raise Refused for anybody but its actor."""
        await self._store.administration.change_audit(
            number, lambda row: with_reason(row, guild_id, actor_id, reason)
        )

    async def page(
        self, guild_id: int, table_id: int | None, actor_id: int | None, page: int
    ) -> tuple[list[AuditEntry], bool]:
        """Return a page of a server's log, and True if another follows.

        Optional filters: a table, an actor.
        """
        skip = (page - 1) * PAGE
        rows = await self._store.administration.audit(guild_id, table_id, actor_id, skip, PAGE + 1)
        return [entry_of(row) for row in rows[:PAGE]], len(rows) > PAGE


def with_reason(row: AuditRow | None, guild_id: int, actor_id: int, reason: str) -> AuditRow:
    """Return an entry with its reason; an empty one removes it.

    Raise Refused if there is no such entry in the server by this person.
    """
    if row is None or (row.guild_id, row.actor_id) != (guild_id, actor_id):
        raise Refused("Only the person who changed that can give a reason for it.")
    return replace(row, detail=encode(replace(_details(row), reason=reason)))


def entry_of(row: AuditRow) -> AuditEntry:
    return AuditEntry(row.action, row.table_id, row.actor_id, row.at, _details(row))


def _details(row: AuditRow) -> Details:
    """Return an action's details; only what is written of damaged ones."""
    try:
        return msgspec.json.decode(row.detail or "{}", type=Details)
    except msgspec.DecodeError:
        return Details(what=row.detail)
