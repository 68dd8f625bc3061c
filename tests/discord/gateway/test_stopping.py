"""The bot stops: what was acknowledged is finished and shown, and nothing new is begun."""

import asyncio
from typing import Any

import pytest

from cogs.posts.courier import DiscordCourier
from db.records import OutboxRow, PostRow
from host import client as starting
from tables.core.outbox import Delivery
from tests.discord.stage import DiscordStage, read_message

OPTIONS: dict[str, Any] = {"mode": "versus", "first": "host", "ribbon_choice": "random"}


async def test_a_request_during_the_stop_is_asked_to_return(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", **OPTIONS)
    before = await stage.table()
    stage.bot.work.stopping = True

    pressed = await stage["Ann"].click(stage.post(place).message, label="Take turn")
    typed = await stage["Ann"].slash(place, "table show")

    for answer in (pressed, typed):
        assert answer.ephemeral
        assert "I'm restarting, and nothing is lost." in answer.response.content
    assert await stage.table() == before
    await stage.bot.work.wait_until_idle()


async def test_accepted_moves_are_still_posted(stage: DiscordStage, monkeypatch: pytest.MonkeyPatch) -> None:
    place = await stage.open("Ann", "Bo", **OPTIONS)
    under_way, go_on = asyncio.Event(), asyncio.Event()
    show = DiscordCourier.show

    async def slowly(courier: DiscordCourier, row: OutboxRow, may_be_duplicate: bool) -> Delivery:
        under_way.set()
        await go_on.wait()
        return await show(courier, row, may_be_duplicate)

    monkeypatch.setattr(DiscordCourier, "show", slowly)
    parlour = stage.bot.app.parlour
    with stage.env.time_context():
        await parlour.refresh(1, "board", fresh=True)
        posts = len(stage.posts(place))
        await under_way.wait()
        ending = asyncio.create_task(stage.bot.close())
        await asyncio.sleep(0)
        assert not ending.done()
        go_on.set()
        await ending

    assert len(stage.posts(place)) == posts + 1
    assert await parlour.store.outbox_of(1, 1e12) == []


async def test_slow_work_is_left_to_the_next_start(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await stage.open("Ann", "Bo", **OPTIONS)
    monkeypatch.setattr(starting, "SHUTDOWN_TIMEOUT", 0.01)
    under_way = asyncio.Event()

    async def never(_courier: DiscordCourier, _row: OutboxRow, _maybe_shown: bool) -> PostRow | None:
        under_way.set()
        await asyncio.Event().wait()
        return None

    parlour = stage.bot.app.parlour
    with monkeypatch.context() as broken, stage.env.time_context():
        broken.setattr(DiscordCourier, "show", never)
        await parlour.refresh(1, "board", fresh=True)
        await under_way.wait()
        await stage.bot.close()

    assert "some posts are still unsent" in caplog.text
    assert len(await parlour.store.outbox_of(1, 1e12)) == 1
    await stage.restart()
    await stage.env.advance_time(10)
    assert await parlour.store.outbox_of(1, 1e12) == []


async def test_every_interaction_is_done_with_however_it_ends(stage: DiscordStage) -> None:
    place: Any = await stage.open("Ann", "Bo", **OPTIONS)

    await stage["Ann"].click(stage.post(place).message, label="Take turn")
    await stage["Cy"].click(stage.post(place).message, label="Take turn")
    await stage["Cy"].slash(place, "table show", table=99)
    help_page = await stage["Cy"].slash(place, "help")

    assert read_message(help_page.response).text
    await stage.bot.work.wait_until_idle()
