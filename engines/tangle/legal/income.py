"""The income of a root that lands: from the space, and from the own tiles beside it."""

from engines.tangle.legal.context import Context
from engines.tangle.pieces.amounts import NOTHING, Amount, plus, total, unit
from engines.tangle.pieces.board import BEARS
from engines.tangle.pieces.components import AreaCode, SpaceCode


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
