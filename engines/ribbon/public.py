"""The open facts of a position, the same in the full state as in anybody's view of it."""

from typing import Any, Literal

import msgspec

from engines.game import Outcome, Seat
from engines.lying_open import fields_of
from engines.ribbon.options import RibbonOptions
from engines.ribbon.pieces.circle import RibbonTangle
from engines.ribbon.pieces.components import Card, Colour

Phase = Literal["choose_ribbon", "choose_hand", "flip", "arrange", "tie_vote", "over"]


class RibbonPublic(msgspec.Struct, kw_only=True):
    """The common fields of state and view. All are immutable, so that both can hold them.

    Seats count from 0, places from 1.

    Attributes:
        seat: the seat whose turn it is; the last one to act when the game is over.
        circle: the card face up at each place, None if it is face down.
        ribbons: the colour each seat owns, None without one.
        out: the seats that are out, first one first.
        swapped, exchanged: True after that step of this turn.
        full_at_start: True if the turn began with all cards face up.
        standing: co-op and solo, the tangles at the start of the turn.
        full_turns: turns ended with a full circle since the last elimination.
        begun: how often the present position has begun a turn with a full circle, this turn included.
        outcome: how the game ended; None during the game and if it was called off.
        lost_by: the tangles that a team lost by.
    """

    options: RibbonOptions
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
    standing: tuple[RibbonTangle, ...] = ()
    full_turns: int = 0
    begun: int = 0
    outcome: Outcome | None = None
    lost_by: tuple[RibbonTangle, ...] = ()

    def public_fields(self) -> dict[str, Any]:
        """Return the public fields by name; lists and dicts as copies."""
        return fields_of(self, RibbonPublic)

    @property
    def remaining(self) -> list[Seat]:
        """The seats that are still in the game, in seat order."""
        return [seat for seat in range(self.seats) if seat not in self.out]
