"""Puzzles: positions from games, each with an aim for one turn, a solution and the reason for it.

A game that has them has `PUZZLES` in its module `game`. They work from views and states; a puzzle keeps
only the view of its seat, so nothing hidden is in it.
"""

import lzma
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from engines.game import AnyGame, Event, Seat, Strength
from engines.words import Names

PLAYERS = (Strength.EASY, Strength.MEDIUM, Strength.STRONG)
"""The computers that measure how difficult a puzzle is."""
TRIES = 5
"""The number of tries of each of them."""
FILE = "puzzles.json.xz"
"""The data file of a game's puzzles, in its folder."""
_AT_LEAST_EASY = 3
"""Tries of the easy computer that make a puzzle easy."""


class PuzzleCandidate(msgspec.Struct, frozen=True):
    """A puzzle that a game's search suggests: what to reach, and the moves that do.

    `kind` is the game's own word for the aim; `target` a number to reach, if the aim is a best value.
    """

    solution: tuple[Any, ...]
    kind: str = "win"
    target: int | None = None


class Puzzle(msgspec.Struct, frozen=True):
    """A position with an aim.

    Attributes:
        id: unique in its game; the same position and aim always have the same.
        seat: the seat to act, whose `view` it is.
        kind: the game's own word for the aim.
        target: the number to reach, None if the aim is no number.
        solution: moves that reach the aim, whatever is hidden.
        found_by: in how many of `TRIES` tries each player reaches it.
    """

    id: str
    seats: int
    seat: Seat
    options: Any
    view: Any
    kind: str
    target: int | None
    solution: tuple[Any, ...]
    found_by: tuple[int, int, int] = (0, 0, 0)

    @property
    def difficulty(self) -> Strength:
        """The weakest computer that finds it in most tries, else strong."""
        pairs = zip(PLAYERS, self.found_by, strict=True)
        return next((player for player, found in pairs if found >= _AT_LEAST_EASY), Strength.STRONG)


class PuzzleStep(msgspec.Struct, frozen=True):
    """A move of a solution: the seat's view before it, its events, and the view after it.

    It `is_forced` if the seat had no other move.
    """

    before: Any
    move: Any
    events: tuple[Event, ...]
    after: Any
    is_forced: bool = False


class PuzzleTable(msgspec.Struct, frozen=True):
    """Games to look for puzzles in: their seats, their options, and their computers."""

    seats: int
    options: dict[str, Any] = {}
    strength: Strength = Strength.EASY


class _WrittenPuzzle(msgspec.Struct, frozen=True):
    """A puzzle in a file; what only the game can read is raw."""

    id: str
    seats: int
    seat: Seat
    kind: str
    target: int | None
    found_by: tuple[int, int, int]
    options: msgspec.Raw
    view: msgspec.Raw
    solution: msgspec.Raw


class PuzzleGame(ABC):
    """The puzzles that a game offers.

    Attributes:
        rules: the game.
        file: the data file of its puzzles.
        tables: the kinds of games that puzzles are found in, in turn.
        other_hands: in each position, puzzles are also looked for with what the seat holds dealt anew, this
            many times.
        most_easy: the share of puzzles that the easy computer always finds, at most.
        most_of_kind: the share of puzzles of a kind, at most; all can be of a kind that it doesn't name.

    >>> from engines.registry import puzzles
    >>> tesla = puzzles("tesla")
    >>> puzzle = tesla.puzzles[0]
    >>> tesla.task(puzzle)
    'Win this turn.'
    >>> state = tesla.start(puzzle, Random(1))
    >>> for move in puzzle.solution:
    ...     events = tesla.rules.play(state, puzzle.seat, move)
    >>> tesla.is_over(puzzle, state), tesla.is_solved(puzzle, state)
    (True, True)
    """

    tables: tuple[PuzzleTable, ...]
    other_hands: int = 0
    most_easy: float = 0.1
    most_of_kind: Mapping[str, float] = {}

    def __init__(self, rules: AnyGame, file: Path) -> None:
        """Keep the game; its puzzles are read at first use."""
        self.rules, self.file = rules, file

    @cached_property
    def puzzles(self) -> tuple[Puzzle, ...]:
        return tuple(self.read(self.file))

    def read(self, file: Path) -> Iterator[Puzzle]:
        """Read a file of puzzles. Nothing if it doesn't exist."""
        if not file.exists():
            return
        rules = self.rules
        for one in msgspec.json.decode(lzma.decompress(file.read_bytes()), type=list[_WrittenPuzzle]):
            yield Puzzle(
                one.id,
                one.seats,
                one.seat,
                msgspec.json.decode(one.options, type=rules.Options),
                msgspec.json.decode(one.view, type=rules.View),
                one.kind,
                one.target,
                tuple(msgspec.convert(move, rules.Move) for move in msgspec.json.decode(one.solution)),
                one.found_by,
            )

    def start(self, puzzle: Puzzle, luck: Random) -> Any:
        """Return a state that fits the puzzle. Its hidden parts are drawn from `luck`."""
        return self.rules.sample_state(puzzle.view, luck)

    @abstractmethod
    def find(self, view: Any, seat: Seat) -> Iterator[PuzzleCandidate]:
        """Yield the puzzles in a view of the seat to act."""

    @abstractmethod
    def is_over(self, puzzle: Puzzle, state: Any) -> bool:
        """Return True if the attempt has ended."""

    @abstractmethod
    def is_solved(self, puzzle: Puzzle, state: Any) -> bool:
        """Return True if an attempt that is over has reached the aim. Whatever its moves were."""

    @abstractmethod
    def task(self, puzzle: Puzzle, names: Names = ()) -> str:
        """Return the aim as an instruction, in a sentence."""

    @abstractmethod
    def describe_given(self, puzzle: Puzzle, view: Any, names: Names = ()) -> str:
        """Return what a solver needs beside the board, in one short line."""

    @abstractmethod
    def describe_miss(self, puzzle: Puzzle, state: Any, names: Names = ()) -> str:
        """Say in a short sentence what a failed attempt lacks."""

    @abstractmethod
    def reason(self, puzzle: Puzzle, names: Names = ()) -> str:
        """Say in one or two short sentences why the solution works."""

    def steps(self, puzzle: Puzzle) -> tuple[PuzzleStep, ...]:
        state, result = self.start(puzzle, Random(puzzle.id)), []
        for move in puzzle.solution:
            before = self.rules.view(state, puzzle.seat)
            is_forced = len(list(islice(self.rules.moves(state, puzzle.seat), 2))) == 1
            events = tuple(self.rules.play(state, puzzle.seat, move))
            result.append(PuzzleStep(before, move, events, self.rules.view(state, puzzle.seat), is_forced))
        return tuple(result)


class WinningPuzzles(PuzzleGame):
    """Puzzles of a game whose aim is always to win this turn."""

    def is_over(self, puzzle: Puzzle, state: Any) -> bool:
        return bool(state.phase == "over" or state.turn != puzzle.view.turn)

    def is_solved(self, puzzle: Puzzle, state: Any) -> bool:
        return state.outcome is not None and state.outcome.places[puzzle.seat] == 1

    def task(self, puzzle: Puzzle, names: Names = ()) -> str:
        return "Win this turn."


def write(puzzles: Iterable[Puzzle]) -> bytes:
    """Return the content of a file of puzzles."""
    return lzma.compress(msgspec.json.encode(list(puzzles)), preset=9 | lzma.PRESET_EXTREME)
