"""What each press and command costs beside 100,000 tables, in a server full of people who try everything."""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import discord
from sqlalchemy import Engine, event, text
from sqlalchemy.engine import CursorResult
from sqlalchemy.ext.asyncio import create_async_engine

from benchmarks.cogs.flow import simulators, unhurried
from benchmarks.tables.startup import fill
from cogs.ui.interaction import Interaction
from cogs.ui.work import Work, where
from db.connection.opening import database_url
from db.store import Store
from engines.workers import Workers
from tests.discord.fuzzing import World
from tests.discord.stage import Stage, simulation

TABLES = 100_000
SERVERS = 1_000
OWN = 100
"""One table in that many is in the server of those who press, and theirs."""
STEPS = int(os.environ.get("COST_STEPS", "3000"))
WAYS = ("types",) * 5 + ("presses",) * 9 + ("moves", "moves", "opens")
HEAD = (
    "| what | times | statements, median | most | rows, most | loop held, most ms | loop, median ms "
    "| workers, most s |\n|---|---|---|---|---|---|---|---|"
)


@dataclass
class Cost:
    """What one kind of interaction has cost, one entry for each time.

    Attributes:
        held: the longest that it held the event loop, in milliseconds of CPU.
        loop: what it took there in all.
        worked: the seconds of CPU that workers took.
    """

    name: str
    statements: list[int] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    held: list[float] = field(default_factory=list)
    loop: list[float] = field(default_factory=list)
    worked: list[float] = field(default_factory=list)

    def row(self) -> str:
        """Return the cost as a row of a Markdown table."""
        cells = [
            self.name,
            str(len(self.loop)),
            f"{statistics.median(self.statements):.0f}",
            str(max(self.statements)),
            str(max(self.rows)),
            f"{max(self.held):.1f}",
            f"{statistics.median(self.loop):.1f}",
            f"{max(self.worked):.2f}",
        ]
        return f"| {' | '.join(cells)} |"


@dataclass
class Counters:
    """Everything that is counted, since the beginning."""

    statements: int = 0
    rows: int = 0
    callbacks: list[float] = field(default_factory=list)


class Payer(World):
    """A server full of people, in which each interaction is measured."""

    def __init__(self, stage: Stage, rng: Random, counters: Counters) -> None:
        super().__init__(stage, rng)
        self.costs: dict[str, Cost] = {}
        self.begun: list[str] = []
        self._counters = counters

    async def _answered(self, who: Any, doing: Any) -> None:
        """Do it, and measure it with all that it leads to at once."""
        await self.env.settle()
        counters, worked = self._counters, _worker_seconds()
        self.begun.clear()
        counters.callbacks.clear()
        statements, rows = counters.statements, counters.rows
        await super()._answered(who, doing)
        await self.env.settle()
        if not self.begun:
            return
        cost = self.costs.setdefault(self.begun[0], Cost(self.begun[0]))
        cost.statements.append(counters.statements - statements)
        cost.rows.append(counters.rows - rows)
        cost.held.append(max(counters.callbacks, default=0.0))
        cost.loop.append(sum(counters.callbacks))
        cost.worked.append(_worker_seconds() - worked)


def measure() -> Iterator[Cost]:
    """Return the cost of each press and command that came up, the dearest first."""
    return iter(asyncio.run(_measure()))


async def _measure() -> list[Cost]:
    workers, counters = Workers(2), Counters()
    with tempfile.TemporaryDirectory() as folder:
        address = f"sqlite:///{folder}/costs.db"
        await fill(address, TABLES, lambda number: 10 + number % SERVERS)
        store = await Store.open(address)
        env = await simulation(store, workers)
        with counted(counters), unhurried(), simulators(counters.callbacks.append):
            world = Payer(Stage(env), Random(1), counters)
            await _make_theirs(address, world)
            with _named(world.begun):
                for number in range(STEPS):
                    world.rng = Random(number)
                    await getattr(world, world.rng.choice(WAYS))()
        await env.shutdown()
        await store.close()
    workers.close()
    return sorted(world.costs.values(), key=lambda cost: -max(cost.held))


async def _make_theirs(address: str, world: Payer) -> None:
    """End nine tables of ten, and give some to the people who press."""
    stage = world.stage
    values = {"guild": stage.guild.id, "own": OWN, "ann": stage["Ann"].id, "bo": stage["Bo"].id}
    engine = create_async_engine(database_url(address))
    async with engine.begin() as connection:
        for statement in (
            "UPDATE tables SET phase = 'over', computer_due = 0, due_at = NULL WHERE id % 10 < 9",
            "UPDATE tables SET guild_id = :guild, host_id = :ann, phase = 'over' WHERE id % :own = 0",
            "UPDATE seats SET user_id = CASE seat WHEN 0 THEN :ann ELSE :bo END WHERE table_id % :own = 0",
        ):
            known = {key: value for key, value in values.items() if f":{key}" in statement}
            await connection.execute(text(statement), known)
    await engine.dispose()


@contextmanager
def counted(counters: Counters) -> Iterator[None]:
    """Count statements and the rows that they return."""

    def executed(*_: Any) -> None:
        counters.statements += 1

    names = ("_fetchall_impl", "_fetchone_impl", "_fetchmany_impl")
    plain = {name: getattr(CursorResult, name) for name in names}

    def counting(name: str) -> Any:
        def fetch(result: Any, *args: Any, **named: Any) -> Any:
            found = plain[name](result, *args, **named)
            counters.rows += len(found) if isinstance(found, list) else found is not None
            return found

        return fetch

    event.listen(Engine, "before_cursor_execute", executed)
    for name in names:
        setattr(CursorResult, name, counting(name))
    try:
        yield
    finally:
        event.remove(Engine, "before_cursor_execute", executed)
        for name in names:
            setattr(CursorResult, name, plain[name])


@contextmanager
def _named(begun: list[str]) -> Iterator[None]:
    """Note what each interaction is about when it begins."""
    begin = Work.begin

    def noting(work: Work, interaction: Interaction) -> None:
        if interaction.type is not discord.InteractionType.autocomplete:
            begun.append(where(interaction))
        begin(work, interaction)

    Work.begin = noting  # type: ignore[method-assign, assignment]  # put back below
    try:
        yield
    finally:
        Work.begin = begin  # type: ignore[method-assign]  # put back as it was


def _worker_seconds() -> float:
    """Return the CPU seconds of this process's children; 0 on systems without /proc."""
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    found: dict[int, float] = defaultdict(float)
    for child in children.read_text().split() if children.exists() else ():
        spent = Path(f"/proc/{child}/schedstat").read_text().split()[0]
        found[int(child)] = int(spent) / 1e9
    return sum(found.values())
