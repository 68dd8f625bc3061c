"""A game as an animation: for yourself at any time, and once for everybody when it's over."""

import asyncio
from time import monotonic
from weakref import WeakValueDictionary

import discord

from cogs.core.app import App, app_of, table_url
from cogs.core.presenter import presenter
from cogs.core.replay_renderer import ReplayDrawing
from cogs.discord.messages import nonce_of, send
from cogs.ui.answering import say
from cogs.ui.interaction import Interaction
from cogs.ui.page import Button, Page
from cogs.ui.press import Press, on_press
from cogs.ui.reply import reply_updatable
from engines.game import Seat
from engines.marks import to_plain
from render.core.picture import Picture
from tables.core.table import OPEN, Phase, Refused, Table

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
    '▰▰▰▰▱▱▱▱▱▱ 40 %'
    """
    full = int(share * BAR)
    return f"{'▰' * full}{'▱' * (BAR - full)} {int(share * 100)} %"


def _title(table: Table) -> str:
    return f"**Replay of {table.game.title}, table {table.id}**"


def _progress(table: Table, drawing: ReplayDrawing) -> Page:
    return Page([f"{_title(table)}\n{bar(drawing.share)}\n-# Drawing {drawing.frames} pictures."])


def _finish_page(table: Table, picture: Picture) -> Page:
    row = [Button("As a page", Press("table", "page", table.id))]
    if table.phase not in OPEN and not table.is_alone:
        show = Press("replay", "post", table.id, table.version)
        row.append(Button("Show it to everyone", show))
    return Page([_title(table), picture, row])


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
            address = await _post(app, table, interaction.user.id)
    await say(interaction, f"Everyone can see [the replay]({address}) now.")


async def _find_post(app: App, table: Table) -> str | None:
    """Return the URL of the existing replay post, if any."""
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


async def _post(app: App, table: Table, user_id: int) -> str:
    """Post the replay, save that, and return its URL."""
    result = await _replay(app, table, None, user_id)
    picture = result if isinstance(result, Picture) else await asyncio.shield(result.task)
    turns = await app.parlour.record.turns(table)
    page = Page([_title(table), picture])
    place = app.bot.get_partial_messageable(table.thread_id or table.channel_id)
    try:
        message = await send(place, page, nonce_of("replay", table.id, turns[-1].version, place.id))
    except discord.NotFound:
        raise Refused(GONE) from None
    kept = str(turns[-1].version)
    await app.parlour.note_post(table, "replay", 0, message.channel.id, message.id, kept)
    return f"{table_url(table)}/{message.id}"
