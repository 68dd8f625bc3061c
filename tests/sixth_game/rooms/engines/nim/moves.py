"""The one decision of Nim, and the events that follow."""

import msgspec

from engines import game
from engines.game import Outcome, Seat


class Take(msgspec.Struct, frozen=True, tag="take"):
    """Take some stones from one heap, which is counted from 1."""

    heap: int
    stones: int


Move = Take


class Taken(game.Event, frozen=True, kw_only=True, tag="taken"):
    """A seat has taken stones from a heap; it may put them back until somebody else has taken."""

    seat: Seat
    heap: int
    stones: int


class Left(game.Event, frozen=True, kw_only=True, tag="left"):
    """A seat has left the game."""

    seat: Seat
    reveals: bool = True


class Ended(game.Event, frozen=True, kw_only=True, tag="ended"):
    """The game is over."""

    outcome: Outcome
    reveals: bool = True


Event = Taken | Left | Ended
