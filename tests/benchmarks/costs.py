"""The cost of each press and command beside 100,000 tables, in a busy server."""

import asyncio
import os
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import discord
import simcord
from simcord.components import walk_components
from sqlalchemy import Engine, event, text
from sqlalchemy.engine import CursorResult
from sqlalchemy.ext.asyncio import create_async_engine

from cogs.ui.press import Work, where
from cogs.ui.text import Interaction
from db.connection.opening import database_url
from db.store import Store
from engines.registry import game
from engines.workers import Workers
from host.start import spare_the_collector
from tests.benchmarks.flow import GAMES, PEOPLE, simulators, without_flood_limit
from tests.benchmarks.measure import without_collector
from tests.benchmarks.startup import fill
from tests.discord.play.fuzzing import BUTTON, MENU, FuzzedWorld
from tests.discord.stage import DiscordStage, simulation

TABLES = 100_000
SERVERS = 1_000
OWN = 100
"""One table in this many belongs to the people who press, and to their server."""
PRESSES_IN_A_ROW = 4
"""Presses in a row on the last one's result."""
TURNS = 12
STEPS = int(os.environ.get("COST_STEPS", "3000"))
WAYS = ("types",) * 5 + ("presses",) * 9 + ("moves", "moves", "opens")
HEAD = (
    "| what | times | statements, median | most | rows, most | loop held, most ms | loop, median ms "
    "| workers, most s |\n|---|---|---|---|---|---|---|---|"
)


@dataclass
class InteractionCost:
    """The costs of one kind of interaction, one entry each time.

    Attributes:
        held: the longest block of the event loop, in milliseconds of CPU.
        loop: all its time on the event loop.
        worked: the seconds of CPU of the workers.
    """

    name: str
    statements: list[int] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    held: list[float] = field(default_factory=list)
    loop: list[float] = field(default_factory=list)
    worked: list[float] = field(default_factory=list)

    def row(self) -> str:
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


class Payer(FuzzedWorld):
    """A server full of people who keep pressing the results of their presses."""

    async def _follow_up(self, who: Any, doing: Any) -> None:
        await self.env.settle()
        result = await self._await_result(doing)
        for _ in range(PRESSES_IN_A_ROW):
            message = getattr(result, "response", None)
            parts = [] if message is None else usable(message)
            if not parts:
                return
            part = self.rng.choice(parts)
            press = {"custom_id": part["custom_id"]}
            if part["type"] == BUTTON:
                result = await self._await_result(who.click(message, **press))
            elif part["type"] == MENU:
                lines = [line["value"] for line in part["options"]]
                values = self.rng.sample(lines, part.get("min_values", 1) or 1)
                result = await self._await_result(who.select(message, values, **press))

    async def _await_result(self, doing: Any) -> Any:
        """Return the result; None if Discord itself would refuse it."""
        try:
            result = await doing
        except (simcord.SetupError, simcord.BackendError):
            result = None
        await self.env.settle()
        return result


def usable(message: Any) -> list[Any]:
    parts = walk_components(message.components)
    return [part for part in parts if part.get("custom_id") and not part.get("disabled")]


class Meter:
    """Measures each interaction, with all its consequences, until the next one begins."""

    def __init__(self) -> None:
        self.costs: dict[str, InteractionCost] = {}
        self.statements = self.rows = 0
        self.callbacks: list[float] = []
        self._name = ""
        self._before = (0, 0, 0.0)

    def begin(self, name: str) -> None:
        """Charge the counts to the last interaction, and begin the next."""
        now = (self.statements, self.rows, _worker_seconds())
        if self._name:
            cost = self.costs.setdefault(self._name, InteractionCost(self._name))
            cost.statements.append(now[0] - self._before[0])
            cost.rows.append(now[1] - self._before[1])
            cost.worked.append(now[2] - self._before[2])
            cost.held.append(max(self.callbacks, default=0.0))
            cost.loop.append(sum(self.callbacks))
        self.callbacks.clear()
        self._name, self._before = name, now


def measure() -> Iterator[InteractionCost]:
    """Yield the cost of each press and command, the dearest first."""
    return iter(asyncio.run(_measure()))


async def _measure() -> list[InteractionCost]:
    workers, meter = Workers(2), Meter()
    with tempfile.TemporaryDirectory() as folder:
        address = f"sqlite:///{folder}/costs.db"
        await fill(address, TABLES, lambda number: 10 + number % SERVERS)
        store = await Store.open(address)
        spare_the_collector()
        env = await simulation(store, workers)
        with count_statements(meter), without_flood_limit(), simulators(meter.callbacks.append):
            world = Payer(DiscordStage(env), Random(1))
            await _make_theirs(address, world)
            with _notify_meter(meter), without_collector():
                await _play(world)
        await env.shutdown()
        await store.close()
    workers.close()
    return sorted(meter.costs.values(), key=lambda cost: -max(cost.held))


async def _play(world: Payer) -> None:
    """Play a game of each kind, then let people try everything."""
    stage = world.stage
    for slug, _, options in GAMES:
        place = await stage.open(*PEOPLE[: max(2, game(slug).seats[0])], game=slug, **options)
        number = max(table.id for table in await world.tables())
        for turn in range(TURNS):
            waits = await stage.due(number)
            if not waits:
                break
            await stage.act(waits[0], place, Random(turn), number)
    for number in range(STEPS):
        world.rng = Random(number)
        await getattr(world, world.rng.choice(WAYS))()


async def _make_theirs(address: str, world: Payer) -> None:
    """End nine tables of ten; give some to those who press."""
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
def count_statements(meter: Meter) -> Iterator[None]:
    def count_statement(*_: Any) -> None:
        meter.statements += 1

    names = ("_fetchall_impl", "_fetchone_impl", "_fetchmany_impl")
    plain = {name: getattr(CursorResult, name) for name in names}

    def counting(name: str) -> Any:
        def fetch(result: Any, *args: Any, **named: Any) -> Any:
            entries = plain[name](result, *args, **named)
            meter.rows += len(entries) if isinstance(entries, list) else entries is not None
            return entries

        return fetch

    event.listen(Engine, "before_cursor_execute", count_statement)
    for name in names:
        setattr(CursorResult, name, counting(name))
    try:
        yield
    finally:
        event.remove(Engine, "before_cursor_execute", count_statement)
        for name in names:
            setattr(CursorResult, name, plain[name])


@contextmanager
def _notify_meter(meter: Meter) -> Iterator[None]:
    begin = Work.begin

    def noting(work: Work, interaction: Interaction) -> None:
        if interaction.type is not discord.InteractionType.autocomplete:
            meter.begin(where(interaction))
        begin(work, interaction)

    Work.begin = noting  # type: ignore[method-assign, assignment]  # put back below
    try:
        yield
    finally:
        Work.begin = begin  # type: ignore[method-assign]  # put back as it was


def _worker_seconds() -> float:
    """Return the CPU seconds of all child processes; 0 without /proc."""
    waiting, total = [os.getpid()], 0.0
    while waiting:
        parent = waiting.pop()
        lists = Path(f"/proc/{parent}/task").glob("*/children")
        children = [int(child) for path in lists for child in path.read_text().split()]
        waiting += children
        total += sum(int(Path(f"/proc/{child}/schedstat").read_text().split()[0]) for child in children) / 1e9
    return total
