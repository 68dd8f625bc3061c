"""Rules for payments, gains and exchanges, the trackers, and drawing and casting cards."""

from collections.abc import Iterable, Iterator
from typing import assert_never

from engines.game import IllegalMove
from engines.tangle import decisions, moves
from engines.tangle.legal import prices, sentences
from engines.tangle.legal.context import Context, CountedRule, Rule, board_of, check_size
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


class PushingRule(Rule[decisions.Pushing, moves.Steps]):
    """The trackers go up by the changes of a turn."""

    decision, answers = decisions.Pushing, (moves.Steps,)
    is_required = True

    def choices(self, context: Context, decision: decisions.Pushing) -> Iterable[moves.Steps]:
        """Yield every way to share them out, none beyond the top."""
        return map(moves.Steps, shares(decision.count, context.public.trackers))

    def check(self, context: Context, decision: decisions.Pushing, move: moves.Steps) -> None:
        _check_steps(move.by, decision.count, context.public.trackers)


class LoweringRule(Rule[decisions.Lowering, moves.Lower]):
    """The trackers go down by a card."""

    decision, answers = decisions.Lowering, (moves.Lower,)
    is_required = True

    def choices(self, context: Context, decision: decisions.Lowering) -> Iterable[moves.Lower]:
        """Yield every way to share them out, none below the start."""
        return map(moves.Lower, shares(decision.count, room_below(context.public)))

    def check(self, context: Context, decision: decisions.Lowering, move: moves.Lower) -> None:
        _check_steps(move.by, decision.count, room_below(context.public))


TRACK_RULES = (PushingRule(), LoweringRule())


def room_below(public: TanglePublic) -> moves.Steps3:
    lowest = board_of(public).bottom
    lakes, growth, cards = public.trackers
    return (lowest - lakes, lowest - growth, lowest - cards)


def shares(count: int, room: moves.Steps3) -> Iterator[moves.Steps3]:
    """Yield every way to share out steps over the tracks.

    >>> list(shares(2, (1, 5, 0)))
    [(1, 1, 0), (0, 2, 0)]
    """
    for lakes in range(min(count, room[0]), -1, -1):
        for growth in range(min(count - lakes, room[1]), -1, -1):
            if count - lakes - growth <= room[2]:
                yield (lakes, growth, count - lakes - growth)


def _check_steps(by: moves.Steps3, count: int, room: moves.Steps3) -> None:
    """Require exactly that many steps, on each track no more than its room."""
    if len(by) != len(room) or min(by) < 0 or sum(by) != count:
        raise IllegalMove(sentences.exactly(count))
    if any(step > most for step, most in zip(by, room, strict=True)):
        raise IllegalMove(sentences.TOO_MANY_STEPS)


class CastingRule(Rule[decisions.Casting, moves.Cast]):
    """Cards of the hand, one for each root at home."""

    decision, answers = decisions.Casting, (moves.Cast,)

    def choices(self, context: Context, decision: decisions.Casting) -> Iterable[moves.Cast]:
        """Yield each kind of card of the hand that the seat can pay for."""
        if not context.hand or decision.cast >= roots_at_home(context):
            return ()
        return self.payable(context, decision, map(moves.Cast, dict.fromkeys(context.hand)))

    def check(self, context: Context, decision: decisions.Casting, move: moves.Cast) -> None:
        """Require the card in hand, and a root at home for it."""
        if move.card not in context.hand:
            raise IllegalMove(sentences.NOT_HELD)
        if decision.cast >= roots_at_home(context):
            raise IllegalMove(sentences.NO_ROOT_AT_HOME)

    def price(self, context: Context, decision: decisions.Casting, move: moves.Cast) -> Amount:
        return prices.casting(context, move.card, decision.cast)

    def rest(self, decision: decisions.Casting, move: moves.Cast) -> decisions.Casting:
        return decisions.Casting(decision.cast + 1)


class DrawingRule(CountedRule[decisions.DrawingCards, moves.TakeRow | moves.TakePile]):
    """Cards of the row or the pile."""

    decision, answers = decisions.DrawingCards, (moves.TakeRow, moves.TakePile)
    is_required = True

    def choices(
        self, context: Context, decision: decisions.DrawingCards
    ) -> Iterator[moves.TakeRow | moves.TakePile]:
        return draws(context)

    def check(
        self, context: Context, decision: decisions.DrawingCards, move: moves.TakeRow | moves.TakePile
    ) -> None:
        check_draw(context, move)


