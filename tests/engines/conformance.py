from collections.abc import Callable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from itertools import product
from random import Random
from typing import Any, NamedTuple, TypeVar

import msgspec
import pytest

from engines.game import IllegalMove, Seat, Strength
from engines.registry import AnyGame
from tests.engines.cases import CASES, GameCase, TableChoice
from tests.often import often
from tests.thinking import choose_briefly

GAMES = often(16, 90)
"""The number of random games; fewer of a game that takes long, by its weight."""
FEWEST, STEPS = often(3, 6), often(1_000, 10_000)
"""The least number of games of each case, and the greatest number of their steps in one test; fewer in a game
that takes long, by its weight.
"""
_RESIGNATIONS = 0.004
_SECOND_THOUGHTS = 0.2
T = TypeVar("T")


class WalkStep(NamedTuple):
    """One decision in a walk, with the encoded state before it; a move of None is a resignation."""

    before: bytes
    seat: Seat
    move: Any
    events: list[Any]


def encode_state(state: Any) -> bytes:
    return msgspec.msgpack.encode(state)


def find_refusal(state: Any, act: Callable[[], object]) -> str:
    """Return why an act is refused; check that the state is unchanged."""
    before = encode_state(state)
    with pytest.raises(IllegalMove) as refused:
        act()
    assert encode_state(state) == before
    return str(refused.value)


def decode_state(rules: AnyGame, state: bytes) -> Any:
    return msgspec.msgpack.decode(state, type=rules.State)


def fresh(rules: AnyGame, table: TableChoice, seed: bytes) -> Any:
    return rules.begin(table.seats, table.options, rules.deal(table.seats, table.options, seed), seed)


def viewers(table: TableChoice) -> list[Seat | None]:
    return [None, *range(table.seats)]


def step(rules: AnyGame, state: Any, seat: Seat, move: Any) -> list[Any]:
    """Play a move or, for None, a resignation."""
    events: list[Any] = rules.resign(state, seat) if move is None else rules.play(state, seat, move)
    return events


def walk(rules: AnyGame, table: TableChoice, seed: bytes, care: float) -> Iterator[tuple[Any, WalkStep]]:
    """Play a random game; yield each step with the state after it.

    `care` is the share of moves that a computer player chooses, so that games with little chance for
    reckless players get far; the others are any legal move, and now and then somebody resigns. If all answer
    at once, some also change an answer, or give one early.
    """
    rng = Random(sha256(b"walk" + seed).digest())
    state = fresh(rules, table, seed)
    while rules.prompts(state):
        seat = rng.choice(list(rules.prompts(state)))
        others = [one for one in range(table.seats) if rules.simultaneous and one not in rules.prompts(state)]
        unasked = [(one, move) for one in others for move in rules.moves(state, one)]
        move: Any
        if unasked and rng.random() < _SECOND_THOUGHTS:
            seat, move = rng.choice(unasked)
        elif rng.random() < _RESIGNATIONS:
            move = None
        elif rng.random() < care:
            move = choose_briefly(rules, rules.view(state, seat), seat, rng, Strength.MEDIUM)
        else:
            move = rng.choice(list(rules.moves(state, seat)))
        before = encode_state(state)
        yield state, WalkStep(before, seat, move, step(rules, state, seat, move))


class PlayedGame(NamedTuple):
    """A whole random game."""

    table: TableChoice
    seed: bytes
    steps: list[WalkStep]

    def states(self, rules: AnyGame) -> list[bytes]:
        """Return the encoded state before each step, and the last one."""
        last, taken = decode_state(rules, self.steps[-1].before), self.steps[-1]
        step(rules, last, taken.seat, taken.move)
        return [*(taken.before for taken in self.steps), encode_state(last)]


