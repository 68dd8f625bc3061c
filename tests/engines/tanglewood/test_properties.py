from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.game import Strength
from engines.tanglewood import GAME
from engines.tanglewood.events import (
    BallotsShown,
    Event,
    Evicted,
    Moved,
    PlacedAdjacent,
    Reinforced,
    TanglewoodPlaced,
    TanglewoodPlanted,
)
from engines.tanglewood.legal.moves import choices, count_required, hops, shifts
from engines.tanglewood.moves import TanglewoodDraw
from engines.tanglewood.pieces.board import Counts, adjacent, after, colours, index, standing, votes
from engines.tanglewood.pieces.components import (
    BALLOTS,
    EFFECTS,
    REGIONS,
    REGULAR_TANGLES,
    STARTERS,
    Shift,
    TanglewoodOptions,
)
from engines.tanglewood.truth.play import list_discards
from engines.tanglewood.truth.state import POLL, TanglewoodState
from engines.tanglewood.view import unseen
from tests.engines.tanglewood.arrange import legal, total
from tests.engines.tanglewood.plain import plain_adjacent, plain_shifts, plain_standing
from tests.often import often

pytestmark = pytest.mark.slow
SEATS = st.integers(3, 5)
SHIFTS = sorted(
    {deed for effect in EFFECTS.values() for deed in effect.steps if isinstance(deed, Shift)}, key=repr
)
some = settings(max_examples=often(8, 45), deadline=None, database=None)


def walk(
    seats: int, number: int, leave: float = 0.0, **options: Any
) -> Iterator[tuple[TanglewoodState, list[Event]]]:
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


def test_neighbours_share_a_side() -> None:
    assert {region: list(adjacent(region)) for region in REGIONS} == {
        region: plain_adjacent(region) for region in REGIONS
    }


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


def _change(seats: int, events: list[Event]) -> list[int]:
    """Count the workers of each colour that the events have added."""
    change = [0] * len(colours(seats))
    for event in events:
        match event:
            case TanglewoodPlaced(seat=seat, count=count) | Reinforced(seat=seat, count=count):
                change[seat] += count
            case TanglewoodPlanted(seat=seat) | PlacedAdjacent(seat=seat):
                change[seat] += 1
            case Evicted(colours=gone):
                for colour in gone:
                    change[index(colour, change)] -= 1
            case BallotsShown(ballots=ballots):
                for seat, played in enumerate(ballots):
                    change[seat] += 3 * len(played)
            case Moved(hops=moved):
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


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_view_holds_nothing_hidden(seats: int) -> None:
    told_apart = 0
    for number in range(2):
        for state, _ in walk(seats, number, leave=0.01):
            for viewer in (None, *range(seats)):
                other = GAME.resample_hidden(state, viewer, Random(number))
                assert GAME.view(other, viewer) == GAME.view(state, viewer)
                told_apart += other != state
    assert told_apart


@pytest.mark.parametrize("length", ["full", "short"])
def test_a_resampled_state_can_be_played_on(length: str) -> None:
    for number, (state, _) in enumerate(walk(4, 9, length=length)):
        other = GAME.resample_hidden(state, number % 4, Random(number))
        for seat in range(4):
            assert [len(hand) for hand in other.hands] == [len(hand) for hand in state.hands]
            chosen = other.chosen[seat]
            assert (chosen is None) == (state.chosen[seat] is None)
            assert not Counter(chosen or ()) - Counter(other.hands[seat])
        while prompts := GAME.prompts(other):
            seat = min(prompts)
            GAME.play(other, seat, legal(other, seat)[-1])


def test_the_tangles_that_nobody_has_seen_are_those_face_down() -> None:
    for state, _ in walk(5, 3, length="short"):
        down = [card for card in (*state.deck, *state.reserve, *state.box) if card != POLL]
        assert sorted(unseen(GAME.view(state, None))) == sorted(down)


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize(
    "strength",
    [
        Strength.EASY,
        pytest.param(Strength.MEDIUM, marks=pytest.mark.thorough),
        pytest.param(Strength.STRONG, marks=pytest.mark.thorough),
    ],
)
def test_everybody_has_as_many_turns_and_there_are_two_scorings(seats: int, strength: Strength) -> None:
    rng, seed = Random(seats), bytes([seats])
    state = GAME.begin(seats, TanglewoodOptions(), GAME.deal(seats, TanglewoodOptions(), seed), seed)
    begun_with_poll, turns = state.deck.index(POLL), 0
    while prompts := GAME.prompts(state):
        seat = rng.choice(list(prompts))
        move = GAME.choose(GAME.view(state, seat), seat, rng, strength)
        turns += isinstance(move, TanglewoodDraw) or type(move).__name__ == "TanglewoodPlace"
        GAME.play(state, seat, move)

    assert begun_with_poll in range(15, 20)
    assert turns == state.turns == seats * state.round
    assert len(state.scorings) == 2
    assert state.midgame_done


@given(SEATS, st.integers(0, 500), st.integers(0, 70))
@some
def test_a_game_of_the_same_seed_is_the_same_and_survives_being_saved(
    seats: int, number: int, after_moves: int
) -> None:
    for count, (state, _) in enumerate(walk(seats, number)):
        if count == after_moves:
            saved = msgspec.msgpack.encode(state)
            assert msgspec.msgpack.encode(msgspec.msgpack.decode(saved, type=TanglewoodState)) == saved
            assert msgspec.json.decode(msgspec.json.encode(state), type=TanglewoodState) == state
            break
