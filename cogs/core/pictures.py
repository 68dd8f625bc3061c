"""Draws views and replays in worker processes, caches them, or tells them in words."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
from cachetools import LRUCache

from cogs.ui.page import MENU_LIMIT, Described, Menu, Option
from cogs.ui.press import Press
from engines import marks, registry
from engines.game import IllegalMove, Seat
from engines.words import MOST_CHARACTERS, Part, plural, section
from engines.workers import Urgency, Workers
from render.core import animation
from render.core.canvas import Picture, draw
from render.cup import CupStandings
from render.daily import Boards, MonthSheet, describe_month
from render.result import ResultCard
from render.standings import StandingsSheet
from tables.core.table import Refused, Table
from tables.play.play import Perspective
from tables.review.record import Record, RecordedTurn

CACHE_BYTES = 64 * 1024 * 1024
"""Bytes of pictures that the cache may hold."""
OVERHEAD = 300
PAGES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
Drawing = asyncio.Future[Picture | None]
Shown = Picture | Described


def page_picture(slug: str, name: str, alt: str) -> Picture:
    return Picture((PAGES / slug / name).read_bytes(), alt, f"{slug}-{name}")


def _size(picture: Picture | None) -> int:
    return OVERHEAD + (0 if picture is None else len(picture.png) + len(picture.alt))


class Pictures:
    """Draws views in the workers, and caches the newest pictures by their inputs.

    Attributes:
        theme: the name of the theme that it draws in.
    """

    def __init__(self, workers: Workers, kept: int = CACHE_BYTES) -> None:
        self._workers = workers
        self._urgency = Urgency.ANSWER
        self.theme = "light"
        self._kept: LRUCache[bytes, Picture | None] = LRUCache(kept, getsizeof=_size)
        self._under_way: dict[tuple[bytes, Urgency], Drawing] = {}

    def for_posts(self) -> Pictures:
        """Return the same pictures at low priority: people who wait go first."""
        twin = copy(self)
        twin._urgency = Urgency.POST
        return twin

    def in_theme(self, theme: str) -> Pictures:
        twin = copy(self)
        twin.theme = theme
        return twin

    async def board(self, table: Table, view: Any) -> Shown:
        return await self.special(table, "board", view)

    async def hand(self, perspective: Perspective) -> Shown | None:
        if perspective.seat is None:
            return None
        return await self._picture(
            perspective.table.slug, "hand", perspective.view, perspective.seat, perspective.table.names
        )

    async def special(self, table: Table, what: str, view: Any, *args: Any) -> Shown:
        """Return a picture drawn by `what` of the game's room in `render`."""
        return await self._require_picture(table.slug, what, view, table.names, *args)

    async def result(self, result: ResultCard, names: Sequence[str]) -> Picture:
        return await self._require_picture("result", "card", result, names)

    async def cup(self, standings: CupStandings) -> Picture:
        return await self._require_picture("cup", "picture", standings)

    async def standings(self, sheet: StandingsSheet) -> Picture:
        return await self._require_picture("standings", "sheet", sheet)

    async def calendar(self, month: MonthSheet) -> Shown:
        return await self._require_picture("daily", "calendar", month)

    async def boards(self, sheet: Boards) -> Picture:
        return await self._require_picture("daily", "boards", sheet)

    async def _require_picture(self, room: str, what: str, *args: Any) -> Picture:
        picture = await self._picture(room, what, *args)
        if picture is None:
            raise TypeError(f"render.{room} drew no {what}")
        return picture

    async def _picture(self, room: str, what: str, *args: Any) -> Picture | None:
        """Return a cached picture, or draw it once for all callers."""
        key = sha256(msgspec.json.encode((self.theme, room, what, args))).digest()
        if key in self._kept:
            return self._kept[key]
        # What is drawn for somebody who can wait may still be queued, so that only others of those join it.
        for urgency in Urgency:
            drawing = self._under_way.get((key, urgency))
            if drawing is not None and urgency <= self._urgency:
                return await asyncio.shield(drawing)
        drawing = asyncio.ensure_future(
            self._workers.run_with(self._urgency, draw, room, what, self.theme, *args)
        )
        place = key, self._urgency
        self._under_way[place] = drawing
        drawing.add_done_callback(lambda done: self._cache_picture(place, done))
        return await asyncio.shield(drawing)

    def _cache_picture(self, place: tuple[bytes, Urgency], drawing: Drawing) -> None:
        del self._under_way[place]
        if not drawing.cancelled() and drawing.exception() is None:
            picture = drawing.result()
            if _size(picture) <= self._kept.maxsize:
                self._kept[place[0]] = picture


