"""Rules for moving roots: placements, and recalls by a card. Rules: Placement."""

from collections.abc import Iterable, Iterator

import msgspec

from engines.game import IllegalMove
from engines.tangle.decisions import Placing, Recalling
from engines.tangle.legal import sentences
from engines.tangle.legal.context import Context, CountedRule, Rule, check_own_tree
from engines.tangle.legal.prices import can_pay_toll
from engines.tangle.moves import ChangeUpkeep, Recall, TanglePlace
from engines.tangle.pieces.components import AREAS, NOTHING, Amount
from engines.tangle.view import TanglePublic

PlacingAnswer = TanglePlace | ChangeUpkeep


class PlacingRule(Rule[Placing, PlacingAnswer]):
    """A root moves. Any start goes with any other end."""

    decision, answers = Placing, (TanglePlace, ChangeUpkeep)

    def choices(self, context: Context, decision: Placing) -> Iterator[PlacingAnswer]:
        """Pair each of the seat's roots with each possible end."""
        board, roots, tiles, seat = context.board, context.public.roots, context.public.tiles, context.seat
        trees = list(board.among(context.own_of("tree")))
        if decision.sleeper is None:
            starts = [space for space in board.spaces if seat in roots.get(space, ())]
            starts += [tree for tree in trees if tiles[tree].roots]
        else:
            starts = [decision.sleeper] if seat in roots.get(decision.sleeper, ()) else []
        ends = [space for space in board.usable if space not in roots or can_pay_toll(context, space)]
        ends += trees
        yield from (TanglePlace(start, end) for start in starts for end in ends if start != end)
        if decision.paid is not None:
            yield ChangeUpkeep()

    def check(self, context: Context, decision: Placing, move: PlacingAnswer) -> None:
        """Require a movable root and an end, or changeable upkeep."""
        if isinstance(move, ChangeUpkeep):
            if decision.paid is None:
                raise IllegalMove(sentences.NOTHING_TO_CHANGE)
            return
        tile = context.tile(move.start)
        stands = tile.roots if tile is not None else context.seat in context.public.roots.get(move.start, ())
        if not stands:
            raise IllegalMove(sentences.NO_ROOT_THERE)
        if decision.sleeper not in (None, move.start):
            raise IllegalMove(sentences.NOT_THE_SLEEPER)
        if move.start == move.to:
            raise IllegalMove(sentences.STANDS_THERE)
        if move.to in AREAS:
            check_own_tree(context, move.to)
        elif not context.board.spaces.get(move.to):
            raise IllegalMove(sentences.NOTHING_TO_DO)
        elif not can_pay_toll(context, move.to):
            raise IllegalMove(sentences.TOLL_TOO_HIGH)

    def gain(self, public: TanglePublic, decision: Placing, move: PlacingAnswer) -> Amount:
        """Return what was paid, if the seat changes its upkeep."""
        if not isinstance(move, ChangeUpkeep) or decision.paid is None:
            return NOTHING
        return decision.paid.price

    def rest(self, decision: Placing, move: PlacingAnswer) -> Placing | None:
        """Return the placement that still follows a change of upkeep."""
        return msgspec.structs.replace(decision, paid=None) if isinstance(move, ChangeUpkeep) else None

    def may_end(self, decision: Placing) -> bool:
        """Allow only a root that has slept to stay."""
        return decision.sleeper is not None


class RecallingRule(CountedRule[Recalling, Recall]):
    """Roots come home from spaces."""

    decision, answers = Recalling, (Recall,)

    def choices(self, context: Context, decision: Recalling) -> Iterable[Recall]:
        trees = list(context.board.among(context.own_of("tree")))
        roots, seat = context.public.roots, context.seat
        spaces = (space for space in context.board.spaces if seat in roots.get(space, ()))
        return (Recall(space, tree) for space in spaces for tree in trees)

    def check(self, context: Context, decision: Recalling, move: Recall) -> None:
        if context.seat not in context.public.roots.get(move.start, ()):
            raise IllegalMove(sentences.NO_ROOT_THERE)
        check_own_tree(context, move.to)


RULES = (PlacingRule(), RecallingRule())
