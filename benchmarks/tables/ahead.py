"""A month of slow games: days a game and rounds a day, with and without turns sent ahead.

Everybody looks in a few times a day, within the hours of their own time zone, and plays like a medium
computer. Whoever waits plans the next turn at each look, unless the plan they have still holds.
"""

import heapq
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

import msgspec

from benchmarks.measure import Figure
from engines import engine
from engines.ahead import MOST_CHOICES, Promise, look_ahead, play_choices
from engines.engine import Position
from engines.game import IllegalMove, Seat, Strength
from engines.registry import AnyGame, game

TABLES = 40
GAMES = (("tanglewood", 4), ("tangle", 3), ("tesla", 2))
LOOKS, AWAKE, DAY = 5, 15, 24.0
"""Looks a day, the hours in which they are, and the hours of a day."""
LONGEST = 200
"""Days after which a game counts as it is."""


class Planned(NamedTuple):
    """A turn that was sent ahead."""

    choices: list[list[Any]]
    promises: tuple[Promise, ...]


class MonthResult(NamedTuple):
    """Counts the days and turns of a game, and the turns played by plan."""

    days: float
    rounds: float
    turns: int
    ahead: int


def measure() -> Iterator[Figure]:
    """Yield days a game and rounds a day, first without plans."""
    for slug, seats in GAMES:
        results = {
            plans: [play(slug, seats, number, plans=plans) for number in range(TABLES)]
            for plans in (False, True)
        }
        for plans, games in results.items():
            how = "sent ahead" if plans else "one after another"
            yield Figure(f"{slug}, {seats} seats, {how}: days a game", [one.days for one in games], "days")
            rounds = [one.rounds / one.days for one in games]
            yield Figure(f"{slug}, {seats} seats, {how}: rounds a day", rounds, "rounds")
        shares = [100 * one.ahead / one.turns for one in results[True]]
        yield Figure(f"{slug}, {seats} seats: turns sent ahead that were played", shares, "%")


def play(slug: str, seats: int, number: int, *, plans: bool) -> MonthResult:
    """Play a game by looks; return how long it took."""
    table = SlowTable(slug, seats, number)
    looks = [(at, seat) for seat in range(seats) for at in _looks(Random(f"{number} {seat}"))]
    heapq.heapify(looks)
    at = 0.0
    while looks and not table.now.over:
        at, seat = heapq.heappop(looks)
        table.look(seat, plans=plans)
    return MonthResult(at / DAY, table.turns / seats, table.turns, table.ahead)


def _looks(rng: Random) -> Iterator[float]:
    """Yield the hours at which a person looks in."""
    zone = rng.uniform(0, DAY)
    for day in range(LONGEST):
        for _ in range(LOOKS):
            yield day * DAY + zone + rng.uniform(0, AWAKE)


class SlowTable:
    """A game whose seats move when their people look in, or as planned."""

    def __init__(self, slug: str, seats: int, number: int) -> None:
        self.rules: AnyGame = game(slug)
        self._rng = Random(number)
        self._seats = seats
        self._plans: dict[Seat, Planned] = {}
        self.turns = self.ahead = 0
        options, seed = self.rules.settle(seats, self.rules.Options()), number.to_bytes(32, "big")
        deal = self.rules.deal(seats, options, seed)
        encode = msgspec.json.encode
        self.now: Position = engine.begin(slug, seats, encode(options), encode(deal), seed).position

    def look(self, seat: Seat, *, plans: bool) -> None:
        while seat in self.now.owing:
            self._make_move(seat)
        if plans and not self.now.over:
            self._plan(seat)

    def _view(self, seat: Seat) -> Any:
        return engine.Engine.view(None, self.rules.slug, self.now.state, seat)  # type: ignore[arg-type]

    def _choose(self, view: Any, seat: Seat) -> Any:
        return self.rules.choose(view, seat, self._rng, Strength.MEDIUM)

    def _make_move(self, seat: Seat) -> None:
        move = self._choose(self._view(seat), seat)
        self._advance(engine.play(self.rules.slug, self._seats, self.now.state, [(seat, move)]).position)

    def _advance(self, position: Position) -> None:
        """Go to a position, and play the plans that are due."""
        self.turns += position.owing != self.now.owing
        self._plans = {seat: plan for seat, plan in self._plans.items() if seat not in self.now.owing}
        self.now = position
        for seat in position.owing:
            plan = self._plans.pop(seat, None)
            if plan is not None:
                self._carry_out(seat, plan)
                break

    def _carry_out(self, seat: Seat, plan: Planned) -> None:
        """Play a plan if it keeps its promises."""
        try:
            turn = play_choices(self.rules.slug, self._seats, self.now.state, seat, plan.choices)
        except IllegalMove:
            return
        if turn.promises == plan.promises:
            self.ahead += 1
            self._advance(turn.position)

    def _plan(self, seat: Seat) -> None:
        """Plan a seat's next turn, unless its plan still holds."""
        view, choices = self._view(seat), list[list[Any]]()
        if self.rules.ahead(view, seat) is None or self._holds(view, seat):
            return
        outlook = look_ahead(self.rules.slug, view, seat, choices)
        while outlook.view is not None and len(choices) < MOST_CHOICES:
            choices.append([self._choose(outlook.view, seat)])
            outlook = look_ahead(self.rules.slug, view, seat, choices)
        if outlook.view is None:
            self._plans[seat] = Planned(choices, outlook.promises)

    def _holds(self, view: Any, seat: Seat) -> bool:
        plan = self._plans.get(seat)
        try:
            return plan is not None and self._promises(view, seat, plan.choices) == plan.promises
        except IllegalMove:
            return False

    def _promises(self, view: Any, seat: Seat, choices: Sequence[Sequence[Any]]) -> tuple[Promise, ...]:
        return look_ahead(self.rules.slug, view, seat, choices).promises
