import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from random import Random
from typing import Any

import pytest
from hypothesis import Phase as Generated
from hypothesis import given, settings
from hypothesis import strategies as st

from cogs.daily import posts as daily_posts
from cogs.daily import words
from cogs.daily.words import format_day
from cogs.discord import messages
from cogs.ui.press import Press
from db.records import DailyPointsRow
from db.subjects.daily import COUNTED, Daily
from engines.marks import capital
from engines.tesla.moves import Marked, Taken, TeslaEndTurn, TeslaPlaced
from tables.clocks.pace import HOUR, add_days
from tables.core.history import events_of
from tables.core.table import Occupant, Phase
from tests.db.rows import points_on
from tests.discord.daily import days
from tests.discord.daily.days import (
    begin_play,
    finish_play,
    finish_results,
    next_day,
    play_of,
    post,
    posts,
    table_of,
    today,
    turn_on,
)
from tests.discord.stage import LOOKS_EVERY, DiscordStage, ShownMessage, pick, read_message
from tests.often import often

pytestmark = [pytest.mark.usefixtures("patient")]


async def click_through(stage: DiscordStage, name: str, result: Any, seed: int = 1) -> Any:
    """Play Ribbon Tangle alone by clicks in one panel, to the end."""
    rng = Random(seed)
    for _ in range(200):
        panel = read_message(result.response)
        if "Share" in panel.buttons or "Standing" in panel.buttons:
            return panel
        if "flip" in panel.menus:
            await pick(stage[name], result.response, "flip", rng.choice(panel.values("flip")))
        elif "End my turn anyway" in panel.buttons:
            await stage[name].click(result.response, label="End my turn anyway")
        elif "End turn and win" in panel.buttons:
            await stage[name].click(result.response, label="End turn and win")
        elif "End turn" in panel.buttons:
            await stage[name].click(result.response, label="End turn")
        else:
            hand = next(label for label in panel.buttons if label.startswith("Hand "))
            await stage[name].click(result.response, label=hand)
    raise AssertionError("the play did not end")


async def test_a_deal_is_posted_played_in_one_panel_and_told_without_spoilers(stage: DiscordStage) -> None:
    await days.turn_on(stage, "ribbon")
    assert "Nobody has finished yet." in days.post(stage).text
    before = len(stage.posts(stage.channel))

    result = await days.begin_play(stage, "Ann")
    assert "one try" in read_message(result.response).text
    panel = await click_through(stage, "Ann", result)

    assert "angled" in panel.text
    assert "moves" in panel.text
    await stage.env.advance_time(12)
    assert len(stage.posts(stage.channel)) == before
    assert not stage.channel.threads
    assert "**1. Ann**" in days.post(stage).text
    shared = await stage["Ann"].click(days.post(stage).message, label="Share")
    play = await days.play_of(stage, "Ann")
    assert shared.ephemeral
    assert play.signs in shared.response.content
    assert days.today(stage) in shared.response.content


@pytest.mark.essential
async def test_the_results_come_into_the_post_when_the_day_is_over(stage: DiscordStage) -> None:
    await days.turn_on(stage, "ribbon")
    day = days.today(stage)
    await days.finish_play(stage, "Ann", 1)
    await days.finish_play(stage, "Bo", 2)
    promise = await stage.bot.app.parlour.daily.deal(day, "ribbon")
    shown = stage.bot.app.parlour.daily.promise(promise)
    early = await stage["Ann"].click(days.post(stage).message, label="Check the deal")
    assert shown in early.response.content
    assert promise.seed not in early.response.content
    assert shown not in days.post(stage).text

    await days.next_day(stage)

    first, second = days.posts(stage)
    assert "results" in first.text
    assert "Ann" in first.text
    assert "Bo" in first.text
    assert "strong computer" in first.text
    checked = await stage["Bo"].click(first.message, label="Check the deal")
    assert checked.ephemeral
    assert all(part in checked.response.content for part in (shown, promise.seed, promise.salt))
    assert shown not in first.text
    assert [name.split(".")[-1] for name in first.files] == ["png", "gif"]
    assert f"/{first.message.id})" in second.text
    points = await points_on(stage.bot.app.parlour.store, stage.guild.id, day)
    assert sorted(row.points for row in points)[-1] == 10
    assert (await days.table_of(stage, "Ann", day)).day == day


