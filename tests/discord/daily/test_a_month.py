"""A month of the deal of the day, in which the bot dies at every step of its posts."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from random import Random
from typing import Any

import pytest

from cogs.daily import posts as daily_posts
from cogs.discord import messages
from db.records import DailyPointsRow
from db.subjects.daily import COUNTED, Daily
from tables.clocks.pace import HOUR, add_days
from tests.db.rows import points_on
from tests.discord.daily.days import finish_play, finish_results, next_day, play_of, posts, today, turn_on
from tests.discord.stage import LOOKS_EVERY, DiscordStage, read_message
from tests.often import often

pytestmark = [pytest.mark.usefixtures("patient")]
HOUSE = 600
"""Seconds that the strong computer may need for its decisions of a day on a machine at work."""
STEPS = 14
"""The number of moments in a day, before and after each write and each request."""


LOOKS = 4
"""The number of times that two keepers check the posts of a day; one of them is killed."""
WHO: ContextVar[str] = ContextVar("who", default="")
"""The name of the keeper that writes and sends."""


class KeeperKilled(Exception):
    """The process is dead."""


class CutLine:
    """Carries everything that the posts of a day write and send; it is cut at one moment."""

    def __init__(self) -> None:
        self.left = 10**9
        self.whose = ""

    def count_moment(self) -> None:
        """Count a moment; kill the current keeper if it is theirs."""
        if WHO.get() != self.whose:
            return
        self.left -= 1
        if self.left < 0:
            raise KeeperKilled

    def through(self, known: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """Wrap a call that may be the last, or never happen."""

        async def done(*args: Any, **more: Any) -> Any:
            self.count_moment()
            result = await known(*args, **more)
            self.count_moment()
            return result

        return done


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch) -> CutLine:
    result = CutLine()
    for name in ("claim_post", "save_post", "close_post", "ask_notices", "note_members"):
        monkeypatch.setattr(Daily, name, result.through(getattr(Daily, name)))
    for name in ("send", "edit"):
        known = result.through(getattr(messages, name))
        monkeypatch.setattr(messages, name, known)
        monkeypatch.setattr(daily_posts, name, known)
    return result


def assert_posted_once(stage: DiscordStage, days: Sequence[str]) -> None:
    """Check that each day has one post, all but the last with results."""
    counts = Counter(post.text.splitlines()[0].removesuffix(" · results") for post in posts(stage))
    assert len(counts) == len(days)
    assert set(counts.values()) == {1}
    assert sum("· results" in post.text for post in posts(stage)) == len(days) - 1


async def test_a_bot_killed_at_every_step_posts_each_day_once(stage: DiscordStage, line: CutLine) -> None:
    stage.trouble = True  # the log names whoever dies
    await turn_on(stage, "ribbon")
    await finish_results(stage)
    days = [today(stage)]
    for step in range(0, STEPS, often(5, 1)):
        if not step:  # results, boards and a replay come from it
            await finish_play(stage, "Ann", 1)
            await stage.env.advance_time(LOOKS_EVERY)
        line.left = step
        await next_day(stage)
        line.left = 10**9
        await stage.restart()
        await finish_results(stage)
        days.append(today(stage))

    assert_posted_once(stage, days)
    points = [await points_on(stage.bot.app.parlour.store, stage.guild.id, day) for day in days]
    assert [len(rows) for rows in points] == [1] + [0] * (len(days) - 1)


def often_games() -> tuple[str, ...]:
    """Return the games of the month; long ones only if thorough."""
    return ("ribbon",) if often(0, 1) == 0 else ()


async def test_a_months_points_streaks_and_calendar_follow_from_plays(stage: DiscordStage) -> None:
    stage.env.settle_timeout = HOUSE
    await turn_on(stage, *often_games())
    first, played = today(stage), dict[str, list[str]]()
    for number in range(often(2, 31)):
        names = [name for name, beat in (("Ann", 1), ("Bo", 2), ("Cy", 3)) if number % beat == 0]
        for name in names:
            await finish_play(stage, name, number)
            if not (await play_of(stage, name)).counts:
                names = [one for one in names if one != name]
        played[today(stage)] = names
        await next_day(stage)

    daily = stage.bot.app.parlour.store.daily
    assert len(posts(stage)) == len(played) + 1
    for day, names in played.items():
        rows = await points_on(stage.bot.app.parlour.store, stage.guild.id, day)
        assert sorted(row.name for row in rows) == sorted(names)
        assert [row.points for row in rows] == sorted((row.points for row in rows), reverse=True)
    total = {row.name: row for row in await daily.standing(stage.guild.id, first, add_days(first, 60))}
    assert {name: total[name].days for name in total} == {
        name: sum(name in names for names in played.values())
        for name in ("Ann", "Bo", "Cy")
        if any(name in names for names in played.values())
    }
    calendar = read_message((await stage["Ann"].slash(stage.channel, "daily calendar")).response)
    assert calendar.files == ["calendar.png"]
    assert f"{sum('Ann' in names for names in played.values())} days in a row" in calendar.text
    profile = read_message((await stage["Ann"].slash(stage.channel, "profile")).response)
    assert "Deal of the day" in profile.text
    standing = read_message((await stage["Bo"].slash(stage.channel, "daily standing")).response)
    assert "(you)" in standing.text


async def test_kills_clocks_and_erasures_leave_one_try_and_post(stage: DiscordStage, line: CutLine) -> None:
    stage.trouble = True  # the log names whoever dies
    await turn_on(stage, "ribbon")
    await finish_results(stage)
    days, expected, rng = [today(stage)], dict[str, list[str]](), Random(43)
    for number in range(often(4, 31)):
        names = rng.sample(("Ann", "Bo", "Cy"), rng.randint(1, 3))
        plays = {name: await finish_play(stage, name, number) for name in names}
        if number % 2:
            plays[names[0]] = await erase_and_replay(stage, names[0], number)
            expected = {day: [one for one in those if one != names[0]] for day, those in expected.items()}
        if number % 3 == 0:
            await set_back(stage, HOUR)
        expected[today(stage)] = [name for name, play in plays.items() if play.counts]
        line.left = rng.randrange(STEPS)
        await next_day(stage)
        line.left = 10**9
        await stage.restart()
        await finish_results(stage)
        if number % 3 == 1:
            await set_back(stage, HOUR, meanwhile=("Ann", "Bo", "Cy"))
        days.append(today(stage))

    assert_posted_once(stage, days)
    for day, names in expected.items():
        rows = await points_on(stage.bot.app.parlour.store, stage.guild.id, day)
        assert sorted(row.name for row in rows) == sorted(names)
        assert sorted(row.points for row in rows) == sorted(points_of(rows))
    assert any(expected.values())


async def erase_and_replay(stage: DiscordStage, name: str, seed: int) -> Any:
    """Erase somebody and play the same deal again, which doesn't count."""
    with stage.env.time_context():
        await stage.bot.app.parlour.eraser.erase(stage[name].id)
    again = await finish_play(stage, name, seed + 1)
    assert not again.counts
    return again


