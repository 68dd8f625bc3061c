"""Rules of thumb for quick decisions, and values of placements, cards and upkeep."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from random import Random
from typing import Any, Protocol

import msgspec

from engines.game import Seat
from engines.tangle import decisions, moves
from engines.tangle.computer.evaluation import ConditionPlan, evaluate_card, holdings, plans, value
from engines.tangle.decisions import Decision
from engines.tangle.legal.context import Context, powers
from engines.tangle.legal.moves import gain_of, legal, price_of
from engines.tangle.legal.prices import casting
from engines.tangle.legal.tiles import next_kind
from engines.tangle.moves import Move, Steps3
from engines.tangle.pieces import components
from engines.tangle.pieces.board import Kind
from engines.tangle.pieces.card_language import TrackName
from engines.tangle.view import TangleView

_NEEDED, _NEVER = 1.0, -1.0
"""Appeal of a thing that the plan needs, and of one that it doesn't."""

_RESOURCE, _SPARE = 0.34, 0.06
"""Value of a resource that the plan's bill names, and of one beyond it."""

_UNPAYABLE, _OTHERS = 1.2, 0.6
"""Cost of an item of upkeep that can't be paid, and the weight of the others' harm."""

_SPOILS = 0.1
"""Appeal of an opponent's earth that the plan doesn't need: only if it's free."""

_NEAR = 0.3
"""Share of an upkeep's harm that a full track of steps towards it does."""


def decide(context: Context, decision: Decision, conditions: tuple[components.ConditionId, ...]) -> Move:
    plan = plans(conditions, holdings(context))[0]
    return max(legal(context, decision), key=lambda move: _appeal(context, decision, plan, move))


def rank_moves(
    context: Context, decision: Decision, conditions: tuple[components.ConditionId, ...]
) -> list[Move]:
    plan = plans(conditions, holdings(context))[0]
    return sorted(legal(context, decision), key=lambda move: -_appeal(context, decision, plan, move))


def _appeal(context: Context, decision: Decision, plan: ConditionPlan, move: Move) -> float:
    """Rate a move; declining is 0."""
    price = price_of(context, decision, move)
    spent = _purse(plan, context.stash) - _purse(plan, components.minus(context.stash, price))
    match move:
        case moves.Earth(area):
            return _if(plan.earth, 0.2 - spent + _site(context, area))
        case moves.Takeover(area):
            return 0.5 - spent + _site(context, area) if plan.earth else _SPOILS - components.size(price)
        case moves.Lake(area):
            return _if(
                plan.lakes,
                _NEEDED
                + (
                    0.15 * (context.board.borders[area] & context.own).bit_count()
                    - 0.05 * context.board.corners[area]
                )
                - _burial_loss(context, area),
            )
        case moves.Meadow(area):
            return _if(plan.meadows, _NEEDED + _site(context, area) - _burial_loss(context, area))
        case moves.TanglePlant(seed, area):
            return _if(_of(plan.plant, seed), _NEEDED + (1 if seed == "bush" else -1) * _site(context, area))
        case moves.Hedge(area):
            return _if(plan.fetch[0], _NEEDED + _site(context, area))
        case moves.Sprout(area):
            return _if(plan.plant[1], _NEEDED - _burial_loss(context, area))
        case moves.Grow(area):
            return _growth(context, plan, area) - 0.1 * components.size(price)
        case moves.TakeRow() | moves.TakePile():
            return _rate_draw(context, decision, plan, move, spent)
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
            return _purse(
                plan,
                components.plus(
                    components.minus(context.stash, price), gain_of(context.public, decision, move)
                ),
            ) - _purse(plan, context.stash)


def _if(needed: int, appeal: float) -> float:
    return appeal if needed else _NEVER


def _of(pair: tuple[int, int], seed: components.Seed) -> int:
    return pair[seed == "tree"]


def _purse(plan: ConditionPlan, stash: components.Amount) -> float:
    """Return the value of a stash with that bill to pay."""
    return _worth(plan.bill, stash)


