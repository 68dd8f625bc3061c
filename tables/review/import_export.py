"""Exports games, imports and checks them, and forks them at a turn."""

from collections.abc import Sequence

import msgspec
from msgspec import Raw

from db.access import ImportQuota
from db.records import ActionRow, SeatRow, TableRow, TableWrite
from engines import engine, registry
from engines.game import Discreet, Event, IllegalDeal, IllegalSetup, Outcome, Seat, Thinking
from engines.workers import Urgency, WorkerOutOfMemory, Workers, WorkerTimeout
from tables.clocks.pace import DAY
from tables.core.change import refuse_guards
from tables.core.history import PLAYED, EntryKind, History, events_of
from tables.core.repository import SNAPSHOT_EVERY, Repository
from tables.core.table import CustomDeal, Forked, Imported, Occupant, Phase, Refused, Table, encode
from tables.lobby.lobby import Lobby, new_row
from tables.review.format import (
    Chair,
    DealFile,
    FileStep,
    GameFile,
    PartFile,
    complaint,
    convert,
    read,
    read_options,
    read_steps,
    write,
)
from tables.review.record import Record


def export_file(table: Table, rows: Sequence[ActionRow], seat: Seat | None) -> bytes:
    """Return the file of a table's active history for a viewer.

    A finished game has the same file for all. Raise Refused if the game hasn't begun, and for a study.
    """
    if table.deal is None:
        raise Refused(f"Table {table.id} hasn't begun, so there's nothing to export.")
    if table.study is not None:
        raise Refused("This is a sandbox, so there's no game to export.")
    return write(whole_game(table, rows) if table.phase is Phase.OVER else known_part(table, rows, seat))


def whole_game(table: Table, rows: Sequence[ActionRow]) -> GameFile:
    """Return a finished game with all that was hidden in it."""
    steps = [row for row in rows if row.kind in PLAYED]
    return GameFile(
        game=table.slug,
        options=Raw(encode(table.options)),
        seats=chairs(table),
        deal=Raw(encode(msgspec.json.decode(table.deal or "", type=table.game.Deal))),
        by_hand=table.by_hand,
        seed=table.seed.hex(),
        salt=table.salt.hex(),
        thinking=table.thinking,
        begun=_start_time(rows),
        steps=[_file_step(table, row, events_of(table, row), told=True) for row in steps],
        outcome=Raw(encode(table.outcome)),
    )


def known_part(table: Table, rows: Sequence[ActionRow], seat: Seat | None) -> PartFile:
    """Return what a seat, or with None everybody, knows of a game without a result.

    It leaves out steps with nothing to read. In simultaneous games it also leaves out what others have done
    secretly: how often somebody has changed an answer is their own business.
    """
    steps = []
    for row in rows:
        if row.kind in PLAYED:
            own = seat is not None and row.seat == seat
            events = engine.select_readable(events_of(table, row), seat)
            if table.game.simultaneous and not own:
                events = [event for event in events if event.reveals]
            if events or own:
                steps.append(_file_step(table, row, events, told=own))
    return PartFile(
        game=table.slug,
        options=Raw(encode(table.options)),
        seats=chairs(table),
        viewer=seat,
        thinking=table.thinking,
        begun=_start_time(rows),
        steps=steps,
    )


def chairs(table: Table) -> list[Chair]:
    return [Chair(occupant.name, occupant.strength) for occupant in table.seats]


def _start_time(rows: Sequence[ActionRow]) -> float:
    return next(row.at for row in rows if row.kind == EntryKind.START)


def _file_step(table: Table, row: ActionRow, events: Sequence[Event], *, told: bool) -> FileStep:
    move = engine.decode_move(table.game, row.payload) if told and row.payload is not None else None
    return FileStep(
        seat=row.seat or 0,
        at=row.at,
        events=Raw(msgspec.json.encode(events)),
        move=Raw() if move is None else Raw(msgspec.json.encode(move)),
        forced=row.kind == EntryKind.FORCED,
    )


class ImportedDeal(Discreet, frozen=True):
    """An imported hand-made deal: the game, its settled options and the deal as JSON, the seats."""

    slug: str
    options: str
    deal: str
    chairs: tuple[Chair, ...]


class ImportedGame(Discreet, frozen=True):
    """An imported and replayed finished game, ready to become a table."""

    laying: ImportedDeal
    by_hand: bool
    seed: str
    salt: str
    thinking: Thinking
    outcome: Outcome
    beat: int
    rows: tuple[ActionRow, ...]
    states: tuple[tuple[int, bytes], ...]


