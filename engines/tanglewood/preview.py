"""Previews placements and choices from a view, and tries them on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import msgspec

from engines.game import Seat
from engines.tanglewood import moves
from engines.tanglewood.legal.deeds import (
    Drawing,
    ballots_due,
    carry_choice,
    carry_out,
    place,
    take_step,
    workers_after,
)
from engines.tanglewood.legal.moves import Asking, legal, question
from engines.tanglewood.pieces.board import Colour, Counts, Hop, index, votes
from engines.tanglewood.pieces.components import MAT, REGIONS, TANGLES, Deed, Faction, Region, effect_of
from engines.tanglewood.view import TanglewoodPublic, TanglewoodView


class TanglewoodPlacementPreview(msgspec.Struct, frozen=True):
    """The effects of a placement before any choice.

    Attributes:
        workers: those of the active region then.
        circle: the markers left in the circle.
        ballots, votes: the numbers that the Tangle and its step would bring.
        evicted: the colours that would lose a worker.
        asks: True if the Tangle or its step would leave a choice, of two things at least.
    """

    workers: Counts
    circle: int
    ballots: int = 0
    votes: int = 0
    evicted: tuple[Colour, ...] = ()
    asks: bool = False


def placement_preview(
    view: TanglewoodView, seat: Seat, region: Region, count: int, track: Faction | None = None
) -> TanglewoodPlacementPreview:
    """Preview a placement with its certain step and effect.

    A wild Tangle's step is left open without a `track`. Raises ValueError if no Tangle is there.
    """
    return stages(view, seat, region, count, track)[-1]


def stages(
    view: TanglewoodView, seat: Seat, region: Region, count: int, track: Faction | None = None
) -> list[TanglewoodPlacementPreview]:
    """Preview a placement with its step, and then after each deed of its Tangle.

    Raises ValueError if no Tangle is there.
    """
    trial = TanglewoodPublic(**view.public_fields())
    place(trial, seat, region, count)
    assert trial.card is not None
    preview = TanglewoodPlacementPreview(trial.workers[region], trial.circles[seat])
    if track is not None or not TANGLES[trial.card].wild:
        _, benefit = take_step(trial, seat, track or TANGLES[trial.card].tracks[0])
        for deed in benefit:
            preview = _then(trial, seat, region, deed, preview)
    lines = [preview]
    for deed in effect_of(trial.card).steps:
        lines.append(_then(trial, seat, region, deed, lines[-1]))
    return lines


def _then(
    trial: TanglewoodPublic, seat: Seat, here: Region, deed: Deed, so_far: TanglewoodPlacementPreview
) -> TanglewoodPlacementPreview:
    """Carry out a deed, except its choice and ballots. Return the cumulative preview."""
    if isinstance(deed, Asking):
        trial.phase = "effect"
        asks = so_far.asks or len(list(islice(legal(question(trial, seat, deed)), 2))) > 1
        return msgspec.structs.replace(so_far, asks=asks)
    before = trial.votes[seat]
    events = [] if isinstance(deed, Drawing) else carry_out(trial, seat, deed)
    gone = [colour for event in events if isinstance(event, moves.Evicted) for colour in event.colours]
    return TanglewoodPlacementPreview(
        workers=trial.workers[here],
        circle=trial.circles[seat],
        ballots=so_far.ballots + ballots_due(deed, trial.workers, seat, here),
        votes=so_far.votes + trial.votes[seat] - before,
        evicted=(*so_far.evicted, *gone),
        asks=so_far.asks,
    )


def ends_turn(view: TanglewoodView, seat: Seat, move: moves.Move) -> bool:
    """Return True if a legal move leaves the turn no choice."""
    trial = TanglewoodPublic(**view.public_fields())
    deeds: list[Deed] = []
    match move:
        case moves.TanglewoodPlace(region, count):
            card = view.tangles[region]
            wild = card is not None and TANGLES[card].wild
            return not (wild or placement_preview(view, seat, region, count).asks)
        case moves.PlayBallots() | moves.KeepBallots():
            return False
        case moves.TanglewoodDraw(track) | moves.TanglewoodStep(track):
            deeds = [] if track is None else take_step(trial, seat, track)[1]
        case _:
            carry_choice(trial, seat, view.owed, move)
    if view.phase in ("step", "benefit") and view.card is not None:
        deeds += effect_of(view.card).steps
    preview = TanglewoodPlacementPreview((), 0)
    for deed in deeds:
        preview = _then(trial, seat, view.active or next(iter(REGIONS)), deed, preview)
    return not preview.asks


def after_draw(view: TanglewoodView, seat: Seat, track: Faction | None) -> tuple[int, int]:
    """Return the circle after a draw, and the most to place."""
    trial = TanglewoodPublic(**view.public_fields())
    trial.circles[seat] += view.draw_value(seat)
    so_far = TanglewoodPlacementPreview((), 0)
    for deed in [] if track is None else take_step(trial, seat, track)[1]:
        so_far = _then(trial, seat, next(iter(REGIONS)), deed, so_far)
    return trial.circles[seat], MAT.place[trial.place_levels[seat]]


def effect_of_move(view: TanglewoodView, seat: Seat, move: moves.Move) -> Any:
    """Return what a panel shows of a legal move. The placement, or the votes that a choice moves."""
    if isinstance(move, moves.TanglewoodPlace):
        return placement_preview(view, seat, move.region, move.count)
    if view.phase not in ("benefit", "effect"):
        return None
    return swings(view, workers_to_come(view, seat, move))


def workers_to_come(view: TanglewoodView, seat: Seat, move: moves.Move) -> Mapping[Region, Counts]:
    """Return the workers after a choice and the sure deeds that follow."""
    workers = workers_after(view.workers, seat, move, view.active)
    if view.phase != "benefit" or view.card is None:
        return workers
    trial = TanglewoodPublic(**view.public_fields())
    trial.workers = workers
    for deed in effect_of(view.card).steps:
        if isinstance(deed, Asking):
            break
        if not isinstance(deed, Drawing):
            carry_out(trial, seat, deed)
    return trial.workers


def swings(view: TanglewoodView, workers: Mapping[Region, Counts]) -> list[int]:
    """Return each seat's change in votes by these workers."""
    changed = [region for region in REGIONS if workers[region] != view.workers[region]]
    now, then = (
        [votes(region, each[region], view.seats, view.out) for region in changed]
        for each in (view.workers, workers)
    )
    return [sum(paid[seat] for paid in then) - sum(paid[seat] for paid in now) for seat in range(view.seats)]


