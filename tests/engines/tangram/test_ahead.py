"""Early answers: a seat may answer what it knows to come next."""

from random import Random

import msgspec
import pytest

from engines.game import IllegalMove, Seat
from engines.tangram import GAME
from engines.tangram.computer import answer
from engines.tangram.events import Built, RoundScored
from engines.tangram.legal.moves import fountain_fits, tile_fits
from engines.tangram.moves import DeclineFountain, Fountain, Move, TakeBack, TangramDone
from engines.tangram.pieces.components import FOUNTAIN, TangramOptions, TileId
from engines.tangram.pieces.geometry import CORNERS, SQUARES
from engines.tangram.truth.state import TangramState, ahead, answer_of, current, tiles_to_answer, with_answers
from tests.engines.tangram.arrange import begin, block, city, decline_all, refusal, run

DECK = [6, 2, 19, 11]
"""Seat 0 of two holds the third card, seat 1 the fourth."""


def at_the_second() -> TangramState:
    """Return a game at the second card, which nobody has held."""
    state = begin(2, DECK)
    decline_all(state)
    return state


def test_nobody_else_learns_of_an_answer_that_was_given_ahead() -> None:
    state = at_the_second()
    run(state, "0 place 2 black 0 A1")
    before = [GAME.view(state, viewer) for viewer in (None, 1)]

    run(state, "0 place 19 black 0 C3")

    assert [GAME.view(state, viewer) for viewer in (None, 1)] == before
    assert [answer.tile for answer in GAME.view(state, 0).mine] == [2, 19]


def test_the_next_tiles_are_known_up_to_the_first_hidden_card() -> None:
    state = at_the_second()
    run(state, "1 decline 2; 0 decline 2")
    assert [ahead(state, seat) for seat in (0, 1)] == [(), ()]

    run(state, "1 decline 19")

    assert ahead(state, 1) == (11, FOUNTAIN)
    assert GAME.view(state, 1).ahead == (11, FOUNTAIN)
    assert GAME.view(state, 0).ahead == ()
    assert GAME.view(state, None).ahead == ()


def test_the_question_comes_first() -> None:
    state = at_the_second()

    assert refusal(state, "0 place 19 black 0 C3") == "You can't place that tile now."
    assert "The fountain comes after the last tile" in refusal(state, "0 fountain C3 J")


def test_an_early_answer_is_not_asked_again_and_can_end_a_round() -> None:
    state = at_the_second()
    run(state, "0 decline 2; 0 place 19 black 0 C3; 1 decline 2")
    assert list(GAME.prompts(state)) == [1]

    run(state, "1 decline 19; 0 decline 11; 0 fountain A1 J")
    events = run(state, "1 decline 11; 1 fountain A1 J")

    assert [type(event) for event in events if isinstance(event, (Built, RoundScored))][-1] is RoundScored
    assert state.round == 2
    assert [len(city.pieces) for city in state.cities] == [2, 1]


def test_an_answer_ahead_lies_in_the_way_until_it_is_taken_back() -> None:
    state = at_the_second()
    run(state, "0 place 2 black 0 A1; 0 place 19 black 0 C3")

    assert "C3 is already built" in refusal(state, "0 place 2 black 0 C3")
    run(state, "0 back 19; 0 place 2 black 0 C3")

    assert [answer.tile for answer in state.pending[0]] == [2]
    assert "You can't take this answer back" in refusal(state, "0 back 2")
    assert "haven't placed that tile yet" in refusal(state, "0 back 19")


def test_the_last_fountain_is_answered_with_the_last_tiles() -> None:
    state = begin(2)
    decline_all(state, 25)
    one, two, three = current(state)
    run(state, f"0 decline {one}; 0 decline {two}; 0 decline {three}; 0 done; 0 fountain A1 J")

    assert state.done == [0]
    run(state, f"1 decline {one}; 1 decline {two}; 1 decline {three}; 1 done")

    assert list(GAME.prompts(state)) == [1]


def try_fountain_moves(state: TangramState, seat: Seat) -> tuple[set[Move], set[Move]]:
    """Return the listed fountain moves, and the accepted ones of all moves."""
    waters: list[Move] = [Fountain(square, corner) for square in SQUARES for corner in CORNERS]
    every = [*waters, DeclineFountain(), TakeBack(FOUNTAIN)]
    return {move for move in GAME.moves(state, seat) if move in every}, {
        move for move in every if is_accepted(state, seat, move)
    }


def is_accepted(state: TangramState, seat: Seat, move: Move) -> bool:
    copy = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=TangramState)
    try:
        GAME.play(copy, seat, move)
    except IllegalMove:
        return False
    return True


