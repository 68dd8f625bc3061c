"""A seat's numbers on the board, as its victory conditions count them. Rules: Winning."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter

from engines.game import Seat
from engines.tangle.legal.context import Context
from engines.tangle.pieces.board import Kind, TangleTile, board
from engines.tangle.pieces.card_language import CountName
from engines.tangle.pieces.components import AREAS, CONDITIONS, AreaCode, CardId, ConditionId
from engines.tangle.pieces.ongoing_effects import powers
from engines.tangle.public import TanglePublic
from engines.tangle.view import TangleView

Counts = Mapping[CountName, int]
"""Numbers that a condition needs, or that a seat has."""

_WHOLE = board(max(facts.section for facts in AREAS.values()))
_KINDS: dict[Kind, CountName] = {
    "tree": "trees",
    "sapling": "saplings",
    "meadow": "meadows",
    "bush": "bushes",
    "lake": "lakes",
}
_NONE: dict[CountName, int] = dict.fromkeys((*_KINDS.values(), "tiles", "group", "enchantments"), 0)


def counts(
    tiles: Mapping[AreaCode, TangleTile], front: tuple[CardId, ...], seat: Seat
) -> dict[CountName, int]:
    """Return every number of a seat, including the bonus of its enchantments."""
    own = {area: tile for area, tile in tiles.items() if tile.owner == seat}
    numbers = _count_ungrouped(own.values(), [front], lambda _: 0)[0]
    numbers["group"] += largest_group(own)
    return numbers


def _count_ungrouped(
    tiles: Iterable[TangleTile], fronts: Sequence[tuple[CardId, ...]], number_of: Callable[[TangleTile], int]
) -> list[dict[CountName, int]]:
    """Count everything but the largest groups for several seats."""
    result: list[dict[CountName, int]] = [_NONE | {"enchantments": len(front)} for front in fronts]
    for tile in tiles:
        have = result[number_of(tile)]
        have["tiles"] += 1
        name = _KINDS.get(tile.kind)
        if name is not None:
            have[name] += 1
    for have, front in zip(result, fronts, strict=True):
        for counted, more in powers(front).counted.items():
            have[counted] += more
    return result


def counts_of(context: Context) -> dict[CountName, int]:
    """Return `counts` for the seat of a context."""
    return counts(context.public.tiles, context.player.front, context.seat)


def largest_group(own: Iterable[AreaCode]) -> int:
    """Return the size of the largest connected group of these areas.

    >>> largest_group(["B5", "B6", "C6", "E9"])
    3
    """
    return _WHOLE.largest_group(_WHOLE.mask(own))


def somebody_has_won(public: TanglePublic, conditions: Sequence[Iterable[ConditionId]]) -> bool:
    """Return True if a remaining seat has fulfilled one of its conditions. Rules: Winning."""
    entries = _count_ungrouped(
        public.tiles.values(), [one.front for one in public.players], attrgetter("owner")
    )
    for seat in public.remaining:
        # A group is hardly ever measured: most conditions are far away even if all tiles hang together.
        most = entries[seat]
        most["group"] += most["tiles"]
        near = [one for one in conditions[seat] if not lacking(one, most)]
        if near and not shortfall(public, seat, near):
            return True
    return False


def shortfall(public: TanglePublic, seat: Seat, conditions: Iterable[ConditionId]) -> int:
    """Return what a seat lacks on the best of some conditions."""
    have = counts(public.tiles, public.players[seat].front, seat)
    return min(lacking(condition, have) for condition in conditions)


def lacking(condition: ConditionId, have: Mapping[CountName, int]) -> int:
    """Return what is lacking for a condition; 0 when it is fulfilled.

    >>> lacking("garden", {"trees": 3, "meadows": 2, "bushes": 0, "lakes": 3})
    4
    """
    return lacking_of(CONDITIONS[condition].need, have)


def lacking_of(need: Counts, have: Counts) -> int:
    result = 0
    for name, number in need.items():
        missing = number - have.get(name, 0)
        if missing > 0:
            result += missing
    return result


def tally(view: TangleView, end: TangleView) -> tuple[int | None, ...] | None:
    """Return each seat's shortfall on its best condition, known from the end. None if it left."""
    if end.secrets is None:
        return None
    return tuple(
        None if seat in view.out else shortfall(view, seat, secret) for seat, secret in enumerate(end.secrets)
    )
