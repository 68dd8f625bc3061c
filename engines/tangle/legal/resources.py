"""Rules for payments, gains and exchanges, the trackers, and drawing and casting cards."""

from collections.abc import Iterable, Iterator
from typing import assert_never

from engines.game import IllegalMove
from engines.tangle.decisions import (
    Casting,
    Draining,
    DrawingCards,
    GainingAny,
    Lowering,
    Pushing,
    Toll,
    Transforming,
    Upkeep,
)
from engines.tangle.legal import prices, sentences
from engines.tangle.legal.context import Context, CountedRule, Rule, board_of, check_size
from engines.tangle.moves import (
    Buy,
    Cast,
    Choose,
    Drain,
    Drop,
    DropRest,
    Lower,
    Pay,
    PayRest,
    PayToll,
    Steps,
    Steps3,
    TakePile,
    TakeRow,
    Trade,
)
from engines.tangle.pieces.board import BEARS
from engines.tangle.pieces.components import (
    NOTHING,
    PAID_IN,
    RESOURCES,
    SEEDS,
    Amount,
    covers,
    seeds_of,
    unit,
    ways,
)
from engines.tangle.view import TanglePublic


class PushingRule(Rule[Pushing, Steps]):
    """The trackers go up by the changes of a turn."""

    decision, answers = Pushing, (Steps,)

    def choices(self, context: Context, decision: Pushing) -> Iterable[Steps]:
        """Yield every way to share them out, none beyond the top."""
        return map(Steps, shares(decision.count, context.public.trackers))

    def check(self, context: Context, decision: Pushing, move: Steps) -> None:
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
        _check_steps(move.by, decision.count, room_below(context.public))

    def may_end(self, decision: Lowering) -> bool:
        return False


TRACK_RULES = (PushingRule(), LoweringRule())


def room_below(public: TanglePublic) -> Steps3:
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


CARD_RULES = (CastingRule(), DrawingRule())


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


UpkeepAnswer = PayRest | DropRest | Pay | Drop
Transformation = Trade | TakeRow | TakePile | Buy

TRADE: Amount = unit("M")
"""Price of another resource or a card at Mana transformation."""


class UpkeepRule(Rule[Upkeep, UpkeepAnswer]):
    """Each seat pays for its items, or loses them, one by one or all that are left. Rules: Upkeep."""

    decision, answers = Upkeep, (PayRest, DropRest, Pay, Drop)

    def choices(self, context: Context, decision: Upkeep) -> Iterator[UpkeepAnswer]:
        """Yield all together, as far as affordable. One by one if there are several."""
        items, free = decision.items[context.seat], decision.free[context.seat]
        if not items:
            return
        held = context.stash[RESOURCES.index(PAID_IN[decision.track])]
        if held >= len(items) - free:
            yield PayRest()
        yield DropRest()
        if len(items) > 1:
            if free or held:
                yield from map(Pay, dict.fromkeys(items))
            yield from map(Drop, dict.fromkeys(items))

    def check(self, context: Context, decision: Upkeep, move: UpkeepAnswer) -> None:
        """Require an item of the seat, and payment for the others."""
        items = decision.items[context.seat]
        if not items:
            raise IllegalMove(sentences.OWES_NOTHING)
        resource, price = PAID_IN[decision.track], self.price(context, decision, move)
        match move:
            case PayRest():
                if not covers(context.stash, price):
                    raise IllegalMove(sentences.too_few(sum(price), resource))
            case Pay(item) | Drop(item):
                if item not in items:
                    raise IllegalMove(sentences.NOT_AN_ITEM)
                if len(items) == 1:
                    raise IllegalMove(sentences.LAST_ITEM)
                if not covers(context.stash, price):
                    raise IllegalMove(sentences.none_left(resource))
            case DropRest():
                pass
            case _:
                assert_never(move)

    def price(self, context: Context, decision: Upkeep, move: UpkeepAnswer) -> Amount:
        """Price 1 for each item that isn't free."""
        free, resource = decision.free[context.seat], PAID_IN[decision.track]
        match move:
            case PayRest():
                return unit(resource, len(decision.items[context.seat]) - free)
            case Pay():
                return NOTHING if free else unit(resource)
            case Drop() | DropRest():
                return NOTHING
            case _:
                assert_never(move)

    def may_end(self, decision: Upkeep) -> bool:
        return False


