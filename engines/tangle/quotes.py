"""Whether a move is legal, and what it costs: one answer for the player, the rules and the computer."""

from __future__ import annotations

from engines.game import IllegalMove
from engines.tangle import groundwork, matters, moves, prices, refusals
from engines.tangle.amounts import NOTHING, RESOURCES, Amount, covers, plus, size, unit
from engines.tangle.data import AREAS, PAID_IN, AreaCode, seeds_of
from engines.tangle.desk import Desk
from engines.tangle.matters import Matter
from engines.tangle.moves import Move, Steps3
from engines.tangle.placement import can_pay_toll

TRADE: Amount = unit("M")
"""What Mana transformation takes for another resource or a card."""

OFFERS_MOST = 10
"""So many extra placements at most come from offers in a turn."""

_AREA_ORDER = {code: number for number, code in enumerate(AREAS)}


def quote(desk: Desk, matter: Matter, move: Move) -> Amount:
    """What a move costs the seat. Raises IllegalMove with the reason when it may not be made.

    Tolls, gifts and upkeep are prices too.
    """
    price = _price(desk, matter, move)
    if price != NOTHING and not isinstance(move, moves.PayToll | moves.Trade):
        _check_purse(desk, price)
    return price


def can_pay(desk: Desk, price: Amount) -> bool:
    """Whether the seat has a price beside what it must keep. Rules: Toll."""
    return covers(desk.stash, price) and size(desk.stash) - size(price) >= desk.scene.reserve


def _check_purse(desk: Desk, price: Amount) -> None:
    if not covers(desk.stash, price):
        raise IllegalMove(refusals.missing(desk.stash, price))
    if not can_pay(desk, price):
        raise IllegalMove(refusals.must_keep(desk.scene.reserve))


def _price(desk: Desk, matter: Matter, move: Move) -> Amount:
    match matter, move:
        case matters.Placing(), moves.Place(start, to):
            check_start(desk, matter, start)
            if start == to:
                raise IllegalMove(refusals.STANDS_THERE)
            check_end(desk, to)
            return NOTHING
        case matters.Earths(), moves.Earth(area):
            return groundwork.earth(desk, matter, area)
        case matters.Lakes(), moves.Lake(area):
            return groundwork.lake(desk, area)
        case matters.Meadows(), moves.Meadow(area):
            return groundwork.meadow(desk, matter, area)
        case matters.Planting(), moves.Plant(seed, area):
            return groundwork.plant(desk, seed, area)
        case matters.Growing(), moves.Grow(area):
            return groundwork.growth(desk, matter, area)
        case matters.Sprouting(), moves.Sprout(area):
            return groundwork.sprout(desk, area)
        case matters.Hedging(), moves.Hedge(area):
            return groundwork.hedge(desk, area)
        case matters.Diverse(), moves.Earth() | moves.Meadow() | moves.Grow():
            return _diverse(desk, matter, move)
        case matters.TakingOver(), moves.Takeover():
            return _takeover(desk, matter, move)
        case matters.Casting(), moves.Cast(card):
            return _cast(desk, matter, card)
        case matters.Upkeep(), _:
            return _upkeep(desk, matter, move)
        case _:
            return _other_price(desk, matter, move)


def _other_price(desk: Desk, matter: Matter, move: Move) -> Amount:
    """Like `_price`, for what leaves the tiles alone or only moves them about."""
    match matter, move:
        case matters.Toll(), moves.PayToll():
            return _toll(desk, matter, move)
        case matters.Transforming(), moves.Trade() | moves.Buy() | moves.TakeRow() | moves.TakePile():
            return _transform(desk, move)
        case matters.Drawing(), moves.TakeRow() | moves.TakePile():
            _check_draw(desk, move)
        case matters.Swapping(), moves.Swap(a, b):
            _check_swap(desk, matter, a, b)
        case matters.Sacrificing(), moves.Offer():
            _check_offer(desk, move)
        case matters.GainingAny(count), moves.Choose(gain):
            _check_size(gain, count)
        case matters.Draining(), moves.Drain(area):
            tile = desk.scene.tiles.get(area)
            if tile is None or not tile.cubes or not desk.is_opponent(tile.owner):
                raise IllegalMove(refusals.NOTHING_TO_DRAIN)
        case matters.Recalling(), moves.Recall(start, to):
            if desk.seat not in desk.scene.roots.get(start, ()):
                raise IllegalMove(refusals.NO_ROOT_THERE)
            _check_own_tree(desk, to)
        case matters.Pushing(count), moves.Steps(by):
            _check_steps(by, count, desk.scene.trackers)
        case matters.Lowering(count), moves.Lower(by):
            _check_steps(by, count, room_below(desk))
        case _, moves.Done() if may_decline(matter):
            pass
        case _:
            raise IllegalMove(refusals.NOT_ASKED)
    return NOTHING