OPENING = 900
"""Characters of a board that a panel shows; its menu of headings leads to the rest."""
HEADINGS_TITLE = "Choose a heading to see more of the board"
NOW = ""
"""The argument of a press for the current board; a turn's number means the board after it."""


def names_of(table: Table) -> list[str]:
    return marks.quote_players(table.names)


def board_parts(table: Table, view: Any) -> list[Part]:
    return registry.words(table.slug).parts(view, names_of(table))


def words_press(table: Table, at: str = NOW) -> Press:
    return Press("table", "words", table.id, arg=at)


def headings(parts: Sequence[Part], press: Press, chosen: str = "") -> Menu:
    """Return a menu of headings, cut to Discord's limit."""
    options = [
        Option(part.heading, key_of(part), chosen=key_of(part) == chosen) for part in parts[:MENU_LIMIT]
    ]
    return Menu(press, HEADINGS_TITLE, options)


def key_of(part: Part) -> str:
    return marks.to_plain(part.heading)[:100]


def opening(parts: Sequence[Part], most: int) -> str:
    """Return the first parts of a board that fit, at least one."""
    text = with_heading(parts[0])
    for part in parts[1:]:
        longer = f"{text}\n{with_heading(part)}"
        if len(longer) > most:
            break
        text = longer
    return text


def with_heading(part: Part) -> str:
    return f"**{part.heading}**\n{part.text}"


def board(table: Table, view: Any, most: int = OPENING, at: str = NOW) -> Described:
    """Return a board's first parts, with a menu of all headings."""
    parts = board_parts(table, view)
    text = opening(parts, most)
    whole = all(with_heading(part) in text for part in parts)
    return Described(text, None if whole else headings(parts, words_press(table, at)), whole=True)


def board_of_panel(table: Table, view: Any, heading: str) -> Described:
    """Return a board's part for a panel, by its heading.

    The menu of headings shows the panel again, with another part.
    """
    parts = board_parts(table, view)
    part = next((part for part in parts if key_of(part) == heading), None)
    text = opening(parts, OPENING) if part is None else with_heading(part)
    if all(with_heading(part) in text for part in parts):
        return Described(text, whole=True)
    press = Press("table", "spoken", table.id, table.moment)
    return Described(text, headings(parts, press, heading), whole=True)


class DescribedPictures(Pictures):
    """Describes boards, hands, previews and months in words; draws all else like `Pictures`."""

    def __init__(self, pictures: Pictures) -> None:
        vars(self).update(vars(pictures))

    async def board(self, table: Table, view: Any) -> Described:
        return board(table, view)

    async def hand(self, perspective: Perspective) -> Described | None:
        table, seat = perspective.table, perspective.seat
        if seat is None:
            return None
        lines = registry.words(table.slug).describe_hand(perspective.view, names_of(table), seat)
        return None if not lines else Described(section("Your hand", lines)[0].text)

    async def special(self, table: Table, what: str, view: Any, *args: Any) -> Described:
        """Describe a preview by its changes, other pictures as the board."""
        lines = registry.words(table.slug).describe_picture(what, view, names_of(table), args)
        return board(table, view) if not lines else Described("\n".join(lines)[:MOST_CHARACTERS])

    async def calendar(self, month: MonthSheet) -> Described:
        return Described("\n".join(describe_month(month))[:MOST_CHARACTERS])


