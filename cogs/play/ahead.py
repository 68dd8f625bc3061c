"""Buttons of plans: send one ahead, change it, drop it, or play it after all."""

from cogs.core.app import app_of
from cogs.core.presenter import presenter
from cogs.play.panel import on_panel, panel_page, show_steps
from cogs.ui.interaction import Interaction
from cogs.ui.page import Button, Menu, Option, Page
from cogs.ui.press import Press, on_press
from cogs.ui.reply import reply
from engines.game import Game
from tables.core.table import Phase, Refused, Table

BACK = "back"
"""The argument of a press that shows a page again in the same message."""
ASK = "ask"
"""The choice of no standing answer."""
LASTS = "-# It counts until the game ends. You can change it whenever you like."


def plan_buttons(table: Table, user_id: int) -> list[Button]:
    """Return the way to a plan, for somebody who waits."""
    seat = table.seat_of(user_id)
    has_plans = type(table.game).ahead is not Game.ahead
    if seat is None or seat in table.owing or table.phase is not Phase.PLAY or not has_plans:
        return []
    return [Button("Plan my turn", Press("table", "turn", table.id, table.version))]


def standing_buttons(table: Table, user_id: int) -> list[Button]:
    """Return the way to a player's standing answers."""
    has_answers = bool(table.game.standing_answers(table.options))
    if table.seat_of(user_id) is None or table.phase is not Phase.PLAY or not has_answers:
        return []
    return [Button("Standing answers", Press("table", "standing", table.id))]


@on_press("table", "standing")
async def on_standing(interaction: Interaction, press: Press) -> None:
    table = await app_of(interaction).parlour.table(press.table)
    await reply(interaction, _standing_page(table, interaction.user.id), edit=True)


@on_press("table", "standing_set")
async def on_set_answer(interaction: Interaction, press: Press) -> None:
    parlour = app_of(interaction).parlour
    answer = "" if press.choice == ASK else press.choice
    await parlour.plans.set_answer(press.table, interaction.user.id, answer)
    parlour.outbox.wake(press.table)
    page = _standing_page(await parlour.table(press.table), interaction.user.id)
    await reply(interaction, page, edit=True)


def _standing_page(table: Table, user_id: int) -> Page:
    """Return the page on which a player chooses a standing answer."""
    seat = table.seat_of(user_id)
    given = next((one.answer for one in table.standing if one.seat == seat), ASK)
    question, labels = presenter(table).standing
    offered = {ASK: "Ask me each time"} | {
        answer: labels[answer] for answer in table.game.standing_answers(table.options)
    }
    options = [Option(label, answer, chosen=answer == given) for answer, label in offered.items()]
    menu = Menu(Press("table", "standing_set", table.id), question, options)
    text = f"**{question}** At this table, you've chosen “{offered[given]}”.\n{LASTS}"
    return Page([text, menu, [Button("Back", Press("table", "more", table.id, 0, BACK))]])


async def _show(interaction: Interaction, press: Press) -> None:
    await reply(interaction, await panel_page(interaction, press.table, may_plan=True), edit=True)


@on_panel("table", "plan_send")
async def on_send(interaction: Interaction, press: Press) -> None:
    await app_of(interaction).parlour.plans.send(press.table, interaction.user.id, press.moment)
    await _show(interaction, press)


@on_panel("table", "plan_undo")
async def on_take_back(interaction: Interaction, press: Press) -> None:
    await app_of(interaction).parlour.plans.take_back(press.table, interaction.user.id, press.moment)
    await _show(interaction, press)


@on_panel("table", "plan_change")
async def on_change(interaction: Interaction, press: Press) -> None:
    await app_of(interaction).parlour.plans.reopen(press.table, interaction.user.id, press.moment)
    await _show(interaction, press)


@on_panel("table", "plan_drop")
async def on_drop(interaction: Interaction, press: Press) -> None:
    """Drop a plan, and show the turn or the next plan."""
    parlour = app_of(interaction).parlour
    await parlour.plans.drop(press.table, interaction.user.id, press.moment)
    parlour.outbox.wake(press.table)
    try:
        await _show(interaction, press)
    except Refused as refused:
        await reply(interaction, Page([f"I dropped your plan. {refused}"]), edit=True)


@on_panel("table", "plan_play")
async def on_play(interaction: Interaction, press: Press) -> None:
    """Play a plan on its turn, although something in it has changed."""
    parlour = app_of(interaction).parlour
    steps = await parlour.plans.play_now(press.table, interaction.user.id, press.moment)
    await show_steps(interaction, press.table, steps)
