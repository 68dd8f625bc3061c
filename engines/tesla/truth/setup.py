"""From options and a seed to the first position. Rules: Setup."""

from collections import Counter

import msgspec

from engines.game import Draws, IllegalDeal, IllegalSetup, clip
from engines.tesla.pieces.board import START, TeslaBoard
from engines.tesla.pieces.circuits import lay, survey
from engines.tesla.pieces.components import BALANCED, COMMON, Face, TeslaOptions, Tiles, shape
from engines.tesla.truth.state import TeslaDeal, TeslaState

SEATS = range(2, 5)


def settled(seats: int, options: TeslaOptions) -> TeslaOptions:
    """Normalise the options.

    The usual opening becomes the one for that many seats.

    >>> settled(2, TeslaOptions()).opening, settled(3, TeslaOptions()).opening
    ('balanced', 'rulebook')
    """
    if seats not in SEATS:
        raise IllegalSetup(f"Tesla's Tangle is for 2 to 4 players, not {seats}.")
    if options.opening != "usual":
        return options
    return msgspec.structs.replace(options, opening="balanced" if seats == 2 else "rulebook")


def deal(seats: int, options: TeslaOptions, seed: bytes) -> TeslaDeal:
    draws = Draws(seed, 0)
    return TeslaDeal(tuple(draws.shuffle(list(_bag(options.tiles).elements()))), draws.below(seats))


def _bag(tiles: Tiles) -> Counter[Face]:
    """Count the tiles of the bag by face. All but the start tile."""
    faces = Counter(shape(tiles).counts)
    faces[shape(tiles).start_face] -= 1
    return faces


def check_deal(seats: int, options: TeslaOptions, deal: TeslaDeal) -> None:
    whole, bag = _bag(options.tiles), Counter(deal.bag)
    for face in bag:
        if face not in whole:
            raise IllegalDeal(f"The bag has an unknown tile: {clip(face)}.")
    for face, number in whole.items():
        if bag[face] != number:
            raise IllegalDeal(f"The bag has {number} of tile {face}, not {bag[face]}.")
    if deal.first not in range(seats):
        raise IllegalDeal(f"The first seat must be 0 to {seats - 1}, not {deal.first}.")


def begin(seats: int, options: TeslaOptions, deal: TeslaDeal, seed: bytes) -> TeslaState:
    """Set up the first position of a deal.

    Raises:
        IllegalSetup: if there are too few or too many seats.
        IllegalDeal: if the deal isn't one that could be dealt.
    """
    options = settled(seats, options)
    check_deal(seats, options, deal)
    balanced = options.opening == "balanced"
    scores = [BALANCED.others_start if balanced and seat != deal.first else 0 for seat in range(seats)]
    hands: list[list[Face]] = [[] for _ in range(seats)]
    for place in range(seats):
        start = place * COMMON.hand
        hands[(deal.first + place) % seats] = list(deal.bag[start : start + COMMON.hand])
    board = TeslaBoard(options.tiles)
    lay(board, survey(board, START, shape(options.tiles).start_lie))
    return TeslaState(
        options=options,
        seats=seats,
        seed=seed,
        seat=deal.first,
        may_mark=not balanced or BALANCED.first_seat_first_turn_marker,
        board=board,
        scores=scores,
        started=scores[deal.first],
        supplies=[COMMON.markers[seats]] * seats,
        hands=hands,
        bag=list(deal.bag[COMMON.hand * seats :]),
        refills=[0] * seats,
        places=[None] * seats,
        idle=[0] * seats,
        turns=[0] * seats,
    )
