"""The bot is stopped in mid-game and started again: everything goes on, old buttons included."""

import asyncio
from typing import Any

import pytest

from cogs.discord.work import COMMANDS_FACT
from cogs.posts.courier import DiscordCourier
from db.records import OutboxRow, PostRow
from host import client as starting
from tables.core.outbox import Delivery
from tests.discord.simulation import lose_answers
from tests.discord.stage import DiscordStage, pick, read_message


@pytest.fixture
async def place(stage: DiscordStage) -> Any:
    return await stage.open("Ann", "Bo", mode="coop", first="host")


async def test_a_game_goes_on_after_a_restart_and_is_not_posted_twice(
    stage: DiscordStage, place: Any
) -> None:
    await stage.finish_turn("Ann", place)
    before, posts = (await stage.table()).version, [post.message.id for post in stage.posts(place)]

    await stage.restart()
    await stage.env.advance_time(120)

    assert (await stage.table()).version == before
    assert [post.message.id for post in stage.posts(place)] == posts
    await stage.finish(place)
    assert (await stage.table()).phase == "over"


async def test_old_buttons_panels_and_cards_work_after_a_restart(stage: DiscordStage, place: Any) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new")
    result, panel = await stage.panel("Ann", place)

    await stage.restart()

    await pick(stage["Ann"], result.response, "flip", panel.values("flip")[2])
    assert " at 3 " in stage.post(place).text
    await stage["Bo"].click(stage.card().message, label="Join")
    assert (await stage.table(2)).names == ["Ann", "Bo"]


async def test_a_post_that_was_shown_but_not_noted_is_found_again(stage: DiscordStage, place: Any) -> None:
    await stage.refresh("board", fresh=True)
    newest = stage.post(place).message.id
    store, table = stage.bot.app.parlour.store, await stage.table()
    await store.ask(1, "board", 0, table.version, True, 0.0)

    await stage.restart()

    assert stage.post(place).message.id == newest
    assert await store.outbox_of(1, 1e12) == []


async def test_posts_due_at_the_stop_are_shown_at_the_next_start(stage: DiscordStage, place: Any) -> None:
    stage.env.inject_error("POST", f"/channels/{place.id}/messages", status=500, times=1)
    await stage["Ann"].slash(place, "ribbon choose", choice="flip 5")
    assert " at 5" not in stage.post(place).text

    await stage.restart()
    await stage.env.advance_time(30)

    assert " at 5" in stage.post(place).text


async def test_a_post_that_was_found_again_keeps_the_words_of_its_picture(
    stage: DiscordStage, place: Any, bare_names: list[str]
) -> None:
    await stage.finish_turn("Ann", place)
    message = stage.post(place)
    words = message.alts
    store, table = stage.bot.app.parlour.store, await stage.table()
    await store.ask(1, "board", 0, table.version, True, 0.0)
    await stage.restart()

    await stage.finish_turn("Bo", place)

    retired = next(post for post in stage.posts(place) if post.message.id == message.message.id)
    assert not retired.buttons
    assert retired.alts == words
    assert words
    assert all(words)
    bare_names.clear()  # the words of a post that is found again were quoted when it was sent


async def test_computer_seats_go_on_after_a_restart(stage: DiscordStage) -> None:
    place = await stage.open("Ann", mode="coop", computers=1, first="host")
    parlour = stage.bot.app.parlour
    user = stage["Ann"].id
    moves = await parlour.play.moves(1, user)
    await parlour.computers.stop()
    async with stage.run_by_itself():
        await parlour.play.move(1, user, [moves[0]])
    assert (await stage.due()) == ["Ada"]

    await stage.restart()

    assert (await stage.due()) == ["Ann"] or (await stage.table()).phase == "over"
    assert any("Ada flips" in post.text for post in stage.posts(place))


async def test_commands_are_registered_only_when_they_changed(stage: DiscordStage) -> None:
    def registrations() -> int:
        return sum(r.method == "PUT" and r.path.endswith("/commands") for r in stage.env.http_requests)

    before = registrations()
    await stage.bot.app.parlour.store.save_fact(COMMANDS_FACT, "another version's")
    await stage.restart()
    assert registrations() == before + 1

    await stage.restart()
    assert registrations() == before + 1