@lru_cache(maxsize=1 << 13)
def _worth(bill: components.Amount, stash: components.Amount) -> float:
    value = 0.0
    for there, cost in zip(stash, bill, strict=True):
        value += _RESOURCE * min(there, cost) + _SPARE * max(0, there - cost)
    return value


def _site(context: Context, area: components.AreaCode) -> float:
    """Rate an area for tiles that gather cubes. Spaces at its corners, lakes beside it."""
    waters = (context.board.borders[area] & context.lakes).bit_count()
    near = (context.board.borders[area] & context.own).bit_count()
    return 0.07 * context.board.corners[area] + 0.12 * min(1, waters) + 0.03 * near


def _burial_loss(context: Context, area: components.AreaCode) -> float:
    """Return the value lost by laying something on own clean earth there."""
    tile = context.tile(area)
    if tile is None:
        return 0.0
    return 0.6 if tile.seed is None else 1.5


def _growth(context: Context, plan: ConditionPlan, area: components.AreaCode) -> float:
    match next_kind(context.tile(area)):
        case "bush":
            return _if(plan.bushes, _NEEDED)
        case "sapling":
            return _if(plan.trees + plan.saplings, _NEEDED)
        case _:
            return _if(plan.trees, _NEEDED + 0.3)


def card_appeal(card: components.CardId) -> float:
    once = 0.6 * len(components.CARDS[card].ops)
    return 0.3 * evaluate_card(card) + once - _RESOURCE * components.size(components.CARDS[card].cost)


_UNSEEN = sum(card_appeal(card) * facts.copies for card, facts in components.CARDS.items()) / sum(
    facts.copies for facts in components.CARDS.values()
)


def _rate_draw(
    context: Context,
    decision: Decision,
    plan: ConditionPlan,
    move: moves.TakeRow | moves.TakePile,
    spent: float,
) -> float:
    appeal = card_appeal(context.public.row[move.slot]) if isinstance(move, moves.TakeRow) else _UNSEEN
    if isinstance(decision, decisions.DrawingCards):
        return appeal
    return _if(plan.cards > len(context.hand), 0.55 - spent + 0.1 * appeal)


def _harm(context: Context, by: Steps3) -> float:
    """Return the harm of upkeep steps to the seat, less a part of the others' harm."""
    public = context.public
    others = [Context(public, seat, (), 0) for seat in range(public.seats) if context.is_opponent(seat)]
    value = 0.0
    for track, steps, left in zip(components.TRACKS, by, public.trackers, strict=True):
        if steps:
            share = 1.0 if steps >= left else _NEAR * steps / left
            theirs = sum(upkeep_harm(other, track) for other in others) / max(1, len(others))
            value += share * (upkeep_harm(context, track) - _OTHERS * theirs)
    return value


def upkeep_harm(context: Context, track: TrackName) -> float:
    """Return a seat's loss if the upkeep of a track were due now."""
    owed = len(context.dues(track)) - powers(context.player.front).free.get(track, 0)
    payable = context.stash[components.RESOURCES.index(components.PAID_IN[track])]
    return _RESOURCE * max(0, min(owed, payable)) + _UNPAYABLE * max(0, owed - payable)


Conditions = tuple[components.ConditionId, ...]
Decide = Callable[[Context, Decision, Conditions], Move]

_CARD_WANTED = 1.25
"""Value of one more card in front of a seat while the plan needs cards."""

_CARDS: TrackName = "cards"
_PRICE = 0.2
"""Cost of a resource paid for upkeep."""


class TrialLike(Protocol):
    """A copy of a seat's view to try moves on. See `engines.tangle.truth.visibility`."""

    def context(self, seat: Seat) -> Context:
        """Return the context of that seat's decisions."""

    def after(self, move: Move, decide: Decide) -> tuple[Context, int]:
        """Return the context after a move and its follow-ups."""

    def without(self, seat: Seat, item: str) -> Context:
        """Return a seat's context without an item of its upkeep."""