def may_decline(matter: Matter) -> bool:
    """Whether the matter may be closed by `Done`."""
    match matter:
        case matters.Placing(sleeper=sleeper):
            return sleeper is not None
        case matters.Upkeep() | matters.Toll() | matters.Pushing() | matters.Drawing():
            return False
        case matters.GainingAny() | matters.Lowering() | matters.Running():
            return False
        case _:
            return True


def check_start(desk: Desk, matter: matters.Placing, start: str) -> None:
    """Refuse a root that isn't there, or doesn't move now. Raises IllegalMove. Rules: Placement."""
    tile = desk.tile(start)
    stands = tile.roots if tile is not None else desk.seat in desk.scene.roots.get(start, ())
    if not stands:
        raise IllegalMove(refusals.NO_ROOT_THERE)
    if matter.sleeper not in (None, start):
        raise IllegalMove(refusals.NOT_THE_SLEEPER)


def check_end(desk: Desk, to: str) -> None:
    """Refuse a place that no root of the seat can go to. Raises IllegalMove. Rules: Placement."""
    if to in AREAS:
        _check_own_tree(desk, to)
    elif not desk.board.spaces.get(to):
        raise IllegalMove(refusals.NOTHING_TO_DO)
    elif not can_pay_toll(desk, to):
        raise IllegalMove(refusals.TOLL_TOO_HIGH)


def _check_own_tree(desk: Desk, area: AreaCode) -> None:
    tile = desk.tile(area)
    if tile is None or tile.kind != "tree":
        raise IllegalMove(refusals.NOT_YOUR_TREE)


def _diverse(desk: Desk, matter: matters.Diverse, move: moves.Earth | moves.Meadow | moves.Grow) -> Amount:
    """Each at the price of the first of an action. Rules: Action spaces."""
    match move:
        case moves.Earth(area) if matter.earth:
            return groundwork.earth(desk, matters.Earths(), area)
        case moves.Meadow(area) if matter.meadow:
            return groundwork.meadow(desk, matters.Meadows(), area)
        case moves.Grow(area) if matter.grow:
            return groundwork.growth(desk, matters.Growing(), area)
        case _:
            raise IllegalMove(refusals.ALREADY_USED)


def _check_size(amount: Amount, count: int) -> None:
    """Refuse what isn't exactly so many resources."""
    if len(amount) != len(RESOURCES) or min(amount) < 0 or sum(amount) != count:
        raise IllegalMove(refusals.exactly(count))


def _takeover(desk: Desk, matter: matters.TakingOver, move: moves.Takeover) -> Amount:
    """Rules: Alternative spaces."""
    groundwork.victim(desk, move.area)
    if matter.free:
        if move.pay is not None:
            raise IllegalMove(refusals.NOT_ASKED)
        return NOTHING
    if move.pay is None:
        raise IllegalMove(refusals.exactly(prices.GIFT))
    _check_size(move.pay, prices.GIFT)
    return plus(prices.TAKEOVER, move.pay)


def _cast(desk: Desk, matter: matters.Casting, card: str) -> Amount:
    """Rules: Casting."""
    if card not in desk.hand:
        raise IllegalMove(refusals.NOT_HELD)
    if matter.cast >= roots_at_home(desk):
        raise IllegalMove(refusals.NO_ROOT_AT_HOME)
    return prices.casting(desk, card, matter.cast)


def roots_at_home(desk: Desk) -> int:
    """How many roots of the seat stand on its trees."""
    return sum(tile.roots for tile in desk.scene.tiles.values() if tile.owner == desk.seat)


