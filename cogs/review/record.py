"""The record of a game: any turn as seen then, the animation, and private notes."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from time import monotonic
from weakref import WeakValueDictionary

import discord

from cogs.core import lookup, story
from cogs.core.app import App, app_of, table_url
from cogs.core.pictures import ReplayDrawing, board
from cogs.core.presenter import presenter
from cogs.discord.messages import nonce_of, send
from cogs.ui.form import Field, InputForm, Typed, ask, reply, reply_updatable
from cogs.ui.page import PRIMARY, Button, Page
from cogs.ui.press import NOT_OURS, Press, on_press, say
from cogs.ui.text import Interaction, shorten
from engines.game import Seat
from engines.marks import quote, quote_player, to_plain
from render.core.canvas import Picture
from tables.core.table import OPEN, Phase, Refused, Table
from tables.play.play import Perspective
from tables.review.record import LONGEST, RecordedTurn

LENGTH = 1800
HISTORY_PAGE = 20
HANDS = "h"
"""Ends the argument of a press that shows all hands."""
NO_LINES = "-# Nothing else happened."


async def turn_page(
    interaction: Interaction, table_id: int, number: int | None, *, hands: bool = False
) -> Page:
    """Return a turn, the last by default; `number` is clamped."""
    app, perspective = await lookup.asker_perspective(interaction, table_id)
    table = perspective.table
    turns = await app.parlour.record.turns(table)
    at = turns[-1 if number is None else max(0, min(number, len(turns) - 1))]
    view = await app.parlour.record.view(table, at.version, perspective.seat)
    lines = await story.record_lines(
        app.parlour.record, table, view, await app.parlour.record.entries(table, at), perspective.seat
    )
    page = Page([shorten("\n".join([_title(table, at, len(turns) - 1), *(lines or [NO_LINES])]), LENGTH)])
    page.parts.append(
        board(table, view, at=str(at.number)) if app.is_text_only else await app.pictures.board(table, view)
    )
    if hands:
        for seat, hand in enumerate(await app.parlour.record.hands(table, at.version)):
            picture = await app.pictures.hand(Perspective(table, seat, hand))
            if isinstance(picture, Picture):
                page.parts.append(replace(picture, name=f"{seat + 1}-{picture.name}"))
            elif picture is not None:
                text = f"**{quote_player(table.names, seat)}**\n{picture.text}"
                page.parts.append(replace(picture, text=text))
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
        to("Previous turn", at.number - 1),
        to("Next turn", at.number + 1),
        Button("Jump to turn", Press("record", "jump", table.id, 0, f"{at.number}{kept}"), disabled=not last),
    ]
    own = next((turn for turn in reversed(turns) if perspective.seat in turn.seats), None)
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
    more.append(Button("Export", Press("table", "export", table.id)))
    more.append(Button("Log", Press("table", "log", table.id)))
    rows = [moves, more]
    if can_play_on and (at.number < last or table.phase is Phase.PLAY):
        rows.append(
            [Button("Try it alone", Press("study", "sandbox", table.id, 0, str(at.number)), emoji="🧪")]
        )
    return rows


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
            raise Refused(f"Choose a turn from 0 to {last}.")
        page = await turn_page(answer, press.table, int(typed["turn"]), hands=hands)
        await reply(answer, page, edit=True)

    await ask(interaction, InputForm("Jump to a turn", [field], on_filled))


@on_press("record", "lines")
async def on_lines(interaction: Interaction, press: Press) -> None:
    """Show a page of all lines, the newest first."""
    number = press.number if press.arg else None
    await reply(interaction, await _lines(interaction, press.table, number, press.moment), edit=True)


async def _lines(interaction: Interaction, table_id: int, number: int | None, turn: int) -> Page:
    app, perspective = await lookup.asker_perspective(interaction, table_id)
    rows = await app.parlour.history.active_history(perspective.table)
    lines = await story.record_lines(
        app.parlour.record, perspective.table, perspective.view, rows, perspective.seat
    )
    pages = max(1, -(-len(lines) // HISTORY_PAGE))
    at = pages - 1 if number is None else max(0, min(number, pages - 1))
    part = lines[at * HISTORY_PAGE : (at + 1) * HISTORY_PAGE]
    row = [Button("Turn by turn", Press("record", "turn", table_id, 0, str(turn)))]
    if pages > 1:
        back, on = (Press("record", "lines", table_id, turn, str(to)) for to in (at - 1, at + 1))
        row = [Button("Earlier", back, disabled=at == 0), Button("Later", on, disabled=at + 1 == pages), *row]
    return Page(["\n".join([f"**Table {table_id}**, page {at + 1} of {pages}", *part]), row])


EDIT_INTERVAL = 1.5
"""Seconds between two edits of the progress; Discord allows no more in the long run."""
BAR = 10
UNFINISHED = "While a game is running, only you can see its replay, because the replay can show secrets."
GONE = "This table's channel is gone, so I can't post the replay there."
_posting: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()


async def show_replay(interaction: Interaction, table: Table) -> None:
    """Answer with a replay; until it is drawn, with its progress."""
    app = app_of(interaction)
    result = await _replay(app, table, seat_to_view(app, table, interaction.user.id), interaction.user.id)
    if isinstance(result, Picture):
        await reply_updatable(interaction, _finish_page(table, result))
        return
    change, told_at = await reply_updatable(interaction, _progress(table, result)), monotonic()
    while not result.task.done():
        await result.wait_for_frames()
        if not result.task.done() and monotonic() >= told_at + EDIT_INTERVAL:
            await change(_progress(table, result))
            told_at = monotonic()
    await change(_finish_page(table, await asyncio.shield(result.task)))


def seat_to_view(app: App, table: Table, user_id: int) -> Seat | None:
    """Return the asker's seat until everything is revealed."""
    is_hidden = table.phase is Phase.PLAY or not app.parlour.record.reveals(table)
    return table.seat_of(user_id) if is_hidden else None


