"""What a seat has on the board, as its victory conditions count it. Rules: Winning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engines.game import Seat
from engines.tangle.board import board
from engines.tangle.data import AREAS, CARDS, CONDITIONS, AreaCode, CardId, ConditionId
from engines.tangle.desk import Desk
from engines.tangle.land import Kind, Tile
from engines.tangle.pieces import CountName, CountsAs

_WHOLE = board(max(facts.section for facts in AREAS.values()))
_KINDS: dict[Kind, CountName] = {
    "tree": "trees",
    "sapling": "saplings",
    "meadow": "meadows",
    "bush": "bushes",
    "lake": "lakes",
}


def counts(tiles: Mapping[AreaCode, Tile], front: Iterable[CardId], seat: Seat) -> dict[CountName, int]:
    """Every number of a seat, with what its enchantments count as."""
    own = [area for area, tile in tiles.items() if tile.owner == seat]
    lying = list(front)
    found: dict[CountName, int] = dict.fromkeys(_KINDS.values(), 0)
    for area in own:
        name = _KINDS.get(tiles[area].kind)
        if name is not None:
            found[name] += 1
    found["tiles"] = len(own)
    found["group"] = largest_group(own)
    found["enchantments"] = len(lying)
    for card in lying:
        for hook in CARDS[card].hooks:
            if isinstance(hook, CountsAs):
                found[hook.what] += hook.amount
    return found


def counts_of(desk: Desk) -> dict[CountName, int]:
    """The same numbers for the seat at a desk."""
    return counts(desk.scene.tiles, desk.player.front, desk.seat)


def largest_group(own: Iterable[AreaCode]) -> int:
    """The most areas among these that hang together by bordering.

    >>> largest_group(["B5", "B6", "C6", "E9"])
    3
    """
    return _WHOLE.largest_group(_WHOLE.mask(own))


def lacking(condition: ConditionId, have: Mapping[CountName, int]) -> int:
    """How much is lacking for a condition; 0 when it is fulfilled.

    >>> lacking("garden", {"trees": 3, "meadows": 2, "bushes": 0, "lakes": 3})
    4
    """
    need = CONDITIONS[condition].need
    return sum(max(0, number - have.get(name, 0)) for name, number in need.items())
