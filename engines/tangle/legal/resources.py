"""Rules for payments, gains and exchanges: upkeep, tolls, mana, and the gains of cards."""

from collections.abc import Iterable, Iterator
from typing import assert_never

from engines.game import IllegalMove
from engines.tangle.decisions import Draining, GainingAny, Toll, Transforming, Upkeep
from engines.tangle.legal import prices, sentences
from engines.tangle.legal.cards import check_draw, draws
from engines.tangle.legal.context import Context
from engines.tangle.legal.rule import CountedRule, Rule, check_size
from engines.tangle.moves import (
    Buy,
    Choose,
    Drain,
    Drop,
    DropRest,
    Pay,
    PayRest,
    PayToll,
    TakePile,
    TakeRow,
    Trade,
)
from engines.tangle.pieces.amounts import NOTHING, RESOURCES, Amount, covers, unit, ways
from engines.tangle.pieces.board import BEARS
from engines.tangle.pieces.components import PAID_IN, SEEDS, seeds_of
from engines.tangle.public import TanglePublic

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
        """Return those who are still to be paid."""
        return Toll(decision.due[1:]) if decision.due[1:] else None


class TransformingRule(Rule[Transforming, Transformation]):
    """Mana for other resources, cards and seeds, any number of times. Rules: Action spaces."""

    decision, answers = Transforming, (Trade, TakeRow, TakePile, Buy)

    def choices(self, context: Context, decision: Transforming) -> Iterator[Transformation]:
        """Yield the things that are available and affordable."""
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
        """Require an opponent's tile that holds something."""
        tile = context.public.tiles.get(move.area)
        if tile is None or not tile.cubes or not context.is_opponent(tile.owner):
            raise IllegalMove(sentences.NOTHING_THERE)

    def gain(self, public: TanglePublic, decision: Draining, move: Drain) -> Amount:
        """Return the tile's cubes, up to the most at a time."""
        tile = public.tiles[move.area]
        return unit(BEARS[tile.kind], min(decision.most, tile.cubes))


RULES = (UpkeepRule(), TollRule(), TransformingRule(), GainingAnyRule(), DrainingRule())
