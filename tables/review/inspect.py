"""Looks into the tables of a database, and repairs one whose log breaks today's rules.

For operators: `python -m tables.review.inspect --help`, and docs/running/admin.md.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from difflib import unified_diff
from pathlib import Path
from typing import Any

import msgspec

from db.condition import require_there
from db.connection import trouble, writer
from db.store import Store
from engines import engine, registry
from engines.game import IllegalMove, Seat
from engines.workers import Workers
from tables.core import downtime, history
from tables.core.change import FRESH_BOARD, Change, TableState, entry
from tables.core.people import People
from tables.core.repository import Repository, read_tables
from tables.core.table import Phase, Refused, Table, UnreadableTable, encode
from tables.play.decisions import with_position
from tables.review import import_export, record

FINE, AMISS, UNUSABLE = 0, 1, 2
"""Exit codes: everything is fine; the log breaks the rules; nothing could be done."""
ROWS_AT_ONCE = 500
"""Rows that one look for unreadable ones reads."""
WritePage = Callable[[record.Record, Workers, Table, Seat | None], Awaitable[bytes]]
"""Returns a game as one page for a viewer; whoever shows games to people has it."""


class LogFinding(msgspec.Struct, frozen=True):
    """The result of replaying a log.

    Attributes:
        legal: how many steps follow today's rules, of all `steps`.
        departed: why the next one doesn't; None if all do.
        version: the table's version after the last legal step.
        state: the encoded position then, by today's rules.
        difference: how it differs from the table's position, line by line.
    """

    legal: int
    steps: int
    departed: str | None
    version: int
    state: bytes
    difference: list[str]

    @property
    def amiss(self) -> bool:
        """Return True if the table differs from its log under today's rules."""
        return self.departed is not None or bool(self.difference)


async def find_unreadable(store: Store) -> list[str]:
    last = 0
    while ids := await store.administration.table_ids(last, ROWS_AT_ONCE):
        await read_tables(store, await store.personal.tables(ids))
        last = ids[-1]
    people, last = People(store), 0
    while ids := await store.administration.person_ids(last, ROWS_AT_ONCE):
        await people.of(ids)
        last = ids[-1]
    await store.administration.read_others()
    return store.unreadable.names


