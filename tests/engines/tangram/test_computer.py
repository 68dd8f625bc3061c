from collections.abc import Iterator
from functools import cache
from itertools import count
from math import prod
from random import Random

import msgspec
import pytest

from engines.game import IllegalMove, Seat, Strength
from engines.tangram import GAME, computer, moves
from engines.tangram.computer import answer
from engines.tangram.computer.evaluation import rank_places, rank_places_in
from engines.tangram.computer.search import EVERYTHING, best_ending, filling, final_points
from engines.tangram.legal.moves import fountain_fits, tile_fits
from engines.tangram.pieces.board import City, TangramLaid, is_complete, score
from engines.tangram.pieces.components import FOUNTAIN, SCORING, TILES, TangramOptions, TileId
from engines.tangram.pieces.geometry import CORNERS, SQUARES
from engines.tangram.truth.state import TangramState, ahead, answer_of, current, tiles_to_answer, with_answers
from tests.engines.tangram.arrange import begin, block, city, decline_all, refusal, run
from tests.often import often


def test_an_empty_city_can_be_filled_with_all_tiles_and_not_with_too_little() -> None:
    result = filling(city(), list(TILES), 6, Random(1), tries=8, steps=4000)

    assert result is not None
    covered = 0
    for _, quarters in result.laid:
        assert not covered & quarters
        covered |= quarters
    assert covered == EVERYTHING
    assert filling(city(), [1, 2, 3], 6, Random(1), tries=8, steps=4000) is None


def test_a_way_to_fill_a_city_covers_only_what_is_empty_and_the_last_tile_fills_it() -> None:
    built = city(black=block("A1", "G4"), green=block("A5", "G6"))

    result = filling(built, list(TILES), 0, Random(1), tries=8, steps=4000)

    assert result is not None
    assert not any(quarters & built.built for _, quarters in result.laid)

    almost = city(black=block("A1", "G3"), green=[*block("A4", "G6"), *block("A7", "E7")])

    points, piece = best_ending(almost, (6, FOUNTAIN))

    assert piece is not None
    assert is_complete(almost.add(piece))
    assert points == final_points(almost.add(piece))


def test_the_last_hole_is_filled_and_the_first_ranked_move_looks_best_in_the_panel_too() -> None:
    state = begin(1, deck=(1,))
    hole = [name for name in block("A1", "G7") if name != "D4"]
    state.cities[0] = city(black=hole[:24], green=hole[24:])

    fill = GAME.choose(GAME.view(state, 0), 0, Random(1), Strength.STRONG)

    assert isinstance(fill, moves.TangramPlace)
    assert fill.at == "D4"

    state = begin(1, deck=(6,))
    view = GAME.view(state, 0)

    assert rank_places(view, 6)[0] == rank_places_in(state.cities[0], 6)[0][1]


def test_the_strong_player_keeps_the_way_to_a_full_city_open() -> None:
    state = begin(1, deck=(1,))
    state.cities[0] = city(black=block("A1", "G6"))
    view = GAME.view(state, 0)

    move = GAME.choose(view, 0, Random(1), Strength.STRONG)

    assert isinstance(move, moves.TangramPlace | moves.Decline)
    if isinstance(move, moves.TangramPlace):
        after = state.cities[0].add(TangramLaid(move.tile, move.side, move.turn, move.at))
        rest = [tile for tile in computer.to_come(view, 0) if tile != move.tile]
        assert filling(after, rest, 6, Random(1), tries=8, steps=4000) is not None


def test_places_of_a_full_city_are_thought_of_whatever_they_look_like() -> None:
    state = begin(1, deck=(1,))
    state.cities[0] = city(black=block("A1", "G6"))
    view, none_by_look = GAME.view(state, 0), computer.TangramDepth(places=0, guesses=1, fillings=4)

    thoughts = computer.thoughts(view, 0, state.cities[0], 1, Random(1), least=9, depth=none_by_look)

    pieces = [piece for _, piece in thoughts if piece is not None]
    assert pieces
    rest = [tile for tile in computer.to_come(view, 0) if tile != 1]
    for piece in pieces:
        assert filling(state.cities[0].add(piece), rest, 6, Random(1), tries=8, steps=4000) is not None


WINS = often(6, 500)
"""The number of positions with a certain win in which the seat must win."""

MOST = 1500
"""The number of ways to answer for all tiles that are all tried."""


def positions() -> Iterator[tuple[TangramState, Seat]]:
    """Yield last rounds in which only the seat's best ending wins. The round's fountains are included."""
    for number in count():
        rng, seed = Random(number), number.to_bytes(8, "big")
        state = GAME.begin(2, TangramOptions(), GAME.deal(2, TangramOptions(), seed), seed)
        asked: set[tuple[str, Seat]] = set()
        while prompts := GAME.prompts(state):
            seat = next(iter(prompts))
            if state.round == 6 and (state.phase, seat) not in asked:
                asked.add((state.phase, seat))
                other, tiles = 1 - seat, (*current(state), FOUNTAIN)
                if max(ways(city, tiles) for city in state.cities) <= MOST and not state.pending[seat]:
                    near = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=TangramState)
                    behind = most(state.cities[other], tiles) - most(state.cities[seat], tiles)
                    near.scores[seat], near.scores[other] = 100 + behind, 100
                    yield near, seat
            GAME.play(state, seat, GAME.choose(GAME.view(state, seat), seat, rng, Strength.MEDIUM))


def ways(city: City, tiles: tuple[TileId, ...]) -> int:
    return prod(1 + len(tile_fits(city, tile)) for tile in tiles if tile != FOUNTAIN)


