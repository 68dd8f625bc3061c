"""Whatever Discord refuses a game with, nobody plays unseen, all hear of it, and it heals by itself."""

import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest
from simcord.backend.models.channel import Overwrite
from simcord.enums import OverwriteType

from cogs.discord.work import LASTING_AFTER, LASTING_FOR, Refusals, is_refusal
from cogs.posts.places import OBSTACLES, Blocked
from tables.clocks.pace import DAY, HOUR, MINUTE
from tables.core.table import BoardObstacle
from tables.time import lateness
from tests.discord.stage import DiscordStage, read_message

pytestmark = [pytest.mark.usefixtures("patient")]

OPTIONS: dict[str, Any] = {"mode": "versus", "first": "host", "ribbon_choice": "random", "pace": "daily"}
DOCUMENTED: dict[str, list[int]] = tomllib.loads(Path(__file__).with_name("refusals.toml").read_text("utf-8"))
KNOWN = [(int(status), code) for status, codes in DOCUMENTED.items() for code in codes]
PARTS = 8
"""The tests that share the documented refusals."""
UNKNOWN = [(400, 654321), (409, 0), (451, 7)]
USUAL = [(400, 200000), (403, 50009), (400, 654321)]
SPECIAL = [
    *[(400, code) for code in (50024, 50035, 50083, 160004, 160005, 160006)],
    *[(403, code) for code in (0, 50001, 50005, 50007, 50013)],
    *[(404, code) for code in (10003, 10004, 10008)],
    (409, 0),
]
"""Refusals that some part of the bot knows, and others of their kind."""
EVERY = [*USUAL, *(pytest.param(*one, marks=pytest.mark.thorough) for one in SPECIAL)]
LONG_ENOUGH = 400
"""Seconds in which a post is tried often enough to be given up."""
POSTS, EDITS = "messages", "messages/*"


def refuse(stage: DiscordStage, place: Any, what: str, status: int, code: int) -> None:
    method = "PATCH" if what == EDITS else "POST"
    path = f"/channels/{place.id}/{what}"
    stage.env.inject_error(method, path, status=status, code=code, times=None)


async def move(stage: DiscordStage) -> None:
    """Take Ann's turn, and let its post be tried."""
    await stage["Ann"].slash(stage.channel, "ribbon choose", choice="flip 3", table=1)
    await stage["Ann"].slash(stage.channel, "ribbon end", table=1)
    await stage.env.advance_time(LONG_ENOUGH)


async def heal(stage: DiscordStage) -> None:
    stage.env.backend.faults.clear()
    await stage.wait(HOUR)
    await stage.env.advance_time(60)


def dms(stage: DiscordStage, name: str, text: str) -> list[str]:
    every = [read_message(one).text for one in stage[name].user.dm_channel.history()]
    return [one for one in every if text in one]


async def require_stopped(stage: DiscordStage, status: int, code: int) -> None:
    """Check that a game waits, and that everybody knows why."""
    table = await stage.table()
    assert table.obstacle is OBSTACLES.get(code, BoardObstacle.REFUSED)
    for name in ("Ann", "Bo"):
        assert len(dms(stage, name, "I can't show the board")) == 1
    listed = await stage.admin.slash(stage.channel, "admin tables")
    what = f"code {code}" if code >= 1000 else f"status {status}"
    assert f"Discord refuses the board with {what}" in read_message(listed.response).text


@pytest.mark.parametrize(("status", "code"), EVERY)
async def test_a_refused_board_stops_the_game_till_shown(stage: DiscordStage, status: int, code: int) -> None:
    place = await stage.open("Ann", "Bo", **OPTIONS)
    for one in (place, stage.channel):
        refuse(stage, one, POSTS, status, code)

    await move(stage)
    await require_stopped(stage, status, code)

    await heal(stage)
    assert (await stage.table()).obstacle is None
    shown = [post.text for one in (place, stage.channel) for post in stage.posts(one)]
    assert any(" at 3." in text for text in shown)


@pytest.mark.parametrize(("status", "code"), EVERY)
async def test_a_refused_thread_leaves_no_game_unseen(stage: DiscordStage, status: int, code: int) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new", **OPTIONS)
    card = stage.card().message
    await stage["Bo"].click(card, label="Join")
    refuse(stage, stage.channel, "messages/*/threads", status, code)

    await stage["Ann"].click(card, label="Start")
    await stage.env.advance_time(LONG_ENOUGH)

    if (await stage.table()).obstacle is None:
        assert "Take turn" in stage.post(stage.channel).buttons
    else:
        await require_stopped(stage, status, code)
    await heal(stage)
    assert (await stage.table()).obstacle is None
    place = stage.channel.threads[-1] if stage.channel.threads else stage.channel
    assert "Take turn" in stage.post(place).buttons


