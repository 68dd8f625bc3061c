"""Draws replays in worker processes, in batches, and caches them by their last position."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from cachetools import LRUCache

from engines.game import IllegalMove, Seat
from engines.names import player_name
from engines.words import plural
from engines.workers import Urgency, Workers
from render.core import animation
from render.core.animation import Frame, Reel
from render.core.picture import Picture
from tables.core.table import Refused, Table
from tables.review.record import Record, RecordedTurn

CACHE_BYTES = 48 * 1024 * 1024
"""Bytes of replays that the cache may hold."""
MOST_FRAMES = 300
"""Frames of a replay at most; in a longer game a frame covers several turns."""
BATCH = 4
"""Frames per worker job (at most 0.2 seconds), so that other work can go first."""
MOST_EACH = 2
"""Replays drawn at once for one person, and for the bot itself."""
MOST_AT_ONCE = 8
"""Replays drawn at once for all."""
OVERHEAD = 500
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


def _size(picture: Picture) -> int:
    return OVERHEAD + len(picture.png) + len(picture.alt)


class ReplayRenderer:
    """Draws replays, and caches the newest."""

    def __init__(self, record: Record, workers: Workers, kept: int = CACHE_BYTES) -> None:
        """Keep at most `kept` bytes of replays in memory."""
        self._record = record
        self._workers = workers
        self._kept: LRUCache[Key, Picture] = LRUCache(kept, getsizeof=_size)
        self._under_way: dict[Key, ReplayDrawing] = {}

    async def replay(
        self, table: Table, seat: Seat | None, ending: str, user_id: int | None, theme: str = "light"
    ) -> Picture | ReplayDrawing:
        """Return a replay for a seat (None: a spectator), or its progress.

        It ends with the last turn; `ending` describes that in the alt text. Callers who ask while it is
        being drawn share the same drawing. `user_id` is the asker; with None, for the bot itself, it waits
        for its turn instead of being refused.

        The task of a drawing raises Refused if the replay turns out to be impossible.

        Raises:
            Refused: if the game has not begun, or too many replays are in progress.
        """
        turns = await self._record.turns(table)
        reveals, names = self._record.reveals(table), tuple(table.names)
        key: Key = (table.id, turns[-1].version, seat, reveals, names, theme)
        if key in self._kept:
            return self._kept[key]
        while user_id is None and key not in self._under_way and self._refusal(user_id) is not None:
            await self._wait_for_one()
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
        """Return why no replay can start; None if one can."""
        drawings = self._under_way.values()
        if sum(drawing.user_id == user_id for drawing in drawings) >= MOST_EACH:
            return YOURS_FIRST
        return ALL_BUSY if len(drawings) >= MOST_AT_ONCE else None

    async def _wait_for_one(self) -> None:
        tasks = [drawing.task for drawing in self._under_way.values()]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.sleep(0)  # so that it counts as done

    def _cache_replay(self, key: Key, task: asyncio.Task[Picture]) -> None:
        self._under_way.pop(key).add_frames()
        if not task.cancelled() and task.exception() is None and _size(task.result()) <= self._kept.maxsize:
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
        reel: Reel | None = None
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
        return animation.picture(gif, [_about(table, drawing), ending])

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


def _frame(table: Table, turn: RecordedTurn, view: Any, turns: Sequence[RecordedTurn]) -> Frame:
    last = turns[-1].number
    names = ", ".join(player_name(table.names, seat) for seat in turn.seats)
    if table.game.simultaneous and len(table.seats) > 1:
        names = "everyone"
    text = f"After turn {turn.number} of {last} · {names}" if turn.number else "The deal"
    seconds = animation.LAST_FRAME_SECONDS if turn.number == last else animation.seconds(len(turns))
    return Frame(view, text, turn.number / last if last else 1.0, seconds)


def _about(table: Table, drawing: ReplayDrawing) -> str:
    """Return a replay's alt text."""
    text = f"A replay of {plural(drawing.turns, 'turn')} of {table.game.title}, table {table.id}"
    return f"{text}, in {drawing.frames} pictures." if drawing.frames <= drawing.turns else f"{text}."
