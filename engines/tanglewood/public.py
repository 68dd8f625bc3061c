"""The open facts of a position, the same in the full state as in anybody's view of it."""

from typing import Any, Literal

import msgspec

from engines.game import Outcome, Seat
from engines.lying_open import fields_of
from engines.tanglewood.options import TanglewoodOptions
from engines.tanglewood.pieces.board import Counts
from engines.tanglewood.pieces.components import Faction, FoxTileKey, Region, TangleId
from engines.tanglewood.pieces.effects import Deed

Phase = Literal["turn", "step", "benefit", "effect", "ballots", "keep", "over"]


class TanglewoodPublic(msgspec.Struct, kw_only=True):
    """The common fields of state and view. Seats count from 0, rounds from 1.

    The elements of its lists and dicts are only replaced, never changed: a copy of these is a copy of all.

    Attributes:
        phase: ``turn``: draw or place; ``step``: the track of a wild Tangle; ``benefit`` and ``effect``: a
            choice that a step or a Tangle leaves; ``ballots`` and ``keep``: all at once; ``over``.
        turns: the number of turns begun in the whole game, including the current one.
        round: the number of the round.
        order: the turn order of the round; the seats that have left are in it and skipped.
        seat: whose turn it is, None while all choose ballots and at the end.
        votes, circles, draw_levels, place_levels: of every seat.
        steps: for each seat its step on every track, 0 before the first.
        fox_tiles: the tile on each slot, slot 1 first.
        tangles: the Tangle on each region, None in the active one while its card is carried out.
        workers: the workers in each region, by colour as `pieces.board.colours` counts them.
        active: the region of the Place action in progress, or else of the last one; None at first.
        card: the Tangle that is carried out, None between turns.
        benefit: the remaining deeds of this turn's step, the next one first.
        effect: the remaining deeds of the Tangle, the next one first.
        discards: the Tangles that have been carried out, the oldest first.
        poll_round: the round in which the Opinion Poll turned up, None before.
        midgame_done: True after the mid-game scoring, including the keeping of ballots.
        out_round: the round in which the draw deck ran out, None before.
        played_ballots: the ballots discarded face up, since the last reshuffle.
        played: the ballots of each scoring so far, by scoring and seat.
        scorings: the votes paid at each scoring so far, by scoring, region and seat.
        out: the seats that have left, first one first.
        outcome: how the game ended, None during the game.
    """

    options: TanglewoodOptions
    seats: int
    phase: Phase = "turn"
    turns: int = 1
    round: int = 1
    order: list[Seat]
    seat: Seat | None
    votes: list[int]
    circles: list[int]
    draw_levels: list[int]
    place_levels: list[int]
    steps: list[dict[Faction, int]]
    fox_tiles: list[FoxTileKey]
    tangles: dict[Region, TangleId | None]
    workers: dict[Region, Counts]
    active: Region | None = None
    card: TangleId | None = None
    benefit: list[Deed] = []
    effect: list[Deed] = []
    discards: list[TangleId] = []
    poll_round: int | None = None
    midgame_done: bool = False
    out_round: int | None = None
    played_ballots: list[Region] = []
    played: list[tuple[tuple[Region, ...], ...]] = []
    scorings: list[dict[Region, tuple[int, ...]]] = []
    out: list[Seat] = []
    outcome: Outcome | None = None

    def public_fields(self) -> dict[str, Any]:
        """Return the public fields by name; lists and dicts as copies."""
        return fields_of(self, TanglewoodPublic)

    @property
    def owed(self) -> Deed | None:
        """The deed that asks for a choice now, in the phases ``benefit`` and ``effect``; with n = 1."""
        if self.phase not in ("benefit", "effect"):
            return None
        return (self.benefit or self.effect)[0]

    @property
    def remaining(self) -> list[Seat]:
        """The seats that are still in the game, in seat order."""
        return [seat for seat in range(self.seats) if seat not in self.out]
