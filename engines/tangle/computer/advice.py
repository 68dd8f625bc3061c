"""Advice of the strong computer player: its best choices, and estimates of a seat's prospects."""

from random import Random
from typing import Any

from engines.game import ADVISED, Advice, Game, Seat
from engines.tangle import decisions, moves
from engines.tangle.computer.ahead import best
from engines.tangle.computer.judging import TrialFactory, TrialLike, decide_upkeep
from engines.tangle.computer.plans import holdings, plans
from engines.tangle.computer.policy import decide
from engines.tangle.computer.winning import winning_move
from engines.tangle.legal.conditions import counts_of, lacking
from engines.tangle.legal.context import Context, context_of
from engines.tangle.moves import Move
from engines.tangle.pieces.card_language import CountName, TrackName
from engines.tangle.pieces.components import TRACKS, ConditionId
from engines.tangle.preview import TurnPreview, bill
from engines.tangle.view import TangleView

UPKEPT: dict[TrackName, CountName] = {"lakes": "lakes", "cards": "enchantments"}
"""The counted things that an upkeep takes, apart from meadows and bushes of the seat's choice."""


def advice(
    view: TangleView, seat: Seat, rng: Random, rules: Game[Any, Any, Any, Any, Any, Any], trials: TrialFactory
) -> list[Advice]:
    """Return winning moves first, then the best choices some turns on. Of upkeep, one choice."""
    if view.decision is None or view.conditions is None or view.viewer != seat:
        raise ValueError("this seat owes no move")
    trial, conditions = trials.of(view, rng), view.conditions
    if isinstance(view.decision, decisions.Upkeep):
        entries = [decide_upkeep(trial, view.decision, seat, conditions)]
    else:
        won = winning_move(view, seat, rng, rules, trials)
        entries = [choice.candidate for choice in best(view, seat, rng, rules, trials)]
        entries = _by_end(entries if won is None else [won, *entries])
    return [Advice((move,), _turn_preview(trial, seat, conditions, move)) for move in entries[:ADVISED]]


def _turn_preview(
    trial: TrialLike, seat: Seat, conditions: tuple[ConditionId, ...], move: Move
) -> TurnPreview | None:
    """Preview a placement or a card with the computer's follow-ups. None if it is another move."""
    if not isinstance(move, moves.TanglePlace | moves.Cast):
        return None
    before, (then, _) = trial.context(seat), trial.after(move, decide)
    had, has = _counts_after_upkeep(before, seat), _counts_after_upkeep(then, seat)
    nearer = [(one, lacking(one, had) - lacking(one, has)) for one in conditions]
    nearer.sort(key=lambda pair: -pair[1])
    return TurnPreview(
        tuple((name, more) for name in has if name != "group" and (more := has[name] - had[name]) > 0),
        tuple(pair for pair in nearer if pair[1] > 0),
    )


def _counts_after_upkeep(context: Context, seat: Seat) -> dict[CountName, int]:
    """Count what a seat keeps after upkeep that is sure to come."""
    counts, public = dict(counts_of(context)), context.public
    for track, name in UPKEPT.items():
        number = TRACKS.index(track)
        if public.markers[number] is not None or not public.trackers[number]:
            counts[name] -= bill(public, seat, track).lost
    return counts


def _by_end(entries: list[Move]) -> list[Move]:
    """Keep only the first placement to each space."""
    ends: dict[object, Move] = {}
    for move in entries:
        ends.setdefault(move.to if isinstance(move, moves.TanglePlace) else move, move)
    return list(ends.values())


def estimate(view: TangleView, seat: Seat) -> float | None:
    """Estimate the rounds to the nearest condition, negated. None if a seat has left."""
    if view.conditions is None or view.viewer != seat or seat in view.out:
        return None
    return -plans(view.conditions, holdings(context_of(view)))[0].time
