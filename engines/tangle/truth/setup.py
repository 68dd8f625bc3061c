"""From options and a seed to the first position. Rules: Setup."""

from collections.abc import Sequence

import msgspec

from engines.game import Draws, IllegalDeal, IllegalSetup, clip
from engines.tangle.decisions import Casting, Placing
from engines.tangle.pieces.board import TangleTile, board
from engines.tangle.pieces.components import (
    ALL_CARDS,
    ALTERNATIVES,
    CONDITIONS,
    NUMBERS,
    SPACES,
    START,
    SUPPLY,
    Alternative,
    TangleOptions,
    in_order,
    starting_trees,
)
from engines.tangle.truth.state import TangleDeal, TangleState
from engines.tangle.view import Player

SEATS = range(2, 5)


_FIRST_EXCHANGED = 3
"""Only spaces of this section and on may be exchanged."""


def settle(seats: int, options: TangleOptions) -> TangleOptions:
    """Sort the exchanged spaces. Raises IllegalSetup for options that can't be played."""
    exchanged = dict(options.exchange)
    if len(exchanged) < len(options.exchange):
        raise IllegalSetup("You can exchange a space only once.")
    for space in exchanged:
        if space not in SPACES or not _FIRST_EXCHANGED <= SPACES[space].section <= seats:
            raise IllegalSetup(f"With {seats} players, you can't exchange the space {clip(space)}.")
    used = [*exchanged.values(), *([] if options.centre in ("none", "random") else [options.centre])]
    if len(set(used)) < len(used):
        raise IllegalSetup("You can use each alternative space only once.")
    if options.centre == "random" and not _free_alternatives(options):
        raise IllegalSetup("No alternative space is left for the centre.")
    return msgspec.structs.replace(options, exchange=tuple(sorted(exchanged.items())))


def _free_alternatives(options: TangleOptions) -> list[Alternative]:
    """Return the alternative spaces that a random centre is drawn from."""
    used = {alternative for _, alternative in options.exchange}
    return [alternative for alternative in ALTERNATIVES if alternative not in used]


def deal(options: TangleOptions, seed: bytes) -> TangleDeal:
    draws = Draws(seed, 0)
    conditions, cards = draws.shuffle(tuple(CONDITIONS)), draws.shuffle(ALL_CARDS)
    centre = draws.shuffle(_free_alternatives(options))[0] if options.centre == "random" else None
    return TangleDeal(tuple(conditions), tuple(cards), centre)


def begin(seats: int, options: TangleOptions, deal: TangleDeal, seed: bytes) -> TangleState:
    """Set up the first state from a deal.

    Seat 0 is to place a root. Raise IllegalDeal if the deal isn't one that could be dealt.
    """
    check_deal(options, deal)
    trees = starting_trees(seats)
    row = NUMBERS.hand * seats
    pile = row + NUMBERS.row
    centre = deal.centre if options.centre == "random" else options.centre
    if centre == "none":
        centre = None
    land = board(seats, options.exchange, centre)
    return TangleState(
        options=options,
        seats=seats,
        seed=seed,
        centre=centre,
        agenda=[Casting(), Placing()],
        tiles={area: TangleTile(seat, "tree", roots=1) for seat, own in enumerate(trees) for area in own},
        resources=dict(land.start),
        # A root is on each of a seat's trees, the rest in its stash.
        players=[
            Player(
                stash=START,
                seeds=(0, 0),
                tiles=(SUPPLY.earth_bush, SUPPLY.meadow, SUPPLY.lake, SUPPLY.sapling_tree - len(own)),
                roots=SUPPLY.roots - len(own),
                held=NUMBERS.hand,
                front=(),
            )
            for own in trees
        ],
        seeds=(SUPPLY.bush_seeds, SUPPLY.tree_seeds),
        pile=list(deal.cards[pile:]),
        row=list(deal.cards[row:pile]),
        trackers=(land.bottom, land.bottom, land.bottom),
        hands=[in_order(_share(deal.cards, NUMBERS.hand, seat)) for seat in range(seats)],
        conditions=[_share(deal.conditions, NUMBERS.conditions, seat) for seat in range(seats)],
        box=deal.conditions[NUMBERS.conditions * seats :],
        shown=[()] * seats,
    )


def check_deal(options: TangleOptions, deal: TangleDeal) -> None:
    _check_order("The victory conditions", deal.conditions, tuple(CONDITIONS))
    _check_order("The enchantments", deal.cards, ALL_CARDS)
    if options.centre == "random" and deal.centre not in _free_alternatives(options):
        raise IllegalDeal("The centre must be one of the alternative spaces, and no other space can use it.")
    if options.centre != "random" and deal.centre is not None:
        raise IllegalDeal("With these options, no centre is drawn, so a deal can't name one.")


def _check_order(what: str, order: Sequence[str], all_of_them: Sequence[str]) -> None:
    if sorted(order) != sorted(all_of_them):
        raise IllegalDeal(f"{what} must be all {len(all_of_them)}, each once.")


def _share(order: tuple[str, ...], size: int, seat: int) -> tuple[str, ...]:
    return order[size * seat : size * (seat + 1)]