@dataclass(frozen=True, slots=True)
class TanglewoodTrial:
    """The result of a tried choice.

    Attributes:
        after: the new workers of each affected region.
        paid: the viewer's votes from each of these regions at a scoring, now and then.
        total: the same for all regions together.
    """

    after: dict[Region, Counts]
    paid: dict[Region, tuple[int, int]]
    total: tuple[int, int]


def try_choice(
    view: TanglewoodView,
    hops: Sequence[Hop],
    added: Mapping[Region, int],
    evicted: Sequence[moves.PlacedWorker] = (),
) -> TanglewoodTrial:
    """Try a choice.

    List the affected regions in map order, or else the active one. Raise ValueError for a spectator.
    """
    if view.viewer is None:
        raise ValueError("a spectator has no choice to try")
    workers = {region: list(counts) for region, counts in view.workers.items()}
    for region, count in added.items():
        workers[region][view.viewer] += count
    for hop in hops:
        for region, change in ((hop.start, -1), (hop.end, 1)):
            workers[region][index(hop.colour, workers[region])] += change
    for worker in evicted:
        workers[worker.region][index(worker.colour, workers[worker.region])] -= 1
    touched = {*added, *(worker.region for worker in evicted)}
    touched |= {region for hop in hops for region in (hop.start, hop.end)}
    shown = [region for region in REGIONS if region in touched] or [view.active or next(iter(REGIONS))]
    would = {region: tuple(counts) for region, counts in workers.items()}
    me, seats = view.viewer, view.seats
    now, then = (
        {region: votes(region, counts, seats)[me] for region, counts in these.items()}
        for these in (view.workers, would)
    )
    return TanglewoodTrial(
        after={region: would[region] for region in shown},
        paid={region: (now[region], then[region]) for region in shown},
        total=(sum(now.values()), sum(then.values())),
    )
