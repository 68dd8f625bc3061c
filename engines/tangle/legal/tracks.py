"""Rules for distributing steps over the upkeep tracks. Rules: Steps."""

from collections.abc import Iterable, Iterator

from engines.game import IllegalMove
from engines.tangle.decisions import Lowering, Pushing
from engines.tangle.legal import sentences
from engines.tangle.legal.context import Context, board_of
from engines.tangle.legal.rule import Rule
from engines.tangle.moves import Lower, Steps, Steps3
from engines.tangle.public import TanglePublic


class PushingRule(Rule[Pushing, Steps]):
    """The trackers go up by the changes of a turn."""

    decision, answers = Pushing, (Steps,)

    def choices(self, context: Context, decision: Pushing) -> Iterable[Steps]:
        """Yield every way to share them out, none beyond the top."""
        return map(Steps, shares(decision.count, context.public.trackers))

    def check(self, context: Context, decision: Pushing, move: Steps) -> None:
        """Require all of them, none beyond the top."""
        _check_steps(move.by, decision.count, context.public.trackers)

    def may_end(self, decision: Pushing) -> bool:
        return False


class LoweringRule(Rule[Lowering, Lower]):
    """The trackers go down by a card."""

    decision, answers = Lowering, (Lower,)

    def choices(self, context: Context, decision: Lowering) -> Iterable[Lower]:
        """Yield every way to share them out, none below the start."""
        return map(Lower, shares(decision.count, room_below(context.public)))

    def check(self, context: Context, decision: Lowering, move: Lower) -> None:
        """Require all of them, none below the start."""
        _check_steps(move.by, decision.count, room_below(context.public))

    def may_end(self, decision: Lowering) -> bool:
        return False


RULES = (PushingRule(), LoweringRule())


def room_below(public: TanglePublic) -> Steps3:
    """Return how many steps each tracker can be moved down."""
    lowest = board_of(public).bottom
    lakes, growth, cards = public.trackers
    return (lowest - lakes, lowest - growth, lowest - cards)


def shares(count: int, room: Steps3) -> Iterator[Steps3]:
    """Yield every way to share out steps over the tracks.

    >>> list(shares(2, (1, 5, 0)))
    [(1, 1, 0), (0, 2, 0)]
    """
    for lakes in range(min(count, room[0]), -1, -1):
        for growth in range(min(count - lakes, room[1]), -1, -1):
            if count - lakes - growth <= room[2]:
                yield (lakes, growth, count - lakes - growth)


def _check_steps(by: Steps3, count: int, room: Steps3) -> None:
    """Require exactly that many steps, on each track no more than its room."""
    if len(by) != len(room) or min(by) < 0 or sum(by) != count:
        raise IllegalMove(sentences.exactly(count))
    if any(step > most for step, most in zip(by, room, strict=True)):
        raise IllegalMove(sentences.TOO_MANY_STEPS)
