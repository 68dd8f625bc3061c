"""Every legal move, each once, in a stable order: from a view as well as from the full state."""

from collections.abc import Iterator
from itertools import chain

from engines.tangle.decisions import Decision
from engines.tangle.legal.check import price_of, rule_of
from engines.tangle.legal.context import Context, context_of
from engines.tangle.moves import Move, TangleDone
from engines.tangle.pieces.amounts import Amount
from engines.tangle.view import TangleView


def choices(view: TangleView) -> list[Move]:
    """List every legal move of the viewer; none if it owes nothing."""
    if view.viewer not in view.owing or view.decision is None:
        return []
    return list(legal(context_of(view), view.decision))


def offers(view: TangleView) -> list[tuple[Move, Amount]]:
    """List the viewer's legal moves for the present decision, with costs."""
    if view.viewer not in view.owing or view.decision is None:
        return []
    context, decision = context_of(view), view.decision
    return [(move, price_of(context, decision, move)) for move in legal(context, decision)]


def legal(context: Context, decision: Decision) -> Iterator[Move]:
    """Yield every legal move of a seat that owes this decision. Rules: A turn."""
    rule = rule_of(decision)
    result = iter(rule.choices(context, decision))
    return chain(result, (TangleDone(),)) if rule.may_end(decision) else result
