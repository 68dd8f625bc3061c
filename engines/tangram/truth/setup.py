"""Setting a table up: options, the deal, the first state."""

from __future__ import annotations

from engines.draws import Draws
from engines.game import IllegalDeal
from engines.tangram.options import TangramOptions
from engines.tangram.pieces.city import City
from engines.tangram.pieces.components import PRINTED, ROUNDS, TILES, BoardSide
from engines.tangram.truth.state import TangramDeal, TangramState


def deal(seats: int, options: TangramOptions, seed: bytes) -> TangramDeal:
    """Shuffle the cards, draw the start seat and sides. Rules: Setup."""
    draws = Draws(seed, 0)
    deck = tuple(draws.shuffle(tuple(TILES)))
    start = draws.below(seats)
    if options.boards == "plain":
        return TangramDeal(deck, start)
    boards = draws.shuffle(sorted({board_of(side) for side in PRINTED}))[:seats]
    return TangramDeal(deck, start, tuple(_a_side(board, draws) for board in boards))


def _a_side(board: str, draws: Draws) -> BoardSide:
    sides = sorted(side for side in PRINTED if board_of(side) == board)
    return sides[draws.below(len(sides))]


def board_of(side: BoardSide) -> str:
    """Return the board that a printed side is on.

    >>> board_of("3b")
    '3'
    """
    return side[:-1]


def begin(seats: int, options: TangramOptions, deal: TangramDeal) -> TangramState:
    """Set up the first state from a deal. Rules: Setup.

    Raises:
        IllegalDeal: if the deal isn't one that could be dealt.
    """
    _check(seats, options, deal)
    sides = deal.sides or (None,) * seats
    return TangramState(
        options=options,
        seats=seats,
        deck=list(deal.deck),
        start=deal.start,
        cities=[City(board=side) for side in sides],
        latest=[()] * seats,
        pending=[[] for _ in range(seats)],
        scores=[ROUNDS.start_points] * seats,
        aside=[()] * seats,
        fountains=[ROUNDS.fountains] * seats,
    )


def _check(seats: int, options: TangramOptions, deal: TangramDeal) -> None:
    if sorted(deal.deck) != sorted(TILES):
        raise IllegalDeal(f"The deck must have each of the {len(TILES)} cards once.")
    if deal.start not in range(seats):
        raise IllegalDeal(f"The seat with the start marker must be 0 to {seats - 1}.")
    if options.boards == "plain":
        if deal.sides is not None:
            raise IllegalDeal("Plain boards have no printed sides, so leave the sides out.")
        return
    if deal.sides is None or len(deal.sides) != seats:
        raise IllegalDeal(f"Printed boards need a side for each of the {seats} seats.")
    if any(side not in PRINTED for side in deal.sides):
        raise IllegalDeal(f"Choose printed sides from {', '.join(PRINTED)}.")
    if len({board_of(side) for side in deal.sides}) < seats:
        raise IllegalDeal("2 seats can't have sides of the same board.")
