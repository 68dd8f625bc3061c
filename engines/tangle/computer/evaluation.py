"""The value of a position to a seat, in rounds, and its plans for victory conditions.

Times are in rounds of single-minded play. Rules: Computer players.
"""

from functools import cache, lru_cache

import msgspec

from engines.tangle.legal.context import Context, counts_of
from engines.tangle.legal.prices import casting
from engines.tangle.pieces import card_language, components

USUAL = 21.0
"""Rounds for every condition from the start, once its time is scaled."""

_RESOURCE_TIME, _SEED_TIME, _LAKE, _CARD, _CAST, _TILE = 0.34, 1.0, 1.0, 0.55, 0.18, 0.15
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

    have: dict[card_language.CountName, int]
    planted: tuple[int, int] = (0, 0)
    seeds: tuple[int, int] = (0, 0)
    clean: int = 0
    stash: components.Amount = components.START
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
    bill: components.Amount


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
        tuple(sorted(components.size(casting(context, card, 0)) for card in context.hand)),
    )


def plans(conditions: tuple[components.ConditionId, ...], held: Holdings) -> list[ConditionPlan]:
    """Plan for each condition, the quickest first."""
    have = tuple(held.have.items())
    return list(_plans(conditions, have, held.planted, held.seeds, held.clean, held.stash, held.costs))


@lru_cache(maxsize=1 << 13)
def _plans(
    conditions: tuple[components.ConditionId, ...],
    have: tuple[tuple[card_language.CountName, int], ...],
    planted: tuple[int, int],
    seeds: tuple[int, int],
    clean: int,
    stash: components.Amount,
    costs: tuple[int, ...],
) -> tuple[ConditionPlan, ...]:
    held = Holdings(dict(have), planted, seeds, clean, stash, costs)
    entries = []
    for condition in conditions:
        plan = _plan(components.CONDITIONS[condition], held)
        entries.append(msgspec.structs.replace(plan, time=plan.time * _scale(condition)))
    return tuple(sorted(entries, key=lambda plan: plan.time))


@cache
def _scale(condition: components.ConditionId) -> float:
    """Return the factor that gives the condition its usual time."""
    average = round(sum(components.size(card.cost) * card.copies for card in components.CARDS.values()) / 51)
    start = Holdings({"trees": 2, "tiles": 2, "group": 1}, costs=(average,) * 3)
    return USUAL / _plan(components.CONDITIONS[condition], start).time


def _plan(condition: components.VictoryCondition, held: Holdings) -> ConditionPlan:
    """Plan for one condition. Rules: Computer players."""

    def lacking(name: card_language.CountName) -> int:
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
        _RESOURCE_TIME * short
        + _SEED_TIME * sum(fetch)
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


COMPLETE = 50.0
"""Value of a fulfilled condition."""

_SECOND, _THIRD = 0.12, 0.05
"""Weight of the second and the third plan's time, relative to the best."""

_SURPLUS, _SURPLUS_MOST = 0.1, 3
"""Value of a resource beyond the best plan's needs, and the most that count of a type."""

_LASTING, _LASTING_TIME, _LASTING_MOST = 0.5, 12.0, 1.2
"""A lasting card's share of its worth in that many rounds, and the most for more rounds."""

_CUBE, _CUBES_MOST = 0.12, 5
"""Value of a cube on an own tile, and the most that count on a tile."""

_AT_HOME, _ROOT = 0.45, 0.25
"""Value of a root at home while there are cards to cast, and of any root on the board."""

_CORNER = {"earth": 0.03, "bush": 0.07, "meadow": 0.07}
"""Value of each space that a tile touches."""

_SHELTER = 0.12
"""Value of a lake beside a bush or a meadow."""

_EXTRA = 1.0
"""Value of an extra placement to come."""

_OTHERS = 0.05
"""Weight of a resource in an opponent's stash, which counts against the position."""

