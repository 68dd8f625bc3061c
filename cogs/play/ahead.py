"""Buttons of plans: send one ahead, change it, drop it, or play it after all."""

from __future__ import annotations

from cogs.core.app import app_of
from cogs.play.panel import on_panel, panel_page
from cogs.ui.interaction import Interaction
from cogs.ui.page import Button, Page
from cogs.ui.press import Press
from cogs.ui.reply import reply
from engines.game import Game
from tables.core.table import Phase, Refused, Table


def plan_buttons(table: Table, user_id: int) -> list[Button]:
    """Return the way to a plan, for somebody who waits."""
    seat = table.seat_of(user_id)
    has_plans = type(table.game).ahead is not Game.ahead
    if seat is None or seat in table.owing or table.phase is not Phase.PLAY or not has_plans:
        return []
    return [Button("Plan my turn", Press("table", "turn", table.id, table.version))]


async def _show(interaction: Interaction, press: Press) -> None:
    await reply(interaction, await panel_page(interaction, press.table, may_plan=True), edit=True)


@on_panel("table", "plan_send")
async def on_send(interaction: Interaction, press: Press) -> None:
    await app_of(interaction).parlour.plans.send(press.table, interaction.user.id, press.moment)
    await _show(interaction, press)


@on_panel("table", "plan_undo")
async def on_take_back(interaction: Interaction, press: Press) -> None:
    await app_of(interaction).parlour.plans.take_back(press.table, interaction.user.id)
    await _show(interaction, press)


@on_panel("table", "plan_change")
async def on_change(interaction: Interaction, press: Press) -> None:
    await app_of(interaction).parlour.plans.reopen(press.table, interaction.user.id)
    await _show(interaction, press)


@on_panel("table", "plan_drop")
async def on_drop(interaction: Interaction, press: Press) -> None:
    """Drop a plan, and show the turn or the next plan."""
    await app_of(interaction).parlour.plans.drop(press.table, interaction.user.id)
    try:
        await _show(interaction, press)
    except Refused as refused:
        await reply(interaction, Page([f"I dropped your plan. {refused}"]), edit=True)


@on_panel("table", "plan_play")
async def on_play(interaction: Interaction, press: Press) -> None:
    """Play a plan on its turn, although something in it has changed."""
    parlour = app_of(interaction).parlour
    await parlour.plans.play_now(press.table, interaction.user.id, press.moment)
    parlour.outbox.wake(press.table)
    await reply(interaction, Page(["Done. I played your plan."]), edit=True)
