"""Prices of laying, growing and casting. They don't say if the thing may be done."""

from engines.tangle.legal.context import Context
from engines.tangle.pieces.amounts import Amount, covers, less, size, times, unit
from engines.tangle.pieces.components import CARDS, PRICES, AreaCode, CardId, Seed, amount

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
    """Return the most jumps that the seat can pay for."""
    off, jumps = context.powers.discount("earth", nth), 0
    while jumps < len(context.board.areas) and context.can_pay(less(times(EARTH, jumps + 1), off)):
        jumps += 1
    return jumps


def meadow(context: Context, nth: int, *, spread: bool) -> Amount:
    """Price a meadow as the unit `nth` of its action."""
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
    """Price an enchantment as the unit `nth` of the seat's casting."""
    return less(CARDS[card].cost, context.powers.discount("cast", nth))


def can_take_over(context: Context) -> bool:
    """Return True if the seat can pay for a takeover and its gift. Rules: Alternative spaces."""
    left = size(context.stash) - size(TAKEOVER) - GIFT
    return covers(context.stash, TAKEOVER) and left >= context.public.reserve


def seed(kind: Seed) -> Amount:
    """Price a seed at Mana transformation."""
    return unit("M", PRICES.buy[f"{kind}_seed"])
