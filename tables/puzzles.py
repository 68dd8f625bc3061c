"""Puzzles: opened one at a time, judged, explained, rated at the first try."""

from collections.abc import Mapping, Sequence
from datetime import date
from hashlib import sha256
from typing import Any

import msgspec
from msgspec.structs import replace

from db.batch import Conflict
from db.records import PuzzleHintRow, PuzzleLevelRow, PuzzlePlayerRow, PuzzleTryRow
from engines import engine, registry
from engines.analysis import puzzle_making as making
from engines.analysis.puzzle_making import PuzzleEntry, describe_miss
from engines.analysis.puzzles import PuzzleStep
from engines.game import Strength
from engines.workers import Workers
from tables.clocks.pace import day_of
from tables.core.history import MOVES, active_entries
from tables.core.repository import MOST_TRIES, Repository
from tables.core.table import Occupant, Refused, Stale, Study, StudyKind, Table
from tables.daily import LONGEST_STREAK, streak
from tables.lobby.lobby import seats_alone
from tables.standings.ratings import MODEL, points
from tables.study.studies import Studies, begin_study

FIRST_LEVEL = {Strength.EASY: 20.0, Strength.MEDIUM: 25.0, Strength.STRONG: 29.0}
"""The level of a new puzzle by the weakest computer that finds it."""
UNFOUND_LEVEL = 32.0
"""The level of a new puzzle that no computer finds."""
PER_MOVE, MOST_COUNTED = 0.8, 6
"""The part of a new puzzle's level for each move after the first, and the most moves that count."""
LEVEL_SIGMA = 4.0
"""The uncertainty of a new puzzle's level."""
NEAREST = 12
"""The next puzzle is one of this many whose level is nearest."""


class RatedTry(msgspec.Struct, frozen=True):
    """A first try with what it changes: the person's rating and the puzzle's level."""

    player: PuzzlePlayerRow
    level: PuzzleLevelRow


def new_player(user_id: int, game: str) -> PuzzlePlayerRow:
    """Return somebody's rating before their first puzzle."""
    first = MODEL.rating()
    return PuzzlePlayerRow(user_id, game, first.mu, first.sigma)


def new_level(game: str, entry: PuzzleEntry) -> PuzzleLevelRow:
    """Return a puzzle's level before anybody has tried it.

    >>> from engines.game import Strength
    >>> [new_level("tesla", PuzzleEntry("a", Strength.EASY, moves=moves)).mu for moves in (1, 3, 99)]
    [20.0, 21.6, 24.0]
    """
    mu = FIRST_LEVEL.get(entry.difficulty, UNFOUND_LEVEL) if entry.is_found else UNFOUND_LEVEL
    longer = PER_MOVE * min(entry.moves - 1, MOST_COUNTED - 1)
    return PuzzleLevelRow(game, entry.id, mu + longer, LEVEL_SIGMA)


def rate_try(player: PuzzlePlayerRow, level: PuzzleLevelRow, *, solved: bool, hinted: bool) -> RatedTry:
    """Rate a first try.

    A solution beats the puzzle; with a hint it is a draw.

    >>> player, level = new_player(1, "tesla"), PuzzleLevelRow("tesla", "a", 25.0, 4.0)
    >>> [points_of(rate_try(player, level, solved=True, hinted=hint).player) for hint in (False, True)]
    [1183, 1056]
    >>> points_of(rate_try(player, level, solved=False, hinted=False).player)
    930
    """
    ranks = [1.0, 1.0 if hinted else 2.0] if solved else [2.0, 1.0]
    teams = [[MODEL.rating(player.mu, player.sigma)], [MODEL.rating(level.mu, level.sigma)]]
    (own,), (other,) = MODEL.rate(teams, ranks=ranks)
    return RatedTry(
        replace(player, mu=own.mu, sigma=own.sigma, tried=player.tried + 1, solved=player.solved + solved),
        replace(level, mu=other.mu, sigma=other.sigma, tried=level.tried + 1, solved=level.solved + solved),
    )


