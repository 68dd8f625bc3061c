"""Rules of thumb: what the computer player decides at a glance. Rules: Computer players."""

from __future__ import annotations

from engines.tangle import matters, moves, prices
from engines.tangle.amounts import RESOURCES, Amount, minus, plus, size, unit
from engines.tangle.data import CARDS, PAID_IN, TRACKS, AreaCode, CardId, ConditionId, Seed
from engines.tangle.desk import Desk
from engines.tangle.groundwork import next_kind
from engines.tangle.legal import legal
from engines.tangle.matters import Matter
from engines.tangle.moves import Move, Steps3
from engines.tangle.pieces import TrackName
from engines.tangle.placement import BEARS
from engines.tangle.plan import Plan, holdings, plans
from engines.tangle.powers import powers
from engines.tangle.quotes import quote
from engines.tangle.worth import worth

_NEEDED, _NEVER = 1.0, -1.0
"""The appeal of what the plan needs, and of what it doesn't."""

_RESOURCE, _SPARE = 0.34, 0.06
"""A resource that the plan's bill names, and one beyond it."""

_UNPAYABLE, _OTHERS = 1.2, 0.6
"""An item of upkeep that is lost for want of resources, and how much the others' harm counts."""

_NEAR = 0.3
"""How much of an upkeep's harm a step that brings it nearer does, for the whole way."""


def decide(desk: Desk, matter: Matter, conditions: tuple[ConditionId, ...]) -> Move:
    """What looks best at a glance, of what is legal; the seat must owe the matter."""
    plan = plans(conditions, holdings(desk))[0]
    return max(legal(desk, matter), key=lambda move: _appeal(desk, matter, plan, move))


def _appeal(desk: Desk, matter: Matter, plan: Plan, move: Move) -> float:
    """How good a move looks beside declining, which is 0."""
    match move:
        case moves.Earth(area):
            return _if(plan.earth, 0.2 - _spent(desk, plan, quote(desk, matter, move)) + _site(desk, area))
        case moves.Lake(area):
            return _if(plan.lakes, _NEEDED + _waters(desk, area) - _buried(desk, area))
        case moves.Meadow(area):
            return _if(plan.meadows, _NEEDED + _site(desk, area) - _buried(desk, area))
        case moves.Plant(seed, area):
            return _if(_of(plan.plant, seed), _NEEDED + (1 if seed == "bush" else -1) * _site(desk, area))
        case moves.Hedge(area):
            return _if(plan.fetch[0], _NEEDED + _site(desk, area))
        case moves.Sprout(area):
            return _if(plan.plant[1], _NEEDED - _buried(desk, area))
        case moves.Grow(area):
            return _growth(desk, plan, area) - 0.1 * size(quote(desk, matter, move))
        case moves.TakeRow() | moves.TakePile():
            return _draw(desk, matter, plan, move)
        case moves.Trade() | moves.Buy():
            return _bargain(desk, plan, move)
        case moves.Takeover(area):
            return _if(plan.earth, 0.5 - _spent(desk, plan, quote(desk, matter, move)) + _site(desk, area))
        case moves.Steps(by):
            return -_harm(desk, by)
        case moves.Lower(by):
            return _harm(desk, by)
        case moves.Recall():
            return _if(min(plan.cards, len(desk.hand)), _NEEDED)
        case _:
            return _transfer(desk, plan, matter, move)


def _transfer(desk: Desk, plan: Plan, matter: Matter, move: Move) -> float:
    """What changes hands: tolls, gifts and gains."""
    match move:
        case moves.PayToll(_, pay):
            return -_spent(desk, plan, pay)
        case moves.Choose(gain):
            return _purse(plan, plus(desk.stash, gain))
        case moves.Drain(area):
            tile = desk.scene.tiles[area]
            most = matter.most if isinstance(matter, matters.Draining) else 0
            gained = unit(BEARS[tile.kind], min(most, tile.cubes))
            return _purse(plan, plus(desk.stash, gained)) - _purse(plan, desk.stash)
        case moves.Done():
            return 0.0
        case _:
            return _NEVER


def _if(needed: int, appeal: float) -> float:
    return appeal if needed else _NEVER


