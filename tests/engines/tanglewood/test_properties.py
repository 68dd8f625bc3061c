from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.game import Seat
from engines.tanglewood import GAME, moves
from engines.tanglewood.legal.deeds import workers_after
from engines.tanglewood.legal.moves import choices, count_required, hops, shifts
from engines.tanglewood.pieces.board import Counts, after, colours, index, standing, votes
from engines.tanglewood.pieces.components import (
    BALLOTS,
    EFFECTS,
    REGIONS,
    REGULAR_TANGLES,
    STARTERS,
    Region,
    Shift,
    TanglewoodOptions,
)
from engines.tanglewood.preview import TanglewoodPlacementPreview, placement_preview, stages, swings
from engines.tanglewood.truth.play import list_discards
from engines.tanglewood.truth.state import POLL, TanglewoodState
from engines.tanglewood.view import TanglewoodView, unseen, would_score
from tests.engines.tanglewood.arrange import arrange, legal, total
from tests.often import often

SEATS = st.integers(3, 5)
SHIFTS = sorted(
    {deed for effect in EFFECTS.values() for deed in effect.steps if isinstance(deed, Shift)}, key=repr
)
some = settings(max_examples=often(8, 45), deadline=None, database=None)


def walk(
    seats: int, number: int, leave: float = 0.0, **options: Any
) -> Iterator[tuple[TanglewoodState, list[moves.Event]]]:
    """Yield each move's state and events in a random game."""
    rng, seed, chosen = Random(number), number.to_bytes(4, "big"), TanglewoodOptions(**options)
    state = GAME.begin(seats, chosen, GAME.deal(seats, chosen, seed), seed)
    yield state, []
    while prompts := GAME.prompts(state):
        seat = rng.choice(list(prompts))
        if rng.random() < leave:
            yield state, GAME.resign(state, seat)
        else:
            yield state, GAME.play(state, seat, rng.choice(legal(state, seat)))


@st.composite
def forests(draw: st.DrawFn, most: int = 3) -> tuple[int, dict[str, Counts]]:
    """Draw seats, and any workers anywhere, often none."""
    seats = draw(SEATS)
    size = len(colours(seats))
    counts = st.one_of(st.just((0,) * size), st.tuples(*[st.integers(0, most)] * size))
    return seats, {region: draw(counts) for region in REGIONS}


@given(st.lists(st.integers(0, 6), min_size=3, max_size=5))
@some
def test_a_standing_is_the_worst_rank_that_is_shared(counts: list[int]) -> None:
    for seat in range(len(counts)):
        assert standing(counts, seat) == plain_standing(counts, seat)
    for region, facts in (("C", (8, 6, 3)), ("H", (9, 4, 1))):
        ranks = [plain_standing(counts, seat) for seat in range(3)]
        paid = tuple(0 if rank is None or rank > 3 else facts[rank - 1] for rank in ranks)
        assert votes(region, counts, 3) == paid


@given(forests(), st.sampled_from(SHIFTS), st.sampled_from(list(REGIONS)))
@some
def test_the_choices_of_a_shift_are_all_there_are(
    forest: tuple[int, dict[str, Counts]], shift: Shift, here: str
) -> None:
    seats, workers = forest
    listed = list(shifts(shift, workers, here, colours(seats)))

    trips = [
        frozenset(
            Counter((hop.start, index(hop.colour, workers["A"]), hop.end) for hop in hops(move, here)).items()
        )
        for move in listed
    ]
    assert len(set(trips)) == len(trips)
    assert set(trips) == plain_shifts(shift, workers, here)
    assert {len(hops(move, here)) for move in listed} <= {count_required(shift, workers, here)}
    for move in listed:
        moved = after(workers, hops(move, here))
        assert min(map(min, moved.values())) >= 0
        assert [sum(column) for column in zip(*moved.values(), strict=True)] == [
            sum(column) for column in zip(*workers.values(), strict=True)
        ]


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("length", ["full", "short"])
def test_workers_cards_and_ballots_are_conserved(seats: int, length: str) -> None:
    for number in range(4):
        before: list[int] = []
        for state, events in walk(seats, number, leave=0.01 * (number % 2), length=length):
            cards = [state.card, *state.tangles.values(), *state.deck, *state.reserve, *state.box]
            there = sorted(card for card in (*cards, *state.discards) if card not in (None, POLL))
            assert there == sorted([*STARTERS, *REGULAR_TANGLES])
            held = [ballot for hand in state.hands for ballot in hand]
            assert sorted([*held, *state.ballot_deck, *list_discards(state)]) == sorted(BALLOTS)
            now = total(state)
            if before:
                assert [one - other for one, other in zip(now, before, strict=True)] == _change(seats, events)
            before = now
            assert min(map(min, state.workers.values())) >= 0
            assert min(*state.circles, *state.votes) >= 0


