"""What one viewer may know, and what can be worked out from that.

A `View` holds nothing that its viewer may not know, so pictures, panels and the computer player
can't show or use it. The functions here read views only.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from engines.game import Outcome, Seat
from engines.tanglewood.board import Colour, Counts, colours, index, votes
from engines.tanglewood.components import (
    LENGTHS,
    MAT,
    REGIONS,
    REGULARS,
    Faction,
    FoxTileKey,
    Region,
    TangleId,
)
from engines.tanglewood.effects import Deed
from engines.tanglewood.options import Options

Phase = Literal["turn", "step", "benefit", "effect", "ballots", "keep", "over"]


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A position as one viewer may know it. Seats count from 0, rounds from 1.

    Attributes:
        viewer: the seat that looks, None for a spectator.
        phase: ``turn``: draw or place; ``step``: the track of a wild Tangle; ``benefit`` and ``effect``:
            a choice that a step or a Tangle leaves; ``ballots`` and ``keep``: all at once; ``over``.
        turns: how many turns have been begun in the whole game, the current one included.
        round: the number of the round.
        order: the turn order of the round; the seats that have left are in it and skipped.
        seat: whose turn it is, None while all choose ballots and at the end.
        votes, circles, draw_levels, place_levels: of every seat.
        steps: for each seat its step on every track, 0 before the first.
        fox_tiles: the tile on each slot, slot 1 first.
        tangles: the Tangle on each region, None in the active one while its card is carried out.
        workers: the workers in each region, by colour as `engines.tanglewood.board.colours` counts them.
        before: the workers as they stood when the viewer's last turn had ended, for a spectator when the
            last turn that is over began; what pictures compare with.
        active: the region of the Place action that is carried out, or else of the last one; None at first.
        card: the Tangle that is carried out, None between turns.
        owed: the deed that asks for a choice, in the phases ``benefit`` and ``effect``; always with n = 1.
        deck: how many Tangles are left in the draw deck; the Opinion Poll isn't counted.
        reserve: how many are in the reserve.
        discards: the Tangles that have been carried out, the oldest first.
        poll_round: the round in which the Opinion Poll turned up, None before.
        midgame_done: whether the mid-game scoring is over, the keeping of ballots included.
        out_round: the round in which the draw deck ran out, None before.
        hands: for each seat its ballots, sorted, None for a hand that the viewer may not see.
        held: the number of ballots in each hand.
        mine: what the viewer has chosen of its ballots, until all have; None for nothing yet.
        owing: the seats that owe a move, in seat order.
        ballot_deck, ballot_discards: how many ballots are in the deck, how many are discarded.
        dropped: the ballots that the viewer itself has discarded unplayed and that are there still, sorted.
        played: the ballots of each scoring so far, by scoring and seat.
        scorings: what each region paid at each scoring so far, by scoring, region and seat.
        out: the seats that have left, first one first.
        deck_tangles, reserve_tangles, ballots_left: what is in the decks, top first, when the game is over.
        outcome: how the game ended, None while it goes on.
    """

    options: Options
    seats: int
    viewer: Seat | None
    phase: Phase
    turns: int
    round: int
    order: tuple[Seat, ...]
    seat: Seat | None
    votes: tuple[int, ...]
    circles: tuple[int, ...]
    draw_levels: tuple[int, ...]
    place_levels: tuple[int, ...]
    steps: tuple[dict[Faction, int], ...]
    fox_tiles: tuple[FoxTileKey, ...]
    tangles: dict[Region, TangleId | None]
    workers: dict[Region, Counts]
    before: dict[Region, Counts]
    active: Region | None
    card: TangleId | None
    owed: Deed | None
    deck: int
    reserve: int
    discards: tuple[TangleId, ...]
    poll_round: int | None
    midgame_done: bool
    out_round: int | None
    hands: tuple[tuple[Region, ...] | None, ...]
    held: tuple[int, ...]
    mine: tuple[Region, ...] | None
    owing: tuple[Seat, ...]
    ballot_deck: int
    ballot_discards: int
    dropped: tuple[Region, ...]
    played: tuple[tuple[tuple[Region, ...], ...], ...]
    scorings: tuple[dict[Region, tuple[int, ...]], ...]
    out: tuple[Seat, ...]
    deck_tangles: tuple[TangleId, ...] | None = None
    reserve_tangles: tuple[TangleId, ...] | None = None
    ballots_left: tuple[Region, ...] | None = None
    outcome: Outcome | None = None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == "over"

    @property
    def colours(self) -> tuple[Colour, ...]:
        """Every colour on the board, in the order in which `workers` counts them."""
        return colours(self.seats)

    @property
    def final(self) -> bool:
        """Whether the next scoring is the last one."""
        return self.midgame_done

    @property
    def scoring_round(self) -> int | None:
        """The round after which the next scoring comes; None while nobody knows."""
        turned = self.out_round if self.midgame_done else self.poll_round
        return None if turned is None else turned + 1

    def count(self, region: Region, colour: Colour) -> int:
        """How many workers of a colour stand in a region."""
        counts = self.workers[region]
        return counts[index(colour, counts)]

    def draw_value(self, seat: Seat) -> int:
        """How many markers the Draw action brings this seat."""
        return MAT.draw[self.draw_levels[seat]]

    def place_value(self, seat: Seat) -> int:
        """How many markers this seat may place at most."""
        return MAT.place[self.place_levels[seat]]


def would_score(view: View) -> dict[Region, tuple[int, ...]]:
    """What each region would pay every seat if it were scored now."""
    return {region: votes(region, view.workers[region], view.seats, view.out) for region in REGIONS}


def unseen(view: View) -> list[TangleId]:
    """The Regular Tangles that nobody has seen yet: in the deck, in the reserve or in the box."""
    seen = {*view.discards, *view.tangles.values(), view.card}
    return [tangle for tangle in REGULARS if tangle not in seen]


def deck_size(view: View) -> int:
    """How many Tangles the draw deck began with."""
    return LENGTHS[view.options.length].draw_deck
