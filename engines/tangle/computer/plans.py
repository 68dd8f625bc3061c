"""The computer player's plans: a seat's needs for a victory condition, and the time they take.

Times are in rounds of single-minded play. Rules: Computer players.
"""

from functools import cache, lru_cache

import msgspec

from engines.tangle.legal.conditions import counts_of
from engines.tangle.legal.context import Context
from engines.tangle.legal.prices import casting
from engines.tangle.pieces.amounts import Amount, size
from engines.tangle.pieces.card_language import CountName
from engines.tangle.pieces.components import CARDS, CONDITIONS, START, ConditionId, VictoryCondition

USUAL = 21.0
"""Rounds for every condition from the start, once its time is scaled."""

_RESOURCE, _SEED, _LAKE, _CARD, _CAST, _TILE = 0.34, 1.0, 1.0, 0.55, 0.18, 0.15
_VISIT = 0.6
"""Rounds of a placement on a space that lays, plants or grows several at once."""

_PLANTED, _GROWN, _MEADOW, _EARTH = 0.12, 0.12, 0.15, 0.1
"""Rounds for each of those, added to the visit."""

_UNSEEN_COST = 2
"""Average cost in mana of a card that isn't in hand yet."""


class Holdings(msgspec.Struct, frozen=True):
    """A seat's means.

    Attributes:
        have: its numbers, as conditions count them.
        planted: seeds on its clean earth, [bush, tree].
        seeds: seeds in its stash, [bush, tree].
        clean: clean earth without seeds.
        stash: its resources.
        costs: the mana costs of its hand, the cheapest first.
    """

    have: dict[CountName, int]
    planted: tuple[int, int] = (0, 0)
    seeds: tuple[int, int] = (0, 0)
    clean: int = 0
    stash: Amount = START
    costs: tuple[int, ...] = ()


class ConditionPlan(msgspec.Struct, frozen=True):
    """The remaining way to a condition.

    Attributes:
        time: the rounds that it takes; 0 when the condition is fulfilled.
        trees, saplings, bushes, meadows, lakes, cards: the number lacking.
        fetch: seeds that have to be fetched, [bush, tree].
        plant: seeds that have to be planted, those to fetch among them, [bush, tree].
        grow: how many growths are needed.
        earth: how much clean earth has to be laid.
        bill: all resources to pay.
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


def holdings(context: Context) -> Holdings:
    planted, clean = [0, 0], 0
    for tile in context.public.tiles.values():
        if tile.owner == context.seat and tile.kind == "earth":
            if tile.seed is None:
                clean += 1
            else:
                planted[tile.seed == "tree"] += 1
    return Holdings(
        counts_of(context),
        (planted[0], planted[1]),
        context.player.seeds,
        clean,
        context.stash,
        tuple(sorted(size(casting(context, card, 0)) for card in context.hand)),
    )


def plans(conditions: tuple[ConditionId, ...], held: Holdings) -> list[ConditionPlan]:
    """Plan for each condition, the quickest first."""
    have = tuple(held.have.items())
    return list(_plans(conditions, have, held.planted, held.seeds, held.clean, held.stash, held.costs))


@lru_cache(maxsize=1 << 13)
def _plans(
    conditions: tuple[ConditionId, ...],
    have: tuple[tuple[CountName, int], ...],
    planted: tuple[int, int],
    seeds: tuple[int, int],
    clean: int,
    stash: Amount,
    costs: tuple[int, ...],
) -> tuple[ConditionPlan, ...]:
    held = Holdings(dict(have), planted, seeds, clean, stash, costs)
    entries = []
    for condition in conditions:
        plan = _plan(CONDITIONS[condition], held)
        entries.append(msgspec.structs.replace(plan, time=plan.time * _scale(condition)))
    return tuple(sorted(entries, key=lambda plan: plan.time))


@cache
def _scale(condition: ConditionId) -> float:
    """Return the factor that gives the condition its usual time."""
    average = round(sum(size(card.cost) * card.copies for card in CARDS.values()) / 51)
    start = Holdings({"trees": 2, "tiles": 2, "group": 1}, costs=(average,) * 3)
    return USUAL / _plan(CONDITIONS[condition], start).time


def _plan(condition: VictoryCondition, held: Holdings) -> ConditionPlan:
    """Plan for one condition. Rules: Computer players."""

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
    return ConditionPlan(
        time, trees, saplings, bushes, meadows, lakes, cards, fetch, plant, grow, earth + spread, bill
    )


def _beyond(wanted: int, there: int) -> int:
    return max(0, wanted - there)


def _several(number: int, each: float) -> float:
    """Return the rounds of a visit that does that many at once."""
    return _VISIT + each * number if number else 0.0
