"""The immediate gain of each of a seat's choices, in votes. Rules: Computer players."""

from collections.abc import Callable

from engines.game import Seat
from engines.tanglewood.computer.actions import Appraiser
from engines.tanglewood.computer.evaluation import Gauge, Heat, gauge_for, is_last_round
from engines.tanglewood.legal.deeds import next_step, workers_after
from engines.tanglewood.moves import (
    KeepBallots,
    Move,
    PlayBallots,
    TanglewoodDraw,
    TanglewoodPlace,
    TanglewoodStep,
)
from engines.tanglewood.pieces import effects
from engines.tanglewood.pieces.components import REGIONS, SCORING, Region, effect_of
from engines.tanglewood.view import TanglewoodView

AT_THE_VOTE, AFTER_THE_VOTE = 1.2, 2.5
"""Uncertainty of a scoring when ballots are played, and when they are kept for the next."""

_LATER = effects.DrawLevel | effects.PlaceLevel | effects.Markers
"""The benefits that bring nothing before the next turn."""


def gains(view: TanglewoodView, seat: Seat) -> Callable[[Move], float]:
    """Return a function for the gain of a choice, in votes. Not of the ballots to keep."""
    if view.phase == "ballots":
        gauge = gauge_for(view, seat, Heat(AT_THE_VOTE))
        return lambda move: _worker_gain(view, gauge, move)
    appraiser = Appraiser(view, seat)
    if view.phase == "turn":
        return appraiser.action
    return lambda move: _choice(view, appraiser, move)


def _choice(view: TanglewoodView, appraiser: Appraiser, move: Move) -> float:
    """Return the gain of a choice that a step or a Tangle leaves."""
    match move:
        case TanglewoodStep(track):
            return appraiser.step(track)
        case _:
            return _worker_gain(view, appraiser.gauge, move)


def _worker_gain(view: TanglewoodView, gauge: Gauge, move: Move) -> float:
    """Return the gain by the workers that a choice moves or brings."""
    return gauge.change(view.workers, workers_after(view.workers, gauge.seat, move, view.active))


def is_idle(view: TanglewoodView, seat: Seat, move: Move) -> bool:
    """Return True for a choice that brings nothing.

    That is an exchange of workers that leaves all regions as they are; in the last turn also a Draw or a
    step for later turns, and a Place that leaves markers over that had room.
    """
    last = is_last_round(view)
    match move:
        case TanglewoodDraw(step):
            return last and (step is None or isinstance(next_step(view, seat, step), _LATER))
        case TanglewoodStep(track):
            return last and isinstance(next_step(view, seat, track), _LATER)
        case TanglewoodPlace(region, count):
            left = view.circles[seat] - count - _count_markers(view, region)
            return last and left > 0 and count < view.place_value(seat)
        case PlayBallots() | KeepBallots():
            return False
        case _:
            return workers_after(view.workers, seat, move, view.active) == view.workers


def _count_markers(view: TanglewoodView, region: Region) -> int:
    """Return the most markers that a region's Tangle takes from the circle."""
    card, used = view.tangles[region], 0
    for deed in effect_of(card).steps if card is not None else ():
        if isinstance(deed, effects.Reinforce):
            used += deed.n
        elif isinstance(deed, effects.PlaceAdjacentDeed) and deed.source == "circle":
            used += 1
    return used


def choose_kept_ballots(view: TanglewoodView, seat: Seat) -> KeepBallots:
    """Keep the ballots that gain more than an average one."""
    gauge = gauge_for(view, seat, Heat(AFTER_THE_VOTE))

    def gain(region: Region) -> float:
        return _worker_gain(view, gauge, PlayBallots((region,)))

    average = sum(map(gain, REGIONS)) / len(REGIONS)
    good = sorted(
        (ballot for ballot in view.hands[gauge.seat] or () if gain(ballot) > average), key=gain, reverse=True
    )
    return KeepBallots(tuple(sorted(good[: SCORING.ballots_kept])))
