"""Duels of the day: the panel waits for the computers, tells what they did, and says how it ended."""

import pytest

from cogs.ui.press import Press
from engines.marks import capital
from engines.tesla.events import Marked, Taken, TeslaPlaced
from engines.tesla.moves import TeslaEndTurn
from tables.core.history import events_of
from tables.core.table import Phase
from tests.discord.daily.days import begin_play, finish_play, play_of, post, table_of, turn_on
from tests.discord.stage import DiscordStage, read_message

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("patient")]
DUELS = ("tesla", *(pytest.param(slug, marks=pytest.mark.thorough) for slug in ("tanglewood", "tangle")))
"""Against computers that look ahead, one such game represents all, except in a thorough run."""


@pytest.mark.parametrize("game", [*DUELS, "tangram"])
async def test_each_game_opens_in_a_panel_and_ends_with_its_result(stage: DiscordStage, game: str) -> None:
    await turn_on(stage, game)
    panel = read_message((await begin_play(stage, "Ann")).response)
    assert "one try" in panel.text
    assert panel.files

    await finish_play(stage, "Ann", 1)
    end = read_message((await begin_play(stage, "Ann")).response)
    play = await play_of(stage, "Ann")

    assert f"**{capital(play.said)}**" in end.text
    assert "Share" in end.buttons
    assert len(stage.posts(stage.channel)) == 1


@pytest.mark.parametrize("game", DUELS)
async def test_the_panel_tells_what_the_computers_answered(stage: DiscordStage, game: str) -> None:
    await turn_on(stage, game)
    await begin_play(stage, "Ann")
    table = await table_of(stage, "Ann")
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
    await turn_on(stage, "tesla")
    await begin_play(stage, "Ann")
    table = await table_of(stage, "Ann")
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
    await turn_on(stage, "tesla")
    panel = read_message((await begin_play(stage, "Ann")).response)
    assert not {"Hint", "Rematch", "Leave the game"} & panel.buttons.keys()
    table = await table_of(stage, "Ann")
    board = read_message((await stage.send_press("Ann", Press("table", "board", table.id))).response)
    assert {"Take turn", "My hand", "Rules"} == board.buttons.keys()

    await finish_play(stage, "Ann", 1)
    end = read_message((await begin_play(stage, "Ann")).response)

    assert "Rematch" not in end.buttons
    replay = await stage.send_press("Ann", Press("table", "replay", table.id))
    assert "Show it to everyone" not in read_message(replay.response).buttons
    assert "1. Ann**" in post(stage).text or "Nobody" in post(stage).text
