"""The full state of one table, never shown to anybody as it is, and its set-up. Rules: Setup."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from engines.game import Draws, IllegalDeal, Seat
from engines.tanglewood.legal.moves import Question, question
from engines.tanglewood.pieces import components
from engines.tanglewood.pieces.board import NEUTRAL, Counts, colours
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


def deal(seats: int, options: components.TanglewoodOptions, seed: bytes) -> TanglewoodDeal:
    draws = Draws(seed, 0)
    first = draws.below(seats)
    least, most = components.LENGTHS[options.length].poll_cards_above
    starters, tangles = (
        draws.shuffle(tuple(components.STARTERS)),
        draws.shuffle(tuple(components.REGULAR_TANGLES)),
    )
    above = least + draws.below(most - least + 1)
    ballots, tiles = draws.shuffle(components.BALLOTS), draws.shuffle(tuple(components.FOX_TILES))
    return TanglewoodDeal(
        first=first if options.first == "random" else 0,
        starters=tuple(starters),
        tangles=tuple(tangles),
        above_poll=above,
        ballots=tuple(ballots),
        tiles=tuple(tiles) if options.fox_tiles == "shuffled" else tuple(components.FOX_TILES),
    )


def begin(
    seats: int, options: components.TanglewoodOptions, deal: TanglewoodDeal, seed: bytes
) -> TanglewoodState:
    check_deal(seats, options, deal)
    order = [(deal.first + step) % seats for step in range(seats)]
    size = components.LENGTHS[options.length].draw_deck
    deck = list(deal.tangles[components.RESERVE : components.RESERVE + size])
    deck.insert(deal.above_poll, POLL)
    hands: list[list[str]] = [[] for _ in range(seats)]
    for place, ballot in enumerate(deal.ballots[: components.SETUP.ballots * seats]):
        hands[order[place % seats]].append(ballot)
    counts = tuple(
        components.SETUP.neutral_markers if colour == NEUTRAL else components.SETUP.region_markers
        for colour in colours(seats)
    )
    opening = dict.fromkeys(components.REGIONS, counts)
    return TanglewoodState(
        options=options,
        seats=seats,
        seed=seed,
        planned=list(deal.reshuffles),
        order=order,
        seat=deal.first,
        votes=[components.SETUP.votes] * seats,
        circles=[components.SETUP.circle] * seats,
        draw_levels=[0] * seats,
        place_levels=[0] * seats,
        steps=[dict.fromkeys(components.TRACKS, 0) for _ in range(seats)],
        fox_tiles=list(deal.tiles),
        tangles=dict(zip(components.REGIONS, deal.starters, strict=True)),
        workers=opening,
        before=[opening] * seats,
        before_turn=opening,
        before_last=opening,
        deck=deck,
        reserve=list(deal.tangles[: components.RESERVE]),
        box=list(deal.tangles[components.RESERVE + size :]),
        hands=[sorted(hand) for hand in hands],
        chosen=[None] * seats,
        ballot_deck=list(deal.ballots[components.SETUP.ballots * seats :]),
        dropped=[[] for _ in range(seats)],
    )


def check_deal(seats: int, options: components.TanglewoodOptions, deal: TanglewoodDeal) -> None:
    if deal.first not in range(seats):
        raise IllegalDeal(f"The first seat must be 0 to {seats - 1}, not {deal.first}.")
    if options.first == "host" and deal.first != 0:
        raise IllegalDeal("With these options, the host (seat 0) goes first.")
    _check_order("The Starter Tangles", deal.starters, tuple(components.STARTERS))
    _check_order("The Regular Tangles", deal.tangles, tuple(components.REGULAR_TANGLES))
    _check_order("The ballots", deal.ballots, components.BALLOTS)
    _check_order("The Fox tiles", deal.tiles, tuple(components.FOX_TILES))
    if options.fox_tiles == "fixed" and deal.tiles != tuple(components.FOX_TILES):
        raise IllegalDeal(f"These options need the Fox tiles in the order {', '.join(components.FOX_TILES)}.")
    least, most = components.LENGTHS[options.length].poll_cards_above
    if not least <= deal.above_poll <= most:
        raise IllegalDeal(f"{least} to {most} Tangles must be above the Opinion Poll, not {deal.above_poll}.")
    for order in deal.reshuffles:
        if not order or Counter(order) - Counter(components.BALLOTS):
            raise IllegalDeal("A reshuffle needs at least one ballot, all from this game.")


def _check_order(what: str, order: Sequence[str], all_of_them: Sequence[str]) -> None:
    if sorted(order) != sorted(all_of_them):
        raise IllegalDeal(f"{what} must be all {len(all_of_them)}, each once.")