@pytest.mark.parametrize(("status", "code"), EVERY)
@pytest.mark.essential
async def test_a_refused_edit_is_replaced_by_a_new_board(stage: DiscordStage, status: int, code: int) -> None:
    place = await stage.open("Ann", "Bo", **OPTIONS)
    before = len(stage.posts(place)) + len(stage.posts(stage.channel))
    refuse(stage, place, EDITS, status, code)

    await stage.refresh("board")
    await stage.env.advance_time(LONG_ENOUGH)

    assert len(stage.posts(place)) + len(stage.posts(stage.channel)) > before
    assert (await stage.table()).obstacle is None
    assert (await stage.bot.app.parlour.store.outbox_of(1, 1e12)) == []


@pytest.mark.parametrize(("status", "code"), EVERY)
async def test_a_refused_dm_is_explained_in_the_thread(stage: DiscordStage, status: int, code: int) -> None:
    dm = stage["Bo"].user.dm_channel
    refuse(stage, dm, POSTS, status, code)
    place = await stage.open("Ann", "Bo", **OPTIONS)
    await stage.env.advance_time(LONG_ENOUGH)

    [note] = [post for post in stage.posts(place) if "My hand" in post.text]
    assert f"<@{stage['Bo'].id}>" in note.text
    assert "you don't allow DMs" in note.text or f"(code {code or status})" in note.text
    assert (await stage.bot.app.parlour.store.outbox_of(1, 1e12)) == []
    shown = await stage["Bo"].click(note.message, label="My hand")
    assert shown.ephemeral


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(PARTS))
async def test_each_documented_refusal_of_a_board_stops_the_game_until_it_is_shown(
    stage: DiscordStage, part: int
) -> None:
    place = await stage.open("Ann", "Bo", **OPTIONS)
    for status, code in KNOWN[part::PARTS]:
        for one in (place, stage.channel):
            for what in (POSTS, EDITS):
                refuse(stage, one, what, status, code)
        async with stage.run_by_itself() as parlour:  # something new to show
            await parlour.decide(
                1, lateness.extend_time, actor_id=stage.admin.id, user_id=stage["Ann"].id, seconds=MINUTE
            )
            await parlour.refresh(1, "board", 0, fresh=True)
        await stage.env.advance_time(LONG_ENOUGH)
        table = await stage.table()
        assert table.obstacle is OBSTACLES.get(code, BoardObstacle.REFUSED), (status, code)
        assert not any(clock.runs for clock in table.clocks)

        await heal(stage)
        assert (await stage.table()).obstacle is None, (status, code)


