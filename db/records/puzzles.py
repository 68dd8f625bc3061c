"""Rows of studies and puzzles."""

import msgspec


class StudyRow(msgspec.Struct, frozen=True):
    """A private table on which a person tries a position, and the table that the position comes from.

    `source_id` is 0 for a puzzle.
    """

    table_id: int
    user_id: int
    kind: str
    source_id: int
    begun_at: float


class PuzzleTryRow(msgspec.Struct, frozen=True):
    """A person's first try at a puzzle of a game, on a day: with success or not, with a hint or not.

    `solved_on` is the day on which they solved it, at whichever try; None if they haven't.
    """

    user_id: int
    game: str
    puzzle: str
    day: str
    solved: bool
    hinted: bool = False
    solved_on: str | None = None


class PuzzleHintRow(msgspec.Struct, frozen=True):
    """A hint that a person has taken at a puzzle that they haven't tried yet."""

    user_id: int
    game: str
    puzzle: str


class PuzzlePlayerRow(msgspec.Struct, frozen=True):
    """A person's rating in the puzzles of a game, and how many they have tried and solved."""

    user_id: int
    game: str
    mu: float
    sigma: float
    tried: int = 0
    solved: int = 0


class PuzzleLevelRow(msgspec.Struct, frozen=True):
    """A puzzle's level as people's first tries have moved it."""

    game: str
    puzzle: str
    mu: float
    sigma: float
    tried: int = 0
    solved: int = 0