class TrialFactory(Protocol):
    """Creates trials."""

    def of(self, view: TangleView, rng: Random) -> TrialLike:
        """Return a trial on a state sampled from the view."""

    def at(self, state: Any) -> TrialLike:
        """Return a trial on a state as it is."""


def placements(legal: Iterable[Move]) -> list[Move]:
    """Return the moves without a change of upkeep.

    What it paid automatically is what it would pay if asked.
    """
    return [move for move in legal if not isinstance(move, moves.ChangeUpkeep)]


def after(trial: TrialLike, conditions: Conditions, move: Move) -> float:
    """Evaluate a placement or a card, with follow-ups by rules of thumb."""
    context, extra = trial.after(move, decide)
    return value(context, conditions, extra=extra)


def is_idle(trial: TrialLike, seat: Seat, move: Move) -> bool:
    """Return True if a placement brings its seat nothing.

    That is no tile, seed, card or resource, and no further card to cast.
    """
    before, (then, extra) = trial.context(seat), trial.after(move, decide)
    if extra or _faces(before) != _faces(then) or before.public.trackers != then.public.trackers:
        return False
    more = any(now < later for now, later in zip(before.stash, then.stash, strict=True))
    was, is_now = before.player, then.player
    same = (was.seeds, was.held, was.front) == (is_now.seeds, is_now.held, is_now.front)
    return not more and same and _count_castable(then) <= _count_castable(before)


def _faces(context: Context) -> dict[components.AreaCode, tuple[Seat, Kind, components.Seed | None]]:
    """Return the tiles without roots and cubes on them."""
    return {area: (tile.owner, tile.kind, tile.seed) for area, tile in context.public.tiles.items()}


def _count_castable(context: Context) -> int:
    """Count the cards that can be cast, at most one a root."""
    at_home = sum(tile.roots for tile in context.public.tiles.values() if tile.owner == context.seat)
    return min(at_home, sum(context.can_pay(casting(context, card, 0)) for card in context.hand))


def gain_of_card(trial: TrialLike, seat: Seat, conditions: Conditions, move: Move) -> float:
    """Evaluate casting a card, in rounds; casting none gains 0.

    A card that the next upkeep takes is worth what it does at once.
    """
    if not isinstance(move, moves.Cast):
        return 0.0
    context, (then, extra) = trial.context(seat), trial.after(move, decide)
    wanted = _CARD_WANTED if plans(conditions, holdings(context))[0].cards else 0.0
    if _loses_cards_soon(then) and plans(conditions, holdings(then))[0].time:
        front, players = list(then.player.front), list(then.public.players)
        if move.card in front:
            front.remove(move.card)
        players[then.seat] = msgspec.structs.replace(then.player, front=tuple(front))
        public, wanted = msgspec.structs.replace(then.public, players=players), 0.0
        then = Context(public, then.seat, then.hand, then.blind)
    return value(then, conditions, extra=extra) + wanted - value(context, conditions)


def _loses_cards_soon(context: Context) -> bool:
    """Return True if unpayable upkeep of cards comes within a round."""
    if context.public.markers[components.TRACKS.index(_CARDS)] is None:
        return False
    owed = len(context.dues(_CARDS)) - context.powers.free.get(_CARDS, 0)
    return owed > context.stash[components.RESOURCES.index(components.PAID_IN[_CARDS])]


def decide_upkeep(trial: TrialLike, decision: decisions.Upkeep, seat: Seat, conditions: Conditions) -> Move:
    """Keep affordable items that the plan needs. Drop those worth less than their price."""
    items, free, context = decision.items[seat], decision.free[seat], trial.context(seat)
    now = value(context, conditions)
    losses = {item: now - value(trial.without(seat, item), conditions) for item in items}
    payable = free + context.stash[components.RESOURCES.index(components.PAID_IN[decision.track])]
    dear = sorted(items, key=lambda item: -losses[item])
    kept = [item for number, item in enumerate(dear) if losses[item] > (_PRICE if number >= free else 0.0)]
    if len(kept[:payable]) == len(items):
        return moves.PayRest()
    return moves.Drop(dear[-1]) if kept[:payable] and len(items) > 1 else moves.DropRest()
