"""Helps at a table: with hints, which a computer thinks of, and with first-time notes."""

import asyncio
import logging
import math
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from zlib import crc32

import msgspec
from cachetools import LRUCache

from db.records import ServerSettings
from engines.analysis.study import ExpectedTurn, StrongComputer
from engines.engine import Position, advise
from engines.game import Advice, Outcome, Seat
from engines.workers import WorkerOutOfMemory, Workers, WorkerTimeout
from tables.core.change import require_going, require_play
from tables.core.repository import Repository
from tables.core.table import Hints, LessonDeal, Phase, Refused, Table
from tables.play.play import Play

log = logging.getLogger(__name__)
Expected = tuple[ExpectedTurn, ExpectedTurn | None] | None
"""A seat's turn and the reply, if one can be expected."""
KEPT = 256
"""Cached advice."""
REPLY_SECONDS = 4.0
"""Seconds for which a hint waits for what the next player would do."""
LEAST_SWING = 0.05
"""A smaller swing decides nothing."""
STEEPEST = 60.0
"""A lead, in scales, beyond which a chance of winning is 0."""

NOT_HERE = "Hints are off in this server."
NOT_AT_THIS_TABLE = "Hints are off at this table."
NOT_AGAINST_OTHERS = (
    "Rated games against others have hints only if the host opened the table with `hints:allowed`."
)


def refusal(table: Table, settings: ServerSettings) -> str | None:
    if not settings.hints:
        return NOT_HERE
    if table.hints is Hints.FORBIDDEN:
        return NOT_AT_THIS_TABLE
    people = sum(occupant.user_id is not None or occupant.kept_for is not None for occupant in table.seats)
    against_others = people > 1 and not table.game.is_team_game(table.options)
    if table.hints is Hints.USUAL and table.rated and table.origin is None and against_others:
        return NOT_AGAINST_OTHERS
    return None


def require_allowed(settings: ServerSettings, hints: Hints) -> None:
    if hints is Hints.ALLOWED and not settings.hints:
        raise Refused(f"{NOT_HERE} Leave `hints` out.")


class HintService:
    """Gets advice from the strong computer for people with hints, and counts it by seat."""

    def __init__(self, repository: Repository, workers: Workers) -> None:
        self._repository = repository
        self._workers = workers
        self.strong = StrongComputer(workers)
        self._replies: LRUCache[tuple[int, Seat, int], Expected] = LRUCache(KEPT)
        self._expected: dict[tuple[int, Seat, int], asyncio.Task[None]] = {}
        self._kept: LRUCache[tuple[int, Seat, int], list[Advice]] = LRUCache(KEPT)

    async def refusal(self, table: Table) -> str | None:
        settings = await self._repository.store.guild(table.guild_id)
        return refusal(table, settings or ServerSettings(table.guild_id))

    async def advice(self, table_id: int, user_id: int) -> list[Advice]:
        """Return the strong computer's choices for a person, best first; see `Game.advice`.

        It counts as a hint, once for the same view. Empty if nothing is to decide. Raise Refused if the
        person owes no move, or hints aren't allowed.
        """
        loaded = await self._repository.load(table_id)
        table, position = loaded.table, loaded.position
        require_play(table)
        require_going(table)
        seat = table.seat_of(user_id)
        if seat is None or position is None or seat not in table.owing:
            raise Refused("It isn't your turn. Hints are for your own moves.")
        why_not = await self.refusal(table)
        if why_not is not None:
            raise Refused(why_not)
        engine = self._repository.engine
        about = crc32(msgspec.json.encode(engine.view(table.slug, position.state, seat)))
        key = table_id, seat, about
        if key not in self._kept:
            self._kept[key] = await engine.run(advise, table.slug, position.state, seat)
        if self._kept[key]:
            await self._repository.store.hints.take(table_id, seat, about)
        return self._kept[key]

    async def expect_turns(self, table_id: int, user_id: int, advice: Advice) -> Expected:
        """Return a person's whole turn if they follow advice, and the reply.

        None if all answer at once, or the thought takes too long.
        """
        loaded = await self._repository.load(table_id)
        table, position = loaded.table, loaded.position
        seat = table.seat_of(user_id)
        if position is None or seat is None or table.game.simultaneous:
            return None
        view = msgspec.json.encode(self._repository.engine.view(table.slug, position.state, seat))
        key = table_id, seat, crc32(view + msgspec.json.encode(advice.moves))
        if key not in self._replies:
            known = self._expected.get(key)
            task = known or asyncio.create_task(self._expect(key, table, position, advice, view))
            self._expected[key] = task
            await asyncio.wait([task], timeout=REPLY_SECONDS)
        return self._replies.get(key)

    async def _expect(
        self, key: tuple[int, Seat, int], table: Table, position: Position, advice: Advice, view: bytes
    ) -> None:
        """Think about a turn and its reply. A failure is only logged."""
        _, seat, _ = key
        try:
            self._replies[key] = await self.strong.expect_turns(
                table.slug, len(table.seats), table.options, position.state, seat, advice.moves, view
            )
        except (WorkerTimeout, WorkerOutOfMemory, BrokenProcessPool):
            log.warning("table %s: nobody could say what follows a hint", table.id, exc_info=True)
        finally:
            del self._expected[key]

    async def hints_by_seat(self, table_id: int) -> dict[Seat, int]:
        return await self._repository.store.hints.hints_of(table_id)