def test_a_fountain_ahead_is_changed_or_taken_back_while_a_tile_before_it_is_asked_for() -> None:
    state = at_the_second()
    run(state, "0 decline 2; 1 decline 2; 1 decline 19; 1 fountain A1 J; 0 decline 19")
    assert tiles_to_answer(state, 1) == [11]

    assert GAME.view(state, 1).ahead == ahead(state, 1) == (FOUNTAIN,)
    listed, allowed = try_fountain_moves(state, 1)
    assert listed == allowed
    assert {Fountain("B2", "7"), DeclineFountain(), TakeBack(FOUNTAIN)} <= listed

    run(state, "1 fountain G7 J")
    assert not any(piece.at == "A1" for piece in with_answers(state, 1).pieces)
    run(state, "1 back 0")
    assert ahead(state, 1) == ()
    assert try_fountain_moves(state, 1) == (set(), set())
    run(state, "1 place 11 black 0 A1")


def test_in_the_last_round_a_fountain_ahead_is_changed_while_a_tile_is_taken_back() -> None:
    state = begin(2)
    decline_all(state, 25)
    one, two, three = current(state)
    run(state, f"0 decline {one}; 0 decline {two}; 0 decline {three}; 0 fountain A1 J; 0 back {two}")
    assert tiles_to_answer(state, 0) == [two]

    assert GAME.view(state, 0).ahead == ahead(state, 0) == (FOUNTAIN,)
    listed, allowed = try_fountain_moves(state, 0)
    assert listed == allowed
    assert {Fountain("B2", "7"), DeclineFountain(), TakeBack(FOUNTAIN)} <= listed


def test_a_fountain_that_has_no_room_beside_later_answers_is_only_taken_back() -> None:
    state = at_the_second()
    run(state, "0 decline 2; 1 decline 2; 1 decline 19; 1 decline 11; 1 dry")
    state.cities[1] = city(black=block("A1", "G7"))

    assert try_fountain_moves(state, 1) == ({TakeBack(FOUNTAIN)}, {TakeBack(FOUNTAIN)})


def test_a_tile_that_fits_nowhere_any_more_is_set_aside_by_itself_whatever_was_said_ahead() -> None:
    state = at_the_second()
    run(state, "0 decline 2; 0 decline 19")
    state.cities[0] = city(black=block("A1", "G7"))
    built = [event for event in run(state, "1 decline 2; 1 decline 19") if isinstance(event, Built)]

    assert built[-1].forced == ((19,), ())


@pytest.mark.parametrize("said", ["", "; 1 dry"], ids=["nothing", "no fountain"])
def test_nobody_learns_what_was_said_ahead_of_a_fountain_that_fits_nowhere(said: str) -> None:
    state = at_the_second()
    run(state, f"0 decline 2; 1 decline 2; 1 decline 19; 1 decline 11{said}")
    state.cities[1] = city(black=block("A1", "G7"))
    built = [event for event in run(state, "0 decline 19; 0 decline 11; 0 dry") if isinstance(event, Built)]

    assert (built[-1].tiles, built[-1].forced) == ((FOUNTAIN,), ((), (FOUNTAIN,)))


def choose_answer(state: TangramState, seat: Seat, tile: TileId, seed: int) -> Move:
    """Choose any place of the city. It is the same in every course of a game."""
    ground = with_answers(state, seat, but=tile)
    fits = fountain_fits(ground) if tile == FOUNTAIN else tile_fits(ground, tile)
    return answer(tile, Random(f"{seed} {seat} {tile} {state.round}").choice([*fits, None]))


def play_game(seats: int, seed: int, *, early: bool) -> tuple[TangramState, int]:
    """Play a game; count calls of seats that couldn't act earlier."""
    rng, key = Random(seed), seed.to_bytes(4, "big")
    state = GAME.begin(seats, TangramOptions(), GAME.deal(seats, TangramOptions(), key), key)
    calls = 0
    while owing := list(GAME.prompts(state)):
        seat = rng.choice(owing)
        calls += 1
        last = state.phase == "final"
        asked = [FOUNTAIN] if state.phase == "fountain" else tiles_to_answer(state, seat)
        for tile in asked:
            GAME.play(state, seat, choose_answer(state, seat, tile, seed))
        while early and (left := [one for one in ahead(state, seat) if not has_answer(state, seat, one)]):
            GAME.play(state, seat, choose_answer(state, seat, left[0], seed))
        if last:
            GAME.play(state, seat, TangramDone())
    return state, calls


def has_answer(state: TangramState, seat: Seat, tile: TileId) -> bool:
    return answer_of(state, seat, None if tile == FOUNTAIN else tile) is not None


@pytest.mark.parametrize("seats", range(1, 6))
def test_a_game_ends_the_same_whether_answers_are_given_ahead_or_in_time(seats: int) -> None:
    fewer = 0
    for seed in range(12):
        in_time, before = play_game(seats, seed, early=False)
        early, after = play_game(seats, seed, early=True)
        assert early.cities == in_time.cities
        assert early.outcome == in_time.outcome
        fewer += before - after
    assert fewer > 0