class TollRule(Rule[Toll, PayToll]):
    """Opponents are paid for the roots below, in resources of the payer's choice. Rules: Toll."""

    decision, answers = Toll, (PayToll,)

    def choices(self, context: Context, decision: Toll) -> Iterable[PayToll]:
        """Yield every way to pay the first of them."""
        to, count = decision.due[0]
        return (PayToll(to, pay) for pay in ways(count, context.stash))

    def check(self, context: Context, decision: Toll, move: PayToll) -> None:
        """Require the first of them, and the right number."""
        to, count = decision.due[0]
        if move.to != to:
            raise IllegalMove(sentences.TOLL_TO_ANOTHER)
        check_size(move.pay, count)

    def price(self, context: Context, decision: Toll, move: PayToll) -> Amount:
        return move.pay

    def spares(self, move: PayToll) -> bool:
        return False

    def may_end(self, decision: Toll) -> bool:
        return False

    def rest(self, decision: Toll, move: PayToll) -> Toll | None:
        return Toll(decision.due[1:]) if decision.due[1:] else None


class TransformingRule(Rule[Transforming, Transformation]):
    """Mana for other resources, cards and seeds, any number of times. Rules: Action spaces."""

    decision, answers = Transforming, (Trade, TakeRow, TakePile, Buy)

    def choices(self, context: Context, decision: Transforming) -> Iterator[Transformation]:
        if covers(context.stash, TRADE):
            yield from (Trade(resource) for resource in RESOURCES if resource != "M")
        if context.can_pay(TRADE):
            yield from draws(context)
        for seed, left in zip(SEEDS, context.public.seeds, strict=True):
            if left and context.can_pay(prices.seed(seed)):
                yield Buy(seed)

    def check(self, context: Context, decision: Transforming, move: Transformation) -> None:
        match move:
            case Buy(seed):
                if not seeds_of(context.public.seeds, seed):
                    raise IllegalMove(sentences.NO_SUCH_SEED)
            case Trade(resource):
                if resource == "M" or resource not in RESOURCES:
                    raise IllegalMove(sentences.NOT_ASKED)
            case TakeRow() | TakePile():
                check_draw(context, move)
            case _:
                assert_never(move)

    def price(self, context: Context, decision: Transforming, move: Transformation) -> Amount:
        return prices.seed(move.seed) if isinstance(move, Buy) else TRADE

    def spares(self, move: Transformation) -> bool:
        return not isinstance(move, Trade)

    def gain(self, public: TanglePublic, decision: Transforming, move: Transformation) -> Amount:
        return unit(move.resource) if isinstance(move, Trade) else NOTHING

    def rest(self, decision: Transforming, move: Transformation) -> Transforming:
        return decision


class GainingAnyRule(Rule[GainingAny, Choose]):
    """Resources of any types."""

    decision, answers = GainingAny, (Choose,)

    def choices(self, context: Context, decision: GainingAny) -> Iterable[Choose]:
        count = decision.count
        return map(Choose, ways(count, (count, count, count, count)))

    def check(self, context: Context, decision: GainingAny, move: Choose) -> None:
        check_size(move.gain, decision.count)

    def gain(self, public: TanglePublic, decision: GainingAny, move: Choose) -> Amount:
        return move.gain

    def may_end(self, decision: GainingAny) -> bool:
        return False


class DrainingRule(CountedRule[Draining, Drain]):
    """Cubes of opponents' tiles."""

    decision, answers = Draining, (Drain,)

    def choices(self, context: Context, decision: Draining) -> Iterable[Drain]:
        """Yield every tile of an opponent that holds something."""
        tiles = context.public.tiles
        return (Drain(area) for area in context.board.among(context.opponents) if tiles[area].cubes)

    def check(self, context: Context, decision: Draining, move: Drain) -> None:
        tile = context.public.tiles.get(move.area)
        if tile is None or not tile.cubes or not context.is_opponent(tile.owner):
            raise IllegalMove(sentences.NOTHING_THERE)

    def gain(self, public: TanglePublic, decision: Draining, move: Drain) -> Amount:
        """Return the tile's cubes, up to the most at a time."""
        tile = public.tiles[move.area]
        return unit(BEARS[tile.kind], min(decision.most, tile.cubes))


RULES = (
    *CARD_RULES,
    *TRACK_RULES,
    UpkeepRule(),
    TollRule(),
    TransformingRule(),
    GainingAnyRule(),
    DrainingRule(),
)
