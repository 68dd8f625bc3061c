"""Legal moves, and every way to carry out a shift, from the deciding seat's knowledge.

A `Question` holds all that the answer depends on. Exactly the moves that `legal` lists may be played.

In a shift as many workers move as can be moved at all, and of each choice only the sorted form is listed.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations, combinations_with_replacement, product, starmap
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
    """List every choice, once; none if nobody can be moved. Rules: Tangles."""
    size, reached = count_required(shift, workers, here), regions_in_reach(shift, here)
    if not size:
        return iter(())
    every, limits = tuple(colours), tuple(min(number, size) for number in workers[here])
    match shift.way, shift.spread:
        case "in", "apart":
            there = ((region, _present(workers[region], every)) for region in reached)
            chosen = combinations([(region, present) for region, present in there if present], size)
            return chain.from_iterable(map(_gatherings, chosen))
        case "out", "apart":
            sent = (_scatterings(regions, every, limits) for regions in combinations(reached, size))
            return chain.from_iterable(sent)
        case "out", "together":
            teams = [tuple(colours[place] for place in team) for team in selections(limits, size)]
            return (moves.Export(region, team) for region in reached for team in teams)
        case _:
            going = limits if shift.way == "both" else ()
            coming = ((region, tuple(min(number, size) for number in workers[region])) for region in reached)
            return chain.from_iterable(
                _exchanges(region, every, limit, going, size) for region, limit in coming
            )


def _present(workers: Counts, colours: tuple[Colour, ...]) -> tuple[Colour, ...]:
    return tuple(colour for colour, number in zip(colours, workers, strict=True) if number)


CACHED = 1024
"""Parts of lists that are cached; each has a few hundred moves at most."""


@lru_cache(maxsize=CACHED)
def _gatherings(
    standing: tuple[tuple[components.Region, tuple[Colour, ...]], ...],
) -> tuple[moves.Gather, ...]:
    """Return every way to take one worker of each region."""
    there = ([moves.PlacedWorker(region, colour) for colour in present] for region, present in standing)
    return tuple(map(moves.Gather, product(*there)))


@lru_cache(maxsize=CACHED)
def _scatterings(
    regions: tuple[components.Region, ...], colours: tuple[Colour, ...], limits: Counts
) -> tuple[moves.Scatter, ...]:
    """Return every way to send one worker to each region."""
    sent = ([moves.SentWorker(colour, region) for colour in colours] for region in regions)
    teams = product(*(enumerate(workers) for workers in sent))
    return tuple(
        moves.Scatter(tuple(worker for _, worker in team))
        for team in teams
        if all(sum(place == other for other, _ in team) <= limits[place] for place, _ in team)
    )


@lru_cache(maxsize=CACHED)
def _exchanges(
    region: components.Region, colours: tuple[Colour, ...], coming: Counts, going: Counts, size: int
) -> tuple[moves.MoveAdjacent, ...]:
    """Return every way to move workers to and from one region."""
    ways = [moves.Crossing("in", colour) for colour in colours]
    ways += [moves.Crossing("out", colour) for colour in colours] if going else []
    teams = selections((*coming, *going), size)
    return tuple(moves.MoveAdjacent(region, tuple(ways[place] for place in team)) for team in teams)


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
    """List every legal answer, once, in a stable order. Rules: Your turn, Secret ballots."""
    match question.phase:
        case "turn":
            # Rules: Drawing, Placing.
            drawn, largest = list[moves.Move](), min(question.most_placeable, question.circle)
            if question.may_draw:
                drawn.append(moves.TanglewoodDraw())
                if question.circle < question.most_placeable:
                    drawn += map(moves.TanglewoodDraw, components.TRACKS)
            counts = product(components.REGIONS, range(1, largest + 1))
            return chain(drawn, starmap(moves.TanglewoodPlace, counts))
        case "step":
            return map(moves.TanglewoodStep, question.tracks)
        case "benefit" | "effect":
            return _answers(question)
        case "ballots":
            return map(moves.PlayBallots, _selections(question.hand, components.SCORING.ballots_played))
        case "keep":
            numbers = range(components.SCORING.ballots_kept + 1)
            kept = chain.from_iterable(_selections(question.hand, number) for number in numbers)
            return map(moves.KeepBallots, kept)
        case "over":
            return iter(())
        case _:
            assert_never(question.phase)


def _answers(question: Question) -> Iterator[moves.Move]:
    """Rules: Steps, Tangles."""
    workers, here = question.workers, question.here
    match question.deed:
        case components.PlantDeed():
            return map(moves.TanglewoodPlant, components.REGIONS)
        case components.NudgeDeed():
            return (
                moves.TanglewoodNudge(region, colour, to)
                for region in components.REGIONS
                for colour in _present(workers[region], tuple(question.colours))
                for to in adjacent(region)
            )
        case components.PlaceAdjacentDeed(source) if here is not None:
            if source == "supply" or question.circle:
                return map(moves.TanglewoodPlaceAdjacent, adjacent(here))
        case components.Shift() as shift if here is not None:
            return shifts(shift, workers, here, question.colours)
    return iter(())


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