async def test_a_panel_drafted_before_the_stop_is_there_after_it(stage: DiscordStage, place: Any) -> None:
    await stage.finish_turn("Ann", place)
    result, panel = await stage.panel("Bo", place)
    await pick(stage["Bo"], result.response, "flip", panel.values("flip")[0])
    swap = read_message(result.response).values("swap")[0]
    await pick(stage["Bo"], result.response, "swap", swap)

    await stage.restart()

    _, again = await stage.panel("Bo", place)
    assert [o["value"] for o in again.menus["swap"]["options"] if o.get("default")] == [swap]


OPTIONS: dict[str, Any] = {"mode": "versus", "first": "host", "ribbon_choice": "random"}


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


async def test_every_interaction_ends_and_those_at_a_stop_are_asked_to_return(stage: DiscordStage) -> None:
    place: Any = await stage.open("Ann", "Bo", **OPTIONS)

    await stage["Ann"].click(stage.post(place).message, label="Take turn")
    await stage["Cy"].click(stage.post(place).message, label="Take turn")
    await stage["Cy"].slash(place, "table show", table=99)
    help_page = await stage["Cy"].slash(place, "help")

    assert read_message(help_page.response).text
    await stage.bot.work.wait_until_idle()

    before = await stage.table()
    stage.bot.work.stopping = True

    pressed = await stage["Ann"].click(stage.post(place).message, label="Take turn")
    typed = await stage["Ann"].slash(place, "table show")

    for answer in (pressed, typed):
        assert answer.ephemeral
        assert "I'm restarting, and nothing is lost." in answer.response.content
    assert await stage.table() == before
    await stage.bot.work.wait_until_idle()


async def test_a_thread_without_a_card_is_made_from_a_message_and_only_once(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new", mode="coop", computers=1)
    stage.env.backend.delete_message(stage.channel.id, stage.card().message.id)
    lose_answers(stage.env.backend, "POST", f"/channels/{stage.channel.id}/messages")
    lose_answers(stage.env.backend, "POST", "/channels/*/messages/*/threads")

    await stage["Ann"].slash(stage.channel, "table start", table=1)
    start = [post for post in stage.posts(stage.channel) if "continues in this thread" in post.text]
    await stage.env.advance_time(10)
    stage.env.inject_error("POST", "/channels/*/messages/*/threads", status=400, code=160004, times=1)
    await stage.env.advance_time(60)

    (thread,) = stage.channel.threads
    assert [post.message.id for post in start] == [thread.id]
    assert "Take turn" in stage.post(thread).buttons


async def test_a_refused_edit_of_an_old_post_sends_nothing_again(
    stage: DiscordStage, place: Any, caplog: pytest.LogCaptureFixture
) -> None:
    before = len(stage.posts(place))
    stage.env.inject_error("PATCH", f"/channels/{place.id}/messages/*", status=429, code=30046, times=None)

    await stage.panel_flip("Ann", place)
    await stage.env.advance_time(1200)

    assert len(stage.posts(place)) == before + 1
    assert sum("an older post stays as it is" in line for line in caplog.messages) == 1
    assert await stage.bot.app.parlour.store.outbox_of(1, 1e12) == []


async def test_a_game_and_a_lobby_moved_away_from_an_unseen_channel_go_on_once(
    stage: DiscordStage, place: Any
) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new")
    lounge = stage.guild.create_text_channel("lounge")
    for unseen in (place, stage.channel):
        stage.env.inject_error("*", f"/channels/{unseen.id}*", status=403, code=50001, times=None)

    for number in (1, 2):
        await stage.admin.slash(lounge, "admin move", channel=lounge, table=number)
    for _ in range(6):
        await stage.env.advance_time(1800)

    (thread,) = lounge.threads
    assert len([post for post in stage.posts(thread) if "Take turn" in post.buttons]) == 1
    assert len([post for post in stage.posts(lounge) if "Join" in post.buttons]) == 1
    assert await stage.bot.app.parlour.store.outbox_of(1, 1e12) == []


async def test_a_profile_and_a_replay_for_everybody_come_once(stage: DiscordStage, place: Any) -> None:
    await stage.finish(place)
    profile = await stage["Ann"].slash(place, "profile")
    replay = await stage["Ann"].click(stage.post(place).message, label="Replay")
    requests = len(stage.env.http_requests)

    await stage["Ann"].click(profile.response, label="Show everyone")
    await stage["Ann"].click(replay.response, label="Show it to everyone")

    sent = [one for one in stage.env.http_requests[requests:] if one.path == f"/channels/{place.id}/messages"]
    assert len(sent) == 2
    assert all((one.json or {}).get("enforce_nonce") for one in sent)
