"""Paused tables, by consent of the players or by an administrator."""

from functools import partial

from msgspec.structs import replace

from tables.clocks.pace import DAY
from tables.core import turns
from tables.core.change import (
    FRESH_BOARD,
    PLAYERS_ONLY,
    Change,
    DecisionContext,
    PostRequest,
    TableState,
    entry,
    require_play,
    with_reason_entry,
)
from tables.core.history import EntryKind, payload_of
from tables.core.repository import Repository
from tables.core.table import Refused, Table
from tables.core.turns import notify_of_duty

LONGEST = 60 * DAY


class Pauses:
    """Begins and ends pauses."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def pause(
        self,
        table_id: int,
        actor_id: int | None,
        until: float | None,
        *,
        admin: bool = False,
        why: str = "",
        reason: str = "",
    ) -> Table:
        """Pause a table, until an instant or until somebody ends it.

        An administrator's pause is held: players can't end it, and it takes over theirs. `why` is ``removed``
        if the table's server has removed the bot, and empty if people want the pause. Raise Refused if no
        game is running, it is paused already, or the end isn't ahead or is too far.
        """
        decide = with_reason_entry(
            partial(pause, actor_id=actor_id, until=until, admin=admin, why=why), actor_id or 0, reason
        )
        return (await self._repository.apply(table_id, decide)).table

    async def resume(
        self, table_id: int, actor_id: int | None, *, admin: bool = False, why: str = "", reason: str = ""
    ) -> Table:
        """End a pause, by a person or (None) by time.

        Notify the players to move again. `why` is ``back`` if the bot is in the table's server again. Raise
        Refused if the table isn't paused, an administrator has paused it and this is none, or the person
        doesn't play there.
        """
        if not admin and actor_id is not None:
            await require_unheld(self._repository, await self._repository.table(table_id))
        decide = with_reason_entry(
            partial(resume, actor_id=actor_id, admin=admin, why=why), actor_id or 0, reason
        )
        return (await self._repository.apply(table_id, decide)).table


async def require_unheld(repository: Repository, table: Table) -> None:
    """Raise Refused while an administrator's pause holds a table, with its author and reason."""
    if not table.held:
        return
    entries = await repository.store.entries(table.id, [EntryKind.PAUSE, EntryKind.REASON])
    begun = next(entry for entry in reversed(entries) if entry.kind == EntryKind.PAUSE)
    reason = next((payload_of(entry) for entry in entries if entry.version == begun.version + 1), "")
    by = f"<@{begun.actor_id}>" if begun.actor_id is not None and begun.actor_id > 0 else "An admin"
    why = f" Reason: {reason}" if reason else ""
    raise Refused(f"{by} paused this table. Only an admin can end the pause.{why}")


def pause(
    loaded: TableState,
    now: DecisionContext,
    *,
    actor_id: int | None,
    until: float | None,
    admin: bool = False,
    why: str = "",
) -> Change:
    table = loaded.table
    require_play(table)
    if table.paused_at is not None and (table.held or not admin):
        raise Refused("The table is already paused.")
    if until is not None and not now.at < until <= now.at + LONGEST:
        raise Refused("A pause can last 60 days at most. Say when it ends, like `3 days` or `2026-12-24`.")
    still = replace(
        table,
        clocks=turns.stop_clocks(table, now.rests, now.at),
        paused_at=table.paused_at or now.at,
        paused_until=until,
        held=admin,
        proposal=None,
    )
    result = entry(EntryKind.PAUSE, actor_id, payload=[until, admin, *([why] if why else [])])
    return Change(still, (result,), shows=(FRESH_BOARD,))


def resume(
    loaded: TableState, now: DecisionContext, *, actor_id: int | None, admin: bool = False, why: str = ""
) -> Change:
    table = loaded.table
    if table.paused_at is None:
        raise Refused("The table isn't paused.")
    if table.held and not admin and actor_id is not None:
        raise Refused("An admin paused this table. Only an admin can end the pause.")
    seat = None if actor_id is None else table.seat_of(actor_id)
    if actor_id is not None and seat is None and not admin:
        raise Refused(PLAYERS_ONLY)
    going = replace(table, paused_at=None, paused_until=None, held=False)
    clocks, notices = list(turns.start_clocks(going, now.at)), list[PostRequest]()
    for awaited in table.awaited:
        person = now.person(table.seats[awaited].user_id or 0)
        clocks[awaited], requests = notify_of_duty(table, clocks[awaited], person, now.at)
        notices += requests
    running = replace(going, clocks=tuple(clocks))
    who = None if seat is None or admin else table.names[seat]
    resuming = entry(EntryKind.RESUME, actor_id, payload=[who, admin, *([why] if why else [])])
    return Change(running, (resuming,), shows=(FRESH_BOARD, *notices))