def _upkeep(desk: Desk, matter: matters.Upkeep, move: Move) -> Amount:
    """Rules: Upkeep."""
    items, free = matter.items[desk.seat], matter.free[desk.seat]
    resource = PAID_IN[matter.track]
    if not items:
        raise IllegalMove(refusals.OWES_NOTHING)
    match move:
        case moves.DropRest():
            return NOTHING
        case moves.PayRest():
            price = unit(resource, len(items) - free)
            if not covers(desk.stash, price):
                raise IllegalMove(refusals.too_few(len(items) - free, resource))
            return price
        case moves.Pay(item) | moves.Drop(item):
            if item not in items:
                raise IllegalMove(refusals.NOT_AN_ITEM)
            if len(items) == 1:
                raise IllegalMove(refusals.LAST_ITEM)
            if isinstance(move, moves.Drop) or free:
                return NOTHING
            if not covers(desk.stash, unit(resource)):
                raise IllegalMove(refusals.none_left(resource))
            return unit(resource)
        case _:
            raise IllegalMove(refusals.NOT_ASKED)


def _toll(desk: Desk, matter: matters.Toll, move: moves.PayToll) -> Amount:
    """Rules: Toll."""
    to, count = matter.due[0]
    if move.to != to:
        raise IllegalMove(refusals.TOLL_TO_ANOTHER)
    _check_size(move.pay, count)
    if not covers(desk.stash, move.pay):
        raise IllegalMove(refusals.missing(desk.stash, move.pay))
    return move.pay


def _transform(desk: Desk, move: moves.Trade | moves.Buy | moves.TakeRow | moves.TakePile) -> Amount:
    """Mana for mana's worth. Trading keeps the number of resources. Rules: Action spaces."""
    match move:
        case moves.Buy(seed):
            if not seeds_of(desk.scene.seeds, seed):
                raise IllegalMove(refusals.NO_SUCH_SEED)
            return prices.seed(seed)
        case moves.Trade(resource):
            if resource == "M" or resource not in RESOURCES:
                raise IllegalMove(refusals.NOT_ASKED)
            if not covers(desk.stash, TRADE):
                raise IllegalMove(refusals.missing(desk.stash, TRADE))
        case _:
            _check_draw(desk, move)
    return TRADE


def _check_draw(desk: Desk, move: moves.TakeRow | moves.TakePile) -> None:
    """Rules: Drawing cards."""
    if isinstance(move, moves.TakePile):
        if not desk.blind:
            raise IllegalMove(refusals.PILE_EMPTY)
    elif move.slot not in range(len(desk.scene.row)):
        raise IllegalMove(refusals.NO_SUCH_CARD)


def _check_swap(desk: Desk, matter: matters.Swapping, a: AreaCode, b: AreaCode) -> None:
    """Rules: Action spaces."""
    for area in (a, b):
        if area not in desk.board.bit:
            raise IllegalMove(refusals.NOT_IN_PLAY)
        if desk.tile(area) is None:
            raise IllegalMove(refusals.NOT_YOURS)
    if _AREA_ORDER[a] >= _AREA_ORDER[b]:
        raise IllegalMove(refusals.NOT_TO_SWAP)
    if len({*matter.areas, a, b}) > matter.most:
        raise IllegalMove(refusals.more_tiles_than(matter.most))


def _check_offer(desk: Desk, move: moves.Offer) -> None:
    """Rules: Alternative spaces."""
    tile = desk.tile(move.area)
    if tile is None:
        raise IllegalMove(refusals.NOT_YOURS)
    match tile.kind:
        case "earth":
            fits = move.resource in RESOURCES and move.source is None and move.card is None
        case "lake" | "meadow":
            fits = move.resource is None and move.source is None and move.card is None
            if desk.scene.offered >= OFFERS_MOST:
                raise IllegalMove(refusals.placements_at_most(OFFERS_MOST))
        case "bush":
            fits = move.resource is None and move.source in ("hand", "discard")
            if fits and move.card not in (desk.hand if move.source == "hand" else desk.scene.discards):
                raise IllegalMove(refusals.NOT_HELD if move.source == "hand" else refusals.NOT_DISCARDED)
        case _:
            raise IllegalMove(refusals.NOT_TO_OFFER)
    if not fits:
        raise IllegalMove(refusals.WHAT_FOR)


def room_below(desk: Desk) -> Steps3:
    """How many steps each tracker can be moved down. Rules: Steps."""
    lowest = desk.board.bottom
    lakes, growth, cards = desk.scene.trackers
    return (lowest - lakes, lowest - growth, lowest - cards)


def _check_steps(by: Steps3, count: int, room: Steps3) -> None:
    """Exactly so many steps, on each track not more than there is room for. Rules: Steps."""
    if len(by) != len(room) or min(by) < 0 or sum(by) != count:
        raise IllegalMove(refusals.exactly(count))
    if any(step > most for step, most in zip(by, room, strict=True)):
        raise IllegalMove(refusals.TOO_MANY_STEPS)
