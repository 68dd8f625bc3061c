"""Replays of 300 turns: their cost for a worker, their size, and the delay of other work."""

import asyncio
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import groupby
from random import Random
from typing import Any

import msgspec

from cogs.core.app import App
from cogs.core.pictures import Pictures, ReplayDrawing, ReplayRenderer
from cogs.standings.words import result_card
from db.store import Store
from engines.game import Seat, Strength
from engines.registry import SLUGS, game
from engines.workers import Workers
from host.start import spare_the_collector
from render.core.canvas import Picture
from tables.core.table import Occupant, Phase, Table
from tables.parlour import Parlour
from tables.review.record import Record, RecordedTurn
from tests.benchmarks.committed import SilentCourier
from tests.benchmarks.flow import callbacks
from tests.benchmarks.measure import Figure

TURNS = 300


class ChainedRecord(Record):
    """Several games in a row, as if they were one long game."""

    def __init__(
        self, record: Record, tables: Sequence[Table], games: Sequence[Sequence[RecordedTurn]]
    ) -> None:
        self._record = record
        self._parts = [(table, turn) for table, turns in zip(tables, games, strict=True) for turn in turns]
        self._parts = self._parts[: TURNS + 1]

    async def turns(self, table: Table) -> list[RecordedTurn]:
        """Return the turns of all games, numbered through."""
        parts = enumerate(self._parts)
        return [msgspec.structs.replace(turn, number=number, version=number) for number, (_, turn) in parts]

    async def views(self, table: Table, turns: Sequence[RecordedTurn], seat: Seat | None) -> list[Any]:
        """Return the views of some turns, each from its own game."""
        parts = [self._parts[turn.number] for turn in turns]
        views = []
        for _, group in groupby(parts, key=lambda part: part[0].id):
            played = list(group)
            views += await self._record.views(played[0][0], [turn for _, turn in played], seat)
        return views


def measure() -> Iterator[Figure]:
    return iter(asyncio.run(_measure()))


async def _measure() -> list[Figure]:
    workers, figures = Workers(1), list[Figure]()
    spare_the_collector()
    with tempfile.TemporaryDirectory() as folder:
        for slug in SLUGS:
            store = await Store.open(f"sqlite:///{folder}/{slug}.db")
            parlour = Parlour(store, workers, SilentCourier(), time.time)
            tables = list[Table]()
            games = list[list[RecordedTurn]]()
            while sum(map(len, games)) <= TURNS:
                tables.append(await play_game(parlour, slug, len(tables)))
                games.append(await parlour.record.turns(tables[-1]))
            reels = ReplayRenderer(ChainedRecord(parlour.record, tables, games), workers)
            before = await workers.run(time.process_time)
            with callbacks() as held:
                picture = await asyncio.create_task(_draw_replay(reels, tables[0]))
            spent = await workers.run(time.process_time) - before
            figures += [
                Figure(f"{slug}: a replay of {TURNS} turns", [spent], "s CPU in the worker", "<= 15"),
                Figure(f"{slug}: a replay of {TURNS} turns", [len(picture.png) / 1e6], "MB", "<= 8"),
                Figure(f"{slug}: one callback on the event loop", held, "ms CPU", "<= 10 at most"),
                Figure(
                    f"{slug}: the result card of a game of {games[0][-1].number} turns, from its record",
                    [await _time_card(parlour, workers, tables[0]) for _ in range(5)],
                    "ms",
                ),
            ]
            await store.close()
    workers.close()
    return figures


async def _draw_replay(reels: ReplayRenderer, table: Table) -> Picture:
    result = await reels.replay(table, None, "", None)
    return await result.task if isinstance(result, ReplayDrawing) else result


async def _time_card(parlour: Parlour, workers: Workers, table: Table) -> float:
    """Return the milliseconds from a finished table to its card."""
    app = App(None, parlour, Pictures(workers), ReplayRenderer(parlour.record, workers), workers)  # type: ignore[arg-type]  # no Discord here
    view = (await parlour.play.perspective(table.id, None)).view
    begun = time.perf_counter()
    await result_card(app, table, view)
    return (time.perf_counter() - begun) * 1000


async def play_game(parlour: Parlour, slug: str, number: int, seats: int | None = None) -> Table:
    """Make a table with a whole game of a medium computer's moves. Without `seats`, it has the most."""
    people = [Occupant(name, at) for at, name in enumerate(("Ann", "Bo", "Cy", "Di", "Ed"), start=1)]
    rules, rng = game(slug), Random(number)
    seats = seats or rules.seats_for(rules.Options())[-1]
    lobby = await parlour.lobby.create(1, 1, people[0], slug, rules.Options(), tuple(people[1:seats]))
    table = await parlour.lobby.start(lobby.id, lobby.host_id)
    while table.phase is Phase.PLAY:
        seat = table.owing[0]
        user = table.seats[seat].user_id or 0
        view = (await parlour.play.perspective(table.id, user)).view
        await parlour.play.move(table.id, user, [rules.choose(view, seat, rng, Strength.MEDIUM)])
        table = await parlour.table(table.id)
    return table
