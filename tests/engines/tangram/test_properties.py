from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.game import Strength
from engines.tangram import GAME
from engines.tangram.legal.moves import TileCursor, fits_somewhere, fountain_fits, over, tile_fits
from engines.tangram.pieces.board import City, TangramLaid, Water, balance, is_complete, largest_rectangle
from engines.tangram.pieces.components import FOUNTAIN, ROUNDS, TILES, TangramOptions
from engines.tangram.pieces.geometry import SIDES, TURNS, canonical_turn, form, spots
from engines.tangram.truth.state import TangramState
from tests.engines.tangram.plain import plain_balance, plain_full, plain_rectangle, quarters, random_city
from tests.often import often

pytestmark = pytest.mark.slow
SEEDS = st.integers(0, 10**6)
some = settings(max_examples=often(8, 45), deadline=None, database=None)


def walk(seats: int, seed: int, **options: Any) -> Iterator[TangramState]:
    """Yield a random game's state before each answer, and at the end."""
    rng, chosen, key = Random(seed), TangramOptions(**options), seed.to_bytes(4, "big")
    state = GAME.begin(seats, chosen, GAME.deal(seats, chosen, key), key)
    while prompts := GAME.prompts(state):
        yield state
        seat = rng.choice(list(prompts))
        GAME.play(state, seat, rng.choice(list(GAME.moves(state, seat))))
    yield state


@given(SEEDS)
@some
def test_bit_sets_agree_with_the_plain_grid(seed: int) -> None:
    city = random_city(Random(seed))
    best = largest_rectangle(city.built)

    assert (0 if best is None else best.area) == plain_rectangle(city)
    assert (balance(city).black, balance(city).green) == plain_balance(city)
    assert is_complete(city) == (len(plain_full(city)) == 49)


@given(SEEDS, st.sampled_from(sorted(TILES)))
@some
def test_fitting_tiles_overlap_nothing_and_all_others_do(seed: int, tile: int) -> None:
    city = random_city(Random(seed))
    fitting = {(laid.side, laid.turn, laid.at) for laid in tile_fits(city, tile)}

    for spot in spots(tile):
        laid = TangramLaid(tile, spot.side, spot.turn, spot.at)
        free = (spot.side, spot.turn, spot.at) in fitting
        assert free == (over(laid).trouble(city) is None) == (not spot.quarters & city.built)
        if free:
            assert quarters(city.add(laid))
    assert bool(fitting) == fits_somewhere(city, tile)


@pytest.mark.parametrize(
    ("boards", "seats"),
    often([("start", 1), ("plain", 3), ("printed", 5)], product(["start", "plain", "printed"], range(1, 6))),
)
def test_cards_tiles_and_fountains_are_conserved(boards: str, seats: int) -> None:
    for seed in range(often(1, 3)):
        for state in walk(seats, seed, boards=boards):
            assert sorted(state.deck) == sorted(TILES)
            played = 23 - _to_come(state)
            for seat in range(seats):
                laid = [piece.tile for piece in state.cities[seat].pieces if isinstance(piece, TangramLaid)]
                water = sum(isinstance(piece, Water) for piece in state.cities[seat].pieces)
                assert len({*laid, *state.aside[seat]}) == len(laid) + len(state.aside[seat]) == played
                assert water + state.fountains[seat] <= ROUNDS.fountains
                quarters(state.cities[seat])


def _to_come(state: TangramState) -> int:
    """Count the cards that have not been closed yet."""
    if state.phase == "over":
        return 0
    before = 4 * (state.round - 1)
    done = state.card if state.phase == "place" else 0 if state.phase == "final" else 99
    return 23 - min(before + done, before + (4 if state.round < 6 else 3))


@pytest.mark.parametrize("seats", range(1, 6, often(2, 1)))
def test_hidden_cards_and_open_answers_are_in_nobody_elses_view(seats: int) -> None:
    told_apart = 0
    for seed in range(often(1, 3)):
        for state in walk(seats, seed):
            for viewer in (None, *range(seats)):
                other = GAME.resample_hidden(state, viewer, Random(seed))
                assert GAME.view(other, viewer) == GAME.view(state, viewer)
                told_apart += other != state
    assert told_apart or seats == 1


@given(SEEDS)
@some
def test_an_answer_shows_others_nothing_but_that_it_was_given(seed: int) -> None:
    rng = Random(seed)
    for number, state in enumerate(walk(3, seed)):
        owing = list(GAME.prompts(state))
        if number < seed % 40 or state.phase != "place" or len(owing) < 2:
            continue
        seat, looker = rng.sample(owing, 2)
        before = GAME.view(state, looker)
        GAME.play(state, seat, rng.choice(list(GAME.moves(state, seat))))
        after = GAME.view(state, looker)
        assert set(after.answered) == {*before.answered, seat}
        assert msgspec.structs.replace(after, answered=before.answered) == before
        return


@pytest.mark.parametrize("tile", sorted(TILES))
def test_four_turns_and_two_flips_bring_a_tile_back(tile: int) -> None:
    for side in SIDES:
        cursor = TileCursor(tile, side)
        for _ in range(4):
            cursor = cursor.nudge("turn")
        assert cursor.form == form(tile, side, 0)
        assert TileCursor(tile, side).nudge("flip").nudge("flip") == TileCursor(tile, side)
        assert all(canonical_turn(tile, side, turn) <= turn for turn in TURNS)


@given(
    st.sampled_from([FOUNTAIN, *sorted(TILES)]),
    st.lists(st.sampled_from(["left", "up", "down", "right", "turn", "flip"]), max_size=30),
)
@some
def test_a_ghost_never_leaves_the_city(tile: int, nudges: list[Any]) -> None:
    cursor = TileCursor(tile)
    for nudge in nudges:
        if tile != FOUNTAIN or nudge != "flip":
            cursor = cursor.nudge(nudge)
    assert 0 <= cursor.column <= 7 - cursor.form.width
    assert 0 <= cursor.row <= 7 - cursor.form.height
    assert cursor.trouble(City()) is None


@pytest.mark.parametrize("strength", list(Strength))
def test_a_computer_player_goes_on_from_answers_that_a_person_gave(strength: Strength) -> None:
    for state in walk(1, 5):
        if state.phase == "final" and len(state.pending[0]) == 1:
            view = GAME.view(state, 0)
            assert GAME.choose(view, 0, Random(1), strength) in list(GAME.moves(state, 0))
            return
    raise AssertionError("no game came so far")


@pytest.mark.thorough
def test_the_strong_player_builds_a_good_city() -> None:
    state = GAME.begin(1, TangramOptions(), GAME.deal(1, TangramOptions(), b"fill"), b"fill")
    rng = Random(2)
    while GAME.prompts(state):
        GAME.play(state, 0, GAME.choose(GAME.view(state, 0), 0, rng, Strength.STRONG))

    assert state.scores[0] >= 90


def test_two_weak_players_do_not_build_the_same_city() -> None:
    state = GAME.begin(2, TangramOptions(), GAME.deal(2, TangramOptions(), b"two"), b"two")
    rng = Random(3)
    while prompts := GAME.prompts(state):
        seat = next(iter(prompts))
        GAME.play(state, seat, GAME.choose(GAME.view(state, seat), seat, rng, Strength.MEDIUM))

    assert state.cities[0] != state.cities[1]


def test_free_halves_for_fountains_are_all_found() -> None:
    assert len(fountain_fits(City())) == 49 * 4
