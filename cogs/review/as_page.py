"""A game as one page: `/table replay as:page`, and the button beside the animation."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic

from cogs.core.app import app_of
from cogs.review.page import PageWriter
from cogs.review.replay import EDIT_INTERVAL, bar, seat_to_view
from cogs.ui.interaction import Interaction
from cogs.ui.page import Document, Page
from cogs.ui.press import Press, on_press
from cogs.ui.reply import Change, reply_updatable
from tables.core.table import Phase, Refused, Table

MOST_AT_ONCE = 8
"""Pages under way for all at once."""
YOURS_FIRST = "I'm still making a page for you. Try again when it's done."
ALL_BUSY = "I can't make more pages at once. Try again in a minute."
TOO_LARGE = "This game's page has {size}, and you can get files of at most {most} here. The animation fits."
_under_way: set[int] = set()
"""The people for whom a page is under way."""


@dataclass
class _Progress:
    """Tells how far a page is, as often as Discord allows."""

    change: Change
    table: Table
    last: float = field(default_factory=monotonic)

    async def advance(self, share: float) -> None:
        if monotonic() >= self.last + EDIT_INTERVAL:
            await self.change(_progress_page(self.table, share))
            self.last = monotonic()


async def show_page(interaction: Interaction, table: Table) -> None:
    """Answer with a game's page; until then, with its progress."""
    app, user_id = app_of(interaction), interaction.user.id
    await app.parlour.record.turns(table)
    with reserve(user_id):
        change = await reply_updatable(interaction, _progress_page(table, 0.0))
        writer = PageWriter(
            app.parlour.record,
            app.workers,
            table,
            seat_to_view(app, table, user_id),
            app.pictures.theme,
            _Progress(change, table).advance,
        )
        data = await writer.write()
    await change(_answer(table, data, interaction.filesize_limit))


@contextmanager
def reserve(user_id: int) -> Iterator[None]:
    """Reserve a person's one page. Raise Refused if it's under way."""
    if user_id in _under_way:
        raise Refused(YOURS_FIRST)
    if len(_under_way) >= MOST_AT_ONCE:
        raise Refused(ALL_BUSY)
    _under_way.add(user_id)
    try:
        yield
    finally:
        _under_way.discard(user_id)


def _progress_page(table: Table, share: float) -> Page:
    return Page([f"{_title(table)}\n{bar(share)}"])


def _title(table: Table) -> str:
    return f"**{table.game.title}, table {table.id}, as a page**"


def _answer(table: Table, data: bytes, most: int) -> Page:
    if len(data) > most:
        return Page([TOO_LARGE.format(size=_megabytes(len(data)), most=_megabytes(most))])
    text = "Download it and open it in a browser. It works offline, on phones and with screen readers."
    if table.phase is Phase.PLAY:
        text += "\n-# It shows what you can see. Keep it to yourself while the game is running."
    return Page([f"{_title(table)}\n{text}", Document(f"{table.slug}-{table.id}.html", data)])


def _megabytes(size: int) -> str:
    """Return a size for people.

    >>> _megabytes(10 * 1024 * 1024)
    '10.0 MB'
    """
    return f"{size / 1024**2:.1f} MB"


@on_press("table", "page")
async def on_page(interaction: Interaction, press: Press) -> None:
    await show_page(interaction, await app_of(interaction).parlour.table(press.table))
