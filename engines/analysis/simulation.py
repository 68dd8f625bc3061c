"""Plays a whole game between computer players, and records figures about its rules."""

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from random import Random
from typing import Any

import msgspec

from engines.components import choose_data
from engines.engine import find_automatic_move
from engines.game import Outcome, Seat, Strength
from engines.registry import game


class SimulationPlan(msgspec.Struct, frozen=True):
    """A game to simulate, its options as JSON, and the strength of each seat's computer.

    `data` are component data as JSON, if not ours; `label` says in a title what is unlike ours.
    """

    slug: str
    options: bytes
    strengths: tuple[Strength, ...]
    data: bytes | None = None
    label: str = ""


class SimulatedGame(msgspec.Struct, frozen=True):
    """The record of one game.

    Attributes:
        number: which of the games it was.
        order: the seats in the order of the report: from the one that decided first on or, if computers of
            several strengths play, as they were given.
        outcome: its result.
        turns: its length in turns, as a table's record counts them; see `Game.turn_at`.
        decisions: how many moves were chosen.
        used: for each seat how often it made each kind of move, and with which card, tile or space.
    """

    number: int
    order: tuple[Seat, ...]
    outcome: Outcome
    turns: int
    decisions: int
    used: tuple[dict[str, int], ...]

    def win_share(self, seat: Seat) -> float:
        """Return 1 for a win, or the seat's share of a tied first place."""
        if self.outcome.won is not None:
            return float(self.outcome.won)
        first = self.outcome.places.count(1)
        return 1 / first if self.outcome.places[seat] == 1 else 0.0


def settle_options(slug: str, seats: int, options: bytes) -> Any:
    """Decode and normalise the options for a number of seats.

    Raise IllegalSetup if the game can't be played like that. msgspec.ValidationError: if there is no such
    option or choice.
    """
    rules = game(slug)
    return rules.settle(seats, msgspec.json.decode(options, type=rules.Options))


class SimulatedStep(msgspec.Struct, frozen=True):
    """A step of a simulated game; `forced` moves left no choice."""

    seat: Seat
    move: Any
    events: list[Any]
    forced: bool


class GameCourse:
    """A game that computers play step by step, from a secret of its own.

    The same plan, seed and number give the same game in any process. A process plays with one set of data.
    """

    def __init__(self, plan: SimulationPlan, seed: str, number: int) -> None:
        """Deal the game. Raise RuntimeError if this process has already loaded the game with other data."""
        choose_data(plan.slug, plan.data)
        self.plan, self.rules, self.seats = plan, game(plan.slug), len(plan.strengths)
        self.secret = sha256(f"{seed} {number}".encode()).digest()
        self.options = settle_options(plan.slug, self.seats, plan.options)
        self.deal = self.rules.deal(self.seats, self.options, self.secret)
        self.state = self.rules.begin(self.seats, self.options, self.deal, self.secret)
        self.luck = Random(sha256(b"luck" + self.secret).digest())

    @property
    def turn(self) -> int | None:
        """Return the turn that the next step belongs to."""
        return self.rules.turn_at(self.rules.post_counter(self.state), self.seats, self.options)

    def step(self) -> SimulatedStep | None:
        prompts = self.rules.prompts(self.state)
        if not prompts:
            return None
        seat = next(iter(prompts))
        move = forced = find_automatic_move(self.rules, self.state, seat)
        if move is None:
            view = self.rules.view(self.state, seat)
            move = self.rules.choose(view, seat, self.luck, self.plan.strengths[seat])
        return SimulatedStep(seat, move, list(self.rules.play(self.state, seat, move)), forced is not None)


def simulate_game(plan: SimulationPlan, seed: str, number: int) -> SimulatedGame:
    course = GameCourse(plan, seed, number)
    rules, seats, state = course.rules, course.seats, course.state
    used = [Counter[str]() for _ in range(seats)]
    decisions, turns, turn = 0, 0, None
    first = next(iter(rules.prompts(state))) if len(set(plan.strengths)) == 1 else 0
    while True:
        now, step = course.turn, course.step()
        if step is None:
            break
        turns += now != turn
        turn = now
        if not step.forced:
            used[step.seat].update(names_of(step.move))
            decisions += 1
    outcome = rules.outcome(state)
    if outcome is None:
        raise ValueError("a game that has ended has an outcome")
    order = tuple((first + step) % seats for step in range(seats))
    return SimulatedGame(number, order, outcome, turns, decisions, tuple(map(dict, used)))


TURN_FIELD = "turn"
"""The field for the rotation of a tile, which no figure counts."""


def names_of(move: msgspec.Struct) -> Iterator[str]:
    """Yield the names that count a move.

    Its kind, alone and with each thing that it names.

    >>> from engines.tesla.moves import Mark
    >>> list(names_of(Mark("A1", (0, 3))))
    ['mark', 'mark · cell A1']
    """
    kind = str(move.__struct_config__.tag)
    yield kind
    for field in (name for name in move.__struct_fields__ if name != TURN_FIELD):
        for value in _plain(getattr(move, field)):
            yield f"{kind} · {field} {value}"


def _plain(value: object) -> Sequence[object]:
    """Return the countable values: words and numbers, each once; nothing deeper."""
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return [value]
    if isinstance(value, tuple | list) and value and all(isinstance(one, str) for one in value):
        return list(dict.fromkeys(value))
    return []
