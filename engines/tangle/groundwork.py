"""Which areas an action may use, and what each costs: laying, planting and growing. Rules: Action spaces.

Every function gives the price, or raises IllegalMove with the reason why not. Whether a price can be paid
is another question.
"""

from __future__ import annotations

from engines.game import IllegalMove
from engines.tangle import prices, refusals
from engines.tangle.amounts import NOTHING, Amount
from engines.tangle.data import AreaCode, Seed, seeds_of
from engines.tangle.desk import Desk
from engines.tangle.land import STACK_OF, STACKS, Kind, Tile
from engines.tangle.matters import Earths, Growing, Meadows


def earth(desk: Desk, matter: Earths, area: AreaCode) -> Amount:
    """Clean earth on an empty area, the dearer the farther away; free only where it would cost 1."""
    _check_in_play(desk, area)
    if area in desk.scene.tiles:
        raise IllegalMove(refusals.NOT_EMPTY)
    _check_stack(desk, "earth")
    if not matter.free:
        return prices.earth(desk, area, matter.laid)
    if prices.jumps(desk, area) > 1:
        reach = desk.powers.reach
        raise IllegalMove(refusals.too_far(reach + 1) if reach else refusals.not_beside("tiles"))
    return NOTHING


def lake(desk: Desk, area: AreaCode) -> Amount:
    """A lake on an empty area beside an own tile, or on own clean earth."""
    _check_in_play(desk, area)
    _check_stack(desk, "lake")
    if area not in desk.scene.tiles:
        _check_beside(desk, area, desk.own, "tiles")
    elif not _is_clean(desk.tile(area)):
        raise IllegalMove(refusals.NOT_EMPTY)
    return NOTHING


def meadow(desk: Desk, matter: Meadows, area: AreaCode) -> Amount:
    """A meadow on own clean earth; a spreading one only where own meadows were beside it."""
    _check_clean(desk, area)
    if matter.only is not None and area not in matter.only:
        raise IllegalMove(refusals.not_beside("meadows"))
    _check_stack(desk, "meadow")
    return NOTHING if matter.free else prices.meadow(desk, matter.laid, spread=matter.only is not None)


def plant(desk: Desk, seed: Seed, area: AreaCode) -> Amount:
    """A seed of the seat's own on clean earth without one."""
    _check_seedless(desk, area)
    if not seeds_of(desk.player.seeds, seed):
        raise IllegalMove(refusals.NO_SUCH_SEED)
    return NOTHING


def hedge(desk: Desk, area: AreaCode) -> Amount:
    """A bush seed of the supply on clean earth beside an own bush."""
    _check_seedless(desk, area)
    _check_beside(desk, area, desk.own_of("bush"), "bushes")
    if not desk.scene.seeds[0]:
        raise IllegalMove(refusals.NO_SUCH_SEED)
    return prices.HEDGE


def sprout(desk: Desk, area: AreaCode) -> Amount:
    """A sapling on clean earth beside an own tree."""
    _check_clean(desk, area)
    _check_beside(desk, area, desk.own_of("tree"), "trees")
    _check_stack(desk, "sapling")
    return prices.sprout(desk, area)


def growth(desk: Desk, matter: Growing, area: AreaCode) -> Amount:
    """A seed or a sapling takes its next step, each area once in an action. Rules: Growing."""
    _check_in_play(desk, area)
    if area in matter.grown:
        raise IllegalMove(refusals.HAS_GROWN)
    kind = next_kind(desk.tile(area))
    if kind is None:
        raise IllegalMove(refusals.NOTHING_GROWS)
    if kind == "sapling":
        _check_stack(desk, "sapling")
    return NOTHING if matter.free else prices.growth(desk, area, len(matter.grown))


def next_kind(tile: Tile | None) -> Kind | None:
    """What a tile grows into, if it grows."""
    match tile:
        case Tile(kind="sapling"):
            return "tree"
        case Tile(kind="earth", seed="bush"):
            return "bush"
        case Tile(kind="earth", seed="tree"):
            return "sapling"
        case _:
            return None


def victim(desk: Desk, area: AreaCode) -> Tile:
    """The opponent's tile that may be taken over there: clean earth without seed beside an own tile."""
    _check_in_play(desk, area)
    tile = desk.scene.tiles.get(area)
    if tile is None or not desk.is_opponent(tile.owner) or tile.kind != "earth" or tile.seed is not None:
        raise IllegalMove(refusals.NOT_TO_TAKE_OVER)
    _check_beside(desk, area, desk.own, "tiles")
    _check_stack(desk, "earth")
    return tile


def _check_in_play(desk: Desk, area: AreaCode) -> None:
    if area not in desk.board.bit:
        raise IllegalMove(refusals.NOT_IN_PLAY)


def _check_stack(desk: Desk, kind: Kind) -> None:
    if not desk.player.tiles[STACKS.index(STACK_OF[kind])]:
        raise IllegalMove(refusals.NO_SUCH_TILE)


def _is_clean(tile: Tile | None) -> bool:
    return tile is not None and tile.kind == "earth"


def _check_clean(desk: Desk, area: AreaCode) -> None:
    _check_in_play(desk, area)
    if not _is_clean(desk.tile(area)):
        raise IllegalMove(refusals.NOT_CLEAN)


def _check_seedless(desk: Desk, area: AreaCode) -> None:
    _check_clean(desk, area)
    tile = desk.tile(area)
    if tile is not None and tile.seed is not None:
        raise IllegalMove(refusals.HAS_SEED)


def _check_beside(desk: Desk, area: AreaCode, mask: int, things: str) -> None:
    if not desk.board.borders[area] & mask:
        raise IllegalMove(refusals.not_beside(things))