def _of(pair: tuple[int, int], seed: Seed) -> int:
    return pair[seed == "tree"]


def _purse(plan: Plan, stash: Amount) -> float:
    """What a stash is worth with that bill to pay."""
    found = 0.0
    for there, cost in zip(stash, plan.bill, strict=True):
        found += _RESOURCE * min(there, cost) + _SPARE * max(0, there - cost)
    return found


def _spent(desk: Desk, plan: Plan, price: Amount) -> float:
    """What paying a price loses."""
    return _purse(plan, desk.stash) - _purse(plan, minus(desk.stash, price))


def _site(desk: Desk, area: AreaCode) -> float:
    """How good an area is for what gathers cubes: spaces at its corners, lakes beside it."""
    waters = (desk.board.borders[area] & desk.lakes).bit_count()
    near = (desk.board.borders[area] & desk.own).bit_count()
    return 0.07 * desk.board.corners[area] + 0.12 * min(1, waters) + 0.03 * near


def _waters(desk: Desk, area: AreaCode) -> float:
    """What a lake on an area would do for the seat's tiles beside it."""
    return 0.15 * (desk.board.borders[area] & desk.own).bit_count() - 0.05 * desk.board.corners[area]


def _buried(desk: Desk, area: AreaCode) -> float:
    """What is lost if something is laid on own clean earth there."""
    tile = desk.tile(area)
    if tile is None:
        return 0.0
    return 0.6 if tile.seed is None else 1.5


def _growth(desk: Desk, plan: Plan, area: AreaCode) -> float:
    match next_kind(desk.tile(area)):
        case "bush":
            return _if(plan.bushes, _NEEDED)
        case "sapling":
            return _if(plan.trees + plan.saplings, _NEEDED)
        case _:
            return _if(plan.trees, _NEEDED + 0.3)


def card_appeal(card: CardId) -> float:
    """How gladly a card is taken into the hand."""
    once = 0.6 * len(CARDS[card].ops)
    return 0.3 * worth(card) + once - _RESOURCE * size(CARDS[card].cost)


_UNSEEN = sum(card_appeal(card) * facts.copies for card, facts in CARDS.items()) / sum(
    facts.copies for facts in CARDS.values()
)


def _draw(desk: Desk, matter: Matter, plan: Plan, move: moves.TakeRow | moves.TakePile) -> float:
    appeal = card_appeal(desk.scene.row[move.slot]) if isinstance(move, moves.TakeRow) else _UNSEEN
    if isinstance(matter, matters.Drawing):
        return appeal
    wanting = plan.cards > len(desk.hand)
    return _if(wanting, 0.55 - _spent(desk, plan, quote(desk, matter, move)) + 0.1 * appeal)


def _bargain(desk: Desk, plan: Plan, move: moves.Trade | moves.Buy) -> float:
    """Mana changed into what the plan needs more."""
    if isinstance(move, moves.Buy):
        price = prices.seed(move.seed)
        return _if(_of(plan.fetch, move.seed), _NEEDED - _spent(desk, plan, price))
    swapped = plus(minus(desk.stash, unit("M")), unit(move.resource))
    return _purse(plan, swapped) - _purse(plan, desk.stash)


def _harm(desk: Desk, by: Steps3) -> float:
    """What steps towards upkeep do to the seat, less a part of what they do to the others."""
    scene = desk.scene
    others = [Desk(scene, seat, (), 0) for seat in range(scene.seats) if desk.is_opponent(seat)]
    found = 0.0
    for track, steps, left in zip(TRACKS, by, scene.trackers, strict=True):
        if steps:
            share = 1.0 if steps >= left else _NEAR * steps / left
            theirs = sum(upkeep_harm(other, track) for other in others) / max(1, len(others))
            found += share * (upkeep_harm(desk, track) - _OTHERS * theirs)
    return found


def upkeep_harm(desk: Desk, track: TrackName) -> float:
    """What a seat would lose if the upkeep of a track were due now."""
    owed = len(desk.dues(track)) - powers(desk.player.front).free.get(track, 0)
    payable = desk.stash[RESOURCES.index(PAID_IN[track])]
    return _RESOURCE * max(0, min(owed, payable)) + _UNPAYABLE * max(0, owed - payable)