def import_file(data: bytes) -> ImportedGame | ImportedDeal:
    """Check a file; return its game or its deal.

    Raises:
        Refused: with a sentence that says what is wrong with it.
    """
    file = read(data)
    try:
        return _imported_deal(file) if isinstance(file, DealFile) else _past(file)
    except RecursionError:  # what the file nests the deepest is just too deep for what looks into it
        raise Refused("I can't read that file: it's nested too deeply.") from None


def _imported_deal(file: DealFile | GameFile) -> ImportedDeal:
    rules, seats = registry.game(file.game), len(file.seats)
    # `Game.begin` checks if the deal is possible.
    options, deal = read_options(file), convert(file.deal, rules.Deal, "deal")
    try:
        rules.begin(seats, options, deal, b"")
    except (IllegalDeal, IllegalSetup) as reason:
        raise Refused(f"I can't set up the deal in that file: {complaint(reason)}") from None
    return ImportedDeal(file.game, encode(options), encode(deal), tuple(file.seats))


def _past(file: GameFile) -> ImportedGame:
    rules, steps = registry.game(file.game), len(file.steps)
    if steps > rules.most_steps:
        raise Refused(f"That game has {steps} steps. The limit for {rules.title} is {rules.most_steps}.")
    laying = _imported_deal(file)
    again = engine.check_replay(
        file.game,
        len(file.seats),
        laying.options.encode(),
        laying.deal.encode(),
        bytes.fromhex(file.seed),
        list(read_steps(file)),
        SNAPSHOT_EVERY,
    )
    if again.departed is not None:
        number = len(again.steps) + 1
        raise Refused(f"Step {number} of that game breaks the rules: {complaint(again.departed)}")
    outcome = again.position.outcome
    if outcome is None:
        raise Refused("That file stops before the game is over.")
    if convert(file.outcome, Outcome, "outcome") != outcome:
        raise Refused("That file's moves don't lead to the result that the file gives.")
    return ImportedGame(
        laying=laying,
        by_hand=file.by_hand,
        seed=file.seed,
        salt=file.salt,
        thinking=file.thinking,
        outcome=outcome,
        beat=again.position.beat,
        rows=tuple(_rows(file, again)),
        states=tuple((made + 1, state) for made, state in again.states),
    )


def _rows(file: GameFile, again: engine.ReplayCheck) -> list[ActionRow]:
    """Return the history of a replayed game. Its start, and a version for each step."""
    rows = [ActionRow(1, 0, EntryKind.START, None, None, None, "[]", True, file.begun)]
    for made, step in zip(file.steps, again.steps, strict=True):
        version = len(rows) + 1
        kind = EntryKind.FORCED if step.forced else EntryKind.MOVE
        rows.append(
            ActionRow(
                version=version,
                base=version - 1,
                kind=EntryKind.RESIGN if step.move is None else kind,
                seat=step.seat,
                actor_id=None,
                payload=None if step.move is None else encode(step.move),
                events=encode(step.events),
                reveals=step.reveals,
                at=made.at,
                beat=step.beat,
            )
        )
    return rows


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

        Raise Refused if the game hasn't begun, and while others play the same deal of the day.
        """
        table = await self._repository.table(table_id)
        if table.is_secret(self._repository.clock()):
            raise Refused("Others are still playing this deal. Export your game when the day is over.")
        return await self._workers.run(export_file, table, await self._history.active_history(table), seat)

    async def open(self, guild_id: int, channel_id: int, host: Occupant, data: bytes) -> Table:
        """Open the table of a file.

        Finished with its history, or a lobby for a hand-made deal. In the lobby the host has the first seat
        for now. The file is read and replayed after everything that people wait for. Raise Refused if it
        isn't a valid file, or its game breaks the rules, with a sentence that says where; if that takes too
        long; if the host has enough open tables or is importing another file; and if enough games were
        imported lately.
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
        options = msgspec.json.decode(result.options, type=registry.game(result.slug).Options)
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

        The host has the first seat for now; the others are free, under their old names. Raise Refused if the
        game isn't over, has no such turn, or nothing is left to play after it; or if the host has enough open
        tables.
        """
        source = await self._repository.table(table_id)
        if source.is_alone:
            raise Refused(
                "You played that game alone, so it can't continue here. Export it, then import it in a "
                "server. You can export a deal of the day when its day is over."
            )
        if source.phase is not Phase.OVER:
            raise Refused(
                "You can open a table from a turn of this game once it's over. Until then, parts are hidden."
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
