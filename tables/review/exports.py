"""Writes a game to a file: a finished one whole, any other as far as the person knows it."""

from collections.abc import Sequence

import msgspec
from msgspec import Raw

from db.records.tables import ActionRow
from engines.engine import decode_move, select_readable
from engines.game import Event, Seat
from tables.core.history import PLAYED, EntryKind, events_of
from tables.core.table import Phase, Refused, Table, encode
from tables.review.format import Chair, FileStep, GameFile, PartFile, write


def export_file(table: Table, rows: Sequence[ActionRow], seat: Seat | None) -> bytes:
    """Return the file of a table's active history for a viewer.

    A finished game has the same file for all.

    Raises:
        Refused: if the game hasn't begun, and for a study.
    """
    if table.deal is None:
        raise Refused(f"Table {table.id} hasn't begun, so there's nothing to export.")
    if table.study is not None:
        raise Refused("You only try a position here, so there's no game to export.")
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
            events = select_readable(events_of(table, row), seat)
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
    """Return the occupants of a table, by name alone."""
    return [Chair(occupant.name, occupant.strength) for occupant in table.seats]


def _start_time(rows: Sequence[ActionRow]) -> float:
    return next(row.at for row in rows if row.kind == EntryKind.START)


def _file_step(table: Table, row: ActionRow, events: Sequence[Event], *, told: bool) -> FileStep:
    """Return a step, with its move if `told`."""
    move = decode_move(table.game, row.payload) if told and row.payload is not None else None
    return FileStep(
        seat=row.seat or 0,
        at=row.at,
        events=Raw(msgspec.json.encode(events)),
        move=Raw() if move is None else Raw(msgspec.json.encode(move)),
        forced=row.kind == EntryKind.FORCED,
    )
