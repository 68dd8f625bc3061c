"""The toll of a root that lands on others: its amount, and if the seat can pay it. Rules: Toll."""

from engines.game import Seat
from engines.tangle.legal.context import Context
from engines.tangle.legal.income import sure_income
from engines.tangle.pieces.amounts import size
from engines.tangle.pieces.components import SpaceCode

Due = tuple[tuple[Seat, int], ...]
"""The opponents to pay for roots below, in ascending order, and how much."""


def toll_due(context: Context, space: SpaceCode) -> Due:
    """Return the toll to each opponent of a root that lands there. Rules: Toll."""
    below = context.public.roots.get(space)
    if not below:
        return ()
    entries = []
    for owner in sorted(set(below)):
        if context.is_opponent(owner):
            count = below.count(owner) + context.grip_of(owner) - context.powers.step
            if count > 0:
                entries.append((owner, count))
    return tuple(entries)


def can_pay_toll(context: Context, space: SpaceCode) -> bool:
    """Return True if stash and certain income cover the toll of a landing. Rules: Toll."""
    due = sum(count for _, count in toll_due(context, space))
    held = size(context.stash)
    return due <= held or due <= held + size(sure_income(context, space))
