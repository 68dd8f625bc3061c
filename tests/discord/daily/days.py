from random import Random
from typing import Any

from msgspec.structs import replace

from tables.clocks.pace import add_days, begins, day_of
from tables.core.table import Occupant, Phase
from tests.discord.stage import LOOKS_EVERY, DiscordStage, ShownMessage


async def turn_on(
    stage: DiscordStage, *games: str, hour: int = 0, guild: Any = None, channel: Any = None
) -> None:
    store, where = stage.bot.app.parlour.store, (guild or stage.guild).id
    await store.change_guild(
        where,
        lambda row: replace(
            row,
            daily=True,
            daily_channel_id=(channel or stage.channel).id,
            daily_hour=hour,
            daily_games=games,
        ),
    )
    await stage.wait(1)


def post(stage: DiscordStage, channel: Any = None) -> ShownMessage:
    return posts(stage, channel)[-1]


def posts(stage: DiscordStage, channel: Any = None) -> list[ShownMessage]:
    return [one for one in stage.posts(channel or stage.channel) if "Deal of the day" in one.text]


async def begin_play(stage: DiscordStage, name: str) -> Any:
    """Press Play under the newest post; return the answer with the panel."""
    result = await stage[name].click(post(stage).message, label="Play")
    assert result.ephemeral
    return result


def now(stage: DiscordStage) -> float:
    return stage.env.now().timestamp()


def today(stage: DiscordStage) -> str:
    return day_of(now(stage))


async def table_of(stage: DiscordStage, name: str, day: str | None = None) -> Any:
    parlour, day = stage.bot.app.parlour, day or today(stage)
    for play in await parlour.store.daily.plays_of(stage[name].id, day, day):
        return await parlour.table(play.table_id)
    raise AssertionError(f"{name} has not begun the deal of {day}")


async def play_of(stage: DiscordStage, name: str, day: str | None = None) -> Any:
    row = await stage.bot.app.parlour.store.daily.play_at((await table_of(stage, name, day)).id)
    assert row is not None
    return row


async def finish_play(stage: DiscordStage, name: str, seed: int = 0, person: Any = None) -> Any:
    """Play today's deal to its end at random, without panels."""
    parlour, who = stage.bot.app.parlour, (person or stage[name]).id
    with stage.env.time_context():
        day = parlour.daily.today
        game = await parlour.daily.game_here(stage.guild.id, day)
        table = await parlour.daily.open(Occupant(name, who), day, game)
        await play_on(stage, table, who, seed)
        play = await parlour.store.daily.play_at(table.id)
    await stage.env.settle()
    assert play is not None
    return play


async def play_on(stage: DiscordStage, table: Any, who: int, seed: int = 0) -> None:
    parlour, rng = stage.bot.app.parlour, Random(seed)
    while table.phase is Phase.PLAY:
        if table.computers_owing:
            await parlour.computers.finish()
        else:
            moves = await parlour.play.moves(table.id, who)
            await parlour.play.move(table.id, who, [rng.choice(moves)])
        table = await parlour.table(table.id)
    await parlour.standings.finish()


async def next_day(stage: DiscordStage, after: float = 30.0) -> None:
    """Go on to the next day; its results are in."""
    await stage.wait(begins(add_days(today(stage), 1)) + after - now(stage))
    await finish_results(stage)


async def finish_results(stage: DiscordStage) -> None:
    for _ in range(3):
        with stage.env.time_context():
            await stage.bot.app.parlour.computers.finish()
            await stage.bot.app.parlour.standings.finish()
        await stage.env.advance_time(LOOKS_EVERY)
