"""Ratings of people and levels of puzzles: pure functions of first tries."""

from collections.abc import Mapping, Sequence
from datetime import date
from hashlib import sha256

import msgspec
from msgspec.structs import replace

from db.records.puzzles import PuzzleLevelRow, PuzzlePlayerRow
from engines.game import Strength
from engines.puzzle_play import PuzzleEntry
from tables.standings.ratings import MODEL, points

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
    """Return the displayed rating."""
    return points(player.mu, player.sigma)


def choose_next(
    entries: Sequence[PuzzleEntry], levels: Mapping[str, float], mu: float, luck: str
) -> PuzzleEntry:
    """Return one of the puzzles near a rating.

    The same `luck` picks the same one. `levels` are those of puzzles that somebody has tried.
    """

    def distance(entry: PuzzleEntry) -> float:
        return abs(levels.get(entry.id, new_level("", entry).mu) - mu)

    return _pick(sorted(entries, key=distance)[:NEAREST], luck)


def puzzle_of_day(entries: Sequence[PuzzleEntry], day: str) -> PuzzleEntry:
    """Return the same puzzle for everybody on a day.

    None comes again before all others have come.

    >>> entries = [PuzzleEntry(name, Strength.EASY, moves=1) for name in "abc"]
    >>> "".join(puzzle_of_day(entries, f"2026-11-{day:02}").id for day in range(1, 10))
    'acbcacbac'
    """
    cycle, place = divmod(date.fromisoformat(day).toordinal(), len(entries))
    return _shuffle(entries, cycle)[place]


def _shuffle(entries: Sequence[PuzzleEntry], cycle: int) -> list[PuzzleEntry]:
    """Shuffle the puzzles; a cycle begins unlike the last ended."""
    if len(entries) < 3:
        return list(entries)
    order, last = (sorted(entries, key=lambda one: _rank(one, number)) for number in (cycle, cycle - 1))
    if order[0] == last[-1]:
        order[:2] = order[1::-1]
    return order


def _rank(entry: PuzzleEntry, cycle: int) -> bytes:
    return sha256(f"{cycle} {entry.id}".encode()).digest()


def _pick(entries: Sequence[PuzzleEntry], luck: str) -> PuzzleEntry:
    return entries[int.from_bytes(sha256(luck.encode()).digest()[:8], "big") % len(entries)]