async def test_an_outage_stops_no_clock_however_long_it_lasts(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", **OPTIONS)
    refuse(stage, place, POSTS, 503, 0)

    await move(stage)

    assert (await stage.table()).obstacle is None


async def test_a_refusal_that_passes_stops_no_clock(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", **OPTIONS)
    stage.env.inject_error("POST", f"/channels/{place.id}/messages", status=400, code=50024, times=2)

    await move(stage)

    assert (await stage.table()).obstacle is None
    assert dms(stage, "Bo", "I can't show the board") == []


async def test_the_card_of_a_game_in_a_closed_channel_is_given_up(stage: DiscordStage) -> None:
    await stage.open("Ann", "Bo", **OPTIONS)
    card = stage.card().message
    path = f"/channels/{stage.channel.id}/messages/{card.id}"
    stage.env.inject_error("PATCH", path, status=403, code=50001, times=None)
    await stage.refresh("lobby")
    await stage.env.advance_time(LONG_ENOUGH)

    tried = sum(one.method == "PATCH" and one.path == path for one in stage.env.http_requests)
    await stage.wait(8 * HOUR)

    assert sum(one.method == "PATCH" and one.path == path for one in stage.env.http_requests) == tried
    assert (await stage.bot.app.parlour.store.outbox_of(1, 1e12)) == []


@pytest.mark.parametrize(("status", "code"), [*KNOWN, *UNKNOWN])
def test_every_refusal_is_one_and_keeps_its_code(status: int, code: int) -> None:
    response = SimpleNamespace(status=status, reason="No")
    error = discord.HTTPException(cast(Any, response), {"code": code, "message": "No"})

    assert is_refusal(error)
    blocked = Blocked.by(error)
    assert blocked.obstacle is OBSTACLES.get(code, BoardObstacle.REFUSED)
    assert blocked.refusal == (code or status)


@pytest.mark.parametrize("status", [401, 429, 500, 502, 503])
def test_a_limit_and_an_outage_refuse_nothing(status: int) -> None:
    response = SimpleNamespace(status=status, reason="No")

    assert not is_refusal(discord.HTTPException(cast(Any, response), "no"))


def test_a_refusal_lasts_only_if_it_is_repeated_and_long() -> None:
    now = 0.0
    refusals = Refusals(lambda: now)
    assert not any(refusals.note("board") for _ in range(10 * LASTING_AFTER))

    now = LASTING_FOR
    assert refusals.note("board")

    refusals.forget("board")
    now = 9 * LASTING_FOR
    assert not refusals.note("board")


async def test_a_refused_answer_is_told_with_its_code(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", **OPTIONS)
    stage.trouble = True
    for status, code in ((400, 50024), (400, 654321), (409, 0)):
        stage.env.inject_error("POST", "/interactions/*/*/callback", status=status, code=code, times=1)
        answer = await stage["Ann"].slash(place, "table show")
        assert f"Discord refused that (code {code or status})" in answer.response.content
        assert "may still have worked" in answer.response.content


def forbid(stage: DiscordStage, *names: str) -> None:
    bot = stage.env.backend.bot_user.id
    denied = discord.Permissions(**dict.fromkeys(names, True)).value
    taken = [Overwrite(bot, OverwriteType.MEMBER, deny=denied)] if names else []
    stage.env.backend.edit_channel(stage.channel.id, {}, overwrites=taken)


async def test_a_thread_is_made_in_an_announcement_channel_whose_card_is_gone(stage: DiscordStage) -> None:
    news = stage.guild.create_news_channel("news")
    await stage["Ann"].slash(stage.channel, "ribbon new", mode="coop", computers=1)
    await stage["Ann"].click(stage.card().message, label="Start")

    await stage.admin.slash(stage.channel, "admin move", channel=news, table=1)
    await stage.env.advance_time(30)

    (thread,) = news.threads
    assert "Take turn" in stage.post(thread).buttons


async def block_board(stage: DiscordStage) -> Any:
    """Return a game whose board can't be shown anywhere any more."""
    place = await stage.open("Ann", "Bo", **OPTIONS)
    forbid(stage, "send_messages", "send_messages_in_threads")
    await stage["Ann"].slash(stage.channel, "ribbon choose", choice="flip 3", table=1)
    await stage["Ann"].slash(stage.channel, "ribbon end", table=1)
    await stage.env.advance_time(120)
    return place


@pytest.mark.essential
async def test_every_command_says_what_is_wrong_and_what_to_do(stage: DiscordStage) -> None:
    await block_board(stage)

    assert (await stage.table()).obstacle is BoardObstacle.NO_PERMISSION
    shown = await stage["Bo"].slash(stage.channel, "table show", table=1)
    mine = await stage["Bo"].slash(stage.channel, "mine")
    tables = await stage.admin.slash(stage.channel, "admin tables")
    for text in (read_message(shown.response).text, read_message(mine.response).text, stage.card().text):
        assert "I can't show the board. I can't post in" in text
    assert "I can't show the board" in read_message(tables.response).text


@pytest.mark.essential
async def test_nobody_is_late_while_the_board_cannot_be_shown_and_it_goes_on_by_itself(
    stage: DiscordStage,
) -> None:
    place = await block_board(stage)
    before = len(stage.posts(place))

    await stage.wait(9 * DAY)
    table = await stage.table()
    assert table.obstacle is not None
    assert all(clock.late is None for clock in table.clocks)

    forbid(stage)
    await stage.wait(HOUR)
    await stage.env.advance_time(60)
    table = await stage.table()
    assert table.obstacle is None
    assert all(clock.late is None for clock in table.clocks)
    with stage.env.time_context():
        [waited] = await stage.bot.app.parlour.waited_people(table)
    assert waited.left == pytest.approx(2 * DAY, abs=2 * HOUR)
    assert len(stage.posts(place)) == before + 1
    assert " at 3." in stage.post(place).text
    assert "Bo's move is due" in stage.post(place).text
    assert "I can't show the board" not in stage.card().text