class Inspection:
    """One look into a database."""

    def __init__(self, store: Store, workers: Workers) -> None:
        self._store = store
        self._repository = Repository(store, engine.Engine(workers), time.time)
        self._history = history.History(store)
        self._workers = workers
        self._record = record.Record(self._repository)

    async def table(self, number: int) -> Table:
        """Return a table without its game. Raise Refused if there is none."""
        row = await self._store.table(number)
        if row is None:
            raise Refused(f"There's no table {number} in this database.")
        for table in await self._repository.tables([row]):
            return table
        raise UnreadableTable

    async def show(self, table: Table, seat: Seat | None = None) -> list[str]:
        lines = [
            f"table {table.id}: {table.game.title}, {table.phase}, version {table.version}",
            f"options {encode(table.options)}",
            *(
                f"seat {seat}: {one.name}{f', {one.strength} computer' if one.computer else ''}"
                for seat, one in enumerate(table.seats)
            ),
        ]
        if table.origin is not None:
            lines.append(f"origin {type(table.origin).__name__.lower()}")
        if table.deal is None:
            return [*lines, "the game has not begun"]
        turns = await self._record.turns(table)
        return [*lines, *map(_heading, turns), *await self._describe_at(table, table.version, seat)]

    async def export(self, table: Table, seat: Seat | None) -> bytes:
        """Return the file of a table as `/table export` gives it."""
        return import_export.export_file(table, await self._history.active_history(table), seat)

    async def page(self, table: Table, seat: Seat | None, write: WritePage) -> bytes:
        return await write(self._record, self._workers, table, seat)

    async def replay(self, table: Table, turn: int | None, seat: Seat | None) -> list[str]:
        turns = await self._record.turns(table)
        if turn is not None and not 0 <= turn < len(turns):
            raise Refused(f"Table {table.id} has the turns 0 to {len(turns) - 1}.")
        lines: list[str] = []
        for at in turns if turn is None else [turns[turn]]:
            lines += [_heading(at), *await self._describe_at(table, at.version, seat), ""]
        return lines

    async def _describe_at(self, table: Table, version: int, seat: Seat | None) -> list[str]:
        return _describe(table, await self._record.view(table, version, seat))

    async def find(self, table: Table) -> LogFinding:
        """Replay the log of a table by today's rules, from the deal on."""
        rows = [row for row in await self._history.active_history(table) if row.kind in history.STATE_ENTRIES]
        if table.deal is None or not rows:
            raise Refused(f"Table {table.id} hasn't begun, so there's no log yet.")
        if table.study is not None:
            raise Refused("This table only tries out another table's position, so it has no full log.")
        steps = history.steps_of(rows)
        again = engine.check_replay(
            table.slug,
            len(table.seats),
            encode(table.options).encode(),
            table.deal.encode(),
            table.seed,
            steps,
            len(steps) + 1,
        )
        now = _describe_open(table, again.position.state)
        try:
            state, _ = await self._repository.state_at(table, table.version)
            stored = _describe_open(table, state)
        except (IllegalMove, msgspec.DecodeError) as reason:
            stored = [f"(can't be read any more: {reason})"]
        difference = unified_diff(stored, now, "as stored", "by the rules", lineterm="")
        return LogFinding(
            legal=len(again.steps),
            steps=len(steps),
            departed=again.departed,
            version=rows[len(again.steps)].version,
            state=again.position.state,
            difference=list(difference),
        )

    async def write(self, table: Table, finding: LogFinding) -> Table:
        """Take a table back to its last legal step, as an entry of its history.

        Raise Refused if its game isn't running, or a bot is alive on the database.
        """
        if table.phase is not Phase.PLAY:
            raise Refused(f"No game is running at table {table.id}, so I haven't changed anything.")
        heard = await self._store.downtime.heard(downtime.ALIVE)
        silent = time.time() - max(filter(None, map(downtime.read_instant, heard.values())), default=0.0)
        if 0 <= silent < downtime.SHORTEST_OUTAGE:
            raise Refused(
                f"A bot used this database {silent:.0f} seconds ago, so I haven't changed anything. "
                f"Stop that bot, and try again {downtime.SHORTEST_OUTAGE:.0f} seconds later."
            )
        after = engine.position(table.slug, len(table.seats), finding.state)
        change = Change(
            table=with_position(table, after),
            entries=(entry(history.EntryKind.ROLLBACK, None, base=finding.version),),
            position=after,
            shows=(FRESH_BOARD,),
            snapshot=True,
        )
        now = await self._repository.time.now(table)
        # Its log can't be played by the present rules, so it is not loaded as others are.
        return (await self._repository.write(TableState(table, after), change, now)).table


def _describe_open(table: Table, state: bytes) -> list[str]:
    rules = table.game
    return _describe(table, rules.view(msgspec.msgpack.decode(state, type=rules.State), None))


def _describe(table: Table, view: Any) -> list[str]:
    """Describe a position in words, a line a sentence."""
    parts = registry.words(table.slug).parts(view, table.names)
    return [line for part in parts for line in (f"{part.heading}:", *part.text.splitlines())]


def _heading(turn: record.RecordedTurn) -> str:
    seats = f", seats {', '.join(map(str, turn.seats))}" if turn.seats else ""
    return (
        f"turn {turn.number}: version {turn.version}{seats}, {datetime.fromtimestamp(turn.at, UTC):%F %T} UTC"
    )


async def _patch(inspection: Inspection, table: Table, *, write: bool) -> int:
    finding = await inspection.find(table)
    lines = [f"table {table.id}: all {finding.steps} steps go by the rules"]
    if finding.departed is not None:
        lines = [
            f"table {table.id}: {finding.legal} of {finding.steps} steps go by the rules",
            f"step {finding.legal + 1}: {finding.departed}",
        ]
    print("\n".join(lines + finding.difference))
    if not finding.amiss:
        return FINE
    if not write:
        print(f"--write would roll it back to version {finding.version}")
        return AMISS
    after = await inspection.write(table, finding)
    print(f"written: version {after.version} stands where version {finding.version} did")
    return FINE


