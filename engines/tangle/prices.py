"""What laying, growing and casting cost a seat. Prices do not say whether the thing may be done."""

from __future__ import annotations

from engines.tangle.amounts import Amount, less, times, unit
from engines.tangle.data import CARDS, PRICES, AreaCode, CardId, Seed, amount
from engines.tangle.desk import Desk

_EARTH = amount(PRICES.earth)
_MEADOW = amount(PRICES.meadow)
_SPREAD = amount(PRICES.spread_meadow)
_GROW = amount(PRICES.grow)
_SPROUT = amount(PRICES.sprout)
HEDGE = amount(PRICES.hedge)
TAKEOVER: Amount = unit("E", PRICES.takeover["E"])
GIFT = PRICES.takeover["gift"]
"""How many resources the opponent gets whose tile is taken over."""


def jumps(desk: Desk, area: AreaCode) -> int:
    """How many times the price of clean earth an area costs before discounts. Rules: Action spaces."""
    return max(1, desk.board.distance(area, desk.own) - desk.powers.reach)


def earth(desk: Desk, area: AreaCode, nth: int) -> Amount:
    """Clean earth on an area as the unit `nth`, from 0, of its action."""
    return less(times(_EARTH, jumps(desk, area)), desk.powers.discount("earth", nth))


def meadow(desk: Desk, nth: int, *, spread: bool) -> Amount:
    """A meadow as the unit `nth` of its action."""
    return less(_SPREAD if spread else _MEADOW, desk.powers.discount("meadow", nth))


def growth(desk: Desk, area: AreaCode, nth: int) -> Amount:
    """A growth on an area as the unit `nth` of its action. Rules: Growing."""
    return less(_watered(desk, area, _GROW), desk.powers.discount("grow", nth))


def sprout(desk: Desk, area: AreaCode) -> Amount:
    """A sapling beside a tree; no card makes it cheaper."""
    return _watered(desk, area, _SPROUT)


def _watered(desk: Desk, area: AreaCode, price: Amount) -> Amount:
    """A price less 1 water for each lake beside the area."""
    lakes = (desk.board.borders[area] & desk.lakes).bit_count()
    return less(price, unit("W", lakes)) if lakes else price


def casting(desk: Desk, card: CardId, nth: int) -> Amount:
    """What an enchantment costs the seat as the unit `nth` of its casting."""
    return less(CARDS[card].cost, desk.powers.discount("cast", nth))


def seed(kind: Seed) -> Amount:
    """What a seed costs at Mana transformation."""
    return unit("M", PRICES.buy[f"{kind}_seed"])
