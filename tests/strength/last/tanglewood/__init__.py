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
from tests.strength.last.tanglewood.actions import LastAppraiser
from tests.strength.last.tanglewood.evaluation import LastGauge, LastHeat, gauge_for

AT_THE_VOTE, AFTER_THE_VOTE = 1.2, 2.5
"""The uncertainty of a scoring when ballots are played, and when they are kept for the next."""


def choose(view: TanglewoodView, seat: Seat, rng: Random) -> Move:
    """Choose a legal move for a seat to move. Rules: Computer players."""
    legal = choices(view)
    if view.viewer != seat or not legal:
        raise ValueError("this seat owes no move")
    if view.phase == "keep":
        return _choose_kept_ballots(view, gauge_for(view, seat, LastHeat(AFTER_THE_VOTE)))
    gain = gains(view, seat)
    return max(legal, key=gain)


def gains(view: TanglewoodView, seat: Seat) -> Callable[[Move], float]:
    """Return the gain of each of a seat's choices, in votes.

    Ballots to keep are not among them.
    """
    if view.phase == "ballots":
        gauge = gauge_for(view, seat, LastHeat(AT_THE_VOTE))
        return lambda move: _worker_gain(view, gauge, move)
    appraiser = LastAppraiser(view, seat)
    if view.phase == "turn":
        return appraiser.action
    return lambda move: _choice(view, appraiser, move)


def _choice(view: TanglewoodView, appraiser: LastAppraiser, move: Move) -> float:
    """Return the gain of a step's or a Tangle's choice."""
    match move:
        case TanglewoodStep(track):
            return appraiser.step(track)
        case _:
            return _worker_gain(view, appraiser.gauge, move)


def _worker_gain(view: TanglewoodView, gauge: LastGauge, move: Move) -> float:
    """Return the gain of the workers that a choice moves or brings."""
    return gauge.change(view.workers, workers_after(view.workers, gauge.seat, move, view.active))


def _choose_kept_ballots(view: TanglewoodView, gauge: LastGauge) -> KeepBallots:
    """Keep the best ballots that gain more than one of any region."""

    def gain(region: Region) -> float:
        return _worker_gain(view, gauge, PlayBallots((region,)))

    average = sum(map(gain, REGIONS)) / len(REGIONS)
    good = sorted(
        (ballot for ballot in view.hands[gauge.seat] or () if gain(ballot) > average), key=gain, reverse=True
    )
    return KeepBallots(tuple(sorted(good[: SCORING.ballots_kept])))