REPLAY_CACHE_BYTES = 48 * 1024 * 1024
"""Bytes of replays that the cache may hold."""
MOST_FRAMES = 300
"""Frames of a replay at most; in a longer game a frame covers several turns."""
BATCH = 4
"""Frames per worker job (at most 0.2 seconds), so that other work can go first."""
MOST_EACH = 2
"""Replays drawn at once for one person, and for the bot itself."""
MOST_AT_ONCE = 8
"""Replays drawn at once for all."""
REPLAY_OVERHEAD = 500
YOURS_FIRST = "I'm still making two replays for you. Try again when one is done."
ALL_BUSY = "I can't make more replays at once. Try again in a minute."
OTHER_RULES = "This game's first turns used older rules, so I can't replay them."
Key = tuple[int, int, Seat | None, bool, tuple[str, ...], str]


@dataclass
class ReplayDrawing:
    """A replay in progress: its user, and its numbers of frames and turns.

    The bot's own posts have no `user_id`.
    """

    user_id: int | None
    turns: int
    frames: int
    drawn: int = 0
    task: asyncio.Task[Picture] = field(init=False)
    _more: asyncio.Event = field(init=False, default_factory=asyncio.Event)

    @property
    def share(self) -> float:
        """Return the share that is drawn, from 0 to 1."""
        return self.drawn / self.frames

    async def wait_for_frames(self) -> None:
        """Wait for more frames, or for the end."""
        await self._more.wait()

    def add_frames(self, frames: int = 0) -> None:
        """Count new frames, and wake those who wait."""
        self.drawn += frames
        self._more.set()
        self._more = asyncio.Event()


def _replay_size(picture: Picture) -> int:
    return REPLAY_OVERHEAD + len(picture.png) + len(picture.alt)


