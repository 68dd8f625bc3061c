from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from engines.game import Seat
from engines.tanglewood import GAME
from engines.tanglewood.events import (
    BallotsShown,
    DrewBallots,
    Event,
    Evicted,
    Moved,
    PlacedAdjacent,
    RegionScored,
    Reinforced,
    TanglewoodPlanted,
)
from engines.tanglewood.legal.deeds import workers_after
from engines.tanglewood.legal.moves import choices
from engines.tanglewood.moves import Move, PlayBallots, TanglewoodPlace
from engines.tanglewood.pieces.components import TanglewoodOptions
from engines.tanglewood.preview import TanglewoodPlacementPreview, placement_preview, stages, swings
from engines.tanglewood.truth.state import TanglewoodState
from engines.tanglewood.view import TanglewoodView, would_score
from tests.engines.tanglewood.arrange import arrange

pytestmark = pytest.mark.slow
MOST = 40
"""The number of moves of a position that are tried, drawn from all that are legal."""

Tried = tuple[TanglewoodState, TanglewoodView, Seat, Move, TanglewoodState, list[Event]]
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
    state: TanglewoodState, seat: Seat, move: TanglewoodPlace, after: TanglewoodState, events: list[Event]
) -> TanglewoodPlacementPreview:
    """Return a placement's real outcome, up to where the seat is asked."""
    return TanglewoodPlacementPreview(
        workers=after.workers[move.region],
        circle=after.circles[seat],
        ballots=sum(event.number for event in events if isinstance(event, DrewBallots)),
        votes=after.votes[seat] - state.votes[seat],
        evicted=tuple(one for event in events if isinstance(event, Evicted) for one in event.colours),
        asks=after.turns == state.turns and after.phase in ("benefit", "effect"),
    )


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_placement_comes_to_what_was_said_of_it(seats: int) -> None:
    whole = parts = 0
    for state, view, seat, move, after, events in try_moves(seats, seed=seats):
        if not isinstance(move, TanglewoodPlace) or after.phase == "step" or after.scorings != state.scorings:
            continue
        said = stages(view, seat, move.region, move.count)
        preview = find_outcome(state, seat, move, after, events)
        assert said[-1] == placement_preview(view, seat, move.region, move.count)
        assert said[-1].asks == preview.asks
        if not preview.asks:
            assert said[-1] == preview
            whole += 1
        elif not after.benefit:
            assert msgspec.structs.replace(said[-1 - len(after.effect)], asks=True) == preview
            parts += 1
    assert whole > 100
    assert parts > 10


@pytest.mark.parametrize("circle", [1, 2])
def test_a_tangle_that_needs_a_marker_asks_while_there_is_one(circle: int) -> None:
    state = arrange("T32", circle=circle)

    said = placement_preview(GAME.view(state, 0), 0, "E", 1)
    GAME.play(state, 0, TanglewoodPlace("E", 1))

    assert said.asks == (state.phase == "effect") == (circle == 2)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_choice_moves_the_workers_and_the_votes_that_were_said(seats: int) -> None:
    compared = 0
    for state, view, seat, move, after, events in try_moves(seats, seed=10 + seats):
        further = any(isinstance(event, Reinforced | Evicted | BallotsShown) for event in events)
        if further or not isinstance(events[0], Moved | TanglewoodPlanted | PlacedAdjacent):
            continue
        workers = workers_after(view.workers, seat, move, view.active)
        assert workers == after.workers
        now, then = would_score(view), would_score(GAME.view(after, seat))
        assert swings(view, workers) == [
            sum(then[region][each] - now[region][each] for region in now) for each in range(seats)
        ]
        assert state.workers == view.workers
        compared += 1
    assert compared > 50


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_ballots_bring_the_workers_that_were_said(seats: int) -> None:
    compared = 0
    for _, view, _, _, _, events in try_moves(seats, seed=20 + seats):
        for shown in (event for event in events if isinstance(event, BallotsShown)):
            if view.phase != "ballots":
                continue
            workers = dict(view.workers)
            for seat, regions in enumerate(shown.ballots):
                workers = workers_after(workers, seat, PlayBallots(regions), None)
            scored = [event for event in events if isinstance(event, RegionScored)]
            assert {event.region: event.counts for event in scored} == workers
            compared += 1
    assert compared


def test_where_no_tangle_lies_nothing_can_be_said() -> None:
    state = arrange("T32", circle=2)
    GAME.play(state, 0, TanglewoodPlace("E", 1))

    with pytest.raises(ValueError, match="is being carried out"):
        placement_preview(GAME.view(state, 0), 0, "E", 1)
