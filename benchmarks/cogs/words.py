"""Presses with words compared with pictures, in games by clicks."""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from random import Random
from typing import Any

from msgspec.structs import replace

from benchmarks.cogs.flow import GAMES, PEOPLE, simulators, without_flood_limit
from benchmarks.measure import Figure
from cogs.ui import acknowledge, reply
from cogs.ui.interaction import Interaction
from cogs.ui.work import Work
from db.store import Store
from engines.registry import game
from engines.workers import Workers
from tables.core.people import Person
from tests.discord.stage import DiscordStage, simulation

BEGIN, CLAIM = "begin", "claim_response"
"""Hooks at the arrival of a press, and before its answer is sent."""
TURNS = 24
"""Presses of each game that are compared."""


def measure() -> Iterator[Figure]:
    """Yield each game's figures: with pictures, with words, and their ratio."""
    return iter(asyncio.run(_measure()))


async def _measure() -> list[Figure]:
    workers, figures = Workers(2), list[Figure]()
    for slug, _, options in GAMES:
        with tempfile.TemporaryDirectory() as folder, without_flood_limit(), answers() as taken:
            store = await Store.open(f"sqlite:///{folder}/words.db")
            env = await simulation(store, workers)
            pictures, words = await _game(DiscordStage(env), slug, options, taken)
            await env.shutdown()
            await store.close()
        ratio = statistics.median(pictures) / statistics.median(words)
        figures += [
            Figure(f"{slug}: a panel with its picture, until it is answered", pictures, "ms"),
            Figure(f"{slug}: the same panel in words", words, "ms"),
            Figure(f"{slug}: so many times as fast", [ratio], "", ">= 3"),
        ]
    workers.close()
    return figures


async def _game(
    stage: DiscordStage, slug: str, options: dict[str, Any], taken: list[float]
) -> tuple[list[float], list[float]]:
    """Return the milliseconds of each **Take turn**, with picture and with words.

    An uncounted press before each loads the data that both need; it draws no picture.
    """
    place = await stage.open(*PEOPLE[: max(2, game(slug).seats[0])], game=slug, **options)
    rng = Random(slug)
    pictures: list[float] = []
    words: list[float] = []
    while "Rematch" not in stage.post(place).buttons and len(words) < TURNS:
        name = (await stage.due())[0]
        for in_words, values in ((True, list[float]()), (True, words), (False, pictures)):
            async with stage.run_by_itself() as parlour:
                await parlour.personal_settings.change(
                    stage[name].id, partial(_with_words, in_words=in_words)
                )
            await stage.panel(name, place)
            values.append(taken[-1])
        await stage.act(name, place, rng)
    return pictures, words


def _with_words(person: Person, *, in_words: bool) -> Person:
    return replace(person, in_words=in_words)


@contextmanager
def answers() -> Iterator[list[float]]:
    """Collect the milliseconds from each press to its ready page.

    The simulated Discord's own time, for it checks every task that ends, doesn't count.
    """
    taken: list[float] = []
    begun: dict[int, float] = {}
    begin, claim = Work.begin, acknowledge.claim_response

    with simulators() as theirs:

        def milliseconds_now() -> float:
            return time.perf_counter() * 1000 - theirs()

        def begins(work: Work, interaction: Interaction) -> None:
            begun[interaction.id] = milliseconds_now()
            begin(work, interaction)

        async def claim_and_time(interaction: Interaction) -> bool:
            taken.append(milliseconds_now() - begun[interaction.id])
            return await claim(interaction)

        setattr(Work, BEGIN, begins)
        setattr(reply, CLAIM, claim_and_time)
        try:
            yield taken
        finally:
            setattr(Work, BEGIN, begin)
            setattr(reply, CLAIM, claim)