def _change(seats: int, events: list[moves.Event]) -> list[int]:
    """Count the workers of each colour that the events have added."""
    change = [0] * len(colours(seats))
    for event in events:
        match event:
            case moves.TanglewoodPlaced(seat=seat, count=count) | moves.Reinforced(seat=seat, count=count):
                change[seat] += count
            case moves.TanglewoodPlanted(seat=seat) | moves.PlacedAdjacent(seat=seat):
                change[seat] += 1
            case moves.Evicted(colours=gone):
                for colour in gone:
                    change[index(colour, change)] -= 1
            case moves.BallotsShown(ballots=ballots):
                for seat, played in enumerate(ballots):
                    change[seat] += 3 * len(played)
            case moves.Moved(hops=moved):
                assert moved
            case _:
                pass
    return change


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_view_asks_for_the_same_moves_as_the_truth(seats: int) -> None:
    for state, _ in walk(seats, seats):
        for seat in range(seats):
            assert choices(GAME.view(state, seat)) == legal(state, seat)
        assert choices(GAME.view(state, None)) == []


def test_the_tangles_that_nobody_has_seen_are_those_face_down() -> None:
    for state, _ in walk(5, 3, length="short"):
        down = [card for card in (*state.deck, *state.reserve, *state.box) if card != POLL]
        assert sorted(unseen(GAME.view(state, None))) == sorted(down)


Trip = tuple[Region, int, Region]
"""A worker's start, the place of its colour in the counts, and its end."""


def plain_standing(counts: Sequence[int], place: int) -> int | None:
    """Rank everybody from the top; ties share the worst rank."""
    if not counts[place]:
        return None
    ranking = sorted(counts, reverse=True)
    return max(rank for rank, number in enumerate(ranking, start=1) if number == counts[place])


def plain_adjacent(region: Region) -> list[Region]:
    rows = ["ABC", "DEF", "GHI"]
    at = {letter: (row, column) for row, line in enumerate(rows) for column, letter in enumerate(line)}
    row, column = at[region]
    return [other for other in at if abs(at[other][0] - row) + abs(at[other][1] - column) == 1]


def plain_shifts(
    shift: Shift, workers: Mapping[Region, Counts], here: Region
) -> set[frozenset[tuple[Trip, int]]]:
    """Return every largest legal set of trips, by trying all sets. Each is a multiset of its trips."""

    def is_legal(trips: Sequence[Trip]) -> bool:
        others = {end if start == here else start for start, _, end in trips}
        needed = Counter((start, place) for start, place, _ in trips)
        return len(others) == (len(trips) if shift.spread == "apart" else 1) and all(
            workers[start][place] >= number for (start, place), number in needed.items()
        )

    for size in range(shift.workers, 0, -1):
        result = {
            frozenset(Counter(trips).items())
            for trips in combinations(list(_trips(shift, workers, here)), size)
            if is_legal(trips)
        }
        if result:
            return result
    return set()


def _trips(shift: Shift, workers: Mapping[Region, Counts], here: Region) -> Iterator[Trip]:
    """Yield each possible trip, as often as workers could take it."""
    others = plain_adjacent(here) if shift.reach == "adjacent" else [one for one in REGIONS if one != here]
    for place in range(len(workers[here])):
        for other in others:
            if shift.way in ("in", "both"):
                yield from [(other, place, here)] * min(workers[other][place], shift.workers)
            if shift.way in ("out", "both"):
                yield from [(here, place, other)] * min(workers[here][place], shift.workers)


MOST = 40
"""The number of moves of a position that are tried, drawn from all that are legal."""

Tried = tuple[TanglewoodState, TanglewoodView, Seat, moves.Move, TanglewoodState, list[moves.Event]]
"""A position as it is and as a seat sees it, a move of that seat, the position then, and what happened."""