class Swing(msgspec.Struct, frozen=True):
    """A turn's change of a seat's position against the others, as the strong computer sees it.

    `chances` are those of winning before and after it, if they are known.
    """

    turn: int
    change: float
    chances: tuple[float, float] | None = None


def counts_together(table: Table) -> bool:
    """Return True if all seats win or lose as one."""
    return len(table.seats) == 1 or table.game.is_team_game(table.options)


def table_swings(
    table: Table, outcome: Outcome, estimates: list[tuple[float | None, ...]], seat: Seat
) -> list[Swing]:
    """Return a seat's swings, as chances of winning where possible."""
    team = counts_together(table)
    if team or not table.game.chance_scale:
        return swings(estimates, seat, team=team)
    return chance_swings(estimates, seat, table.game.chance_scale, final_chance(outcome, seat))


def final_chance(outcome: Outcome, seat: Seat) -> float:
    """Return a seat's share of the first place.

    >>> final_chance(Outcome("points", (1, 1, 3)), 0), final_chance(Outcome("points", (1, 2)), 1)
    (0.5, 0.0)
    """
    return 1 / outcome.places.count(1) if outcome.places[seat] == 1 else 0.0


def swings(estimates: list[tuple[float | None, ...]], seat: Seat, *, team: bool) -> list[Swing]:
    """Return each turn's change for a seat, from estimates.

    For a `team`, or a lone player, the change of its estimate; else of the seat's lead over the best other.
    A turn without estimates, or without others', has none.

    >>> swings([(1.0, 1.0), (4.0, 2.0), (4.0, 9.0)], 0, team=False)
    [Swing(turn=1, change=2.0, chances=None), Swing(turn=2, change=-7.0, chances=None)]
    """
    leads = [lead_of(estimate, seat, team=team) for estimate in estimates]
    return [Swing(turn, now - before) for turn, before, now in _changes(leads)]


def chance_swings(
    estimates: list[tuple[float | None, ...]], seat: Seat, scale: float, end: float
) -> list[Swing]:
    """Return each turn's change of a seat's chance, up to `end`.

    >>> [round(one.change, 2) for one in chance_swings([(0.0, 0.0), (9.0, 0.0), (9.0, 9.0)], 0, 9.0, 1.0)]
    [0.23, 0.27]
    """
    chances = [chance_of(estimate, seat, scale) for estimate in estimates]
    if chances:
        chances[-1] = end
    return [Swing(turn, now - before, (before, now)) for turn, before, now in _changes(chances)]


def chance_of(estimate: tuple[float | None, ...], seat: Seat, scale: float) -> float | None:
    """Return a seat's chance of winning; None without an estimate of it.

    `scale` is `Game.chance_scale`. A seat without an estimate is out.

    >>> chance_of((0.0, 0.0, None), 0, 9.0), chance_of((None, 1.0), 0, 9.0)
    (0.5, None)
    """
    own = estimate[seat]
    if own is None:
        return None
    return 1 / sum(math.exp(min((other - own) / scale, STEEPEST)) for other in estimate if other is not None)