async def set_back(stage: DiscordStage, seconds: float, meanwhile: Sequence[str] = ()) -> None:
    """Set the clock wrong for a while: closed days don't count."""
    stage.env.backend.advance_clock(-seconds)
    day = today(stage)
    for name in meanwhile:
        before = await stage.bot.app.parlour.store.daily.play_of(stage[name].id, day, "ribbon", COUNTED)
        after = await finish_play(stage, name, 1)
        assert after == before or not after.counts
    await finish_results(stage)
    stage.env.backend.advance_clock(seconds)
    await finish_results(stage)


def points_of(rows: Sequence[DailyPointsRow]) -> list[int]:
    """Return the points for a day's places; ties get the better one's."""
    return [(10, 8, 6)[row.place - 1] for row in rows]


async def test_two_keepers_of_which_one_dies_post_each_day_once(stage: DiscordStage, line: CutLine) -> None:
    stage.trouble = True  # the log names whoever dies
    await turn_on(stage, "ribbon")
    await finish_results(stage)
    bot: Any = stage.bot
    days = [today(stage)]
    for step in range(0, STEPS, often(5, 1)):
        await finish_play(stage, "Ann", step)
        line.left = step
        line.whose = "first"
        await next_day(stage, after=-5.0)
        stage.env.backend.advance_clock(10)
        with stage.env.time_context():
            both = [daily_posts.DailyPosts(bot, stage.bot.app) for _ in range(2)]
            for _ in range(LOOKS):
                await asyncio.gather(*map(check_posts, both, ("first", "second")))
                await stage.bot.app.parlour.computers.finish()
                await stage.bot.app.parlour.standings.finish()
                stage.env.backend.advance_clock(LOOKS_EVERY)
        line.left = 10**9
        await stage.env.settle()
        await finish_results(stage)
        days.append(today(stage))

    assert_posted_once(stage, days)


async def check_posts(keeper: daily_posts.DailyPosts, name: str) -> None:
    """Let one of several keepers check the posts; it may die."""
    token = WHO.set(name)
    try:
        await keeper._look()
    except KeeperKilled:
        pass
    finally:
        WHO.reset(token)


async def test_two_processes_post_a_day_once(stage: DiscordStage) -> None:
    await turn_on(stage, "ribbon")
    with stage.env.time_context():
        cog: Any = stage.bot.get_cog("DailyPosts")
        bot: Any = stage.bot
        other = daily_posts.DailyPosts(bot, stage.bot.app)
        await next_day(stage, after=-5.0)
        stage.env.backend.advance_clock(10)
        await other._look()
        await cog._look()
    await stage.env.settle()
    await finish_results(stage)

    assert len(posts(stage)) == 2
