"""Every legal move, each once, in a stable order, with its check and cost, and what a root may do there."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Literal

import msgspec

from engines.game import IllegalMove
from engines.tangle import decisions
from engines.tangle.legal import resources, sentences, tiles
from engines.tangle.legal.context import Context, Rule, context_of
from engines.tangle.legal.prices import cubes, lying, ripe, toll_due
from engines.tangle.moves import Move, TangleDone, TanglePlace
from engines.tangle.pieces import components
from engines.tangle.pieces.card_language import EventName
from engines.tangle.view import TanglePublic, TangleView

_RULES: dict[type[decisions.Decision], Rule[Any, Any]] = {
    rule.decision: rule for module in (tiles, resources) for rule in module.RULES
}


def rule_of(decision: decisions.Decision) -> Rule[Any, Any]:
    """Return the rule for a decision. Raises KeyError for one that asks nothing itself."""
    return _RULES[type(decision)]


def price_of(context: Context, decision: decisions.Decision, move: Move) -> components.Amount:
    """Return a move's cost. Raises IllegalMove with the reason if it's illegal.

    Tolls, gifts and upkeep are prices too.
    """
    rule = rule_of(decision)
    if isinstance(move, TangleDone) and rule.may_end(decision):
        return components.NOTHING
    if not isinstance(move, rule.answers):
        raise IllegalMove(sentences.NOT_ASKED)
    rule.check(context, decision, move)
    price = rule.price(context, decision, move)
    if price != components.NOTHING:
        if not components.covers(context.stash, price):
            raise IllegalMove(sentences.missing(context.stash, price))
        if rule.spares(move) and not context.can_pay(price):
            raise IllegalMove(sentences.must_keep(context.public.reserve))
    return price


def gain_of(public: TanglePublic, decision: decisions.Decision, move: Move) -> components.Amount:
    """Return the resources that a legal move brings at once, whatever it costs."""
    return (
        components.NOTHING if isinstance(move, TangleDone) else rule_of(decision).gain(public, decision, move)
    )


def choices(view: TangleView) -> list[Move]:
    if view.viewer not in view.owing or view.decision is None:
        return []
    return list(legal(context_of(view), view.decision))


def offers(view: TangleView) -> list[tuple[Move, components.Amount]]:
    if view.viewer not in view.owing or view.decision is None:
        return []
    context, decision = context_of(view), view.decision
    return [(move, price_of(context, decision, move)) for move in legal(context, decision)]


def legal(context: Context, decision: decisions.Decision) -> Iterator[Move]:
    """Yield every legal move of a seat that owes this decision. Rules: A turn."""
    rule = rule_of(decision)
    result = iter(rule.choices(context, decision))
    return chain(result, (TangleDone(),)) if rule.may_end(decision) else result


Lack = Literal["price", "tile", "seed", "supply", "place"]
"""The missing thing: resources, a tile of the stack, an own seed, a supply seed, or a location."""

_ALWAYS: dict[components.Action, decisions.Decision] = {
    "clean_earth": decisions.Earths(),
    "place_lake": decisions.Lakes(),
    "place_meadows": decisions.Meadows(),
    "plant": decisions.Planting(),
    "grow": decisions.Growing(),
    "take_cards": decisions.DrawingCards(components.NUMBERS.take_cards),
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
    price: components.Amount = components.NOTHING
    held: components.Amount = components.NOTHING
    kept: int = 0


def decision_at(context: Context, action: components.Action) -> decisions.Decision | None:
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
        bush, tree = context.public.seeds
        if (action == "bush_seed" and not bush) or (action == "tree_seed" and not tree):
            return LandingObstacle("supply")
        if action == "gather_water" and lying(context, move.to) == components.NOTHING:
            return LandingObstacle("place")
        return None
    due, harvest = toll_due(context, move.to), ripe(context, move.to)
    covers = any(context.is_opponent(owner) for owner in view.roots.get(move.to, ()))
    heard: tuple[tuple[EventName, bool], ...] = (("harvest", bool(harvest)), ("cover", covers))
    gains = [gain for event, happens in heard if happens for _, gain in context.powers.gains.get(event, ())]
    given = components.total((gain.W, gain.E, gain.N, gain.M) for gain in gains)
    bush, tree = context.player.seeds
    facts = {
        "stash": components.plus(context.stash, components.plus(cubes(context, harvest), given)),
        "seeds": (bush + sum(gain.bush_seed for gain in gains), tree + sum(gain.tree_seed for gain in gains)),
    }
    landed = _with(context, facts, reserve=sum(count for _, count in due))
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


def _with(context: Context, facts: Mapping[str, tuple[int, ...]], **public: object) -> Context:
    players = list(context.public.players)
    players[context.seat] = msgspec.structs.replace(context.player, **facts)
    changed = msgspec.structs.replace(context.public, players=players, **public)
    return Context(changed, context.seat, context.hand, context.blind)


def _cheapest(context: Context, asked: decisions.Decision) -> components.Amount | None:
    rule = rule_of(asked)
    prices = (rule.price(context, asked, move) for move in rule.choices(context, asked))
    return min(prices, key=components.size, default=None)
