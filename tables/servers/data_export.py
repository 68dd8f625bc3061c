"""The data about a person: how much, and all of it as a file."""

import gzip
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Raw

from db.records import ActionRow, DraftRow
from db.subjects.personal import ROWS, AboutRow
from engines.workers import Workers
from tables.core.history import MOVES
from tables.core.repository import Repository
from tables.core.table import OPEN, Phase, Table
from tables.standings.standings import StandingsService

AT_ONCE = 50
"""Tables that one query reads."""
LARGEST = 8_000_000
"""The most bytes of a plain file; a larger one is compressed."""
ABOUT = (
    "This file has everything that Tangle Parlour keeps about you. Times are in seconds since 1970 (UTC). "
    "While a game isn't finished, the file shows only the moves of your own seat. You can get the "
    "other moves when the game is over."
)


class StoredData(msgspec.Struct, frozen=True):
    """How much is stored about a person: tables, open ones, and rows of other kinds.

    `rows` is by the names of `db.subjects.personal.ROWS`.
    """

    tables: int
    open: int
    rows: dict[str, int]

    @property
    def nothing(self) -> bool:
        return not self.tables and not self.rows


class ExportedData(msgspec.Struct, frozen=True):
    """A file with everything about a person."""

    name: str
    data: bytes


class DataExport:
    """Gives people the data about them."""

    def __init__(self, repository: Repository, workers: Workers, standings: StandingsService) -> None:
        self._repository = repository
        self._standings = standings
        self._store = repository.store.personal
        self._workers = workers

    async def count_data(self, user_id: int) -> StoredData:
        tables = await self._store.tables_about(user_id)
        going = sum(table.phase in OPEN for table in tables)
        return StoredData(len(tables), going, await self._store.counts(user_id))

    async def file(self, user_id: int) -> ExportedData | None:
        """Return everything about a person as JSON, compressed if large.

        None if there is nothing. It is built some tables at a time, so that nobody waits for a long life of
        games.
        """
        about = await self._store.tables_about(user_id)
        kinds = {name: await self._store.rows(name, user_id) for name in ROWS}
        if not about and not any(kinds.values()):
            return None
        parts = [f'{{"about": {_text(ABOUT)}', f'"user_id": "{user_id}"']
        for name, rows in kinds.items():
            parts.append(f'"{name}": {_lines(map(_text, map(_readable, rows)))}')
        lines = []
        for guild_id in sorted({row.guild_id for row in about}):
            known = await self._standings.habits(guild_id, user_id, viewer=user_id)
            if known is not None:
                lines.append(_text({"server_id": str(guild_id), **msgspec.structs.asdict(known)}))
        parts.append(f'"habits": {_lines(lines)}')
        tables = list[str]()
        for start in range(0, len(about), AT_ONCE):
            tables += await self._tables_as_json(about[start : start + AT_ONCE], user_id)
        parts.append(f'"tables": {_lines(tables)}}}')
        data = ",\n".join(parts).encode()
        if len(data) <= LARGEST:
            return ExportedData("tangle-parlour.json", data)
        return ExportedData("tangle-parlour.json.gz", await self._workers.run(gzip.compress, data))

    async def _tables_as_json(self, about: Sequence[AboutRow], user_id: int) -> list[str]:
        ids = [row.id for row in about]
        tables = await self._repository.tables(await self._store.tables(ids))
        drafts, made = await self._store.drafts(ids), await self._store.entries_made_by(ids, user_id)
        return [
            _text(_table(table, user_id, drafts.get((table.id, -1 if at is None else at)), made[table.id]))
            for table in tables
            for at in [table.seat_of(user_id)]
        ]


def _table(table: Table, user_id: int, draft: DraftRow | None, made: Sequence[ActionRow]) -> dict[str, Any]:
    seat = table.seat_of(user_id)
    plan = next((one for one in table.plans if one.user_id == user_id), None)
    return {
        "table": table.id,
        "server_id": str(table.guild_id),
        "channel_id": str(table.channel_id),
        "thread_id": None if table.thread_id is None else str(table.thread_id),
        "game": table.slug,
        "phase": table.phase,
        "created_at": table.created_at,
        "host": table.host_id == user_id,
        "seat": seat,
        "name": None if seat is None else table.names[seat],
        "kept_for_you": [n for n, one in enumerate(table.seats) if one.kept_for == user_id],
        "draft": None if draft is None else Raw(draft.payload.encode()),
        "plan": None if plan is None else Raw(plan.choices.encode()),
        "standing_answers": [one.answer for one in table.standing if one.user_id == user_id],
        "you": [_entry(table, entry, seat) for entry in made],
    }


def _entry(table: Table, row: ActionRow, seat: int | None) -> dict[str, Any]:
    """Return a person's action, without a move that their seat can't know yet.

    An administrator who lets a computer move has made others' moves.
    """
    result: dict[str, Any] = {"version": row.version, "at": row.at, "did": row.kind, "seat": row.seat}
    known = row.kind not in MOVES or table.phase is Phase.OVER or row.seat == seat
    if row.payload is not None and known:
        result["what"] = Raw(row.payload.encode())
    return result


def _readable(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with large ids as text, which no JSON reader rounds."""
    return {
        key: str(value) if isinstance(value, int) and abs(value) > 2**53 else value
        for key, value in row.items()
    }


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _lines(values: Sequence[str] | Iterator[str]) -> str:
    text = ",\n ".join(values)
    return f"[\n {text}]" if text else "[]"
