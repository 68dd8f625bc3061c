from random import Random
from typing import Any

import pytest

from cogs.daily.words import format_day
from cogs.ui.press import Press
from engines.marks import capital
from engines.tesla.events import Marked, Taken, TeslaPlaced
from engines.tesla.moves import TeslaEndTurn
from tables.core.history import events_of
from tables.core.table import Phase
from tests.db.rows import points_on
from tests.discord.daily import days
from tests.discord.stage import DiscordStage, pick, read_message

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
        elif "Send it and win" in panel.buttons:
            await stage[name].click(result.response, label="Send it and win")
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


async def test_only_days_with_a_deal_are_offered(stage: DiscordStage) -> None:
    await days.turn_on(stage, "ribbon")
    first = days.today(stage)
    assert await stage["Ann"].autocomplete(stage.channel, "daily play", "day", "") == []

    await days.next_day(stage)

    offered = await stage["Ann"].autocomplete(stage.channel, "daily play", "day", "")
    assert [one["value"] for one in offered] == [first]


async def test_every_line_of_the_days_is_understood(stage: DiscordStage) -> None:
    await days.turn_on(stage, "ribbon")
    first = days.today(stage)
    await days.next_day(stage)
    (line,) = await stage["Ann"].autocomplete(stage.channel, "daily play", "day", "")

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


@pytest.mark.parametrize("game", DUELS)
async def test_the_panel_tells_what_the_computers_answered(stage: DiscordStage, game: str) -> None:
    await days.turn_on(stage, game)
    await days.begin_play(stage, "Ann")
    table = await days.table_of(stage, "Ann")
    user, parlour = stage["Ann"].id, stage.bot.app.parlour
    with stage.env.time_context():
        for _ in range(60):
            await parlour.computers.finish()
            table = await parlour.table(table.id)
            own = table.seat_of(user)
            if table.phase is not Phase.PLAY or any(
                row.seat != own for row in await parlour.store.actions(table.id) if row.kind == "move"
            ):
                break
            await parlour.play.move(table.id, user, [(await parlour.play.moves(table.id, user))[0]])

    answer = await stage.send_press("Ann", Press("table", "turn", table.id, 0))

    message = read_message(answer.response)
    assert answer.ephemeral
    assert any(name in message.text for name in table.names[1:]) or "What happened" in message.buttons


def deed_text(event: TeslaPlaced | Marked | Taken) -> str:
    """Return what a line says of a deed."""
    return (
        event.cell
        if isinstance(event, TeslaPlaced)
        else f"marker {'on' if isinstance(event, Marked) else 'from'}"
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