CARD_RULES = (CastingRule(), DrawingRule())


def roots_at_home(context: Context) -> int:
    """Count the seat's roots on its trees."""
    tiles, seat = context.public.tiles.values(), context.seat
    return sum(tile.roots for tile in tiles if tile.roots and tile.owner == seat)


def draws(context: Context) -> Iterator[moves.TakeRow | moves.TakePile]:
    """Yield each card of the row, and the pile unless empty."""
    yield from map(moves.TakeRow, range(len(context.public.row)))
    if context.blind:
        yield moves.TakePile()


def check_draw(context: Context, move: moves.TakeRow | moves.TakePile) -> None:
    """Refuse a card that isn't there. Raises IllegalMove. Rules: Drawing cards."""
    if isinstance(move, moves.TakePile):
        if not context.blind:
            raise IllegalMove(sentences.PILE_EMPTY)
    elif move.slot not in range(len(context.public.row)):
        raise IllegalMove(sentences.NO_SUCH_CARD)


UpkeepAnswer = moves.PayRest | moves.DropRest | moves.Pay | moves.Drop
Transformation = moves.Trade | moves.TakeRow | moves.TakePile | moves.Buy

TRADE: Amount = unit("M")
"""Price of another resource or a card at Mana transformation."""


class UpkeepRule(Rule[decisions.Upkeep, UpkeepAnswer]):
    """Each seat pays for its items, or loses them, one by one or all that are left. Rules: Upkeep."""

    decision, answers = decisions.Upkeep, (moves.PayRest, moves.DropRest, moves.Pay, moves.Drop)
    is_required = True

    def choices(self, context: Context, decision: decisions.Upkeep) -> Iterator[UpkeepAnswer]:
        """Yield all together, as far as affordable. One by one if there are several."""
        items, free = decision.items[context.seat], decision.free[context.seat]
        if not items:
            return
        held = context.stash[RESOURCES.index(PAID_IN[decision.track])]
        if held >= len(items) - free:
            yield moves.PayRest()
        yield moves.DropRest()
        if len(items) > 1:
            if free or held:
                yield from map(moves.Pay, dict.fromkeys(items))
            yield from map(moves.Drop, dict.fromkeys(items))

    def check(self, context: Context, decision: decisions.Upkeep, move: UpkeepAnswer) -> None:
        """Require an item of the seat, and payment for the others."""
        items = decision.items[context.seat]
        if not items:
            raise IllegalMove(sentences.OWES_NOTHING)
        resource, price = PAID_IN[decision.track], self.price(context, decision, move)
        match move:
            case moves.PayRest():
                if not covers(context.stash, price):
                    raise IllegalMove(sentences.too_few(sum(price), resource))
            case moves.Pay(item) | moves.Drop(item):
                if item not in items:
                    raise IllegalMove(sentences.NOT_AN_ITEM)
                if len(items) == 1:
                    raise IllegalMove(sentences.LAST_ITEM)
                if not covers(context.stash, price):
                    raise IllegalMove(sentences.none_left(resource))
            case moves.DropRest():
                pass
            case _:
                assert_never(move)

    def price(self, context: Context, decision: decisions.Upkeep, move: UpkeepAnswer) -> Amount:
        """Price 1 for each item that isn't free."""
        free, resource = decision.free[context.seat], PAID_IN[decision.track]
        match move:
            case moves.PayRest():
                return unit(resource, len(decision.items[context.seat]) - free)
            case moves.Pay():
                return NOTHING if free else unit(resource)
            case moves.Drop() | moves.DropRest():
                return NOTHING
            case _:
                assert_never(move)


