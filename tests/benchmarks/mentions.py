"""Mentions of a month of simulated tables, with and without people who are there.

People look in five times a day for about twelve minutes, in sixteen waking hours; half of all mentions bring
them back within half an hour. They play every turn that waits for them, a minute each, at random.
"""

from collections.abc import Iterator
from heapq import heappop, heappush
from random import Random
from typing import NamedTuple

import msgspec

from cogs.core.app import STAYS
from engines.analysis.simulation import GameCourse, SimulationPlan
from engines.game import Seat, Strength
from engines.registry import SLUGS, game
from tables.clocks.pace import DAY, HOUR, MINUTE

DAYS, PEOPLE, TABLES = 30, 20, 20
LOOKS_A_DAY, STAY, WAKING = 5, 12 * MINUTE, 16 * HOUR
COMES_AFTER_MENTION, COMES_WITHIN = 0.5, 30 * MINUTE
SAME_ROUND = 15 * MINUTE
"""Seconds after a move in which nobody was mentioned again for its round before."""
HEAD = (
    "| who is mentioned | mentions of turns | of them later | turns without a mention | "
    "of them, not seen within 10 minutes |\n|---|---|---|---|---|"
)


class MentionFigure(NamedTuple):
    """The mentions of one way to mention people."""

    name: str
    mentions: int
    late: int
    spared: int
    missed: int

    def row(self) -> str:
        return f"| {self.name} | {self.mentions:,} | {self.late:,} | {self.spared:,} | {self.missed:,} |"


class SimulatedTable(msgspec.Struct):
    """A running game: whose computer seats play at once, who is due since when, and who pressed when."""

    course: GameCourse
    people: list[int]
    due: dict[Seat, float] = {}
    pressed: dict[int, float] = {}
    moved: dict[int, tuple[float, object]] = {}
    mentioned: dict[Seat, bool] = {}


class Month:
    """Plays a month of tables; `spares` is the new way."""

    def __init__(self, *, spares: bool) -> None:
        self.spares, self.rng = spares, Random("mentions")
        self.events: list[tuple[float, int, str, int, int]] = []
        self.mentions = self.late = self.spared = self.missed = self.count = 0
        self.until = [0.0] * PEOPLE
        self.wakes = [self.rng.uniform(0, DAY) for _ in range(PEOPLE)]
        self.tables = [self.begin(number) for number in range(TABLES)]

    def begin(self, number: int) -> SimulatedTable:
        slug = SLUGS[number % len(SLUGS)]
        counts = [count for count in game(slug).seats if 1 < count < 5]
        seats = self.rng.choice(counts)
        self.count += 1
        plan = SimulationPlan(slug, b"{}", (Strength.EASY,) * seats)
        people = self.rng.sample(range(PEOPLE), seats)
        if number % 4 == 0 and seats > 2:
            people[-1] = -1  # a computer
        return SimulatedTable(GameCourse(plan, "mentions", self.count), people)

    def at(self, when: float, kind: str, who: int, table: int = 0) -> None:
        heappush(self.events, (when, len(self.events) + self.rng.randrange(10**6), kind, who, table))

    def run(self) -> None:
        for person, wakes in enumerate(self.wakes):
            for day in range(-1, DAYS):
                for _ in range(LOOKS_A_DAY):
                    self.at(day * DAY + wakes + self.rng.uniform(0, WAKING), "comes", person)
        for number, table in enumerate(self.tables):
            self.settle(table, number, 0.0)
        while self.events:
            when, _, kind, who, number = heappop(self.events)
            if when >= DAYS * DAY:
                break
            if when >= 0:
                getattr(self, kind)(when, who, number)

    def comes(self, now: float, person: int, _: int) -> None:
        is_here = self.until[person] > now
        self.until[person] = max(self.until[person], now + self.rng.expovariate(1 / STAY))
        if not is_here:
            self.at(now, "acts", person)

    def acts(self, now: float, person: int, _: int) -> None:
        """Play a turn that waits; look again a minute later."""
        for number, table in enumerate(self.tables):
            seat = table.people.index(person) if person in table.people else -1
            if table.due.get(seat, now) < now:
                table.pressed[person] = now
                self.play(table, number, seat, now)
                break
        if now + MINUTE < self.until[person]:
            self.at(now + MINUTE, "acts", person)

    def play(self, table: SimulatedTable, number: int, seat: Seat, now: float) -> None:
        rules, state = table.course.rules, table.course.state
        beat = rules.post_counter(state)
        while seat in rules.prompts(state) and rules.post_counter(state) == beat:
            move = self.rng.choice(list(rules.moves(state, seat)))
            rules.play(state, seat, move)
        self.missed += not table.mentioned.pop(seat, True) and now - table.due[seat] > STAYS
        del table.due[seat]
        table.moved[seat] = now, getattr(state, "round", None)
        self.settle(table, number, now)

    def settle(self, table: SimulatedTable, number: int, now: float) -> None:
        """Let computers play; begin a new game, or call people."""
        rules, state = table.course.rules, table.course.state
        while robots := [seat for seat in rules.prompts(state) if table.people[seat] < 0]:
            rules.play(state, robots[0], self.rng.choice(list(rules.moves(state, robots[0]))))
        if not rules.prompts(state):
            self.tables[number] = table = self.begin(number)
            return self.settle(table, number, now)
        for seat in [seat for seat in table.due if seat not in rules.prompts(state)]:
            del table.due[seat]
        for seat in rules.prompts(state):
            if seat not in table.due:
                table.due[seat] = now
                self.call(table, number, seat, now)

    def call(self, table: SimulatedTable, number: int, seat: Seat, now: float) -> None:
        person = table.people[seat]
        at, last_round = table.moved.get(seat, (-DAY, None))
        is_same = last_round is not None and last_round == getattr(table.course.state, "round", None)
        is_there = now - table.pressed.get(person, -DAY) < STAYS
        table.mentioned[seat] = not (is_there if self.spares else is_same and now - at < SAME_ROUND)
        if table.mentioned[seat]:
            self.mention(person, now)
            return
        self.spared += 1
        if self.spares:
            self.at(now + STAYS, "follow_up", seat, number)

    def follow_up(self, now: float, seat: int, number: int) -> None:
        """Mention somebody who hasn't pressed anything since their turn began."""
        table = self.tables[number]
        begun = table.due.get(seat)
        if (
            begun is not None
            and begun <= now - STAYS + 1
            and table.pressed.get(table.people[seat], 0) <= begun
        ):
            self.late += 1
            table.mentioned[seat] = True
            self.mention(table.people[seat], now)

    def mention(self, person: int, now: float) -> None:
        self.mentions += 1
        is_awake = (now - self.wakes[person]) % DAY < WAKING
        if is_awake and self.rng.random() < COMES_AFTER_MENTION:
            self.at(now + self.rng.uniform(MINUTE, COMES_WITHIN), "comes", person)


def measure() -> Iterator[MentionFigure]:
    for name, spares in (("everybody, once a round", False), ("not who is there", True)):
        month = Month(spares=spares)
        month.run()
        yield MentionFigure(name, month.mentions, month.late, month.spared, month.missed)
