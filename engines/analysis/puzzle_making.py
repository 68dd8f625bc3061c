"""Puzzles are made by workers, and read and judged there for the bot."""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from random import Random
from typing import Any

import msgspec

from engines.analysis.puzzles import PLAYERS, TRIES, Puzzle, PuzzleCandidate, PuzzleGame, PuzzleStep
from engines.analysis.simulation import GameCourse, SimulationPlan
from engines.engine import Position, find_automatic_move, position
from engines.game import Discreet, IllegalMove, Seat, Strength
from engines.registry import puzzles
from engines.words import Names

REDEALS = 50
"""The number of redeals of what is hidden in which a solution must work."""
MOST_PER_GAME = 6
_RANDOM_TRIES = 10
_MOST_BY_CHANCE = 0.34
"""The share of random turns that may reach the aim."""
_MOST_DECISIONS = 200
"""The most decisions of an attempt."""


def make_puzzles(
    offer: PuzzleGame, seed: str, games: int, most: int, report: Callable[[int], object]
) -> Iterator[Puzzle]:
    """Yield puzzles from computers' games; the same seed gives the same ones.

    Ends after that many games, or when there are enough puzzles. `report` takes the number of games played.
    """
    kept: list[Puzzle] = []
    for number in range(games):
        in_this_game = 0
        for puzzle in _find_in_game(offer, seed, number):
            if in_this_game == MOST_PER_GAME:
                break
            alike = sum(one.kind == puzzle.kind for one in kept)
            share = offer.most_of_kind.get(puzzle.kind, 1.0)
            if not (alike < share * most and all(one.id != puzzle.id for one in kept)):
                continue
            room_for_easy = sum(one.found_by[0] == TRIES for one in kept) < offer.most_easy * most
            measured = judge(offer, puzzle, room_for_easy=room_for_easy)
            if measured is not None:
                kept.append(measured)
                in_this_game += 1
                yield measured
            if len(kept) == most:
                return
        report(number + 1)


def judge(offer: PuzzleGame, puzzle: Puzzle, *, room_for_easy: bool) -> Puzzle | None:
    """Return the puzzle with its difficulty. None if it's trivial or unsound.

    A puzzle that the easy computer always finds is trivial unless there's room for it.
    """
    luck = Random(puzzle.id)
    chances = [can_solve(offer, puzzle, luck, None) for _ in range(_RANDOM_TRIES)]
    if sum(chances) > _MOST_BY_CHANCE * len(chances):
        return None
    easy = _count_found(offer, puzzle, Strength.EASY)
    if (easy == TRIES and not room_for_easy) or not is_sound(offer, puzzle, REDEALS, luck):
        return None
    others = [_count_found(offer, puzzle, player) for player in PLAYERS[1:]]
    return msgspec.structs.replace(puzzle, found_by=(easy, *others))


def _count_found(offer: PuzzleGame, puzzle: Puzzle, strength: Strength) -> int:
    return sum(can_solve(offer, puzzle, Random(f"{puzzle.id} {number}"), strength) for number in range(TRIES))


def _find_in_game(offer: PuzzleGame, seed: str, number: int) -> Iterator[Puzzle]:
    """Play a game, and yield the puzzles in its positions.

    Of positions with the same solution, only the first.
    """
    table = offer.tables[number % len(offer.tables)]
    options = msgspec.json.encode(table.options)
    plan = SimulationPlan(offer.rules.slug, options, (table.strength,) * table.seats)
    course, luck = GameCourse(plan, seed, number), Random(f"{seed} {number}")
    seen: set[tuple[Any, ...]] = set()
    rules = course.rules
    while prompts := rules.prompts(course.state):
        seat = next(iter(prompts))
        if find_automatic_move(rules, course.state, seat) is None:
            for view in _views(offer, course.state, seat, luck):
                for candidate in offer.find(view, seat):
                    if candidate.solution not in seen:
                        seen.add(candidate.solution)
                        yield make_puzzle(offer, view, seat, candidate)
        course.step()


def _views(offer: PuzzleGame, state: Any, seat: Seat, luck: Random) -> Iterator[Any]:
    """Yield the seat's view, and those with what it holds dealt anew."""
    rules = offer.rules
    yield rules.view(state, seat)
    others = [other for other in state.remaining if other != seat]
    for _ in range(offer.other_hands if others else 0):
        # Another seat can't know what this one holds, so a state drawn from its view has other cards there.
        yield rules.view(rules.sample_state(rules.view(state, others[0]), luck), seat)


