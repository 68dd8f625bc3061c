"""The contract of a rule: one record for each kind of decision, derived from public facts.

The effects of answers use hidden information; they are in `engines.tangle.truth.carry_out`.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar

import msgspec

from engines.game import IllegalMove
from engines.tangle.decisions import Decision
from engines.tangle.legal import sentences
from engines.tangle.legal.context import Context
from engines.tangle.moves import Move
from engines.tangle.pieces.amounts import NOTHING, RESOURCES, Amount
from engines.tangle.public import TanglePublic

D = TypeVar("D", bound=Decision)
M = TypeVar("M", bound=Move)


class Rule(ABC, Generic[D, M]):
    """Defines the choices, prices, refusals and remainder of a kind of decision.

    Attributes:
        decision: the kind of decision.
        answers: the kinds of moves that answer it, apart from `TangleDone`.

    >>> from engines.tangle.legal.resources import TollRule
    >>> TollRule.decision.__name__, [answer.__name__ for answer in TollRule.answers]
    ('Toll', ['PayToll'])
    """

    decision: type[D]
    answers: tuple[type[M], ...]

    @abstractmethod
    def choices(self, context: Context, decision: D) -> Iterable[M]:
        """Return every allowed and payable answer once, in a stable order."""

    @abstractmethod
    def check(self, context: Context, decision: D, move: M) -> None:
        """Refuse a forbidden choice, whatever its cost. Raises IllegalMove with the reason."""

    def price(self, context: Context, decision: D, move: M) -> Amount:
        """Return the cost of an allowed answer, with tolls, gifts and upkeep."""
        return NOTHING

    def spares(self, move: M) -> bool:
        """Return True if the payment must leave the seat's reserve alone. Rules: Toll."""
        return True

    def gain(self, public: TanglePublic, decision: D, move: M) -> Amount:
        """Return the resources that the seat gets by an answer at once."""
        return NOTHING

    def may_end(self, decision: D) -> bool:
        """Return True if `TangleDone` may close the decision."""
        return True

    def rest(self, decision: D, move: M) -> D | None:
        """Return the decision that remains after an answer. None after the last one."""
        return None

    def payable(self, context: Context, decision: D, answers: Iterable[M]) -> Iterator[M]:
        """Yield the answers that the seat can pay."""
        return (move for move in answers if context.can_pay(self.price(context, decision, move)))


class CountedRule(Rule[D, M]):
    """A decision with a limited number of answers, its field `left`; None is any number."""

    def rest(self, decision: D, move: M) -> D | None:
        return one_less(decision)


def one_less(decision: D, **changes: Any) -> D | None:
    """Return a decision with one answer less and some changes. None after the last one."""
    left: int | None = getattr(decision, "left", None)
    if left is None:
        return msgspec.structs.replace(decision, **changes)
    return msgspec.structs.replace(decision, left=left - 1, **changes) if left > 1 else None


def check_size(amount: Amount, count: int) -> None:
    """Require exactly that many resources. Raises IllegalMove."""
    if len(amount) != len(RESOURCES) or min(amount) < 0 or sum(amount) != count:
        raise IllegalMove(sentences.exactly(count))


def check_own_tree(context: Context, area: str) -> None:
    """Require a tree of the seat. Raises IllegalMove."""
    tile = context.tile(area)
    if tile is None or tile.kind != "tree":
        raise IllegalMove(sentences.NOT_YOUR_TREE)