async def test_only_days_with_a_deal_are_offered_and_understood_however_they_are_typed(
    stage: DiscordStage,
) -> None:
    await days.turn_on(stage, "ribbon")
    first = days.today(stage)
    assert await stage["Ann"].autocomplete(stage.channel, "daily play", "day", "") == []
    await days.next_day(stage)

    (line,) = await stage["Ann"].autocomplete(stage.channel, "daily play", "day", "")

    assert line["value"] == first
    for day, text in (
        ("2999-01-01", "hasn't come yet"),
        ("2019-05-05", "That day has no deal"),
        ("soon", "like 2026"),
    ):
        answer = await stage["Ann"].slash(stage.channel, "daily play", day=day)
        assert answer.ephemeral
        assert text in answer.response.content
    for typed in (line["name"], line["name"].partition(" (")[0], first):
        answer = await stage["Ann"].slash(stage.channel, "daily play", day=typed)
        assert format_day(first) in read_message(answer.response).text


DUELS = ("tesla", *(pytest.param(slug, marks=pytest.mark.thorough) for slug in ("tanglewood", "tangle")))
"""Against computers that look ahead, one such game represents all, except in a thorough run."""


@pytest.mark.essential
@pytest.mark.parametrize("game", [*DUELS, "tangram"])
async def test_each_game_opens_in_a_panel_and_ends_with_its_result(stage: DiscordStage, game: str) -> None:
    await days.turn_on(stage, game)
    panel = read_message((await days.begin_play(stage, "Ann")).response)
    assert "one try" in panel.text
    assert panel.files

    await days.finish_play(stage, "Ann", 1)
    end = read_message((await days.begin_play(stage, "Ann")).response)
    play = await days.play_of(stage, "Ann")

    assert f"**{capital(play.said)}**" in end.text
    assert "Share" in end.buttons
    assert len(stage.posts(stage.channel)) == 1


def deed_text(event: TeslaPlaced | Marked | Taken) -> str:
    """Return what a line says of a deed."""
    return (
        event.cell
        if isinstance(event, TeslaPlaced)
        else ("marks " if isinstance(event, Marked) else "marker from")
    )


async def test_somebody_alone_hears_the_others_whole_turn(stage: DiscordStage) -> None:
    await days.turn_on(stage, "tesla")
    await days.begin_play(stage, "Ann")
    table = await days.table_of(stage, "Ann")
    parlour = stage.bot.app.parlour
    with stage.env.time_context():
        await parlour.computers.finish()
        await parlour.play.move(table.id, stage["Ann"].id, [TeslaEndTurn()])
        ended = (await parlour.table(table.id)).version
        await parlour.computers.finish()

    message = read_message((await stage.send_press("Ann", Press("table", "turn", table.id, 0))).response)

    rows = await parlour.store.actions(table.id, after=ended)
    happened = [event for row in rows for event in events_of(table, row)]
    done = [event for event in happened if isinstance(event, TeslaPlaced | Marked | Taken)]
    assert done
    assert all(deed_text(event) in message.text for event in done)
    assert " draws " in message.text


async def test_a_play_has_no_button_that_leads_out_of_it(stage: DiscordStage) -> None:
    await days.turn_on(stage, "tesla")
    panel = read_message((await days.begin_play(stage, "Ann")).response)
    assert not {"Hint", "Rematch", "Leave the game"} & panel.buttons.keys()
    table = await days.table_of(stage, "Ann")
    board = read_message((await stage.send_press("Ann", Press("table", "board", table.id))).response)
    assert {"Take turn", "My hand", "Rules"} == board.buttons.keys()

    await days.finish_play(stage, "Ann", 1)
    end = read_message((await days.begin_play(stage, "Ann")).response)

    assert "Rematch" not in end.buttons
    replay = await stage.send_press("Ann", Press("table", "replay", table.id))
    assert "Show it to everyone" not in read_message(replay.response).buttons
    assert "1. Ann**" in days.post(stage).text or "Nobody" in days.post(stage).text


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
    assert f"Your streak: {sum('Ann' in names for names in played.values())} days" in calendar.text
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
        line.left = 5 * number % STEPS
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


async def test_nobody_is_shown_anything_of_a_play_that_goes_on(stage: DiscordStage) -> None:
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
@pytest.mark.essential
async def test_a_finished_play_shows_one_line_alone(stage: DiscordStage, game: str) -> None:
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
