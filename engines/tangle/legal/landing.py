"""The actions open to a root where it lands, or the reason why there is none. Rules: Action spaces."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from engines.tangle import decisions
from engines.tangle.decisions import Decision
from engines.tangle.legal.context import Context, context_of
from engines.tangle.legal.moves import rule_of
from engines.tangle.legal.prices import cubes, lying, ripe, toll_due
from engines.tangle.moves import TanglePlace
from engines.tangle.pieces.card_language import EventName
from engines.tangle.pieces.components import NOTHING, NUMBERS, Action, Amount, SpaceCode, plus, size, total
from engines.tangle.view import TangleView

Lack = Literal["price", "tile", "seed", "supply", "place"]
"""The missing thing: resources, a tile of the stack, an own seed, a supply seed, or a location."""

_ALWAYS: dict[Action, Decision] = {
    "clean_earth": decisions.Earths(),
    "place_lake": decisions.Lakes(),
    "place_meadows": decisions.Meadows(),
    "plant": decisions.Planting(),
    "grow": decisions.Growing(),
    "take_cards": decisions.DrawingCards(NUMBERS.take_cards),
    "sprout": decisions.Sprouting(),
    "spread_bushes": decisions.Hedging(),
    "contained_growth": decisions.Growing(1, contained=True),
    "mana": decisions.Transforming(),
    "shift": decisions.Swapping(2, 3),
    "diverse": decisions.Diverse(),
    "sacrifice": decisions.Sacrificing(),
    "takeover": decisions.TakingOver(),
}
"""The decisions of spaces that always ask the same."""
_PLENTY = 99


class LandingObstacle(msgspec.Struct, frozen=True):
    """The reason why nothing can be done on a space.

    Attributes:
        lacks: the missing thing.
        price: the lowest price, if resources are missing.
        held: the seat's resources after landing; `kept` those it must keep for a toll.
    """

    lacks: Lack
    price: Amount = NOTHING
    held: Amount = NOTHING
    kept: int = 0


def decision_at(context: Context, action: Action) -> Decision | None:
    match action:
        case "gather_cards":
            return decisions.DrawingCards(context.own_of("meadow").bit_count())
        case "spread_meadows":
            beside = context.board.around(context.own_of("meadow"))
            return decisions.Meadows(only=tuple(context.board.among(beside)))
        case _:
            return _ALWAYS.get(action)


def obstacle(view: TangleView, move: TanglePlace) -> LandingObstacle | None:
    """Return the obstacle to the action where a root lands. None without one, and for a tree."""
    context = context_of(view)
    if move.to not in context.board.spaces:
        return None
    action = context.board.spaces[move.to]
    asked = decision_at(context, action)
    if asked is None:
        return _obstacle_without_decision(context, action, move.to)
    landed = _after_landing(view, context, move.to)
    if action == "contained_growth" and landed.own_of("bush"):
        return None
    if isinstance(asked, decisions.DrawingCards):
        drawn = asked.left and (context.public.row or context.blind)
        return None if drawn else LandingObstacle("place")
    if any(True for _ in rule_of(asked).choices(landed, asked)):
        return None
    rich: dict[str, tuple[int, ...]] = {"stash": (_PLENTY,) * 4}
    price = _cheapest(_with(landed, rich, reserve=0), asked)
    if price is not None:
        return LandingObstacle("price", price, landed.stash, landed.public.reserve)
    wishes: tuple[tuple[Lack, Context], ...] = (
        ("tile", _with(landed, rich | {"tiles": (1, 1, 1, 1)}, reserve=0)),
        ("seed", _with(landed, rich | {"seeds": (1, 1)}, reserve=0)),
        ("supply", _with(landed, rich, reserve=0, seeds=(1, 1))),
    )
    result = (lack for lack, wish in wishes if _cheapest(wish, asked) is not None)
    return LandingObstacle(next(result, "place"))


def _obstacle_without_decision(context: Context, action: Action, space: SpaceCode) -> LandingObstacle | None:
    bush, tree = context.public.seeds
    if (action == "bush_seed" and not bush) or (action == "tree_seed" and not tree):
        return LandingObstacle("supply")
    if action == "gather_water" and lying(context, space) == NOTHING:
        return LandingObstacle("place")
    return None


def _after_landing(view: TangleView, context: Context, space: SpaceCode) -> Context:
    due, harvest = toll_due(context, space), ripe(context, space)
    covers = any(context.is_opponent(owner) for owner in view.roots.get(space, ()))
    heard: tuple[tuple[EventName, bool], ...] = (("harvest", bool(harvest)), ("cover", covers))
    gains = [gain for event, happens in heard if happens for _, gain in context.powers.gains.get(event, ())]
    given = total((gain.W, gain.E, gain.N, gain.M) for gain in gains)
    bush, tree = context.player.seeds
    facts = {
        "stash": plus(context.stash, plus(cubes(context, harvest), given)),
        "seeds": (bush + sum(gain.bush_seed for gain in gains), tree + sum(gain.tree_seed for gain in gains)),
    }
    return _with(context, facts, reserve=sum(count for _, count in due))


def _with(context: Context, facts: Mapping[str, tuple[int, ...]], **public: object) -> Context:
    players = list(context.public.players)
    players[context.seat] = msgspec.structs.replace(context.player, **facts)
    changed = msgspec.structs.replace(context.public, players=players, **public)
    return Context(changed, context.seat, context.hand, context.blind)


def _cheapest(context: Context, asked: Decision) -> Amount | None:
    rule = rule_of(asked)
    prices = (rule.price(context, asked, move) for move in rule.choices(context, asked))
    return min(prices, key=size, default=None)
