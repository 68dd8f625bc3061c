"""Duels of the day: the panel waits for the computers, tells what they did, and says how it ended."""

from __future__ import annotations

import pytest

from cogs.ui.press import Press
from cogs.ui.signs import capital
from tables.core.table import Phase
from tests.discord.daily.days import begun, finished, play_of, post, table_of, turned_on
from tests.discord.stage import Stage, seen

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("patient")]
DUELS = ("tesla", *(pytest.param(slug, marks=pytest.mark.thorough) for slug in ("tanglewood", "tangle")))
"""Against computers that look ahead: one such game stands for all, but in a thorough run."""


@pytest.mark.parametrize("game", [*DUELS, "tangram"])
async def test_each_game_opens_in_a_panel_and_ends_with_its_result(stage: Stage, game: str) -> None:
    await turned_on(stage, game)
    panel = seen((await begun(stage, "Ann")).response)
    assert "one try" in panel.text
    assert panel.files

    await finished(stage, "Ann", 1)
    end = seen((await begun(stage, "Ann")).response)
    play = await play_of(stage, "Ann")

    assert f"**{capital(play.said)}**" in end.text
    assert "Share" in end.buttons
    assert len(stage.posts(stage.channel)) == 1


@pytest.mark.parametrize("game", DUELS)
async def test_the_panel_tells_what_the_computers_answered(stage: Stage, game: str) -> None:
    await turned_on(stage, game)
    await begun(stage, "Ann")
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

    answer = await stage.pressed("Ann", Press("table", "turn", table.id, 0))

    told = seen(answer.response)
    assert answer.ephemeral
    assert any(name in told.text for name in table.names[1:]) or "What happened" in told.buttons


async def test_a_play_has_no_button_that_leads_out_of_it(stage: Stage) -> None:
    await turned_on(stage, "tesla")
    panel = seen((await begun(stage, "Ann")).response)
    assert not {"Hint", "Rematch", "Leave the game"} & panel.buttons.keys()
    table = await table_of(stage, "Ann")
    board = seen((await stage.pressed("Ann", Press("table", "board", table.id))).response)
    assert {"Take turn", "My hand", "Rules"} == board.buttons.keys()

    await finished(stage, "Ann", 1)
    end = seen((await begun(stage, "Ann")).response)

    assert "Rematch" not in end.buttons
    replay = await stage.pressed("Ann", Press("table", "replay", table.id))
    assert "Show it to everyone" not in seen(replay.response).buttons
    assert "1. Ann**" in post(stage).text or "Nobody" in post(stage).text
