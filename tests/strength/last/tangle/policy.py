"""Rules of thumb: what the computer player decides at a glance. Rules: Computer players."""

from __future__ import annotations

from engines.tangle import decisions, moves
from engines.tangle.decisions import Decision
from engines.tangle.legal.check import gain_of, price_of
from engines.tangle.legal.context import Context
from engines.tangle.legal.moves import legal
from engines.tangle.legal.tiles import next_kind
from engines.tangle.moves import Move, Steps3
from engines.tangle.pieces.amounts import RESOURCES, Amount, minus, plus, size
from engines.tangle.pieces.card_language import TrackName
from engines.tangle.pieces.components import CARDS, PAID_IN, TRACKS, AreaCode, CardId, ConditionId, Seed
from engines.tangle.pieces.ongoing_effects import powers
from tests.strength.last.tangle.evaluation import evaluate_card
from tests.strength.last.tangle.plans import Plan, holdings, plans

_NEEDED, _NEVER = 1.0, -1.0
"""The appeal of what the plan needs, and of what it doesn't."""

_RESOURCE, _SPARE = 0.34, 0.06
"""A resource that the plan's bill names, and one beyond it."""

_UNPAYABLE, _OTHERS = 1.2, 0.6
"""An item of upkeep that is lost for want of resources, and how much the others' harm counts."""

_NEAR = 0.3
"""How much of an upkeep's harm a step that brings it nearer does, for the whole way."""


def decide(context: Context, decision: Decision, conditions: tuple[ConditionId, ...]) -> Move:
    """What looks best at a glance, of what is legal; the seat must owe the decision."""
    plan = plans(conditions, holdings(context))[0]
    return max(legal(context, decision), key=lambda move: _appeal(context, decision, plan, move))


def ranked(context: Context, decision: Decision, conditions: tuple[ConditionId, ...]) -> list[Move]:
    """All that is legal, what looks best at a glance first."""
    plan = plans(conditions, holdings(context))[0]
    return sorted(legal(context, decision), key=lambda move: -_appeal(context, decision, plan, move))


def _appeal(context: Context, decision: Decision, plan: Plan, move: Move) -> float:
    """How good a move looks beside declining, which is 0."""
    price = price_of(context, decision, move)
    spent = _spent(context, plan, price)
    match move:
        case moves.Earth(area):
            return _if(plan.earth, 0.2 - spent + _site(context, area))
        case moves.Takeover(area):
            return _if(plan.earth, 0.5 - spent + _site(context, area))
        case moves.Lake(area):
            return _if(plan.lakes, _NEEDED + _waters(context, area) - _buried(context, area))
        case moves.Meadow(area):
            return _if(plan.meadows, _NEEDED + _site(context, area) - _buried(context, area))
        case moves.TanglePlant(seed, area):
            return _if(_of(plan.plant, seed), _NEEDED + (1 if seed == "bush" else -1) * _site(context, area))
        case moves.Hedge(area):
            return _if(plan.fetch[0], _NEEDED + _site(context, area))
        case moves.Sprout(area):
            return _if(plan.plant[1], _NEEDED - _buried(context, area))
        case moves.Grow(area):
            return _growth(context, plan, area) - 0.1 * size(price)
        case moves.TakeRow() | moves.TakePile():
            return _draw(context, decision, plan, move, spent)
        case moves.Buy(seed):
            return _if(_of(plan.fetch, seed), _NEEDED - spent)
        case moves.Steps(by):
            return -_harm(context, by)
        case moves.Lower(by):
            return _harm(context, by)
        case moves.Recall():
            return _if(min(plan.cards, len(context.hand)), _NEEDED)
        case moves.TangleSwap() | moves.Offer():
            return _NEVER
        case _:
            return _bargain(context, plan, price, gain_of(context.public, decision, move))


def _bargain(context: Context, plan: Plan, price: Amount, gain: Amount) -> float:
    """How much better the purse is after resources changed hands, and nothing else."""
    return _purse(plan, plus(minus(context.stash, price), gain)) - _purse(plan, context.stash)


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


def _spent(context: Context, plan: Plan, price: Amount) -> float:
    """What paying a price loses."""
    return _purse(plan, context.stash) - _purse(plan, minus(context.stash, price))


def _site(context: Context, area: AreaCode) -> float:
    """How good an area is for what gathers cubes: spaces at its corners, lakes beside it."""
    waters = (context.board.borders[area] & context.lakes).bit_count()
    near = (context.board.borders[area] & context.own).bit_count()
    return 0.07 * context.board.corners[area] + 0.12 * min(1, waters) + 0.03 * near


def _waters(context: Context, area: AreaCode) -> float:
    """What a lake on an area would do for the seat's tiles beside it."""
    return 0.15 * (context.board.borders[area] & context.own).bit_count() - 0.05 * context.board.corners[area]


def _buried(context: Context, area: AreaCode) -> float:
    """What is lost if something is laid on own clean earth there."""
    tile = context.tile(area)
    if tile is None:
        return 0.0
    return 0.6 if tile.seed is None else 1.5


def _growth(context: Context, plan: Plan, area: AreaCode) -> float:
    match next_kind(context.tile(area)):
        case "bush":
            return _if(plan.bushes, _NEEDED)
        case "sapling":
            return _if(plan.trees + plan.saplings, _NEEDED)
        case _:
            return _if(plan.trees, _NEEDED + 0.3)


def card_appeal(card: CardId) -> float:
    """How gladly a card is taken into the hand."""
    once = 0.6 * len(CARDS[card].ops)
    return 0.3 * evaluate_card(card) + once - _RESOURCE * size(CARDS[card].cost)


_UNSEEN = sum(card_appeal(card) * facts.copies for card, facts in CARDS.items()) / sum(
    facts.copies for facts in CARDS.values()
)


def _draw(
    context: Context, decision: Decision, plan: Plan, move: moves.TakeRow | moves.TakePile, spent: float
) -> float:
    appeal = card_appeal(context.public.row[move.slot]) if isinstance(move, moves.TakeRow) else _UNSEEN
    if isinstance(decision, decisions.DrawingCards):
        return appeal
    return _if(plan.cards > len(context.hand), 0.55 - spent + 0.1 * appeal)


def _harm(context: Context, by: Steps3) -> float:
    """What steps towards upkeep do to the seat, less a part of what they do to the others."""
    public = context.public
    others = [Context(public, seat, (), 0) for seat in range(public.seats) if context.is_opponent(seat)]
    found = 0.0
    for track, steps, left in zip(TRACKS, by, public.trackers, strict=True):
        if steps:
            share = 1.0 if steps >= left else _NEAR * steps / left
            theirs = sum(upkeep_harm(other, track) for other in others) / max(1, len(others))
            found += share * (upkeep_harm(context, track) - _OTHERS * theirs)
    return found


def upkeep_harm(context: Context, track: TrackName) -> float:
    """What a seat would lose if the upkeep of a track were due now."""
    owed = len(context.dues(track)) - powers(context.player.front).free.get(track, 0)
    payable = context.stash[RESOURCES.index(PAID_IN[track])]
    return _RESOURCE * max(0, min(owed, payable)) + _UNPAYABLE * max(0, owed - payable)