def points_of(player: PuzzlePlayerRow) -> int:
    return points(player.mu, player.sigma)


def choose_next(
    entries: Sequence[PuzzleEntry], levels: Mapping[str, float], mu: float, luck: str
) -> PuzzleEntry:
    """Return one of the puzzles near a rating.

    The same `luck` picks the same one. `levels` are those of puzzles that somebody has tried.
    """

    def distance(entry: PuzzleEntry) -> float:
        return abs(levels.get(entry.id, new_level("", entry).mu) - mu)

    nearest = sorted(entries, key=distance)[:NEAREST]
    return nearest[int.from_bytes(sha256(luck.encode()).digest()[:8], "big") % len(nearest)]


def puzzle_of_day(entries: Sequence[PuzzleEntry], day: str) -> PuzzleEntry:
    """Return the same puzzle for everybody on a day.

    None comes again before all others have come.

    >>> entries = [PuzzleEntry(name, Strength.EASY, moves=1) for name in "abc"]
    >>> "".join(puzzle_of_day(entries, f"2026-11-{day:02}").id for day in range(1, 10))
    'acbcacbac'
    """
    cycle, place = divmod(date.fromisoformat(day).toordinal(), len(entries))
    if len(entries) < 3:
        return entries[place]
    order, last = (
        sorted(entries, key=lambda one: sha256(f"{number} {one.id}".encode()).digest())
        for number in (cycle, cycle - 1)
    )
    if order[0] == last[-1]:  # a cycle begins unlike the last ended
        order[:2] = order[1::-1]
    return order[place]


NO_PUZZLE = "This puzzle no longer exists. `/puzzle` opens another."
NOT_A_PUZZLE = "There's no puzzle at this table. `/puzzle` opens one."


class NoPuzzle(Refused):
    """Raised if a puzzle isn't in its game's file any more."""

    def __init__(self) -> None:
        super().__init__(NO_PUZZLE)


class PuzzleResult(msgspec.Struct, frozen=True):
    """A finished try.

    Attributes:
        is_solved: True if it reached the aim.
        is_first: True if it is the person's first try, which counts.
        rating, change: the person's rating now, and what the first try added.
    """

    is_solved: bool
    is_first: bool
    rating: int
    change: int


class PuzzleProgress(msgspec.Struct, frozen=True):
    """A person's puzzles: days in a row with a solved one, and their ratings by game.

    `hinted` counts the puzzles of each game that they solved at the first try with a hint.
    """

    streak: int
    players: tuple[PuzzlePlayerRow, ...]
    has_solved_today: bool = False
    hinted: Mapping[str, int] = {}

    @property
    def solved(self) -> int:
        return sum(row.solved for row in self.players)


