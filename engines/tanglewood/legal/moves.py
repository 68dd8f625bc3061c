"""Legal moves, and every way to carry out a shift, from the deciding seat's knowledge.

A `Question` holds all that the answer depends on. Exactly the moves that `legal` lists may be played.

In a shift as many workers move as can be moved at all, and of each choice only the sorted form is listed.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement, product
from typing import assert_never

import msgspec

from engines.game import Seat
from engines.tanglewood import moves
from engines.tanglewood.pieces import components
from engines.tanglewood.pieces.board import Colour, Counts, Hop, adjacent, colours
from engines.tanglewood.view import Phase, TanglewoodPublic, TanglewoodView

ShiftMove = moves.Gather | moves.Scatter | moves.MoveAdjacent | moves.Export


def shifts(
    shift: components.Shift,
    workers: Mapping[components.Region, Counts],
    here: components.Region,
    colours: Sequence[Colour],
) -> Iterator[ShiftMove]:
    """Yield every choice, once; none if nobody can be moved. Rules: Tangles."""
    size, reached = count_required(shift, workers, here), regions_in_reach(shift, here)
    if not size:
        return
    match shift.way, shift.spread:
        case "in", "apart":
            there = {
                region: [
                    moves.PlacedWorker(region, colour)
                    for colour, number in zip(colours, workers[region], strict=True)
                    if number
                ]
                for region in reached
            }
            for regions in combinations([region for region, standing in there.items() if standing], size):
                yield from map(moves.Gather, product(*(there[region] for region in regions)))
        case "out", "apart":
            limits = workers[here]
            sent = {region: [moves.SentWorker(colour, region) for colour in colours] for region in reached}
            every = product(range(len(limits)), repeat=size)
            kinds = [team for team in every if all(team.count(kind) <= limits[kind] for kind in team)]
            for regions in combinations(reached, size):
                for kind in kinds:
                    pairs = zip(regions, kind, strict=True)
                    yield moves.Scatter(tuple(sent[region][place] for region, place in pairs))
        case "out", "together":
            teams = [tuple(colours[place] for place in team) for team in selections(workers[here], size)]
            yield from (moves.Export(region, team) for region in reached for team in teams)
        case _:
            coming = [moves.Crossing("in", colour) for colour in colours]
            going = [moves.Crossing("out", colour) for colour in colours] if shift.way == "both" else []
            for region in reached:
                for way in selections((*workers[region], *(workers[here] if going else ())), size):
                    yield moves.MoveAdjacent(region, tuple((coming + going)[place] for place in way))


def regions_in_reach(shift: components.Shift, here: components.Region) -> tuple[components.Region, ...]:
    """Return the regions that workers can come from or go to."""
    if shift.reach == "adjacent":
        return adjacent(here)
    return tuple(key for key in components.REGIONS if key != here)


def count_required(
    shift: components.Shift, workers: Mapping[components.Region, Counts], here: components.Region
) -> int:
    """Return how many workers must move. All that can, up to the deed's number."""
    others = regions_in_reach(shift, here)
    match shift.way, shift.spread:
        case "in", "apart":
            able = sum(any(workers[region]) for region in others)
        case "out", "apart":
            able = min(sum(workers[here]), len(others))
        case "out", "together":
            able = sum(workers[here])
        case _:
            leaving = sum(workers[here]) if shift.way == "both" else 0
            able = max(sum(workers[region]) for region in others) + leaving
    return min(shift.workers, able)


