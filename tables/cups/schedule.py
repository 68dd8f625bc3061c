"""A cup as the rest of the code sees it: its scoring, and its schedule, round by round.

A win is worth 2 points, a shared one 1, anything else 0. Ties are broken by the Sonneborn-Berger score, for
tables of any size: for each game, the points in the cup of everybody placed behind, and half the points of
everybody with the same place; then by the number of wins. Equals in all of that share a place. Only people
count: neither computers nor people who gave their seat away have points, and nobody gains by being placed
before them.

Two at a table: everybody meets everybody once (the circle method); with an odd number somebody rests in each
round, everybody once.

More at a table: everybody plays in every round. If their number can't be divided by the seats, computers
fill up, spread evenly over the tables. There are as many rounds as seats, or twice as many if people would
meet too few of the others, so everybody sits on each seat equally often.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from db.records import CupPlayerRow, CupRow, CupTableRow
from engines.registry import AnyGame, game
from tables.clocks.pace import DAY, Pace
from tables.core.table import read

WIN, SHARED = 2, 1


class CupPhase(StrEnum):
    """The phases of a cup's life."""

    GATHERING = "gathering"
    PLAY = "play"
    OVER = "over"
    CLOSED = "closed"


GOING = (CupPhase.GATHERING, CupPhase.PLAY)


class Entrant(msgspec.Struct, frozen=True):
    """A player of a cup. Computers replace one who has `dropped` out."""

    user_id: int
    name: str
    dropped: bool = False


class Pairing(msgspec.Struct, frozen=True):
    """One table of a round: the people who play there, None if a computer plays.

    `places` are the seats' places after the game, empty if it had no result; `seats` then holds only people
    who stayed to the end.
    """

    round: int
    pod: int
    seats: tuple[int | None, ...]
    table_id: int | None = None
    places: tuple[int | None, ...] | None = None

    @property
    def people(self) -> list[int]:
        return [user_id for user_id in self.seats if user_id is not None]


class CupScore(msgspec.Struct, frozen=True):
    """A player's score in a cup.

    `tie_break` is twice the Sonneborn-Berger score, so that it is whole; `played` counts finished games.
    """

    place: int
    entrant: Entrant
    points: int
    tie_break: int
    wins: int
    played: int


class Cup(msgspec.Struct, frozen=True):
    """One cup with its players, in the order in which they joined, and the tables of all rounds.

    `size` is the number of seats at a table, None while that isn't settled; the current round counts from 1.
    """

    id: int
    guild_id: int
    channel_id: int
    message_id: int | None
    slug: str
    options: Any
    most: int
    size: int | None
    pace: Pace
    days: int | None
    phase: CupPhase
    round: int
    began_at: float | None
    host_id: int
    announced: bool
    entrants: tuple[Entrant, ...]
    pairings: tuple[Pairing, ...]

    @property
    def game(self) -> AnyGame:
        return game(self.slug)

    @property
    def rounds(self) -> int:
        """Return the number of rounds; 0 before the cup has begun."""
        return max((pairing.round for pairing in self.pairings), default=0)

    @property
    def ends_at(self) -> float | None:
        """Return when the next round begins regardless. None if it waits for all tables."""
        return None if self.days is None or self.began_at is None else self.began_at + self.days * DAY

    @property
    def table_size(self) -> int:
        """Return the seats at a table, the best for the game if nobody has settled them."""
        return self.size or best_size(len(self.entrants), self.game.seats_for(self.options))

    @property
    def active(self) -> list[Entrant]:
        return [entrant for entrant in self.entrants if not entrant.dropped]

    def entrant(self, user_id: int) -> Entrant | None:
        return next((entrant for entrant in self.entrants if entrant.user_id == user_id), None)

    def tables_of_round(self, number: int) -> list[Pairing]:
        return [pairing for pairing in self.pairings if pairing.round == number]

    @property
    def standings(self) -> list[CupScore]:
        """Return everybody's score, best first. Equals in the order in which they joined."""
        return standings(self.entrants, self.pairings)

    @property
    def winners(self) -> list[Entrant]:
        return [one.entrant for one in self.standings if one.place == 1 and one.points]


def points_of(places: tuple[int | None, ...], seat: int) -> int:
    """Return the points of a seat.

    >>> points_of((2, 1, 3), 1), points_of((1, 1, 3), 0), points_of((1, 2, None), 1)
    (2, 1, 0)
    """
    if places[seat] != 1:
        return 0
    return WIN if places.count(1) == 1 else SHARED