class Puzzles:
    """Opens puzzles at private tables, and keeps what people have tried."""

    def __init__(self, repository: Repository, studies: Studies, workers: Workers) -> None:
        self._repository = repository
        self._store = repository.store.puzzles
        self._studies = studies
        self._workers = workers
        self._lists: dict[str, tuple[PuzzleEntry, ...]] = {}

    @property
    def today(self) -> str:
        """Return today's date in UTC."""
        return day_of(self._repository.clock())

    @property
    def games(self) -> list[str]:
        return [slug for slug in registry.SLUGS if registry.puzzles(slug) is not None]

    async def _list(self, slug: str) -> tuple[PuzzleEntry, ...]:
        if slug not in self.games:
            raise Refused("That game has no puzzles.")
        if slug not in self._lists:
            self._lists[slug] = await self._workers.run(making.list_puzzles, slug)
        return self._lists[slug]

    async def open(self, person: Occupant, slug: str | None = None) -> Table:
        """Return the person's open puzzle, or a new one.

        With `slug`, one of that game, else of the game that they have tried most. A new one is near their
        rating, or unsolved. Raise Refused if they have solved all of them.
        """
        user_id = person.user_id or 0
        open_one = await self._studies.newest(user_id, StudyKind.PUZZLE)
        is_wanted = open_one is not None and slug in (None, open_one.slug)
        if open_one is not None and is_wanted and await self._is_untried(open_one, user_id):
            return open_one
        before = None if open_one is None or open_one.study is None else open_one.study.puzzle
        most = max(await self._store.players(user_id), key=lambda row: row.tried, default=None)
        wanted = slug or (self.games[0] if most is None else most.game)
        entries, tries = await self._list(wanted), await self._store.tries_of(user_id, wanted)
        left = [one for one in entries if one.id not in tries]
        # Until they have tried it, it is the same one, so nobody can pass over a hard one.
        luck = f"{user_id} {wanted} {len(tries)}"
        if not left:
            luck += f" {before}"
            left = [one for one in entries if tries[one.id].solved_on is None]
            left = [one for one in left if one.id != before] or left
        if not left:
            raise Refused(f"You've solved all {len(entries)} puzzles of this game. Choose another game.")
        player = await self._store.player(user_id, wanted) or new_player(user_id, wanted)
        chosen = choose_next(left, await self._store.levels(wanted), player.mu, luck)
        return await self._begin(person, wanted, chosen.id)

    async def _is_untried(self, table: Table, user_id: int) -> bool:
        """Return True if a person can go on with their puzzle."""
        try:
            verdict = await self.judge(table)
        except NoPuzzle:
            return False
        tried = await self._store.tries_of(user_id, table.slug)
        return not verdict.is_over and self._study(table).puzzle not in tried

    async def task_of_day(self, slug: str, day: str) -> str:
        entry = puzzle_of_day(await self._list(slug), day)
        return await self._workers.run(making.describe_task, slug, entry.id, ())

    async def open_of_day(self, person: Occupant, slug: str, day: str) -> Table:
        """Open a day's puzzle of a game, the same for everybody."""
        entry = puzzle_of_day(await self._list(slug), day)
        open_one = await self._studies.newest(person.user_id or 0, StudyKind.PUZZLE)
        if open_one is not None and open_one.study is not None and open_one.study.puzzle == entry.id:
            return open_one
        return await self._begin(person, slug, entry.id)

    async def open_again(self, table: Table, person: Occupant) -> Table:
        return await self._begin(person, table.slug, self._study(table).puzzle)

    async def _begin(self, person: Occupant, slug: str, puzzle_id: str) -> Table:
        try:
            begun = await self._workers.run(making.begin_puzzle, slug, puzzle_id)
        except KeyError:
            raise NoPuzzle from None
        now = self._repository.clock()
        origin = Study(StudyKind.PUZZLE, 0, 0, begun.seat, begun.position.beat, puzzle_id)
        seats = seats_alone(begun.seats, begun.seat, person)
        rows = begin_study(slug, begun.options.decode(), origin, begun.position, seats, now)
        open_one = await self._studies.newest(person.user_id or 0, StudyKind.PUZZLE)
        if open_one is not None and await self._has_peeked(open_one, is_given_up=True):
            await self.note_hint(open_one, person.user_id or 0)
        return await self._studies.begin(rows, person, StudyKind.PUZZLE)

    @staticmethod
    def _study(table: Table) -> Study:
        if table.study is None or not table.study.puzzle:
            raise Refused(NOT_A_PUZZLE)
        return table.study

    async def task(self, table: Table) -> str:
        return await self._workers.run(
            making.describe_task, table.slug, self._study(table).puzzle, tuple(table.names)
        )

    async def describe(self, table: Table, view: Any) -> making.PuzzleText:
        """Return a puzzle's aim, and what its solver needs in a view."""
        puzzle_id, names = self._study(table).puzzle, tuple(table.names)
        try:
            return await self._workers.run(making.describe_puzzle, table.slug, puzzle_id, view, names)
        except KeyError:
            raise NoPuzzle from None

    async def describe_miss(self, table: Table) -> str:
        puzzle_id, names = self._study(table).puzzle, tuple(table.names)
        state = await self._load_state(table)
        return await self._workers.run(describe_miss, table.slug, puzzle_id, state, names)

    async def explain(self, table: Table) -> tuple[str, tuple[PuzzleStep, ...]]:
        """Return why the solution of a table's puzzle works, and the solution."""
        names = tuple(table.names)
        return await self._workers.run(making.explain_puzzle, table.slug, self._study(table).puzzle, names)

    async def judge(self, table: Table) -> making.PuzzleVerdict:
        state = await self._load_state(table)
        try:
            return await self._workers.run(making.judge_puzzle, table.slug, self._study(table).puzzle, state)
        except KeyError:
            raise NoPuzzle from None

    async def _load_state(self, table: Table) -> bytes:
        position: engine.Position | None = (await self._repository.load(table.id)).position
        return b"" if position is None else position.state

    async def difficulty(self, table: Table) -> PuzzleEntry | None:
        puzzle_id = self._study(table).puzzle
        return next((one for one in await self._list(table.slug) if one.id == puzzle_id), None)

    async def settle(self, table: Table, user_id: int) -> PuzzleResult | None:
        """Count a finished attempt, if it is the person's first. None while it goes on."""
        verdict = await self.judge(table)
        if not verdict.is_over:
            return None
        return await self.keep_try(table, user_id, solved=verdict.is_solved)

    async def keep_try(self, table: Table, user_id: int, *, solved: bool) -> PuzzleResult:
        """Count a try at a table's puzzle, if it is the first.

        Raise Stale if others keep changing the puzzle's level at the same time.
        """
        puzzle_id, slug = self._study(table).puzzle, table.slug
        entry = await self.difficulty(table)
        if entry is None:
            raise NoPuzzle
        hinted = await self._store.has_hint(user_id, slug, puzzle_id) or await self._has_peeked(table)
        solved_on = self.today if solved else None
        row = PuzzleTryRow(user_id, slug, puzzle_id, self.today, solved, hinted, solved_on)
        for _ in range(MOST_TRIES):
            player, level = await self._store.player(user_id, slug), await self._store.level(slug, puzzle_id)
            first = player or new_player(user_id, slug)
            rated = rate_try(first, level or new_level(slug, entry), solved=solved, hinted=row.hinted)
            try:
                kept = await self._store.keep_try(row, (player, level), (rated.player, rated.level))
            except Conflict:
                continue
            was, now = points_of(first), points_of(rated.player)
            return PuzzleResult(solved, kept, now if kept else was, now - was if kept else 0)
        raise Stale

    async def _has_peeked(self, table: Table, *, is_given_up: bool = False) -> bool:
        """Return True if an undone step showed something.

        With `is_given_up`, any step. It counts like a hint: the next try knows more than the first did.
        """
        rows = await self._repository.store.actions(table.id)
        active = set() if is_given_up else active_entries({row.version: row for row in rows}, table.version)
        return any(row.kind in MOVES and row.reveals and row.version not in active for row in rows)

    async def is_hint_free(self, table: Table, user_id: int) -> bool:
        """Return True if a hint changes nothing: after one, or a try."""
        puzzle_id, slug = self._study(table).puzzle, table.slug
        return await self._store.has_hint(user_id, slug, puzzle_id) or await self.has_tried(table, user_id)

    async def has_tried(self, table: Table, user_id: int) -> bool:
        """Return True if a table's puzzle no longer counts for a person."""
        return self._study(table).puzzle in await self._store.tries_of(user_id, table.slug)

    async def note_hint(self, table: Table, user_id: int) -> None:
        await self._store.note_hint(PuzzleHintRow(user_id, table.slug, self._study(table).puzzle))

    async def progress(self, user_id: int) -> PuzzleProgress:
        days, today = await self._store.list_solved_days(user_id, LONGEST_STREAK), self.today
        players, hinted = await self._store.players(user_id), dict[str, int]()
        for player in players:
            tries = await self._store.tries_of(user_id, player.game)
            hinted[player.game] = sum(row.solved and row.hinted for row in tries.values())
        return PuzzleProgress(streak(days, today), tuple(players), today in days[:1], hinted)