_RESOURCE, _DRAW, _SEED = 0.34, 0.55, 1.0
"""Value to a card of one resource, one card drawn, one seed."""

_HAPPENS: dict[card_language.EventName, float] = {
    "take": 4.0,
    "home": 2.5,
    "cover": 1.2,
    "covered": 1.2,
    "bush_seed": 1.0,
    "tree_seed": 1.0,
    "lore": 1.5,
    "earth": 6.0,
    "meadow": 2.0,
    "lake": 1.5,
    "sapling": 1.5,
    "bush": 1.5,
    "tree": 1.2,
    "grow": 4.0,
    "harvest": 3.0,
    "cast": 5.0,
}
"""Expected number of times an event happens to a seat in the second half of a game."""

_USED: dict[card_language.Priced, float] = {
    "earth": 5.0,
    "meadow": 2.5,
    "grow": 2.5,
    "cast": 4.0,
    "toll": 1.2,
}
"""Expected uses of a discount in that time."""


def value(context: Context, conditions: tuple[components.ConditionId, ...], *, extra: int = 0) -> float:
    ahead = plans(conditions, holdings(context))
    best = ahead[0]
    # The stash beyond the bill counts up to a limit for each type.
    over = (there - cost for there, cost in zip(context.stash, best.bill, strict=True))
    return (
        (COMPLETE if not best.time else 0.0)
        - best.time
        - sum(share * plan.time for share, plan in zip((_SECOND, _THIRD), ahead[1:], strict=False))
        + _SURPLUS * sum(min(_SURPLUS_MOST, max(0, number)) for number in over)
        + _LASTING
        * min(_LASTING_MOST, best.time / _LASTING_TIME)
        * sum(map(evaluate_card, context.player.front))
        + _on_board(context, best)
        + _EXTRA * extra
        - _OTHERS
        * sum(
            components.size(context.public.players[seat].stash)
            for seat in range(context.public.seats)
            if context.is_opponent(seat)
        )
    )


def _on_board(context: Context, plan: ConditionPlan) -> float:
    """Evaluate tiles by the spaces that they touch, cubes, and roots."""
    result, at_home, roots = 0.0, 0, sum(stack.count(context.seat) for stack in context.public.roots.values())
    lakes = context.lakes
    for area, tile in context.public.tiles.items():
        if tile.owner != context.seat:
            continue
        result += _CORNER.get(tile.kind, 0.0) * context.board.corners[area] + _CUBE * min(
            tile.cubes, _CUBES_MOST
        )
        if tile.kind in ("bush", "meadow") and context.board.borders[area] & lakes:
            result += _SHELTER
        at_home += tile.roots
    casting = min(at_home, plan.cards, len(context.hand))
    return result + _ROOT * (roots + at_home) + _AT_HOME * casting


@cache
def evaluate_card(card: components.CardId) -> float:
    """Evaluate an enchantment in rounds, in a half-played game."""
    return sum(_evaluate_hook(hook) for hook in components.CARDS[card].hooks)


def _evaluate_hook(hook: card_language.AnyHook) -> float:
    match hook:
        case card_language.When(event, gain):
            resources = gain.W + gain.E + gain.N + gain.M + gain.same
            return _HAPPENS[event] * (
                _RESOURCE * resources + _DRAW * gain.cards + _SEED * (gain.bush_seed + gain.tree_seed)
            )
        case card_language.Cheaper(what, off, times, amount):
            saved = off.W + off.E + off.N + off.M + amount
            return _RESOURCE * _USED[what] * saved * (0.8 if times is not None else 1.0)
        case card_language.FreeUpkeep(_, count):
            return 0.5 * count
        case card_language.Grip(amount):
            return 0.4 * amount
        case card_language.Slow(amount):
            return 1.0 * amount
        case card_language.Leap(amount) | card_language.MeadowCap(amount):
            return 0.3 * amount
        case _:
            return 0.0
