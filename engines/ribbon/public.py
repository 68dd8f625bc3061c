"""What lies open on the table, the same in the whole truth as in anybody's view of it."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from engines.game import Outcome, Seat
from engines.lying_open import fields_of
from engines.ribbon.options import Options
from engines.ribbon.pieces.circle import Tangle
from engines.ribbon.pieces.components import Card, Colour

Phase = Literal["choose_ribbon", "choose_hand", "flip", "arrange", "tie_vote", "over"]


class Public(msgspec.Struct, kw_only=True):
    """All that state and view have in common. Everything in it is immutable, so that both can hold it.

    Seats count from 0, places from 1.

    Attributes:
        seat: the seat whose turn it is; the last one to act when the game is over.
        circle: the card face up at each place, None where a card lies face down.
        ribbons: the colour each seat owns, None without one.
        out: the seats that are out, first one first.
        swapped, exchanged: what has been done this turn.
        full_at_start: whether the turn began with all cards face up.
        standing: co-op and solo, the tangles that stood when the turn began.
        full_turns: turns ended with a full circle since the last elimination.
        begun: how often the present position has begun a turn with a full circle, this turn included.
        outcome: how the game ended; None while it goes on and when it was called off.
        lost_by: the tangles that a team lost by.
    """

    options: Options
    seats: int
    phase: Phase
    turn: int = 1
    seat: Seat
    circle: tuple[Card | None, ...]
    ribbons: tuple[Colour | None, ...]
    out: tuple[Seat, ...] = ()
    swapped: bool = False
    exchanged: bool = False
    full_at_start: bool = False
    standing: tuple[Tangle, ...] = ()
    full_turns: int = 0
    begun: int = 0
    outcome: Outcome | None = None
    lost_by: tuple[Tangle, ...] = ()

    def lying_open(self) -> dict[str, Any]:
        """Everything that lies open by the names of its fields; what can be changed as copies."""
        return fields_of(self, Public)

    @property
    def remaining(self) -> list[Seat]:
        """The seats that are still in the game, in seat order."""
        return [seat for seat in range(self.seats) if seat not in self.out]
