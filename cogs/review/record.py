"""The record of a game: any turn as a picture with its lines, as the asker saw it then."""

from collections.abc import Sequence
from dataclasses import replace

from cogs.core.app import App, app_of
from cogs.core.described import board
from cogs.core.lookup import asker_perspective
from cogs.core.pictures import Shown
from cogs.core.story import record_lines
from cogs.review.import_export import export_buttons
from cogs.ui.form import Field, InputForm, Typed, ask
from cogs.ui.interaction import Interaction
from cogs.ui.page import PRIMARY, Button, Page
from cogs.ui.press import NOT_OURS, Press, on_press
from cogs.ui.reply import reply
from cogs.ui.signs import shorten
from engines.names import quote_player
from render.core.picture import Picture
from tables.core.table import OPEN, Phase, Refused, Table
from tables.play.play import Perspective
from tables.review.record import RecordedTurn

LENGTH = 1800
HISTORY_PAGE = 20
HANDS = "h"
"""Ends the argument of a press that shows all hands."""
NO_LINES = "-# Nothing else happened."


async def turn_page(
    interaction: Interaction, table_id: int, number: int | None, *, hands: bool = False
) -> Page:
    """Return a turn, the last by default; `number` is clamped."""
    app, perspective = await asker_perspective(interaction, table_id)
    table = perspective.table
    turns = await app.parlour.record.turns(table)
    at = turns[-1 if number is None else max(0, min(number, len(turns) - 1))]
    view = await app.parlour.record.view(table, at.version, perspective.seat)
    lines = await record_lines(
        app.parlour.record, table, view, await app.parlour.record.entries(table, at), perspective.seat
    )
    page = Page([shorten("\n".join([_title(table, at, len(turns) - 1), *(lines or [NO_LINES])]), LENGTH)])
    page.parts.append(
        board(table, view, at=str(at.number)) if app.is_text_only else await app.pictures.board(table, view)
    )
    if hands:
        page.parts += await _hands(app, table, at)
    can_play_on = await app.parlour.studies.refusal(table, interaction.user.id) is None
    page.parts += _buttons(app, perspective, turns, at, hands=hands, can_play_on=can_play_on)
    return page


def _title(table: Table, turn: RecordedTurn, last: int) -> str:
    if not turn.number:
        return f"**{table.game.title}, table {table.id}: the deal, before turn 1**"
    who = ", ".join(quote_player(table.names, seat) for seat in turn.seats)
    if table.game.simultaneous and len(table.seats) > 1:
        who = "everyone"
    return f"**Turn {turn.number} of {last}** · table {table.id} · {who} · played <t:{turn.at:.0f}:R>"


async def _hands(app: App, table: Table, turn: RecordedTurn) -> list[Shown]:
    shown = list[Shown]()
    for seat, view in enumerate(await app.parlour.record.hands(table, turn.version)):
        picture = await app.pictures.hand(Perspective(table, seat, view))
        if isinstance(picture, Picture):
            shown.append(replace(picture, name=f"{seat + 1}-{picture.name}"))
        elif picture is not None:
            shown.append(replace(picture, text=f"**{quote_player(table.names, seat)}**\n{picture.text}"))
    return shown


