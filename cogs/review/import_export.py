"""Commands to export, import or fork a game, its log as text, and the game as one page.

The page gathers what a viewer may see of each turn, and has it drawn.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core import folding, pictures, story, time_words, words
from cogs.core.app import App, app_of, name_of, require_permissions, table_link
from cogs.core.lookup import FinishedTable, PlayedTable, table_here
from cogs.core.presenter import presenter
from cogs.lobby.lobby import close_unless_shown, place_here, require_opening, show_card
from cogs.review import turning_points
from cogs.review.record import EDIT_INTERVAL, bar, seat_to_view
from cogs.ui.form import Change, reply, reply_updatable, suggest_choices
from cogs.ui.page import Document, Page
from cogs.ui.press import Press, on_press, say
from cogs.ui.text import Interaction, to_label
from engines.game import IllegalMove, Seat
from engines.marks import player_name, quote_player
from engines.words import Part, plural
from engines.workers import Urgency, Workers
from render.chart import tells
from render.core.theme import THEMES
from render.page import GamePage, LineChart, PageLine, PageTurn, build_page, layers
from render.page.layers import Layer, LayeredBoard, LayerPile
from tables.core.table import EVER, OPEN, Occupant, Phase, Refused, Table
from tables.review.format import is_importable, require_small
from tables.review.record import Record, RecordedTurn

AT_ONCE = 8
"""Turns whose positions are replayed at once."""


async def log_of(app: App, table: Table, seat: Seat | None) -> str:
    """Return the log that a seat (None: everybody) may read. Raise Refused if the game has not begun."""
    turns = await app.parlour.record.turns(table)
    over = f", over {words.instant(turns[-1].at)}" if table.phase is Phase.OVER else ""
    lines = [
        f"{table.game.title}, table {table.id}",
        words.plain(presenter(table).describe_game(table.options, len(table.seats))),
        f"Players: {', '.join(name_player(table, seat) for seat in range(len(table.seats)))}",
        f"Begun {words.instant(turns[0].at)}{over}",
    ]
    parts = ["\n".join(lines)]
    async for part in _turn_texts(app, table, turns, seat):
        parts.append(part)
    view = await app.parlour.record.view(table, turns[-1].version, seat)
    if table.phase is Phase.PLAY:
        parts.append("The game isn't over yet.")
    elif table.outcome is None:
        parts.append(words.CALLED_OFF)
    else:
        parts.append(f"The end: {words.plain(presenter(table).words.result(view, table.names))}")
    return "\n\n".join(parts) + "\n"


def name_player(table: Table, seat: Seat) -> str:
    occupant = table.seats[seat]
    name = player_name(table.names, seat)
    return f"{name} (computer, {occupant.strength})" if occupant.computer else name


async def _turn_texts(
    app: App, table: Table, turns: Sequence[RecordedTurn], seat: Seat | None
) -> AsyncIterator[str]:
    """Yield each turn with its lines, as of its own moment."""
    for begin in range(0, len(turns), AT_ONCE):
        some = turns[begin : begin + AT_ONCE]
        for turn, view in zip(some, await app.parlour.record.views(table, some, seat), strict=True):
            rows = await app.parlour.record.entries(table, turn)
            lines = await story.record_lines(app.parlour.record, table, view, rows, seat)
            result = "\n".join(f"  {line}" for text in lines for line in words.plain(text).splitlines())
            # While all answer at once, even the number of answers is a secret.
            if result or not table.game.simultaneous or table.phase is Phase.OVER:
                title = f"Turn {turn.number}" if turn.number else "The start"
                if turn.seats and not table.game.simultaneous:
                    title += f": {', '.join(player_name(table.names, seat) for seat in turn.seats)}"
                yield f"{title}, {words.instant(turn.at)}\n{result}".rstrip()


async def turns(interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
    """Autocomplete: the turns to fork a finished game at, the last first."""
    app = app_of(interaction)
    try:
        table = await table_here(interaction, interaction.namespace.table, EVER, app.parlour.table_lists)
        entries = await app.parlour.record.turns(table)
    except Refused:
        return []
    lines = {
        turn.number: to_label(
            f"{turn.number} · {', '.join(quote_player(table.names, seat) for seat in turn.seats)}"
        )
        for turn in reversed(entries[:-1])
    }
    return suggest_choices({**lines, 0: "0 · the deal"} if 0 in lines else lines, current)


class ImportExportCommands(commands.GroupCog):
    """The part of the `/table` commands that imports, exports and forks games."""

    @app_commands.command(description="Get the game as a file, with everything you're allowed to see")
    async def export(self, interaction: Interaction, table: PlayedTable = None) -> None:
        await reply(interaction, await _file(interaction, await table_here(interaction, table, EVER)))

    @app_commands.command(description="Get the whole game as text, turn by turn")
    async def log(self, interaction: Interaction, table: PlayedTable = None) -> None:
        await reply(interaction, await _log(interaction, await table_here(interaction, table, EVER)))

    @app_commands.command(name="import", description="Open a table from a file that /table export made")
    async def import_file(self, interaction: Interaction, file: discord.Attachment) -> None:
        """Import a file: a past game, or a lobby with its deal."""
        guild_id, channel_id = await place_here(interaction)
        require_small(file.size)
        app, host = app_of(interaction), Occupant(name_of(interaction.user), interaction.user.id)
        try:
            data = await file.read()
        except discord.HTTPException:
            raise Refused("Discord didn't give me that file. Try again.") from None
        table = await app.parlour.import_export.open(guild_id, channel_id, host, data)
        if table.phase is Phase.LOBBY:
            async with close_unless_shown(app, table):
                return await show_card(interaction, app, table)
        await say(interaction, f"Your game is at table {table.id} now. I'll post the last board in a moment.")

    @app_commands.command(description="Continue a finished game from any turn, at a new table")
    @app_commands.describe(at="Which turn to continue from (0 is the deal)")
    @app_commands.autocomplete(at=turns)
    async def fork(
        self, interaction: Interaction, at: app_commands.Range[int, 0, 9999], table: FinishedTable = None
    ) -> None:
        await _fork(interaction, await table_here(interaction, table, EVER), at)


async def _fork(interaction: Interaction, table: Table, at: int) -> None:
    require_permissions(interaction)
    await require_opening(interaction, table.guild_id, table.channel_id)
    app, host = app_of(interaction), Occupant(name_of(interaction.user), interaction.user.id)
    fork = await app.parlour.import_export.fork(table.id, at, host)
    async with close_unless_shown(app, fork):
        if interaction.channel_id == fork.channel_id:
            return await show_card(interaction, app, fork)
        await app.parlour.refresh(fork.id, "lobby", fresh=True)
    await say(interaction, f"Table {fork.id} is open. {table_link(fork)}")


@on_press("table", "export")
async def on_export(interaction: Interaction, press: Press) -> None:
    await reply(interaction, await _file(interaction, await app_of(interaction).parlour.table(press.table)))


@on_press("table", "log")
async def on_log(interaction: Interaction, press: Press) -> None:
    await reply(interaction, await _log(interaction, await app_of(interaction).parlour.table(press.table)))


@on_press("table", "fork")
async def on_fork(interaction: Interaction, press: Press) -> None:
    await _fork(interaction, await app_of(interaction).parlour.table(press.table), press.number)


async def _file(interaction: Interaction, table: Table) -> Page:
    data = await app_of(interaction).parlour.import_export.export(
        table.id, table.seat_of(interaction.user.id)
    )
    if table.phase is Phase.OVER:
        text = f"This is the whole game of table {table.id}."
        text += " `/table import` opens the file in any server." if is_importable(table.slug, data) else ""
    else:
        text = (
            f"This is the game of table {table.id} so far, with everything you're allowed to see. "
            "You can't import this file. When the game is over, export the game again to get a "
            "complete file that you can import."
        )
    if not is_importable(table.slug, data):
        text += " This file is too large to import."
    return Page([text, Document(f"{table.slug}-{table.id}.json", data)])


async def _log(interaction: Interaction, table: Table) -> Page:
    result = await log_of(app_of(interaction), table, table.seat_of(interaction.user.id))
    text = (
        f"The log of table {table.id}{'' if table.phase is Phase.OVER else ', with everything you can see'}."
    )
    return Page([text, Document(f"{table.slug}-{table.id}.txt", result.encode())])


BATCH = 2
"""Turns per worker job, so that other work can go first."""
MOST_TURNS = 600
"""The turns of a page at most; no game that was played by its rules comes near."""
TOO_LONG = "This game has {turns}, but a page holds at most {most}. The animation shows the whole game."
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
        players = [name_player(table, seat) for seat in range(len(table.seats))]
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
    if line.startswith(folding.SMALL):
        return PageLine(words.plain(line), "small")
    if line.startswith(folding.FOLLOWS):
        return PageLine(words.plain(line.removeprefix(folding.FOLLOWS).lstrip()), "follows")
    return PageLine(words.plain(line), "strong" if "**" in line else "")


MOST_AT_ONCE = 8
"""Pages under way for all at once."""
YOURS_FIRST = "I'm still making a page for you. Try again when it's done."
ALL_BUSY = "I can't make more pages at once. Try again in a minute."
TOO_LARGE = "This game's page is {size}, but files here can be {most} at most. The animation fits."
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
    text = "Download the page and open it in a browser. It works offline, on phones and with screen readers."
    if table.phase is Phase.PLAY:
        text += "\n-# The page shows what you can see. Keep it to yourself while the game is running."
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
