"""A game as one page: gathers what a viewer may see of each turn, and has it drawn."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from cogs.core import pictures, story, time_words, words
from cogs.core.app import app_of
from cogs.core.presenter import presenter
from cogs.review import import_export, turning_points
from cogs.review.record import EDIT_INTERVAL, bar, seat_to_view
from cogs.ui.form import Change, reply_updatable
from cogs.ui.page import Document, Page
from cogs.ui.press import Press, on_press
from cogs.ui.text import Interaction
from engines.game import IllegalMove, Seat
from engines.marks import player_name
from engines.words import Part, plural
from engines.workers import Urgency, Workers
from render.chart import tells
from render.core.theme import THEMES
from render.page import layers
from render.page.layers import Layer, LayeredBoard, LayerPile
from render.page.page import GamePage, LineChart, PageLine, PageTurn, build_page
from tables.core.table import OPEN, Phase, Refused, Table
from tables.review.record import Record, RecordedTurn

BATCH = 2
"""Turns per worker job, so that other work can go first."""
MOST_TURNS = 600
"""The turns of a page at most; no game that was played by its rules comes near."""
TOO_LONG = "This game has {turns}, and a page holds {most}. The animation shows it all."
RUNNING = "The game isn't over yet."
Advance = Callable[[float], Awaitable[None]]
"""Hears the share of a page that is drawn, from 0 to 1."""


async def ignore_progress(_share: float) -> None:
    """Do nothing."""


@dataclass
class PageWriter:
    """Writes the page of one table for one viewer.

    A spectator's `seat` is None; `theme` is that of the pictures. Each turn is as the viewer saw it then.
    Once everything is revealed, all hands are added in words. A `title` replaces game and table.
    """

    record: Record
    workers: Workers
    table: Table
    seat: Seat | None
    theme: str
    advance: Advance = ignore_progress
    title: str = ""
    layers: list[Layer] = field(default_factory=list)

    async def write(self) -> bytes:
        """Return the page's file.

        Raise Refused if the game has not begun, is too long, or began under older rules.
        """
        turns = await self.record.turns(self.table)
        if len(turns) > MOST_TURNS:
            raise Refused(TOO_LONG.format(turns=plural(len(turns), "turn"), most=MOST_TURNS))
        try:
            page = await self._page(turns)
        except IllegalMove:
            raise Refused(pictures.OTHER_RULES) from None
        return await self.workers.run_with(Urgency.REPLAY, build_page, page)

    @property
    def _is_open(self) -> bool:
        """Return True if the record opens all hands."""
        return self.table.phase not in OPEN and self.record.reveals(self.table)

    async def _page(self, turns: Sequence[RecordedTurn]) -> GamePage:
        table, speaker = self.table, presenter(self.table)
        end = await self.record.view(table, turns[-1].version, self.seat)
        players = [import_export.name_player(table, seat) for seat in range(len(table.seats))]
        return GamePage(
            title=self.title or f"{table.game.title}, table {table.id}",
            result=self._result(end),
            players=players,
            facts=[words.plain(speaker.describe_game(table.options, len(table.seats))), self._time(turns)],
            turns=await self._turns(turns),
            layers=self.layers,
            colours={theme: speaker.colours(end, theme) for theme in THEMES},
            chart=await self._chart(),
            begins_last=table.phase is Phase.PLAY,
        )

    def _result(self, end: Any) -> str:
        if self.table.phase is Phase.PLAY:
            return RUNNING
        if self.table.outcome is None:
            return words.CALLED_OFF
        return words.plain(presenter(self.table).words.result(end, self.table.names))

    def _time(self, turns: Sequence[RecordedTurn]) -> str:
        length = plural(turns[-1].number, "turn")
        if not turns[-1].at:
            return length
        begun, over = (words.instant(turn.at).partition(",")[0] for turn in (turns[0], turns[-1]))
        length = f"{length}, {time_words.turn_length(turns[-1].at - turns[0].at)}"
        return f"{length}, {begun}" if begun == over else f"{length}, {begun} to {over}"

    async def _turns(self, turns: Sequence[RecordedTurn]) -> list[PageTurn]:
        """Return all turns, and keep their layers."""
        whys = await turning_points.find_turning_points(self.record, self.table, self.seat)
        boards, texts = list[LayeredBoard](), list[tuple[list[PageLine], list[Part]]]()
        pile: LayerPile | None = None
        for start in range(0, len(turns), BATCH):
            part = turns[start : start + BATCH]
            views = await self.record.views(self.table, part, self.seat)
            is_last = start + BATCH >= len(turns)
            batch = await self.workers.run_with(
                Urgency.REPLAY,
                layers.draw_boards,
                self.table.slug,
                tuple(self.table.names),
                views,
                pile,
                self.theme,
                layers.width_for(len(turns)),
                is_last=is_last,
            )
            boards += batch.boards
            self.layers += batch.layers
            pile = batch.pile
            hands = await self._hands(part)
            for turn, view, hand in zip(part, views, hands, strict=True):
                rows = await self.record.entries(self.table, turn)
                told = await story.record_lines(self.record, self.table, view, rows, self.seat)
                texts.append(([page_line(line) for text in told for line in text.splitlines()], hand))
            await self.advance(min(start + BATCH, len(turns)) / len(turns))
        return [
            PageTurn(
                heading=_heading(self.table, turn, turns[-1].number),
                time=words.instant(turn.at) if turn.at else "",
                board=board,
                lines=lines,
                hands=hands,
                turning=whys.get(turn.number, ""),
            )
            for turn, board, (lines, hands) in zip(turns, boards, texts, strict=True)
        ]

    async def _hands(self, turns: Sequence[RecordedTurn]) -> list[list[Part]]:
        if not self._is_open or len(self.table.seats) == 1:
            return [[] for _ in turns]
        seats = range(len(self.table.seats))
        seen = [await self.record.views(self.table, turns, seat) for seat in seats]
        names = tuple(self.table.names)
        return [
            await self.workers.run_with(
                Urgency.REPLAY, layers.describe_hands, self.table.slug, names, list(views)
            )
            for views in zip(*seen, strict=True)
        ]

    async def _chart(self) -> LineChart | None:
        if self.table.phase is not Phase.OVER or not self._is_open:
            return None
        entries = await self.record.tallies(self.table)
        count = max((len(entry) for entry in entries if entry is not None), default=0)
        tallies = [entry or (None,) * count for entry in entries]
        charted = presenter(self.table).charted
        return LineChart(charted, tallies) if count and tells(tallies) else None


def _heading(table: Table, turn: RecordedTurn, last: int) -> str:
    if not turn.number:
        return "The deal"
    who = "" if table.game.simultaneous else ", ".join(player_name(table.names, seat) for seat in turn.seats)
    return f"Turn {turn.number} of {last}{f' · {who}' if who else ''}"


def page_line(line: str) -> PageLine:
    """Return a line of the record without its formatting.

    >>> page_line("↳ **Ann** draws."), page_line("-# By the way.")
    (PageLine(text='Ann draws.', kind='follows'), PageLine(text='By the way.', kind='small'))
    """
    if line.startswith(story.SMALL):
        return PageLine(words.plain(line), "small")
    if line.startswith(story.FOLLOWS):
        return PageLine(words.plain(line.removeprefix(story.FOLLOWS).lstrip()), "follows")
    return PageLine(words.plain(line), "strong" if "**" in line else "")


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