def selections(limits: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """Yield every sorted selection of that size.

    `limits` is the number of each kind.

    >>> list(selections((2, 1, 0), 2))
    [(0, 0), (0, 1)]
    """
    for team in combinations_with_replacement(range(len(limits)), size):
        if all(team.count(kind) <= limits[kind] for kind in team):
            yield team


Asking = components.PlantDeed | components.NudgeDeed | components.PlaceAdjacentDeed | components.Shift
"""The deeds that leave a choice."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's present decision.

    Attributes:
        phase: the decision.
        colours: every colour on the board, in the order in which `workers` counts them.
        workers: the workers in each region.
        circle: the markers in the seat's circle.
        most_placeable: how many of them it may place at most.
        here: the active region, if there is one.
        card: the Tangle that is carried out.
        deed: the deed that asks for a choice.
        hand: the seat's ballots, sorted.
    """

    phase: Phase
    colours: tuple[Colour, ...]
    workers: dict[components.Region, Counts]
    circle: int
    most_placeable: int
    here: components.Region | None
    card: components.TangleId | None
    deed: components.Deed | None
    hand: tuple[components.Region, ...]

    @property
    def tracks(self) -> tuple[components.Faction, ...]:
        """The tracks that a wild Tangle offers."""
        return () if self.card is None else components.TANGLES[self.card].tracks

    @property
    def may_draw(self) -> bool:
        """True if the circle has room for a Draw action. Rules: Drawing."""
        return self.circle < components.DRAW_BAN


def question(
    public: TanglewoodPublic, seat: Seat, deed: components.Deed | None, hand: Sequence[components.Region] = ()
) -> Question:
    """Build the question for a seat that owes a move. `hand` is sorted."""
    return Question(
        phase=public.phase,
        colours=colours(public.seats),
        workers=public.workers,
        circle=public.circles[seat],
        most_placeable=components.MAT.place[public.place_levels[seat]],
        here=public.active,
        card=public.card,
        deed=deed,
        hand=tuple(hand),
    )


def choices(view: TanglewoodView) -> list[moves.Move]:
    """List every legal move of the viewer, once, in a stable order. None if it owes nothing."""
    viewer = view.viewer
    if viewer is None or viewer not in view.owing:
        return []
    return list(legal(question(view, viewer, view.owed, view.hands[viewer] or ())))


def legal(question: Question) -> Iterator[moves.Move]:
    """Yield every legal answer, once, in a stable order. Rules: Your turn, Secret ballots."""
    match question.phase:
        case "turn":
            # Rules: Drawing, Placing.
            if question.may_draw:
                yield moves.TanglewoodDraw()
                if question.circle < question.most_placeable:
                    yield from (moves.TanglewoodDraw(track) for track in components.TRACKS)
            for region in components.REGIONS:
                for count in range(1, min(question.most_placeable, question.circle) + 1):
                    yield moves.TanglewoodPlace(region, count)
        case "step":
            yield from (moves.TanglewoodStep(track) for track in question.tracks)
        case "benefit" | "effect":
            yield from _answers(question)
        case "ballots":
            yield from map(moves.PlayBallots, _selections(question.hand, components.SCORING.ballots_played))
        case "keep":
            for number in range(components.SCORING.ballots_kept + 1):
                yield from map(moves.KeepBallots, _selections(question.hand, number))
        case "over":
            return
        case _:
            assert_never(question.phase)


def _answers(question: Question) -> Iterator[moves.Move]:
    """Rules: Steps, Tangles."""
    workers, here = question.workers, question.here
    match question.deed:
        case components.PlantDeed():
            yield from map(moves.TanglewoodPlant, components.REGIONS)
        case components.NudgeDeed():
            for region in components.REGIONS:
                for colour, number in zip(question.colours, workers[region], strict=True):
                    if number:
                        yield from (moves.TanglewoodNudge(region, colour, to) for to in adjacent(region))
        case components.PlaceAdjacentDeed(source) if here is not None:
            if source == "supply" or question.circle:
                yield from map(moves.TanglewoodPlaceAdjacent, adjacent(here))
        case components.Shift() as shift if here is not None:
            yield from shifts(shift, workers, here, question.colours)


def _selections(hand: tuple[components.Region, ...], size: int) -> Iterator[tuple[components.Region, ...]]:
    """Yield every selection of that many ballots from a sorted hand. Equal ballots are alike."""
    yield from dict.fromkeys(combinations(hand, size))


def hops(move: moves.Move, here: components.Region | None) -> tuple[Hop, ...]:
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
            ends = {"in": (region, here), "out": (here, region)}
            return tuple(Hop(one.colour, *ends[one.way]) for one in crossings)
        case _:
            return ()


def markers_added(move: moves.Move) -> dict[components.Region, int]:
    """Return the own markers that a choice adds to regions.

    >>> markers_added(moves.PlayBallots(("B", "B")))
    {'B': 6}
    """
    match move:
        case moves.TanglewoodPlant(region) | moves.TanglewoodPlaceAdjacent(region):
            return {region: 1}
        case moves.PlayBallots(regions):
            return {region: regions.count(region) * components.SCORING.ballot_markers for region in regions}
        case _:
            return {}
