"""Nobody's messages depend on another person's unfinished play."""

import asyncio
from random import Random
from typing import Any

import pytest
from hypothesis import Phase as Generated
from hypothesis import given, settings
from hypothesis import strategies as st

from cogs.daily import words
from cogs.ui.press import Press
from tables.core.table import Occupant, Phase
from tests.discord.daily.days import begin_play, finish_play, next_day, post, table_of, today, turn_on
from tests.discord.stage import LOOKS_EVERY, DiscordStage, ShownMessage, read_message
from tests.often import often

SLUGS = ("ribbon", "tangram", "tanglewood", "tesla", "tangle")
WAYS = ("table turn", "table board", "table hand", "table replay", "record turn", "table verify", "daily dm")


def message_parts(shown: ShownMessage) -> tuple[Any, ...]:
    """Return a message as its reader gets it.

    This covers its words, what its buttons mean, its pictures and their sizes.
    """
    ids = [(one.get("label"), one.get("custom_id"), one.get("disabled")) for one in shown.components]
    files = [(one.filename, one.size) for one in shown.message.attachments]
    return shown.text, ids, shown.alts, files


async def look_everywhere(
    stage: DiscordStage, name: str, other: int, *, files: bool = True
) -> list[tuple[Any, ...]]:
    """Return everything that somebody can get while others play.

    They use commands, buttons and forged presses.
    """
    day, table = today(stage), other
    answers = [
        await stage[name].slash(stage.channel, "daily play"),
        await stage[name].slash(stage.channel, "daily standing"),
        await stage[name].slash(stage.channel, "daily calendar"),
        await stage[name].slash(stage.channel, "daily share"),
        await stage[name].slash(stage.channel, "mine"),
        await stage[name].slash(stage.channel, "table list"),
        await stage[name].slash(stage.channel, "table show", table=table),
        await stage[name].slash(stage.channel, "table export", table=table),
        *([await stage[name].slash(stage.channel, "privacy", what="export")] if files else []),
    ]
    for way in WAYS:
        room, verb = way.split()
        answers.append(await stage.send_press(name, Press(room, verb, table, 1, "0")))
    answers.append(await stage[name].click(post(stage).message, label="Standing"))
    assert day == today(stage)
    shown = [message_parts(read_message(one.response)) for one in answers]
    sent = (
        []
        if not files
        else [message_parts(read_message(one)) for one in stage[name].user.dm_channel.history()[-1:]]
    )
    return [*shown, message_parts(post(stage)), *sent]


async def make_moves(stage: DiscordStage, name: str, moves: int, rng: Random) -> bool:
    """Make up to `moves` random moves; return True if it is over."""
    parlour, user = stage.bot.app.parlour, stage[name].id
    with stage.env.time_context():
        table = await parlour.daily.open(Occupant(name, user), today(stage), await game_of(stage))
        for _ in range(moves):
            await parlour.computers.finish()
            legal = await parlour.play.moves(table.id, user)
            if not legal:
                break
            await parlour.play.move(table.id, user, [rng.choice(legal)])
        await parlour.computers.finish()
        await parlour.standings.finish()
        over = (await parlour.table(table.id)).phase is not Phase.PLAY
    await stage.env.advance_time(LOOKS_EVERY)
    return over


async def game_of(stage: DiscordStage) -> str:
    row = await stage.bot.app.parlour.store.daily.post(stage.guild.id, today(stage))
    assert row is not None
    return row.game


async def test_nobody_is_shown_anything_of_a_play_that_goes_on(stage: DiscordStage, patient: None) -> None:
    loop = asyncio.get_running_loop()

    @settings(max_examples=often(1, 40), deadline=None, database=None, phases=[Generated.generate])
    @given(
        game=st.sampled_from(SLUGS),
        seed=st.integers(0, 10**6),
        steps=st.lists(st.integers(1, 4), min_size=1, max_size=often(1, 3)),
    )
    def holds(game: str, seed: int, steps: list[int]) -> None:
        asyncio.run_coroutine_threadsafe(check_secrecy(stage, game, seed, steps), loop).result()

    await asyncio.to_thread(holds)


async def check_secrecy(stage: DiscordStage, game: str, seed: int, steps: list[int]) -> None:
    """Check on another day that Ann's play changes nothing for Bo."""
    await turn_on(stage, game)
    await next_day(stage)
    await begin_play(stage, "Ann")
    await begin_play(stage, "Bo")
    other, rng = (await table_of(stage, "Ann")).id, Random(seed)
    await look_everywhere(stage, "Bo", other)  # one-time texts, and Bo's draft, which is saved later
    await stage.env.advance_time(LOOKS_EVERY)
    before = await look_everywhere(stage, "Bo", other)
    for moves in steps:
        if await make_moves(stage, "Ann", moves, rng):
            return
        for then, now in zip(before, await look_everywhere(stage, "Bo", other), strict=True):
            assert then == now


@pytest.mark.parametrize("game", ["ribbon", pytest.param("tesla", marks=pytest.mark.thorough)])
async def test_a_finished_play_shows_one_line_alone(stage: DiscordStage, patient: None, game: str) -> None:
    await turn_on(stage, game)
    await begin_play(stage, "Ann")
    await begin_play(stage, "Bo")
    other = (await table_of(stage, "Ann")).id
    await look_everywhere(stage, "Bo", other, files=False)
    before = await look_everywhere(stage, "Bo", other, files=False)
    play = await finish_play(stage, "Ann", 1)
    await stage.env.advance_time(2 * LOOKS_EVERY)
    after = await look_everywhere(stage, "Bo", other, files=False)

    line = f"**1. Ann** · {words.line(play)}"
    for then, now in zip(before, after, strict=True):
        if then != now:
            assert line in now[0]
            assert set(now[0].splitlines()) - set(then[0].splitlines()) <= {
                line,
                "**1 person has finished**",
                words.legend(game),
            }
            assert now[2:] == then[2:]