class TollRule(Rule[decisions.Toll, moves.PayToll]):
    """Opponents are paid for the roots below, in resources of the payer's choice. Rules: Toll."""

    decision, answers = decisions.Toll, (moves.PayToll,)
    is_required = True

    def choices(self, context: Context, decision: decisions.Toll) -> Iterable[moves.PayToll]:
        """Yield every way to pay the first of them."""
        to, count = decision.due[0]
        return (moves.PayToll(to, pay) for pay in ways(count, context.stash))

    def check(self, context: Context, decision: decisions.Toll, move: moves.PayToll) -> None:
        """Require the first of them, and the right number."""
        to, count = decision.due[0]
        if move.to != to:
            raise IllegalMove(sentences.TOLL_TO_ANOTHER)
        check_size(move.pay, count)

    def price(self, context: Context, decision: decisions.Toll, move: moves.PayToll) -> Amount:
        return move.pay

    def spares(self, move: moves.PayToll) -> bool:
        return False

    def rest(self, decision: decisions.Toll, move: moves.PayToll) -> decisions.Toll | None:
        return decisions.Toll(decision.due[1:]) if decision.due[1:] else None


class TransformingRule(Rule[decisions.Transforming, Transformation]):
    """Mana for other resources, cards and seeds, any number of times. Rules: Action spaces."""

    decision, answers = decisions.Transforming, (moves.Trade, moves.TakeRow, moves.TakePile, moves.Buy)

    def choices(self, context: Context, decision: decisions.Transforming) -> Iterator[Transformation]:
        if covers(context.stash, TRADE):
            yield from (moves.Trade(resource) for resource in RESOURCES if resource != "M")
        if context.can_pay(TRADE):
            yield from draws(context)
        for seed, left in zip(SEEDS, context.public.seeds, strict=True):
            if left and context.can_pay(prices.seed(seed)):
                yield moves.Buy(seed)

    def check(self, context: Context, decision: decisions.Transforming, move: Transformation) -> None:
        match move:
            case moves.Buy(seed):
                if not seeds_of(context.public.seeds, seed):
                    raise IllegalMove(sentences.NO_SUCH_SEED)
            case moves.Trade(resource):
                if resource == "M" or resource not in RESOURCES:
                    raise IllegalMove(sentences.NOT_ASKED)
            case moves.TakeRow() | moves.TakePile():
                check_draw(context, move)
            case _:
                assert_never(move)

    def price(self, context: Context, decision: decisions.Transforming, move: Transformation) -> Amount:
        return prices.seed(move.seed) if isinstance(move, moves.Buy) else TRADE

    def spares(self, move: Transformation) -> bool:
        return not isinstance(move, moves.Trade)

    def gain(self, public: TanglePublic, decision: decisions.Transforming, move: Transformation) -> Amount:
        return unit(move.resource) if isinstance(move, moves.Trade) else NOTHING

    def rest(self, decision: decisions.Transforming, move: Transformation) -> decisions.Transforming:
        return decision


class GainingAnyRule(Rule[decisions.GainingAny, moves.Choose]):
    """Resources of any types."""

    decision, answers = decisions.GainingAny, (moves.Choose,)
    is_required = True

    def choices(self, context: Context, decision: decisions.GainingAny) -> Iterable[moves.Choose]:
        count = decision.count
        return map(moves.Choose, ways(count, (count, count, count, count)))

    def check(self, context: Context, decision: decisions.GainingAny, move: moves.Choose) -> None:
        check_size(move.gain, decision.count)

    def gain(self, public: TanglePublic, decision: decisions.GainingAny, move: moves.Choose) -> Amount:
        return move.gain


class DrainingRule(CountedRule[decisions.Draining, moves.Drain]):
    """Cubes of opponents' tiles."""

    decision, answers = decisions.Draining, (moves.Drain,)

    def choices(self, context: Context, decision: decisions.Draining) -> Iterable[moves.Drain]:
        """Yield every tile of an opponent that holds something."""
        tiles = context.public.tiles
        return (moves.Drain(area) for area in context.board.among(context.opponents) if tiles[area].cubes)

    def check(self, context: Context, decision: decisions.Draining, move: moves.Drain) -> None:
        tile = context.public.tiles.get(move.area)
        if tile is None or not tile.cubes or not context.is_opponent(tile.owner):
            raise IllegalMove(sentences.NOTHING_THERE)

    def gain(self, public: TanglePublic, decision: decisions.Draining, move: moves.Drain) -> Amount:
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
