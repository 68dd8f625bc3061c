"""A thousand people who finish the daily deal within an hour, in fifty servers that post it."""

import asyncio
import itertools
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from msgspec.structs import replace

from benchmarks.cogs.flow import callbacks, without_flood_limit
from benchmarks.measure import Figure, without_collector
from cogs.discord import messages
from db.store import Store
from engines.workers import Workers
from tables.clocks.pace import HOUR
from tables.core.table import Occupant, Phase
from tests.discord.stage import DiscordStage, simulation

PEOPLE, SERVERS, TICK = 1000, 50, 5.0
GAME = "ribbon"
FIRST = 10**17


def measure() -> Iterator[Figure]:
    return iter(asyncio.run(_measure()))


async def _measure() -> list[Figure]:
    workers = Workers(2)
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(f"sqlite:///{folder}/daily.db")
        env = await simulation(store, workers)
        stage = DiscordStage(env)
        await _servers(stage)
        with without_collector(), without_flood_limit(), _edits(stage) as edits, callbacks() as held:
            ticks = int(HOUR / TICK)
            for tick in range(ticks):
                some = range(PEOPLE * tick // ticks, PEOPLE * (tick + 1) // ticks)
                with env.time_context():
                    # In a task of its own, so that what it holds the loop for is counted.
                    await asyncio.gather(
                        *(asyncio.create_task(_play_to_the_end(stage, number)) for number in some)
                    )
                await env.advance_time(TICK)
            for _ in range(5):
                await env.advance_time(TICK)
        finishers = [len(await _finishers(stage, guild)) for guild in await store.daily.servers()]
        await env.shutdown()
        await store.close()
    workers.close()
    counts = [len(instants) for instants in edits.values()]
    apart = [after - before for all_ in edits.values() for before, after in itertools.pairwise(all_)]
    what = f"{PEOPLE:,} people, {SERVERS} servers"
    return [
        Figure(f"{what}: who has finished, a server", finishers, ""),
        Figure(f"{what}: edits of a day's post", counts, ""),
        Figure(f"{what}: between two edits of a post", apart, "s", ">= 5 at least"),
        Figure(f"{what}: one callback on the event loop", held, "ms CPU", "<= 10 at most"),
    ]


async def _servers(stage: DiscordStage) -> None:
    """Make servers that post the deal; each person is in two."""
    store, guilds = stage.bot.app.parlour.store, [stage.guild]
    guilds += [stage.env.create_guild(f"Server {number}") for number in range(1, SERVERS)]
    for guild in guilds:
        channel = stage.channel if guild is stage.guild else guild.create_text_channel("daily")

        def on(row: Any, channel_id: int = channel.id) -> Any:
            return replace(row, daily=True, daily_channel_id=channel_id, daily_hour=0, daily_games=(GAME,))

        await store.change_guild(guild.id, on)
    with stage.env.time_context():
        for number in range(PEOPLE):
            for at in {number % SERVERS, (7 * number + 1) % SERVERS}:
                await stage.bot.app.parlour.daily.note_member(guilds[at].id, FIRST + number, member=True)
    await stage.env.advance_time(2 * TICK)


async def _play_to_the_end(stage: DiscordStage, number: int) -> None:
    """Play today's deal at random to its end."""
    parlour, user, rng = stage.bot.app.parlour, FIRST + number, Random(number)
    table = await parlour.daily.open(Occupant(f"Player {number}", user), parlour.daily.today, GAME)
    while table.phase is Phase.PLAY:
        await parlour.play.move(table.id, user, [rng.choice(await parlour.play.moves(table.id, user))])
        table = await parlour.table(table.id)
    await parlour.standings.finish()


async def _finishers(stage: DiscordStage, guild: Any) -> list[Any]:
    with stage.env.time_context():
        today = stage.bot.app.parlour.daily.today
    return await stage.bot.app.parlour.store.daily.finishers(guild.guild_id, today, GAME)


@contextmanager
def _edits(stage: DiscordStage) -> Iterator[dict[int, list[float]]]:
    """Collect the simulated times, in seconds, of each post's edits."""
    entries: dict[int, list[float]] = defaultdict(list)
    known = messages.edit

    async def edit(place: Any, message_id: int, *rest: Any) -> Any:
        entries[message_id].append(stage.env.now().timestamp())
        return await known(place, message_id, *rest)

    messages.edit = edit  # type: ignore[assignment]  # posts are edited by this function alone
    try:
        yield entries
    finally:
        messages.edit = known