async def _replay(app: App, table: Table, seat: Seat | None, user_id: int) -> Picture | ReplayDrawing:
    ending = "The last picture shows the board."
    if table.outcome is not None:
        view = (await app.parlour.play.perspective(table.id, None)).view
        ending = to_plain(presenter(table).words.result(view, table.names))
    return await app.replays.replay(table, seat, ending, user_id, app.pictures.theme)


def bar(share: float) -> str:
    """Return a progress bar.

    >>> bar(0.4)
    '▰▰▰▰▱▱▱▱▱▱ 40%'
    """
    full = int(share * BAR)
    return f"{'▰' * full}{'▱' * (BAR - full)} {int(share * 100)}%"


def _replay_title(table: Table) -> str:
    return f"**Replay of {table.game.title}, table {table.id}**"


def _progress(table: Table, drawing: ReplayDrawing) -> Page:
    return Page([f"{_replay_title(table)}\n{bar(drawing.share)}\n-# Drawing {drawing.frames} pictures."])


def _finish_page(table: Table, picture: Picture) -> Page:
    row = [Button("Get a web page", Press("table", "page", table.id))]
    if table.phase not in OPEN and not table.is_alone:
        row.append(Button("Show it to everyone", Press("replay", "post", table.id, table.version)))
    return Page([_replay_title(table), picture, row])


@on_press("table", "replay")
async def on_replay(interaction: Interaction, press: Press) -> None:
    await show_replay(interaction, await app_of(interaction).parlour.table(press.table))


@on_press("replay", "post")
async def post(interaction: Interaction, press: Press) -> None:
    """Post a finished game's replay once, else link it."""
    app = app_of(interaction)
    table = await app.parlour.table(press.table)
    if table.phase in OPEN or table.is_alone:
        raise Refused(UNFINISHED)
    async with _posting.setdefault(table.id, asyncio.Lock()):
        address = await _find_post(app, table)
        if address is None:
            result = await _replay(app, table, None, interaction.user.id)
            picture = result if isinstance(result, Picture) else await asyncio.shield(result.task)
            turns = await app.parlour.record.turns(table)
            page = Page([_replay_title(table), picture])
            place = app.bot.get_partial_messageable(table.thread_id or table.channel_id)
            try:
                message = await send(place, page, nonce_of("replay", table.id, turns[-1].version, place.id))
            except discord.NotFound:
                raise Refused(GONE) from None
            kept = str(turns[-1].version)
            await app.parlour.note_post(table, "replay", 0, message.channel.id, message.id, kept)
            address = f"{table_url(table)}/{message.id}"
    await say(interaction, f"Everyone can see [the replay]({address}) now.")


async def _find_post(app: App, table: Table) -> str | None:
    last = await app.parlour.store.find_last_post(table.id, "replay", 0)
    turns = await app.parlour.record.turns(table)
    if last is None or last.memo != str(turns[-1].version):
        return None
    place = app.bot.get_partial_messageable(last.channel_id)
    try:
        await place.fetch_message(last.message_id)
    except discord.NotFound:
        return None
    return f"https://discord.com/channels/{table.guild_id}/{last.channel_id}/{last.message_id}"


KEPT = "📝 I've saved your note about table {table}. Only you can see it, in your panel and under `/mine`."
NOTE_GONE = "Your note about table {table} is gone."


def line(note: str) -> str:
    r"""Return a note as one small line, without formatting.

    >>> from engines.marks import unquote
    >>> unquote(line("beware\n# of Bo"))
    '-# 📝 beware · # of Bo'
    """
    text = " · ".join(part.strip() for part in note.splitlines() if part.strip())
    return f"-# 📝 {quote(text)}"


async def note_of(app: App, perspective: Perspective) -> str | None:
    user_id = None if perspective.seat is None else perspective.table.seats[perspective.seat].user_id
    if user_id is None:
        return None
    note = (await app.parlour.notes.of(user_id, [perspective.table.id])).get(perspective.table.id)
    return None if note is None else line(note)


async def write(interaction: Interaction, table_id: int, text: str) -> None:
    kept = await app_of(interaction).parlour.notes.write(table_id, interaction.user.id, text)
    await say(interaction, (KEPT if kept else NOTE_GONE).format(table=table_id))


@on_press("table", "note")
async def form(interaction: Interaction, press: Press) -> None:
    parlour = app_of(interaction).parlour
    await parlour.table(press.table)
    note = (await parlour.notes.of(interaction.user.id, [press.table])).get(press.table, "")
    help_line = "Only you can see this note. To delete it, empty the box and send."
    field = Field("note", "Your note", help_line, note, longest=LONGEST, tall=True)

    async def on_filled(answer: Interaction, typed: Typed) -> None:
        await write(answer, press.table, typed["note"])

    await ask(interaction, InputForm(f"Note about table {press.table}", [field], on_filled))
