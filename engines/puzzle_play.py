"""Puzzles for a bot: read in worker processes, so that their files never hold up anybody."""

from random import Random
from typing import Any

import msgspec

from engines.engine import Position, position
from engines.game import Seat, Strength
from engines.puzzles import TRIES, Puzzle, PuzzleGame, PuzzleStep
from engines.registry import puzzles
from engines.words import Names


class PuzzleEntry(msgspec.Struct, frozen=True):
    """A puzzle in the list of its game's puzzles.

    `difficulty` is the weakest computer that finds it, and it `is_found` if one does, more often than not.
    `moves` is the length of its solution.
    """

    id: str
    difficulty: Strength
    is_found: bool = True
    moves: int = 1


class BegunPuzzle(msgspec.Struct, frozen=True):
    """A puzzle's first position, with all that a table of it needs."""

    seats: int
    seat: Seat
    options: bytes
    position: Position

    def __repr__(self) -> str:
        return f"BegunPuzzle(seats={self.seats}, seat={self.seat})"


class PuzzleText(msgspec.Struct, frozen=True):
    """The lines above a puzzle: its aim, and its given facts."""

    task: str
    given: str


class PuzzleVerdict(msgspec.Struct, frozen=True):
    """The state of an attempt."""

    is_over: bool
    is_solved: bool


def list_puzzles(slug: str) -> tuple[PuzzleEntry, ...]:
    """Return a game's puzzles, in the order of their file."""
    return tuple(
        PuzzleEntry(
            one.id, one.difficulty, any(2 * found > TRIES for found in one.found_by), len(one.solution)
        )
        for one in _game(slug).puzzles
    )


def begin_puzzle(slug: str, puzzle_id: str) -> BegunPuzzle:
    """Return a puzzle's first position. Raise KeyError for an unknown one.

    What is hidden is the same at each try.
    """
    offer, puzzle = _find(slug, puzzle_id)
    state = offer.start(puzzle, Random(puzzle.id))
    options = msgspec.json.encode(puzzle.options)
    encoded = msgspec.msgpack.encode(state)
    return BegunPuzzle(puzzle.seats, puzzle.seat, options, position(slug, puzzle.seats, encoded))


def judge_puzzle(slug: str, puzzle_id: str, state: bytes) -> PuzzleVerdict:
    """Judge an attempt. It is over, too, once the seat isn't asked any more."""
    offer, puzzle = _find(slug, puzzle_id)
    now = msgspec.msgpack.decode(state, type=offer.rules.State)
    is_over = offer.is_over(puzzle, now) or puzzle.seat not in offer.rules.prompts(now)
    return PuzzleVerdict(is_over, is_over and offer.is_solved(puzzle, now))


def describe_task(slug: str, puzzle_id: str, names: Names) -> str:
    """Return a puzzle's aim, in a sentence."""
    offer, puzzle = _find(slug, puzzle_id)
    return offer.task(puzzle, names)


def describe_puzzle(slug: str, puzzle_id: str, view: Any, names: Names) -> PuzzleText:
    """Return a puzzle's aim, and what its solver needs in this view."""
    offer, puzzle = _find(slug, puzzle_id)
    return PuzzleText(offer.task(puzzle, names), offer.describe_given(puzzle, view, names))


def describe_miss(slug: str, puzzle_id: str, state: bytes, names: Names) -> str:
    """Return what a failed attempt lacks, in a sentence."""
    offer, puzzle = _find(slug, puzzle_id)
    return offer.describe_miss(puzzle, msgspec.msgpack.decode(state, type=offer.rules.State), names)


def explain_puzzle(slug: str, puzzle_id: str, names: Names) -> tuple[str, tuple[PuzzleStep, ...]]:
    """Return why a puzzle's solution works, and the solution step by step."""
    offer, puzzle = _find(slug, puzzle_id)
    return offer.reason(puzzle, names), offer.steps(puzzle)


def _game(slug: str) -> PuzzleGame:
    offer = puzzles(slug)
    if offer is None:
        raise KeyError(slug)
    return offer


def _find(slug: str, puzzle_id: str) -> tuple[PuzzleGame, Puzzle]:
    offer: Any = _game(slug)
    for puzzle in offer.puzzles:
        if puzzle.id == puzzle_id:
            return offer, puzzle
    raise KeyError(puzzle_id)
