"""Exports games, imports them, and forks them at a turn."""

import msgspec

from db.guards import ImportQuota
from db.records.tables import SeatRow, TableRow, TableWrite
from engines.game import Seat
from engines.registry import game
from engines.workers import Urgency, WorkerOutOfMemory, Workers, WorkerTimeout
from tables.clocks.pace import DAY
from tables.core.guards import refuse_guards
from tables.core.history import History
from tables.core.repository import Repository
from tables.core.table import CustomDeal, Forked, Imported, Occupant, Phase, Refused, Table, encode
from tables.lobby.fairness import is_secret
from tables.lobby.lobby import Lobby, new_row
from tables.review.exports import export_file
from tables.review.imports import ImportedGame, import_file
from tables.review.record import Record

MOST_OF_ONE, MOST_HERE = 10, 50
"""The most finished games that a person, and a server, can import within a day."""


class ImportExport:
    """Makes files of tables, and tables of files and of turns."""

    def __init__(self, repository: Repository, lobby: Lobby, record: Record, workers: Workers) -> None:
        self._repository = repository
        self._history = History(repository.store)
        self._lobby = lobby
        self._record = record
        self._workers = workers
        self._reading: set[int] = set()

    async def export(self, table_id: int, seat: Seat | None) -> bytes:
        """Return the file of a game for a viewer; see `export_file`.

        Raises:
            Refused: if the game hasn't begun, and while others play the same deal of the day.
        """
        table = await self._repository.table(table_id)
        if is_secret(table, self._repository.clock()):
            raise Refused("Others are still playing this deal. Export your game when the day is over.")
        return await self._workers.run(export_file, table, await self._history.active_history(table), seat)

    async def open(self, guild_id: int, channel_id: int, host: Occupant, data: bytes) -> Table:
        """Open the table of a file.

        Finished with its history, or a lobby for a hand-made deal. In the lobby the host has the first seat
        for now. The file is read and replayed after everything that people wait for.

        Raises:
            Refused: if it isn't a valid file, or its game breaks the rules, with a sentence that says where;
                if that takes too long; if the host has enough open tables or is importing another file; and
                if enough games were imported lately.
        """
        if host.user_id is None:
            raise ValueError("a table's host is a person")
        host_id = host.user_id
        await self._lobby.require_table_limits(guild_id, host_id)
        if host_id in self._reading:
            raise Refused("I'm still reading your last file. Wait until its table is open.")
        self._reading.add(host_id)
        try:
            with refuse_guards():
                await self._repository.store.check_guards([self._imports_quota(guild_id, host_id)])
            return await self._open_file(guild_id, channel_id, host, data)
        finally:
            self._reading.discard(host_id)

    def _imports_quota(self, guild_id: int, host_id: int) -> ImportQuota:
        """Return the limits of imports within a day."""
        return ImportQuota(guild_id, host_id, self._repository.clock() - DAY, MOST_OF_ONE, MOST_HERE)

    async def _open_file(self, guild_id: int, channel_id: int, host: Occupant, data: bytes) -> Table:
        try:
            result = await self._workers.run_with(Urgency.LONG, import_file, data)
        except WorkerTimeout:
            raise Refused("Replaying that game takes too long, so I can't import it.") from None
        except WorkerOutOfMemory:
            raise Refused("Replaying that game takes too much memory, so I can't import it.") from None
        if isinstance(result, ImportedGame):
            return await self._keep(guild_id, channel_id, host.user_id or 0, result)
        options = msgspec.json.decode(result.options, type=game(result.slug).Options)
        laid = CustomDeal(result.deal, tuple(chair.name for chair in result.chairs))
        return await self._lobby.create(guild_id, channel_id, host, result.slug, options, origin=laid)

    async def _keep(self, guild_id: int, channel_id: int, host_id: int, past: ImportedGame) -> Table:
        """Write a finished game that nobody here has played, and post its end."""
        now = self._repository.clock()
        row, seats = imported_rows(guild_id, channel_id, host_id, past, now)
        *earlier, (_, end) = past.states
        change = TableWrite(
            0, 0, {}, past.rows, end, outbox=(("board", 0, True, now),), earlier=tuple(earlier)
        )
        with refuse_guards():
            guards = [self._imports_quota(guild_id, host_id)]
            number = await self._repository.store.create(row, seats, guards, change)
        table = await self._repository.table(number)
        self._repository.listener.on_commit(table, True)
        return table

    async def fork(self, table_id: int, turn: int, host: Occupant) -> Table:
        """Open a lobby that goes on from a finished game's turn.

        The host has the first seat for now; the others are free, under their old names.

        Raises:
            Refused: if the game isn't over, has no such turn, or nothing is left to play after it; or if the
                host has enough open tables.
        """
        source = await self._repository.table(table_id)
        if source.is_alone:
            raise Refused(
                "You played that alone, so it can't go on here. Export it, then import it in a server. "
                "You can export a deal of the day when its day is over."
            )
        if source.phase is not Phase.OVER:
            raise Refused(
                "You can continue a game at a new table only when it's over, because a running game has "
                "secrets."
            )
        turns = await self._record.turns(source)
        last = turns[-1].number - 1
        if not 0 <= turn <= last:
            raise Refused(
                f"Choose a turn from 0 to {last}. After that, nothing is left to play."
                if last
                else "Choose turn 0. After that, nothing is left to play."
            )
        at = turns[turn]
        origin = Forked(source.id, at.number, at.version, tuple(source.names), source.by_hand)
        return await self._lobby.create(
            source.guild_id, source.channel_id, host, source.slug, source.options, origin=origin
        )


def imported_rows(
    guild_id: int, channel_id: int, host_id: int, past: ImportedGame, now: float
) -> tuple[TableRow, list[SeatRow]]:
    """Return the rows of a table and its seats for a game that ended elsewhere."""
    laying = past.laying
    row = msgspec.structs.replace(
        new_row(guild_id, channel_id, host_id, laying.slug, laying.options, now),
        phase=Phase.OVER.value,
        version=past.rows[-1].version,
        beat=past.beat,
        seed=past.seed,
        salt=past.salt,
        thinking=past.thinking.value,
        deal=laying.deal,
        outcome=encode(past.outcome),
        origin=encode(Imported(past.by_hand)),
    )
    seats = [SeatRow(seat, None, chair.name, chair.computer) for seat, chair in enumerate(laying.chairs)]
    return row, seats