def standings(entrants: tuple[Entrant, ...], pairings: tuple[Pairing, ...]) -> list[CupScore]:
    """Score everybody by the finished games; see the module for what counts."""
    games = [
        ([(seat, user_id) for seat, user_id in enumerate(one.seats) if user_id is not None], one.places)
        for one in pairings
        if one.places
    ]
    points = {entrant.user_id: 0 for entrant in entrants}
    wins, played, broken = dict(points), dict(points), dict(points)
    for people, places in games:
        for seat, user_id in people:
            points[user_id] += points_of(places, seat)
            wins[user_id] += points_of(places, seat) == WIN
            played[user_id] += 1
    for people, places in games:
        for seat, user_id in people:
            broken[user_id] += sum(
                points[other] * _halves(places[seat], places[theirs])
                for theirs, other in people
                if theirs != seat
            )
    ranks = {user_id: (points[user_id], broken[user_id], wins[user_id]) for user_id in points}
    ordered = sorted(entrants, key=lambda entrant: ranks[entrant.user_id], reverse=True)
    return [
        CupScore(
            1 + sum(rank > ranks[entrant.user_id] for rank in ranks.values()),
            entrant,
            *ranks[entrant.user_id],
            played[entrant.user_id],
        )
        for entrant in ordered
    ]


def _halves(own: int | None, other: int | None) -> int:
    """Return how many halves of another's points a place earns.

    None is behind all.

    >>> _halves(1, 2), _halves(2, 2), _halves(2, 1), _halves(3, None), _halves(None, None)
    (2, 1, 0, 2, 0)
    """
    if own is None or (other is not None and own > other):
        return 0
    return 1 if own == other else 2


def from_rows(row: CupRow, players: list[CupPlayerRow], tables: list[CupTableRow]) -> Cup:
    return read(
        Cup,
        row,
        slug=row.game,
        options=msgspec.json.decode(row.options, type=game(row.game).Options),
        entrants=tuple(Entrant(player.user_id, player.name, player.dropped) for player in players),
        pairings=tuple(read(Pairing, table) for table in tables),
    )


FEWEST, MOST = 4, 64
"""The fewest and the most players of a cup."""
PREFERRED = (4, 3, 5, 2)
"""Sizes of tables, best first, among those that need as few computers."""
SMALL = 6
"""The most players who play two at a table if that needs the fewest computers."""
STEEP = 3
"""The power to which repeated meetings cost, so that a third is worse than two second ones."""
STARTS = 4
"""Arrangements that each round starts with; the best is taken."""
APART = 10**6
"""The cost of two computers at a table."""

Player = int
"""A player of a cup by number: 0, 1, … as they joined."""
Place = Player | None
"""The player on a seat; None if a computer plays."""


class Pod(NamedTuple):
    """A table of a round: its players in seat order."""

    seats: tuple[Place, ...]


Round = tuple[Pod, ...]


def best_size(players: int, allowed: Iterable[int]) -> int:
    """Return the size of a cup's tables.

    Of the allowed ones, the one with the fewest computers.

    Raises:
        ValueError: if the game allows no table of two to five.

    >>> best_size(8, [2, 3, 4]), best_size(6, [2, 3]), best_size(4, [2, 3]), best_size(64, [2])
    (4, 3, 2, 2)
    """
    possible = [size for size in PREFERRED if size in set(allowed)]
    if not possible:
        raise ValueError("a cup needs tables of two to five")
    many = [size for size in possible if size > 2] or possible
    return min(possible if players <= SMALL else many, key=lambda size: -players % size)


def rounds_of(players: int, size: int) -> int:
    """Count the rounds of a cup, for a number of players and seats at a table.

    >>> rounds_of(4, 2), rounds_of(5, 2), rounds_of(12, 4), rounds_of(64, 4)
    (3, 5, 4, 8)
    """
    if size == 2:
        return players - 1 + players % 2
    return size if size * (size - 1) >= players - 1 else 2 * size


def schedule(players: int, size: int) -> tuple[Round, ...]:
    """Draw up all rounds of a cup.

    The same numbers give the same rounds.

    Raises:
        ValueError: for fewer than two players or seats.

    >>> [[pod.seats for pod in one] for one in schedule(4, 2)]
    [[(3, 0), (1, 2)], [(1, 3), (2, 0)], [(3, 2), (0, 1)]]
    """
    if players < 2 or size < 2:
        raise ValueError("a schedule takes two players and two seats")
    return _circle(players) if size == 2 else _seat_players(_group_players(players, size), players, size)


