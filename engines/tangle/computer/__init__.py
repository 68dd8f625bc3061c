"""The computer players: each decides from its own view alone, one move at a time.

The medium one tries every placement on a copy of its view, decides the follow-ups by rules of thumb, and
takes the best; the easy and casual ones do so too, but overlook some and misjudge the others. The strong one
plays its best choices on for some turns.
"""

from random import Random

from engines.analysis.search import Attention, pick
from engines.game import ADVISED, Advice, AnyGame, Seat, Strength, Thinking
from engines.tangle import decisions, moves
from engines.tangle.computer import policy, search
from engines.tangle.computer.evaluation import holdings, plans
from engines.tangle.computer.search import NEAR, ONE_PLACEMENT, best, winning_move
from engines.tangle.legal.context import Context, context_of, counts_of, lacking
from engines.tangle.legal.moves import choices
from engines.tangle.moves import Move
from engines.tangle.pieces.card_language import CountName, TrackName
from engines.tangle.pieces.components import TRACKS, ConditionId
from engines.tangle.preview import TurnPreview, bill
from engines.tangle.view import TangleView

ATTENTION = {
    Strength.EASY: Attention(overlooked=0.33, misjudged=3.9),
    Strength.CASUAL: Attention(overlooked=0.23, misjudged=2.7),
    Strength.MEDIUM: Attention(misjudged=1.0),
}
"""The attention of the players that don't look ahead, in rounds."""


def choose(
    view: TangleView,
    seat: Seat,
    rng: Random,
    strength: Strength,
    rules: AnyGame,
    trials: policy.TrialFactory,
    thinking: Thinking = Thinking.USUAL,
) -> Move:
    """Choose a legal move for a seat that owes one.

    Rules: Computer players. Raises ValueError for a seat that owes none.
    """
    legal = choices(view)
    if view.viewer != seat or view.decision is None or view.conditions is None or not legal:
        raise ValueError("this seat owes no move")
    won = winning_move(view, seat, rng, rules, trials, ONE_PLACEMENT if strength is Strength.EASY else NEAR)
    if won is not None:
        return won
    if isinstance(view.decision, decisions.Upkeep):
        return policy.decide_upkeep(trials.of(view, rng), view.decision, seat, view.conditions)
    if strength is Strength.STRONG:
        return search.best(view, seat, rng, rules, trials, search.DEPTHS[thinking])[0].candidate
    trial, conditions, attention = trials.of(view, rng), view.conditions, ATTENTION[strength]
    match view.decision:
        case decisions.Placing():
            return pick(
                policy.placements(legal),
                lambda move: policy.after(trial, conditions, move),
                attention,
                rng,
                lambda move: policy.is_idle(trial, seat, move),
            )
        case decisions.Casting():
            return max(legal, key=lambda move: policy.gain_of_card(trial, seat, conditions, move))
        case _:
            return policy.decide(trial.context(seat), view.decision, conditions)


UPKEPT: dict[TrackName, CountName] = {"lakes": "lakes", "cards": "enchantments"}
"""The counted things that an upkeep takes, apart from meadows and bushes of the seat's choice."""


def advice(
    view: TangleView, seat: Seat, rng: Random, rules: AnyGame, trials: policy.TrialFactory
) -> list[Advice]:
    """Return winning moves first, then the best choices some turns on. Of upkeep, one choice."""
    if view.decision is None or view.conditions is None or view.viewer != seat:
        raise ValueError("this seat owes no move")
    trial, conditions = trials.of(view, rng), view.conditions
    if isinstance(view.decision, decisions.Upkeep):
        entries = [policy.decide_upkeep(trial, view.decision, seat, conditions)]
    else:
        won = winning_move(view, seat, rng, rules, trials)
        entries = [choice.candidate for choice in best(view, seat, rng, rules, trials)]
        ends: dict[object, Move] = {}  # only the first placement to each space
        for move in entries if won is None else [won, *entries]:
            ends.setdefault(move.to if isinstance(move, moves.TanglePlace) else move, move)
        entries = list(ends.values())
    return [Advice((move,), _turn_preview(trial, seat, conditions, move)) for move in entries[:ADVISED]]


def _turn_preview(
    trial: policy.TrialLike, seat: Seat, conditions: tuple[ConditionId, ...], move: Move
) -> TurnPreview | None:
    """Preview a placement or a card with the computer's follow-ups. None if it is another move."""
    if not isinstance(move, moves.TanglePlace | moves.Cast):
        return None
    before, (then, _) = trial.context(seat), trial.after(move, policy.decide)
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


def estimate(view: TangleView, seat: Seat) -> float | None:
    """Estimate the rounds to the nearest condition, negated. None if a seat has left."""
    if view.conditions is None or view.viewer != seat or seat in view.out:
        return None
    return -plans(view.conditions, holdings(context_of(view)))[0].time
