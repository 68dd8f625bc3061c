"""The immediate gain of each of a seat's choices, in votes. Rules: Computer players."""

from __future__ import annotations

from collections.abc import Callable

from engines.game import Seat
from engines.tanglewood.computer.actions import Appraiser
from engines.tanglewood.computer.evaluation import Gauge, Heat, measured
from engines.tanglewood.legal.deeds import workers_after
from engines.tanglewood.moves import KeepBallots, Move, PlayBallots, Step
from engines.tanglewood.pieces.components import REGIONS, SCORING, Region
from engines.tanglewood.view import View

AT_THE_VOTE, AFTER_THE_VOTE = 1.2, 2.5
"""Uncertainty of a scoring when ballots are played, and when they are kept for the next."""


def gains(view: View, seat: Seat) -> Callable[[Move], float]:
    """Return a function for the gain of a choice, in votes.

    Not of the ballots to keep.
    """
    if view.phase == "ballots":
        gauge = measured(view, seat, Heat(AT_THE_VOTE))
        return lambda move: _gained(view, gauge, move)
    appraiser = Appraiser(view, seat)
    if view.phase == "turn":
        return appraiser.action
    return lambda move: _choice(view, appraiser, move)


def _choice(view: View, appraiser: Appraiser, move: Move) -> float:
    """Return the gain of a choice that a step or a Tangle leaves."""
    match move:
        case Step(track):
            return appraiser.step(track)
        case _:
            return _gained(view, appraiser.gauge, move)


def _gained(view: View, gauge: Gauge, move: Move) -> float:
    """Return the gain by the workers that a choice moves or brings."""
    return gauge.change(view.workers, workers_after(view.workers, gauge.seat, move, view.active))


def kept(view: View, seat: Seat) -> KeepBallots:
    """Keep the best ballots of the hand, those that gain more than an average ballot."""
    gauge = measured(view, seat, Heat(AFTER_THE_VOTE))

    def gain(region: Region) -> float:
        return _gained(view, gauge, PlayBallots((region,)))

    average = sum(map(gain, REGIONS)) / len(REGIONS)
    good = sorted(
        (ballot for ballot in view.hands[gauge.seat] or () if gain(ballot) > average), key=gain, reverse=True
    )
    return KeepBallots(tuple(sorted(good[: SCORING.ballots_kept])))
