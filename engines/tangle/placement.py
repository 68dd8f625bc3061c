"""What a root brings and costs where it lands. Rules: Placement, Toll."""

from __future__ import annotations

import msgspec

from engines.game import Seat
from engines.tangle.amounts import NOTHING, Amount, Resource, plus, size, total, unit
from engines.tangle.data import Action, AreaCode, SpaceCode
from engines.tangle.desk import Desk, desk_of
from engines.tangle.land import Kind
from engines.tangle.moves import Place
from engines.tangle.view import View

BEARS: dict[Kind, Resource] = {"meadow": "N", "bush": "E"}
"""What gathers on a tile when roots land beside it."""

Due = tuple[tuple[Seat, int], ...]
"""Whom to pay for roots below, in ascending order, and how much."""


class Prospect(msgspec.Struct, frozen=True):
    """What a placement would bring at once, before anything is decided.

    Attributes:
        action: what the space does; empty for a tree.
        fed: the resource spaces that get something, with what they get.
        harvest: the own tiles that give their cubes.
        gained: what these tiles give, and what the space itself gives.
        toll: who is to be paid for roots below.
    """

    action: Action = ""
    fed: tuple[tuple[SpaceCode, Resource], ...] = ()
    harvest: tuple[AreaCode, ...] = ()
    gained: Amount = NOTHING
    toll: Due = ()


def prospect(view: View, move: Place) -> Prospect:
    """What a placement would give the viewer now, and its toll."""
    desk = desk_of(view)
    if move.to not in desk.board.spaces:
        return Prospect()
    return Prospect(
        action=desk.board.spaces[move.to],
        fed=desk.board.feeds[move.to],
        harvest=ripe(desk, move.to),
        gained=sure_income(desk, move.to),
        toll=toll_due(desk, move.to),
    )


def toll_due(desk: Desk, space: SpaceCode) -> Due:
    """What a root that lands there owes each opponent. Rules: Toll."""
    below = desk.scene.roots.get(space)
    if not below:
        return ()
    found = []
    for owner in sorted(set(below)):
        if desk.is_opponent(owner):
            count = below.count(owner) + desk.grip_of(owner) - desk.powers.step
            if count > 0:
                found.append((owner, count))
    return tuple(found)


def ripe(desk: Desk, space: SpaceCode) -> tuple[AreaCode, ...]:
    """The own meadows and bushes beside a space that hold something."""
    found = []
    for area in desk.board.beside[space]:
        tile = desk.tile(area)
        if tile is not None and tile.cubes:
            found.append(area)
    return tuple(found)


def cubes(desk: Desk, areas: tuple[AreaCode, ...]) -> Amount:
    """What lies on meadows and bushes."""
    tiles = (desk.scene.tiles[area] for area in areas)
    return total(unit(BEARS[tile.kind], tile.cubes) for tile in tiles)


def lying(desk: Desk, space: SpaceCode) -> Amount:
    """What the space itself would give the seat: its resources, or water for its trees."""
    if desk.board.spaces[space] == "gather_water":
        return unit("W", desk.own_of("tree").bit_count())
    return desk.scene.resources.get(space, NOTHING)


def sure_income(desk: Desk, space: SpaceCode) -> Amount:
    """What the seat can count on if it lands there. Rules: Placement."""
    return plus(cubes(desk, ripe(desk, space)), lying(desk, space))


def can_pay_toll(desk: Desk, space: SpaceCode) -> bool:
    """Whether stash and sure income cover what a root that lands there owes. Rules: Toll."""
    due = sum(count for _, count in toll_due(desk, space))
    held = size(desk.stash)
    return due <= held or due <= held + size(sure_income(desk, space))
