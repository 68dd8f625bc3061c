"""Searches of 200 people of different hours, matched with and without asking for shared hours."""

import heapq
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from random import Random
from statistics import mean
from typing import NamedTuple

import msgspec

from benchmarks.measure import Figure
from tables.lobby.looking import fewest, most
from tables.lobby.matching import Seeker, Want, suits
from tables.standings.habits import Habits
from tables.standings.ratings import FIRST

PEOPLE, DAYS = 200, 90
GAME, TURNS = "ribbon", 30
LOOKS = 5
"""A person's looks a day."""
SPANS = (4, 10)
"""The fewest and the most hours of a day in which somebody looks in."""
PAUSES = (1, 3, 7)
"""Days on average between a person's searches, a run for each."""
HOUR, DAY = 3600.0, 86400.0


class SimulatedPlayer(NamedTuple):
    """Somebody who plays, and the times at which they look in."""

    looks: Sequence[float]
    habits: Habits

    def next_look(self, at: float) -> float:
        return self.looks[min(bisect_right(self.looks, at), len(self.looks) - 1)]


class OpenSearch(NamedTuple):
    """A search that goes on."""

    at: float
    number: int


class WaitTimes(msgspec.Struct):
    """The hours of each search until its game began, and of each turn on average."""

    searches: list[float] = []
    turns: list[float] = []


def measure() -> Iterator[Figure]:
    """Yield the hours of searches, and of turns in their games."""
    for pause in PAUSES:
        every = f"a search in {pause} days" if pause > 1 else "a search a day"
        for hours in (False, True):
            waits = simulate(Random(pause), pause, wants=(Want.HOURS,) if hours else ())
            how = "shared hours" if hours else "anybody"
            yield Figure(f"{every}, {how}: until the game begins", waits.searches, "h")
            yield Figure(f"{every}, {how}: a turn, average of a game", waits.turns, "h")


def simulate(rng: Random, pause: float, wants: tuple[str, ...]) -> WaitTimes:
    """Let people search again and again, and matches begin."""
    people = [_person(rng) for _ in range(PEOPLE)]
    seekers = [Seeker(wants, FIRST, person.habits) for person in people]
    begins = [(person.next_look(rng.expovariate(1 / (pause * DAY))), n) for n, person in enumerate(people)]
    heapq.heapify(begins)
    waiting: list[OpenSearch] = []
    result = WaitTimes()
    while begins and begins[0][0] < DAYS * DAY:
        at, number = heapq.heappop(begins)
        company = [OpenSearch(at, number)]
        for search in waiting:
            suit = all(suits(seekers[search.number], seekers[one.number]) for one in company)
            if suit and len(company) < most(GAME):
                company.append(search)
        if len(company) < fewest(GAME):
            waiting.append(company[0])
            continue
        waiting = [search for search in waiting if search not in company]
        start = max([at, *(people[one.number].next_look(at) for one in company[1:])])
        result.searches += [(start - one.at) / HOUR for one in company]
        result.turns.append(_average_turn([people[one.number] for one in company], start))
        for one in company:
            again = people[one.number].next_look(start + rng.expovariate(1 / (pause * DAY)))
            heapq.heappush(begins, (again, one.number))
    return result


def _person(rng: Random) -> SimulatedPlayer:
    """Return somebody who looks in at the same part of each day."""
    first, span = rng.randrange(24), rng.randint(*SPANS)
    looks = sorted(
        day * DAY + (first + rng.uniform(0, span)) * HOUR for day in range(2 * DAYS) for _ in range(LOOKS)
    )
    return SimulatedPlayer(looks, Habits(10, 10, None, (first, first + span)))


def _average_turn(company: Sequence[SimulatedPlayer], start: float) -> float:
    """Return the average hours until somebody moves, at each one's next look."""
    at, waits = start, list[float]()
    for turn in range(TURNS):
        moved = company[turn % len(company)].next_look(at)
        waits.append((moved - at) / HOUR)
        at = moved
    return mean(waits)
