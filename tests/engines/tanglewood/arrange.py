"""Arranging games of Tanglewood by hand: a deal in plain order, and any position in it."""

from collections.abc import Mapping, Sequence
from itertools import chain
from random import Random
from typing import Any, TypeVar

import msgspec

from engines.game import Event, Seat
from engines.tanglewood import GAME
from engines.tanglewood.moves import Move, TanglewoodDraw, TanglewoodPlace
from engines.tanglewood.pieces import components
from engines.tanglewood.pieces.board import Counts
from engines.tanglewood.truth.state import TanglewoodDeal, TanglewoodState
from tests.engines.conformance import find_refusal

SEED = b"arranged"
E = TypeVar("E", bound=Event)


def deal(**changes: Any) -> TanglewoodDeal:
    """Deal in data order. S1 to S9 are on A to I, T01 to T10 in reserve."""
    plain = TanglewoodDeal(
        first=0,
        starters=tuple(components.STARTERS),
        tangles=tuple(components.REGULAR_TANGLES),
        above_poll=17,
        ballots=components.BALLOTS,
        tiles=tuple(components.FOX_TILES),
    )
    return msgspec.structs.replace(plain, **changes)


def begin(seats: int = 4, **options: Any) -> TanglewoodState:
    """Begin a game with seat 0 first."""
    chosen = GAME.settle(seats, components.TanglewoodOptions(**options))
    above = 17 if chosen.length == "full" else 10
    return GAME.begin(seats, chosen, deal(above_poll=above), SEED)


def arrange(
    card: components.TangleId | None = None,
    here: components.Region = "E",
    counts: Mapping[components.Region, Counts] | None = None,
    *,
    seats: int = 4,
    empty: bool = False,
    circle: int | None = None,
    steps: Mapping[components.Faction, int] | None = None,
    hands: Sequence[str] | None = None,
    tiles: Sequence[str] | None = None,
    **changes: Any,
) -> TanglewoodState:
    """Return the opening board for seat 0, changed by the arguments.

    A `card` is put on the region `here`; `counts` are the workers of some regions, the others are as on the
    opening board or `empty`; circle and steps are seat 0's; `hands` is a word for each seat, and the ballot
    deck holds the others. Further arguments are set on the state.
    """
    state = begin(seats)
    if card is not None:
        lay(state, card, here)
    if empty:
        state.workers = {region: (0,) * len(state.workers["A"]) for region in components.REGIONS}
    state.workers = {**state.workers, **(counts or {})}
    if circle is not None:
        state.circles[0] = circle
    state.steps[0] = {**state.steps[0], **(steps or {})}
    if hands is not None:
        state.hands = [sorted(hand.replace(" ", "")) for hand in hands]
        state.ballot_deck = list(components.BALLOTS)
        for ballot in chain.from_iterable(state.hands):
            state.ballot_deck.remove(ballot)
    if tiles is not None:
        state.fox_tiles = [*tiles, *(tile for tile in components.FOX_TILES if tile not in tiles)]
    for name, value in changes.items():
        setattr(state, name, value)
    return state


def lay(state: TanglewoodState, card: components.TangleId, here: components.Region) -> None:
    """Put a Tangle on a region; the one there takes its place."""
    old = state.tangles[here]
    assert old is not None
    for pile in (state.deck, state.reserve, state.box):
        if card in pile:
            pile[pile.index(card)] = old
    for region, other in state.tangles.items():
        if other == card:
            state.tangles[region] = old
    state.tangles[here] = card


def play(state: TanglewoodState, *moves: Move) -> list[Any]:
    happened: list[Any] = []
    for move in moves:
        assert state.seat is not None
        happened += GAME.play(state, state.seat, move)
    return happened


def place(state: TanglewoodState, here: components.Region = "E", count: int = 1) -> list[Any]:
    return GAME.play(state, 0, TanglewoodPlace(here, count))


def legal(state: TanglewoodState, seat: Seat | None = None) -> list[Move]:
    acting = state.seat if seat is None else seat
    return [] if acting is None else list(GAME.moves(state, acting))


def draw_all_round(state: TanglewoodState) -> list[Any]:
    """Let everybody still to play in this round draw, without a step."""
    number, happened = state.round, []
    while state.phase == "turn" and state.round == number:
        state.circles[state.seat or 0] = 5
        happened += play(state, TanglewoodDraw())
    return happened


def copy_state(state: TanglewoodState) -> TanglewoodState:
    return msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=TanglewoodState)


def mingle(piles: Sequence[list[str]], rng: Random) -> None:
    cards = [card for pile in piles for card in pile]
    rng.shuffle(cards)
    for pile in piles:
        pile[:] = [cards.pop() for _ in pile]


def refusal(state: TanglewoodState, move: Move, seat: Seat | None = None) -> str:
    return find_refusal(state, lambda: GAME.play(state, (state.seat or 0) if seat is None else seat, move))


def only(events: Sequence[Any], kind: type[E]) -> E:
    (result,) = [event for event in events if isinstance(event, kind)]
    return result


def count_drawn(events: Sequence[Any]) -> int:
    return sum(event.number for event in events if type(event).__name__ == "DrewBallots")


def total(state: TanglewoodState) -> list[int]:
    return [sum(column) for column in zip(*state.workers.values(), strict=True)]
