"""The bot is stopped in mid-game and started again: everything goes on, old buttons included."""

from typing import Any

import pytest

from cogs.discord.requests import COMMANDS_FACT
from tests.discord.stage import DiscordStage, pick, read_message


@pytest.fixture
async def place(stage: DiscordStage) -> Any:
    return await stage.open("Ann", "Bo", mode="coop", first="host")


async def test_a_game_goes_on_after_a_restart(stage: DiscordStage, place: Any) -> None:
    await stage.finish_turn("Ann", place)
    before = (await stage.table()).version

    await stage.restart()

    assert (await stage.table()).version == before
    await stage.finish(place)
    assert (await stage.table()).phase == "over"


async def test_old_buttons_and_open_panels_work_after_a_restart(stage: DiscordStage, place: Any) -> None:
    result, panel = await stage.panel("Ann", place)

    await stage.restart()

    await pick(stage["Ann"], result.response, "flip", panel.values("flip")[2])
    assert " at 3 " in stage.post(place).text


async def test_a_lobby_card_works_after_a_restart(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new")

    await stage.restart()
    await stage["Bo"].click(stage.card().message, label="Join")

    assert (await stage.table()).names == ["Ann", "Bo"]


async def test_nothing_is_posted_twice_by_a_restart(stage: DiscordStage, place: Any) -> None:
    await stage.finish_turn("Ann", place)
    before = [post.message.id for post in stage.posts(place)]

    await stage.restart()
    await stage.env.advance_time(120)

    assert [post.message.id for post in stage.posts(place)] == before


async def test_a_post_that_was_shown_but_not_noted_is_found_again(stage: DiscordStage, place: Any) -> None:
    await stage.refresh("board", fresh=True)
    newest = stage.post(place).message.id
    store, table = stage.bot.app.parlour.store, await stage.table()
    await store.ask(1, "board", 0, table.version, True, 0.0)

    await stage.restart()

    assert stage.post(place).message.id == newest
    assert await store.outbox_of(1, 1e12) == []


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


async def test_posts_due_at_the_stop_are_shown_at_the_next_start(stage: DiscordStage, place: Any) -> None:
    stage.env.inject_error("POST", f"/channels/{place.id}/messages", status=500, times=1)
    await stage["Ann"].slash(place, "ribbon choose", choice="flip 5")
    assert " at 5" not in stage.post(place).text

    await stage.restart()
    await stage.env.advance_time(30)

    assert " at 5" in stage.post(place).text


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
