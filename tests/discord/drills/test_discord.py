"""Discord fails, forbids, forgets or is gone: nothing is lost, and all goes on by itself."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import aiohttp
import discord
import pytest
from sqlalchemy import text

from cogs.ui.press import UNSURE
from engines.workers import Workers
from tables.runtime import LONGEST_PAUSE
from tests.db.incidents import log_lines
from tests.discord.stage import DiscordStage, read_message


@contextmanager
def failing(stage: DiscordStage, path: str, **how: Any) -> Iterator[None]:
    stage.env.inject_error("*", path, times=None, **how)
    yield
    stage.env.backend.faults.clear()


@pytest.mark.parametrize("status", [500, 503, 429])
async def test_an_outage_delays_a_post_and_is_told_once(
    stage: DiscordStage, place: Any, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    before = len(stage.posts(place))
    with failing(stage, "/channels/*", status=status):
        await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")
        for _ in range(4):
            await stage.env.advance_time(60)
        assert len(stage.posts(place)) == before

    await stage.env.advance_time(LONGEST_PAUSE)

    assert len(stage.posts(place)) == before + 1
    assert " at 3." in stage.post(place).text
    assert [line.partition(" yet: ")[0] for line in log_lines(caplog)] == ["table 1, board: not shown"]


async def test_a_thread_whose_deletion_nobody_heard_of_is_made_anew(
    stage: DiscordStage, place: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with stage.away():
        stage.env.backend.delete_channel(place.id)

    await stage["Ann"].slash(stage.channel, "ribbon choose", choice="flip 3", table=1)
    await stage.env.advance_time(60)

    again = stage.channel.threads[-1]
    assert "Take turn" in stage.post(again).buttons
    assert log_lines(caplog) == []


async def test_answers_that_discord_does_not_take_are_told_of_once_and_the_moves_stand(
    stage: DiscordStage, place: Any, caplog: pytest.LogCaptureFixture
) -> None:
    stage.trouble = True
    with failing(stage, "/interactions/*", status=503):
        await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")
        await stage["Bo"].slash(place, "ribbon choose", choice="flip 9")
    assert len(log_lines(caplog)) == 1
    assert (await stage.view()).circle[2] is not None

    result, panel = await stage.panel("Bo", place)

    assert result.ephemeral
    assert panel.menus
    assert len(log_lines(caplog)) == 1


async def test_an_answer_at_the_second_try_asks_to_look(
    stage: DiscordStage, place: Any, caplog: pytest.LogCaptureFixture
) -> None:
    stage.trouble = True
    stage.env.inject_error("POST", "/interactions/*/callback", status=500, times=1)

    answer = await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")

    assert answer.ephemeral
    assert answer.response.content == UNSURE
    assert " at 3." in stage.post(place).text
    assert len(log_lines(caplog)) == 1


@pytest.mark.parametrize(
    ("status", "code", "message"),
    [(404, 10062, "Unknown interaction"), (401, 50027, "Invalid Webhook Token")],
)
async def test_what_comes_too_late_to_be_answered_is_carried_out_and_told_once(
    stage: DiscordStage, place: Any, caplog: pytest.LogCaptureFixture, status: int, code: int, message: str
) -> None:
    stage.trouble = True
    with failing(stage, "/interactions/*", status=status, code=code, message=message):
        await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")

    assert " at 3." in stage.post(place).text
    assert [line.partition(" (")[0] for line in log_lines(caplog)] == ["an answer could not be given"]


@pytest.mark.parametrize(
    "error", [RuntimeError("Session is closed"), aiohttp.ClientConnectionError("closed")]
)
async def test_an_answer_that_the_stop_interrupts_is_logged_once(
    stage: DiscordStage, place: Any, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    async def closed(*_answer: Any, **_options: Any) -> Any:
        raise error

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(discord.InteractionResponse, "send_message", closed)
        patch.setattr(discord.InteractionResponse, "defer", closed)
        await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")
        stage.env._errors.clear()

    assert " at 3." in stage.post(place).text
    assert [line.partition(" (")[0] for line in log_lines(caplog)] == ["an answer could not be given"]
    assert not any(record.exc_info for record in caplog.records)


async def test_while_the_gateway_is_lost_no_time_passes_and_it_is_told_once(
    stage: DiscordStage, caplog: pytest.LogCaptureFixture
) -> None:
    place = await stage.open("Ann", "Bo", mode="coop", first="host", pace="daily")
    await stage.env.advance_time(60)
    waited = stage.bot.app.parlour.waited_people
    with stage.env.time_context():
        [before] = await waited(await stage.table())

    for seconds in (1200, 1200, 1200):
        await stage.report_gateway("disconnect")  # discord.py says so again at every try
        await stage.wait(seconds)
    await stage.report_gateway("resumed")
    await stage.env.advance_time(60)

    with stage.env.time_context():
        [after] = await waited(await stage.table())
    assert after.left == pytest.approx(before.left, abs=180)
    await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")
    assert " at 3." in stage.post(place).text
    assert log_lines(caplog) == ["lost Discord's gateway; clocks stop until it is back"]


async def test_a_gateway_that_is_back_in_a_moment_is_not_worth_a_line(
    stage: DiscordStage, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(3):
        await stage.report_gateway("disconnect")
        await stage.env.advance_time(6)
        await stage.report_gateway("resumed")
        await stage.env.advance_time(60)

    assert log_lines(caplog) == []


async def test_a_thread_that_may_not_be_opened_again_is_told_of_once_and_opened_when_it_may(
    stage: DiscordStage, place: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with failing(stage, f"/channels/{place.id}", status=403, code=50013):
        for _ in range(2):
            stage.archive(place)
            await stage.env.settle()
            stage.env.backend.edit_channel(place.id, {}, thread_metadata={"archived": False})
            await stage.env.settle()
    assert len(log_lines(caplog)) == 1

    stage.archive(place)
    await stage.env.settle()

    assert not stage.is_archived(place)
    assert len(log_lines(caplog)) == 1


UNREADABLE = "I can't read this table. I've told the people who run this bot."


@pytest.fixture
async def places(stage: DiscordStage) -> tuple[Any, Any]:
    """Open a table and damage its row, and open another beside it."""
    broken = await stage.open("Ann", "Bo", mode="coop", first="host")
    healthy = await stage.open("Cy", "Dee", mode="coop", first="host")
    store = stage.bot.app.parlour.store
    await store._execute(text("update tables set clocks = '{' where id = 1"))
    stage.trouble = True
    await stage.restart()
    return broken, healthy


async def test_its_people_and_administrators_read_that(stage: DiscordStage, places: tuple[Any, Any]) -> None:
    broken, _ = places

    _, panel = await stage.panel("Ann", broken)
    assert panel.text == UNREADABLE
    typed = await stage["Bo"].slash(broken, "table show", table=1)
    assert typed.response.content == UNREADABLE
    asked = await stage.admin.slash(stage.channel, "admin close", table=1)
    assert asked.response.content == UNREADABLE


async def test_lists_leave_it_out_and_the_others_play_on(
    stage: DiscordStage, places: tuple[Any, Any]
) -> None:
    for who, command in (("Ann", "table list"), ("Cy", "table list"), ("Ann", "mine"), ("Cy", "mine")):
        shown = read_message((await stage[who].slash(stage.channel, command)).response)
        assert "Sorry" not in shown.text
        assert ("able 2" in shown.text) == (command == "table list" or who == "Cy")
    listed = read_message((await stage.admin.slash(stage.channel, "admin tables")).response)
    assert "able 2" in listed.text
    await stage["Cy"].slash(places[1], "ribbon choose", choice="flip 1")
    assert (await stage.table(2)).version > 2


pytestmark = [pytest.mark.drawn]


@pytest.fixture(autouse=True)
def picture_cache() -> None:
    """Draw again what other tests have drawn."""


@pytest.fixture
def workers() -> Iterator[Workers]:
    """Yield a worker of the test's own, which it may kill."""
    own = Workers(1)
    yield own
    own.close()


async def test_a_post_is_drawn_although_its_worker_was_killed(
    stage: DiscordStage, workers: Workers, caplog: pytest.LogCaptureFixture
) -> None:
    place = await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")
    os.kill(await workers.run(os.getpid), signal.SIGKILL)

    result = await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")

    assert result.ephemeral
    assert " at 3." in stage.post(place).text
    assert stage.post(place).files
    assert len(log_lines(caplog)) == 1