def _changes(values: Sequence[float | None]) -> Iterator[tuple[int, float, float]]:
    """Yield each turn whose value is known, with the value known before."""
    before: float | None = None
    for turn, now in enumerate(values):
        if now is not None and before is not None:
            yield turn, before, now
        before = now if now is not None else before


def lead_of(estimate: tuple[float | None, ...], seat: Seat, *, team: bool) -> float | None:
    """Return a seat's lead over the best other; a team's estimate. None if it isn't known."""
    known = {at: value for at, value in enumerate(estimate) if value is not None}
    if team:
        return sum(known.values()) / len(known) if known else None
    others = [value for at, value in known.items() if at != seat]
    return known[seat] - max(others) if seat in known and others else None


Found = Sequence[str]
ENDED = (Phase.OVER, Phase.CLOSED)
STOPPED = "-"
"""The key of a person's wish for no more lessons of a game."""
AT_ONCE = 2
"""Notes before one question of a lesson at most, one after the other."""


@dataclass(frozen=True)
class ChosenLesson:
    """A lesson to show, by its key; new if the person hasn't seen it yet."""

    key: str
    is_new: bool


class LessonService:
    """Chooses the note to show now. A table for learning shows all again."""

    def __init__(self, repository: Repository, play: Play) -> None:
        self._repository = repository
        self._play = play
        self._store = repository.store.lessons

    async def running_lesson(self, user_id: int, game: str) -> Table | None:
        return await self._lesson(user_id, game, (Phase.PLAY,))

    async def begin_again(self, user_id: int, game: str, deal: str) -> Table | None:
        """Take the lesson that a person has ended alone to its start.

        Return None if there is none with that deal; another version of the bot can have changed it.
        """
        known = await self._lesson(user_id, game, ENDED)
        if known is None or not isinstance(known.origin, LessonDeal) or known.origin.deal != deal:
            return None
        return await self._play.start_again(known.id, self._store.begin_again)

    async def _lesson(self, user_id: int, game: str, phases: Sequence[Phase]) -> Table | None:
        rows = [row for row in await self._repository.store.lessons_of(user_id, phases) if row.game == game]
        return (await self._repository.tables(rows[:1]))[0] if rows else None

    async def games_with_running_lessons(self, user_id: int) -> list[str]:
        return sorted({row.game for row in await self._repository.store.lessons_of(user_id, (Phase.PLAY,))})

    async def next_lesson(
        self, user_id: int, table: Table, lessons: Collection[str], applying: Callable[[], Found]
    ) -> ChosenLesson | None:
        """Return the first applicable lesson that is new to a person.

        None if there is none. It stays for the same moment of the table; on a table for learning, a second
        one follows it. `applying` returns the applicable ones in order; it isn't called if all are known.
        """
        pairs = await self._store.lessons_of(user_id, table.slug)
        here = table.id, table.moment
        new = [one for one in lessons if one not in pairs or (table.learning and pairs[one][0] != table.id)]
        shown = [one for one in lessons if pairs.get(one) == here]
        if len(shown) > 1:
            order = list(applying())
            shown.sort(key=lambda one: order.index(one) if one in order else -1)
        known = ChosenLesson(shown[-1], is_new=False) if shown else None
        is_enough = len(shown) >= (AT_ONCE if table.learning else 1)
        if is_enough or not new or (STOPPED in pairs and not table.learning):
            return known
        found = next((one for one in applying() if one in new), None)
        if found is None:
            return known
        await self._store.save(user_id, table.slug, found, *here)
        return ChosenLesson(found, is_new=True)

    async def lessons_read(self, user_id: int, table: Table) -> set[str]:
        pairs = await self._store.lessons_of(user_id, table.slug)
        return {lesson for lesson, (table_id, _) in pairs.items() if table_id == table.id}

    async def stop(self, user_id: int, games: Collection[str]) -> None:
        """Show a person no more lessons of some games."""
        await self._store.stop(user_id, games, STOPPED)

    async def restart(self, user_id: int) -> None:
        """Show a person everything once more, in all games."""
        await self._store.delete_all(user_id)
