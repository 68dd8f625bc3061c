"""Days of a server that has the deal of the day: it is turned on, played by clicks, and looked at."""

from __future__ import annotations

from random import Random
from typing import Any

from msgspec.structs import replace

from tables.clocks.days import add_days, begins, day_of
from tables.core.table import Occupant, Phase
from tests.discord.stage import LOOKS_EVERY, Shown, Stage


async def turned_on(stage: Stage, *games: str, hour: int = 0, guild: Any = None, channel: Any = None) -> None:
    """The deal of the day is on in a server, with some games or all."""
    store, where = stage.bot.app.parlour.store, (guild or stage.guild).id
    games_text = "[" + ",".join(f'"{slug}"' for slug in games) + "]"
    await store.change_guild(
        where,
        lambda row: replace(
            row,
            daily=True,
            daily_channel_id=(channel or stage.channel).id,
            daily_hour=hour,
            daily_games=games_text,
        ),
    )
    await stage.wait(1)


def post(stage: Stage, channel: Any = None) -> Shown:
    """The newest post of the deal of the day."""
    return posts(stage, channel)[-1]


def posts(stage: Stage, channel: Any = None) -> list[Shown]:
    """All posts of the deal of the day, oldest first."""
    return [one for one in stage.posts(channel or stage.channel) if "Deal of the day" in one.text]


async def begun(stage: Stage, name: str) -> Any:
    """Somebody presses Play under the newest post; the answer with the panel."""
    result = await stage[name].click(post(stage).message, label="Play")
    assert result.ephemeral
    return result


def now(stage: Stage) -> float:
    """The instant in the simulated Discord."""
    return stage.env.now().timestamp()


def today(stage: Stage) -> str:
    """The day that it is there."""
    return day_of(now(stage))


async def table_of(stage: Stage, name: str, day: str | None = None) -> Any:
    """The table of somebody's play of a day."""
    parlour, day = stage.bot.app.parlour, day or today(stage)
    for play in await parlour.store.daily.plays_of(stage[name].id, day, day):
        return await parlour.table(play.table_id)
    raise AssertionError(f"{name} has not begun the deal of {day}")


async def play_of(stage: Stage, name: str, day: str | None = None) -> Any:
    """Somebody's play of a day as it is kept."""
    found = await stage.bot.app.parlour.store.daily.play_at((await table_of(stage, name, day)).id)
    assert found is not None
    return found


async def finished(stage: Stage, name: str, seed: int = 0, person: Any = None) -> Any:
    """Somebody plays the deal of today to its end at random, without panels; the play as it is kept."""
    parlour, who = stage.bot.app.parlour, (person or stage[name]).id
    with stage.env.time_context():
        day = parlour.daily.today
        game = await parlour.daily.game_here(stage.guild.id, day)
        table = await parlour.daily.open(Occupant(name, who), day, game)
        await played_on(stage, table, who, seed)
        play = await parlour.store.daily.play_at(table.id)
    await stage.env.settle()
    assert play is not None
    return play


async def played_on(stage: Stage, table: Any, who: int, seed: int = 0) -> None:
    """A play goes on to its end at random."""
    parlour, rng = stage.bot.app.parlour, Random(seed)
    while table.phase is Phase.PLAY:
        if table.computers_owing:
            await parlour.computers.finish()
        else:
            moves = await parlour.play.moves(table.id, who)
            await parlour.play.move(table.id, who, [rng.choice(moves)])
        table = await parlour.table(table.id)
    await parlour.standings.finish()


async def next_day(stage: Stage, after: float = 30.0) -> None:
    """It becomes the next day, and some seconds after its beginning; the results of the last one are in."""
    await stage.wait(begins(add_days(today(stage), 1)) + after - now(stage))
    await settled(stage)


async def settled(stage: Stage) -> None:
    """What the computers do for the day's results is done, and shown."""
    for _ in range(3):
        with stage.env.time_context():
            await stage.bot.app.parlour.computers.finish()
            await stage.bot.app.parlour.standings.finish()
        await stage.env.advance_time(LOOKS_EVERY)
