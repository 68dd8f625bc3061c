"""A seat's needs for a victory condition, and their time: the computer player's plans.

Times are in rounds, as single-minded play takes them. Rules: Computer players.
"""

from __future__ import annotations

from functools import cache

import msgspec

from engines.tangle.legal.conditions import counts_of
from engines.tangle.legal.context import Context
from engines.tangle.legal.prices import casting
from engines.tangle.pieces.amounts import Amount, size
from engines.tangle.pieces.card_language import CountName
from engines.tangle.pieces.components import CARDS, CONDITIONS, START, ConditionId, VictoryCondition

USUAL = 21.0
"""The rounds that every condition takes from the start, once its time is scaled."""

_RESOURCE, _SEED, _LAKE, _CARD, _CAST, _TILE = 0.34, 1.0, 1.0, 0.55, 0.18, 0.15
_VISIT = 0.6
"""A placement on a space that lays, plants or grows several at once."""

_PLANTED, _GROWN, _MEADOW, _EARTH = 0.12, 0.12, 0.15, 0.1
"""Each of those, beside the visit."""

_UNSEEN_COST = 2
"""The average mana cost of a card that isn't held yet."""


class LastHoldings(msgspec.Struct, frozen=True):
    """A seat's means for building.

    Attributes:
        have: its numbers, as conditions count them.
        planted: seeds on its clean earth, [bush, tree].
        seeds: seeds in its stash, [bush, tree].
        clean: clean earth without seeds.
        stash: its resources.
        costs: what the cards of its hand cost in mana, the cheapest first.
    """

    have: dict[CountName, int]
    planted: tuple[int, int] = (0, 0)
    seeds: tuple[int, int] = (0, 0)
    clean: int = 0
    stash: Amount = START
    costs: tuple[int, ...] = ()


class LastTanglePlan(msgspec.Struct, frozen=True):
    """The way from what a seat has to a condition.

    Attributes:
        time: the rounds that it takes; 0 when the condition is fulfilled.
        trees, saplings, bushes, meadows, lakes, cards: what is lacking.
        fetch: seeds that have to be fetched, [bush, tree].
        plant: seeds that have to be planted, those to fetch among them, [bush, tree].
        grow: how many growths are needed.
        earth: how much clean earth has to be laid.
        bill: all that has to be paid.
    """

    time: float
    trees: int
    saplings: int
    bushes: int
    meadows: int
    lakes: int
    cards: int
    fetch: tuple[int, int]
    plant: tuple[int, int]
    grow: int
    earth: int
    bill: Amount


def holdings(context: Context) -> LastHoldings:
    planted, clean = [0, 0], 0
    for tile in context.public.tiles.values():
        if tile.owner == context.seat and tile.kind == "earth":
            if tile.seed is None:
                clean += 1
            else:
                planted[tile.seed == "tree"] += 1
    return LastHoldings(
        counts_of(context),
        (planted[0], planted[1]),
        context.player.seeds,
        clean,
        context.stash,
        tuple(sorted(size(casting(context, card, 0)) for card in context.hand)),
    )


def plans(conditions: tuple[ConditionId, ...], held: LastHoldings) -> list[LastTanglePlan]:
    """Return the plans for some conditions, the quickest first."""
    entries = []
    for condition in conditions:
        plan = _plan(CONDITIONS[condition], held)
        entries.append(msgspec.structs.replace(plan, time=plan.time * _scale(condition)))
    return sorted(entries, key=lambda plan: plan.time)


@cache
def _scale(condition: ConditionId) -> float:
    """Return the factor that makes a condition's initial time the usual one."""
    average = round(sum(size(card.cost) * card.copies for card in CARDS.values()) / 51)
    start = LastHoldings({"trees": 2, "tiles": 2, "group": 1}, costs=(average,) * 3)
    return USUAL / _plan(CONDITIONS[condition], start).time


def _plan(condition: VictoryCondition, held: LastHoldings) -> LastTanglePlan:
    def lacking(name: CountName) -> int:
        return max(0, condition.need.get(name, 0) - held.have.get(name, 0))

    trees, bushes = lacking("trees"), lacking("bushes")
    meadows, lakes = lacking("meadows"), lacking("lakes")
    standing = held.have.get("saplings", 0)
    from_seed = max(0, trees - standing)
    saplings = max(0, condition.need.get("saplings", 0) - max(0, standing - trees))
    wanted = (bushes, from_seed + saplings)
    plant = (_beyond(wanted[0], held.planted[0]), _beyond(wanted[1], held.planted[1]))
    fetch = (_beyond(plant[0], held.seeds[0]), _beyond(plant[1], held.seeds[1]))
    grow = trees + from_seed + saplings + bushes
    earth = _beyond(meadows + sum(plant), held.clean)
    spread = max(_beyond(lacking("tiles"), earth + lakes), _beyond(lacking("group"), earth + lakes))
    cards = lacking("enchantments")
    cheap = held.costs[:cards]
    unheld = cards - len(cheap)
    bill = (grow, earth + spread, 2 * meadows + grow, sum(cheap) + _UNSEEN_COST * unheld)
    short = sum(_beyond(cost, there) for cost, there in zip(bill, held.stash, strict=True))
    time = (
        _RESOURCE * short
        + _SEED * sum(fetch)
        + _several(sum(plant), _PLANTED)
        + _VISIT * (2 if from_seed else grow > 0)
        + _GROWN * grow
        + _several(meadows, _MEADOW)
        + _LAKE * lakes
        + _several(earth + spread, _EARTH)
        + _CARD * unheld
        + _CAST * cards
        + _TILE * spread
    )
    return LastTanglePlan(
        time, trees, saplings, bushes, meadows, lakes, cards, fetch, plant, grow, earth + spread, bill
    )


def _beyond(wanted: int, there: int) -> int:
    return max(0, wanted - there)


def _several(number: int, each: float) -> float:
    """Return the cost of a visit that does N things at once."""
    return _VISIT + each * number if number else 0.0