def make_puzzle(offer: PuzzleGame, view: Any, seat: Seat, candidate: PuzzleCandidate) -> Puzzle:
    encoded = msgspec.json.encode((view, candidate.kind, candidate.target))
    return Puzzle(
        sha256(encoded).hexdigest()[:8],
        view.seats,
        seat,
        view.options,
        msgspec.json.decode(msgspec.json.encode(view), type=offer.rules.View),
        candidate.kind,
        candidate.target,
        candidate.solution,
    )


def is_sound(offer: PuzzleGame, puzzle: Puzzle, redeals: int, luck: Random) -> bool:
    """Return True if the solution reaches the aim in that many redeals."""
    return all(solves(offer, puzzle, offer.start(puzzle, luck), luck) for _ in range(redeals))


def solves(offer: PuzzleGame, puzzle: Puzzle, state: Any, luck: Random) -> bool:
    """Return True if the solution is legal and reaches the aim.

    Others who have to answer first do so at random.
    """
    rules, seat = offer.rules, puzzle.seat
    for move in puzzle.solution:
        while seat not in rules.prompts(state) and not offer.is_over(puzzle, state):
            other = next(iter(rules.prompts(state)))
            rules.play(state, other, luck.choice(list(rules.moves(state, other))))
        if offer.is_over(puzzle, state):
            return False
        try:
            rules.play(state, seat, move)
        except IllegalMove:
            return False
    return offer.is_over(puzzle, state) and offer.is_solved(puzzle, state)


def can_solve(offer: PuzzleGame, puzzle: Puzzle, luck: Random, strength: Strength | None) -> bool:
    """Return True if a computer reaches the aim in a redeal. Without a strength it moves at random."""
    rules, state = offer.rules, offer.start(puzzle, luck)
    for _ in range(_MOST_DECISIONS):
        if offer.is_over(puzzle, state):
            return offer.is_solved(puzzle, state)
        prompts = rules.prompts(state)
        seat = puzzle.seat if puzzle.seat in prompts else next(iter(prompts))
        move = find_automatic_move(rules, state, seat)
        if move is None and strength is None:
            move = luck.choice(list(rules.moves(state, seat)))
        elif move is None:
            move = rules.choose(rules.view(state, seat), seat, luck, strength or Strength.EASY)
        rules.play(state, seat, move)
    return False


def difficulty_table(puzzles: Sequence[Puzzle]) -> str:
    """Return a Markdown table: how many puzzles each computer finds how often."""
    groups = ((0, 0), (1, 2), (3, 4), (5, 5))
    lines = ["| computer | never | 1–2 of 5 | 3–4 of 5 | 5 of 5 |", "|---|---|---|---|---|"]
    for index, player in enumerate(PLAYERS):
        counts = [sum(low <= one.found_by[index] <= high for one in puzzles) for low, high in groups]
        lines.append(f"| {player} | {' | '.join(map(str, counts))} |")
    return "\n".join(lines)


class PuzzleEntry(msgspec.Struct, frozen=True):
    """A puzzle in the list of its game's puzzles.

    `difficulty` is the weakest computer that finds it, and it `is_found` if one does, more often than not.
    `moves` is the length of its solution.
    """

    id: str
    difficulty: Strength
    is_found: bool = True
    moves: int = 1


class BegunPuzzle(Discreet, frozen=True):
    """A puzzle's first position, with all that a table of it needs."""

    seats: int
    seat: Seat
    options: bytes
    position: Position


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
    offer, puzzle = _find(slug, puzzle_id)
    return offer.task(puzzle, names)


def describe_puzzle(slug: str, puzzle_id: str, view: Any, names: Names) -> PuzzleText:
    offer, puzzle = _find(slug, puzzle_id)
    return PuzzleText(offer.task(puzzle, names), offer.describe_given(puzzle, view, names))


def describe_miss(slug: str, puzzle_id: str, state: bytes, names: Names) -> str:
    """Return what a failed attempt lacks, in a sentence."""
    offer, puzzle = _find(slug, puzzle_id)
    return offer.describe_miss(puzzle, msgspec.msgpack.decode(state, type=offer.rules.State), names)


def explain_puzzle(slug: str, puzzle_id: str, names: Names) -> tuple[str, tuple[PuzzleStep, ...]]:
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
