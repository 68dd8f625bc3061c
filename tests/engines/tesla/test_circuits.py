"""The circuits that the board keeps are those that its tiles make, whatever was done."""

from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engines.tesla import GAME, preview
from engines.tesla.events import Split, TeslaPlaced
from engines.tesla.moves import TeslaPlace
from engines.tesla.pieces.board import TeslaBoard, neighbours
from engines.tesla.pieces.circuits import pieces_at, survey
from engines.tesla.pieces.components import Tiles, shape
from tests.engines.tesla.arrange import arrange, board_of, circuit, find_turn, line, only, ring, run
from tests.engines.tesla.recount import assert_sound
from tests.engines.tesla.walks import walk

pytestmark = pytest.mark.slow

SHAPES: tuple[Tiles, ...] = get_args(Tiles)


@settings(max_examples=12, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10**6), st.sampled_from(SHAPES))
def test_circuits_are_what_a_recount_finds_after_every_move(number: int, tiles: Tiles) -> None:
    for state, _, _, _ in walk(number, 120, tiles=tiles, win=80):
        assert_sound(state.board)


@pytest.mark.parametrize("tiles", SHAPES)
def test_circuits_stay_sound_to_the_end_of_a_long_game(tiles: Tiles) -> None:
    for state, _, _, events in walk(2, 900, tiles=tiles, win=80):
        if any(isinstance(event, TeslaPlaced) for event in events):
            assert_sound(state.board)


@pytest.mark.parametrize("tiles", SHAPES)
def test_a_placement_is_foreseen_with_its_lengths_and_ends(tiles: Tiles) -> None:
    for state, _, _, events in walk(5, 200, tiles=tiles, win=80):
        for event in events:
            if isinstance(event, TeslaPlaced):
                numbers = dict.fromkeys(state.board.tiles[event.cell].circuits)
                circuits = [state.board.circuits[number] for number in numbers]
                lies = {cell: laid.lie for cell, laid in state.board.tiles.items() if cell != event.cell}
                placement = survey(board_of(lies, {}, tiles), event.cell, event.lie)
                assert [(join.length, set(join.ends)) for join in placement.joins] == [
                    (one.length, set(one.ends)) for one in circuits
                ]


@pytest.mark.parametrize("tiles", SHAPES)
def test_neighbours_stay_right_as_tiles_are_laid_and_replaced(tiles: Tiles) -> None:
    for state, _, _, _ in walk(5, 200, tiles=tiles, win=80):
        board = state.board
        again = TeslaBoard(board.shape, board.tiles)
        assert list(board.around.items()) == list(again.around.items())
        assert all(board.surroundings_of(cell) == met for cell, met in board.around.items())


def test_a_lifted_tile_leaves_a_piece_on_each_side() -> None:
    state = arrange(line(6), {"AC50": (0, "14"), "Z50": (0, "14")})

    left, right = sorted(pieces_at(state.board, "AB50"), key=lambda piece: piece.length)

    assert (left.length, left.ports, left.markers) == (2, (4,), ("Z50",))
    assert (right.length, right.ports, right.markers) == (3, (1,), ("AC50",))


def test_a_lifted_tile_of_a_ring_leaves_one_piece_with_two_ports() -> None:
    around = ring("Z50")
    (piece,) = pieces_at(arrange(around).board, "AA50")

    assert (piece.length, len(piece.ports), piece.ends, piece.ring) == (5, 2, (), True)


def test_a_tile_that_a_circuit_crosses_three_times_leaves_four_pieces() -> None:
    loops = {"AA50": "34", "Z51": "05", "Y51": "05", "Y50": "12"}
    state = arrange({"Z50": "01-23-45", **loops, "AA49": "03", "Z49": "25", "AB48": "03"})
    assert circuit(state, "Z50", "23").length == 10

    pieces = pieces_at(state.board, "Z50")

    assert [(piece.ports, piece.length) for piece in pieces] == [
        ((0,), 2),
        ((1, 2), 2),
        ((3, 4), 2),
        ((5,), 1),
    ]


def test_where_circuits_join_the_longest_keeps_its_number() -> None:
    tiles = {**line(2), **line(3, "AC50")}
    state = arrange(tiles, hands=[["03"], []])
    longest = state.board.circuit_at("AC50", (1, 4))

    run(state, "place AB50 14")

    assert set(state.board.circuits) == {longest}
    assert circuit(state, "Z50", "14").length == 6


def test_where_a_circuit_is_cut_the_longest_part_keeps_its_number() -> None:
    state = arrange(line(6), hands=[["01-23"], []])

    events = run(state, "replace AB50 01-45")

    assert state.board.circuit_at("AC50", (1, 4)) == 1
    assert state.board.circuit_at("Z50", (1, 4)) == 2
    assert only(events, Split).parts == (4, 3)


def test_where_circuits_join_the_owner_s_keeps_its_number() -> None:
    markers = {"Z50": (0, "14"), "AC50": (1, "14"), "AA50": (0, "14")}
    state = arrange({**line(2), **line(3, "AC50")}, markers, hands=[["03"], []])
    owned = state.board.circuit_at("Z50", (1, 4))

    run(state, "place AB50 14")

    assert set(state.board.circuits) == {owned}
    assert state.board.owner(owned) == 0


def test_where_a_circuit_is_cut_the_part_with_the_marker_keeps_its_number() -> None:
    state = arrange(line(6), {"Z50": (0, "14")}, hands=[["01-23"], []])

    run(state, "replace AB50 01-45")

    assert state.board.circuit_at("Z50", (1, 4)) == 1
    assert state.board.circuit_at("AC50", (1, 4)) == 2


def test_a_number_that_was_free_before_a_turn_goes_to_a_new_circuit() -> None:
    state = arrange({"Z50": "03-14", "AA50": "14"}, hands=[["01", "01", "01"], ["01"]])
    assert set(state.board.circuits) == {1, 2}

    run(state, "replace Z50 12")
    assert set(state.board.circuits) == {2}
    run(state, "end; place AB49 01")

    assert set(state.board.circuits) == {1, 2}


def test_no_circuit_gets_the_letter_of_one_that_is_gone_while_a_turn_goes_on() -> None:
    state = arrange({"Z50": "03-14", "AA50": "14"}, hands=[["01", "01", "01"], []])

    run(state, "replace Z50 12")
    foreseen = preview.move_preview(GAME.view(state, 0), TeslaPlace("01", 0, "AB49"))
    run(state, "place AB49 01; place AA51 01")

    assert set(foreseen.view.board.circuits) == {2, 3}
    assert set(state.board.circuits) == {2, 3, 4}


def test_a_tile_gives_no_new_circuit_the_letter_of_one_that_it_ends() -> None:
    state = arrange({"Z50": "03-14", "AA50": "14"}, hands=[[find_turn("01-34")[0]], []])
    before = set(state.board.circuits)

    run(state, "replace Z50 01-34")

    assert before == {1, 2}
    assert set(state.board.circuits) == {2, 3}


@pytest.mark.parametrize("tiles", SHAPES)
def test_every_cell_has_a_neighbour_behind_each_side_and_is_its_neighbour_too(tiles: Tiles) -> None:
    for side, beyond in enumerate(neighbours(tiles, "A0")):
        assert neighbours(tiles, beyond)[shape(tiles).opposite(side)] == "A0"