def sample(case: GameCase, games: int, label: str) -> Iterator[PlayedGame]:
    """Yield whole random games: tables and care in a mixed order.

    Of a game that takes long there are fewer, by its weight, but some in any case.
    """
    kinds = list(product(case.tables, (0.0, 0.5, 0.9, 1.0)))
    Random(f"{case.slug} {label}").shuffle(kinds)
    for number in range(fewer(case, games)):
        seed = sha256(f"{case.slug} {label} {number}".encode()).digest()
        table, care = kinds[number % len(kinds)]
        yield PlayedGame(table, seed, [taken for _, taken in walk(case.game, table, seed, care)])


def fewer(case: GameCase, games: int) -> int:
    """Return the number of this case's games that equals N card games."""
    return max(FEWEST, games // case.weight)


@cache
def play_shared_games(slug: str) -> list[PlayedGame]:
    """Play a game's random games once for all tests of a process."""
    case = next(case for case in CASES if case.slug == slug)
    return list(sample(case, GAMES, "shared"))


class Played(NamedTuple):
    """A case with random games of it that were played once, for all tests that look at them."""

    case: GameCase
    games: list[PlayedGame]

    def some(self, games: int) -> list[PlayedGame]:
        """Return the first of the games, by the weight of the case."""
        return self.games[: fewer(self.case, games)]

    def steps(self, games: int) -> list[tuple[TableChoice, WalkStep]]:
        """Return the steps of some games; of very many, some of each."""
        return [(game.table, taken) for game in self.some(games) for taken in self.few(game, games)]

    def few(self, game: PlayedGame, games: int) -> Sequence[WalkStep]:
        """Return this game's share of at most `STEPS` steps of all games."""
        return some(game.steps, STEPS // self.case.weight // fewer(self.case, games))


def some(things: Sequence[T], most: int) -> Sequence[T]:
    """Return at most `most` of the things, evenly spread.

    >>> some("abcdefgh", 4)
    ['a', 'c', 'e', 'g']
    """
    if len(things) <= most:
        return things
    return [things[number * len(things) // most] for number in range(most)]


def is_advised(rules: AnyGame, state: Any, seat: Seat) -> bool:
    """Return True if the first advice is what the strong computer plays."""
    view = rules.view(state, seat)
    best = rules.choose(view, seat, Random(1), Strength.STRONG)
    return rules.advice(view, seat, Random(1))[0].moves == (best,)


def fingerprint(cases: int, games: int) -> str:
    """Return a digest of some games: states, events, many views and lists."""
    digest = sha256()
    for case in CASES[:cases]:
        rules, played = case.game, Played(case, list(sample(case, games, "fingerprint")))
        for game in played.games:
            for taken in game.steps:
                digest.update(taken.before)
                digest.update(encode_state(taken.events))
        for table, taken in played.steps(games):
            state = decode_state(rules, taken.before)
            digest.update(encode_state(list(rules.moves(state, taken.seat))))
            for viewer in viewers(table):
                digest.update(encode_state(rules.view(state, viewer)))
    return digest.hexdigest()


def mutations(value: Any) -> Iterator[Any]:
    """Yield the struct with one field slightly wrong, in several ways."""
    for name in value.__struct_fields__:
        right = getattr(value, name)
        for wrong in (wrong for wrong in _wrong(right) if wrong != right):
            yield msgspec.structs.replace(value, **{name: wrong})


def _wrong(value: Any) -> list[Any]:
    match value:
        case bool():
            return [not value]
        case int():
            return [value - 1, value + 1, -1, 0, 10**6]
        case str():
            return ["", value + value, value.swapcase(), value * 3000]
        case tuple() | list():
            return [*_wrong_items(value)]
        case _:
            return []


def _wrong_items(items: Sequence[Any]) -> Iterator[Any]:
    """Yield the list with one item too few, too many, or wrong. None of them can be legal in a deal."""
    same = type(items)
    yield same(items[:-1])  # type: ignore[call-arg]
    if items:
        yield same([*items, items[0]])  # type: ignore[call-arg]
    if items and isinstance(items[0], str | int):
        stranger = "?" if isinstance(items[0], str) else -1
        yield same([stranger, *items[1:]])  # type: ignore[call-arg]
