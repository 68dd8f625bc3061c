"""Values of one placement, one card or the upkeep to a seat, tried on a copy of its view."""

from collections.abc import Callable, Iterable
from random import Random
from typing import Any, Protocol

import msgspec

from engines.game import Seat
from engines.tangle import decisions, moves
from engines.tangle.computer.evaluation import value
from engines.tangle.computer.plans import holdings, plans
from engines.tangle.computer.policy import decide
from engines.tangle.decisions import Decision
from engines.tangle.legal.context import Context
from engines.tangle.legal.prices import casting
from engines.tangle.moves import Move
from engines.tangle.pieces.amounts import RESOURCES
from engines.tangle.pieces.board import Kind
from engines.tangle.pieces.card_language import TrackName
from engines.tangle.pieces.components import PAID_IN, TRACKS, AreaCode, CardId, ConditionId, Seed
from engines.tangle.view import TangleView

Conditions = tuple[ConditionId, ...]
Decide = Callable[[Context, Decision, Conditions], Move]

_CARD_WANTED = 1.25
"""Value of one more card in front of a seat while the plan needs cards."""

_CARDS: TrackName = "cards"
_PRICE = 0.2
"""Cost of a resource paid for upkeep."""


class TrialLike(Protocol):
    """A copy of a seat's view to try moves on. See `engines.tangle.truth.trial`."""

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


def _faces(context: Context) -> dict[AreaCode, tuple[Seat, Kind, Seed | None]]:
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
        then, wanted = _without_card(then, move.card), 0.0
    return value(then, conditions, extra=extra) + wanted - value(context, conditions)


def _loses_cards_soon(context: Context) -> bool:
    """Return True if unpayable upkeep of cards comes within a round."""
    if context.public.markers[TRACKS.index(_CARDS)] is None:
        return False
    owed = len(context.dues(_CARDS)) - context.powers.free.get(_CARDS, 0)
    return owed > context.stash[RESOURCES.index(PAID_IN[_CARDS])]


def _without_card(context: Context, card: CardId) -> Context:
    """Return the context once that card is lost."""
    public, seat = context.public, context.seat
    front = list(context.player.front)
    if card in front:
        front.remove(card)
    players = list(public.players)
    players[seat] = msgspec.structs.replace(context.player, front=tuple(front))
    return Context(msgspec.structs.replace(public, players=players), seat, context.hand, context.blind)


def decide_upkeep(trial: TrialLike, decision: decisions.Upkeep, seat: Seat, conditions: Conditions) -> Move:
    """Keep affordable items that the plan needs. Drop those worth less than their price."""
    items, free, context = decision.items[seat], decision.free[seat], trial.context(seat)
    now = value(context, conditions)
    losses = {item: now - value(trial.without(seat, item), conditions) for item in items}
    payable = free + context.stash[RESOURCES.index(PAID_IN[decision.track])]
    dear = sorted(items, key=lambda item: -losses[item])
    kept = [item for number, item in enumerate(dear) if losses[item] > (_PRICE if number >= free else 0.0)]
    if len(kept[:payable]) == len(items):
        return moves.PayRest()
    return moves.Drop(dear[-1]) if kept[:payable] and len(items) > 1 else moves.DropRest()