class ReplayRenderer:
    """Draws replays, and caches the newest."""

    def __init__(self, record: Record, workers: Workers, kept: int = REPLAY_CACHE_BYTES) -> None:
        self._record = record
        self._workers = workers
        self._kept: LRUCache[Key, Picture] = LRUCache(kept, getsizeof=_replay_size)
        self._under_way: dict[Key, ReplayDrawing] = {}

    async def replay(
        self, table: Table, seat: Seat | None, ending: str, user_id: int | None, theme: str = "light"
    ) -> Picture | ReplayDrawing:
        """Return a replay for a seat (None: a spectator), or its progress.

        It ends with the last turn; `ending` describes that in the alt text. Callers who ask while it is
        being drawn share the same drawing. `user_id` is the asker; with None, for the bot itself, it waits
        for its turn instead of being refused.

        The task of a drawing raises Refused if the replay turns out to be impossible. Raise Refused if the
        game has not begun, or too many replays are in progress.
        """
        turns = await self._record.turns(table)
        reveals, names = self._record.reveals(table), tuple(table.names)
        key: Key = (table.id, turns[-1].version, seat, reveals, names, theme)
        if key in self._kept:
            return self._kept[key]
        while user_id is None and key not in self._under_way and self._refusal(user_id) is not None:
            tasks = [one.task for one in self._under_way.values()]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.sleep(0)  # so that it counts as done
        drawing = self._under_way.get(key)
        if drawing is None:
            refusal = self._refusal(user_id)
            if refusal is not None:
                raise Refused(refusal)
            shown = choose_turns(turns, MOST_FRAMES)
            drawing = self._under_way[key] = ReplayDrawing(user_id, turns[-1].number, len(shown))
            drawing.task = asyncio.create_task(
                self._draw_replay(drawing, table, shown, seat, ending, theme),
                name=f"replay of table {table.id}",
            )
            drawing.task.add_done_callback(lambda task: self._cache_replay(key, task))
        return drawing

    def _refusal(self, user_id: int | None) -> str | None:
        drawings = self._under_way.values()
        if sum(drawing.user_id == user_id for drawing in drawings) >= MOST_EACH:
            return YOURS_FIRST
        return ALL_BUSY if len(drawings) >= MOST_AT_ONCE else None

    def _cache_replay(self, key: Key, task: asyncio.Task[Picture]) -> None:
        self._under_way.pop(key).add_frames()
        if (
            not task.cancelled()
            and task.exception() is None
            and _replay_size(task.result()) <= self._kept.maxsize
        ):
            self._kept[key] = task.result()

    async def _draw_replay(
        self,
        drawing: ReplayDrawing,
        table: Table,
        turns: Sequence[RecordedTurn],
        seat: Seat | None,
        ending: str,
        theme: str,
    ) -> Picture:
        slug, names = table.slug, tuple(table.names)
        reel: animation.Reel | None = None
        last: tuple[RecordedTurn, Any] | None = None
        blocks = []
        for start in range(0, len(turns), BATCH):
            part = turns[start : start + BATCH]
            try:
                views = await self._record.views(table, part, seat)
            except IllegalMove:
                raise Refused(OTHER_RULES) from None
            seen = list(zip(part, views, strict=True))
            lit = mark_changes(table, seen if last is None else [last, *seen])[-len(seen) :]
            frames = [_frame(table, turn, view, turns) for turn, view in zip(part, lit, strict=True)]
            reel = await self._workers.run_with(
                Urgency.REPLAY, animation.draw_frames, slug, names, frames, reel, theme
            )
            blocks.append(reel.blocks)
            reel, last = replace(reel, blocks=b""), seen[-1]
            drawing.add_frames(len(part))
        if reel is None or last is None:
            raise ValueError("a replay has at least one frame")
        head = await self._workers.run_with(Urgency.REPLAY, animation.beginning, slug, reel, theme)
        gif = b"".join((head, *blocks, animation.END))
        if len(gif) > animation.LARGEST:
            gif = await self._workers.run_with(Urgency.REPLAY, animation.narrower, slug, gif, theme)
        about = f"A replay of {plural(drawing.turns, 'turn')} of {table.game.title}, table {table.id}"
        about += f", in {drawing.frames} pictures." if drawing.frames <= drawing.turns else "."
        return animation.picture(gif, [about, ending])

    async def stop(self) -> None:
        tasks = [drawing.task for drawing in self._under_way.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def choose_turns(turns: Sequence[RecordedTurn], most: int) -> Sequence[RecordedTurn]:
    """Return `most` evenly spaced turns, with the first and last."""
    if len(turns) <= most:
        return turns
    return [turns[(len(turns) - 1) * number // (most - 1)] for number in range(most)]


def mark_changes(table: Table, seen: Sequence[tuple[RecordedTurn, Any]]) -> list[Any]:
    """Return views that mark every change since the one before.

    A view by itself marks only its own turn's changes.
    """
    views = [view for _, view in seen[:1]]
    for (before, earlier), (turn, view) in pairwise(seen):
        skipped = turn.number - before.number > 1
        views.append(table.game.since(view, [earlier]) if skipped else view)
    return views


def _frame(table: Table, turn: RecordedTurn, view: Any, turns: Sequence[RecordedTurn]) -> animation.Frame:
    last = turns[-1].number
    names = ", ".join(marks.player_name(table.names, seat) for seat in turn.seats)
    if table.game.simultaneous and len(table.seats) > 1:
        names = "everyone"
    text = f"After turn {turn.number} of {last} · {names}" if turn.number else "The deal"
    seconds = animation.LAST_FRAME_SECONDS if turn.number == last else animation.seconds(len(turns))
    return animation.Frame(view, text, turn.number / last if last else 1.0, seconds)
