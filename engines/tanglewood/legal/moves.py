"""Legal moves, derived from the deciding seat's knowledge: from a view as well as from the state.

A `Question` holds all that the answer depends on. Exactly the moves that `legal` lists may be played.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import assert_never

import msgspec

from engines.game import Seat
from engines.tanglewood import moves
from engines.tanglewood.legal.shifts import shifts
from engines.tanglewood.moves import (
    KeepBallots,
    Move,
    PlayBallots,
    TanglewoodDraw,
    TanglewoodPlace,
    TanglewoodStep,
)
from engines.tanglewood.pieces import effects
from engines.tanglewood.pieces.board import Colour, Counts, Hop, adjacent, colours
from engines.tanglewood.pieces.components import (
    DRAW_BAN,
    MAT,
    REGIONS,
    SCORING,
    TANGLES,
    TRACKS,
    Faction,
    Region,
    TangleId,
)
from engines.tanglewood.pieces.effects import Deed
from engines.tanglewood.public import Phase, TanglewoodPublic
from engines.tanglewood.view import TanglewoodView

Asking = effects.PlantDeed | effects.NudgeDeed | effects.PlaceAdjacentDeed | effects.Shift
"""The deeds that leave a choice."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's present decision.

    Attributes:
        phase: the decision.
        colours: every colour on the board, in the order in which `workers` counts them.
        workers: the workers in each region.
        circle: the markers in the seat's circle.
        place_value: how many of them it may place at most.
        here: the active region, if there is one.
        card: the Tangle that is carried out.
        deed: the deed that asks for a choice.
        hand: the seat's ballots, sorted.
    """

    phase: Phase
    colours: tuple[Colour, ...]
    workers: dict[Region, Counts]
    circle: int
    place_value: int
    here: Region | None
    card: TangleId | None
    deed: Deed | None
    hand: tuple[Region, ...]

    @property
    def tracks(self) -> tuple[Faction, ...]:
        """The tracks that a wild Tangle offers."""
        return () if self.card is None else TANGLES[self.card].tracks

    @property
    def may_draw(self) -> bool:
        """True if the circle has room for a Draw action. Rules: Drawing."""
        return self.circle < DRAW_BAN

    @property
    def may_step(self) -> bool:
        """True if a Draw action comes with a step. Rules: Drawing."""
        return self.circle < self.place_value


def question(
    public: TanglewoodPublic, seat: Seat, deed: Deed | None, hand: Sequence[Region] = ()
) -> Question:
    """Build the question for a seat that owes a move. `hand` is sorted."""
    return Question(
        phase=public.phase,
        colours=colours(public.seats),
        workers=public.workers,
        circle=public.circles[seat],
        place_value=MAT.place[public.place_levels[seat]],
        here=public.active,
        card=public.card,
        deed=deed,
        hand=tuple(hand),
    )


def choices(view: TanglewoodView) -> list[Move]:
    """List every legal move of the viewer, once, in a stable order. None if it owes nothing."""
    viewer = view.viewer
    if viewer is None or viewer not in view.owing:
        return []
    return list(legal(question(view, viewer, view.owed, view.hands[viewer] or ())))


def legal(question: Question) -> Iterator[Move]:
    """Yield every legal answer, once, in a stable order. Rules: Your turn, Secret ballots."""
    match question.phase:
        case "turn":
            yield from _actions(question)
        case "step":
            yield from (TanglewoodStep(track) for track in question.tracks)
        case "benefit" | "effect":
            yield from _answers(question)
        case "ballots":
            yield from map(PlayBallots, _selections(question.hand, SCORING.ballots_played))
        case "keep":
            for number in range(SCORING.ballots_kept + 1):
                yield from map(KeepBallots, _selections(question.hand, number))
        case "over":
            return
        case _:
            assert_never(question.phase)


def _actions(question: Question) -> Iterator[Move]:
    """Rules: Drawing, Placing."""
    if question.may_draw:
        yield TanglewoodDraw()
        if question.may_step:
            yield from (TanglewoodDraw(track) for track in TRACKS)
    for region in REGIONS:
        for count in range(1, min(question.place_value, question.circle) + 1):
            yield TanglewoodPlace(region, count)


def _answers(question: Question) -> Iterator[Move]:
    """Rules: Steps, Tangles."""
    workers, here = question.workers, question.here
    match question.deed:
        case effects.PlantDeed():
            yield from map(moves.TanglewoodPlant, REGIONS)
        case effects.NudgeDeed():
            for region in REGIONS:
                for colour, number in zip(question.colours, workers[region], strict=True):
                    if number:
                        yield from (moves.TanglewoodNudge(region, colour, to) for to in adjacent(region))
        case effects.PlaceAdjacentDeed(source) if here is not None:
            if source == "supply" or question.circle:
                yield from map(moves.TanglewoodPlaceAdjacent, adjacent(here))
        case effects.Shift() as shift if here is not None:
            yield from shifts(shift, workers, here, question.colours)


def _selections(hand: tuple[Region, ...], size: int) -> Iterator[tuple[Region, ...]]:
    """Yield every selection of that many ballots from a sorted hand. Equal ballots are alike."""
    yield from dict.fromkeys(combinations(hand, size))


def hops(move: Move, here: Region | None) -> tuple[Hop, ...]:
    """Return the workers that a move takes between regions.

    `here` is the active region.

    >>> hops(moves.Export("B", (0, 2)), "A")
    (Hop(colour=0, start='A', end='B'), Hop(colour=2, start='A', end='B'))
    """
    match move:
        case moves.TanglewoodNudge(region, colour, to):
            return (Hop(colour, region, to),)
        case moves.Gather(workers) if here is not None:
            return tuple(Hop(worker.colour, worker.region, here) for worker in workers)
        case moves.Scatter(sent) if here is not None:
            return tuple(Hop(worker.colour, here, worker.to) for worker in sent)
        case moves.Export(to, colours) if here is not None:
            return tuple(Hop(colour, here, to) for colour in colours)
        case moves.MoveAdjacent(region, crossings) if here is not None:
            return tuple(
                Hop(crossing.colour, region, here)
                if crossing.way == "in"
                else Hop(crossing.colour, here, region)
                for crossing in crossings
            )
        case _:
            return ()


def markers_added(move: Move) -> dict[Region, int]:
    """Return the own markers that a choice adds to regions.

    >>> markers_added(moves.PlayBallots(("B", "B")))
    {'B': 6}
    """
    match move:
        case moves.TanglewoodPlant(region) | moves.TanglewoodPlaceAdjacent(region):
            return {region: 1}
        case moves.PlayBallots(regions):
            return {region: regions.count(region) * SCORING.ballot_markers for region in regions}
        case _:
            return {}
