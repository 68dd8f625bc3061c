"""Rules for drawing and casting enchantments. Rules: Drawing cards, Casting."""

from collections.abc import Iterable, Iterator

from engines.game import IllegalMove
from engines.tangle.decisions import Casting, DrawingCards
from engines.tangle.legal import prices, sentences
from engines.tangle.legal.context import Context
from engines.tangle.legal.rule import CountedRule, Rule
from engines.tangle.moves import Cast, TakePile, TakeRow
from engines.tangle.pieces.amounts import Amount


class CastingRule(Rule[Casting, Cast]):
    """Cards of the hand, one for each root at home."""

    decision, answers = Casting, (Cast,)

    def choices(self, context: Context, decision: Casting) -> Iterable[Cast]:
        """Yield each kind of card of the hand that the seat can pay for."""
        if not context.hand or decision.cast >= roots_at_home(context):
            return ()
        return self.payable(context, decision, map(Cast, dict.fromkeys(context.hand)))

    def check(self, context: Context, decision: Casting, move: Cast) -> None:
        """Require the card in hand, and a root at home for it."""
        if move.card not in context.hand:
            raise IllegalMove(sentences.NOT_HELD)
        if decision.cast >= roots_at_home(context):
            raise IllegalMove(sentences.NO_ROOT_AT_HOME)

    def price(self, context: Context, decision: Casting, move: Cast) -> Amount:
        return prices.casting(context, move.card, decision.cast)

    def rest(self, decision: Casting, move: Cast) -> Casting:
        return Casting(decision.cast + 1)


class DrawingRule(CountedRule[DrawingCards, TakeRow | TakePile]):
    """Cards of the row or the pile."""

    decision, answers = DrawingCards, (TakeRow, TakePile)

    def choices(self, context: Context, decision: DrawingCards) -> Iterator[TakeRow | TakePile]:
        return draws(context)

    def check(self, context: Context, decision: DrawingCards, move: TakeRow | TakePile) -> None:
        check_draw(context, move)

    def may_end(self, decision: DrawingCards) -> bool:
        return False


RULES = (CastingRule(), DrawingRule())


def roots_at_home(context: Context) -> int:
    """Count the seat's roots on its trees."""
    tiles, seat = context.public.tiles.values(), context.seat
    return sum(tile.roots for tile in tiles if tile.roots and tile.owner == seat)


def draws(context: Context) -> Iterator[TakeRow | TakePile]:
    """Yield each card of the row, and the pile unless empty."""
    yield from map(TakeRow, range(len(context.public.row)))
    if context.blind:
        yield TakePile()


def check_draw(context: Context, move: TakeRow | TakePile) -> None:
    """Refuse a card that isn't there. Raises IllegalMove. Rules: Drawing cards."""
    if isinstance(move, TakePile):
        if not context.blind:
            raise IllegalMove(sentences.PILE_EMPTY)
    elif move.slot not in range(len(context.public.row)):
        raise IllegalMove(sentences.NO_SUCH_CARD)
