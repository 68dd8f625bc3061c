"""The shape of a rule: one record for each kind of decision, with all that follows from what lies open.

What an answer does to the table knows hidden things; it stands in `engines.tangle.truth.carry_out`.
"""

from __future__ import annotations

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
from engines.tangle.public import Public

D = TypeVar("D", bound=Decision)
M = TypeVar("M", bound=Move)


class Rule(ABC, Generic[D, M]):
    """What may be chosen in a kind of decision, what it costs, how it is refused, and what stays open.

    Attributes:
        decision: the kind of decision.
        answers: the kinds of moves that answer it, beside `Done`.
    """

    decision: type[D]
    answers: tuple[type[M], ...]

    @abstractmethod
    def choices(self, context: Context, decision: D) -> Iterable[M]:
        """Every answer that `check` lets pass and the seat can pay, each once, in a stable order."""

    @abstractmethod
    def check(self, context: Context, decision: D, move: M) -> None:
        """Refuse what may not be chosen, whatever it costs. Raises IllegalMove with the reason."""

    def price(self, context: Context, decision: D, move: M) -> Amount:
        """What an answer costs that `check` lets pass. Tolls, gifts and upkeep are prices too."""
        return NOTHING

    def spares(self, move: M) -> bool:
        """Whether the price may not touch what the seat must keep. Rules: Toll."""
        return True

    def gain(self, public: Public, decision: D, move: M) -> Amount:
        """The resources that the seat gets by an answer at once."""
        return NOTHING

    def may_end(self, decision: D) -> bool:
        """Whether the decision may be closed by `Done`."""
        return True

    def rest(self, decision: D, move: M) -> D | None:
        """What stays open after an answer; None when it is the last one."""
        return None

    def payable(self, context: Context, decision: D, answers: Iterable[M]) -> Iterator[M]:
        """Those of some answers that the seat can pay."""
        return (move for move in answers if context.can_pay(self.price(context, decision, move)))


class Counted(Rule[D, M]):
    """A decision that allows so many answers, by its field `left`; None is any number."""

    def rest(self, decision: D, move: M) -> D | None:
        return one_less(decision)


def one_less(decision: D, **changes: Any) -> D | None:
    """A decision with `left` after one more answer and some changes; None when that was the last."""
    left: int | None = getattr(decision, "left", None)
    if left is None:
        return msgspec.structs.replace(decision, **changes)
    return msgspec.structs.replace(decision, left=left - 1, **changes) if left > 1 else None


def check_size(amount: Amount, count: int) -> None:
    """Refuse what isn't exactly so many resources. Raises IllegalMove."""
    if len(amount) != len(RESOURCES) or min(amount) < 0 or sum(amount) != count:
        raise IllegalMove(sentences.exactly(count))


def check_own_tree(context: Context, area: str) -> None:
    """Refuse what isn't a tree of the seat. Raises IllegalMove."""
    tile = context.tile(area)
    if tile is None or tile.kind != "tree":
        raise IllegalMove(sentences.NOT_YOUR_TREE)