def try_moves(seats: int, seed: int) -> Iterator[Tried]:
    """Yield a short random game's legal moves, each played on a copy."""
    options, rng = TanglewoodOptions(length="short"), Random(seed)
    state = GAME.begin(seats, options, GAME.deal(seats, options, b"%d" % seed), b"%d" % seed)
    while prompts := GAME.prompts(state):
        seat = rng.choice(list(prompts))
        view = GAME.view(state, seat)
        legal = choices(view)
        for move in rng.sample(legal, min(MOST, len(legal))):
            after = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=TanglewoodState)
            yield state, view, seat, move, after, GAME.play(after, seat, move)
        GAME.play(state, seat, rng.choice(legal))


def find_outcome(
    state: TanglewoodState,
    seat: Seat,
    move: moves.TanglewoodPlace,
    after: TanglewoodState,
    events: list[moves.Event],
) -> TanglewoodPlacementPreview:
    """Return a placement's real outcome, up to where the seat is asked."""
    return TanglewoodPlacementPreview(
        workers=after.workers[move.region],
        circle=after.circles[seat],
        ballots=sum(event.number for event in events if isinstance(event, moves.DrewBallots)),
        votes=after.votes[seat] - state.votes[seat],
        evicted=tuple(one for event in events if isinstance(event, moves.Evicted) for one in event.colours),
        asks=after.turns == state.turns and after.phase in ("benefit", "effect"),
    )


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_placement_comes_to_what_was_said_of_it(seats: int) -> None:
    whole = parts = 0
    for state, view, seat, move, then, events in try_moves(seats, seed=seats):
        if (
            not isinstance(move, moves.TanglewoodPlace)
            or then.phase == "step"
            or then.scorings != state.scorings
        ):
            continue
        said = stages(view, seat, move.region, move.count)
        preview = find_outcome(state, seat, move, then, events)
        assert said[-1] == placement_preview(view, seat, move.region, move.count)
        assert said[-1].asks == preview.asks
        if not preview.asks:
            assert said[-1] == preview
            whole += 1
        elif not then.benefit:
            assert msgspec.structs.replace(said[-1 - len(then.effect)], asks=True) == preview
            parts += 1
    assert whole > 100
    assert parts > 10


@pytest.mark.parametrize("circle", [1, 2])
def test_a_tangle_that_needs_a_marker_asks_while_there_is_one(circle: int) -> None:
    state = arrange("T32", circle=circle)

    said = placement_preview(GAME.view(state, 0), 0, "E", 1)
    GAME.play(state, 0, moves.TanglewoodPlace("E", 1))

    assert said.asks == (state.phase == "effect") == (circle == 2)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_choice_moves_the_workers_and_the_votes_that_were_said(seats: int) -> None:
    compared = 0
    for state, view, seat, move, then, events in try_moves(seats, seed=10 + seats):
        further = any(
            isinstance(event, moves.Reinforced | moves.Evicted | moves.BallotsShown) for event in events
        )
        if further or not isinstance(events[0], moves.Moved | moves.TanglewoodPlanted | moves.PlacedAdjacent):
            continue
        workers = workers_after(view.workers, seat, move, view.active)
        assert workers == then.workers
        now, later = would_score(view), would_score(GAME.view(then, seat))
        assert swings(view, workers) == [
            sum(later[region][each] - now[region][each] for region in now) for each in range(seats)
        ]
        assert state.workers == view.workers
        compared += 1
    assert compared > 50


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_ballots_bring_the_workers_that_were_said(seats: int) -> None:
    compared = 0
    for _, view, _, _, _, events in try_moves(seats, seed=20 + seats):
        for shown in (event for event in events if isinstance(event, moves.BallotsShown)):
            if view.phase != "ballots":
                continue
            workers = dict(view.workers)
            for seat, regions in enumerate(shown.ballots):
                workers = workers_after(workers, seat, moves.PlayBallots(regions), None)
            scored = [event for event in events if isinstance(event, moves.RegionScored)]
            assert {event.region: event.counts for event in scored} == workers
            compared += 1
    assert compared


def test_where_no_tangle_lies_nothing_can_be_said() -> None:
    state = arrange("T32", circle=2)
    GAME.play(state, 0, moves.TanglewoodPlace("E", 1))

    with pytest.raises(ValueError, match="is being carried out"):
        placement_preview(GAME.view(state, 0), 0, "E", 1)
