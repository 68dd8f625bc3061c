"""The full state of one table, never shown to anybody as it is, and its set-up. Rules: Setup."""

from __future__ import annotations

import msgspec

from engines.game import Seat
from engines.tanglewood.legal.moves import Question, question
from engines.tanglewood.pieces.board import Counts
from engines.tanglewood.pieces.components import SCORING, FoxTileKey, Region, TangleId
from engines.tanglewood.view import TanglewoodPublic

POLL: TangleId = "POLL"
"""The Opinion Poll in the draw deck."""


class TanglewoodDeal(msgspec.Struct, frozen=True):
    """Every random outcome of a game; the first of each order is the top.

    Attributes:
        first: the seat that goes first.
        starters: the Starter Tangle of each region, A first.
        tangles: all Regular Tangles: the reserve first, then the draw deck, then what stays in the box.
        above_poll: the number of Tangles above the Opinion Poll in the draw deck.
        ballots: all Secret Ballots, dealt from the first on.
        tiles: the Fox tile on each slot, slot 1 first.
        reshuffles: the ballot deck after each reshuffle, used in turn; further ones, and one that doesn't
            fit the discards, come from the seed.
    """

    first: Seat
    starters: tuple[TangleId, ...]
    tangles: tuple[TangleId, ...]
    above_poll: int
    ballots: tuple[Region, ...]
    tiles: tuple[FoxTileKey, ...]
    reshuffles: tuple[tuple[Region, ...], ...] = ()


class TanglewoodState(TanglewoodPublic, kw_only=True):
    """A position with all hidden information. Fields that `TanglewoodView` has too mean the same here.

    Attributes:
        reshuffles: how often the ballot discards have been shuffled into a new deck.
        planned: the deal's reshuffles that have not come yet.
        before: for each seat the workers at the end of its last turn.
        before_turn: the workers at the beginning of this turn.
        before_last: the workers at the beginning of the last finished turn.
        deck: the draw deck, top first, with `POLL` in it until it turns up.
        reserve: the Tangles set aside until the draw deck has run out, top first.
        box: the Tangles that are not in this game.
        hands: the ballots of each seat, sorted.
        chosen: each seat's choice of its ballots in the open vote.
        ballot_deck: the ballots to draw, top first.
        dropped: the ballots that each seat has discarded unplayed, since the last reshuffle.
    """

    seed: bytes
    reshuffles: int = 0
    planned: list[tuple[Region, ...]] = msgspec.field(default_factory=list)
    before: list[dict[Region, Counts]]
    before_turn: dict[Region, Counts]
    before_last: dict[Region, Counts]
    deck: list[TangleId]
    reserve: list[TangleId]
    box: list[TangleId]
    hands: list[list[Region]]
    chosen: list[tuple[Region, ...] | None]
    ballot_deck: list[Region]
    dropped: list[list[Region]]

    def copy(self) -> TanglewoodState:
        return msgspec.structs.replace(
            self,
            planned=self.planned[:],
            before=self.before[:],
            deck=self.deck[:],
            reserve=self.reserve[:],
            box=self.box[:],
            hands=[hand[:] for hand in self.hands],
            chosen=self.chosen[:],
            ballot_deck=self.ballot_deck[:],
            dropped=self.dropped[:],
            **self.public_fields(),
        )


def owing(state: TanglewoodState) -> tuple[Seat, ...]:
    match state.phase:
        case "over":
            return ()
        case "ballots" | "keep":
            asked = (seat for seat in state.remaining if is_asked(state, seat))
            return tuple(seat for seat in asked if state.chosen[seat] is None)
        case _:
            return () if state.seat is None else (state.seat,)


def is_asked(state: TanglewoodState, seat: Seat) -> bool:
    """Return True if a seat has a choice of ballots. Rules: Secret ballots."""
    held = len(state.hands[seat])
    return held > (SCORING.ballots_played if state.phase == "ballots" else 0)


def question_for(state: TanglewoodState, seat: Seat) -> Question:
    return question(state, seat, state.owed, state.hands[seat])
