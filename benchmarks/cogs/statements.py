"""Database statements and table loads of each press."""

import asyncio
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from sqlalchemy import Engine, event

from benchmarks.cogs.flow import without_flood_limit
from benchmarks.cogs.presses import count_presses
from benchmarks.measure import Figure
from db.store import Store
from engines.workers import Workers
from tables.core.change import TableState
from tables.core.repository import Repository
from tests.discord.stage import DiscordStage, simulation

OPTIONS: dict[str, Any] = {"mode": "coop", "ribbon_choice": "random"}
TURNS = 12


def measure() -> Iterator[Figure]:
    """Yield the figures of turns of Ribbon Tangle by clicks."""
    return iter(asyncio.run(_measure()))


async def _measure() -> list[Figure]:
    workers = Workers(2)
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(f"sqlite:///{folder}/statements.db")
        env = await simulation(store, workers)
        stage = DiscordStage(env)
        with without_flood_limit():
            here = await _figures(stage, store, 1, "where the process acts for the table")
            there = await _figures(stage, store, 2, "from elsewhere, as from a DM", elsewhere=True)
        await env.shutdown()
        await store.close()
    workers.close()
    return here + there


async def _figures(
    stage: DiscordStage, store: Store, number: int, where: str, *, elsewhere: bool = False
) -> list[Figure]:
    """Return the cost of a press in each turn of two people."""
    place = await stage.open("Ann", "Bo", game="ribbon", **OPTIONS)
    statements, rows, loads, rng = list[float](), list[float](), list[float](), Random(number)
    shards = store.shards
    for _ in range(TURNS):
        waited = await stage.due(number)
        if not waited:
            break
        name = waited[0]
        held = shards.held
        with count_statements() as counts:
            shards.hold(() if elsewhere else held)
            before = count_presses()
            await stage.panel(name, place)
            await stage.act(name, place, rng, number)
            presses = count_presses() - before
            shards.hold(held)
        statements.append(counts["statements"] / presses)
        rows.append(counts["rows"] / presses)
        loads.append(counts["loads"] / presses)
        await stage.bot.app.parlour.resume()
        await stage.env.settle()
    return [
        Figure(f"statements a press, {where}", statements, ""),
        Figure(f"reads of the table's row a press, {where}", rows, ""),
        Figure(f"loads a press, {where}", loads, ""),
    ]


@contextmanager
def count_statements() -> Iterator[Counter[str]]:
    """Count statements, reads of a table's row, and table loads."""
    counts: Counter[str] = Counter()
    load = Repository.load

    async def loading(repository: Repository, table_id: int) -> TableState:
        counts["loads"] += 1
        return await load(repository, table_id)

    def count_statement(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        counts["statements"] += 1
        counts["rows"] += "FROM tables \nWHERE tables.id =" in statement

    event.listen(Engine, "before_cursor_execute", count_statement)
    Repository.load = loading  # type: ignore[method-assign, assignment]  # put back below
    try:
        yield counts
    finally:
        Repository.load = load  # type: ignore[method-assign]  # put back as it was
        event.remove(Engine, "before_cursor_execute", count_statement)