def _buttons(
    app: App,
    perspective: Perspective,
    turns: Sequence[RecordedTurn],
    at: RecordedTurn,
    *,
    hands: bool,
    can_play_on: bool,
) -> list[list[Button]]:
    table, last = perspective.table, len(turns) - 1
    kept = HANDS if hands else ""

    def to(label: str, number: int) -> Button:
        press = Press("record", "turn", table.id, 0, f"{number}{kept}")
        return Button(label, press, disabled=not 0 <= number <= last)

    moves = [
        to("Turn before", at.number - 1),
        to("Turn after", at.number + 1),
        Button("Jump to turn", Press("record", "jump", table.id, 0, f"{at.number}{kept}"), disabled=not last),
    ]
    own = _own(perspective, turns)
    if own is not None:
        press = Press("record", "mine", table.id, 0, f"{own.number}{kept}")
        moves.insert(2, Button("My last turn", press, disabled=own == at))
    if table.phase is Phase.PLAY and perspective.seat in table.owing:
        moves.insert(0, Button("Take turn", Press("table", "turn", table.id, table.version), PRIMARY))
    more = [Button("All lines", Press("record", "lines", table.id, at.number))]
    if table.phase not in OPEN and app.parlour.record.reveals(table):
        press = Press("record", "hands", table.id, 0, f"{at.number}{'' if hands else HANDS}")
        more.insert(0, Button("Hide the hands" if hands else "Open all hands", press))
    if table.phase is Phase.OVER and at.number < last:
        more.append(Button("New table from here", Press("table", "fork", table.id, 0, str(at.number))))
    rows = [moves, [*more, *export_buttons(table.id)]]
    if can_play_on and (at.number < last or table.phase is Phase.PLAY):
        rows.append(
            [Button("Try it alone", Press("study", "sandbox", table.id, 0, str(at.number)), emoji="🧪")]
        )
    return rows


def _own(perspective: Perspective, turns: Sequence[RecordedTurn]) -> RecordedTurn | None:
    return next((turn for turn in reversed(turns) if perspective.seat in turn.seats), None)


def _read(press: Press) -> tuple[int, bool]:
    """Return a turn, and True with all hands. Raise Refused if malformed."""
    digits = press.arg.removesuffix(HANDS)
    if not digits.isdecimal() or len(digits) > 6:
        raise Refused(NOT_OURS)
    return int(digits), press.arg != digits


@on_press("record", "turn", "mine", "hands")
async def to_turn(interaction: Interaction, press: Press) -> None:
    number, hands = _read(press)
    await reply(interaction, await turn_page(interaction, press.table, number, hands=hands), edit=True)


@on_press("table", "history")
async def history(interaction: Interaction, press: Press) -> None:
    await reply(interaction, await turn_page(interaction, press.table, None))


@on_press("record", "jump")
async def jump(interaction: Interaction, press: Press) -> None:
    number, hands = _read(press)
    parlour = app_of(interaction).parlour
    last = (await parlour.record.turns(await parlour.table(press.table)))[-1].number
    text = f"A number from 0 (the deal) to {last}."
    field = Field("turn", "Turn", text, str(number), longest=6, required=True)

    async def on_filled(answer: Interaction, typed: Typed) -> None:
        if not typed["turn"].isdecimal():
            raise Refused(f"A turn is a number from 0 to {last}.")
        page = await turn_page(answer, press.table, int(typed["turn"]), hands=hands)
        await reply(answer, page, edit=True)

    await ask(interaction, InputForm("Jump to a turn", [field], on_filled))


@on_press("record", "lines")
async def on_lines(interaction: Interaction, press: Press) -> None:
    """Show a page of all lines, the newest first."""
    number = press.number if press.arg else None
    await reply(interaction, await _lines(interaction, press.table, number, press.moment), edit=True)


async def _lines(interaction: Interaction, table_id: int, number: int | None, turn: int) -> Page:
    """Return a page of all lines, with a link to the turn."""
    app, perspective = await asker_perspective(interaction, table_id)
    rows = await app.parlour.history.active_history(perspective.table)
    lines = await record_lines(
        app.parlour.record, perspective.table, perspective.view, rows, perspective.seat
    )
    pages = max(1, -(-len(lines) // HISTORY_PAGE))
    at = pages - 1 if number is None else max(0, min(number, pages - 1))
    part = lines[at * HISTORY_PAGE : (at + 1) * HISTORY_PAGE]
    row = [Button("Turn by turn", Press("record", "turn", table_id, 0, str(turn)))]
    if pages > 1:
        back, on = (Press("record", "lines", table_id, turn, str(to)) for to in (at - 1, at + 1))
        row = [Button("Earlier", back, disabled=at == 0), Button("Later", on, disabled=at + 1 == pages), *row]
    title = f"**Table {table_id}**, page {at + 1} of {pages}"
    return Page(["\n".join([title, *part]), row])
