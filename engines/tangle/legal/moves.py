"""Every legal move, each once, in a stable order, and the check and cost of one."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from engines.game import IllegalMove
from engines.tangle.decisions import Decision
from engines.tangle.legal import resources, roots, sentences, tiles
from engines.tangle.legal.context import Context, Rule, context_of
from engines.tangle.moves import Move, TangleDone
from engines.tangle.pieces.components import NOTHING, Amount, covers
from engines.tangle.view import TanglePublic, TangleView

_RULES: dict[type[Decision], Rule[Any, Any]] = {
    rule.decision: rule for module in (roots, tiles, resources) for rule in module.RULES
}


def rule_of(decision: Decision) -> Rule[Any, Any]:
    """Return the rule for a decision. Raises KeyError for one that asks nothing itself."""
    return _RULES[type(decision)]


def price_of(context: Context, decision: Decision, move: Move) -> Amount:
    """Return a move's cost. Raises IllegalMove with the reason if it's illegal.

    Tolls, gifts and upkeep are prices too.
    """
    rule = rule_of(decision)
    if isinstance(move, TangleDone) and rule.may_end(decision):
        return NOTHING
    if not isinstance(move, rule.answers):
        raise IllegalMove(sentences.NOT_ASKED)
    rule.check(context, decision, move)
    price = rule.price(context, decision, move)
    if price != NOTHING:
        if not covers(context.stash, price):
            raise IllegalMove(sentences.missing(context.stash, price))
        if rule.spares(move) and not context.can_pay(price):
            raise IllegalMove(sentences.must_keep(context.public.reserve))
    return price


def gain_of(public: TanglePublic, decision: Decision, move: Move) -> Amount:
    """Return the resources that a legal move brings at once, whatever it costs."""
    return NOTHING if isinstance(move, TangleDone) else rule_of(decision).gain(public, decision, move)


def choices(view: TangleView) -> list[Move]:
    if view.viewer not in view.owing or view.decision is None:
        return []
    return list(legal(context_of(view), view.decision))


def offers(view: TangleView) -> list[tuple[Move, Amount]]:
    if view.viewer not in view.owing or view.decision is None:
        return []
    context, decision = context_of(view), view.decision
    return [(move, price_of(context, decision, move)) for move in legal(context, decision)]


def legal(context: Context, decision: Decision) -> Iterator[Move]:
    """Yield every legal move of a seat that owes this decision. Rules: A turn."""
    rule = rule_of(decision)
    result = iter(rule.choices(context, decision))
    return chain(result, (TangleDone(),)) if rule.may_end(decision) else result
