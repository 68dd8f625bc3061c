"""Tanglewood as the strong player of the last version plays it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engines.game import Seat
from engines.tanglewood.legal.deeds import workers_after
from engines.tanglewood.legal.moves import choices
from engines.tanglewood.moves import KeepBallots, Move, PlayBallots, TanglewoodStep
from engines.tanglewood.pieces.components import REGIONS, SCORING, Region
from engines.tanglewood.view import TanglewoodView
from tests.strength.last.tanglewood.actions import Appraiser
from tests.strength.last.tanglewood.evaluation import Gauge, Heat, measured

AT_THE_VOTE, AFTER_THE_VOTE = 1.2, 2.5
"""How uncertain a scoring is when ballots are played, and when they are kept for the next."""


def choose(view: TanglewoodView, seat: Seat, rng: Random) -> Move:
    """A legal move for a seat that owes one. Rules: Computer players."""
    legal = choices(view)
    if view.viewer != seat or not legal:
        raise ValueError("this seat owes no move")
    if view.phase == "keep":
        return _kept(view, measured(view, seat, Heat(AFTER_THE_VOTE)))
    gain = gains(view, seat)
    return max(legal, key=gain)


def gains(view: TanglewoodView, seat: Seat) -> Callable[[Move], float]:
    """What each of a seat's choices gains, in votes; not of the ballots to keep."""
    if view.phase == "ballots":
        gauge = measured(view, seat, Heat(AT_THE_VOTE))
        return lambda move: _gained(view, gauge, move)
    appraiser = Appraiser(view, seat)
    if view.phase == "turn":
        return appraiser.action
    return lambda move: _choice(view, appraiser, move)


def _choice(view: TanglewoodView, appraiser: Appraiser, move: Move) -> float:
    """What a choice gains that a step or a Tangle leaves."""
    match move:
        case TanglewoodStep(track):
            return appraiser.step(track)
        case _:
            return _gained(view, appraiser.gauge, move)


def _gained(view: TanglewoodView, gauge: Gauge, move: Move) -> float:
    """What the workers gain that a choice moves or brings."""
    return gauge.change(view.workers, workers_after(view.workers, gauge.seat, move, view.active))


def _kept(view: TanglewoodView, gauge: Gauge) -> KeepBallots:
    """The best ballots of the hand, as far as they gain more than one of any region would."""

    def gain(region: Region) -> float:
        return _gained(view, gauge, PlayBallots((region,)))

    average = sum(map(gain, REGIONS)) / len(REGIONS)
    good = sorted(
        (ballot for ballot in view.hands[gauge.seat] or () if gain(ballot) > average), key=gain, reverse=True
    )
    return KeepBallots(tuple(sorted(good[: SCORING.ballots_kept])))
