"""Prices of laying, growing and casting, the toll of a root that lands, and its income."""

from engines.game import Seat
from engines.tangle.legal.context import Context
from engines.tangle.pieces.board import BEARS
from engines.tangle.pieces.components import (
    CARDS,
    NOTHING,
    PRICES,
    Amount,
    AreaCode,
    CardId,
    Seed,
    SpaceCode,
    amount,
    covers,
    less,
    plus,
    size,
    times,
    total,
    unit,
)

EARTH = amount(PRICES.earth)
MEADOW = amount(PRICES.meadow)
SPREAD = amount(PRICES.spread_meadow)
GROW = amount(PRICES.grow)
SPROUT = amount(PRICES.sprout)
HEDGE = amount(PRICES.hedge)
TAKEOVER: Amount = unit("E", PRICES.takeover["E"])
GIFT = PRICES.takeover["gift"]
"""Resources that the opponent gets whose tile is taken over."""


def count_jumps(context: Context, area: AreaCode) -> int:
    """Return the multiple of clean earth's price for an area, before discounts. Rules: Action spaces."""
    return max(1, context.board.distance(area, context.own) - context.powers.reach)


def earth(context: Context, area: AreaCode, nth: int) -> Amount:
    """Price clean earth on an area as the unit `nth`, from 0, of its action."""
    return less(times(EARTH, count_jumps(context, area)), context.powers.discount("earth", nth))


def count_payable_jumps(context: Context, nth: int) -> int:
    off, jumps = context.powers.discount("earth", nth), 0
    while jumps < len(context.board.areas) and context.can_pay(less(times(EARTH, jumps + 1), off)):
        jumps += 1
    return jumps


def meadow(context: Context, nth: int, *, spread: bool) -> Amount:
    return less(SPREAD if spread else MEADOW, context.powers.discount("meadow", nth))


def growth(context: Context, area: AreaCode, nth: int) -> Amount:
    """Price a growth on an area as the unit `nth` of its action. Rules: Growing."""
    return less(_deduct_water(context, area, GROW), context.powers.discount("grow", nth))


def sprout(context: Context, area: AreaCode) -> Amount:
    """Price a sapling beside a tree; no card makes it cheaper."""
    return _deduct_water(context, area, SPROUT)


def _deduct_water(context: Context, area: AreaCode, price: Amount) -> Amount:
    """Deduct 1 water for each lake beside the area."""
    lakes = (context.board.borders[area] & context.lakes).bit_count()
    return less(price, unit("W", lakes)) if lakes else price


def casting(context: Context, card: CardId, nth: int) -> Amount:
    return less(CARDS[card].cost, context.powers.discount("cast", nth))


def can_take_over(context: Context) -> bool:
    """Return True if the seat can pay for a takeover and its gift. Rules: Alternative spaces."""
    left = size(context.stash) - size(TAKEOVER) - GIFT
    return covers(context.stash, TAKEOVER) and left >= context.public.reserve


def seed(kind: Seed) -> Amount:
    """Price a seed at Mana transformation."""
    return unit("M", PRICES.buy[f"{kind}_seed"])


def ripe(context: Context, space: SpaceCode) -> tuple[AreaCode, ...]:
    """Return the own meadows and bushes beside a space that hold something."""
    entries = []
    for area in context.board.beside[space]:
        tile = context.tile(area)
        if tile is not None and tile.cubes:
            entries.append(area)
    return tuple(entries)


def cubes(context: Context, areas: tuple[AreaCode, ...]) -> Amount:
    tiles = (context.public.tiles[area] for area in areas)
    return total(unit(BEARS[tile.kind], tile.cubes) for tile in tiles)


def lying(context: Context, space: SpaceCode) -> Amount:
    """Return a space's yield for the seat. Its resources, or water for its trees."""
    if context.board.spaces[space] == "gather_water":
        return unit("W", context.own_of("tree").bit_count())
    return context.public.resources.get(space, NOTHING)


def sure_income(context: Context, space: SpaceCode) -> Amount:
    """Return the certain income of the seat if it lands there. Rules: Placement."""
    return plus(cubes(context, ripe(context, space)), lying(context, space))


Due = tuple[tuple[Seat, int], ...]
"""The opponents to pay for roots below, in ascending order, and how much."""


def toll_due(context: Context, space: SpaceCode) -> Due:
    """Return the toll to each opponent of a root that lands there. Rules: Toll."""
    below = context.public.roots.get(space)
    if not below:
        return ()
    entries = []
    for owner in sorted(set(below)):
        if context.is_opponent(owner):
            count = below.count(owner) + context.grip_of(owner) - context.powers.step
            if count > 0:
                entries.append((owner, count))
    return tuple(entries)


def can_pay_toll(context: Context, space: SpaceCode) -> bool:
    """Return True if stash and certain income cover the toll of a landing. Rules: Toll."""
    due = sum(count for _, count in toll_due(context, space))
    held = size(context.stash)
    return due <= held or due <= held + size(sure_income(context, space))