async def inspect(wish: argparse.Namespace) -> int:
    """Carry out the command line; return the exit code."""
    at = _database_label(wish)
    require_there(at)
    store = await Store.open(_address(wish.database), setting=at.setting)
    workers = Workers(1)
    try:
        inspection = Inspection(store, workers)
        table = await inspection.table(wish.table)
        if wish.seat is not None and not 0 <= wish.seat < len(table.seats):
            raise Refused(f"Table {table.id} has the seats 0 to {len(table.seats) - 1}.")
        match wish.what:
            case "show" if wish.page is not None:
                wish.page.write_bytes(await inspection.page(table, wish.seat, wish.write_page))
                print(f"{wish.page}: {table.game.title}, table {table.id}, as one page.")
            case "show":
                print("\n".join(await inspection.show(table, wish.seat)))
            case "export":
                data = await inspection.export(table, wish.seat)
                if wish.out is None:
                    print(data.decode(), end="")
                else:
                    wish.out.write_bytes(data)
            case "replay":
                print("\n".join(await inspection.replay(table, wish.turn, wish.seat)))
            case _:
                return await _patch(inspection, table, write=wish.write)
        return FINE
    finally:
        workers.close()
        await store.close()


def _database_label(wish: argparse.Namespace) -> trouble.DatabaseLabel:
    return trouble.DatabaseLabel.of(_address(wish.database), wish.setting)


def _address(text: str) -> str:
    """Return the URL of a database given as URL or existing file."""
    if "://" in text:
        return text
    if not Path(text).is_file():
        raise trouble.DatabaseUnreachable(f"There is no file {text}.")
    return f"sqlite:///{text}"


def _wish(
    arguments: Sequence[str] | None, database: str | None, write_page: WritePage | None
) -> argparse.Namespace:
    name = "python -m tables.review.inspect" if database is None else "bot.py tables"
    parser = argparse.ArgumentParser(
        name, description="Look into a table, or repair a table whose log no longer follows the rules."
    )
    if database is None:
        parser.add_argument("database", help="a SQLite file, or the URL of a database")
    ways = parser.add_subparsers(dest="what", required=True)
    show = ways.add_parser("show", help="a table, its turns, its position")
    if write_page is not None:
        show.add_argument(
            "--page", type=Path, metavar="FILE", help="write the whole game as one page of HTML instead"
        )
    export = ways.add_parser("export", help="its file, as /table export gives it")
    export.add_argument("--out", type=Path, help="where to write it; otherwise standard output")
    replay = ways.add_parser("replay", help="the position after each turn")
    replay.add_argument("--turn", type=int, help="after that turn alone")
    patch = ways.add_parser("patch", help="replay its log by today's rules, and show the differences")
    patch.add_argument("--write", action="store_true", help="take the table back to the last step that goes")
    for way in (show, export, replay, patch):
        way.add_argument("table", type=int, help="its number")
    for way in (show, export, replay):
        way.add_argument("--seat", type=int, help="as that seat sees it; without it, as everyone sees it")
    named = {"setting": ""} if database is None else {"setting": trouble.SETTING, "database": database}
    parser.set_defaults(seat=None, page=None, write_page=write_page, **named)
    return parser.parse_args(arguments)


def main(
    arguments: Sequence[str] | None = None, database: str | None = None, write_page: WritePage | None = None
) -> int:
    """Carry out a command line, at a database or the one named there.

    Without `write_page` it offers no pages.

    Exit codes: 0 fine, 1 the log breaks the rules, 2 it could not be done.
    """
    wish = _wish(arguments, database, write_page)
    try:
        try:
            return asyncio.run(inspect(wish))
        except writer.DatabaseUnavailable as reason:
            raise trouble.describe_unavailable(_database_label(wish), reason) from reason
    except (trouble.DatabaseUnreachable, Refused, ValueError) as reason:
        print(reason, file=sys.stderr)
        return UNUSABLE
    except IllegalMove as reason:
        print(f"The log no longer follows the rules ({reason}). `patch` tells you more.", file=sys.stderr)
        return AMISS


if __name__ == "__main__":
    sys.exit(main())
