"""Prices of laying, growing and casting, the toll of a root that lands, and its income."""

from engines.game import Seat
from engines.tangle.legal.context import Context, powers
from engines.tangle.pieces import components
from engines.tangle.pieces.board import BEARS

EARTH = components.amount(components.PRICES.earth)
MEADOW = components.amount(components.PRICES.meadow)
SPREAD = components.amount(components.PRICES.spread_meadow)
GROW = components.amount(components.PRICES.grow)
SPROUT = components.amount(components.PRICES.sprout)
HEDGE = components.amount(components.PRICES.hedge)
TAKEOVER: components.Amount = components.unit("E", components.PRICES.takeover["E"])
GIFT = components.PRICES.takeover["gift"]
"""Resources that the opponent gets whose tile is taken over."""


def count_jumps(context: Context, area: components.AreaCode) -> int:
    """Return the multiple of clean earth's price for an area, before discounts. Rules: Action spaces."""
    return max(1, context.board.distance(area, context.own) - context.powers.reach)


def earth(context: Context, area: components.AreaCode, nth: int) -> components.Amount:
    """Price clean earth on an area as the unit `nth`, from 0, of its action."""
    return components.less(
        components.times(EARTH, count_jumps(context, area)), context.powers.discount("earth", nth)
    )


def count_payable_jumps(context: Context, nth: int) -> int:
    off, jumps = context.powers.discount("earth", nth), 0
    while jumps < len(context.board.areas) and context.can_pay(
        components.less(components.times(EARTH, jumps + 1), off)
    ):
        jumps += 1
    return jumps


def meadow(context: Context, nth: int, *, spread: bool) -> components.Amount:
    return components.less(SPREAD if spread else MEADOW, context.powers.discount("meadow", nth))


def growth(context: Context, area: components.AreaCode, nth: int) -> components.Amount:
    """Price a growth on an area as the unit `nth` of its action. Rules: Growing."""
    return components.less(_deduct_water(context, area, GROW), context.powers.discount("grow", nth))


def sprout(context: Context, area: components.AreaCode) -> components.Amount:
    """Price a sapling beside a tree; no card makes it cheaper."""
    return _deduct_water(context, area, SPROUT)


def _deduct_water(context: Context, area: components.AreaCode, price: components.Amount) -> components.Amount:
    """Deduct 1 water for each lake beside the area."""
    lakes = (context.board.borders[area] & context.lakes).bit_count()
    return components.less(price, components.unit("W", lakes)) if lakes else price


def casting(context: Context, card: components.CardId, nth: int) -> components.Amount:
    return components.less(components.CARDS[card].cost, context.powers.discount("cast", nth))


def can_take_over(context: Context) -> bool:
    """Return True if the seat can pay for a takeover and its gift. Rules: Alternative spaces."""
    left = components.size(context.stash) - components.size(TAKEOVER) - GIFT
    return components.covers(context.stash, TAKEOVER) and left >= context.public.reserve


def seed(kind: components.Seed) -> components.Amount:
    """Price a seed at Mana transformation."""
    return components.unit("M", components.PRICES.buy[f"{kind}_seed"])


def ripe(context: Context, space: components.SpaceCode) -> tuple[components.AreaCode, ...]:
    """Return the own meadows and bushes beside a space that hold something."""
    entries = []
    for area in context.board.beside[space]:
        tile = context.tile(area)
        if tile is not None and tile.cubes:
            entries.append(area)
    return tuple(entries)


def cubes(context: Context, areas: tuple[components.AreaCode, ...]) -> components.Amount:
    tiles = (context.public.tiles[area] for area in areas)
    return components.total(components.unit(BEARS[tile.kind], tile.cubes) for tile in tiles)


def lying(context: Context, space: components.SpaceCode) -> components.Amount:
    """Return a space's yield for the seat. Its resources, or water for its trees."""
    if context.board.spaces[space] == "gather_water":
        return components.unit("W", context.own_of("tree").bit_count())
    return context.public.resources.get(space, components.NOTHING)


Due = tuple[tuple[Seat, int], ...]
"""The opponents to pay for roots below, in ascending order, and how much."""


def toll_due(context: Context, space: components.SpaceCode) -> Due:
    """Return the toll to each opponent of a root that lands there. Rules: Toll."""
    below = context.public.roots.get(space)
    if not below:
        return ()
    entries = []
    for owner in sorted(set(below)):
        if context.is_opponent(owner):
            grip = powers(context.public.players[owner].front).grip
            count = below.count(owner) + grip - context.powers.step
            if count > 0:
                entries.append((owner, count))
    return tuple(entries)


def can_pay_toll(context: Context, space: components.SpaceCode) -> bool:
    """Return True if stash and certain income cover the toll of a landing. Rules: Toll."""
    due = sum(count for _, count in toll_due(context, space))
    held = components.size(context.stash)
    return due <= held or due <= held + components.size(
        components.plus(cubes(context, ripe(context, space)), lying(context, space))
    )
