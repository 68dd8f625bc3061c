"""Checks moves and computes their costs: one answer for the player, the rules and the computer."""

from typing import Any

from engines.game import IllegalMove
from engines.tangle.decisions import Decision
from engines.tangle.legal import cards, resources, roots, sentences, tiles, tracks
from engines.tangle.legal.context import Context
from engines.tangle.legal.rule import Rule
from engines.tangle.moves import Move, TangleDone
from engines.tangle.pieces.amounts import NOTHING, Amount, covers
from engines.tangle.public import TanglePublic

_RULES: dict[type[Decision], Rule[Any, Any]] = {
    rule.decision: rule for module in (roots, tiles, resources, cards, tracks) for rule in module.RULES
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