@cache
def most(city: City, tiles: tuple[TileId, ...]) -> int:
    """Return a city's most points, by trying every way."""
    if not tiles:
        result = score(city)
        return result.points + result.balance.bonus + SCORING.planning_bonus * is_complete(city)
    fitting = fountain_fits(city) if tiles[0] == FOUNTAIN else tile_fits(city, tiles[0])
    return max(most(after, tiles[1:]) for after in (city, *map(city.add, fitting)))


def wins_in_play(state: TangramState, seat: Seat, strength: Strength, rng: Random) -> bool:
    """Return True if the computer wins or shares against any answer."""
    while prompts := GAME.prompts(state):
        mover = next(iter(prompts))
        if mover == seat:
            move = GAME.choose(GAME.view(state, seat), seat, Random(1), strength)
        else:
            move = GAME.choose(GAME.view(state, mover), mover, rng, Strength.MEDIUM)
        GAME.play(state, mover, move)
    return state.outcome is not None and state.outcome.places[seat] == 1


def test_the_best_ending_wins_where_nothing_else_does() -> None:
    for number, (state, seat) in enumerate(positions()):
        assert wins_in_play(state, seat, Strength.STRONG if number % 2 else Strength.MEDIUM, Random(number))
        if number == WINS:
            return


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


def test_an_early_answer_is_not_asked_again_and_can_end_a_round() -> None:
    state = at_the_second()
    run(state, "0 decline 2; 0 place 19 black 0 C3; 1 decline 2")
    assert list(GAME.prompts(state)) == [1]

    run(state, "1 decline 19; 0 decline 11; 0 fountain A1 J")
    events = run(state, "1 decline 11; 1 fountain A1 J")

    assert [type(event) for event in events if isinstance(event, (moves.Built, moves.RoundScored))][
        -1
    ] is moves.RoundScored
    assert state.round == 2
    assert [len(city.pieces) for city in state.cities] == [2, 1]


def test_the_question_comes_first_and_an_answer_ahead_lies_in_the_way_until_taken_back() -> None:
    state = at_the_second()
    run(state, "0 place 2 black 0 A1; 0 place 19 black 0 C3")

    assert "C3 is already built" in refusal(state, "0 place 2 black 0 C3")
    run(state, "0 back 19; 0 place 2 black 0 C3")

    assert [answer.tile for answer in state.pending[0]] == [2]
    assert "You can't take this answer back" in refusal(state, "0 back 2")
    assert "haven't placed that tile yet" in refusal(state, "0 back 19")

    state = at_the_second()

    assert refusal(state, "0 place 19 black 0 C3") == "You can't place that tile now."
    assert "The fountain comes after the last tile" in refusal(state, "0 fountain C3 J")


def test_the_last_fountain_is_answered_with_the_last_tiles() -> None:
    state = begin(2)
    decline_all(state, 25)
    one, two, three = current(state)
    run(state, f"0 decline {one}; 0 decline {two}; 0 decline {three}; 0 done; 0 fountain A1 J")

    assert state.done == [0]
    run(state, f"1 decline {one}; 1 decline {two}; 1 decline {three}; 1 done")

    assert list(GAME.prompts(state)) == [1]


def try_fountain_moves(state: TangramState, seat: Seat) -> tuple[set[moves.Move], set[moves.Move]]:
    """Return the listed fountain moves, and the accepted ones of all moves."""
    waters: list[moves.Move] = [moves.Fountain(square, corner) for square in SQUARES for corner in CORNERS]
    every = [*waters, moves.DeclineFountain(), moves.TakeBack(FOUNTAIN)]
    return {move for move in GAME.moves(state, seat) if move in every}, {
        move for move in every if is_accepted(state, seat, move)
    }


def is_accepted(state: TangramState, seat: Seat, move: moves.Move) -> bool:
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
    assert {moves.Fountain("B2", "7"), moves.DeclineFountain(), moves.TakeBack(FOUNTAIN)} <= listed

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
    assert {moves.Fountain("B2", "7"), moves.DeclineFountain(), moves.TakeBack(FOUNTAIN)} <= listed


def test_a_fountain_without_room_is_only_taken_back_and_a_tile_without_is_set_aside() -> None:
    state = at_the_second()
    run(state, "0 decline 2; 1 decline 2; 1 decline 19; 1 decline 11; 1 dry")
    state.cities[1] = city(black=block("A1", "G7"))

    assert try_fountain_moves(state, 1) == ({moves.TakeBack(FOUNTAIN)}, {moves.TakeBack(FOUNTAIN)})

    state = at_the_second()
    run(state, "0 decline 2; 0 decline 19")
    state.cities[0] = city(black=block("A1", "G7"))
    built = [event for event in run(state, "1 decline 2; 1 decline 19") if isinstance(event, moves.Built)]

    assert built[-1].forced == ((19,), ())


@pytest.mark.parametrize("said", ["", "; 1 dry"], ids=["nothing", "no fountain"])
def test_nobody_learns_what_was_said_ahead_of_a_fountain_that_fits_nowhere(said: str) -> None:
    state = at_the_second()
    run(state, f"0 decline 2; 1 decline 2; 1 decline 19; 1 decline 11{said}")
    state.cities[1] = city(black=block("A1", "G7"))
    built = [
        event for event in run(state, "0 decline 19; 0 decline 11; 0 dry") if isinstance(event, moves.Built)
    ]

    assert (built[-1].tiles, built[-1].forced) == ((FOUNTAIN,), ((), (FOUNTAIN,)))


def choose_answer(state: TangramState, seat: Seat, tile: TileId, seed: int) -> moves.Move:
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
            GAME.play(state, seat, moves.TangramDone())
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