def _circle(players: int) -> tuple[Round, ...]:
    """Let everybody meet everybody once: one player stays, the others go round.

    Two who meet at a distance of `step` around the circle sit by its parity, so everybody has both seats
    once at each distance; only against the one who stays seats can be left over.
    """
    ring = players - 1 + players % 2
    rounds = []
    for turn in range(ring):
        pairs = [] if players % 2 else [(ring, turn) if turn % 2 == 0 else (turn, ring)]
        for step in range(1, (ring + 1) // 2):
            pair = (turn + step) % ring, (turn - step) % ring
            pairs.append(pair if step % 2 else pair[::-1])
        rounds.append(tuple(Pod(pair) for pair in pairs))
    return tuple(rounds)


def _group_players(players: int, size: int) -> list[list[list[int]]]:
    """Group the players of each round into tables, unordered.

    Numbers from `players` on are computers. Each round starts with what repeats the fewest meetings in
    theory; then any two swap places if people meet former opponents less often by it, until no such two are
    left.
    """
    tables = -(-players // size)
    met = _Meetings(players, tables * size)
    rounds = []
    for turn in range(rounds_of(players, size)):
        # Each group moves on by another step: with a prime number of tables, two who have met don't meet
        # again in that many rounds.
        best = met.best(
            [
                [at * tables + (table + turn * at + first * (at > 1)) % tables for at in range(size)]
                for table in range(tables)
            ]
            for first in range(min(tables, STARTS))
        )
        met.note(best)
        rounds.append(best)
    return rounds


class _Meetings:
    """Counts meetings; all computers are the same to people, and kept apart.

    A further meeting costs more than those before it, so meetings are spread.
    """

    def __init__(self, players: int, places: int) -> None:
        self._players = players
        self._met = [[0] * places for _ in range(places)]
        self._cost = [[0] * places for _ in range(places)]
        for one in range(players, places):
            for other in range(players, places):
                self._cost[one][other] = APART * (one != other)

    def cost(self, tables: Sequence[Sequence[int]]) -> int:
        return sum(self._cost[one][other] for table in tables for one in table for other in table)

    def best(self, starts: Iterable[Sequence[Sequence[int]]]) -> list[list[int]]:
        """Return the cheapest tables that several starts lead to. The first of equals."""
        result: list[list[int]] = []
        least = -1
        for start in starts:
            tables = self.improve(start)
            cost = self.cost(tables)
            if least < 0 or cost < least:
                result, least = tables, cost
            if not cost:
                break
        return result

    def note(self, tables: Sequence[Sequence[int]]) -> None:
        for table in tables:
            people = [who for who in table if who < self._players]
            for one in people:
                for other in people:
                    if one != other:
                        self._add(one, other, 1)
                for computer in range(self._players, len(self._met)):
                    self._add(one, computer, len(table) - len(people))
                    self._add(computer, one, len(table) - len(people))

    def _add(self, one: int, other: int, times: int) -> None:
        self._met[one][other] += times
        self._cost[one][other] = self._met[one][other] ** STEEP

    def improve(self, start: Sequence[Sequence[int]]) -> list[list[int]]:
        """Swap places while that saves meetings. The same start gives the same tables."""
        tables = [list(table) for table in start]
        while self._improve_once(tables):
            pass
        return tables

    def _improve_once(self, tables: list[list[int]]) -> bool:
        """Make every swap that saves something; return True if there was one."""
        changed = False
        for left in range(len(tables)):
            for right in range(left + 1, len(tables)):
                for here in range(len(tables[left])):
                    for there in range(len(tables[right])):
                        if self._saves(tables[left], here, tables[right], there):
                            one, other = tables[left][here], tables[right][there]
                            tables[left][here], tables[right][there] = other, one
                            changed = True
        return changed

    def _saves(self, left: list[int], here: int, right: list[int], there: int) -> bool:
        one, other = self._cost[left[here]], self._cost[right[there]]
        before = sum(one[who] for who in left) + sum(other[who] for who in right)
        if not before:
            return False
        after = sum(one[who] for who in right) + sum(other[who] for who in left)
        return after - 2 * one[right[there]] < before


def _seat_players(rounds: Sequence[Sequence[Sequence[int]]], players: int, size: int) -> tuple[Round, ...]:
    """Seat the players.

    In as many rounds as seats, everybody has each seat once. Everybody plays as often as a table has seats,
    so tables and players are a regular bipartite graph, which consists of perfect matchings: one gives
    everybody a table at which they have the first seat, the next the second seat, and so on.
    """
    seated: list[Round] = []
    for start in range(0, len(rounds), size):
        block = [table for one in rounds[start : start + size] for table in one]
        at: list[list[int]] = [[] for _ in block]
        free = [set(table) for table in block]
        for _ in range(size):
            for table, who in enumerate(_matching(free)):
                at[table].append(who)
                free[table].discard(who)
        pods = [Pod(tuple(who if who < players else None for who in seats)) for seats in at]
        tables = len(block) // size
        seated += [tuple(pods[number : number + tables]) for number in range(0, len(pods), tables)]
    return tuple(seated)


def _matching(tables: Sequence[set[int]]) -> list[int]:
    """Return one player of each table, all different (Kuhn's augmenting paths)."""
    table_of: dict[int, int] = {}

    def placed(table: int, tried: set[int]) -> bool:
        for who in sorted(tables[table]):
            if who in tried:
                continue
            tried.add(who)
            if who not in table_of or placed(table_of[who], tried):
                table_of[who] = table
                return True
        return False

    for table in range(len(tables)):
        if not placed(table, set()):
            raise ValueError("not everybody plays equally often")
    numbers = {table: who for who, table in table_of.items()}
    return [numbers[table] for table in range(len(tables))]
