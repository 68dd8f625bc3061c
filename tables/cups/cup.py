"""A cup as the rest of the code sees it, and its scoring.

A win is worth 2 points, a shared one 1, anything else 0. Ties are broken by the Sonneborn-Berger score, for
tables of any size: for each game, the points in the cup of everybody placed behind, and half the points of
everybody with the same place; then by the number of wins. Equals in all of that share a place. Only people
count: neither computers nor people who gave their seat away have points, and nobody gains by being placed
before them.
"""

from enum import StrEnum
from typing import Any

import msgspec

from db.records import CupPlayerRow, CupRow, CupTableRow
from engines.registry import AnyGame, game
from tables.clocks.pace import DAY, Pace
from tables.core.stored import read

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
    games = [(_people(pairing.seats), pairing.places) for pairing in pairings if pairing.places]
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


def _people(seats: tuple[int | None, ...]) -> list[tuple[int, int]]:
    return [(seat, user_id) for seat, user_id in enumerate(seats) if user_id is not None]


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
